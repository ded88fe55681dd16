//! What was done to members of guilds.

use kaiwa_domain::port::{CaseBook, Erasure, Retention, Store};
use kaiwa_domain::{
    Case, CaseKind, CaseState, DataSubject, GuildId, MessageId, NewCase, Scope, Timestamp, TurnId,
    UserId,
};

use super::{Engine, HOME, NOW};

const ADA: UserId = UserId::new(30);
const BOB: UserId = UserId::new(u64::MAX);
const ELSEWHERE: Scope = Scope::Guild(GuildId::new(8));

pub(super) fn case(scope: Scope, message: u64, kind: CaseKind, user: UserId) -> NewCase {
    NewCase {
        scope,
        turn: TurnId::of_message(MessageId::new(message)),
        kind,
        user,
        moderator: UserId::new(99),
        reason: "spilt the tea".to_owned(),
        at: NOW,
        until: None,
    }
}

fn tempban(scope: Scope, message: u64, user: UserId, until: i64) -> NewCase {
    NewCase {
        until: Some(Timestamp::from_millis(until)),
        ..case(scope, message, CaseKind::Ban, user)
    }
}

fn numbers(cases: &[Case]) -> Vec<u32> {
    cases.iter().map(|case| case.number).collect()
}

pub(super) async fn a_case_is_numbered_in_its_guild_and_settled<E: Engine>(engine: E) {
    let store = engine.open().await;
    let warned = case(HOME, 1, CaseKind::Warning, ADA);
    let first = store.open_case(&warned).await.unwrap();
    let expected = Case {
        scope: HOME,
        number: 1,
        kind: CaseKind::Warning,
        user: ADA,
        moderator: Some(UserId::new(99)),
        reason: "spilt the tea".to_owned(),
        at: NOW,
        until: None,
        state: CaseState::Asked,
    };
    assert_eq!(first, expected);
    // The same turn says it again, as after a crash.
    let again = NewCase {
        reason: "something else".to_owned(),
        ..warned.clone()
    };
    assert_eq!(store.open_case(&again).await, Ok(expected.clone()));
    for (scope, message, kind, user, number) in [
        (HOME, 1, CaseKind::Kick, ADA, 2),
        (HOME, 1, CaseKind::Warning, BOB, 3),
        (HOME, 2, CaseKind::Warning, ADA, 4),
        (ELSEWHERE, 1, CaseKind::Warning, ADA, 1),
    ] {
        let opened = store.open_case(&case(scope, message, kind, user)).await;
        assert_eq!(opened.unwrap().number, number);
    }
    store
        .settle_case(HOME, 1, CaseState::Done, NOW)
        .await
        .unwrap();
    engine.close(store).await;
    let store = engine.open().await;
    let of = async |user, limit| store.cases(HOME, user, limit).await.unwrap();
    assert_eq!(numbers(&of(None, 9).await), [4, 3, 2, 1]);
    assert_eq!(numbers(&of(None, 2).await), [4, 3]);
    assert_eq!(numbers(&of(Some(BOB), 9).await), [3]);
    let settled = of(Some(ADA), 9).await;
    assert_eq!(numbers(&settled), [4, 2, 1]);
    let states: Vec<CaseState> = settled.iter().map(|case| case.state).collect();
    let (asked, done) = (CaseState::Asked, CaseState::Done);
    assert_eq!(states, [asked, asked, done]);
}

pub(super) async fn a_ban_is_open_until_it_is_lifted<E: Engine>(engine: E) {
    let store = engine.open().await;
    for ban in [
        tempban(HOME, 1, ADA, 5_000),
        tempban(HOME, 2, ADA, 9_000),
        tempban(HOME, 3, BOB, 7_000),
        case(ELSEWHERE, 1, CaseKind::Ban, ADA),
    ] {
        store.open_case(&ban).await.unwrap();
    }
    let settle = async |number, state| {
        let settled = store.settle_case(HOME, number, state, NOW).await;
        settled.unwrap();
    };
    settle(1, CaseState::Done).await;
    settle(3, CaseState::Refused).await;
    let open = store.open_bans(HOME).await.unwrap();
    assert_eq!(numbers(&open), [1, 2]);
    assert_eq!(open[1].until, Some(Timestamp::from_millis(9_000)));
    // One without an end needs nobody to remember it.
    assert_eq!(store.scopes_with_bans().await, Ok(vec![HOME]));

    store.lift_bans(HOME, ADA, NOW).await.unwrap();
    assert_eq!(store.open_bans(HOME).await, Ok(vec![]));
    assert_eq!(store.open_bans(ELSEWHERE).await.unwrap().len(), 1);
    assert_eq!(store.scopes_with_bans().await, Ok(vec![]));
    // What is lifted stays so, whatever is learned later.
    settle(1, CaseState::Done).await;
    assert_eq!(store.open_bans(HOME).await, Ok(vec![]));
}

pub(super) async fn an_open_ban_outlives_the_erasure_of_a_person<E: Engine>(engine: E) {
    let store = engine.open().await;
    store
        .open_case(&tempban(HOME, 1, ADA, 5_000))
        .await
        .unwrap();
    let mut other = case(HOME, 2, CaseKind::Ban, BOB);
    other.moderator = ADA;
    store.open_case(&other).await.unwrap();
    store
        .open_case(&case(HOME, 3, CaseKind::Kick, ADA))
        .await
        .unwrap();

    store.erase(DataSubject::User(ADA), NOW).await.unwrap();
    let left = store.cases(HOME, None, 9).await.unwrap();
    assert_eq!(numbers(&left), [2, 1]);
    assert_eq!(left[0].moderator, None);
    store.lift_bans(HOME, ADA, NOW).await.unwrap();
    store.erase(DataSubject::User(ADA), NOW).await.unwrap();
    let left = store.cases(HOME, None, 9).await.unwrap();
    assert_eq!(numbers(&left), [2]);
    let guild = DataSubject::Guild(GuildId::new(7));
    store.erase(guild, NOW).await.unwrap();
    assert_eq!(store.cases(HOME, None, 9).await, Ok(vec![]));
}

pub(super) async fn an_open_ban_is_kept_for_ever<E: Engine>(engine: E) {
    let store = engine.open().await;
    store
        .open_case(&tempban(HOME, 1, ADA, 5_000))
        .await
        .unwrap();
    let far = Timestamp::from_millis(i64::MAX / 2);
    let retention = Retention::default();
    store.sweep(&retention, far).await.unwrap();
    assert_eq!(store.open_bans(HOME).await.unwrap().len(), 1);
    store.lift_bans(HOME, ADA, NOW).await.unwrap();
    store.sweep(&retention, far).await.unwrap();
    assert_eq!(store.cases(HOME, None, 9).await, Ok(vec![]));
}
