use std::time::Duration;

use super::*;
use kaiwa_domain::{Author, AuthorKind, ChannelSnapshot, GuildId, Notice, Outgoing, Timestamp};

const HERE: ChannelId = ChannelId::new(4);
const START: Moment = Moment::new(Duration::ZERO);
const GUILD: Scope = Scope::Guild(GuildId::new(3));

fn message(channel: ChannelId, id: u64, text: &str) -> Message {
    let author = Author {
        id: UserId::new(2),
        name: "Ada".into(),
        kind: AuthorKind::Human,
        roles: Vec::new(),
    };
    Message::new(MessageId::new(id), GUILD, channel, author, text.into())
}

fn says(window: &MessageWindow, id: u64, text: &str) {
    window.note(&Event::Message(message(HERE, id, text)), START, |_| false);
}

/// A channel that can be read, and how often it was.
struct Channel {
    messages: Vec<Message>,
    asked: Mutex<Vec<(History, u16)>>,
}

impl Channel {
    fn with(ids: std::ops::Range<u64>) -> Self {
        Self {
            messages: ids.map(|id| message(HERE, id, "old")).collect(),
            asked: Mutex::default(),
        }
    }

    fn asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

impl Chat for Channel {
    fn edit_pace(&self, _: ChannelId) -> Duration {
        Duration::from_secs(1)
    }

    fn history(
        &self,
        _: Scope,
        _: ChannelId,
        point: History,
        limit: u16,
    ) -> kaiwa_domain::port::Pending<'_, Result<Vec<Message>, ChatError>> {
        self.asked.lock().unwrap().push((point, limit));
        let History::Before(before) = point else {
            panic!("only what is before is read");
        };
        let older = self.messages.iter().filter(|it| it.id < before);
        let older: Vec<Message> = older.cloned().collect();
        let first = older.len().saturating_sub(limit.into());
        let older = older[first..].to_vec();
        Box::pin(std::future::ready(Ok(older)))
    }

    fn post<'a>(
        &'a self,
        _: &'a Effect,
        _: &'a kaiwa_domain::port::OnWire,
    ) -> kaiwa_domain::port::Pending<'a, Result<Vec<MessageId>, ChatError>> {
        panic!("nothing is posted")
    }

    fn change<'a>(
        &'a self,
        _: &'a Effect,
        _: MessageId,
        _: &'a kaiwa_domain::port::OnWire,
    ) -> kaiwa_domain::port::Pending<'a, Result<(), ChatError>> {
        panic!("nothing is changed")
    }

    fn typing(&self, _: ChannelId) -> kaiwa_domain::port::Pending<'_, Result<(), ChatError>> {
        panic!("nobody types")
    }

    fn download<'a>(
        &'a self,
        _: &'a kaiwa_domain::Attachment,
        _: usize,
    ) -> kaiwa_domain::port::Pending<'a, Result<Vec<u8>, ChatError>> {
        panic!("nothing is fetched")
    }

    fn react<'a>(
        &'a self,
        _: ChannelId,
        _: MessageId,
        _: &'a str,
    ) -> kaiwa_domain::port::Pending<'a, Result<(), ChatError>> {
        panic!("nobody reacts")
    }

    fn message(
        &self,
        _: Scope,
        _: ChannelId,
        _: MessageId,
    ) -> kaiwa_domain::port::Pending<'_, Result<Option<Message>, ChatError>> {
        panic!("no message is fetched")
    }
}

async fn ids(window: &MessageWindow, channel: &Channel, until: u64) -> Vec<u64> {
    let read = window.read(channel, (GUILD, HERE), MessageId::new(until), 60);
    let read = read.await.unwrap();
    assert!(read.is_sorted_by_key(|kept| kept.message.id));
    read.iter().map(|kept| kept.message.id.get()).collect()
}

async fn texts(window: &MessageWindow, channel: &Channel, until: u64) -> Vec<String> {
    let read = window.read(channel, (GUILD, HERE), MessageId::new(until), 60);
    let read = read.await.unwrap();
    read.iter().map(|kept| kept.message.text.clone()).collect()
}

#[tokio::test]
async fn what_is_missing_is_fetched_once() {
    let (window, channel) = (MessageWindow::default(), Channel::with(1..6));
    says(&window, 7, "new");
    for _ in 0..3 {
        assert_eq!(ids(&window, &channel, 7).await, [1, 2, 3, 4, 5, 7]);
    }
    assert_eq!(channel.asked(), 1, "all of it is known");
    says(&window, 8, "newer");
    assert_eq!(ids(&window, &channel, 9).await, [1, 2, 3, 4, 5, 7, 8]);
    assert_eq!(channel.asked(), 1);
}

#[tokio::test]
async fn an_empty_channel_is_not_asked_for_until_events_were_lost() {
    let (window, channel) = (MessageWindow::default(), Channel::with(1..6));
    let session = |last_message| {
        Event::Guild(GuildSnapshot {
            is_new_session: true,
            channels: vec![ChannelSnapshot {
                last_message,
                ..ChannelSnapshot::new(HERE)
            }],
            ..GuildSnapshot::new(GUILD)
        })
    };
    window.note(&session(None), START, |_| false);
    says(&window, 7, "first");
    assert_eq!(ids(&window, &channel, 7).await, [7]);
    assert_eq!(channel.asked(), 0, "there is nothing to read");
    window.note(&session(Some(MessageId::new(7))), START, |_| false);
    says(&window, 8, "second");
    assert_eq!(ids(&window, &channel, 8).await, [1, 2, 3, 4, 5, 8]);
    window.note(&session(None), START, |_| false);
    let me = Me {
        id: UserId::new(1),
        name: "Kaiwa".into(),
    };
    let lost = Event::Ready {
        me,
        resumed: false,
        shard: 0,
    };
    window.note(&lost, START, |_| false);
    says(&window, 9, "third");
    assert_eq!(ids(&window, &channel, 9).await, [1, 2, 3, 4, 5, 9]);
    assert_eq!(channel.asked(), 2);
}

#[tokio::test]
async fn a_busy_channel_is_never_asked_for() {
    let (window, channel) = (MessageWindow::default(), Channel::with(1..1000));
    for id in 1000..1100 {
        says(&window, id, "busy");
    }
    let read = ids(&window, &channel, 1100).await;
    assert_eq!((read.len(), read[0]), (MESSAGES, 1000));
    says(&window, 1100, "more");
    let read = ids(&window, &channel, 1101).await;
    assert_eq!((read.len(), read[0]), (MESSAGES, 1001));
    assert_eq!(channel.asked(), 0);
}

#[tokio::test]
async fn what_was_said_before_the_window_begins_is_fetched_and_not_kept() {
    let (window, channel) = (MessageWindow::default(), Channel::with(1..6));
    says(&window, 9, "new");
    // There may be something between 4 and 9.
    assert_eq!(ids(&window, &channel, 4).await, [1, 2, 3]);
    assert_eq!(ids(&window, &channel, 4).await, [1, 2, 3]);
    assert_eq!(channel.asked(), 2);
    assert_eq!(ids(&window, &channel, 9).await, [1, 2, 3, 4, 5, 9]);
}

#[tokio::test]
async fn edits_deletes_and_reactions_are_applied() {
    let (window, channel) = (MessageWindow::default(), Channel::with(1..1));
    for (id, text) in [(1, "a"), (2, "b"), (3, "c")] {
        says(&window, id, text);
    }
    window.note(&Event::Edited(message(HERE, 2, "B")), START, |_| false);
    window.note(&Event::Edited(message(HERE, 9, "unknown")), START, |_| {
        false
    });
    window.note(
        &Event::Deleted {
            scope: GUILD,
            channel: HERE,
            messages: vec![MessageId::new(1)],
        },
        START,
        |_| false,
    );
    let reaction = Reaction {
        scope: GUILD,
        channel: HERE,
        message: MessageId::new(2),
        message_author: None,
        user: UserId::new(5),
        by_bot: false,
        emoji: "👍".into(),
    };
    window.note(&Event::Reacted(reaction.clone()), START, |_| false);
    let nameless = Reaction {
        emoji: String::new(),
        ..reaction.clone()
    };
    window.note(&Event::Reacted(nameless), START, |_| false);
    window.note(&Event::Reacted(reaction), START, |_| false);
    window.note(&Event::Edited(message(HERE, 2, "BB")), START, |_| false);
    assert_eq!(texts(&window, &channel, 4).await, ["BB", "c"]);
    let state = window.lock();
    let reactions = &state.channels[&HERE].messages[0].message.reactions;
    assert_eq!(*reactions, [("👍".to_owned(), 2)]);
}

/// Discord promises no order, and what is read may be overtaken.
#[tokio::test]
async fn changes_that_come_first_count_all_the_same() {
    let mut channel = Channel::with(1..4);
    channel.messages[2].edited_at = Some(Timestamp::from_millis(50));
    let window = MessageWindow::default();
    let edited = |id, text, at| {
        Event::Edited(Message {
            edited_at: Some(Timestamp::from_millis(at)),
            ..message(HERE, id, text)
        })
    };
    let deleted = [1, 7].map(MessageId::new).into();
    let (scope, channel_id) = (GUILD, HERE);
    let gone = Event::Deleted {
        scope,
        channel: channel_id,
        messages: deleted,
    };
    let changes = [
        edited(2, "newer", 10),
        edited(3, "older", 10),
        edited(8, "newest", 20),
        edited(8, "newer", 10),
        gone,
    ];
    for event in changes {
        window.note(&event, START, |_| false);
    }
    says(&window, 7, "gone");
    says(&window, 8, "old");
    says(&window, 9, "unchanged");
    let expect = ["newer", "old", "newest", "unchanged"];
    assert_eq!(texts(&window, &channel, 10).await, expect);
    // What comes again is not newer than what is known.
    window.note(&edited(9, "changed", 10), START, |_| false);
    says(&window, 9, "unchanged");
    says(&window, 7, "gone");
    let expect = ["newer", "old", "newest", "changed"];
    assert_eq!(texts(&window, &channel, 10).await, expect);
    assert_eq!(window.newest(message(HERE, 9, "unchanged")).text, "changed");
    // Memory that is short does not make them come back.
    window.forget_everything();
    says(&window, 7, "gone");
    says(&window, 8, "old");
    let expect = ["newer", "old", "newest"];
    assert_eq!(texts(&window, &channel, 9).await, expect);
}

/// What is deleted stays so, and what is edited is what the last edit says.
#[test]
fn an_edit_that_comes_after_what_happened_later_changes_nothing() {
    let window = MessageWindow::default();
    let edited = |id, at| Message {
        edited_at: Some(Timestamp::from_millis(at)),
        ..message(HERE, id, "edited")
    };
    let comes = |event: Event| window.note(&event, START, |_| false);
    let gone = |messages| Event::Deleted {
        scope: GUILD,
        channel: HERE,
        messages,
    };
    says(&window, 1, "kept");
    for (id, what) in [(1, "kept"), (2, "unknown")] {
        comes(Event::Edited(edited(id, 20)));
        comes(Event::Edited(edited(id, 10)));
        assert!(window.is_outdated(&edited(id, 10)), "{what}");
        for at in [20, 30] {
            assert!(!window.is_outdated(&edited(id, at)), "{what} {at}");
        }
        comes(gone(vec![MessageId::new(id)]));
        comes(Event::Edited(edited(id, 30)));
        assert!(window.is_outdated(&edited(id, 30)), "{what}");
        let newest = window.newest(message(HERE, id, "first"));
        assert_eq!(newest.text, "first", "what is deleted is not kept");
    }
    comes(Event::Edited(edited(3, 10)));
    comes(Event::GuildGone { scope: GUILD });
    let newest = window.newest(message(HERE, 3, "first"));
    assert_eq!(newest.text, "first", "nor what a guild said that is left");
}

#[tokio::test]
async fn what_was_lost_is_not_trusted() {
    let me = Me {
        id: UserId::new(1),
        name: "Kaiwa".into(),
    };
    for (event, stays) in [
        (Event::Disconnected { shard: 0 }, true),
        (
            Event::Ready {
                shard: 0,
                me: me.clone(),
                resumed: true,
            },
            true,
        ),
        (
            Event::Ready {
                shard: 0,
                me,
                resumed: false,
            },
            false,
        ),
        (
            Event::Guild(GuildSnapshot {
                is_new_session: true,
                ..GuildSnapshot::new(GUILD)
            }),
            false,
        ),
        (
            Event::Guild(GuildSnapshot {
                is_new_session: true,
                ..GuildSnapshot::new(Scope::Guild(GuildId::new(8)))
            }),
            true,
        ),
        (
            Event::ChannelGone {
                scope: GUILD,
                channel: HERE,
            },
            false,
        ),
    ] {
        let window = MessageWindow::default();
        says(&window, 7, "new");
        window.note(&event, START, |_| false);
        let state = window.lock();
        assert_eq!(state.channels.contains_key(&HERE), stays, "{event:?}");
        assert_eq!(state.bytes > 0, stays, "{event:?}");
    }
}

#[tokio::test]
async fn scopes_share_nothing() {
    let (window, channel) = (MessageWindow::default(), Channel::with(1..1));
    says(&window, 7, "secret");
    let other = Scope::Guild(GuildId::new(99));
    let read = window.read(&channel, (other, HERE), MessageId::new(9), 60);
    assert_eq!(read.await.unwrap(), []);
    window.note(
        &Event::Deleted {
            scope: other,
            channel: HERE,
            messages: vec![MessageId::new(7)],
        },
        START,
        |_| false,
    );
    assert_eq!(texts(&window, &channel, 9).await, ["secret"]);
}

#[tokio::test]
async fn who_does_not_want_to_be_read_is_not_kept() {
    let (window, channel) = (MessageWindow::default(), Channel::with(1..1));
    says(&window, 7, "before");
    for event in [
        Event::Message(message(HERE, 8, "mine")),
        Event::Edited(message(HERE, 7, "mine too")),
    ] {
        window.note(&event, START, |user| user == UserId::new(2));
    }
    assert_eq!(ids(&window, &channel, 9).await, [0; 0]);
}

#[tokio::test]
async fn what_was_posted_is_known_at_once_and_stays_on_record() {
    let (window, channel) = (MessageWindow::default(), Channel::with(1..1));
    let me = Me {
        id: UserId::new(1),
        name: "Kaiwa".into(),
    };
    says(&window, 5, "hi");
    let turn = TurnId::of_message(MessageId::new(5));
    let mut effect = Effect {
        turn,
        index: 0,
        scope: GUILD,
        channel: HERE,
        persona: PersonaId::MAIN,
        identity: None,
        body: kaiwa_domain::EffectBody::Say {
            outgoing: Outgoing::Say("Hello!".into()),
            reply_to: Some(MessageId::new(5)),
        },
        state: kaiwa_domain::EffectState::Queued,
        queued_at: Timestamp::from_millis(0),
        pings: kaiwa_domain::Pings::default(),
    };
    window.posted(&me, &effect, &[MessageId::new(6)]);
    effect.body = kaiwa_domain::EffectBody::Notify {
        notice: Notice::Internal,
        reply_to: None,
    };
    window.posted(&me, &effect, &[MessageId::new(8)]);
    // The gateway brings it later.
    says(&window, 6, "Hello!!");
    let read = window.read(&channel, (GUILD, HERE), MessageId::new(9), 60);
    let read = read.await.unwrap();
    let own: Vec<_> = read
        .iter()
        .map(|kept| kept.own.as_ref().map(|it| it.is_notice))
        .collect();
    assert_eq!(own, [None, Some(false), Some(true)]);
    assert_eq!(read[1].message.text, "Hello!!");
    assert_eq!(read[1].own.as_ref().unwrap().turn, turn);
}

#[test]
fn all_of_it_is_bounded() {
    let window = MessageWindow::default();
    let text = "x".repeat(4000);
    for id in 1..40_000 {
        window.note(
            &Event::Message(message(ChannelId::new(id % 5000), id, &text)),
            START,
            |_| false,
        );
    }
    for id in 40_000..41_000 {
        says(&window, id, &text);
    }
    let state = window.lock();
    assert!(state.channels.len() <= CHANNELS);
    assert!(state.bytes <= BYTES, "{}", state.bytes);
    assert_eq!(state.channels[&HERE].messages.len(), MESSAGES);
    let counted: usize = state.channels.values().map(|it| it.bytes).sum();
    assert_eq!(state.bytes, counted);
}
