//! What was heard where, and when: bounded, and forgotten with the process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kaiwa_domain::{ChannelId, Message, MessageId, Scope};

/// How many channels are remembered. The least recent ones are forgotten.
const CHANNELS: usize = 4096;

/// The channels in which something was said since the start. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Activity {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    channels: HashMap<ChannelId, (Scope, MessageId)>,
}

impl Activity {
    /// Something was said.
    pub(crate) fn message(&self, message: &Message) {
        let mut state = self.lock();
        let last = state.channels.entry(message.channel);
        let (_, last) = last.or_insert((message.scope, message.id));
        *last = (*last).max(message.id);
        if state.channels.len() > CHANNELS {
            let mut ages: Vec<MessageId> = state.channels.values().map(|(_, id)| *id).collect();
            let middle = ages.len() / 2;
            let (_, median, _) = ages.select_nth_unstable(middle);
            let median = *median;
            state.channels.retain(|_, (_, id)| *id >= median);
        }
    }

    /// The last message that was heard in a channel.
    pub(crate) fn last_in(&self, channel: ChannelId) -> Option<MessageId> {
        self.lock().channels.get(&channel).map(|(_, id)| *id)
    }

    /// Of the channels of some scopes those with the newest messages, newest
    /// first.
    pub(crate) fn newest(
        &self,
        count: usize,
        of: impl Fn(Scope) -> bool,
    ) -> Vec<(Scope, ChannelId, MessageId)> {
        let state = self.lock();
        let mut channels: Vec<_> = state
            .channels
            .iter()
            .map(|(channel, (scope, message))| (*scope, *channel, *message))
            .filter(|(scope, ..)| of(*scope))
            .collect();
        channels.sort_unstable_by_key(|(_, _, message)| std::cmp::Reverse(*message));
        channels.truncate(count);
        channels
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::{Author, AuthorKind, GuildId, UserId};

    fn said(channel: u64, id: u64) -> Message {
        let author = Author {
            id: UserId::new(2),
            name: "Ada".into(),
            kind: AuthorKind::Human,
            roles: Vec::new(),
        };
        let scope = Scope::Guild(GuildId::new(1));
        let (id, channel) = (MessageId::new(id), ChannelId::new(channel));
        Message::new(id, scope, channel, author, String::new())
    }

    #[test]
    fn the_newest_channels_are_known_and_the_rest_is_bounded() {
        let activity = Activity::default();
        for id in 1..20_000 {
            activity.message(&said(id % 10_000, id));
        }
        assert!(activity.newest(2, |_| false).is_empty());
        let newest = activity.newest(2, |_| true);
        let ids: Vec<u64> = newest.iter().map(|(_, _, id)| id.get()).collect();
        assert_eq!(ids, [19_999, 19_998]);
        assert!(activity.lock().channels.len() <= CHANNELS);

        activity.message(&said(9_999, 5));
        let last = activity.last_in(ChannelId::new(9_999));
        assert_eq!(last, Some(MessageId::new(19_999)), "late news is no news");
    }
}
