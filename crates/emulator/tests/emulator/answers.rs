//! How a bot answers: for one person, later, or not at all.

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    interactions::{Scene, ping},
    test_emulator::TestEmulator,
};

#[tokio::test]
async fn ephemeral_messages_are_for_one_person_and_for_no_history() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let command = scene.command(ping()).await;
    let heard = scene.used(&command, json!([])).await;
    let body = json!({ "type": 4, "data": { "content": "psst", "flags": 64 } });
    let answer = scene.answer(&heard, body).await;
    assert_eq!(
        answer.json["interaction"]["response_message_ephemeral"],
        true
    );
    let seen = scene.to_ben.until("MESSAGE_CREATE").await;
    assert_eq!(
        (&seen["content"], &seen["flags"]),
        (&json!("psst"), &json!(64))
    );
    let original = "/messages/@original";
    let read = scene.hook(&heard, Method::GET, original, Value::Null).await;
    assert_eq!(read.json["content"], "psst");
    let edit = json!({ "content": "psst!" });
    let edited = scene.hook(&heard, Method::PATCH, original, edit).await;
    assert_eq!(edited.json["flags"], 64, "{:?}", edited.json);
    assert_eq!(
        scene.to_ben.until("MESSAGE_UPDATE").await["content"],
        "psst!"
    );
    let more = json!({ "content": "more", "flags": 64 });
    let more = scene.hook(&heard, Method::POST, "", more).await;
    assert_eq!(more.status, 200, "{:?}", more.json);
    assert_eq!(more.json["type"], 19);
    assert_eq!(more.json["message_reference"]["message_id"], seen["id"]);
    scene.to_ben.until("MESSAGE_CREATE").await;
    let gone = scene
        .hook(&heard, Method::DELETE, original, Value::Null)
        .await;
    assert_eq!(gone.status, 204);
    assert_eq!(scene.to_ben.until("MESSAGE_DELETE").await["id"], seen["id"]);
    let missing = scene.hook(&heard, Method::GET, original, Value::Null).await;
    assert_eq!(missing.json["code"], 10008);
    assert!(scene.history().await.is_empty());
    let one = format!(
        "/channels/{}/messages/{}",
        scene.channel,
        more.json["id"].as_str().unwrap()
    );
    assert_eq!(scene.ben.get(&one).await.json["code"], 10008);
    scene.to_mika.heartbeat().await;
    scene.to_bot.heartbeat().await;
}

#[tokio::test]
async fn a_deferred_answer_thinks_until_it_is_there() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let command = scene.command(ping()).await;
    let heard = scene.used(&command, json!([])).await;
    let early = scene
        .hook(&heard, Method::POST, "", json!({ "content": "x" }))
        .await;
    assert_eq!(early.json["code"], 10015, "nothing was answered yet");
    assert_eq!(
        scene.answer(&heard, json!({ "type": 5 })).await.json["interaction"]["response_message_loading"],
        true
    );
    let thinking = scene.to_mika.until("MESSAGE_CREATE").await;
    assert_eq!(
        (&thinking["flags"], &thinking["content"]),
        (&json!(128), &json!(""))
    );
    let edit = json!({ "content": "done", "embeds": [{ "title": "t" }] });
    let edited = scene
        .hook(&heard, Method::PATCH, "/messages/@original", edit)
        .await;
    assert_eq!(edited.json["flags"], 0);
    let seen = scene.to_mika.until("MESSAGE_UPDATE").await;
    assert_eq!(
        (&seen["id"], &seen["content"]),
        (&thinking["id"], &json!("done"))
    );

    let heard = scene.used(&command, json!([])).await;
    scene
        .answer(&heard, json!({ "type": 5, "data": { "flags": 64 } }))
        .await;
    let follow = scene
        .hook(&heard, Method::POST, "", json!({ "content": "late" }))
        .await;
    assert_eq!(
        follow.json["flags"], 64,
        "the first follow-up is the answer"
    );
    let original = scene
        .hook(&heard, Method::GET, "/messages/@original", Value::Null)
        .await;
    assert_eq!(original.json["id"], follow.json["id"]);
    let second = scene
        .hook(&heard, Method::POST, "", json!({ "content": "more" }))
        .await;
    assert_ne!(second.json["id"], follow.json["id"]);
    let wrong = format!("/webhooks/{}/nonsense", scene.application());
    let wrong = scene.bot.post(&wrong, json!({ "content": "x" })).await;
    assert_eq!(
        (wrong.status.as_u16(), &wrong.json["code"]),
        (401, &json!(50027))
    );
}

#[tokio::test]
async fn an_answer_that_comes_too_late_is_none() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let command = scene.command(ping()).await;
    let heard = scene.used(&command, json!([])).await;
    let failed = scene.to_ben.until("INTERACTION_FAILURE").await;
    assert_eq!(failed["id"], heard["id"]);
    assert_eq!(failed["nonce"], "n1");
    let late = scene.answer(&heard, json!({ "type": 5 })).await;
    assert_eq!(
        (late.status.as_u16(), &late.json["code"]),
        (404, &json!(10062))
    );
}

#[tokio::test]
async fn buttons_and_selects_answer_with_their_message() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let rows = json!([
        { "type": 1, "components": [
            { "type": 2, "style": 1, "label": "Go", "custom_id": "go" },
            { "type": 2, "style": 4, "label": "No", "custom_id": "no", "disabled": true },
        ]},
        { "type": 1, "components": [{ "type": 3, "custom_id": "pick", "max_values": 2, "options": [
            { "label": "A", "value": "a" }, { "label": "B", "value": "b" }, { "label": "C", "value": "c" },
        ]}]},
        { "type": 1, "components": [{ "type": 5, "custom_id": "who" }] },
    ]);
    let path = format!("/channels/{}/messages", scene.channel);
    let message = scene
        .bot
        .post(&path, json!({ "content": "?", "components": rows }))
        .await;
    assert_eq!(message.status, 200, "{:?}", message.json);
    let message = message.json;
    assert_eq!(message["components"][0]["id"], 1);
    assert_eq!(message["components"][0]["components"][1]["id"], 3);
    let click = json!({ "component_type": 2, "custom_id": "go" });
    let heard = scene.asked(3, Some(&message), click.clone()).await;
    assert_eq!(
        heard["data"],
        json!({ "component_type": 2, "custom_id": "go", "id": 2 })
    );
    assert_eq!(heard["message"]["id"], message["id"]);
    let update = json!({ "type": 7, "data": { "content": "went" } });
    assert_eq!(scene.answer(&heard, update).await.status, 200);
    assert_eq!(
        scene.to_mika.until("MESSAGE_UPDATE").await["content"],
        "went"
    );

    let pick = json!({ "component_type": 3, "custom_id": "pick", "values": ["a", "c"] });
    let heard = scene.asked(3, Some(&message), pick).await;
    assert_eq!(heard["data"]["values"], json!(["a", "c"]));
    assert_eq!(scene.answer(&heard, json!({ "type": 6 })).await.status, 200);
    let edit = json!({ "content": "picked", "components": [] });
    scene
        .hook(&heard, Method::PATCH, "/messages/@original", edit)
        .await;
    let seen = scene.to_mika.until("MESSAGE_UPDATE").await;
    assert_eq!(
        (&seen["id"], &seen["content"]),
        (&message["id"], &json!("picked"))
    );

    let again = scene
        .bot
        .post(&path, json!({ "content": "?", "components": rows }))
        .await
        .json;
    let who = json!({ "component_type": 5, "custom_id": "who", "values": [scene.bot.id] });
    let heard = scene.asked(3, Some(&again), who).await;
    let resolved = &heard["data"]["resolved"];
    assert_eq!(
        resolved["users"][scene.bot.id.as_str()]["id"],
        scene.bot.id.as_str()
    );
    let reply = scene
        .answer(&heard, json!({ "type": 4, "data": { "content": "hm" } }))
        .await;
    let reply = &reply.json["resource"]["message"];
    assert_eq!(reply["type"], 19);
    assert_eq!(reply["message_reference"]["message_id"], again["id"]);
    assert_eq!(
        reply["interaction_metadata"]["interacted_message_id"],
        again["id"]
    );
    for (data, code) in [
        (json!({ "component_type": 2, "custom_id": "no" }), 50035),
        (json!({ "component_type": 2, "custom_id": "what" }), 50035),
        (
            json!({ "component_type": 3, "custom_id": "pick", "values": [] }),
            50035,
        ),
        (
            json!({ "component_type": 3, "custom_id": "pick", "values": ["a", "b", "c"] }),
            50035,
        ),
        (
            json!({ "component_type": 3, "custom_id": "pick", "values": ["z"] }),
            50035,
        ),
    ] {
        let reply = scene.ask(3, Some(&again), data.clone()).await;
        assert_eq!(reply.json["code"], code, "{data}");
    }
    let gone = scene.ask(3, Some(&json!({ "id": "17" })), click).await;
    assert_eq!(gone.json["code"], 10008);
}

#[tokio::test]
async fn what_one_person_alone_sees_can_be_used_by_them_alone() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let command = scene.command(ping()).await;
    let heard = scene.used(&command, json!([])).await;
    let row = json!([{ "type": 1, "components": [
        { "type": 2, "style": 1, "label": "Go", "custom_id": "go" },
    ]}]);
    let body = json!({ "type": 4, "data": { "content": "?", "flags": 64, "components": row } });
    let shown = scene.answer(&heard, body).await.json["resource"]["message"].clone();
    let click = json!({ "component_type": 2, "custom_id": "go" });
    let body = json!({
        "type": 3, "application_id": scene.application(), "channel_id": scene.channel,
        "message_id": shown["id"], "data": click,
    });
    let other = server.human("Mika").post("/interactions", body).await;
    assert_eq!(other.json["code"], 10008);
    let heard = scene.asked(3, Some(&shown), click).await;
    assert_eq!(heard["message"]["flags"], 64);
    let update = json!({ "type": 7, "data": { "content": "went", "components": [] } });
    let answer = scene.answer(&heard, update).await;
    assert_eq!(
        answer.json["interaction"]["response_message_ephemeral"],
        true
    );
    let seen = scene.to_ben.until("MESSAGE_UPDATE").await;
    assert_eq!(
        (&seen["id"], &seen["content"]),
        (&shown["id"], &json!("went"))
    );
    scene.to_mika.heartbeat().await;
    assert!(scene.history().await.is_empty());
}

#[tokio::test]
async fn commands_work_in_threads() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let command = scene.command(ping()).await;
    let path = format!("/channels/{}/threads", scene.channel);
    let thread = scene
        .bot
        .post(&path, json!({ "name": "t", "type": 11 }))
        .await;
    scene.channel = thread.json["id"].as_str().unwrap().to_owned();
    let heard = scene.used(&command, json!([])).await;
    assert_eq!(heard["channel"]["type"], 11);
    let body = json!({ "type": 4, "data": { "content": "in here" } });
    let answer = scene.answer(&heard, body).await;
    let message = &answer.json["resource"]["message"];
    assert_eq!(
        message["channel_id"],
        scene.channel.as_str(),
        "{:?}",
        answer.json
    );
    assert_eq!(scene.history().await[0]["content"], "in here");
}

/// They have no allowance that a client could wait for.
#[tokio::test]
async fn an_answer_has_no_headers_of_limits() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let command = scene.command(ping()).await;
    let heard = scene.used(&command, json!([])).await;
    let body = json!({ "type": 4, "data": { "content": "pong" } });
    for status in [200, 400] {
        let answer = scene.answer(&heard, body.clone()).await;
        assert_eq!(answer.status, status);
        let mut names = answer.headers.keys();
        assert!(!names.any(|name| name.as_str().starts_with("x-ratelimit")));
    }
    let original = "/messages/@original";
    let read = scene.hook(&heard, Method::GET, original, Value::Null).await;
    assert!(read.headers.contains_key("x-ratelimit-limit"));
}

/// Only what Discord itself says cannot be kept or passed on.
#[tokio::test]
async fn an_answer_to_a_command_is_pinned_and_forwarded() {
    let server = TestEmulator::open().await;
    let mut scene = Scene::set(&server).await;
    let command = scene.command(ping()).await;
    let heard = scene.used(&command, json!([])).await;
    let body = json!({ "type": 4, "data": { "content": "pong" } });
    scene.answer(&heard, body).await;
    let answer = scene.to_ben.until("MESSAGE_CREATE").await;
    assert_eq!(answer["type"], 20);
    let id = answer["id"].as_str().unwrap();
    let pin = format!("/channels/{}/messages/pins/{id}", scene.channel);
    let pinned = server.human("Ada").put(&pin, Value::Null).await;
    assert_eq!(pinned.status, 204, "{}", pinned.json);
    let reference = json!({ "type": 1, "channel_id": scene.channel, "message_id": id });
    let path = format!("/channels/{}/messages", scene.channel);
    let forwarded = scene
        .ben
        .post(&path, json!({ "message_reference": reference }))
        .await;
    assert_eq!(forwarded.status, 200, "{}", forwarded.json);
    let copy = &forwarded.json["message_snapshots"][0]["message"];
    assert_eq!(copy["content"], "pong");
}
