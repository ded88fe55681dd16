//! Pictures of personas that nobody uses any more are taken down from Discord,
//! once a day. Which those are follows from what is kept, so a restart forgets
//! none.

use std::sync::Arc;
use std::time::Duration;

use crate::Bot;
use crate::signals::Signals;

/// How long after the start that is first: whoever starts has other requests to
/// make.
const FIRST: Duration = Duration::from_secs(617);

/// How often it is, and so how soon what failed is tried again.
const EVERY: Duration = Duration::from_secs(24 * 3600);

pub(crate) async fn run(bot: Arc<Bot>, signals: Signals) {
    let mut pause = FIRST;
    loop {
        tokio::select! {
            () = signals.closing.cancelled() => return,
            () = bot.clock.sleep(pause) => pause = EVERY,
        }
        let swept = tokio::select! {
            () = signals.closing.cancelled() => return,
            swept = bot.chat.sweep_portraits() => swept,
        };
        match swept {
            Ok(0) => {}
            Ok(pictures) => tracing::info!(pictures, "pictures that nobody uses were taken down"),
            Err(error) => tracing::warn!(%error, "pictures that nobody uses cannot be taken down"),
        }
    }
}
