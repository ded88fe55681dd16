//! What people read before they say yes.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::tz::TimeZone;
use kaiwa_domain::port::{
    ActionHost, ChatFeatures, Entrance, Memories, NewPoll, Pending, Schedules,
};
use kaiwa_domain::{
    Audience, ChannelId, ChatError, FactSource, GuildId, GuildSticker, Me, MemberSnapshot,
    MessageId, NewFact, NewSchedule, Nonce, Rights, Scope, TaskKind, Timestamp, ToolError, UserId,
};
use kaiwa_egress::{Egress, SystemResolver};
use kaiwa_twins::{MemoryChat, MemoryGuilds, MemoryStore, StillClock};

use crate::door::tests::{ASKER, BOT, Held, call, door_to, turn};
use crate::{
    CreateThread, DeleteReminder, Door, FetchPage, ForgetFact, ListReminders, ModerationDesk,
    PdfReader, Pin, RecallFacts, Registry, RememberFact, Remind, WebSearch,
};

const GUILD: GuildId = GuildId::new(3);
const HERE: Scope = Scope::Guild(GUILD);
const NOOR: UserId = UserId::new(123_456_789_012_345_678);
const NOW: Timestamp = Timestamp::from_millis(1_794_783_600_000);

/// The model has read what others wrote, and knows what is private.
const TAINTED: Entrance<'static> = Entrance::Model {
    tainted: true,
    carries: true,
};

/// Nothing is done here.
struct NoFeatures;

impl ChatFeatures for NoFeatures {
    fn pin(&self, _: ChannelId, _: MessageId, _: bool) -> Pending<'_, Result<(), ChatError>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn begin_thread<'a>(
        &'a self,
        _: ChannelId,
        _: Option<MessageId>,
        _: &'a str,
    ) -> Pending<'a, Result<ChannelId, ChatError>> {
        Box::pin(std::future::pending())
    }

    fn post_poll<'a>(
        &'a self,
        _: ChannelId,
        _: &'a Nonce,
        _: &'a NewPoll,
    ) -> Pending<'a, Result<MessageId, ChatError>> {
        Box::pin(std::future::pending())
    }

    fn post_sticker<'a>(
        &'a self,
        _: ChannelId,
        _: &'a Nonce,
        _: &'a GuildSticker,
    ) -> Pending<'a, Result<MessageId, ChatError>> {
        Box::pin(std::future::pending())
    }

    fn stickers(&self, _: GuildId) -> Pending<'_, Result<Vec<GuildSticker>, ChatError>> {
        Box::pin(std::future::pending())
    }
}

/// Every action that may have to be confirmed when the model calls it.
async fn registry() -> Registry {
    let clock = Arc::new(StillClock::new(NOW));
    let store = Arc::new(MemoryStore::new(clock.clone()));
    let me = Me {
        id: BOT,
        name: "Kaiwa".to_owned(),
    };
    let chat = Arc::new(MemoryChat::new(me, clock.clone()));
    let guilds = MemoryGuilds::new();
    let noor = MemberSnapshot {
        scope: HERE,
        id: NOOR,
        name: "No_or".to_owned(),
        is_bot: false,
        joined_at: None,
        is_pending: false,
        roles: Vec::new(),
    };
    guilds.add(GUILD, noor);
    let fact = NewFact {
        scope: HERE,
        about: Some(ASKER),
        audience: Audience::Scope,
        author: Some(ASKER),
        source: FactSource::Told,
        channel: None,
        message: None,
        text: "likes *oolong*".to_owned(),
        learned_at: NOW,
        expires_at: None,
    };
    store.remember(&fact).await.unwrap();
    let secret = NewFact {
        about: Some(NOOR),
        text: "is in love".to_owned(),
        ..fact
    };
    store.remember(&secret).await.unwrap();
    let schedule = NewSchedule {
        scope: HERE,
        channel: ChannelId::new(5),
        user: ASKER,
        kind: TaskKind::Remind,
        text: "the kettle".to_owned(),
        due: Timestamp::from_millis(NOW.as_millis() + 1_000),
        recurrence: None,
        zone: "UTC".to_owned(),
        mark: 1,
        created_at: NOW,
    };
    store.add_schedule(&schedule).await.unwrap();
    let rights = Rights::ALL.without(Rights::ADMINISTRATOR);
    let held = Held::new(rights, rights);
    let desk = ModerationDesk {
        moderation: Arc::new(guilds),
        permissions: held.clone(),
        cases: store.clone(),
        chat: chat.clone(),
        clock: clock.clone(),
        bot: BOT,
    };
    let features = Arc::new(NoFeatures);
    let egress = Egress::new(Arc::new(SystemResolver), clock.clone()).unwrap();
    let pdf = PdfReader::new("/nonexistent/program".into(), Vec::new(), clock.clone());
    desk.registry()
        .with(Pin::new(chat, features.clone()))
        .with(CreateThread::new(features))
        .with(RememberFact::new(store.clone(), clock.clone(), |_| false))
        .with(ForgetFact::new(store.clone(), held))
        .with(RecallFacts::new(store.clone(), clock.clone(), |_| true))
        .with(Remind::new(store.clone(), clock, |_| TimeZone::UTC))
        .with(ListReminders::new(store.clone()))
        .with(DeleteReminder::new(store))
        .with(WebSearch::new(egress.clone(), Vec::new()))
        .with(FetchPage::new(egress, pdf))
}

fn door(registry: Registry) -> Door {
    let rights = Rights::ALL.without(Rights::ADMINISTRATOR);
    door_to(registry, Held::new(rights, rights), StillClock::new(NOW))
}

/// Each of them, and what is read before it is done.
const ROWS: &[(&str, &str, &str)] = &[
    (
        "pin",
        r#"{"message": "9"}"#,
        "Pin this message: https://discord.com/channels/3/5/9",
    ),
    (
        "pin",
        r#"{"message": "9", "remove": true}"#,
        "Take this pinned message down: ",
    ),
    (
        "create_thread",
        r#"{"title": "Tea `x`"}"#,
        r"called: Tea \`x\`",
    ),
    (
        "remember_this_fact",
        r#"{"fact": "see https://e.example/?q=1"}"#,
        r"Remember this of you: see https\://e.example/?q=1",
    ),
    (
        "remember_this_fact",
        r#"{"fact": "tea at 5", "about": "server"}"#,
        "Remember this of the server: tea at 5",
    ),
    (
        "forget",
        r##"{"fact": "#1"}"##,
        r"Forget #1: likes \*oolong\*",
    ),
    // What is of others is not even told to be there.
    ("forget", r#"{"fact": "2"}"#, "Forget #2: –"),
    ("recall", r#"{"query": "tea"}"#, "and tell it here: tea"),
    ("ban_list", "{}", "Show here who is banned, and why."),
    ("cases", "{}", "Show the last cases of this server here."),
    (
        "cases",
        r#"{"user": "No_or"}"#,
        r"Show the cases of **No\_or** (123456789012345678) here.",
    ),
    (
        "remind",
        r#"{"when": "in 20 minutes", "text": "tea"}"#,
        "Remind you (in 20 minutes), <t:1794784800:f>: tea",
    ),
    (
        "remind",
        r#"{"when": "in 20 minutes", "text": "tea?", "answer": true}"#,
        "Answer this for you (in 20 minutes), <t:1794784800:f>: tea?",
    ),
    ("list_reminders", "{}", "Show your reminders here."),
    (
        "delete_reminder",
        r#"{"reminder": "1"}"#,
        "Take your reminder #1 back: the kettle",
    ),
    (
        "web_search",
        r#"{"query": "my_secret"}"#,
        r"Search the web for: my\_secret",
    ),
    (
        "fetch_page",
        r#"{"url": "https://e.example/?q=`s`"}"#,
        "all that stands in it: `https://e.example/?q=%60s%60`",
    ),
    ("slowmode", r#"{"wait": "10s"}"#, "Let people wait 10 s"),
    (
        "warn",
        r#"{"user": "No_or", "reason": "||x||"}"#,
        r"Warn **No\_or** (123456789012345678). Reason: \|\|x\|\|",
    ),
    (
        "unban",
        r#"{"user": "123456789012345678"}"#,
        "Lift the ban of **123456789012345678** (123456789012345678).",
    ),
    (
        "tempban",
        r#"{"user": "No_or", "duration": "1h"}"#,
        r"Ban **No\_or** (123456789012345678)",
    ),
    (
        "timeout",
        r#"{"user": "No_or", "duration": "off"}"#,
        r"Let **No\_or**",
    ),
    (
        "kick",
        r#"{"user": "No_or", "reason": "a\nb"}"#,
        r"Kick **No\_or** (123456789012345678). Reason: a b",
    ),
    (
        "nuke",
        r#"{"count": 2}"#,
        "Delete the last 2 messages here, for good.",
    ),
    (
        "nuke",
        r#"{"count": 2, "user": "No_or"}"#,
        r"2 messages of **No\_or** (123456789012345678)",
    ),
];

#[tokio::test]
async fn every_question_says_what_would_be_done() {
    let registry = registry().await;
    let asking = registry.all().filter(|it| it.declaration.model);
    let mut asking: BTreeSet<&str> = asking.map(|it| it.declaration.name).collect();
    for (name, arguments, expected) in ROWS {
        let door = door(registry.clone());
        asking.remove(name);
        let call = call(name, arguments);
        let reply = door.run(&turn(HERE), &call, TAINTED).await.unwrap();
        assert!(reply.waits.is_some(), "{name} is not asked about");
        assert!(reply.shown.contains(expected), "{name}: {}", reply.shown);
    }
    assert!(asking.is_empty(), "nothing is said about {asking:?}");
}

#[tokio::test]
async fn nobody_says_yes_to_what_does_not_fit_into_a_question() {
    let door = door(registry().await);
    for (fact, asks) in [("*".repeat(900), true), ("*".repeat(1000), false)] {
        let call = call("remember_this_fact", &format!(r#"{{"fact": "{fact}"}}"#));
        match door.run(&turn(HERE), &call, TAINTED).await {
            Ok(reply) => assert!(asks && reply.waits.is_some()),
            Err(error) => {
                assert!(
                    !asks && matches!(error, ToolError::BadArguments { .. }),
                    "{error}"
                );
            }
        }
    }
}
