//! Whose direct messages a channel holds.
//!
//! Discord says so only with what the other person writes. It is remembered,
//! within bounds, for the events that do not tell: our own messages, and
//! deletions.

use std::collections::HashMap;

use kaiwa_domain::{ChannelId, Me, Scope, UserId};

/// How many channels are remembered. Then all are forgotten but the newest
/// half: the ids of channels grow with time.
const CHANNELS: usize = 8192;

/// The direct-message channels that are known.
#[derive(Debug, Default)]
pub(super) struct DmScopes(HashMap<ChannelId, UserId>);

impl DmScopes {
    /// Whose data something in `channel` is, that `user` did.
    pub(super) fn of(
        &mut self,
        me: &Me,
        channel: ChannelId,
        user: Option<UserId>,
    ) -> Option<Scope> {
        match user {
            Some(user) if !me.is(user) => {
                self.learn(channel, user);
                Some(Scope::Dm(user))
            }
            _ => self.0.get(&channel).copied().map(Scope::Dm),
        }
    }

    fn learn(&mut self, channel: ChannelId, user: UserId) {
        if self.0.len() >= CHANNELS && !self.0.contains_key(&channel) {
            let mut ids: Vec<ChannelId> = self.0.keys().copied().collect();
            let middle = ids.len() / 2;
            let (_, median, _) = ids.select_nth_unstable(middle);
            let median = *median;
            self.0.retain(|id, _| *id >= median);
        }
        self.0.insert(channel, user);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_channel_is_known_once_the_other_person_has_written() {
        let me = Me {
            id: UserId::new(1),
            name: "Kaiwa".into(),
        };
        let mut dms = DmScopes::default();
        let (here, ada) = (ChannelId::new(7), UserId::new(2));
        assert_eq!(dms.of(&me, here, None), None);
        assert_eq!(dms.of(&me, here, Some(UserId::new(1))), None);
        assert_eq!(dms.of(&me, here, Some(ada)), Some(Scope::Dm(ada)));
        assert_eq!(
            dms.of(&me, here, Some(UserId::new(1))),
            Some(Scope::Dm(ada))
        );
        assert_eq!(dms.of(&me, here, None), Some(Scope::Dm(ada)));
        for id in 0..20_000 {
            dms.of(&me, ChannelId::new(100 + id), Some(ada));
        }
        assert!(dms.0.len() <= CHANNELS);
    }
}
