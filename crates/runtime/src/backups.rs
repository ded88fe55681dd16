//! The database is read through for damage and copied, once a day.
//!
//! A small file is read through before it is opened; a large one would delay
//! the start, and is read here, where nobody waits for it.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::{Moment, StoreError};

use crate::Bot;
use crate::signals::Signals;

/// How long after the start it is looked at first: whoever starts a bot has
/// other work for the disk.
const FIRST: Duration = Duration::from_secs(60);

/// How often it is looked at whether something is due, and so how soon what
/// failed is tried again.
const EVERY: Duration = Duration::from_secs(3600);

/// How often the database is read through.
const EXAMINED_EVERY: Duration = Duration::from_secs(24 * 3600);

pub(crate) async fn run(bot: Arc<Bot>, signals: Signals) {
    let mut examined = None;
    let mut pause = FIRST;
    loop {
        tokio::select! {
            () = signals.closing.cancelled() => return,
            () = bot.clock.sleep(pause) => pause = EVERY,
        }
        tokio::select! {
            // Nothing stays of a backup that is not finished.
            () = signals.closing.cancelled() => return,
            cared = care(&bot, &mut examined) => report(&bot, &cared),
        }
    }
}

/// Reads the database through if that is due, and copies it if that is. One
/// that is damaged is not copied: a good copy might have to go for it.
async fn care(bot: &Bot, examined: &mut Option<Moment>) -> Result<bool, StoreError> {
    let now = bot.clock.moment();
    if examined.is_none_or(|last| now.since(last) >= EXAMINED_EVERY) {
        bot.backups.examine().await?;
        *examined = Some(now);
    }
    let keep = bot.setup.borrow().retention.backups;
    match keep {
        0 => Ok(false),
        keep => bot.backups.back_up(keep, bot.clock.now()).await,
    }
}

fn report(bot: &Bot, cared: &Result<bool, StoreError>) {
    bot.health.storage_said(cared);
    match cared {
        Ok(false) => {}
        Ok(true) => {
            metrics::counter!("backups_total").increment(1);
            tracing::info!("the database was backed up");
        }
        Err(error) => {
            metrics::counter!("backup_failures_total").increment(1);
            tracing::error!(%error, "the database is not backed up");
        }
    }
}
