//! Bodies in which one part is not what it should be.

use reqwest::Method;
use serde_json::{Value, json};

use crate::pictures::PNG;
use crate::{
    components::{V2, button},
    interactions::{Scene, ping},
    test_emulator::TestEmulator,
};

/// The body with each of its parts replaced in turn.
fn spoiled(body: &Value, with: &Value) -> Vec<Value> {
    let mut all = vec![with.clone()];
    match body {
        Value::Object(map) => {
            for (key, inner) in map {
                for inner in spoiled(inner, with) {
                    let mut copy = body.clone();
                    copy[key] = inner;
                    all.push(copy);
                }
            }
        }
        Value::Array(list) => {
            for (index, inner) in list.iter().enumerate() {
                for inner in spoiled(inner, with) {
                    let mut copy = body.clone();
                    copy[index] = inner;
                    all.push(copy);
                }
            }
        }
        _ => {}
    }
    all
}

#[tokio::test]
async fn no_part_of_a_body_can_break_the_emulator() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let command = scene.command(ping()).await;
    let option = json!({
        "type": 3, "name": "o", "description": "d", "name_localizations": { "de": "x" },
        "choices": [{ "name": "n", "value": "v" }], "min_length": 1, "required": true,
    });
    let registered = json!({
        "name": "x", "type": 1, "description": "d", "contexts": [0], "integration_types": [0],
        "default_member_permissions": "8", "nsfw": false, "options": [option],
    });
    let text = json!({ "type": 10, "content": "t", "id": 3 });
    let media = json!({ "type": 12, "items": [{ "media": { "url": "https://example.com" } }] });
    let select = json!({ "type": 3, "custom_id": "s", "min_values": 1, "max_values": 1,
        "options": [{ "label": "a", "value": "a", "emoji": { "name": "x" } }] });
    let channels = json!({ "type": 8, "custom_id": "k", "channel_types": [0],
        "default_values": [{ "id": "17", "type": "channel" }] });
    let message = json!({ "flags": V2, "components": [
        { "type": 17, "accent_color": 3, "components": [
            text, media,
            { "type": 9, "components": [text], "accessory": button(&json!({})) },
            { "type": 1, "components": [select] }, { "type": 1, "components": [channels] },
        ]},
    ]});
    let asked = json!({
        "type": 2, "application_id": scene.application(), "channel_id": scene.channel,
        "guild_id": server.ready.guild_id, "nonce": "n",
        "data": { "id": command["id"], "name": "ping", "type": 1, "version": command["version"],
            "options": [{ "type": 3, "name": "o", "value": "v" }], "attachments": [{ "id": 0 }] },
    });
    let hook = format!("/channels/{}/webhooks", scene.channel);
    let made = json!({ "name": "Crow", "avatar": PNG });
    let made_hook = scene.bot.post(&hook, made.clone()).await.json;
    let execute = format!(
        "/webhooks/{}/{}",
        made_hook["id"].as_str().unwrap(),
        made_hook["token"].as_str().unwrap()
    );
    let said = json!({
        "content": "x", "username": "u", "avatar_url": "https://example.com", "flags": 4,
        "allowed_mentions": { "parse": ["users"] }, "thread_name": "t",
    });
    let heard = scene.used(&command, json!([])).await;
    let callback = format!(
        "/interactions/{}/{}/callback",
        heard["id"].as_str().unwrap(),
        heard["token"].as_str().unwrap()
    );
    let modal = json!({ "type": 9, "data": { "custom_id": "m", "title": "t", "components": [
        { "type": 18, "label": "l", "component": { "type": 4, "custom_id": "i", "style": 1 } },
    ]}});
    let permissions =
        json!({ "permissions": [{ "id": scene.ben.id, "type": 2, "permission": true }] });
    let application = scene.application().to_owned();
    let guild = &server.ready.guild_id;
    let global = format!("/applications/{application}/commands");
    let command_id = command["id"].as_str().unwrap();
    let exceptions =
        format!("/applications/{application}/guilds/{guild}/commands/{command_id}/permissions");
    let messages = format!("/channels/{}/messages", scene.channel);
    let ada = server.human("Ada");
    let table = [
        (
            &scene.bot,
            Method::POST,
            global.as_str(),
            registered.clone(),
        ),
        (&scene.bot, Method::PUT, &global, json!([registered])),
        (&scene.bot, Method::POST, &messages, message),
        (&ada, Method::PUT, &exceptions, permissions),
        (&scene.ben, Method::POST, "/interactions", asked),
        (&scene.bot, Method::POST, &hook, made),
        (&scene.bot, Method::POST, &execute, said),
        (&scene.bot, Method::POST, &callback, modal),
    ];
    let garbage = [
        Value::Null,
        json!(-1),
        json!(1e300),
        json!("\u{0}"),
        json!([]),
        json!({}),
        json!([[1]]),
    ];
    for (caller, method, path, body) in table {
        for with in &garbage {
            for body in spoiled(&body, with) {
                let reply = caller.call(method.clone(), path, body.clone()).await;
                assert!(reply.status.as_u16() < 500, "{method} {path} {body}");
            }
        }
    }
}
