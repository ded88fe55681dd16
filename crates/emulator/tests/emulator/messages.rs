//! Writing messages: nonces, replies, files, edits and deletes.

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{ALL, TestEmulator};

#[tokio::test]
async fn a_message_has_every_field_that_clients_read() {
    let server = TestEmulator::open().await;
    let general = server.channel("general");
    let message = server.bot().say(general, "  hello  ").await;
    assert_eq!(message["content"], "hello");
    let keys = [
        "id",
        "channel_id",
        "author",
        "content",
        "timestamp",
        "edited_timestamp",
        "tts",
        "mention_everyone",
        "mentions",
        "mention_roles",
        "attachments",
        "embeds",
        "components",
        "pinned",
        "type",
        "flags",
    ];
    for key in keys {
        assert!(message.get(key).is_some(), "{key} is missing");
    }
    assert!(
        message.get("guild_id").is_none(),
        "REST leaves the guild out"
    );
    assert!(message["timestamp"].as_str().unwrap().ends_with("+00:00"));
    assert_eq!(
        server.bot().get(&format!("/channels/{general}")).await.json["last_message_id"],
        message["id"]
    );
    assert_eq!(
        server.emulator.transcript(general),
        [("Kaiwa".to_owned(), "hello".to_owned())]
    );
}

#[tokio::test]
async fn a_nonce_is_echoed_and_enforced_on_request() {
    let server = TestEmulator::open().await;
    let (bot, ben, general) = (server.bot(), server.human("Ben"), server.channel("general"));
    let path = format!("/channels/{general}/messages");
    let mut sees = ben.join(ALL).await;
    let body = json!({ "content": "once", "nonce": "k-1", "enforce_nonce": true });

    let first = bot.post(&path, body.clone()).await.json;
    assert_eq!(first["nonce"], "k-1");
    assert_eq!(sees.event("MESSAGE_CREATE").await["nonce"], "k-1");
    assert_eq!(
        bot.post(&path, body.clone()).await.json["id"],
        first["id"],
        "the same message comes back"
    );
    assert_ne!(
        ben.post(&path, body.clone()).await.json["id"],
        first["id"],
        "a nonce belongs to its author"
    );
    let random = format!("/channels/{}/messages", server.channel("random"));
    assert_ne!(
        bot.post(&random, body.clone()).await.json["id"],
        first["id"],
        "and to its channel"
    );
    let loose = json!({ "content": "twice", "nonce": "k-1" });
    assert_ne!(
        bot.post(&path, loose).await.json["id"],
        first["id"],
        "without enforce_nonce it is only echoed"
    );
    assert_eq!(
        bot.post(&path, json!({ "content": "n", "nonce": 17 }))
            .await
            .json["nonce"],
        17
    );
    assert_eq!(
        bot.get(&path).await.json[0].get("nonce"),
        None,
        "history has none"
    );

    let body = json!({ "content": "gone", "nonce": "k-2", "enforce_nonce": true });
    let gone = bot.post(&path, body.clone()).await.json;
    bot.call(
        Method::DELETE,
        &format!("{path}/{}", gone["id"].as_str().unwrap()),
        Value::Null,
    )
    .await;
    assert_eq!(bot.post(&path, body).await.json["code"], 10008);
}

#[tokio::test]
async fn replies_show_what_they_answer() {
    let server = TestEmulator::open().await;
    let (bot, ben, general) = (server.bot(), server.human("Ben"), server.channel("general"));
    let path = format!("/channels/{general}/messages");
    let question = ben.say(general, "why?").await;
    let reply = |reference: Value| json!({ "content": "because", "message_reference": reference });

    let answer = bot
        .post(&path, reply(json!({ "message_id": question["id"] })))
        .await
        .json;
    assert_eq!(answer["type"], 19);
    assert_eq!(answer["referenced_message"]["content"], "why?");
    assert_eq!(answer["message_reference"]["message_id"], question["id"]);
    assert_eq!(
        answer["message_reference"]["guild_id"],
        server.ready.guild_id
    );
    assert_eq!(
        answer["mentions"][0]["id"], ben.id,
        "a reply pings unless told otherwise"
    );

    let unknown = bot
        .post(&path, reply(json!({ "message_id": "17" })))
        .await
        .json;
    assert_eq!(unknown["code"], 50035);
    assert_eq!(
        unknown["errors"]["message_reference"]["_errors"][0]["code"],
        "REPLIES_UNKNOWN_MESSAGE"
    );
    let loose = bot
        .post(
            &path,
            reply(json!({ "message_id": "17", "fail_if_not_exists": false })),
        )
        .await
        .json;
    assert_eq!(
        (&loose["type"], loose.get("message_reference")),
        (&json!(0), None)
    );

    ben.call(
        Method::DELETE,
        &format!("{path}/{}", question["id"].as_str().unwrap()),
        Value::Null,
    )
    .await;
    let later = bot
        .get(&format!("{path}/{}", answer["id"].as_str().unwrap()))
        .await
        .json;
    assert_eq!(
        later.get("referenced_message"),
        Some(&Value::Null),
        "null when it was deleted"
    );
}

#[tokio::test]
async fn edits_change_what_they_name_and_nothing_else() {
    let server = TestEmulator::open().await;
    let (bot, general) = (server.bot(), server.channel("general"));
    let path = format!("/channels/{general}/messages");
    let body = json!({ "content": "<@1> text", "embeds": [{ "title": "kept" }] });
    let id = bot.post(&path, body).await.json["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("{path}/{id}");
    let edited = bot
        .call(Method::PATCH, &path, json!({ "content": "other" }))
        .await
        .json;
    assert_eq!(
        (&edited["content"], &edited["embeds"][0]["title"]),
        (&json!("other"), &json!("kept"))
    );
    let edited = bot
        .call(Method::PATCH, &path, json!({ "embeds": [] }))
        .await
        .json;
    assert_eq!(
        (&edited["content"], &edited["embeds"]),
        (&json!("other"), &json!([]))
    );
    assert_eq!(
        bot.call(Method::PATCH, &path, json!({ "content": null }))
            .await
            .json["code"],
        50006
    );
    assert_eq!(
        bot.get(&path).await.json["content"],
        "other",
        "a refused edit changes nothing"
    );
}

#[tokio::test]
async fn files_are_kept_and_served() {
    let server = TestEmulator::open().await;
    let general = server.channel("general");
    let body = "--b\r\nContent-Disposition: form-data; name=\"payload_json\"\r\nContent-Type: application/json\r\n\r\n\
        {\"content\":\"see\",\"attachments\":[{\"id\":0,\"description\":\"a note\"}]}\r\n\
        --b\r\nContent-Disposition: form-data; name=\"files[0]\"; filename=\"my note.html\"\r\n\r\n<b>\r\n--x\r\n--b--\r\n";
    let request = server
        .bot()
        .request(Method::POST, &format!("/channels/{general}/messages"))
        .header("content-type", "multipart/form-data; boundary=b")
        .body(body);
    let message = server.send(request).await.unwrap().json;
    let attachment = &message["attachments"][0];
    assert_eq!(message["content"], "see");
    assert_eq!(
        (&attachment["filename"], &attachment["description"]),
        (&json!("my_note.html"), &json!("a note"))
    );
    assert_eq!(attachment["size"], 8);
    let url = attachment["url"].as_str().unwrap();
    assert!(url.starts_with(&server.ready.cdn_url), "{url}");
    let file = server.http().get(url).send().await.unwrap();
    assert_eq!(
        file.headers()["content-disposition"],
        "attachment",
        "markup must not run beside the page"
    );
    assert_eq!(file.text().await.unwrap(), "<b>\r\n--x");

    let cut = &body[..body.len() - 20];
    let request = server
        .bot()
        .request(Method::POST, &format!("/channels/{general}/messages"))
        .header("content-type", "multipart/form-data; boundary=b")
        .body(cut);
    assert_eq!(server.send(request).await.unwrap().status, 400);
}

#[tokio::test]
async fn many_messages_go_at_once_if_the_bot_may() {
    let world = "
        limits = \"off\"
        [guild]
        name = \"Kept\"
        [bot]
        name = \"Bo\"
        roles = [\"Broom\"]
        [[roles]]
        name = \"Broom\"
        permissions = [\"manage_messages\"]
        [[users]]
        name = \"Ann\"
        [[channels]]
        name = \"a\"
    ";
    let server = TestEmulator::of(kaiwa_emulator::World::from_toml(world).unwrap()).await;
    let (bot, ann, channel) = (server.bot(), server.human("Ann"), server.channel("a"));
    let mut ids = Vec::new();
    for text in ["one", "two", "three"] {
        ids.push(ann.say(channel, text).await["id"].clone());
    }
    let mut sees = ann.join(ALL).await;
    let path = format!("/channels/{channel}/messages/bulk-delete");
    assert_eq!(
        bot.post(&path, json!({ "messages": [ids[0]] })).await.json["code"],
        50035
    );
    assert_eq!(
        bot.post(&path, json!({ "messages": ["17", "18"] }))
            .await
            .json["code"],
        50034
    );
    assert_eq!(
        ann.post(&path, json!({ "messages": ids })).await.json["code"],
        20002
    );
    assert_eq!(
        bot.post(&path, json!({ "messages": ids[..2] }))
            .await
            .status,
        204
    );
    assert_eq!(
        sees.event("MESSAGE_DELETE_BULK").await["ids"],
        json!(ids[..2])
    );
    assert_eq!(server.emulator.transcript(channel).len(), 1);
}

#[tokio::test]
async fn embeds_have_a_length_in_all_and_messages_a_number_of_reactions() {
    let server = TestEmulator::open().await;
    let (bot, general) = (server.bot(), server.channel("general"));
    let messages = format!("/channels/{general}/messages");
    for (last, expected) in [(1904, (200, 0)), (1905, (400, 50035))] {
        let long = json!({ "description": "x".repeat(2048) });
        let embeds = json!([long, long, { "description": "x".repeat(last) }]);
        let reply = bot.post(&messages, json!({ "embeds": embeds })).await;
        assert_eq!(reply.outcome(), expected, "{last}");
    }
    let said = bot.say(general, "look").await["id"].clone();
    let reactions = format!("{messages}/{}/reactions", said.as_str().unwrap());
    for letter in 0..21 {
        // The letters of flags: 🇦, 🇧, …
        let path = format!("{reactions}/%F0%9F%87%{:X}/@me", 0xa6 + letter);
        let expected = if letter < 20 { (204, 0) } else { (400, 30010) };
        assert_eq!(bot.put(&path, Value::Null).await.outcome(), expected);
    }
}

#[tokio::test]
async fn embeds_show_what_discord_shows() {
    let server = TestEmulator::open().await;
    let bot = server.bot();
    let messages = format!("/channels/{}/messages", server.channel("general"));
    let embed = json!({
        "title": "  Tea ", "type": "link", "color": 0x00ff_0000, "timestamp": "2026-01-02T03:04:05",
        "footer": { "text": "", "icon_url": "" }, "author": { "name": "Ada", "url": "https://ada.example" },
        "fields": [{ "name": "Kind", "value": "" }], "video": { "url": "https://a.example/v.mp4" },
        "image": { "url": "https://a.example/b.png", "width": 3 },
    });
    let sent = bot.post(&messages, json!({ "embeds": [embed] })).await.json;
    let shown = json!([{
        "type": "rich", "title": "Tea", "color": 0x00ff_0000, "timestamp": "2026-01-02T03:04:05.000000+00:00",
        "author": { "name": "Ada", "url": "https://ada.example" },
        "fields": [{ "name": "Kind", "value": "", "inline": false }],
        "image": { "url": "https://a.example/b.png" },
    }]);
    assert_eq!(sent["embeds"], shown);
    for (embed, expected) in [
        (json!({}), (400, 50035)),
        (json!({ "title": " " }), (400, 50035)),
        (
            json!({ "color": 5, "timestamp": "2026-01-02T03:04:05" }),
            (400, 50035),
        ),
        (json!({ "title": "x", "color": 0x0100_0000 }), (400, 50035)),
        (json!({ "title": "x", "timestamp": "now" }), (400, 50035)),
        (
            json!({ "title": "x", "url": "ftp://a.example" }),
            (400, 50035),
        ),
        (json!({ "title": "x", "url": "a.example" }), (400, 50035)),
        (json!({ "title": "x", "image": {} }), (400, 50035)),
        (
            json!({ "title": "x", "fields": [{ "name": "", "value": "y" }] }),
            (400, 50035),
        ),
        (
            json!({ "title": "x", "fields": [{ "name": "y" }] }),
            (400, 50035),
        ),
        (json!({ "title": ["x"] }), (400, 50035)),
    ] {
        let reply = bot.post(&messages, json!({ "embeds": [embed] })).await;
        assert_eq!(reply.outcome(), expected, "{embed}: {}", reply.json);
    }
}

#[tokio::test]
async fn a_voice_message_is_one_sound_and_nothing_else() {
    let server = TestEmulator::open().await;
    let bot = server.bot();
    let path = format!("/channels/{}/messages", server.channel("general"));
    let send = async |payload: Value, name: &str| {
        let body = format!(
            "--b\r\ncontent-disposition: form-data; name=\"payload_json\"\r\n\r\n{payload}\r\n\
             --b\r\ncontent-disposition: form-data; name=\"files[0]\"; filename=\"{name}\"\r\n\r\nOggS\r\n--b--\r\n"
        );
        let request = bot.request(Method::POST, &path);
        let request = request.header("content-type", "multipart/form-data; boundary=b");
        server.send(request.body(body)).await.unwrap()
    };
    let told = json!([{ "id": 0, "duration_secs": 2.5, "waveform": "AAAA" }]);
    let voice = json!({ "flags": 8192, "attachments": told });
    let sent = send(voice.clone(), "voice.ogg").await.json;
    assert_eq!(
        (&sent["flags"], &sent["attachments"][0]["duration_secs"]),
        (&json!(8192), &json!(2.5))
    );
    assert_eq!(sent["attachments"][0]["waveform"], "AAAA");
    let mut more = voice.clone();
    more["content"] = json!("x");
    assert_eq!(send(more, "voice.ogg").await.outcome(), (400, 50159));
    assert_eq!(
        send(json!({ "flags": 8192 }), "voice.ogg").await.outcome(),
        (400, 50161)
    );
    assert_eq!(send(voice, "voice.txt").await.outcome(), (400, 50161));
}
