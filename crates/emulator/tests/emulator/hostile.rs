//! Bodies that nobody should send: whatever they hold, the answer is one of
//! Discord's, and the emulator goes on.

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::test_emulator::{TestEmulator, soon};

/// The keys that some route reads, and one that none does.
const KEYS: &[&str] = &[
    "content",
    "nonce",
    "enforce_nonce",
    "tts",
    "embeds",
    "title",
    "description",
    "fields",
    "name",
    "value",
    "components",
    "flags",
    "allowed_mentions",
    "parse",
    "users",
    "roles",
    "replied_user",
    "message_reference",
    "message_id",
    "channel_id",
    "type",
    "sticker_ids",
    "poll",
    "question",
    "answers",
    "poll_media",
    "text",
    "emoji",
    "duration",
    "attachments",
    "id",
    "message",
    "auto_archive_duration",
    "rate_limit_per_user",
    "archived",
    "locked",
    "invitable",
    "topic",
    "allow",
    "deny",
    "messages",
    "recipient_id",
    "nothing",
];

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0_u64..20).prop_map(Value::from),
        "\\PC{0,40}".prop_map(Value::from),
        prop::sample::select(vec![
            "users",
            "1",
            "60",
            "x",
            "",
            "🛑",
            "18446744073709551616"
        ])
        .prop_map(Value::from),
    ]
}

/// Most bodies are objects; those that are not end soon.
fn body() -> impl Strategy<Value = Value> {
    let field = (prop::sample::select(KEYS), json());
    let object = prop::collection::vec(field, 1..16).prop_map(|fields| {
        let fields = fields.into_iter().map(|(key, it)| (key.to_owned(), it));
        Value::Object(fields.collect::<Map<_, _>>())
    });
    prop_oneof![1 => json(), 9 => object]
}

fn json() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(4, 64, 8, |inner| {
        let key = prop::sample::select(KEYS);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..8).prop_map(|fields| {
                let fields = fields.into_iter().map(|(key, it)| (key.to_owned(), it));
                Value::Object(fields.collect::<Map<_, _>>())
            }),
        ]
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_body_is_too_strange() {
    let server = TestEmulator::open().await;
    let ada = server.human("Ada");
    let (general, ideas) = (server.channel("general"), server.channel("ideas"));
    let said = ada.say(general, "hello").await;
    let said = said["id"].as_str().unwrap();
    let thread = json!({ "name": "t", "type": 11 });
    let path = format!("/channels/{general}/threads");
    let thread = ada.post(&path, thread).await.json;
    let thread = thread["id"].as_str().unwrap();
    let guild = &server.ready.guild_id;
    let routes = [
        (Method::POST, format!("/channels/{general}/messages")),
        (
            Method::PATCH,
            format!("/channels/{general}/messages/{said}"),
        ),
        (Method::POST, format!("/channels/{general}/threads")),
        (Method::POST, format!("/channels/{ideas}/threads")),
        (Method::PATCH, format!("/channels/{thread}")),
        (Method::PATCH, format!("/channels/{ideas}")),
        (
            Method::PUT,
            format!("/channels/{general}/permissions/{guild}"),
        ),
        (Method::POST, "/users/@me/channels".to_owned()),
    ];
    let bodies = prop::collection::vec((0..routes.len(), body()), 40);
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        ..Config::with_cases(16)
    });
    let handle = tokio::runtime::Handle::current();
    let checked = tokio::task::block_in_place(|| {
        runner.run(&bodies, |bodies| {
            for (route, body) in bodies {
                let (method, path) = &routes[route];
                let request = ada.request(method.clone(), path).json(&body);
                let reply = handle.block_on(soon(path, server.send(request)));
                let reply = reply.map_err(|error| TestCaseError::fail(error.to_string()))?;
                let status = reply.status.as_u16();
                let told = reply.json["code"].is_u64() || status < 300;
                prop_assert!(
                    status < 500 && told,
                    "{method} {path} {body}: {status} {:?}",
                    reply.json
                );
            }
            Ok(())
        })
    });
    checked.unwrap();
    assert_eq!(ada.get("/users/@me").await.status, 200);
}
