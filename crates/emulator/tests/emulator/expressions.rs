//! What messages carry besides text: polls, stickers, forwards, emoji and the
//! bot's own role.

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{ALL, Gateway, TestEmulator};

#[tokio::test]
async fn polls_are_shown_with_numbered_answers() {
    let server = TestEmulator::open().await;
    let (ben, bot) = (server.human("Ben"), server.bot());
    let path = format!("/channels/{}/messages", server.channel("general"));
    let mut sees = bot.join(ALL).await;
    let mut blind = bot.join(ALL & !(1 << 15)).await;
    let answer = |text: &str| json!({ "poll_media": { "text": text, "emoji": { "name": "🍵" } } });
    let body = json!({ "poll": {
        "question": { "text": "Which?" },
        "answers": [answer("oolong"), answer("sencha")],
        // As discord.py writes it.
        "duration": 2.0,
    }});
    assert_eq!(ben.post(&path, body).await.status, 200);
    let poll = &sees.event("MESSAGE_CREATE").await["poll"];
    assert_eq!(poll["question"]["text"], "Which?");
    assert_eq!(poll["answers"][1]["answer_id"], 2);
    assert_eq!(poll["answers"][1]["poll_media"]["text"], "sencha");
    assert_eq!(poll["answers"][0]["poll_media"]["emoji"]["name"], "🍵");
    assert_eq!(poll["results"]["is_finalized"], false);
    assert_eq!(blind.event("MESSAGE_CREATE").await.get("poll"), None);
    for wrong in [
        json!({ "question": { "text": "Q" }, "answers": [] }),
        json!({ "question": {}, "answers": [answer("a")] }),
        json!({ "question": { "text": "Q" }, "answers": [answer(&"a".repeat(56))] }),
        json!({ "question": { "text": "Q" }, "answers": [answer("a")], "duration": 769 }),
        json!({ "question": { "text": "Q" }, "answers": [answer("a")], "duration": 1.5 }),
        json!(3),
    ] {
        let reply = ben.post(&path, json!({ "poll": wrong })).await;
        assert_eq!(reply.json["code"], 50035, "{wrong}");
    }
}

#[tokio::test]
async fn stickers_are_those_of_the_guild() {
    let server = TestEmulator::open().await;
    let (ada, bot) = (server.human("Ada"), server.bot());
    let cheers = &server.guild("Tea House").stickers["Cheers"];
    let path = format!("/channels/{}/messages", server.channel("general"));
    let sent = ada.post(&path, json!({ "sticker_ids": [cheers] })).await;
    assert_eq!(sent.status, 200, "{:?}", sent.json);
    assert_eq!(
        sent.json["sticker_items"],
        json!([{ "id": cheers, "name": "Cheers", "format_type": 1 }])
    );
    let elsewhere = server.channel_of("Reading Room", "general");
    let elsewhere = format!("/channels/{elsewhere}/messages");
    for (path, id) in [(&elsewhere, cheers.as_str()), (&path, "17")] {
        let reply = ada.post(path, json!({ "sticker_ids": [id] })).await;
        let code = &reply.json["errors"]["sticker_ids"]["_errors"][0]["code"];
        assert_eq!(*code, "STICKER_UNKNOWN");
    }
    let guild = bot.get(&format!("/guilds/{}", server.ready.guild_id)).await;
    assert_eq!(guild.json["stickers"][0]["name"], "Cheers");
}

#[tokio::test]
async fn a_forward_keeps_the_message_as_it_stood() {
    let server = TestEmulator::open().await;
    let (ada, ben) = (server.human("Ada"), server.human("Ben"));
    let (general, random) = (server.channel("general"), server.channel("random"));
    let said = ada.say(general, "as it was").await;
    let original = said["id"].as_str().unwrap();
    let path = format!("/channels/{random}/messages");
    let forward = |channel: &str, message: &str| json!({ "message_reference": { "type": 1, "channel_id": channel, "message_id": message } });
    let sent = ben.post(&path, forward(general, original)).await;
    assert_eq!(sent.status, 200, "{:?}", sent.json);
    let edit = format!("/channels/{general}/messages/{original}");
    ada.call(Method::PATCH, &edit, json!({ "content": "as it is" }))
        .await;
    let shown = format!("{path}/{}", sent.json["id"].as_str().unwrap());
    let shown = ben.get(&shown).await.json;
    let snapshot = &shown["message_snapshots"][0]["message"];
    assert_eq!(snapshot["content"], "as it was");
    assert_eq!(snapshot.get("author"), None);
    assert_eq!(
        (&shown["type"], &shown["content"], &shown["flags"]),
        (&json!(0), &json!(""), &json!(1 << 14))
    );
    assert_eq!(shown["message_reference"]["channel_id"], *general);
    assert_eq!(shown["message_reference"]["type"], 1);
    assert_eq!(shown.get("referenced_message"), None);

    let secret = ada.say(server.channel("staff"), "secret").await;
    let secret = forward(server.channel("staff"), secret["id"].as_str().unwrap());
    assert_eq!(ben.post(&path, secret).await.json["code"], 50001);
    let gone = forward(general, "17");
    assert_eq!(ben.post(&path, gone).await.json["code"], 10008);
    let unsaid = json!({ "message_reference": { "type": 1, "message_id": original } });
    assert_eq!(ben.post(&path, unsaid).await.json["code"], 50035);
}

#[tokio::test]
async fn the_bot_has_a_role_of_its_own() {
    let server = TestEmulator::open().await;
    let (ben, bot) = (server.human("Ben"), server.bot());
    let role = &server.guild("Tea House").roles["Kaiwa"];
    let mut gateway = Gateway::connect(&server, "").await;
    gateway.identify(&bot.token, ALL & !(1 << 8)).await;
    gateway.event("READY").await;
    let guild = gateway.event("GUILD_CREATE").await;
    let managed: Vec<&Value> = guild["roles"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|role| role["managed"] == true)
        .collect();
    assert_eq!(managed.len(), 1);
    assert_eq!(
        (&managed[0]["id"], &managed[0]["tags"]["bot_id"]),
        (&json!(role), &json!(bot.id))
    );
    let me = guild["members"].as_array().unwrap();
    assert_eq!(me.len(), 1, "without presences, the bot alone");
    assert!(me[0]["roles"].as_array().unwrap().contains(&json!(role)));
    assert_eq!(guild["emojis"][0]["name"], "tea");
    gateway.event("GUILD_CREATE").await;
    ben.say(server.channel("general"), &format!("<@&{role}> hello"))
        .await;
    let said = gateway.event("MESSAGE_CREATE").await;
    assert_eq!(said["mention_roles"], json!([role]));
    assert_eq!(said["mentions"], json!([]));
}

#[tokio::test]
async fn an_emoji_has_a_picture() {
    let server = TestEmulator::open().await;
    let tea = &server.guild("Tea House").emojis["tea"];
    let list = format!("/guilds/{}/emojis", server.ready.guild_id);
    let list = server.bot().get(&list).await.json;
    assert_eq!(list[0]["id"], *tea);
    let url = |id: &str| format!("{}/emojis/{id}.png", server.ready.cdn_url);
    let picture = server.http().get(url(tea)).send().await.unwrap();
    assert_eq!(picture.headers()["content-type"], "image/png");
    let bytes = picture.bytes().await.unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.ends_with(b"IEND\xaeB`\x82"));
    let none = server.http().get(url("17")).send().await.unwrap();
    assert_eq!(none.status(), 404);
    for extension in ["webp", "gif", "png?size=96"] {
        let url = format!("{}/emojis/{tea}.{extension}", server.ready.cdn_url);
        let picture = server.http().get(url).send().await.unwrap();
        assert_eq!(picture.status(), 200, "{extension}");
    }
}

#[tokio::test]
async fn a_custom_emoji_is_known_by_its_id() {
    let server = TestEmulator::open().await;
    let (ada, bot, general) = (server.human("Ada"), server.bot(), server.channel("general"));
    let tea = &server.guild("Tea House").emojis["tea"];
    let said = ada.say(general, "x").await;
    let message = format!(
        "/channels/{general}/messages/{}",
        said["id"].as_str().unwrap()
    );
    for (written, status) in [
        (format!("tea:{tea}"), 204),
        (format!("_:{tea}"), 204),
        (format!("a:tea:{tea}"), 204),
        (format!("a%3Atea%3A{tea}"), 204),
        (format!("former-name:{tea}"), 204),
        (format!(":{tea}"), 400),
        ("tea:17".to_owned(), 400),
        ("tea:x".to_owned(), 400),
    ] {
        let reactions = format!("{message}/reactions/{written}");
        let put = bot.put(&format!("{reactions}/@me"), Value::Null).await;
        assert_eq!(put.status, status, "{written}: {:?}", put.json);
        if status == 204 {
            let shown = bot.get(&message).await.json;
            assert_eq!(shown["reactions"][0]["emoji"]["name"], "tea");
            assert_eq!(bot.get(&reactions).await.json[0]["id"], bot.id.as_str());
            let gone = bot.delete(&format!("{reactions}/@me")).await;
            assert_eq!(gone.status, 204, "{written}");
        }
    }
}

#[tokio::test]
async fn channels_are_renamed_and_deleted() {
    let server = TestEmulator::open().await;
    let (ada, ben) = (server.human("Ada"), server.human("Ben"));
    let random = server.channel("random");
    let path = format!("/channels/{random}");
    let mut sees = ben.join(ALL).await;
    let body = json!({ "name": "noise", "topic": null });
    let refused = ben.call(Method::PATCH, &path, body.clone()).await;
    assert_eq!(refused.json["code"], 50013);
    let changed = ada.call(Method::PATCH, &path, body).await;
    assert_eq!(changed.json["name"], "noise");
    assert_eq!(sees.event("CHANNEL_UPDATE").await["topic"], Value::Null);
    let refused = ben.call(Method::DELETE, &path, Value::Null).await;
    assert_eq!(refused.json["code"], 50013);
    ada.call(Method::DELETE, &path, Value::Null).await;
    assert_eq!(sees.event("CHANNEL_DELETE").await["id"], *random);
    assert_eq!(ada.get(&path).await.json["code"], 10003);
}
