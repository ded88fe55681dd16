//! What is to be done at a certain time.

use kaiwa_domain::port::Schedules;
use kaiwa_domain::{
    NewSchedule, Recurrence, SCHEDULE_CHARS, SCHEDULES_PER_PERSON, Schedule, ScheduleId, Scope,
    StoreError, TaskKind, Timestamp, UserId,
};

use super::memories::{ADA, HERE};
use super::{AWAY, Engine, HOME};

pub(super) fn schedule(scope: Scope, user: UserId, due: i64, text: &str) -> NewSchedule {
    NewSchedule {
        scope,
        channel: HERE,
        user,
        kind: TaskKind::Remind,
        text: text.to_owned(),
        due: Timestamp::from_millis(due),
        recurrence: None,
        zone: "Europe/Paris".to_owned(),
        mark: due.unsigned_abs(),
        created_at: Timestamp::from_millis(1),
    }
}

pub(super) async fn a_schedule_is_due_until_it_moves_on<E: Engine>(engine: E) {
    let store = engine.open().await;
    let tea = NewSchedule {
        kind: TaskKind::Answer,
        recurrence: Some(Recurrence::Weekdays {
            days: 31,
            minute: 540,
        }),
        mark: u64::MAX,
        ..schedule(HOME, ADA, 5_000, "お茶 ☕")
    };
    let id = store.add_schedule(&tea).await.unwrap();
    // The same request again.
    assert_eq!(store.add_schedule(&tea).await, Ok(id));
    let later = NewSchedule {
        recurrence: Some(Recurrence::Months {
            every: 12,
            day: 31,
            minute: 0,
        }),
        ..schedule(AWAY, ADA, 9_000, "later")
    };
    let other = store.add_schedule(&later).await.unwrap();
    engine.close(store).await;

    let store = engine.open().await;
    let at = Timestamp::from_millis;
    assert_eq!(store.next_due().await, Ok(Some(at(5_000))));
    assert_eq!(store.due_schedules(at(4_999), 9).await, Ok(Vec::new()));
    let due = Schedule { id, set: tea };
    let both = vec![
        due.clone(),
        Schedule {
            id: other,
            set: later,
        },
    ];
    assert_eq!(store.due_schedules(at(9_000), 9).await, Ok(both));
    let first = store.due_schedules(at(9_000), 1).await;
    assert_eq!(first, Ok(vec![due]));

    let moved = store.advance_schedule(HOME, id, at(5_000), Some(at(99_000)));
    assert_eq!(moved.await, Ok(true));
    let again = store.advance_schedule(HOME, id, at(5_000), None);
    assert_eq!(again.await, Ok(false), "it is not due then any more");
    let done = store.advance_schedule(AWAY, other, at(9_000), None);
    assert_eq!(done.await, Ok(true));
    assert_eq!(store.next_due().await, Ok(Some(at(99_000))));
}

/// After a crash an action may be repeated long after what it set is over.
pub(super) async fn what_is_over_is_not_set_again<E: Engine>(engine: E) {
    let store = engine.open().await;
    let (done, gone) = (
        schedule(HOME, ADA, 5_000, "done"),
        schedule(HOME, ADA, 6_000, "gone"),
    );
    let first = store.add_schedule(&done).await.unwrap();
    let second = store.add_schedule(&gone).await.unwrap();
    let due = Timestamp::from_millis(5_000);
    assert_eq!(
        store.advance_schedule(HOME, first, due, None).await,
        Ok(true)
    );
    assert_eq!(store.remove_schedule(HOME, ADA, second).await, Ok(true));
    engine.close(store).await;

    let store = engine.open().await;
    assert_eq!(store.add_schedule(&done).await, Ok(first));
    assert_eq!(store.add_schedule(&gone).await, Ok(second));
    assert_eq!(store.schedules(HOME, ADA).await, Ok(Vec::new()));
    assert_eq!(store.next_due().await, Ok(None));
    // Who else asks for the same asks for something else.
    let theirs = schedule(HOME, UserId::new(31), 5_000, "done");
    let there = schedule(AWAY, ADA, 5_000, "done");
    for set in [theirs, there] {
        store.add_schedule(&set).await.unwrap();
        assert_eq!(store.schedules(set.scope, set.user).await.unwrap().len(), 1);
    }
}

pub(super) async fn people_have_their_own_schedules<E: Engine>(engine: E) {
    let store = engine.open().await;
    let bob = UserId::new(31);
    for number in 0..SCHEDULES_PER_PERSON {
        let due = 1_000 + number as i64;
        let set = schedule(HOME, ADA, due, "tea");
        store.add_schedule(&set).await.unwrap();
    }
    let more = store
        .add_schedule(&schedule(HOME, ADA, 9_999, "more"))
        .await;
    assert!(matches!(more, Err(StoreError::Conflict { .. })), "{more:?}");
    let long = schedule(HOME, bob, 1, &"x".repeat(SCHEDULE_CHARS + 1));
    let long = store.add_schedule(&long).await;
    assert!(matches!(long, Err(StoreError::Conflict { .. })), "{long:?}");
    let milk = schedule(HOME, bob, 500, "milk");
    let theirs = store.add_schedule(&milk).await.unwrap();

    let set = store.schedules(HOME, ADA).await.unwrap();
    assert_eq!(set.len(), SCHEDULES_PER_PERSON);
    assert!(set.iter().all(|it| it.set.user == ADA));
    assert!(set.is_sorted_by_key(|it| it.set.due));
    assert_eq!(store.schedules(AWAY, ADA).await, Ok(Vec::new()));
    assert_eq!(store.remove_schedule(HOME, ADA, theirs).await, Ok(false));
    assert_eq!(store.remove_schedule(AWAY, bob, theirs).await, Ok(false));
    assert_eq!(store.remove_schedule(HOME, bob, theirs).await, Ok(true));
    let gone = store.remove_schedule(HOME, bob, ScheduleId::new(9999));
    assert_eq!(gone.await, Ok(false));
}
