//! People who joined a guild, and what is still owed to them.

use std::collections::VecDeque;
use std::time::Duration;

use crate::{Moment, RoleId, Scope, Timestamp, UserId};

/// Somebody who joined, until nothing is owed to them any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Newcomer {
    /// The guild.
    pub scope: Scope,
    /// Who.
    pub user: UserId,
    /// When they joined.
    pub joined_at: Timestamp,
    /// When they are to be welcomed, if they still are.
    pub welcome_at: Option<Timestamp>,
    /// The role for everybody who joins, if they have not got it.
    pub role: Option<RoleId>,
    /// How many messages they have written since.
    pub messages: u32,
    /// Whether they have the role for those who stay, or will never get it.
    pub promoted: bool,
}

impl Newcomer {
    /// Whether anything is left to do for them.
    pub const fn is_owed(&self) -> bool {
        self.welcome_at.is_some() || self.role.is_some() || !self.promoted
    }
}

/// Who gets the role for those who stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AutoRole {
    /// The role.
    pub role: RoleId,
    /// After how long.
    pub after: Duration,
    /// After how many messages.
    pub messages: u32,
    /// Whether one of the two is enough.
    pub either: bool,
}

impl AutoRole {
    /// Whether it is time.
    pub fn is_due(&self, newcomer: &Newcomer, now: Timestamp) -> bool {
        let old = now.since(newcomer.joined_at) >= self.after;
        let active = newcomer.messages >= self.messages;
        match self.either {
            true => old || active,
            false => old && active,
        }
    }
}

/// How many are welcomed in a guild within [`RAID_WINDOW`].
const WELCOMES: usize = 5;

/// Over how long joins are counted.
const RAID_WINDOW: Duration = Duration::from_secs(60);

/// Keeps a guild from drowning in welcomes when many join at once: a few are
/// welcomed, then nobody until it is quiet again.
#[derive(Clone, Debug, Default)]
pub struct RaidGuard {
    /// When somebody was to be welcomed, oldest first.
    joins: VecDeque<Moment>,
    silent: bool,
}

/// Whether somebody is welcomed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Welcome {
    /// They are.
    Said,
    /// They are not.
    Silent {
        /// Whether they are the first who are not.
        first: bool,
    },
}

impl RaidGuard {
    /// Somebody is to be welcomed now.
    pub fn arrives(&mut self, now: Moment) -> Welcome {
        self.joins.retain(|at| now.since(*at) < RAID_WINDOW);
        // Whoever is not welcomed counts as well: a raid that goes on keeps the
        // guild silent.
        if self.joins.len() > WELCOMES {
            self.joins.pop_front();
        }
        self.joins.push_back(now);
        if self.joins.len() <= WELCOMES {
            self.silent = false;
            return Welcome::Said;
        }
        let first = !std::mem::replace(&mut self.silent, true);
        Welcome::Silent { first }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GuildId;

    const DAY: Duration = Duration::from_secs(24 * 3600);

    #[test]
    fn age_and_activity_decide_about_the_role() {
        let check = |either: bool, days: i64, messages: u32, expected: bool| {
            let newcomer = Newcomer {
                scope: Scope::Guild(GuildId::new(1)),
                user: UserId::new(2),
                joined_at: Timestamp::from_millis(0),
                welcome_at: None,
                role: None,
                messages,
                promoted: false,
            };
            let rule = AutoRole {
                role: RoleId::new(3),
                after: 3 * DAY,
                messages: 20,
                either,
            };
            let now = Timestamp::from_millis(days * DAY.as_millis() as i64);
            let due = rule.is_due(&newcomer, now);
            assert_eq!(due, expected, "{either} {days} {messages}");
        };
        check(false, 3, 20, true);
        check(false, 2, 20, false);
        check(false, 3, 19, false);
        check(true, 3, 0, true);
        check(true, 0, 20, true);
        check(true, 2, 19, false);
    }

    #[test]
    fn a_raid_is_met_with_silence_until_it_is_over() {
        let mut guard = RaidGuard::default();
        let at = |seconds: u64| Moment::new(Duration::from_secs(seconds));
        let mut verdicts = Vec::new();
        for second in 0..100 {
            verdicts.push(guard.arrives(at(second)));
        }
        assert!(verdicts[..5].iter().all(|it| *it == Welcome::Said));
        assert_eq!(verdicts[5], Welcome::Silent { first: true });
        let rest = &verdicts[6..];
        assert!(
            rest.iter()
                .all(|it| *it == Welcome::Silent { first: false })
        );
        // A minute of quiet.
        assert_eq!(guard.arrives(at(160)), Welcome::Said);
        assert!(guard.joins.len() <= WELCOMES + 1);
    }

    #[test]
    fn those_who_trickle_in_are_all_welcomed() {
        let mut guard = RaidGuard::default();
        for join in 0..50 {
            let now = Moment::new(Duration::from_secs(join * 13));
            assert_eq!(guard.arrives(now), Welcome::Said, "{join}");
        }
    }
}
