//! Faults of the gateway, faults in mid-reply, and the list of them.

use std::time::Duration;

use kaiwa_emulator::{FaultSpan, PrecedingRequest, Requests, RestFault};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::test_emulator::{ALL, Gateway, TestEmulator, soon};

/// What the next messages say.
async fn said(gateway: &mut Gateway, count: usize) -> Vec<String> {
    let mut said = Vec::new();
    for _ in 0..count {
        let message = gateway.event("MESSAGE_CREATE").await;
        said.push(message["content"].as_str().unwrap().to_owned());
    }
    said
}

#[tokio::test]
async fn events_come_twice_or_in_another_order_and_are_numbered_without_gaps() {
    let server = TestEmulator::open().await;
    let (bot, ada, general) = (server.bot(), server.human("Ada"), server.channel("general"));
    let mut gateway = bot.join(ALL).await;
    let faults = server.emulator.faults();
    assert_eq!(faults.duplicate_events(&bot.id, 1), 1);
    for content in ["a", "b"] {
        ada.say(general, content).await;
    }
    assert_eq!(said(&mut gateway, 3).await, ["a", "a", "b"]);

    assert_eq!(faults.reorder_events(&bot.id, 1), 1);
    for content in ["c", "d", "e"] {
        ada.say(general, content).await;
    }
    assert_eq!(said(&mut gateway, 3).await, ["d", "c", "e"]);

    faults.reorder_events(&bot.id, 1);
    ada.say(general, "alone").await;
    faults.clear();
    assert_eq!(said(&mut gateway, 1).await, ["alone"], "nothing is lost");

    assert_eq!(faults.duplicate_events("0", 1), 0, "nobody has that id");
}

#[tokio::test]
async fn a_resume_replays_what_was_sent_twice() {
    let server = TestEmulator::open().await;
    let (bot, ada, general) = (server.bot(), server.human("Ada"), server.channel("general"));
    let gateway = bot.join(ALL).await;
    let (session, seq) = (gateway.session.clone(), gateway.seq);
    gateway.close(4000).await;
    server.emulator.faults().duplicate_events(&bot.id, 1);
    ada.say(general, "a").await;
    let mut again = Gateway::connect(&server, "").await;
    again.seq = seq;
    again.resume(&bot.token, &session, seq).await;
    assert_eq!(said(&mut again, 2).await, ["a", "a"]);
    again.event("RESUMED").await;
}

#[tokio::test]
async fn delayed_events_come_when_their_time_has_come() {
    let server = TestEmulator::open().await;
    let (bot, ada, general) = (server.bot(), server.human("Ada"), server.channel("general"));
    let mut gateway = bot.join(ALL).await;
    let faults = server.emulator.faults();
    faults.delay_events(&bot.id, Duration::from_secs(60));
    ada.say(general, "late").await;
    gateway.heartbeat().await;
    assert!(gateway.is_silent().await);
    server.emulator.advance(Duration::from_secs(60));
    assert_eq!(said(&mut gateway, 1).await, ["late"]);
    ada.say(general, "at once").await;
    faults.clear();
    assert_eq!(said(&mut gateway, 1).await, ["at once"]);
}

#[tokio::test]
async fn a_stalled_gateway_says_nothing_until_it_goes_on() {
    let server = TestEmulator::open().await;
    let (bot, ada, general) = (server.bot(), server.human("Ada"), server.channel("general"));
    let mut gateway = bot.join(ALL).await;
    let faults = server.emulator.faults();
    assert_eq!(faults.stall_gateway(&bot.id), 1);
    gateway.send(&json!({ "op": 1, "d": gateway.seq })).await;
    ada.say(general, "later").await;
    assert!(
        gateway.is_silent().await,
        "not even a heartbeat is answered"
    );
    server.emulator.advance(Duration::from_secs(3600));
    assert!(gateway.is_silent().await, "nor is it closed");
    assert_eq!(faults.unstall_gateway(&bot.id), 1);
    let (mut heartbeat, mut message) = (false, false);
    for _ in 0..2 {
        let frame = gateway.frame().await;
        heartbeat |= frame["op"] == 11;
        message |= frame["t"] == "MESSAGE_CREATE";
    }
    assert!(heartbeat && message);
}

fn first(user_id: &str, method: Method, path: String, body: Value) -> RestFault {
    RestFault::First(PrecedingRequest {
        user_id: user_id.to_owned(),
        method,
        path,
        body,
    })
}

#[tokio::test]
async fn the_world_changes_in_mid_reply() {
    let server = TestEmulator::open().await;
    let (bot, ada) = (server.bot(), server.human("Ada"));
    let faults = server.emulator.faults();
    let (general, random) = (server.channel("general"), server.channel("random"));
    let sends = |path: &str| Requests {
        method: Some(Method::POST),
        path_part: path.to_owned(),
        user_id: Some(bot.id.clone()),
        skip: 1,
    };
    let gone = first(
        &ada.id,
        Method::DELETE,
        format!("/channels/{random}"),
        json!(null),
    );
    faults.rest(sends(random), gone, FaultSpan::Next(1));
    let path = format!("/channels/{random}/messages");
    let body = json!({ "content": "x" });
    assert_eq!(
        bot.post(&path, body.clone()).await.status,
        200,
        "the first is spared"
    );
    let reply = bot.post(&path, body.clone()).await;
    assert_eq!(
        (reply.status.as_u16(), &reply.json["code"]),
        (404, &json!(10003))
    );

    let overwrite = json!({ "type": 1, "deny": "2048", "allow": "0" });
    let mute = format!("/channels/{general}/permissions/{}", bot.id);
    faults.rest(
        sends(general),
        first(&ada.id, Method::PUT, mute, overwrite),
        FaultSpan::Next(1),
    );
    let path = format!("/channels/{general}/messages");
    assert_eq!(bot.post(&path, body.clone()).await.status, 200);
    let reply = bot.post(&path, body).await;
    assert_eq!(
        (reply.status.as_u16(), &reply.json["code"]),
        (403, &json!(50013))
    );

    let mine = server.emulator.messages(general).unwrap()[0].id.clone();
    let path = format!("{path}/{mine}");
    let edits = Requests {
        method: Some(Method::PATCH),
        ..Requests::default()
    };
    let gone = first(&ada.id, Method::DELETE, path.clone(), json!(null));
    faults.rest(edits, gone, FaultSpan::Next(1));
    let reply = bot
        .call(Method::PATCH, &path, json!({ "content": "y" }))
        .await;
    assert_eq!(
        (reply.status.as_u16(), &reply.json["code"]),
        (404, &json!(10008))
    );
}

#[tokio::test]
async fn an_invalid_session_may_be_resumed_later() {
    let server = TestEmulator::open().await;
    let bot = server.bot();
    let gateway = bot.join(ALL).await;
    let (session, seq) = (gateway.session.clone(), gateway.seq);
    gateway.close(4000).await;
    server.emulator.faults().postpone_resumes(1);
    let mut again = Gateway::connect(&server, "").await;
    again.seq = seq;
    again.resume(&bot.token, &session, seq).await;
    let frame = again.frame().await;
    assert_eq!((&frame["op"], &frame["d"]), (&json!(9), &json!(true)));
    again.resume(&bot.token, &session, seq).await;
    again.event("RESUMED").await;
}

#[tokio::test]
async fn faults_are_listed_and_ended_one_by_one() {
    let server = TestEmulator::open().await;
    let bot = server.bot();
    let _gateway = bot.join(ALL).await;
    let root = server.ready.api_url.replace("/api/v10", "/emulator/faults");
    let ask = |body: Value| server.send(server.http().post(&root).json(&body));
    let asked = [
        json!({ "rest": { "path": "/messages", "method": "POST", "skip": 2, "times": 3, "fault": "reset_before" } }),
        json!({ "rest": { "path": "", "for_ms": 60_000, "fault": { "limit": { "retry_after": 1.5, "global": true } } } }),
        json!({ "refuse_resumes": 2 }),
        json!({ "stall_gateway": { "user_id": bot.id } }),
        json!({ "duplicate_events": { "user_id": bot.id, "times": 4 } }),
        json!({ "delay_events": { "user_id": bot.id, "ms": 250 } }),
    ];
    for body in &asked {
        assert_eq!(ask(body.clone()).await.unwrap().status, 200, "{body}");
    }
    let list = || async {
        let reply = server.send(server.http().get(&root)).await.unwrap();
        reply.json["faults"].as_array().unwrap().clone()
    };
    let mut listed = list().await;
    for (fault, asked) in listed.iter_mut().zip(&asked) {
        if let Some(left) = fault.pointer_mut("/fault/rest/for_ms") {
            assert!(left.as_u64().unwrap() <= 60_000);
            *left = json!(60_000);
        }
        assert_eq!(&fault["fault"], asked, "as it was asked for");
    }
    assert_eq!(listed.len(), asked.len());
    for (left, fault) in (0..asked.len()).rev().zip(&listed) {
        let path = format!("{root}/{}", fault["id"].as_str().unwrap());
        for expect in [StatusCode::NO_CONTENT, StatusCode::NOT_FOUND] {
            let reply = soon("the end", server.send(server.http().delete(&path))).await;
            // Connections that are not stalled any more are still there.
            if expect == StatusCode::NO_CONTENT || !path.contains("gateway") {
                assert_eq!(reply.unwrap().status, expect, "{path}");
            }
        }
        assert_eq!(list().await.len(), left);
    }
    for body in asked {
        ask(body).await.unwrap();
    }
    let reply = server.send(server.http().delete(&root)).await.unwrap();
    assert_eq!(reply.status, StatusCode::NO_CONTENT);
    assert_eq!(list().await, Vec::<Value>::new());
}
