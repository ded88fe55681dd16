//! What every long-running command needs around its bot: tasks, health,
//! metrics, and an orderly end.

use std::time::Duration;

use anyhow::Result;
use axum::Router;
use kaiwa_runtime::Tasks;
use kaiwa_web::{Health, HealthReporter, HealthState, Metrics};
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
    health: HealthReporter,
}

impl Process {
    /// Starts measuring. The router serves `/healthz` and `/metrics`.
    pub(crate) fn start() -> Result<(Self, Router)> {
        let metrics = kaiwa_web::install_metrics()?;
        let (reporter, health) = Health::new();
        let process = Self {
            tasks: Tasks::new(),
            shutdown: CancellationToken::new(),
            health: reporter,
        };
        let upkeep = keep_up(metrics.clone(), process.shutdown.clone());
        process.tasks.spawn("metrics", upkeep);
        Ok((process, kaiwa_web::observability(health, metrics)))
    }

    /// Everything is up.
    pub(crate) fn is_ready(&self) {
        self.health.set(HealthState::Ok);
    }

    /// Ends the bot, then everything else. A second Ctrl-C ends it at once.
    pub(crate) async fn end(self, bot: RunningBot) -> Result<()> {
        self.health.set(HealthState::Stopping);
        let stopped = console::unless_pressed(async {
            let stopped = bot.stop().await;
            self.shutdown.cancel();
            self.tasks.ended().await;
            stopped
        });
        stopped.await?
    }
}

/// Keeps the metrics' memory small whether or not anybody reads them.
async fn keep_up(metrics: Metrics, shutdown: CancellationToken) {
    let pause = || shutdown.run_until_cancelled(tokio::time::sleep(UPKEEP));
    while pause().await.is_some() {
        metrics.upkeep();
    }
}
