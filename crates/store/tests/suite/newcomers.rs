//! What is owed to people who joined.

use kaiwa_domain::port::Newcomers;
use kaiwa_domain::{GuildId, Newcomer, RoleId, Scope, Timestamp, UserId};

use super::{Engine, HOME, NOW};

pub(super) fn newcomer(scope: Scope, user: UserId) -> Newcomer {
    Newcomer {
        scope,
        user,
        joined_at: NOW,
        welcome_at: Some(NOW),
        role: Some(RoleId::new(u64::MAX)),
        messages: 0,
        promoted: false,
    }
}

pub(super) async fn what_is_owed_is_kept_until_it_is_given<E: Engine>(engine: E) {
    let store = engine.open().await;
    let (ada, bob) = (UserId::new(1), UserId::new(u64::MAX));
    let elsewhere = Scope::Guild(GuildId::new(8));
    assert_eq!(store.scopes_with_newcomers().await, Ok(vec![]));
    let mut first = newcomer(HOME, ada);
    let mut second = newcomer(HOME, bob);
    first.joined_at = Timestamp::from_millis(1);
    second.joined_at = Timestamp::from_millis(2);
    for known in [&second, &first, &newcomer(elsewhere, ada)] {
        store.put_newcomer(known).await.unwrap();
    }
    assert_eq!(
        store.newcomers(HOME).await,
        Ok(vec![first.clone(), second.clone()])
    );
    engine.close(store).await;
    let store = engine.open().await;
    let scopes = store.scopes_with_newcomers().await.unwrap();
    assert_eq!(scopes, [HOME, elsewhere]);

    store.count_messages(HOME, ada, 3).await.unwrap();
    store.count_messages(HOME, ada, 2).await.unwrap();
    store.count_messages(HOME, UserId::new(9), 2).await.unwrap();
    first.messages = 5;
    (second.welcome_at, second.role, second.promoted) = (None, None, true);
    store.put_newcomer(&second).await.unwrap();
    assert_eq!(store.newcomers(HOME).await, Ok(vec![first.clone()]));

    store.forget_newcomer(HOME, ada).await.unwrap();
    assert_eq!(store.newcomers(HOME).await, Ok(vec![]));
    assert_eq!(store.newcomers(elsewhere).await.unwrap().len(), 1);
}
