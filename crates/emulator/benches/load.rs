//! The emulator under load, for `cargo xtask bench emulator`: prints a line of
//! JSON with what was found. With `KAIWA_BENCH_QUICK` set, fewer clients for a
//! shorter time.
//!
//! The emulator runs in a process of its own, which is this program again with
//! `GUILDS` in its environment. Whatever happens, it is over after `AT_MOST`,
//! with figures or with what was missing.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a stopwatch that cannot measure has nothing to say"
)]

mod load {
    pub(crate) mod audience;
    pub(crate) mod sender;
    pub(crate) mod served;
}

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::{task::JoinSet, time::timeout};

use load::audience::{Audience, Stalled};
use load::sender::Sender;
use load::served::{GUILDS, Served, Target};

const AT_MOST: Duration = Duration::from_secs(160);

/// People who write, each over a connection of their own.
const SENDERS: u64 = 8;

/// How many messages may be on their way to somebody when the next is sent.
/// Without a bound the clients would measure how long a queue can grow.
const AT_FULL_SPEED: u64 = 64;
const WHILE_STEADY: u64 = 500;

/// The most messages and events in a second while delays are taken.
const STEADY_MESSAGES: u64 = 1000;
const STEADY_EVENTS: u64 = 100_000;

/// The most guilds that a world can have.
const MANY_GUILDS: usize = 10;

/// What is tried.
struct LoadPlan {
    crowds: &'static [u64],
    steady: Duration,
    full_speed: Duration,
}

const WHOLE: LoadPlan = LoadPlan {
    crowds: &[1, 100, 1000],
    steady: Duration::from_secs(5),
    full_speed: Duration::from_secs(4),
};
const QUICK: LoadPlan = LoadPlan {
    crowds: &[1, 20, 200],
    steady: Duration::from_secs(1),
    full_speed: Duration::from_secs(1),
};

fn main() -> ExitCode {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    if let Ok(guilds) = std::env::var(GUILDS) {
        runtime.block_on(load::served::serve(guilds.parse().unwrap()));
        return ExitCode::SUCCESS;
    }
    let plan = match std::env::var_os("KAIWA_BENCH_QUICK") {
        Some(_) => QUICK,
        None => WHOLE,
    };
    match runtime.block_on(async { timeout(AT_MOST, plan.measure()).await }) {
        Ok(Ok(found)) => println!("{found}"),
        Ok(Err(stalled)) => {
            eprintln!("{stalled}");
            return ExitCode::FAILURE;
        }
        Err(_) => {
            eprintln!("not done after {AT_MOST:?}: the machine is too busy");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

impl LoadPlan {
    async fn measure(&self) -> Result<Value, Stalled> {
        let served = Served::start(1);
        let many = Served::start(MANY_GUILDS);
        let guilds = many.anonymous_kib().saturating_sub(served.anonymous_kib());
        drop(many);
        let mut rows = Vec::new();
        for &clients in self.crowds {
            rows.push(self.crowd(&served, clients).await?);
        }
        let guild = guilds as f64 / (MANY_GUILDS - 1) as f64;
        Ok(json!({ "kib_per_guild": guild, "crowds": rows }))
    }

    /// What so many clients hear, and how late.
    async fn crowd(&self, served: &Served, clients: u64) -> Result<Value, Stalled> {
        let target = &served.target;
        let before = served.anonymous_kib();
        let audience = Audience::connect(target, clients).await?;
        let grown = served.anonymous_kib().saturating_sub(before);
        let everybody = std::slice::from_ref(&target.channel);
        let rate = STEADY_MESSAGES.min(STEADY_EVENTS / clients);
        let mut steady = vec![self.steady(target, &audience, everybody, rate).await?];
        if rate < STEADY_MESSAGES {
            let rooms = &target.rooms;
            let messages = self.steady(target, &audience, rooms, STEADY_MESSAGES);
            steady.push(messages.await?);
        }
        let spent = served.processor_time();
        let (messages, rate) = self.full_speed(target, &audience).await?;
        let spent = served.processor_time().saturating_sub(spent);
        audience.leave().await;
        Ok(json!({
            "clients": clients,
            "per_second": rate,
            "us_per_event": spent.as_secs_f64() * 1e6 / (messages * clients) as f64,
            "kib_per_client": grown as f64 / clients as f64,
            "steady": steady,
        }))
    }

    /// How many messages reach everybody, and how many do in a second.
    async fn full_speed(
        &self,
        target: &Target,
        audience: &Audience,
    ) -> Result<(u64, f64), Stalled> {
        let (begun, lasts) = (Instant::now(), self.full_speed);
        let mut senders = JoinSet::new();
        let passage = audience.passage(AT_FULL_SPEED, audience.clients);
        for number in 0..SENDERS {
            let mut sender = Sender::new(target).await;
            let passage = passage.clone();
            let (channel, who) = (target.channel.clone(), usize::try_from(number).unwrap());
            senders.spawn(async move {
                while begun.elapsed() < lasts && passage.free().await {
                    sender.post(&channel, who, Instant::now()).await;
                    passage.sent();
                }
            });
        }
        senders.join_all().await;
        let sent = audience.has_all(&passage).await?;
        audience.delays().await;
        Ok((sent, sent as f64 / begun.elapsed().as_secs_f64()))
    }

    /// Delays while messages are sent evenly, one channel after the other. They
    /// count from when a message was to be sent, even if it had to wait for its
    /// sender, or for those before it.
    async fn steady(
        &self,
        target: &Target,
        audience: &Audience,
        channels: &[String],
        per_second: u64,
    ) -> Result<Value, Stalled> {
        let mut senders = JoinSet::new();
        let pause = Duration::from_secs(SENDERS) / u32::try_from(per_second).unwrap();
        let reach = audience.clients.div_ceil(channels.len() as u64);
        let passage = audience.passage(WHILE_STEADY, reach);
        let begin = tokio::time::Instant::now() + Duration::from_millis(100);
        let sends = (per_second as f64 * self.steady.as_secs_f64()) as u64 / SENDERS;
        // A machine that does not keep up tells so by its delays, and not by
        // taking for ever.
        let end = begin + self.steady * 2;
        for number in 0..SENDERS {
            let mut sender = Sender::new(target).await;
            let first = begin + pause / 8 * u32::try_from(number).unwrap();
            let (passage, channels) = (passage.clone(), channels.to_vec());
            senders.spawn(async move {
                let mut tick = tokio::time::interval_at(first, pause);
                for message in 0..sends {
                    let due = tick.tick().await;
                    if tokio::time::Instant::now() > end || !passage.free().await {
                        return;
                    }
                    let room = usize::try_from(message * SENDERS + number).unwrap();
                    let room = room % channels.len();
                    sender.post(&channels[room], room, due.into_std()).await;
                    passage.sent();
                }
            });
        }
        senders.join_all().await;
        let sent = audience.has_all(&passage).await?;
        let mut delays = audience.delays().await;
        delays.sort_unstable();
        let rank = |rank: f64| {
            let place = ((delays.len() as f64 * rank) as usize).min(delays.len() - 1);
            delays[place] as f64 / 1000.0
        };
        Ok(json!({
            "per_second": per_second,
            "reach": reach,
            "kept_up": sent == sends * SENDERS,
            "delays": delays.len(),
            "p50": rank(0.50),
            "p99": rank(0.99),
        }))
    }
}
