//! "Kaiwa is typing", shown while there is more to come and never after.

use std::time::Duration;

use kaiwa_domain::{ChannelId, ChatError};
use tokio::sync::watch;

use crate::Bot;

/// Discord shows typing for ten seconds; renewing after eight leaves no gap.
const RENEW: Duration = Duration::from_secs(8);

/// How long after a message the indicator comes back. Lines of others that are
/// complete at the same moment go first, and a line that follows at once needs
/// no indicator.
const AFTER_MESSAGE: Duration = Duration::from_millis(300);

/// How soon to try again where there was no room among other requests: many are
/// answered at once then, and their first lines, which come within the next
/// seconds, need the room more.
const AGAIN: Duration = Duration::from_secs(5);

/// What there is to say and what was shown of it. A message from us hides the
/// indicator on Discord's side, so it is wanted again only for later text.
#[derive(Debug)]
pub(crate) struct Typing {
    progress: watch::Sender<TypingProgress>,
}

#[derive(Debug, Default)]
struct TypingProgress {
    /// How far the text has come.
    heard: TypingMark,
    /// How far it had come when the last message shown was queued.
    shown: Option<TypingMark>,
}

/// A point in the text of an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct TypingMark(u64);

impl TypingProgress {
    fn wants_typing(&self) -> bool {
        self.shown.is_none_or(|shown| shown < self.heard)
    }
}

impl Typing {
    /// Typing is wanted from the start.
    pub(crate) fn new() -> Self {
        Self {
            progress: watch::Sender::default(),
        }
    }

    /// There is more to say; the mark is where it ends so far.
    pub(crate) fn more(&self) -> TypingMark {
        // Most deltas change nothing, and wake nobody.
        self.progress.send_if_modified(|progress| {
            let before = progress.wants_typing();
            progress.heard.0 += 1;
            progress.wants_typing() != before
        });
        self.mark()
    }

    /// Where the text is now.
    pub(crate) fn mark(&self) -> TypingMark {
        self.progress.borrow().heard
    }

    /// What was said up to `mark` is up, which hid the indicator.
    pub(crate) fn hidden(&self, mark: TypingMark) {
        self.progress
            .send_modify(|progress| progress.shown = Some(mark));
    }

    /// Keeps the indicator up while it is wanted. Never completes: it ends by
    /// being dropped, whichever way the turn goes.
    pub(crate) async fn show(&self, bot: &Bot, channel: ChannelId) {
        let mut progress = self.progress.subscribe();
        let mut hidden = None;
        loop {
            let wanted = progress.wait_for(TypingProgress::wants_typing).await;
            let Ok(shown) = wanted.map(|progress| progress.shown) else {
                return std::future::pending().await;
            };
            if hidden != shown {
                hidden = shown;
                bot.clock.sleep(AFTER_MESSAGE).await;
                continue;
            }
            let pause = match bot.chat.typing(channel).await {
                Ok(()) => RENEW,
                Err(ChatError::Limited { .. }) => AGAIN,
                Err(error) => {
                    tracing::debug!(%error, "typing was not shown");
                    RENEW
                }
            };
            tokio::select! {
                () = bot.clock.sleep(pause) => {}
                _ = progress.wait_for(|progress| progress.shown != shown) => {}
            }
        }
    }
}
