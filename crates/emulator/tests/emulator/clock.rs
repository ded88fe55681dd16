//! The clock that tests move on.

use std::time::Duration;

use kaiwa_emulator::World;
use reqwest::Method;
use serde_json::json;

use crate::test_emulator::{ALL, Gateway, TestEmulator};

const DAY: Duration = Duration::from_secs(24 * 3600);

fn id(message: &serde_json::Value) -> u64 {
    message["id"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn ids_and_timestamps_go_by_it() {
    let server = TestEmulator::open().await;
    let (ada, general) = (server.human("Ada"), server.channel("general"));
    let before = ada.say(general, "a").await;
    let root = server.ready.api_url.replace("/api/v10", "/emulator/clock");
    let ask = server
        .http()
        .post(&root)
        .json(&json!({ "advance_ms": 86_400_000 }));
    let reply = server.send(ask).await.unwrap();
    assert_eq!(reply.json["advanced_ms"], 86_400_000);
    let after = ada.say(general, "b").await;
    let passed = (id(&after) >> 22) - (id(&before) >> 22);
    assert!((86_400_000..86_460_000).contains(&passed), "{passed}");
    assert!(after["timestamp"].as_str() > before["timestamp"].as_str());
    let ask = server.http().post(&root).json(&json!({ "back_ms": 1 }));
    assert_eq!(
        server.send(ask).await.unwrap().status,
        422,
        "it only goes on"
    );
}

#[tokio::test]
async fn nonces_are_forgotten_and_old_messages_are_not_deleted_in_bulk() {
    let server = TestEmulator::open().await;
    let (bot, ada, general) = (server.bot(), server.human("Ada"), server.channel("general"));
    let path = format!("/channels/{general}/messages");
    let body = json!({ "content": "x", "nonce": "n", "enforce_nonce": true });
    let first = bot.post(&path, body.clone()).await.json;
    assert_eq!(bot.post(&path, body.clone()).await.json["id"], first["id"]);
    server.emulator.advance(Duration::from_secs(301));
    let second = bot.post(&path, body).await.json;
    assert_ne!(second["id"], first["id"]);
    server.emulator.advance(14 * DAY);
    let manage = format!("/channels/{general}/permissions/{}", bot.id);
    let allow = json!({ "type": 1, "allow": "8192" });
    assert_eq!(ada.call(Method::PUT, &manage, allow).await.status, 204);
    let ids = json!({ "messages": [first["id"], second["id"]] });
    let reply = bot.post(&format!("{path}/bulk-delete"), ids).await;
    assert_eq!(
        (reply.status.as_u16(), &reply.json["code"]),
        (400, &json!(50034))
    );
}

#[tokio::test]
async fn rate_limits_end_by_it() {
    let server = TestEmulator::of(World::default()).await;
    let (bot, general) = (server.bot(), server.channel("general"));
    let path = format!("/channels/{general}/messages");
    for expect in [200, 200, 200, 200, 200, 429] {
        assert_eq!(
            bot.post(&path, json!({ "content": "x" })).await.status,
            expect
        );
    }
    server.emulator.advance(Duration::from_secs(5));
    assert_eq!(bot.post(&path, json!({ "content": "x" })).await.status, 200);
}

#[tokio::test]
async fn a_client_without_heartbeats_is_closed_and_has_to_start_anew() {
    let world = World::from_toml(
        "heartbeat_ms = 200\n[guild]\nname = \"Tea\"\n[[users]]\nname = \"Ada\"\n[[channels]]\nname = \"general\"\n[bot]\nname = \"Bo\"\n",
    );
    let server = TestEmulator::of(world.unwrap()).await;
    let bot = server.bot();
    let mut gateway = Gateway::connect_with(&server, "v=10&encoding=json").await;
    assert_eq!(gateway.frame().await["d"]["heartbeat_interval"], 200);
    gateway.identify(&bot.token, 0).await;
    gateway.event("READY").await;
    gateway.heartbeat().await;
    // What is no heartbeat is no sign of life.
    gateway.send(&json!({ "op": 3, "d": { "since": null, "activities": [], "status": "idle", "afk": false } })).await;
    assert_eq!(gateway.close_code().await, Some(4009));
    let mut again = Gateway::connect_with(&server, "v=10&encoding=json").await;
    again.frame().await;
    again
        .resume(&bot.token, &gateway.session, gateway.seq)
        .await;
    let frame = again.frame().await;
    assert_eq!((&frame["op"], &frame["d"]), (&json!(9), &json!(false)));
}

#[tokio::test]
async fn a_jump_is_no_silence_and_what_it_caused_is_heard() {
    let server = TestEmulator::open().await;
    let (bot, ada, general) = (server.bot(), server.human("Ada"), server.channel("general"));
    let mut gateway = bot.join(ALL).await;
    let poll = json!({ "poll": {
        "question": { "text": "Which?" }, "duration": 1,
        "answers": [{ "poll_media": { "text": "oolong" } }],
    }});
    ada.post(&format!("/channels/{general}/messages"), poll)
        .await;
    gateway.event("MESSAGE_CREATE").await;
    server.emulator.advance(30 * DAY);
    gateway.event("MESSAGE_UPDATE").await;
    assert_eq!(gateway.event("MESSAGE_CREATE").await["type"], 46);
    gateway.heartbeat().await;
    server.emulator.advance(Duration::from_secs(83));
    gateway.heartbeat().await;
    ada.say(general, "still here").await;
    gateway.event("MESSAGE_CREATE").await;
}

#[tokio::test]
async fn a_session_without_a_connection_ends() {
    let server = TestEmulator::open().await;
    let bot = server.bot();
    for (away, opcode) in [(299, 0), (301, 9)] {
        let gateway = bot.join(ALL).await;
        let (session, seq) = (gateway.session.clone(), gateway.seq);
        gateway.close(4000).await;
        server.emulator.advance(Duration::from_secs(away));
        let mut again = Gateway::connect(&server, "").await;
        again.seq = seq;
        again.resume(&bot.token, &session, seq).await;
        assert_eq!(again.frame().await["op"], opcode, "after {away} s");
    }
}

#[tokio::test]
async fn a_seed_gives_the_same_ids_and_times() {
    let mut runs = Vec::new();
    for seed in [7, 7, 8] {
        let server = TestEmulator::of(World::default().without_limits().with_seed(seed)).await;
        let (ada, general) = (server.human("Ada"), server.channel("general"));
        let mut run = vec![ada.say(general, "a").await, ada.say(general, "b").await];
        server.emulator.advance(DAY);
        let path = format!(
            "/channels/{general}/messages/{}",
            run[0]["id"].as_str().unwrap()
        );
        run.push(
            ada.call(Method::PATCH, &path, json!({ "content": "c" }))
                .await
                .json,
        );
        let bot = server.bot().join(ALL).await;
        run.push(json!(bot.session));
        runs.push(run);
    }
    assert_eq!(runs[0], runs[1]);
    for (one, other) in runs[0].iter().zip(&runs[2]) {
        assert_ne!(one, other, "another seed, another time");
    }
}
