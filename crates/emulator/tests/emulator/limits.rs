//! Rate limits.

use reqwest::{Method, header::HeaderMap};
use serde_json::{Value, json};

use crate::test_emulator::TestEmulator;
use kaiwa_emulator::World;

fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers
        .get(name)
        .map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn a_bucket_is_counted_down_and_then_refuses() {
    let server = TestEmulator::of(World::default()).await;
    let (bot, general) = (server.bot(), server.channel("general"));
    let path = format!("/channels/{general}/messages");
    let mut bucket = String::new();
    for left in ["4", "3", "2", "1", "0"] {
        let reply = bot.post(&path, json!({ "content": "x" })).await;
        assert_eq!(reply.status, 200);
        assert_eq!(text(&reply.headers, "x-ratelimit-limit"), "5");
        assert_eq!(text(&reply.headers, "x-ratelimit-remaining"), left);
        assert!(
            text(&reply.headers, "x-ratelimit-reset-after")
                .parse::<f64>()
                .unwrap()
                <= 5.0
        );
        assert!(
            text(&reply.headers, "x-ratelimit-reset")
                .parse::<f64>()
                .unwrap()
                > 1.7e9
        );
        bucket = text(&reply.headers, "x-ratelimit-bucket").to_owned();
    }
    let refused = bot.post(&path, json!({ "content": "x" })).await;
    assert_eq!(refused.status, 429);
    assert_eq!(refused.json["message"], "You are being rate limited.");
    assert_eq!(refused.json["global"], false);
    let wait = refused.json["retry_after"].as_f64().unwrap();
    assert!(wait > 0.0 && wait <= 5.0, "{wait}");
    assert!(
        text(&refused.headers, "retry-after")
            .parse::<f64>()
            .unwrap()
            >= wait
    );
    assert_eq!(text(&refused.headers, "x-ratelimit-scope"), "user");
    assert_eq!(text(&refused.headers, "x-ratelimit-remaining"), "0");
    assert_eq!(text(&refused.headers, "x-ratelimit-bucket"), bucket);
    assert!(
        refused.headers.contains_key("via"),
        "clients tell Discord's 429 from its CDN's by it"
    );
    assert_eq!(server.emulator.counts().rate_limited, 1);
    assert_eq!(server.emulator.transcript(general).len(), 5);

    // Another channel, another route and another person have their own.
    let random = format!("/channels/{}/messages", server.channel("random"));
    assert_eq!(
        bot.post(&random, json!({ "content": "x" })).await.status,
        200
    );
    assert_eq!(
        bot.post(&format!("/channels/{general}/typing"), Value::Null)
            .await
            .status,
        204
    );
    let page = bot.get(&path).await;
    assert_eq!(page.status, 200);
    let edit = format!("{path}/{}", page.json[0]["id"].as_str().unwrap());
    let edited = bot
        .call(Method::PATCH, &edit, json!({ "content": "y" }))
        .await;
    assert_eq!(edited.status, 200);
    assert_ne!(text(&edited.headers, "x-ratelimit-bucket"), bucket);
    assert_eq!(
        server
            .human("Ben")
            .post(&path, json!({ "content": "x" }))
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn without_limits_headers_are_sent_and_429s_are_not() {
    let server = TestEmulator::open().await;
    let path = format!("/channels/{}/messages", server.channel("general"));
    for _ in 0..60 {
        let reply = server.bot().post(&path, json!({ "content": "x" })).await;
        assert_eq!(reply.status, 200);
        assert!(
            text(&reply.headers, "x-ratelimit-remaining")
                .parse::<u32>()
                .unwrap()
                > 1000
        );
    }
}

#[tokio::test]
async fn ten_thousand_invalid_requests_are_answered_by_the_edge() {
    let server = TestEmulator::of(World::default()).await;
    let (bot, ada, staff) = (server.bot(), server.human("Ada"), server.channel("staff"));
    let nobody = || {
        server
            .request(Method::GET, "/users/@me")
            .header("authorization", "Bot nobody")
    };
    let path = format!("/channels/{staff}");
    assert_eq!(bot.get(&path).await.status, 403);
    let faults = server.emulator.faults();
    let shared = kaiwa_emulator::RestFault::SharedLimit {
        retry_after: std::time::Duration::from_secs(1),
    };
    faults.rest(
        kaiwa_emulator::Requests::default(),
        shared,
        kaiwa_emulator::FaultSpan::Next(1),
    );
    let reply = bot.get("/users/@me").await;
    assert_eq!(
        (
            reply.status.as_u16(),
            text(&reply.headers, "x-ratelimit-scope")
        ),
        (429, "shared")
    );
    // The 403 is counted, the shared 429 is not: one is left after these.
    for _ in 0..9_998 {
        assert_eq!(server.send(nobody()).await.unwrap().status, 401);
    }
    assert_eq!(bot.get("/users/@me").await.status, 200);
    assert_eq!(server.send(nobody()).await.unwrap().status, 401);
    let reply = bot.get("/users/@me").await;
    assert_eq!((reply.status.as_u16(), &reply.json), (429, &Value::Null));
    assert!(
        !reply.headers.contains_key("via"),
        "that is how clients tell"
    );
    assert!(text(&reply.headers, "retry-after").parse::<u32>().unwrap() > 3500);
    assert_eq!(ada.get("/users/@me").await.status, 200, "the page goes on");
    server
        .emulator
        .advance(std::time::Duration::from_secs(3601));
    assert_eq!(bot.get("/users/@me").await.status, 200);
}
