//! Tells when nothing could run: something computes where everything else
//! waits, or the machine was asleep or has too much to do.

use std::time::Duration;

use ::metrics::counter;
use tokio::time::{Instant, sleep};

const LOOK: Duration = Duration::from_millis(100);

/// From how late on it is told.
const STALL: Duration = Duration::from_millis(250);

/// Logs and counts stalls for as long as it is polled.
pub async fn watch_stalls() {
    loop {
        let begun = Instant::now();
        sleep(LOOK).await;
        let late = begun.elapsed().saturating_sub(LOOK);
        if late > STALL {
            counter!("event_loop_stalls_total").increment(1);
            tracing::warn!(?late, "nothing ran for a while: too much work, or sleep");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install_metrics;

    #[tokio::test]
    async fn a_thread_that_is_kept_busy_is_counted() {
        let metrics = install_metrics().unwrap();
        let stalls = || {
            let text = metrics.render();
            let line = text.lines().find(|it| it.starts_with("event_loop_stalls"));
            line.map(|it| it.split(' ').next_back().unwrap().to_owned())
        };
        for (busy, counted) in [(Duration::ZERO, None), (STALL * 2, Some("1"))] {
            let watched = tokio::time::timeout(LOOK * 2, watch_stalls());
            let work = async {
                tokio::task::yield_now().await;
                std::thread::sleep(busy);
            };
            let (_, ()) = tokio::join!(watched, work);
            assert_eq!(stalls().as_deref(), counted, "{busy:?}");
        }
    }
}
