//! Turns: admitted once, begun, ended, stopped.

use kaiwa_domain::port::{Admission, Progress, StopRequest, Store};
use kaiwa_domain::{
    EffectBody, EffectState, Ending, MessageId, Notice, OccurrenceId, Scope, TakeRequest,
    Timestamp, Trigger, TurnId, TurnState, UserId,
};

use super::{AWAY, Engine, HOME, admit, effect, end, only, queue, say, send, turn};

pub(super) async fn a_trigger_is_admitted_once<E: Engine>(engine: E) {
    let store = engine.open().await;
    let first = turn(HOME, 1);
    assert_eq!(store.admit(&first, None).await, Ok(Admission::New));
    store.begin(HOME, first.id).await.unwrap();

    let mut again = first.clone();
    again.admitted_at = Timestamp::from_millis(9_000);
    assert_eq!(store.admit(&again, None).await, Ok(Admission::Duplicate));
    let kept = only(&*store).await.turn;
    assert_eq!(kept.state, TurnState::Thinking { attempt: 1 });
    assert_eq!(kept.admitted_at, first.admitted_at);

    end(&*store, &first, Ending::Done).await.unwrap();
    assert_eq!(store.admit(&first, None).await, Ok(Admission::Duplicate));
    assert_eq!(store.unfinished(HOME).await, Ok(vec![]));

    let mut second_take = first.clone();
    second_take.id.take = 1;
    assert_eq!(store.admit(&second_take, None).await, Ok(Admission::New));

    // A schedule with the number of a message is another trigger.
    let mut scheduled = first.clone();
    let at = Timestamp::from_millis(1_800_000_000_000);
    for trigger in [
        Trigger::new("interaction", 1).unwrap(),
        Trigger::new("component", 1).unwrap(),
        Trigger::Join(OccurrenceId::joined(UserId::new(1), at)),
        Trigger::Schedule(OccurrenceId::due(1, at)),
    ] {
        scheduled.id = TurnId::first(trigger);
        let text = Some("water the tea");
        assert_eq!(store.admit(&scheduled, text).await, Ok(Admission::New));
        assert_eq!(
            store.admit(&scheduled, text).await,
            Ok(Admission::Duplicate)
        );
        let found = store.unfinished(HOME).await.unwrap();
        let found = found.iter().find(|it| it.turn.id == scheduled.id).unwrap();
        assert_eq!((&found.turn, found.text.as_deref()), (&scheduled, text));
    }
}

pub(super) async fn a_turn_is_begun_until_it_ends<E: Engine>(engine: E) {
    let store = engine.open().await;
    let turn = turn(HOME, 1);
    admit(&*store, &turn).await;
    assert_eq!(only(&*store).await.turn.state, TurnState::Admitted);

    for attempt in 1..=3 {
        assert_eq!(store.begin(HOME, turn.id).await, Ok(attempt));
        let state = only(&*store).await.turn.state;
        assert_eq!(state, TurnState::Thinking { attempt });
    }
    queue(&*store, &say(&turn, 0, "hello")).await.unwrap();
    assert_eq!(only(&*store).await.turn.state, TurnState::Speaking);
    assert_eq!(store.begin(HOME, turn.id).await, Ok(4), "it is continued");
    assert_eq!(only(&*store).await.turn.state, TurnState::Speaking);

    let settling = store.queue(HOME, turn.id, &[], Progress::Settling).await;
    settling.unwrap();
    assert_eq!(only(&*store).await.turn.state, TurnState::Settling);
    queue(&*store, &say(&turn, 1, "a notice")).await.unwrap();
    assert_eq!(only(&*store).await.turn.state, TurnState::Settling);

    end(&*store, &turn, Ending::Done).await.unwrap();
    let over = store.begin(HOME, turn.id).await.unwrap_err();
    assert_eq!(over.reason(), "turn 1-0 has ended");
    assert!(!over.is_retryable());
}

pub(super) async fn an_attempt_that_was_suspended_does_not_count<E: Engine>(engine: E) {
    let store = engine.open().await;
    let turn = turn(HOME, 1);
    admit(&*store, &turn).await;
    for _ in 0..5 {
        assert_eq!(store.begin(HOME, turn.id).await, Ok(1));
        store.suspend(HOME, turn.id).await.unwrap();
    }
    end(&*store, &turn, Ending::Done).await.unwrap();
    store.suspend(HOME, turn.id).await.unwrap();
}

pub(super) async fn an_ended_turn_stays_as_it_ended<E: Engine>(engine: E) {
    let store = engine.open().await;
    let endings = [
        (Ending::Done, "done", None),
        (Ending::Stopped, "stopped", None),
        (
            Ending::Failed(Notice::ModelBusy),
            "failed",
            Some("model_busy"),
        ),
        (Ending::Stale, "stale", None),
    ];
    for (message, (ending, word, notice)) in (1..).zip(endings) {
        let turn = turn(HOME, message);
        admit(&*store, &turn).await;
        let said = say(&turn, 0, "hello");
        queue(&*store, &said).await.unwrap();
        end(&*store, &turn, ending).await.unwrap();
        send(&*store, &said, message).await;
        assert_eq!(store.unfinished(HOME).await, Ok(vec![]), "{ending:?}");
        assert_eq!(store.unfinished_scopes().await, Ok(vec![]), "{ending:?}");

        let other = if ending == Ending::Done {
            Ending::Stale
        } else {
            Ending::Done
        };
        end(&*store, &turn, other).await.unwrap();
        let kept = engine.ending_row(turn.id).await;
        assert_eq!(kept, (word.to_owned(), notice.map(str::to_owned)));
        let late = queue(&*store, &say(&turn, 1, "late")).await.unwrap_err();
        assert_eq!(late.reason(), format!("turn {} has ended", turn.id));
        queue(&*store, &said).await.unwrap();
    }
}

pub(super) async fn effects_and_progress_are_one_transaction<E: Engine>(engine: E) {
    let store = engine.open().await;
    let first = turn(HOME, 1);
    admit(&*store, &first).await;
    queue(&*store, &say(&first, 0, "one")).await.unwrap();

    // The second cannot be queued, so the first is not, and the turn goes on.
    let clash = [say(&first, 1, "two"), say(&first, 0, "other")];
    let ended = Progress::Ended(Ending::Done);
    let refused = store.queue(HOME, first.id, &clash, ended).await;
    assert!(refused.is_err());
    let kept = only(&*store).await;
    assert_eq!(kept.turn.state, TurnState::Speaking);
    assert_eq!(kept.effects, [say(&first, 0, "one")]);

    let rest = [say(&first, 1, "two"), say(&first, 2, "three")];
    store.queue(HOME, first.id, &rest, ended).await.unwrap();
    let kept = only(&*store).await;
    assert_eq!(kept.turn.state, TurnState::Ended(Ending::Done));
    assert_eq!(kept.effects.len(), 3);

    let stranger = say(&turn(AWAY, 1), 3, "elsewhere");
    assert!(
        store
            .queue(HOME, first.id, &[stranger], ended)
            .await
            .is_err()
    );
}

pub(super) async fn a_stop_ends_what_was_asked_before_it_and_is_remembered<E: Engine>(engine: E) {
    let store = engine.open().await;
    let at = |millis| Timestamp::from_millis(millis);
    let asked = |message, millis| {
        let mut turn = turn(HOME, message);
        turn.admitted_at = at(millis);
        turn
    };
    let (speaking, waiting, later) = (asked(1, 10), asked(2, 20), asked(4, 40));
    let mut others = asked(5, 10);
    others.asker = UserId::new(31);
    let mut elsewhere = turn(AWAY, 1);
    elsewhere.admitted_at = at(10);
    for turn in [&speaking, &waiting, &later, &others, &elsewhere] {
        admit(&*store, turn).await;
        queue(&*store, &say(turn, 0, "one")).await.unwrap();
        queue(&*store, &say(turn, 1, "two")).await.unwrap();
        let act = EffectBody::Act {
            name: "react".into(),
            arguments: "{}".into(),
        };
        queue(&*store, &effect(turn, 2, act)).await.unwrap();
    }
    store.start(HOME, speaking.id, 0, 1).await.unwrap();

    let stop = StopRequest {
        scope: HOME,
        channel: speaking.channel,
        asker: speaking.asker,
        event: MessageId::new(3),
        at: at(30),
    };
    store.stop(&stop).await.unwrap();
    store.stop(&stop).await.unwrap();

    let left = store.unfinished(HOME).await.unwrap();
    let states = |id| {
        let found = left.iter().find(|it| it.turn.id == id);
        found.map(|it| {
            let states = it.effects.iter().map(|effect| effect.state);
            (it.turn.state, states.collect::<Vec<_>>())
        })
    };
    let (queued, expired) = (EffectState::Queued, EffectState::Expired);
    let started = EffectState::Started { attempt: 1 };
    let stopped = TurnState::Ended(Ending::Stopped);
    assert_eq!(
        states(speaking.id),
        Some((stopped, vec![started, expired, expired]))
    );
    assert_eq!(states(waiting.id), None);
    for other in [later.id, others.id] {
        assert_eq!(states(other), Some((TurnState::Speaking, vec![queued; 3])));
    }
    let away = store.unfinished(AWAY).await.unwrap();
    assert_eq!(away[0].turn.state, TurnState::Speaking);

    // The message that said so is no question when it comes again.
    assert_eq!(
        store.admit(&turn(HOME, 3), None).await,
        Ok(Admission::Duplicate)
    );
    assert_eq!(store.admit(&turn(AWAY, 3), None).await, Ok(Admission::New));
}

/// Somebody asks for another take: by an edit at a moment, or by a reaction.
pub(super) fn take_request(
    scope: Scope,
    user: UserId,
    edited_at: Option<Timestamp>,
) -> TakeRequest {
    TakeRequest {
        scope,
        message: MessageId::new(77),
        user,
        edited_at,
    }
}

pub(super) async fn what_asks_for_another_take_asks_once<E: Engine>(engine: E) {
    let (ada, ben) = (UserId::new(3), UserId::new(4));
    let at = Timestamp::from_millis;
    let (sign, edit) = (None, Some(at(5)));
    let all = [
        take_request(HOME, ada, sign),
        take_request(HOME, ben, sign),
        take_request(HOME, ada, edit),
        take_request(HOME, ada, Some(at(6))),
        take_request(AWAY, ada, sign),
        TakeRequest {
            message: MessageId::new(78),
            ..take_request(HOME, ada, sign)
        },
    ];
    let store = engine.open().await;
    for (take, request) in (1..).zip(&all) {
        assert_eq!(store.request_take(request, take, at(9)).await, Ok(take));
    }
    engine.close(store).await;
    let store = engine.open().await;
    for (take, request) in (1..).zip(&all) {
        assert_eq!(store.request_take(request, 99, at(10)).await, Ok(take));
    }
    // Edits cannot be taken back, and nobody takes back what others did.
    let message = MessageId::new(77);
    for (by, asks_anew) in [
        (Some(ada), [true, false, false, false, false, false]),
        (None, [true, true, false, false, false, false]),
    ] {
        store.withdraw_take(HOME, message, by).await.unwrap();
        for (request, asks_anew) in all.iter().zip(asks_anew) {
            let take = store.request_take(request, 50, at(11)).await.unwrap();
            assert_eq!(take == 50, asks_anew, "{by:?} {request:?}");
        }
    }
}

pub(super) async fn what_is_not_there_is_an_error<E: Engine>(engine: E) {
    let store = engine.open().await;
    let absent = turn(HOME, 1);
    let no_turn = "there is no turn 1-0 in this scope";
    let begun = store.begin(HOME, absent.id).await.unwrap_err();
    assert_eq!(begun.reason(), no_turn);
    let queued = queue(&*store, &say(&absent, 0, "hello")).await;
    assert_eq!(queued.unwrap_err().reason(), no_turn);
    let ended = end(&*store, &absent, Ending::Done).await;
    assert_eq!(ended.unwrap_err().reason(), no_turn);
    let no_effect = "there is no effect 3 of turn 1-0 in this scope";
    let marked = store.mark(HOME, absent.id, 3, EffectState::Unknown).await;
    assert_eq!(marked.unwrap_err().reason(), no_effect);
    let started = store.start(HOME, absent.id, 3, 1).await;
    assert_eq!(started.unwrap_err().reason(), no_effect);
    assert_eq!(store.unfinished_scopes().await, Ok(vec![]));
}
