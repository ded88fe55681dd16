//! What goes over the wire: the feed, the buckets, recordings and replays.

use futures_util::StreamExt;
use kaiwa_emulator::{Emulator, Recording, RecordingError, World};
use serde_json::{Value, json};

use crate::test_emulator::{ALL, TestEmulator, soon};

fn seeded() -> World {
    World::default().with_seed(5)
}

/// The entries of a feed until one fits.
pub(crate) async fn until(server: &TestEmulator, fits: impl Fn(&Value) -> bool) -> Vec<Value> {
    let url = server
        .ready
        .api_url
        .replace("/api/v10", "/emulator/traffic");
    let response = server.http().get(url).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.bytes_stream();
    let (mut text, mut entries) = (String::new(), Vec::new());
    soon("the entry", async {
        loop {
            let bytes = body.next().await.unwrap().unwrap();
            text += std::str::from_utf8(&bytes).unwrap();
            while let Some((event, rest)) = text.split_once("\n\n") {
                let entry: Value =
                    serde_json::from_str(event.strip_prefix("data: ").unwrap()).unwrap();
                let done = fits(&entry);
                entries.push(entry);
                text = rest.to_owned();
                if done {
                    return entries;
                }
            }
        }
    })
    .await
}

#[tokio::test]
async fn the_feed_shows_requests_and_frames_without_tokens() {
    let server = TestEmulator::open().await;
    server.emulator.keep_traffic();
    let (bot, general) = (server.bot(), server.channel("general"));
    let mut gateway = bot.join(ALL).await;
    bot.say(general, "seen").await;
    gateway.event("MESSAGE_CREATE").await;
    let entries = until(&server, |entry| entry["kind"] == "rest").await;
    let request = entries
        .iter()
        .find(|entry| entry["kind"] == "rest")
        .unwrap();
    assert_eq!(request["method"], "POST");
    assert_eq!(
        request["path"],
        format!("/api/v10/channels/{general}/messages")
    );
    assert_eq!(request["user_id"], bot.id);
    assert_eq!(
        (&request["body"]["content"], &request["status"]),
        (&json!("seen"), &json!(200))
    );
    assert_eq!(request["answer"]["content"], "seen");
    let identify = entries
        .iter()
        .find(|entry| entry["frame"]["op"] == 2)
        .unwrap();
    assert_eq!(identify["direction"], "in");
    assert_eq!(identify["frame"]["d"]["token"], "[token]");
    let all = format!("{entries:?}");
    assert!(!all.contains(&bot.token), "no token is shown");
    let numbers: Vec<_> = entries
        .iter()
        .map(|entry| entry["n"].as_u64().unwrap())
        .collect();
    assert!(numbers.is_sorted(), "{numbers:?}");
}

#[tokio::test]
async fn buckets_show_what_is_left() {
    let server = TestEmulator::of(World::default()).await;
    let (bot, general) = (server.bot(), server.channel("general"));
    bot.say(general, "x").await;
    let url = server
        .ready
        .api_url
        .replace("/api/v10", "/emulator/buckets");
    let reply = server.send(server.http().get(url)).await.unwrap();
    let buckets = reply.json["buckets"].as_array().unwrap();
    let create = buckets
        .iter()
        .find(|it| it["bucket"] == "MessageCreate")
        .unwrap();
    assert_eq!(
        (&create["limit"], &create["remaining"]),
        (&json!(5), &json!(4))
    );
    assert_eq!(
        (&create["user_id"], &create["resource_id"]),
        (&json!(bot.id), &json!(general))
    );
    assert!(create["reset_after"].as_f64().unwrap() <= 5.0);
    assert!(
        buckets
            .iter()
            .any(|it| it["bucket"] == "global" && it["remaining"] == 49)
    );
}

#[tokio::test]
async fn a_recording_is_replayed_with_the_same_answers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let emulator = Emulator::new(seeded());
    emulator.record(&path).unwrap();
    let server = TestEmulator::serving(emulator).await;
    let (bot, ada, general) = (server.bot(), server.human("Ada"), server.channel("general"));
    let messages = format!("/channels/{general}/messages");
    let said = ada.say(general, "first").await;
    for n in 0..7 {
        // The sixth is too much.
        bot.post(&messages, json!({ "content": format!("{n}") }))
            .await;
    }
    let clock = server.ready.api_url.replace("/api/v10", "/emulator/clock");
    let ask = server
        .http()
        .post(&clock)
        .json(&json!({ "advance_ms": 5000 }));
    server.send(ask).await.unwrap();
    let edit = format!("{messages}/{}", said["id"].as_str().unwrap());
    ada.call(
        reqwest::Method::PATCH,
        &edit,
        json!({ "content": "changed" }),
    )
    .await;
    bot.post(&messages, json!({ "content": "" })).await;
    assert_eq!(
        ada.upload(general, "", "a.bin", &[0, 159, 7]).await.status,
        200
    );
    bot.get("/users/@me").await;
    server
        .send(server.request(reqwest::Method::GET, "/users/@me"))
        .await
        .unwrap();

    let text = std::fs::read_to_string(&path).unwrap();
    assert!(!text.contains(&bot.token));
    let statuses = text.matches("\"status\":429").count();
    assert_eq!(statuses, 2, "limits were met");
    let recording = Recording::read(&text).unwrap();
    let replayed = recording.replay(seeded()).await;
    assert_eq!(
        (replayed.differences.as_slice(), replayed.left_out),
        (&[][..], 0)
    );
    assert_eq!(replayed.requests, 14);

    let other = recording.replay(World::default().with_seed(6)).await;
    assert!(!other.differences.is_empty(), "another seed has other ids");
    let changed = text.replace("\"content\":\"changed\"", "\"content\":\"chanced\"");
    let replayed = Recording::read(&changed).unwrap().replay(seeded()).await;
    assert_eq!(
        replayed.differences.len(),
        0,
        "request and answer changed alike"
    );
}

#[test]
fn what_is_no_recording_is_refused() {
    let begin = r#"{"kind":"begin","version":1,"seed":1}"#;
    for (text, expect) in [
        ("", RecordingError::NotOne),
        ("{}", RecordingError::NotOne),
        (
            r#"{"kind":"begin","version":1,"seed":null}"#,
            RecordingError::NoSeed,
        ),
    ] {
        assert_eq!(Recording::read(text).unwrap_err(), expect);
    }
    let torn = format!("{begin}\n{{\"kind\":\"rest\"");
    assert!(matches!(
        Recording::read(&torn),
        Err(RecordingError::Line { line: 2, .. })
    ));
}
