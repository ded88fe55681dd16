//! Roles, overwrites, owners, threads and timeouts.

use super::*;
use kaiwa_domain::SeededDice;
use kaiwa_domain::port::Dice;

const VIEW: u64 = 1 << 10;
const SEND: u64 = 1 << 11;
const TTS: u64 = 1 << 12;
const EMBED: u64 = 1 << 14;
const ATTACH: u64 = 1 << 15;
const HISTORY: u64 = 1 << 16;
const PING: u64 = 1 << 17;
const ADMIN: u64 = 1 << 3;
const REACT: u64 = 1 << 6;
const IN_THREADS: u64 = 1 << 38;
const KICK: u64 = 1 << 1;
const BAN: u64 = 1 << 2;
const CONNECT: u64 = 1 << 20;
const EVERYTHING: u64 = u64::MAX;

/// The guild, whose id is that of `@everyone`.
const GUILD: u64 = 1;
const OWNER: u64 = 100;
const USER: u64 = 101;
const NOW: i64 = 1_700_000_000_000;

/// An overwrite: of a role or a member, allowed, denied.
#[derive(Clone, Copy, Debug)]
struct Over(bool, u64, u64, u64);

const fn role(id: u64, allow: u64, deny: u64) -> Over {
    Over(true, id, allow, deny)
}

const fn member(id: u64, allow: u64, deny: u64) -> Over {
    Over(false, id, allow, deny)
}

#[derive(Clone, Debug)]
struct Case {
    user: u64,
    /// The roles of the guild, with what they grant.
    roles: Vec<(u64, u64)>,
    /// Those of the member.
    held: Vec<u64>,
    overwrites: Vec<Over>,
    thread: bool,
    voice: bool,
    /// When the timeout ends, in seconds from now.
    timeout: Option<i64>,
}

impl Case {
    fn plain(everyone: u64) -> Self {
        Self {
            user: USER,
            roles: vec![(GUILD, everyone), (2, 0), (3, 0)],
            held: vec![2],
            overwrites: Vec::new(),
            thread: false,
            voice: false,
            timeout: None,
        }
    }

    fn with(mut self, overwrites: &[Over]) -> Self {
        self.overwrites.extend(overwrites);
        self
    }

    fn computed(&self) -> u64 {
        let overwrites: Vec<_> = self
            .overwrites
            .iter()
            .map(|&Over(is_role, id, allow, deny)| PermissionOverwrite {
                allow: Permissions::from_bits_truncate(allow),
                deny: Permissions::from_bits_truncate(deny),
                id: Id::new(id),
                kind: match is_role {
                    true => PermissionOverwriteType::Role,
                    false => PermissionOverwriteType::Member,
                },
            })
            .collect();
        let roles = self.roles.iter().map(|&(id, bits)| RawRole {
            mentionable: false,
            id: Id::new(id),
            permissions: Permissions::from_bits_truncate(bits),
            position: 0,
        });
        let guild = GuildRoles {
            id: Id::new(GUILD),
            owner_id: Id::new(OWNER),
            roles: roles.collect(),
        };
        let until = |seconds| RawTimestamp::from_secs(NOW / 1000 + seconds).unwrap();
        let member = MemberRoles {
            roles: self.held.iter().copied().map(Id::new).collect(),
            communication_disabled_until: self.timeout.map(until),
        };
        let place = RightsContext {
            guild: &guild,
            overwrites: &overwrites,
            thread: self.thread,
            voice: self.voice,
        };
        let now = Timestamp::from_millis(NOW);
        rights(place, Id::new(self.user), &member, now).bits()
    }
}

#[track_caller]
fn check(case: &Case, expected: u64) {
    assert_eq!(case.computed(), expected, "{case:?}");
}

#[test]
fn roles_add_up() {
    let mut case = Case::plain(VIEW);
    check(&case, VIEW);
    case.roles[1].1 = REACT;
    case.roles[2].1 = HISTORY;
    check(&case, VIEW | REACT);
    case.held.push(3);
    check(&case, VIEW | REACT | HISTORY);
    // A role that the guild does not have.
    case.held = vec![77];
    check(&case, VIEW);
}

#[test]
fn owners_and_administrators_may_do_everything() {
    let denied = [role(GUILD, 0, VIEW), member(USER, 0, ADMIN | REACT)];
    let mut case = Case::plain(0).with(&denied).with(&[member(OWNER, 0, VIEW)]);
    case.timeout = Some(60);
    case.user = OWNER;
    check(&case, EVERYTHING);
    case.user = USER;
    case.roles[1].1 = ADMIN;
    check(&case, EVERYTHING);
    // An overwrite makes nobody an administrator.
    let case = Case::plain(VIEW).with(&[member(USER, ADMIN, 0)]);
    check(&case, VIEW);
}

#[test]
fn what_counts_in_the_whole_guild_is_a_matter_of_roles() {
    let mut case = Case::plain(VIEW).with(&[member(USER, BAN, 0), role(2, 0, KICK)]);
    check(&case, VIEW);
    case.roles[1].1 = KICK;
    check(&case, VIEW | KICK);
}

#[test]
fn who_cannot_connect_does_nothing_in_a_voice_channel() {
    let mut case = Case::plain(VIEW | REACT);
    case.voice = true;
    check(&case, 0);
    case.roles[0].1 |= CONNECT;
    check(&case, VIEW | REACT | CONNECT);
}

#[test]
fn the_order_of_roles_decides_between_two_people() {
    let roles = [(GUILD, 0), (2, 1), (3, 2), (4, 2), (5, 3)];
    let guild = GuildRoles {
        id: Id::new(GUILD),
        owner_id: Id::new(OWNER),
        roles: roles
            .iter()
            .map(|&(id, position)| RawRole {
                mentionable: false,
                id: Id::new(id),
                permissions: Permissions::empty(),
                position,
            })
            .collect(),
    };
    let holding = |roles: &[u64]| MemberRoles {
        roles: roles.iter().copied().map(Id::new).collect(),
        communication_disabled_until: None,
    };
    let check = |actor: u64, own: &[u64], target: u64, theirs: &[u64], expected: Standing| {
        let (own, theirs) = (holding(own), holding(theirs));
        let found = standing(
            &guild,
            (Id::new(actor), Some(&own)),
            (Id::new(target), Some(&theirs)),
        );
        assert_eq!(found, expected, "{own:?} {theirs:?}");
    };
    let other = USER + 1;
    check(USER, &[2], USER, &[], Standing::Oneself);
    check(OWNER, &[], OWNER, &[], Standing::Oneself);
    check(USER, &[5], OWNER, &[], Standing::Owner);
    check(OWNER, &[], USER, &[5], Standing::Above);
    check(USER, &[2], other, &[], Standing::Above);
    check(USER, &[], other, &[], Standing::NotAbove);
    check(USER, &[2], other, &[2], Standing::NotAbove);
    check(USER, &[2, 5], other, &[4], Standing::Above);
    check(USER, &[2], other, &[3], Standing::NotAbove);
    // Two roles at one place: the older one is higher.
    check(USER, &[3], other, &[4], Standing::Above);
    check(USER, &[4], other, &[3], Standing::NotAbove);
    // A role that the guild does not have.
    check(USER, &[77], other, &[], Standing::NotAbove);

    let own = holding(&[5]);
    let (actor, target) = (Id::new(USER), Id::new(other));
    let absent = standing(&guild, (actor, Some(&own)), (target, None));
    assert_eq!(absent, Standing::Absent);
    let gone = standing(&guild, (actor, None), (target, None));
    assert_eq!(gone, Standing::NotAbove);
}

#[test]
fn overwrites_count_in_order() {
    let base = || Case::plain(VIEW | REACT);
    for (overwrites, reacts) in [
        (&[role(GUILD, 0, REACT)][..], false),
        (&[role(GUILD, 0, REACT), role(2, REACT, 0)], true),
        // The order of the list is nothing.
        (&[role(2, REACT, 0), role(GUILD, 0, REACT)], true),
        (&[role(GUILD, REACT, 0), role(2, 0, REACT)], false),
        (&[role(2, 0, REACT), member(USER, REACT, 0)], true),
        (&[role(2, REACT, 0), member(USER, 0, REACT)], false),
        // Somebody else's.
        (&[role(3, 0, REACT), member(OWNER, 0, REACT)], true),
        // A member's number in a role's overwrite, and the other way round.
        (&[role(USER, 0, REACT), member(2, 0, REACT)], true),
        // What is allowed and denied at once is allowed.
        (&[role(2, REACT, REACT)], true),
    ] {
        let expected = if reacts { VIEW | REACT } else { VIEW };
        check(&base().with(overwrites), expected);
    }
    let mut two = base().with(&[role(2, 0, REACT), role(3, REACT, 0)]);
    two.held = vec![2, 3];
    check(&two, VIEW | REACT);
}

#[test]
fn some_rights_mean_nothing_without_others() {
    let sent = TTS | EMBED | ATTACH | PING;
    check(&Case::plain(REACT | SEND | sent), 0);
    check(&Case::plain(VIEW | REACT | sent), VIEW | REACT);
    check(&Case::plain(VIEW | SEND | sent), VIEW | SEND | sent);
    let hidden = Case::plain(VIEW | SEND).with(&[role(GUILD, 0, VIEW)]);
    check(&hidden, 0);
}

#[test]
fn a_thread_has_its_own_right_to_send() {
    let mut case = Case::plain(VIEW | SEND | ATTACH);
    case.thread = true;
    check(&case, VIEW);
    case.roles[0].1 = VIEW | IN_THREADS | ATTACH;
    check(&case, VIEW | IN_THREADS | SEND | ATTACH);
}

#[test]
fn a_timeout_leaves_reading() {
    let mut case = Case::plain(VIEW | HISTORY | REACT | SEND);
    for (timeout, expected) in [
        (Some(1), VIEW | HISTORY),
        (Some(0), VIEW | HISTORY | REACT | SEND),
        (Some(-60), VIEW | HISTORY | REACT | SEND),
        (None, VIEW | HISTORY | REACT | SEND),
    ] {
        case.timeout = timeout;
        check(&case, expected);
    }
    case.timeout = Some(60);
    case.roles[0].1 = VIEW | REACT;
    check(&case, VIEW);
    case.roles[0].1 = REACT;
    check(&case, 0);
}

/// The documentation read once more, bit by bit and without sets.
fn naive(case: &Case, bit: u64) -> bool {
    if case.user == OWNER {
        return true;
    }
    let has = |wanted: u64| {
        case.roles.iter().any(|(id, bits)| {
            let theirs = *id == GUILD || case.held.contains(id);
            theirs && bits & wanted != 0
        })
    };
    if has(ADMIN) {
        return true;
    }
    let overwritten = |wanted: u64| {
        let mut allowed = has(wanted);
        for step in 0..3 {
            let fits = |over: &&Over| match step {
                0 => over.0 && over.1 == GUILD,
                1 => over.0 && over.1 != GUILD && case.held.contains(&over.1),
                _ => !over.0 && over.1 == case.user,
            };
            let fitting = || case.overwrites.iter().filter(fits);
            if fitting().any(|over| over.3 & wanted != 0) {
                allowed = false;
            }
            if fitting().any(|over| over.2 & wanted != 0) {
                allowed = true;
            }
        }
        allowed
    };
    if !overwritten(VIEW) || (case.voice && !overwritten(CONNECT)) {
        return false;
    }
    let sends = overwritten(if case.thread { IN_THREADS } else { SEND });
    let held = match bit {
        SEND => sends,
        TTS | EMBED | ATTACH | PING => sends && overwritten(bit),
        BAN => has(bit),
        _ => overwritten(bit),
    };
    let timed_out = case.timeout.is_some_and(|left| left > 0);
    held && (!timed_out || bit == VIEW || bit == HISTORY)
}

#[test]
fn two_readings_of_the_documentation_agree() {
    const BITS: [u64; 11] = [
        VIEW, SEND, TTS, EMBED, ATTACH, HISTORY, PING, REACT, IN_THREADS, CONNECT, BAN,
    ];
    let mut dice = SeededDice::new(9);
    let some = |dice: &mut SeededDice, one_in: u32| {
        let chosen = BITS.iter().filter(|_| dice.roll(one_in) == 0);
        chosen.fold(0, |all, bit| all | bit)
    };
    for _ in 0..20_000 {
        let dice = &mut dice;
        let mut case = Case::plain(some(dice, 2) | VIEW);
        case.roles[1].1 = some(dice, 3);
        case.roles[2].1 = some(dice, 4);
        let mut overwrites = Vec::new();
        for make in [role, member] {
            for id in [GUILD, 2, 3, USER, OWNER] {
                overwrites.push(make(id, some(dice, 6), some(dice, 6)));
            }
        }
        case.roles[1].1 |= if dice.roll(20) == 0 { ADMIN } else { 0 };
        case.held = [2, 3].into_iter().filter(|_| dice.roll(2) == 0).collect();
        overwrites.retain(|_| dice.roll(3) == 0);
        case.overwrites = overwrites;
        case.user = if dice.roll(20) == 0 { OWNER } else { USER };
        case.thread = dice.roll(3) == 0;
        case.voice = !case.thread && dice.roll(4) == 0;
        case.timeout = [None, None, Some(-1), Some(1)][dice.roll(4) as usize];
        let computed = case.computed();
        for bit in BITS {
            assert_eq!(computed & bit != 0, naive(&case, bit), "{bit:#x} {case:?}");
        }
    }
}
