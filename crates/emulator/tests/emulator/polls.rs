//! Polls: votes, voters and ends.

use std::time::Duration;

use serde_json::{Value, json};

use crate::test_emulator::{ALL, TestEmulator, soon};

fn poll(multiple: bool) -> Value {
    json!({ "poll": {
        "question": { "text": "Which tea?" },
        "answers": [
            { "poll_media": { "text": "green" } },
            { "poll_media": { "text": "black", "emoji": { "name": "🍵" } } },
        ],
        "duration": 1,
        "allow_multiselect": multiple,
    }})
}

#[tokio::test]
async fn people_vote_and_the_author_ends_it() {
    let server = TestEmulator::open().await;
    let (bot, ben, ada) = (server.bot(), server.human("Ben"), server.human("Ada"));
    let general = server.channel("general");
    let asked = bot
        .post(&format!("/channels/{general}/messages"), poll(false))
        .await
        .json;
    let message = asked["id"].as_str().unwrap();
    let path = format!("/channels/{general}/polls/{message}");
    let own = format!("{path}/answers/@me");
    let mut sees = bot.join(ALL).await;
    assert_eq!(
        ben.put(&own, json!({ "answer_ids": ["2"] })).await.status,
        204
    );
    let told = sees.event("MESSAGE_POLL_VOTE_ADD").await;
    assert_eq!(
        (&told["user_id"], &told["answer_id"]),
        (&json!(ben.id), &json!(2))
    );
    assert_eq!(
        (&told["message_id"], &told["guild_id"]),
        (&json!(message), &json!(server.ready.guild_id))
    );
    assert_eq!(
        ada.put(&own, json!({ "answer_ids": [2] })).await.status,
        204
    );
    sees.event("MESSAGE_POLL_VOTE_ADD").await;
    // A change of mind is two events.
    assert_eq!(
        ada.put(&own, json!({ "answer_ids": [1] })).await.status,
        204
    );
    assert_eq!(sees.event("MESSAGE_POLL_VOTE_REMOVE").await["answer_id"], 2);
    assert_eq!(sees.event("MESSAGE_POLL_VOTE_ADD").await["answer_id"], 1);
    assert_eq!(ada.put(&own, json!({ "answer_ids": [] })).await.status, 204);
    sees.event("MESSAGE_POLL_VOTE_REMOVE").await;

    let voters = bot.get(&format!("{path}/answers/2")).await.json;
    assert_eq!(voters["users"][0]["id"], ben.id);
    assert_eq!(voters["users"].as_array().unwrap().len(), 1);
    let shown = ben
        .get(&format!("/channels/{general}/messages/{message}"))
        .await
        .json;
    let counts = json!([{ "id": 2, "count": 1, "me_voted": true }]);
    assert_eq!(shown["poll"]["results"]["answer_counts"], counts);
    assert_eq!(shown["poll"]["results"]["is_finalized"], false);

    for (caller, path, body, expected) in [
        (&bot, &own, json!({ "answer_ids": [1] }), (403, 20001)),
        (&ben, &own, json!({ "answer_ids": [1, 2] }), (400, 50035)),
        (&ben, &own, json!({ "answer_ids": [3] }), (400, 50035)),
        (&ben, &own, json!({}), (400, 50035)),
    ] {
        let reply = caller.put(path, body.clone()).await;
        assert_eq!(reply.outcome(), expected, "{body}");
    }
    let unknown = bot.get(&format!("{path}/answers/9")).await;
    assert_eq!(unknown.outcome(), (400, 50035));

    let end = format!("{path}/expire");
    assert_eq!(ben.post(&end, Value::Null).await.outcome(), (403, 50005));
    let ended = bot.post(&end, Value::Null).await.json;
    assert_eq!(ended["poll"]["results"]["is_finalized"], true);
    assert_eq!(
        sees.event("MESSAGE_UPDATE").await["poll"]["results"]["is_finalized"],
        true
    );
    let result = sees.event("MESSAGE_CREATE").await;
    assert_eq!(result["type"], 46);
    assert_eq!(result["embeds"][0]["type"], "poll_result");
    let fields = result["embeds"][0]["fields"].as_array().unwrap();
    let field = |name: &str| {
        let mut all = fields.iter();
        all.find(|field| field["name"] == name).unwrap()["value"].clone()
    };
    assert_eq!(
        (field("victor_answer_text"), field("total_votes")),
        (json!("black"), json!("1"))
    );
    assert_eq!(bot.post(&end, Value::Null).await.outcome(), (400, 520_001));
    let late = ben.put(&own, json!({ "answer_ids": [1] })).await;
    assert_eq!(late.outcome(), (400, 520_001));
}

#[tokio::test]
async fn polls_are_not_edited_and_others_are_no_polls() {
    let server = TestEmulator::open().await;
    let (bot, ben, general) = (server.bot(), server.human("Ben"), server.channel("general"));
    let messages = format!("/channels/{general}/messages");
    let asked = bot.post(&messages, poll(true)).await.json;
    let path = format!("{messages}/{}", asked["id"].as_str().unwrap());
    let edit = bot.patch(&path, json!({ "content": "x" })).await;
    assert_eq!(edit.outcome(), (400, 520_003));
    let own = format!(
        "/channels/{general}/polls/{}/answers/@me",
        asked["id"].as_str().unwrap()
    );
    assert_eq!(
        ben.put(&own, json!({ "answer_ids": [1, 2] })).await.status,
        204
    );
    let plain = bot.say(general, "x").await;
    let end = format!(
        "/channels/{general}/polls/{}/expire",
        plain["id"].as_str().unwrap()
    );
    assert_eq!(bot.post(&end, Value::Null).await.outcome(), (400, 520_006));
    let forward = json!({ "message_reference": {
        "type": 1, "channel_id": general, "message_id": asked["id"],
    }});
    assert_eq!(bot.post(&messages, forward).await.outcome(), (400, 50035));
}

/// What the channel is told when nobody ends a poll.
#[tokio::test]
async fn a_poll_that_runs_out_tells_its_result() {
    let server = TestEmulator::open().await;
    let (bot, ben, general) = (server.bot(), server.human("Ben"), server.channel("general"));
    let messages = format!("/channels/{general}/messages");
    let mut ids = Vec::new();
    for _ in 0..3 {
        let asked = bot.post(&messages, poll(false)).await.json;
        ids.push(asked["id"].as_str().unwrap().to_owned());
    }
    let own = format!("/channels/{general}/polls/{}/answers/@me", ids[0]);
    ben.put(&own, json!({ "answer_ids": [1] })).await;
    // One is ended by its author and one is deleted: neither is told again.
    let end = format!("/channels/{general}/polls/{}/expire", ids[1]);
    bot.post(&end, Value::Null).await;
    bot.delete(&format!("{messages}/{}", ids[2])).await;

    // Clients are gone when an hour has passed; the watcher stays.
    let mut sees = server.emulator.watch();
    server.emulator.advance(Duration::from_secs(3600));
    let update = soon("the end", sees.recv()).await.unwrap();
    assert_eq!(update["t"], "MESSAGE_UPDATE");
    assert_eq!(update["d"]["id"], *ids[0]);
    assert_eq!(update["d"]["poll"]["results"]["is_finalized"], true);
    let result = soon("the result", sees.recv()).await.unwrap();
    assert_eq!(result["t"], "MESSAGE_CREATE");
    assert_eq!(result["d"]["message_reference"]["message_id"], *ids[0]);
    assert_eq!(result["d"]["embeds"][0]["type"], "poll_result");

    ben.say(general, "and now?").await;
    let next = soon("the next message", sees.recv()).await.unwrap();
    assert_eq!(next["d"]["content"], "and now?");
}
