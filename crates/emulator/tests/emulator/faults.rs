//! Failures on request, and what tests can observe.

use std::time::Duration;

use kaiwa_emulator::{FaultSpan, Requests, RestFault};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::test_emulator::{ALL, Gateway, TestEmulator, soon};

#[tokio::test]
async fn requests_fail_as_often_as_asked() {
    let server = TestEmulator::open().await;
    let (bot, general) = (server.bot(), server.channel("general"));
    let path = format!("/channels/{general}/messages");
    let faults = server.emulator.faults();
    faults.fail_next(
        Method::POST,
        "/messages",
        StatusCode::BAD_GATEWAY,
        json!({ "message": "no" }),
        2,
    );
    let limited = json!({ "message": "slow", "retry_after": 0.3, "global": true });
    for expect in [502, 502, 200] {
        assert_eq!(
            bot.post(&path, json!({ "content": "x" })).await.status,
            expect
        );
    }
    assert_eq!(
        server.emulator.transcript(general).len(),
        1,
        "a failed request does nothing"
    );
    let counted = &server.emulator.counts().requests;
    assert_eq!(
        counted["POST /channels/{channel}/messages"], 3,
        "but it counts"
    );
    faults.fail_next(
        Method::POST,
        "/typing",
        StatusCode::TOO_MANY_REQUESTS,
        limited,
        1,
    );
    assert_eq!(
        bot.post(&path, json!({ "content": "x" })).await.status,
        200,
        "other routes are spared"
    );
    let reply = bot
        .post(&format!("/channels/{general}/typing"), Value::Null)
        .await;
    assert_eq!(
        (reply.status.as_u16(), &reply.headers["retry-after"]),
        (429, &"1".parse().unwrap())
    );
    assert_eq!(reply.headers["x-ratelimit-scope"], "global");
}

#[tokio::test]
async fn a_swallowed_request_is_done_but_not_answered() {
    let server = TestEmulator::open().await;
    let (bot, general) = (server.bot(), server.channel("general"));
    let body = json!({ "content": "once", "nonce": "n", "enforce_nonce": true });
    let path = format!("/channels/{general}/messages");
    server
        .emulator
        .faults()
        .swallow_next(Method::POST, "/messages", 1);
    let request = bot.request(Method::POST, &path).json(&body);
    soon("the break", server.send(request))
        .await
        .expect_err("no answer comes");
    assert_eq!(server.emulator.transcript(general).len(), 1);
    assert_eq!(bot.post(&path, body).await.status, 200);
    assert_eq!(
        server.emulator.transcript(general).len(),
        1,
        "the retry finds the first"
    );
}

#[tokio::test]
async fn held_requests_wait_for_the_test() {
    let server = TestEmulator::open().await;
    let (bot, general) = (server.bot(), server.channel("general"));
    let path = format!("/channels/{general}/messages");
    let hold = server.emulator.faults().hold(Method::POST, "/messages");
    let body = json!({ "content": "late" });
    let waiting = bot.post(&path, body);
    tokio::pin!(waiting);
    tokio::select! {
        () = hold.arrived(1) => {}
        _ = &mut waiting => panic!("answered before the release"),
    }
    assert_eq!(server.emulator.transcript(general).len(), 0);
    hold.release();
    assert_eq!(waiting.await.status, 200);
    assert_eq!(
        bot.post(&path, json!({ "content": "next" })).await.status,
        200
    );
}

#[tokio::test]
async fn events_and_requests_can_be_watched() {
    let server = TestEmulator::open().await;
    let (ada, staff) = (server.human("Ada"), server.channel("staff"));
    let mut events = server.emulator.watch();
    ada.say(staff, "seen").await;
    let event = soon("the event", events.recv()).await.unwrap();
    assert_eq!(
        (&event["t"], &event["d"]["content"]),
        (&json!("MESSAGE_CREATE"), &json!("seen"))
    );
    let counts = server.emulator.counts();
    assert_eq!(counts.requests["POST /channels/{channel}/messages"], 1);
}

#[tokio::test]
async fn another_process_can_ask_for_faults() {
    let server = TestEmulator::open().await;
    let bot = server.bot();
    let url = server.ready.api_url.replace("/api/v10", "/emulator/faults");
    let check = async |body: Value, status: u16, cut: Option<u64>| {
        let request = server.http().post(&url).json(&body);
        let reply = soon("the answer", server.send(request)).await.unwrap();
        assert_eq!(reply.status, status, "{body}");
        assert_eq!(reply.json["cut"].as_u64(), cut, "{body}");
    };
    let cut = |how: Value| json!({ "cut_gateway": { "user_id": bot.id, "how": how } });
    check(cut(json!("abrupt")), 200, Some(0)).await;

    let mut gateway = bot.join(ALL).await;
    for wrong in [json!("gently"), json!(4000.5), json!(999), json!(null)] {
        check(cut(wrong), 422, None).await;
    }
    check(json!({ "burn": 1 }), 422, None).await;
    check(cut(json!("reconnect")), 200, Some(1)).await;
    assert_eq!(gateway.frame().await["op"], 7);
    check(cut(json!(4000)), 200, Some(1)).await;
    assert_eq!(gateway.close_code().await, Some(4000));

    check(json!({ "refuse_resumes": 1 }), 200, Some(0)).await;
    let mut second = Gateway::connect(&server, "").await;
    second
        .resume(&bot.token, &gateway.session, gateway.seq)
        .await;
    assert_eq!(second.frame().await["op"], 9);

    let foreign = server
        .http()
        .post(&url)
        .header("origin", "http://evil.example");
    let reply = server.send(foreign.json(&cut(json!("abrupt")))).await;
    assert_eq!(reply.unwrap().status, 403);
}

#[tokio::test]
async fn a_connection_can_break_before_or_after_the_request_is_done() {
    for (fault, done) in [(RestFault::ResetBefore, 0), (RestFault::ResetAfter, 1)] {
        let server = TestEmulator::open().await;
        let (bot, general) = (server.bot(), server.channel("general"));
        let path = format!("/channels/{general}/messages");
        let messages = Requests {
            path_part: "/messages".to_owned(),
            ..Requests::default()
        };
        let faults = server.emulator.faults();
        faults.rest(messages, fault.clone(), FaultSpan::Next(1));
        let request = bot.request(Method::POST, &path);
        soon(
            "the break",
            server.send(request.json(&json!({ "content": "x" }))),
        )
        .await
        .expect_err("no answer comes");
        let said = server.emulator.transcript(general).len();
        assert_eq!(said, done, "{fault:?}");
        bot.say(general, "y").await;
    }
}

#[tokio::test]
async fn a_fault_can_last_for_a_time_and_meet_one_user_only() {
    let server = TestEmulator::open().await;
    let (bot, ada, general) = (server.bot(), server.human("Ada"), server.channel("general"));
    let path = format!("/channels/{general}/messages");
    let faults = server.emulator.faults();
    let theirs = Requests {
        user_id: Some(bot.id.clone()),
        ..Requests::default()
    };
    let down = RestFault::Fail {
        status: StatusCode::SERVICE_UNAVAILABLE,
        body: json!({}),
    };
    let hour = FaultSpan::For(Duration::from_secs(3600));
    faults.rest(theirs.clone(), down.clone(), hour);
    for _ in 0..3 {
        let reply = bot.post(&path, json!({ "content": "x" })).await;
        assert_eq!(reply.status, 503);
        assert_eq!(bot.get("/users/@me").await.status, 503);
    }
    ada.say(general, "others are served").await;
    faults.clear();
    bot.say(general, "so is the bot").await;
    faults.rest(theirs, down, FaultSpan::For(Duration::ZERO));
    bot.say(general, "no time is no fault").await;
}

#[tokio::test]
async fn a_429_on_request_looks_like_discords() {
    let server = TestEmulator::open().await;
    let (bot, general) = (server.bot(), server.channel("general"));
    let path = format!("/channels/{general}/messages");
    for global in [false, true] {
        let limit = RestFault::Limit {
            retry_after: Duration::from_millis(61_500),
            global,
        };
        let faults = server.emulator.faults();
        faults.rest(Requests::default(), limit, FaultSpan::Next(1));
        let reply = bot.post(&path, json!({ "content": "x" })).await;
        assert_eq!(reply.status, 429);
        let body = json!({
            "message": "You are being rate limited.", "retry_after": 61.5, "global": global,
        });
        assert_eq!(reply.json, body);
        let header = |name: &str| reply.headers.get(name).map(|it| it.to_str().unwrap());
        assert_eq!(header("retry-after"), Some("62"));
        assert_eq!(header("x-ratelimit-remaining"), Some("0"));
        assert_eq!(header("x-ratelimit-reset-after"), Some("61.500"));
        let scope = if global { "global" } else { "user" };
        assert_eq!(header("x-ratelimit-scope"), Some(scope));
        assert_eq!(header("x-ratelimit-global"), global.then_some("true"));
        assert!(header("via").is_some() && header("x-ratelimit-bucket").is_some());
    }
    assert_eq!(server.emulator.counts().rate_limited, 2);
    bot.say(general, "over").await;
}

#[tokio::test]
async fn a_deaf_gateway_acknowledges_heartbeats_and_tells_nothing() {
    let server = TestEmulator::open().await;
    let (bot, ada, general) = (server.bot(), server.human("Ada"), server.channel("general"));
    let mut gateway = bot.join(ALL).await;
    let faults = server.emulator.faults();
    assert_eq!(faults.deafen_gateway(&bot.id), 1);
    ada.say(general, "unheard").await;
    gateway.heartbeat().await;
    assert_eq!(faults.undeafen_gateway(&bot.id), 1);
    let heard = gateway.event("MESSAGE_CREATE").await;
    assert_eq!(heard["content"], "unheard", "what was missed comes late");

    faults.deafen_gateway(&bot.id);
    ada.say(general, "replayed").await;
    gateway.heartbeat().await;
    let mut second = Gateway::connect(&server, "").await;
    let (session, seq) = (gateway.session.clone(), gateway.seq);
    second.resume(&bot.token, &session, seq).await;
    second.seq = seq;
    let heard = second.event("MESSAGE_CREATE").await;
    assert_eq!(heard["content"], "replayed", "a new connection hears");
}

#[tokio::test]
async fn another_process_can_fail_rest_and_read_the_channel() {
    let server = TestEmulator::open().await;
    let (bot, ada, general) = (server.bot(), server.human("Ada"), server.channel("general"));
    let root = server.ready.api_url.replace("/api/v10", "/emulator");
    let ask = async |body: Value, status: u16| {
        let request = server.http().post(format!("{root}/faults")).json(&body);
        let reply = soon("the answer", server.send(request)).await.unwrap();
        assert_eq!(reply.status, status, "{body}");
    };
    let rest = |more: Value| {
        let mut body = json!({ "method": "POST", "path": "/messages", "user_id": bot.id });
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!({ "rest": body })
    };
    for wrong in [
        json!({ "fault": "reset_before" }),
        json!({ "fault": "reset_before", "times": 1, "for_ms": 1 }),
        json!({ "fault": "burn", "times": 1 }),
        json!({ "fault": { "fail": { "status": 200 } }, "times": 1 }),
        json!({ "fault": { "fail": { "status": 503, "bode": {} } }, "times": 1 }),
        json!({ "fault": { "limit": { "retry_after": -1 } }, "times": 1 }),
        json!({ "fault": "reset_before", "times": 1, "method": "FETCH" }),
        json!({ "fault": "reset_before", "times": 1, "mode": "POST" }),
    ] {
        ask(rest(wrong), 422).await;
    }
    let path = format!("/channels/{general}/messages");
    let post = async |content: &str| {
        let body = json!({ "content": content, "nonce": content, "enforce_nonce": true });
        let request = bot.request(Method::POST, &path).json(&body);
        let reply = soon("an answer", server.send(request)).await;
        reply.ok().map(|reply| reply.status.as_u16())
    };
    let asked = ada.say(general, "question").await;
    let table = [
        (json!({ "fault": "reset_before", "times": 1 }), None),
        (
            json!({ "fault": { "fail": { "status": 503 } }, "for_ms": 60_000 }),
            Some(503),
        ),
        (
            json!({ "fault": { "limit": { "retry_after": 61 } }, "times": 1 }),
            Some(429),
        ),
        (json!({ "fault": "reset_after", "times": 1 }), None),
    ];
    for (fault, expect) in table {
        ask(rest(fault.clone()), 200).await;
        assert_eq!(post("answer").await, expect, "{fault}");
        ask(json!({ "clear": {} }), 200).await;
    }
    assert_eq!(post("answer").await, Some(200), "the nonce finds the first");
    let reply = json!({
        "content": "reply", "message_reference": { "message_id": asked["id"] },
    });
    assert_eq!(bot.post(&path, reply).await.status, 200);

    let read = async |what: &str| {
        let request = server.http().get(format!("{root}/{what}"));
        soon("the answer", server.send(request)).await.unwrap()
    };
    let said = read(&format!("transcript/{general}")).await.json;
    let line = |at: usize, keys: [&str; 4]| json!(keys.map(|key| said[at][key].clone()));
    let keys = ["author_id", "content", "nonce", "reference"];
    assert_eq!(line(0, keys), json!([ada.id, "question", null, null]));
    assert_eq!(line(1, keys), json!([bot.id, "answer", "answer", null]));
    assert_eq!(line(2, keys), json!([bot.id, "reply", null, asked["id"]]));
    assert_eq!(said.as_array().unwrap().len(), 3);
    assert_eq!(said[0]["id"], asked["id"]);
    assert_eq!(read("transcript/1").await.status, 404);
    assert_eq!(read("counts").await.json["rate_limited"], 1);

    let mut gateway = bot.join(ALL).await;
    ask(json!({ "deafen_gateway": { "user_id": bot.id } }), 200).await;
    ada.say(general, "unheard").await;
    gateway.heartbeat().await;
    ask(json!({ "undeafen_gateway": { "user_id": bot.id } }), 200).await;
    gateway.event("MESSAGE_CREATE").await;
    ask(json!({ "drop_sessions": {} }), 200).await;
    let mut second = Gateway::connect(&server, "").await;
    second
        .resume(&bot.token, &gateway.session, gateway.seq)
        .await;
    assert_eq!(second.frame().await["op"], 9);
}
