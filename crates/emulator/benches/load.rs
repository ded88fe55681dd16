//! The emulator under load, for `cargo xtask bench emulator`: prints a line of
//! JSON with what was found.
//!
//! The emulator runs in a process of its own, which is this program again with
//! `GUILDS` in its environment.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a stopwatch that cannot measure has nothing to say"
)]

mod load {
    pub(crate) mod audience;
    pub(crate) mod sender;
    pub(crate) mod served;
}

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::JoinSet;

use load::audience::Audience;
use load::sender::Sender;
use load::served::{GUILDS, Served, Target};

/// People who write, each over a connection of their own.
const SENDERS: u64 = 8;
const FULL_SPEED: Duration = Duration::from_secs(4);
const STEADY: Duration = Duration::from_secs(5);

/// How many messages may be on their way to somebody when the next is sent at
/// full speed. Without a bound the clients would measure how long a queue can
/// grow.
const ON_THEIR_WAY: u64 = 64;

/// The most messages and events in a second while delays are taken.
const STEADY_MESSAGES: u64 = 1000;
const STEADY_EVENTS: u64 = 100_000;

/// The most guilds that a world can have.
const MANY_GUILDS: usize = 10;

fn main() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    match std::env::var(GUILDS) {
        Ok(guilds) => runtime.block_on(load::served::serve(guilds.parse().unwrap())),
        Err(_) => runtime.block_on(measure()),
    }
}

async fn measure() {
    let served = Served::start(1);
    let many = Served::start(MANY_GUILDS);
    let guilds = many.anonymous_kib().saturating_sub(served.anonymous_kib());
    drop(many);
    let mut found = json!({ "kib_per_guild": guilds as f64 / (MANY_GUILDS - 1) as f64 });
    for clients in [1, 100, 1000] {
        let before = served.anonymous_kib();
        let audience = Audience::connect(&served.target, clients).await;
        let grown = served.anonymous_kib().saturating_sub(before);
        let steady = STEADY_MESSAGES.min(STEADY_EVENTS / clients);
        let delays = steady_delays(&served.target, &audience, steady).await;
        let spent = served.processor_time();
        let (messages, rate) = full_speed(&served.target, &audience).await;
        let spent = served.processor_time().saturating_sub(spent);
        let rank = |rank: f64| {
            let place = ((delays.len() as f64 * rank) as usize).min(delays.len() - 1);
            delays[place] as f64 / 1000.0
        };
        found[clients.to_string()] = json!({
            "per_second": rate,
            "us_per_event": spent.as_secs_f64() * 1e6 / (messages * clients) as f64,
            "kib_per_client": grown as f64 / clients as f64,
            "steady": steady,
            "p50": rank(0.50),
            "p99": rank(0.99),
        });
        audience.leave().await;
    }
    println!("{found}");
}

/// How many messages reach everybody, and how many do in a second.
async fn full_speed(target: &Target, audience: &Audience) -> (u64, f64) {
    let begun = Instant::now();
    let mut senders = JoinSet::new();
    let passage = audience.passage(ON_THEIR_WAY);
    for number in 0..SENDERS {
        let mut sender = Sender::new(target, number).await;
        let passage = passage.clone();
        senders.spawn(async move {
            while begun.elapsed() < FULL_SPEED {
                passage.free().await;
                sender.post(Instant::now()).await;
            }
        });
    }
    senders.join_all().await;
    let sent = passage.sent();
    audience.has(sent).await;
    audience.delays().await;
    (sent, sent as f64 / begun.elapsed().as_secs_f64())
}

/// Delays in microseconds, in order, while messages are sent evenly. They count
/// from when a message was to be sent, even if it had to wait for its sender.
async fn steady_delays(target: &Target, audience: &Audience, per_second: u64) -> Vec<u64> {
    let mut senders = JoinSet::new();
    let pause = Duration::from_secs(SENDERS) / u32::try_from(per_second).unwrap();
    let sends = per_second * STEADY.as_secs() / SENDERS;
    let begin = tokio::time::Instant::now() + Duration::from_millis(100);
    for number in 0..SENDERS {
        let mut sender = Sender::new(target, number).await;
        let first = begin + pause / 8 * u32::try_from(number).unwrap();
        senders.spawn(async move {
            let mut tick = tokio::time::interval_at(first, pause);
            for _ in 0..sends {
                let due = tick.tick().await;
                sender.post(due.into_std()).await;
            }
        });
    }
    senders.join_all().await;
    audience.has(sends * SENDERS).await;
    let mut delays = audience.delays().await;
    delays.sort_unstable();
    delays
}
