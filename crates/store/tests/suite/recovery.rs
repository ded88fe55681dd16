//! What a starting process is told, and what it takes to break a call.

use std::pin::pin;
use std::sync::Arc;

use futures_util::future::{join_all, select};
use kaiwa_domain::port::{ActiveChannel, Admission, Session, Sessions, Store, UnfinishedTurn};
use kaiwa_domain::{
    ChannelId, Effect, EffectBody, EffectState, Ending, GuildId, MessageId, OccurrenceId, Outgoing,
    PersonaId, Scope, Timestamp, Trigger, Turn, TurnId, TurnState, UserId,
};

use super::{AWAY, Engine, HOME, NOW, admit, effect, end, only, queue, say, send, text_of, turn};

pub(super) async fn unsettled_effects_are_found_whatever_their_turn<E: Engine>(engine: E) {
    let store = engine.open().await;
    for (message, state) in [
        (1, EffectState::Queued),
        (2, EffectState::Started { attempt: 1 }),
        (3, EffectState::Unknown),
    ] {
        let turn = turn(HOME, message);
        admit(&*store, &turn).await;
        let (first, second) = (say(&turn, 0, "one"), say(&turn, 1, "two"));
        queue(&*store, &first).await.unwrap();
        queue(&*store, &second).await.unwrap();
        send(&*store, &first, 50 + message).await;
        store.mark(HOME, turn.id, 1, state).await.unwrap();
        end(&*store, &turn, Ending::Done).await.unwrap();

        let found = only(&*store).await;
        assert_eq!(found.turn.state, TurnState::Ended(Ending::Done));
        let texts: Vec<&str> = found.effects.iter().map(text_of).collect();
        assert_eq!(texts, ["one", "two"], "settled ones are told too");
        assert_eq!(found.effects[1].state, state);
        assert_eq!(store.unfinished_scopes().await, Ok(vec![HOME]));
        assert_eq!(store.unfinished(AWAY).await, Ok(vec![]));

        send(&*store, &second, 60 + message).await;
        assert_eq!(store.unfinished(HOME).await, Ok(vec![]), "{state:?}");
        assert_eq!(store.unfinished_scopes().await, Ok(vec![]));
    }
}

pub(super) async fn unfinished_turns_come_oldest_first_with_their_effects<E: Engine>(engine: E) {
    let store = engine.open().await;
    for (message, admitted_at) in [(3, 500), (1, 900), (2, 700)] {
        let mut turn = turn(HOME, message);
        turn.admitted_at = Timestamp::from_millis(admitted_at);
        admit(&*store, &turn).await;
        // Queued out of order: their place decides, not the time.
        for index in [1, 0, 10, 2] {
            let text = format!("{message}.{index}");
            let said = Effect {
                queued_at: Timestamp::from_millis(-i64::from(index)),
                pings: kaiwa_domain::Pings::default(),
                ..say(&turn, index, &text)
            };
            queue(&*store, &said).await.unwrap();
        }
        if message == 2 {
            end(&*store, &turn, Ending::Done).await.unwrap();
        }
    }
    let unfinished = store.unfinished(HOME).await.unwrap();
    let texts: Vec<Vec<&str>> = unfinished
        .iter()
        .map(|unfinished| unfinished.effects.iter().map(text_of).collect())
        .collect();
    assert_eq!(
        texts,
        [
            ["3.0", "3.1", "3.2", "3.10"],
            ["2.0", "2.1", "2.2", "2.10"],
            ["1.0", "1.1", "1.2", "1.10"],
        ]
    );
}

pub(super) async fn everything_survives_a_reopening<E: Engine>(engine: E) {
    // The widest values, so that nothing is narrowed on its way.
    let scope = Scope::Guild(GuildId::new(u64::MAX));
    let turn = Turn {
        id: TurnId {
            trigger: Trigger::new("component", u64::MAX).unwrap(),
            take: u16::MAX,
        },
        scope,
        channel: ChannelId::new(u64::MAX - 1),
        asker: UserId::new(1 << 63),
        persona: PersonaId::new(u32::MAX),
        state: TurnState::Admitted,
        admitted_at: Timestamp::from_millis(i64::MAX),
    };
    let body = EffectBody::Say {
        outgoing: Outgoing::Say("会話 \u{1f469}\u{200d}\u{1f680} \0 '; DROP TABLE turn".into()),
        reply_to: Some(MessageId::new(u64::MAX)),
    };
    let said = effect(&turn, u16::MAX, body);
    let session = Session {
        id: "abc".to_owned(),
        sequence: u64::MAX,
        resume_url: "wss://example.invalid".to_owned(),
        shards: u32::MAX,
    };

    let store = engine.open().await;
    store.admit(&turn, Some("press\0")).await.unwrap();
    queue(&*store, &said).await.unwrap();
    send(&*store, &said, u64::MAX).await;
    store.save(u32::MAX, Some(session.clone())).await.unwrap();
    engine.close(store).await;

    let store = engine.open().await;
    let expected = UnfinishedTurn {
        turn: Turn {
            state: TurnState::Speaking,
            ..turn
        },
        text: Some("press\0".to_owned()),
        effects: vec![Effect {
            state: EffectState::Done {
                message: Some(MessageId::new(u64::MAX)),
            },
            ..said
        }],
    };
    assert_eq!(store.unfinished_scopes().await, Ok(vec![scope]));
    assert_eq!(store.unfinished(scope).await, Ok(vec![expected]));
    assert_eq!(store.load(u32::MAX).await, Ok(Some(session)));
}

pub(super) async fn active_channels_come_newest_first<E: Engine>(engine: E) {
    let store = engine.open().await;
    let mut id = 0;
    let mut asked = async |scope, channel: u64, at: i64| {
        id += 1;
        let mut turn = turn(scope, id);
        turn.channel = ChannelId::new(channel);
        turn.admitted_at = Timestamp::from_millis(at);
        admit(&*store, &turn).await;
    };
    asked(HOME, 1, 10).await;
    asked(HOME, 2, 20).await;
    asked(AWAY, 3, 30).await;
    asked(HOME, 1, 40).await;
    let mut scheduled = turn(HOME, 1);
    scheduled.id = TurnId::first(Trigger::Schedule(OccurrenceId::due(9, NOW)));
    scheduled.channel = ChannelId::new(4);
    scheduled.admitted_at = Timestamp::from_millis(50);
    admit(&*store, &scheduled).await;

    let active = |scope, channel, last: Option<u64>| ActiveChannel {
        scope,
        channel: ChannelId::new(channel),
        last: last.map(MessageId::new),
    };
    let since = Timestamp::from_millis;
    let all = [
        active(HOME, 4, None),
        active(HOME, 1, Some(4)),
        active(AWAY, 3, Some(3)),
        active(HOME, 2, Some(2)),
    ];
    assert_eq!(store.active_channels(since(0), 9).await.unwrap(), all);
    assert_eq!(store.active_channels(since(30), 9).await.unwrap(), all[..3]);
    assert_eq!(store.active_channels(since(0), 2).await.unwrap(), all[..2]);
}

pub(super) async fn many_writers_and_readers_all_get_through<E: Engine>(engine: E) {
    let store = engine.open().await;
    let trips = (1..=40).map(|message| {
        let store = Arc::clone(&store);
        async move {
            let scope = if message % 2 == 0 { HOME } else { AWAY };
            let turn = turn(scope, message);
            assert_eq!(store.admit(&turn, None).await, Ok(Admission::New));
            assert_eq!(store.begin(scope, turn.id).await, Ok(1));
            for index in 0..3 {
                let said = say(&turn, index, "hello");
                queue(&*store, &said).await.unwrap();
                send(&*store, &said, 100 * message + u64::from(index)).await;
                store.unfinished(scope).await.unwrap();
            }
            end(&*store, &turn, Ending::Done).await.unwrap();
        }
    });
    join_all(trips).await;
    assert_eq!(store.unfinished_scopes().await, Ok(vec![]));
}

pub(super) async fn a_dropped_call_leaves_no_half_and_no_lock<E: Engine>(engine: E) {
    let store = engine.open().await;
    for message in 1..=20 {
        let turn = turn(HOME, message);
        // Polled once or twice, then dropped in the middle.
        let call = store.admit(&turn, None);
        select(call, pin!(std::future::ready(()))).await;
    }
    for message in 1..=20 {
        admit(&*store, &turn(HOME, message)).await;
    }
    assert_eq!(store.unfinished(HOME).await.unwrap().len(), 20);
}
