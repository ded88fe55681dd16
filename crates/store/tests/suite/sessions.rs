//! Gateway sessions over restarts.

use kaiwa_domain::port::{Session, Sessions};

use super::Engine;

pub(super) async fn a_session_is_replaced_and_forgotten<E: Engine>(engine: E) {
    let store = engine.open().await;
    let session = |sequence| Session {
        id: format!("s{sequence}"),
        sequence,
        resume_url: "ws://127.0.0.1:1".to_owned(),
        shards: 1,
    };
    assert_eq!(store.load(0).await, Ok(None));
    store.save(0, Some(session(1))).await.unwrap();
    store.save(1, Some(session(9))).await.unwrap();
    store.save(0, Some(session(2))).await.unwrap();
    assert_eq!(store.load(0).await, Ok(Some(session(2))));
    store.save(0, None).await.unwrap();
    assert_eq!(store.load(0).await, Ok(None));
    assert_eq!(store.load(1).await, Ok(Some(session(9))));
}
