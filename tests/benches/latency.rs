//! How long a question waits: from just before a person's message is sent to
//! the typing indicator and to the first reply, as the emulator sees them.
//!
//! Everything is the real thing over real sockets and a database file; only
//! rate limits and the understudy's pauses are off. Prints one line of JSON,
//! which `cargo xtask bench start` reads.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_types,
    reason = "a stopwatch, run by hand"
)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use kaiwa::{BotParts, RunningBot};
use kaiwa_discord::{Access, INVALID_REQUESTS_MOST};
use kaiwa_domain::port::RoleModels;
use kaiwa_domain::settings::{InstanceSettings, SettingKey, SettingValue};
use kaiwa_e2e::soon;
use kaiwa_emulator::{Emulator, Ready, World};
use kaiwa_pipeline::brief::Template;
use kaiwa_provider::{Endpoint, Model, ModelPool, Vendor};
use kaiwa_runtime::{Setup, SystemClock, Tasks};
use kaiwa_understudy::StreamPace;
use secrecy::SecretString;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::{broadcast, watch};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use url::Url;

/// Messages that are answered before the watch is started.
const WARM_UP: usize = 20;
const MESSAGES: usize = 500;
const CHANNELS: [&str; 3] = ["general", "random", "code"];

/// The time between two messages. An answer takes three requests, and the bot
/// makes no more than Discord's fifty in a second, so that messages without a
/// pause would measure its patience.
const BETWEEN: Duration = Duration::from_millis(80);

#[tokio::main]
async fn main() {
    let stage = ConnectedBot::set().await;
    let mut events = stage.emulator.watch();
    let mut typing = Vec::new();
    let mut reply = Vec::new();
    let mut next = tokio::time::interval(BETWEEN);
    next.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for turn in 0..WARM_UP + MESSAGES {
        let channel = &stage.ready.channels[CHANNELS[turn % CHANNELS.len()]];
        next.tick().await;
        let begun = Instant::now();
        let (seen, ()) = soon("a reply", async {
            tokio::join!(
                watch_bot(&mut events, channel, &stage.ready.bot.id, begun),
                stage.ask(channel, turn)
            )
        })
        .await;
        if turn >= WARM_UP {
            typing.extend(seen.typing);
            reply.push(seen.reply);
        }
    }
    stage.bot.stop().await.expect("the bot stops");
    println!(
        "{}",
        json!({
            "messages": MESSAGES,
            "channels": CHANNELS.len(),
            "typing": spread(typing),
            "reply": spread(reply),
        })
    );
}

/// Emulator, understudy and a connected bot.
struct ConnectedBot {
    emulator: Emulator,
    ready: Ready,
    bot: RunningBot,
    http: reqwest::Client,
    _data: TempDir,
}

impl ConnectedBot {
    async fn set() -> Self {
        let tasks = Tasks::new();
        let (listener, _) = listen().await;
        let emulator = Emulator::new(World::default().without_limits());
        emulator.announce(listener.local_addr().expect("an address"));
        let ready = emulator.ready();
        let serving =
            emulator
                .clone()
                .serve(listener, axum::Router::new(), CancellationToken::new());
        tasks.spawn("emulator", serving);

        let (listener, address) = listen().await;
        let serving = kaiwa_understudy::serve(listener, StreamPace::ZERO, CancellationToken::new());
        tasks.spawn("understudy", serving);

        let data = tempfile::tempdir().expect("a folder");
        let http = kaiwa_e2e::http();
        let bot = start(&ready, &address, &data).await;
        Self {
            emulator,
            ready,
            bot,
            http,
            _data: data,
        }
    }

    /// Ada asks the bot something.
    async fn ask(&self, channel: &str, turn: usize) {
        let ada = &self.ready.users[0];
        let body = json!({
            "content": format!("<@{}> say that cup {turn} is served", self.ready.bot.id),
        });
        let request = self
            .http
            .post(format!(
                "{}/channels/{channel}/messages",
                self.ready.api_url
            ))
            .header("authorization", &ada.token)
            .json(&body);
        let response = request.send().await.expect("an answer");
        assert!(response.status().is_success(), "{response:?}");
    }
}

async fn start(ready: &Ready, model: &str, data: &TempDir) -> RunningBot {
    let clock = Arc::new(SystemClock);
    let patience = Duration::from_secs(10);
    let address = url(&format!("http://{model}/v1"));
    let endpoint = Endpoint {
        first_token_timeout: patience,
        idle_timeout: patience,
        ..Endpoint::at(Vendor::at(&address), address, "understudy".into())
    };
    let setup = Setup {
        models: RoleModels::single(Arc::new(
            Model::new(endpoint, clock.clone()).expect("a usable endpoint"),
        )),
        // Nobody asks as often as this bench.
        instance: InstanceSettings::default().with(SettingKey::UserQuestions, SettingValue::Off),
        shutdown_grace: patience,
        retention: kaiwa_domain::port::Retention::default(),
        template: Template::default(),
        memory: kaiwa_runtime::MemoryBounds::default(),
    };
    let mut bot = kaiwa::start(BotParts {
        access: Access {
            token: SecretString::from(ready.bot.token.clone()),
            api_url: url(&ready.api_url),
            gateway_url: None,
            message_content: true,
            guild_members: true,
            extra_ca: None,
            requests_per_second: u64::MAX,
            invalid_requests: INVALID_REQUESTS_MOST,
        },
        store: kaiwa::open(data.path()).await.expect("a database"),
        model_pool: Arc::new(ModelPool::new(clock.clone(), None)),
        clock,
        setup: watch::channel(Arc::new(setup)).1,
        decisions: kaiwa_runtime::Decisions::default(),
    })
    .await
    .expect("the bot starts");
    soon("the bot to connect", bot.connected())
        .await
        .expect("the bot connects");
    bot
}

/// When the bot did what, counted from the question.
struct Seen {
    /// Unset if the reply was faster.
    typing: Option<Duration>,
    reply: Duration,
}

async fn watch_bot(
    events: &mut broadcast::Receiver<Value>,
    channel: &str,
    bot: &str,
    begun: Instant,
) -> Seen {
    let mut typing = None;
    loop {
        let event = events.recv().await.expect("no event is lost");
        if event["d"]["channel_id"] != channel {
            continue;
        }
        if event["t"] == "TYPING_START" && event["d"]["user_id"] == bot {
            typing.get_or_insert_with(|| begun.elapsed());
        }
        if event["t"] == "MESSAGE_CREATE" && event["d"]["author"]["id"] == bot {
            let reply = begun.elapsed();
            return Seen { typing, reply };
        }
    }
}

/// Percentiles in milliseconds; each is a time that was measured.
fn spread(mut times: Vec<Duration>) -> Value {
    times.sort_unstable();
    let at = |percent: usize| {
        let rank = (times.len() * percent).div_ceil(100).max(1);
        let time = times.get(rank - 1).copied().unwrap_or_default();
        time.as_secs_f64() * 1000.0
    };
    json!({"seen": times.len(), "p50": at(50), "p90": at(90), "p99": at(99), "max": at(100)})
}

async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address").to_string();
    (listener, address)
}

fn url(text: &str) -> Url {
    text.parse().expect("an address")
}
