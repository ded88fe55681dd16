//! Failures on request, and what tests can observe.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::house::{ALL, Gateway, House, soon};

#[tokio::test]
async fn requests_fail_as_often_as_asked() {
    let house = House::open().await;
    let (bot, general) = (house.bot(), house.channel("general"));
    let path = format!("/channels/{general}/messages");
    let faults = house.emulator.faults();
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
        house.emulator.transcript(general).len(),
        1,
        "a failed request does nothing"
    );
    let counted = &house.emulator.counts().requests;
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
    let house = House::open().await;
    let (bot, general) = (house.bot(), house.channel("general"));
    let body = json!({ "content": "once", "nonce": "n", "enforce_nonce": true });
    let path = format!("/channels/{general}/messages");
    house
        .emulator
        .faults()
        .swallow_next(Method::POST, "/messages", 1);
    let request = bot.request(Method::POST, &path).json(&body);
    soon("the break", house.send(request))
        .await
        .expect_err("no answer comes");
    assert_eq!(house.emulator.transcript(general).len(), 1);
    assert_eq!(bot.post(&path, body).await.status, 200);
    assert_eq!(
        house.emulator.transcript(general).len(),
        1,
        "the retry finds the first"
    );
}

#[tokio::test]
async fn held_requests_wait_for_the_test() {
    let house = House::open().await;
    let (bot, general) = (house.bot(), house.channel("general"));
    let path = format!("/channels/{general}/messages");
    let hold = house.emulator.faults().hold(Method::POST, "/messages");
    let body = json!({ "content": "late" });
    let waiting = bot.post(&path, body);
    tokio::pin!(waiting);
    tokio::select! {
        () = hold.arrived(1) => {}
        _ = &mut waiting => panic!("answered before the release"),
    }
    assert_eq!(house.emulator.transcript(general).len(), 0);
    hold.release();
    assert_eq!(waiting.await.status, 200);
    assert_eq!(
        bot.post(&path, json!({ "content": "next" })).await.status,
        200
    );
}

#[tokio::test]
async fn events_and_requests_can_be_watched() {
    let house = House::open().await;
    let (ada, staff) = (house.human("Ada"), house.channel("staff"));
    let mut events = house.emulator.watch();
    ada.say(staff, "seen").await;
    let event = soon("the event", events.recv()).await.unwrap();
    assert_eq!(
        (&event["t"], &event["d"]["content"]),
        (&json!("MESSAGE_CREATE"), &json!("seen"))
    );
    let counts = house.emulator.counts();
    assert_eq!(counts.requests["POST /channels/{channel}/messages"], 1);
}

#[tokio::test]
async fn another_process_can_ask_for_faults() {
    let house = House::open().await;
    let bot = house.bot();
    let url = house.ready.api_url.replace("/api/v10", "/emulator/faults");
    let check = async |body: Value, status: u16, cut: Option<u64>| {
        let request = house.http().post(&url).json(&body);
        let reply = soon("the answer", house.send(request)).await.unwrap();
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
    let mut second = Gateway::connect(&house, "").await;
    second
        .resume(&bot.token, &gateway.session, gateway.seq)
        .await;
    assert_eq!(second.frame().await["op"], 9);

    let foreign = house
        .http()
        .post(&url)
        .header("origin", "http://evil.example");
    let reply = house.send(foreign.json(&cut(json!("abrupt")))).await;
    assert_eq!(reply.unwrap().status, 403);
}
