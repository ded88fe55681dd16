//! What personas speak by, and how they appeared.

use kaiwa_domain::port::{Store, Webhooks};
use kaiwa_domain::{
    ChannelId, Identity, MessageId, PersonaId, PictureId, Portrait, WebhookHandle, WebhookId,
};

use super::{AWAY, Engine, HOME, NOW, admit, only, queue, say, turn};

const HERE: ChannelId = ChannelId::new(20);
const THERE: ChannelId = ChannelId::new(u64::MAX);

fn webhook(id: u64, token: &str) -> WebhookHandle {
    WebhookHandle::new(WebhookId::new(id), token.to_owned())
}

pub(super) async fn a_webhook_is_used_until_it_is_gone<E: Engine>(engine: E) {
    let store = engine.open().await;
    assert_eq!(store.webhook(HOME, HERE).await, Ok(None));
    let first = webhook(u64::MAX, "first");
    store.keep_webhook(HOME, HERE, &first, NOW).await.unwrap();
    let there = webhook(3, "there");
    store.keep_webhook(HOME, THERE, &there, NOW).await.unwrap();
    engine.close(store).await;

    let store = engine.open().await;
    assert_eq!(store.webhook(HOME, HERE).await, Ok(Some(first.clone())));
    assert_eq!(store.webhook(HOME, THERE).await, Ok(Some(there.clone())));
    assert_eq!(store.webhook(AWAY, HERE).await, Ok(None));
    let gone = store.forget_webhook(AWAY, first.id(), NOW);
    gone.await.unwrap();
    assert_eq!(store.webhook(HOME, HERE).await, Ok(Some(first.clone())));
    let gone = store.forget_webhook(HOME, first.id(), NOW);
    gone.await.unwrap();
    assert_eq!(store.webhook(HOME, HERE).await, Ok(None));

    // It was ours all the same.
    let asked = [WebhookId::new(9), first.id(), there.id()];
    let ours = Ok(vec![there.id(), first.id()]);
    assert_eq!(store.our_webhooks(HOME, &asked).await, ours);
    assert_eq!(store.our_webhooks(AWAY, &asked).await, Ok(Vec::new()));

    // A token that was changed is learned anew.
    let anew = webhook(u64::MAX, "changed");
    store.keep_webhook(HOME, HERE, &anew, NOW).await.unwrap();
    assert_eq!(store.webhook(HOME, HERE).await, Ok(Some(anew)));
}

pub(super) async fn somebody_is_told_once_that_there_can_be_none<E: Engine>(engine: E) {
    let store = engine.open().await;
    assert_eq!(store.take_refusal(HOME, HERE).await, Ok(None));
    for code in [30007, 50013] {
        store.refuse_webhook(HOME, HERE, code, NOW).await.unwrap();
    }
    assert_eq!(store.take_refusal(AWAY, HERE).await, Ok(None));
    assert_eq!(store.take_refusal(HOME, HERE).await, Ok(Some(30007)));
    store.refuse_webhook(HOME, HERE, 30007, NOW).await.unwrap();
    assert_eq!(store.take_refusal(HOME, HERE).await, Ok(None));
    // Once it was possible again, it is news.
    let possible = webhook(1, "token");
    store
        .keep_webhook(HOME, HERE, &possible, NOW)
        .await
        .unwrap();
    store.refuse_webhook(HOME, HERE, 50013, NOW).await.unwrap();
    assert_eq!(store.take_refusal(HOME, HERE).await, Ok(Some(50013)));
}

pub(super) async fn how_somebody_appeared_is_kept<E: Engine>(engine: E) {
    let store = engine.open().await;
    let mut asked = turn(HOME, 1);
    asked.persona = PersonaId::new(2);
    admit(&*store, &asked).await;
    let mut said = say(&asked, 0, "hello");
    let portrait = Portrait {
        of: asked.persona,
        picture: PictureId::of(b"mira"),
    };
    let mira = Identity::new("Mira", Some(portrait)).unwrap();
    said.identity = Some(mira.in_look("cross", 1));
    queue(&*store, &said).await.unwrap();
    engine.close(store).await;

    let store = engine.open().await;
    assert_eq!(only(&*store).await.effects, [said.clone()]);
    queue(&*store, &said).await.unwrap();
    let mut other = said.clone();
    other.identity = None;
    assert!(queue(&*store, &other).await.is_err());
    let message = MessageId::new(5);
    store.done(&said, &[message], NOW).await.unwrap();
    let speakers = store.speakers(HOME, &[message]).await.unwrap();
    assert_eq!(speakers[&message].persona, PersonaId::new(2));
    assert_eq!(speakers[&message].look.as_deref(), Some("cross"));
}
