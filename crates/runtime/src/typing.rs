//! "Kaiwa is typing", shown while there is more to come and never after.

use std::time::Duration;

use kaiwa_domain::ChannelId;
use tokio::sync::watch;

use crate::Bot;

/// Discord shows typing for ten seconds; renewing after eight leaves no gap.
const RENEW: Duration = Duration::from_secs(8);

/// Whether typing should be showing. A message from us hides it on Discord's
/// side, so it is wanted again only when there is more to say.
#[derive(Debug)]
pub(crate) struct Typing {
    wanted: watch::Sender<bool>,
}

impl Typing {
    /// Typing is wanted from the start.
    pub(crate) fn new() -> Self {
        Self {
            wanted: watch::Sender::new(true),
        }
    }

    /// There is more to say.
    pub(crate) fn more(&self) {
        self.wanted
            .send_if_modified(|wanted| !std::mem::replace(wanted, true));
    }

    /// A message went up, which hid the indicator.
    pub(crate) fn hidden(&self) {
        self.wanted
            .send_if_modified(|wanted| std::mem::replace(wanted, false));
    }

    /// Keeps the indicator up while it is wanted. Never completes: it ends by
    /// being dropped, whichever way the turn goes.
    pub(crate) async fn show(&self, bot: &Bot, channel: ChannelId) {
        let mut wanted = self.wanted.subscribe();
        loop {
            if wanted.wait_for(|wanted| *wanted).await.is_err() {
                return std::future::pending().await;
            }
            if let Err(error) = bot.chat.typing(channel).await {
                tracing::debug!(%error, "typing was not shown");
            }
            tokio::select! {
                () = bot.clock.sleep(RENEW) => {}
                _ = wanted.wait_for(|wanted| !*wanted) => {}
            }
        }
    }
}
