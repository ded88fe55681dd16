//! What is looked after while the bot runs: the journal, its size, the memory of
//! the process, and shards of the gateway that seem to be deaf.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::StoreError;
use kaiwa_domain::port::History;

use crate::activity::Activity;
use crate::signals::Signals;
use crate::{Bot, Halt, departures};

/// The pauses between tries to register commands.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// How often the journal is tried.
const PROBE_EVERY: Duration = Duration::from_secs(55);

/// How often old rows are deleted, in probes.
const SWEEP_EVERY: u32 = 65;

/// How many channels of a silent shard are asked whether it is deaf.
const ASKED: usize = 3;

/// Looks after the bot until it ends.
pub(crate) async fn run(bot: Arc<Bot>, signals: Signals, activity: Activity) {
    let mut round = 0;
    loop {
        tokio::select! {
            () = signals.closing.cancelled() => return,
            () = bot.clock.sleep(PROBE_EVERY) => {}
        }
        probe(&bot, &signals).await;
        bound_memory(&bot, &signals);
        if round % SWEEP_EVERY == 0 {
            sweep(&bot).await;
            departures::settle(&bot).await;
        }
        round += 1;
        for shard in bot.link.silent() {
            if is_deaf(&bot, &activity, shard).await {
                tracing::warn!(
                    shard,
                    "a shard brings nothing although people talk; reconnecting"
                );
                metrics::counter!("gateway_deaf_total").increment(1);
                bot.link.reconnect(shard);
            }
        }
    }
}

/// Tells Discord which commands there are, until it takes them.
pub(crate) async fn register_commands(bot: Arc<Bot>, signals: Signals) {
    let commands = bot.actions.commands();
    let mut pause = FIRST_PAUSE;
    loop {
        let registered = tokio::select! {
            biased;
            // The next start goes on.
            () = signals.closing.cancelled() => return,
            registered = bot.responses.register(&commands) => registered,
        };
        match registered {
            Ok(0) => return,
            Ok(changed) => {
                tracing::info!(changed, "commands were registered");
                return;
            }
            Err(error) => tracing::warn!(%error, "commands could not be registered"),
        }
        tokio::select! {
            () = signals.closing.cancelled() => return,
            () = bot.clock.sleep(pause) => pause = (pause * 2).min(LONGEST_PAUSE),
        }
    }
}

/// Whether the journal can be written is found out before it matters.
async fn probe(bot: &Bot, signals: &Signals) {
    let probed = bot.store.probe().await;
    bot.health.journal_said(&probed);
    if let Err(error) = probed {
        tracing::error!(%error, "the journal cannot be written");
        // Nothing can be said any more, and somebody else says it.
        if matches!(error, StoreError::Superseded { .. }) {
            signals.halt(Halt::Superseded);
        }
    }
}

/// Keeps the process from growing until the machine ends it.
fn bound_memory(bot: &Bot, signals: &Signals) {
    let bounds = bot.setup.borrow().memory;
    let Some(resident) = (bounds.resident)() else {
        return;
    };
    let megabytes = resident >> 20;
    if bounds.hard.is_some_and(|hard| resident > hard) {
        tracing::error!(
            megabytes,
            "too much memory: the bot ends, to be started anew"
        );
        signals.halt(Halt::Memory { megabytes });
    } else if bounds.soft.is_some_and(|soft| resident > soft) {
        let forgotten = bot.window.forget_everything();
        metrics::counter!("memory_soft_limit_total").increment(1);
        tracing::warn!(
            megabytes,
            forgotten,
            "much memory: what was said is read again"
        );
    }
}

async fn sweep(bot: &Bot) {
    let retention = bot.setup.borrow().retention;
    match bot.store.sweep(&retention, bot.clock.now()).await {
        Ok(0) => {}
        Ok(rows) => tracing::info!(rows, "old rows were deleted"),
        Err(error) => tracing::warn!(%error, "old rows cannot be deleted"),
    }
}

/// Whether something was said that a shard did not bring.
async fn is_deaf(bot: &Bot, activity: &Activity, shard: u32) -> bool {
    let mine = |scope| bot.link.shard_of(scope) == shard;
    for (scope, channel, last) in activity.newest(ASKED, mine) {
        let newer = bot.chat.history(scope, channel, History::After(last), 1);
        if matches!(newer.await, Ok(newer) if !newer.is_empty()) {
            return true;
        }
    }
    false
}
