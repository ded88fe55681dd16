//! Why something was answered, and why something was not: the last decisions,
//! for people who ask.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kaiwa_domain::{ChannelId, DecisionRecord, Scope, Timestamp, Trigger, UserId};

/// How many are remembered.
const KEPT: usize = 4096;

/// What was decided about one event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DecisionEntry {
    pub(crate) at: Timestamp,
    pub(crate) scope: Scope,
    pub(crate) channel: ChannelId,
    pub(crate) user: UserId,
    pub(crate) trigger: Trigger,
    /// What became of it: `admitted`, `ignored`, `refused`, `stop`.
    pub(crate) outcome: &'static str,
    /// Why, by a name that does not change.
    pub(crate) reason: &'static str,
}

impl DecisionEntry {
    pub(crate) fn record(&self) -> DecisionRecord {
        DecisionRecord {
            scope: self.scope,
            channel: self.channel,
            trigger: self.trigger,
            user: self.user,
            outcome: self.outcome.to_owned(),
            reason: self.reason.to_owned(),
            at: self.at,
        }
    }
}

/// The last decisions. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Decisions(Arc<Mutex<VecDeque<DecisionEntry>>>);

impl Decisions {
    pub(crate) fn note(&self, entry: DecisionEntry) {
        let mut all = self.lock();
        if all.len() >= KEPT {
            all.pop_front();
        }
        all.push_back(entry);
    }

    /// The last decisions of a channel, newest first.
    pub fn of_channel(&self, channel: ChannelId, most: usize) -> Vec<DecisionRecord> {
        let all = self.lock();
        let here = all.iter().rev().filter(|entry| entry.channel == channel);
        here.take(most).map(DecisionEntry::record).collect()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<DecisionEntry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::{GuildId, MessageId};

    #[test]
    fn the_newest_of_a_channel_come_first_and_memory_is_bounded() {
        let decisions = Decisions::default();
        for event in 0..10_000 {
            decisions.note(DecisionEntry {
                at: Timestamp::from_millis(0),
                scope: Scope::Guild(GuildId::new(1)),
                channel: ChannelId::new(event % 2),
                user: UserId::new(3),
                trigger: Trigger::Message(MessageId::new(event)),
                outcome: "ignored",
                reason: "not_addressed",
            });
        }
        let here = decisions.of_channel(ChannelId::new(1), 2);
        let events: Vec<u64> = here.iter().map(|entry| entry.trigger.number()).collect();
        assert_eq!(events, [9_999, 9_997]);
        assert_eq!(decisions.lock().len(), KEPT);
    }
}
