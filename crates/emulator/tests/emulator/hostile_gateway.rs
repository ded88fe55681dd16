//! Frames that nobody should send: the gateway closes with one of Discord's
//! codes or goes on, and the emulator lives.

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde_json::{Value, json};

use crate::test_emulator::{ALL, Gateway, TestEmulator};

/// What a frame may be made of.
#[derive(Clone, Debug)]
enum Frame {
    Bytes(Vec<u8>),
    Text(String),
}

const KEYS: &[&str] = &[
    "op",
    "d",
    "s",
    "t",
    "token",
    "intents",
    "shard",
    "presence",
    "session_id",
    "seq",
    "guild_id",
    "channel_id",
    "user_ids",
    "query",
    "limit",
    "presences",
    "nonce",
    "status",
    "activities",
    "name",
    "type",
    "since",
    "afk",
    "self_mute",
    "properties",
    "compress",
    "large_threshold",
];

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0_u64..40).prop_map(Value::from),
        "\\PC{0,20}".prop_map(Value::from),
        Just(json!("TOKEN")),
        Just(json!("GUILD")),
        Just(json!("online")),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let key = prop::sample::select(KEYS);
        let field = (key, inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            prop::collection::vec(field, 0..6).prop_map(|fields| {
                let fields = fields.into_iter().map(|(key, it)| (key.to_owned(), it));
                Value::Object(fields.collect())
            }),
        ]
    })
}

fn frame() -> impl Strategy<Value = Frame> {
    let op = prop::sample::select(vec![0_u64, 1, 2, 3, 4, 5, 6, 8, 9, 11, 31, 99]);
    let payload =
        (op, json_value()).prop_map(|(op, d)| Frame::Text(json!({ "op": op, "d": d }).to_string()));
    prop_oneof![
        1 => prop::collection::vec(any::<u8>(), 0..64).prop_map(Frame::Bytes),
        1 => "\\PC{0,60}".prop_map(Frame::Text),
        1 => json_value().prop_map(|it| Frame::Text(it.to_string())),
        6 => payload,
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn no_frame_harms_the_gateway() {
    let server = TestEmulator::open().await;
    let known = [4001, 4002, 4003, 4004, 4005, 4007, 4010, 4013, 4014];
    let handle = tokio::runtime::Handle::current();
    let check = |(identified, frames): (bool, Vec<Frame>)| {
        handle.block_on(async {
            let mut gateway = match identified {
                true => server.bot().join(ALL).await,
                false => Gateway::connect(&server, "").await,
            };
            for frame in frames {
                let sent = match frame {
                    Frame::Bytes(bytes) => gateway.try_send(bytes).await,
                    Frame::Text(text) => {
                        let text = text.replace("TOKEN", &server.ready.bot.token);
                        gateway
                            .try_send_text(text.replace("GUILD", &server.ready.guild_id))
                            .await
                    }
                };
                if !sent {
                    break;
                }
            }
            gateway
                .try_send_text(json!({ "op": 1, "d": null }).to_string())
                .await;
            match gateway.answered_or_closed().await {
                None => {}
                Some(code) => assert!(known.contains(&code), "closed with {code}"),
            }
        });
        Ok(())
    };
    let frames = (any::<bool>(), prop::collection::vec(frame(), 1..5));
    tokio::task::block_in_place(|| {
        let mut runner = TestRunner::new(Config::with_cases(200));
        runner.run(&frames, check).unwrap();
    });
    server.bot().join(ALL).await.heartbeat().await;
}
