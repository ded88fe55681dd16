//! What moderators do, through the door.

use kaiwa_domain::port::{ActionHost, ActionReply, Entrance};
use kaiwa_domain::{
    Author, AuthorKind, ChannelId, InteractionId, Me, MemberSnapshot, Message, MessageId, Trigger,
    TurnId,
};
use kaiwa_twins::{MemoryChat, MemoryGuilds, MemoryStore, StillClock};

use super::*;
use crate::command::read_control;
use crate::door::tests::{ASKER, BOT, Held, MODEL_ASKED, Policy, call, turn};
use crate::{Door, DoorPorts};

const GUILD: GuildId = GuildId::new(3);
const HERE: Scope = Scope::Guild(GUILD);
const NOOR: UserId = UserId::new(123_456_789_012_345_678);
const MIKA: UserId = UserId::new(123_456_789_012_345_679);
const HOUR: Duration = Duration::from_secs(3600);

/// A guild with Noor and Mika, whose moderator is the asker.
struct Court {
    door: Door,
    guilds: MemoryGuilds,
    chat: MemoryChat,
    clock: Arc<StillClock>,
    store: Arc<MemoryStore>,
}

impl Court {
    fn new() -> Self {
        let clock = Arc::new(StillClock::new(Timestamp::from_millis(1_794_783_600_000)));
        let store = Arc::new(MemoryStore::new(clock.clone()));
        let me = Me {
            id: BOT,
            name: "Kaiwa".to_owned(),
        };
        let (guilds, chat) = (MemoryGuilds::new(), MemoryChat::new(me, clock.clone()));
        // Nobody is above anybody here, and nobody is an administrator.
        let rights = Rights::ALL.without(Rights::ADMINISTRATOR);
        let held = Held::new(rights, rights);
        let desk = ModerationDesk {
            moderation: Arc::new(guilds.clone()),
            permissions: held.clone(),
            cases: store.clone(),
            chat: Arc::new(chat.clone()),
            clock: clock.clone(),
            bot: BOT,
        };
        let ports = DoorPorts {
            bot: BOT,
            permissions: held,
            policies: Arc::new(Policy::default()),
            offers: store.clone(),
            conversations: Arc::new(kaiwa_twins::StagedConversations::default()),
            audit: store.clone(),
            clock: clock.clone(),
        };
        let court = Self {
            door: Door::new(desk.registry(), ports),
            guilds,
            chat,
            clock,
            store,
        };
        court.is_called(NOOR, "Noor");
        court.is_called(MIKA, "Mika");
        court
    }

    fn is_called(&self, id: UserId, name: &str) {
        let member = MemberSnapshot {
            scope: HERE,
            id,
            name: name.to_owned(),
            is_bot: false,
            joined_at: None,
            is_pending: false,
            roles: Vec::new(),
        };
        self.guilds.add(GUILD, member);
    }

    fn says(&self, by: UserId, text: &str) -> MessageId {
        let author = Author {
            id: by,
            name: by.to_string(),
            kind: AuthorKind::Human,
            roles: Vec::new(),
        };
        let (none, channel) = (MessageId::new(1), ChannelId::new(5));
        let message = Message::new(none, HERE, channel, author, text.to_owned());
        self.chat.say(message).id
    }

    /// The model calls an action for the asker, who has just said something.
    async fn asks(&self, name: &str, arguments: &str) -> Result<ActionReply, ToolError> {
        let turn = Turn {
            id: TurnId::of_message(self.says(ASKER, "please")),
            ..turn(HERE)
        };
        let call = call(name, arguments);
        self.door.run(&turn, &call, MODEL_ASKED).await
    }

    /// The asker uses a button that came with a reply, as interaction `id`.
    async fn clicks(&self, reply: &ActionReply, place: usize, id: u64) -> ActionReply {
        let turn = Turn {
            id: TurnId::first(Trigger::Component(InteractionId::new(id))),
            ..turn(HERE)
        };
        let (name, arguments) = read_control(&reply.buttons[place].control).unwrap();
        let entrance = Entrance::Control { locale: "en-US" };
        let call = call(name, arguments);
        self.door.run(&turn, &call, entrance).await.unwrap()
    }

    /// Asks for something dangerous and says yes.
    async fn does(&self, name: &str, arguments: &str, id: u64) -> ActionReply {
        let asked = self.asks(name, arguments).await.unwrap();
        self.clicks(&asked, 0, id).await
    }
}

/// Names change hands while somebody makes up their mind.
#[tokio::test]
async fn a_yes_is_about_whoever_was_shown() {
    for (name, arguments) in [
        ("tempban", r#"{"user": "Noor", "duration": "1h"}"#),
        ("kick", r#"{"user": "Noor"}"#),
        ("timeout", r#"{"user": "@Noor", "duration": "1h"}"#),
    ] {
        let court = Court::new();
        let asked = court.asks(name, arguments).await.unwrap();
        assert!(asked.shown.contains(&NOOR.to_string()), "{}", asked.shown);
        court.is_called(NOOR, "Somebody else");
        court.is_called(MIKA, "Noor");
        let told = court.clicks(&asked, 0, 100).await.shown;
        assert!(told.contains(&NOOR.to_string()), "{name}: {told}");
    }
}

/// What went is not told apart from what is next, so nothing goes twice.
#[tokio::test]
async fn a_nuke_that_was_cut_short_is_not_repeated() {
    let court = Court::new();
    let mut said = Vec::new();
    for text in ["one", "two", "three", "four"] {
        said.push(court.says(NOOR, text));
    }
    let asked = court.asks("nuke", r#"{"count": 2}"#).await.unwrap();
    court.clicks(&asked, 0, 100).await;
    let again = court.clicks(&asked, 0, 100).await;
    assert_eq!(court.guilds.deleted(), [said[3], said[2]]);
    assert!(again.shown.contains("cannot tell whether"), "{again:?}");
    // A question may be asked again.
    let settlement = court.door.settlement("nuke");
    assert_eq!(settlement, kaiwa_domain::Settlement::Idempotent);
}

#[tokio::test]
async fn undo_takes_back_one_ban_of_several() {
    let court = Court::new();
    let user = NOOR.to_string();
    let ban = |length: &str| format!(r#"{{"user": "{user}", "duration": "{length}"}}"#);
    let first = court.does("tempban", &ban("30d"), 100).await;
    let second = court.does("tempban", &ban("1h"), 101).await;
    let told = court.clicks(&second, 0, 102).await.shown;
    assert!(told.contains("stays banned until"), "{told}");
    assert!(court.guilds.banned(GUILD).contains(&NOOR));
    let told = court.clicks(&first, 0, 103).await.shown;
    assert!(told.contains("may come back"), "{told}");
    assert!(court.guilds.banned(GUILD).is_empty());
}

#[tokio::test]
async fn undo_of_a_timeout_brings_the_one_before_back() {
    let court = Court::new();
    let user = NOOR.to_string();
    let timeout = |length: &str| format!(r#"{{"user": "{user}", "duration": "{length}"}}"#);
    let ends = || court.guilds.timed_out(GUILD, NOOR);
    let first = court.does("timeout", &timeout("2h"), 100).await;
    let long = ends();
    assert!(long.is_some());
    let second = court.does("timeout", &timeout("10m"), 101).await;
    assert_ne!(ends(), long);
    let restored = court.clicks(&second, 0, 102).await;
    assert_eq!(ends(), long, "{restored:?}");
    court.clicks(&first, 0, 103).await;
    assert_eq!(ends(), None);

    // What is over by then does not begin again.
    court.does("timeout", &timeout("1h"), 104).await;
    let last = court.does("timeout", &timeout("3h"), 105).await;
    court.clock.advance(2 * HOUR);
    court.clicks(&last, 0, 106).await;
    assert_eq!(ends(), None);
}

/// A reason is read by the model as well, and whoever gave it may not be the
/// asker.
#[tokio::test]
async fn lists_hold_words_of_others() {
    let court = Court::new();
    for (list, moderator, untrusted) in [
        ("cases", None, false),
        ("ban_list", None, false),
        ("cases", Some(ASKER), false),
        ("cases", Some(MIKA), true),
        ("ban_list", Some(MIKA), true),
    ] {
        if let Some(moderator) = moderator {
            let case = NewCase {
                scope: HERE,
                turn: TurnId::of_message(MessageId::new(moderator.get())),
                kind: CaseKind::Warning,
                user: NOOR,
                moderator,
                reason: "spam".to_owned(),
                at: court.clock.now(),
                until: None,
            };
            court.store.open_case(&case).await.unwrap();
            court.guilds.put_ban(GUILD, NOOR, "spam");
        }
        let reply = court.asks(list, "{}").await.unwrap();
        assert_eq!(reply.untrusted, untrusted, "{list} {moderator:?}");
    }
}

#[tokio::test]
async fn long_lists_fit_and_say_how_they_go_on() {
    let court = Court::new();
    let long = "*".repeat(60);
    for number in 0..15 {
        let user = UserId::new(NOOR.get() + number);
        court.is_called(user, &long);
        court.guilds.remove(GUILD, user);
        court.guilds.put_ban(GUILD, user, &long);
        let case = NewCase {
            scope: HERE,
            turn: TurnId::of_message(MessageId::new(number + 1)),
            kind: CaseKind::Warning,
            user,
            moderator: ASKER,
            reason: long.clone(),
            at: court.clock.now(),
            until: None,
        };
        court.store.open_case(&case).await.unwrap();
    }
    for (list, goes_on) in [("cases", "… +"), ("ban_list", "… /banlist after:")] {
        let shown = court.asks(list, "{}").await.unwrap().shown;
        assert!(shown.encode_utf16().count() <= 2000, "{list}: {shown}");
        let (before, after) = shown.split_once(goes_on).unwrap();
        let last = before.trim_end().lines().last().unwrap();
        // The next page begins where this one ends.
        assert!(list == "cases" || last.contains(after), "{last} {after}");
    }
}

#[tokio::test]
async fn slow_mode_goes_back_to_what_it_was() {
    let court = Court::new();
    let wait = r#"{"wait": "10s"}"#;
    let first = court.asks("slowmode", wait).await.unwrap();
    // The same again, as after a crash: what was before is not what is now.
    let again = court.asks("slowmode", wait).await.unwrap();
    assert_eq!((first.buttons.len(), again.buttons.len()), (1, 0));
    let told = court.clicks(&first, 0, 100).await.shown;
    assert_eq!(told, "Slow mode is off.");
}

#[tokio::test]
async fn nobody_is_let_back_for_having_somebodys_name() {
    let court = Court::new();
    court.is_called(MIKA, "noor");
    for user in [NOOR, MIKA] {
        court.guilds.remove(GUILD, user);
        court.guilds.put_ban(GUILD, user, "spam");
    }
    let refused = court.asks("unban", r#"{"user": "Noor"}"#).await;
    let Err(ToolError::BadArguments { problem }) = refused else {
        panic!("{refused:?}");
    };
    assert!(problem.contains("give the id"), "{problem}");
    let one = format!(r#"{{"user": "{MIKA}"}}"#);
    court.asks("unban", &one).await.unwrap();
    assert_eq!(court.guilds.banned(GUILD), [NOOR].into());
    court.asks("unban", r#"{"user": "Noor"}"#).await.unwrap();
    assert!(court.guilds.banned(GUILD).is_empty());
}

#[test]
fn people_are_named_in_several_ways() {
    let id = |id: u64| Some(PersonArgument::Id(UserId::new(id)));
    let name = |name: &str| Some(PersonArgument::Name(name.to_owned()));
    for (text, expected) in [
        ("123456789012345678", id(123_456_789_012_345_678)),
        (" <@123456789012345678> ", id(123_456_789_012_345_678)),
        ("<@!123456789012345678>", id(123_456_789_012_345_678)),
        ("Ben", name("Ben")),
        ("@Ben of the House", name("Ben of the House")),
        ("1234", name("1234")),
        ("99999999999999999999", name("99999999999999999999")),
        ("", None),
        ("@", None),
        (&"x".repeat(65), None),
    ] {
        let found = PersonArgument::try_from(text.to_owned()).ok();
        assert_eq!(found, expected, "{text:?}");
    }
}

#[test]
fn reasons_are_one_short_line() {
    for (reason, expected) in [
        (None, "no reason given"),
        (Some(" \n "), "no reason given"),
        (Some("spilt\n the\ttea\u{7}"), "spilt the tea"),
    ] {
        assert_eq!(one_line(reason), expected);
    }
    let long = "é".repeat(2000);
    assert_eq!(one_line(Some(&long)).chars().count(), REASON_CHARS);
}

/// Discord would take the second of two such messages for the first.
#[test]
fn people_who_are_told_in_one_turn_are_told_apart() {
    let users = [71, 72, 1_184_609_453_699_814_044, 1_184_609_453_699_814_045];
    let indices: std::collections::BTreeSet<u16> = users
        .iter()
        .map(|user| super::news_index(kaiwa_domain::UserId::new(*user)))
        .collect();
    assert_eq!(indices.len(), users.len());
    assert!(indices.iter().all(|index| *index >= super::NEWS));
}
