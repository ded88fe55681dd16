//! What was refused stays refused: written down, so that a restart does not
//! answer what the process before it would not.
//!
//! A crowd may be refused thousands of times in a second. One task writes what
//! has come together since it last wrote, the newest of each person in each
//! channel, so there are few writes and few rows; when it cannot keep up,
//! those who ask wait for it.

use std::collections::HashMap;
use std::sync::Arc;

use kaiwa_domain::{ChannelId, DecisionRecord, Message, UserId};
use tokio::sync::mpsc;

use crate::{Bot, Tasks};

/// How many refusals may wait to be written.
const WAITING: usize = 1024;

/// How many decisions of a channel are read at most: no more messages of it
/// are read after a restart.
const READ: u16 = 300;

/// The outcome by which refusals are found again.
const REFUSED: &str = "refused";

/// Writes refusals down.
#[derive(Debug)]
pub(crate) struct RefusalLog(mpsc::Sender<DecisionRecord>);

impl RefusalLog {
    /// Starts the task that writes. It ends once everything is written and
    /// nobody can add to it.
    pub(crate) fn start(bot: Arc<Bot>, tasks: &Tasks) -> Self {
        let (sender, mut waiting) = mpsc::channel(WAITING);
        tasks.spawn("refusals", async move {
            let mut together = Vec::with_capacity(WAITING);
            while waiting.recv_many(&mut together, WAITING).await > 0 {
                let newest = newest(together.drain(..));
                let written = bot.decision_journal.record_refusals(&newest).await;
                if let Err(error) = written {
                    tracing::warn!(%error, "refusals were not recorded");
                }
            }
        });
        Self(sender)
    }

    /// Has one written.
    pub(crate) async fn write(&self, refusal: DecisionRecord) {
        // Without the task there is no bot any more.
        let _ = self.0.send(refusal).await;
    }
}

/// The newest of each person in each channel.
fn newest(refusals: impl Iterator<Item = DecisionRecord>) -> Vec<DecisionRecord> {
    let mut newest: HashMap<(ChannelId, UserId), DecisionRecord> = HashMap::new();
    for refusal in refusals {
        newest.insert((refusal.channel, refusal.user), refusal);
    }
    newest.into_values().collect()
}

/// Those messages of a channel that no process has refused, nor decided on
/// before it refused a later one of the same person.
pub(crate) async fn undecided(
    bot: &Bot,
    channel: ChannelId,
    mut messages: Vec<Message>,
) -> Vec<Message> {
    if messages.is_empty() {
        return messages;
    }
    let decisions = match bot.decision_journal.decisions(channel, READ).await {
        Ok(decisions) => decisions,
        Err(error) => {
            tracing::warn!(%channel, %error, "what was refused here cannot be read");
            return messages;
        }
    };
    let mut refused: HashMap<UserId, u64> = HashMap::new();
    for decision in decisions.iter().filter(|it| it.outcome == REFUSED) {
        if let Some(message) = decision.trigger.message() {
            let last = refused.entry(decision.user).or_default();
            *last = (*last).max(message.get());
        }
    }
    messages.retain(|message| {
        let last = refused.get(&message.author.id);
        last.is_none_or(|last| message.id.get() > *last)
    });
    messages
}
