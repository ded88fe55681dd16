//! What every long-running command needs around its bot: tasks, health,
//! metrics, and an orderly end.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use axum::Router;
use kaiwa_runtime::{BotHealth, HealthCondition, Tasks};
use kaiwa_web::{Dependencies, Dependency, Health, HealthReporter, Metrics, ProcessPhase};
use tokio_util::sync::CancellationToken;

use crate::assembly::RunningBot;
use crate::console;

/// How often recorded samples are folded when nobody scrapes them.
const UPKEEP: Duration = Duration::from_secs(5);

pub(crate) struct Process {
    /// The tasks that end with the process.
    pub(crate) tasks: Tasks,
    /// Tells them to end.
    pub(crate) shutdown: CancellationToken,
    health: Arc<HealthReporter>,
}

impl Process {
    /// Starts measuring. The router serves `/healthz` and `/metrics`.
    pub(crate) fn start() -> Result<(Self, Router)> {
        let metrics = kaiwa_web::install_metrics()?;
        let (reporter, health) = Health::new();
        let process = Self {
            tasks: Tasks::new(),
            shutdown: CancellationToken::new(),
            health: Arc::new(reporter),
        };
        let upkeep = keep_up(metrics.clone(), process.shutdown.clone());
        process.tasks.spawn("metrics", upkeep);
        let stalls = kaiwa_web::watch_stalls();
        let stalls = process.shutdown.clone().run_until_cancelled_owned(stalls);
        process.tasks.spawn("stalls", stalls);
        Ok((process, kaiwa_web::observability(health, metrics)))
    }

    /// Everything is up. From here on `/healthz` says how the bot is.
    pub(crate) fn is_ready(&self, bot: &BotHealth) {
        let reporting = report(bot.clone(), self.health.clone());
        let reporting = self.shutdown.clone().run_until_cancelled_owned(reporting);
        self.tasks.spawn("health", reporting);
        self.health.parts(parts(bot.condition()));
        self.health.phase(ProcessPhase::Serving);
    }

    /// Ends the bot, then everything else. A second Ctrl-C ends it at once.
    pub(crate) async fn end(self, bot: RunningBot) -> Result<()> {
        self.health.phase(ProcessPhase::Stopping);
        let stopped = console::unless_pressed(async {
            let stopped = bot.stop().await;
            self.shutdown.cancel();
            self.tasks.ended().await;
            stopped
        });
        stopped.await?
    }
}

/// Tells what is up and what is down, whenever that changes.
async fn report(bot: BotHealth, health: Arc<HealthReporter>) {
    let mut condition = bot.watch();
    while condition.changed().await.is_ok() {
        let now = condition.borrow_and_update().clone();
        health.parts(parts(now));
    }
}

fn parts(condition: HealthCondition) -> Dependencies {
    Dependencies {
        gateway: gateway(&condition),
        journal: Dependency::unless(condition.journal),
        storage: Dependency::unless(condition.storage),
        model: Dependency::unless(condition.model),
    }
}

fn gateway(condition: &HealthCondition) -> Dependency {
    if condition.connected() {
        return Dependency::WORKS;
    }
    let all = condition.lost_shards.len() + condition.live_shards.len();
    let (lost, paused) = (&condition.lost_shards, &condition.paused_shards);
    let away = lost.union(paused).count();
    let mut reason = match away >= all {
        true => "not connected to Discord".to_owned(),
        false => format!("{away} of {all} shards not connected to Discord"),
    };
    if !paused.is_empty() {
        reason.push_str(": paused until what was heard can be dealt with");
    }
    if condition.short_of_sessions {
        reason.push_str(": almost no new sessions are left today");
    }
    Dependency::down(reason)
}

/// Keeps the metrics' memory small whether or not anybody reads them.
async fn keep_up(metrics: Metrics, shutdown: CancellationToken) {
    let pause = || shutdown.run_until_cancelled(tokio::time::sleep(UPKEEP));
    while pause().await.is_some() {
        metrics.upkeep();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(live: &[u32], lost: &[u32], reason: Option<&str>) {
        let condition = HealthCondition {
            live_shards: live.iter().copied().collect(),
            lost_shards: lost.iter().copied().collect(),
            ..HealthCondition::default()
        };
        assert_eq!(gateway(&condition).reason.as_deref(), reason);
    }

    #[test]
    fn a_lost_shard_is_told_apart_from_no_connection() {
        check(&[], &[], Some("not connected to Discord"));
        check(&[], &[0], Some("not connected to Discord"));
        check(&[0, 1], &[], None);
        check(
            &[0, 2],
            &[1],
            Some("1 of 3 shards not connected to Discord"),
        );
    }

    #[test]
    fn a_shard_is_paused_whether_or_not_it_was_lost() {
        fn check(live: &[u32], lost: &[u32], paused: &[u32], expected: &str) {
            let condition = HealthCondition {
                live_shards: live.iter().copied().collect(),
                lost_shards: lost.iter().copied().collect(),
                paused_shards: paused.iter().copied().collect(),
                ..HealthCondition::default()
            };
            let reason = gateway(&condition).reason.unwrap_or_default();
            let (which, why) = reason.split_once(": ").unwrap_or_default();
            assert_eq!(which, expected);
            assert_eq!(why, "paused until what was heard can be dealt with");
        }
        check(&[0], &[], &[0], "not connected to Discord");
        check(&[], &[0], &[0], "not connected to Discord");
        check(&[0, 1], &[], &[1], "1 of 2 shards not connected to Discord");
        check(
            &[0, 2],
            &[1],
            &[2],
            "2 of 3 shards not connected to Discord",
        );
    }

    #[test]
    fn shards_that_wait_for_sessions_are_told_as_such() {
        let mut condition = HealthCondition {
            lost_shards: [0].into(),
            short_of_sessions: true,
            ..HealthCondition::default()
        };
        let reason = "not connected to Discord: almost no new sessions are left today";
        assert_eq!(gateway(&condition).reason.as_deref(), Some(reason));
        condition.live_shards = [0].into();
        condition.lost_shards.clear();
        assert!(gateway(&condition).ok, "what is up stays up");
    }
}
