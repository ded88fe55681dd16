//! Cases: what was done to members of a guild, and for how long.
//!
//! A case is a row before anything is done, and is settled by what Discord
//! says. That of a ban stays open until the ban is lifted: it is what remembers
//! to lift it.
//!
//! ```text
//! asked → done | refused         and for a ban:  done → lifted
//! ```

use std::collections::BTreeMap;
use std::fmt;

use crate::{Scope, Timestamp, TurnId, UserId};

/// The longest reason of a case.
pub const REASON_CHARS: usize = 400;

/// What was done to somebody.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CaseKind {
    /// They were warned.
    Warning,
    /// They could not write for a while.
    Timeout,
    /// They had to leave.
    Kick,
    /// They had to leave and stay away.
    Ban,
    /// They may come back.
    Unban,
}

/// The names of the kinds, as they are stored.
const KINDS: [(CaseKind, &str); 5] = [
    (CaseKind::Warning, "warning"),
    (CaseKind::Timeout, "timeout"),
    (CaseKind::Kick, "kick"),
    (CaseKind::Ban, "ban"),
    (CaseKind::Unban, "unban"),
];

impl CaseKind {
    /// A name that does not change.
    pub const fn name(self) -> &'static str {
        KINDS[self as usize].1
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let kind = KINDS.iter().find(|(_, known)| *known == name);
        kind.map(|(kind, _)| *kind)
    }
}

impl fmt::Display for CaseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How far a case has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaseState {
    /// Discord was asked, or is about to be; what it said is not known.
    Asked,
    /// It was done. A ban lasts.
    Done,
    /// A ban that lasts no longer.
    Lifted,
    /// Discord would not do it.
    Refused,
}

/// The names of the states, as they are stored.
const STATES: [(CaseState, &str); 4] = [
    (CaseState::Asked, "asked"),
    (CaseState::Done, "done"),
    (CaseState::Lifted, "lifted"),
    (CaseState::Refused, "refused"),
];

impl CaseState {
    /// A name that does not change.
    pub const fn name(self) -> &'static str {
        STATES[self as usize].1
    }

    /// The state of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let state = STATES.iter().find(|(_, known)| *known == name);
        state.map(|(state, _)| *state)
    }
}

/// Something that is about to be done to somebody.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewCase {
    /// The guild.
    pub scope: Scope,
    /// The turn that wants it: a second case of the same turn, kind and person
    /// is the first one.
    pub turn: TurnId,
    /// What.
    pub kind: CaseKind,
    /// To whom.
    pub user: UserId,
    /// Who asked for it.
    pub moderator: UserId,
    /// Why, in their words.
    pub reason: String,
    /// When.
    pub at: Timestamp,
    /// When it ends by itself, if it does.
    pub until: Option<Timestamp>,
}

/// Something that was done to somebody, or asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The guild.
    pub scope: Scope,
    /// Its number in the guild, from 1.
    pub number: u32,
    /// What.
    pub kind: CaseKind,
    /// To whom.
    pub user: UserId,
    /// Who asked for it, unless they had themselves forgotten.
    pub moderator: Option<UserId>,
    /// Why, in their words.
    pub reason: String,
    /// When.
    pub at: Timestamp,
    /// When it ends by itself, if it does.
    pub until: Option<Timestamp>,
    /// How far it has come.
    pub state: CaseState,
}

impl Case {
    /// Whether it is a ban that may still last.
    pub const fn is_open_ban(&self) -> bool {
        matches!(self.kind, CaseKind::Ban)
            && matches!(self.state, CaseState::Asked | CaseState::Done)
    }

    /// What Discord's audit log says about it.
    pub fn audit_reason(&self) -> String {
        format!("{CASE_MARK}{}: {}", self.number, self.reason)
    }
}

/// What the reasons of our cases begin with in Discord's audit log.
const CASE_MARK: &str = "Kaiwa case ";

/// Whether a ban with this reason is one of our cases. One that is not was made
/// by somebody else, and is not ours to lift.
pub fn is_ban_of_ours(reason: &str) -> bool {
    reason.starts_with(CASE_MARK)
}

/// When a ban ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum BanEnd {
    /// At a moment.
    At(Timestamp),
    /// Not by itself.
    Never,
}

impl From<Option<Timestamp>> for BanEnd {
    fn from(until: Option<Timestamp>) -> Self {
        until.map_or(Self::Never, Self::At)
    }
}

/// Who is banned from a guild, and until when: the longest of somebody's open
/// bans counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BanRegister {
    ends: BTreeMap<UserId, BanEnd>,
}

impl BanRegister {
    /// From the cases of one guild, of which only open bans count.
    pub fn new<'a>(cases: impl IntoIterator<Item = &'a Case>) -> Self {
        let mut ends = BTreeMap::new();
        for case in cases.into_iter().filter(|case| case.is_open_ban()) {
            let end = BanEnd::from(case.until);
            let known = ends.entry(case.user).or_insert(end);
            *known = (*known).max(end);
        }
        Self { ends }
    }

    /// When somebody's ban ends, if there is one.
    pub fn end_of(&self, user: UserId) -> Option<BanEnd> {
        self.ends.get(&user).copied()
    }

    /// Whose bans have come to their end.
    pub fn due(&self, now: Timestamp) -> impl Iterator<Item = UserId> {
        let due = move |end: &BanEnd| matches!(end, BanEnd::At(at) if *at <= now);
        let ends = self.ends.iter();
        ends.filter(move |(_, end)| due(end)).map(|(user, _)| *user)
    }

    /// When the next ban ends that lasts at a moment.
    pub fn next_end_after(&self, now: Timestamp) -> Option<Timestamp> {
        let ends = self.ends.values().filter_map(|end| match end {
            BanEnd::At(at) => Some(*at),
            BanEnd::Never => None,
        });
        ends.filter(|at| *at > now).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GuildId, SeededDice, port::Dice};

    const fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1000)
    }

    fn ban(user: u64, until: Option<i64>, state: CaseState) -> Case {
        Case {
            scope: Scope::Guild(GuildId::new(1)),
            number: 1,
            kind: CaseKind::Ban,
            user: UserId::new(user),
            moderator: None,
            reason: "tea was spilt".into(),
            at: at(0),
            until: until.map(at),
            state,
        }
    }

    #[test]
    fn names_read_back() {
        for (place, (kind, name)) in KINDS.into_iter().enumerate() {
            assert_eq!(kind as usize, place);
            assert_eq!(CaseKind::from_name(name), Some(kind));
            assert_eq!(kind.name(), name);
        }
        for (place, (state, name)) in STATES.into_iter().enumerate() {
            assert_eq!(state as usize, place);
            assert_eq!(CaseState::from_name(name), Some(state));
            assert_eq!(state.name(), name);
        }
        assert_eq!(CaseKind::from_name("?"), None);
    }

    #[test]
    fn a_ban_of_ours_is_known_by_its_reason() {
        let ours = ban(1, None, CaseState::Done).audit_reason();
        assert_eq!(ours, "Kaiwa case 1: tea was spilt");
        assert!(is_ban_of_ours(&ours));
        for other in ["", "spam", "see Kaiwa case 1: x"] {
            assert!(!is_ban_of_ours(other), "{other}");
        }
    }

    #[test]
    fn the_longest_open_ban_counts() {
        use CaseState::{Asked, Done, Lifted, Refused};
        let check = |bans: &[(Option<i64>, CaseState)], expected: Option<BanEnd>| {
            let cases: Vec<Case> = bans.iter().map(|it| ban(7, it.0, it.1)).collect();
            let register = BanRegister::new(&cases);
            assert_eq!(register.end_of(UserId::new(7)), expected, "{bans:?}");
        };
        let until = |seconds| Some(BanEnd::At(at(seconds)));
        check(&[], None);
        check(&[(Some(5), Done)], until(5));
        check(&[(Some(5), Done), (Some(3), Done)], until(5));
        check(&[(Some(3), Done), (Some(5), Done)], until(5));
        check(&[(Some(5), Done), (None, Done)], Some(BanEnd::Never));
        // What Discord said is not known: it may have been done.
        check(&[(Some(3), Done), (Some(5), Asked)], until(5));
        check(&[(Some(3), Done), (Some(5), Refused)], until(3));
        check(&[(Some(3), Lifted), (None, Refused)], None);
        let mut warned = ban(7, Some(5), Done);
        warned.kind = CaseKind::Timeout;
        assert_eq!(BanRegister::new([&warned]).end_of(UserId::new(7)), None);
    }

    /// Somebody is let back exactly when none of their open bans lasts.
    #[test]
    fn nobody_comes_back_early_or_is_forgotten() {
        let mut dice = SeededDice::new(4);
        for _ in 0..2_000 {
            let states = [
                CaseState::Asked,
                CaseState::Done,
                CaseState::Lifted,
                CaseState::Refused,
            ];
            let count = dice.roll(8);
            let cases: Vec<Case> = (0..count)
                .map(|_| {
                    let until = (dice.roll(5) > 0).then(|| i64::from(dice.roll(10)));
                    let state = states[dice.roll(4) as usize];
                    ban(u64::from(dice.roll(3)), until, state)
                })
                .collect();
            let register = BanRegister::new(&cases);
            let now = at(i64::from(dice.roll(12)));
            let due: Vec<UserId> = register.due(now).collect();
            for user in (0..3).map(UserId::new) {
                let open = || {
                    cases
                        .iter()
                        .filter(|it| it.is_open_ban() && it.user == user)
                };
                let over = open().all(|it| it.until.is_some_and(|until| until <= now));
                let expected = over && open().count() > 0;
                assert_eq!(due.contains(&user), expected, "{cases:?} {now:?}");
            }
            if let Some(next) = register.next_end_after(now) {
                assert!(register.due(next).count() > due.len(), "{cases:?}");
            }
        }
    }
}
