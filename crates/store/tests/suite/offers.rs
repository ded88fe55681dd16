//! What waits for a click, and what was done.

use kaiwa_domain::port::{ActionLog, Offers, Store};
use kaiwa_domain::{
    ActionRecord, EffectBody, MessageId, Offer, OfferId, OfferKind, OfferState, RecordedOutcome,
    Scope, Timestamp, Trigger, TurnId, UserId,
};

use super::{AWAY, Engine, HOME, admit, effect, queue, turn};

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

pub(super) fn offer(scope: Scope, id: u64, kind: OfferKind, until: i64) -> Offer {
    let turn = turn(scope, 1);
    Offer {
        id: OfferId::new(id),
        kind,
        scope,
        channel: turn.channel,
        turn: turn.id,
        asker: turn.asker,
        action: "ban".to_owned(),
        arguments: r#"{"user":"5"}"#.to_owned(),
        made_at: at(0),
        until: at(until),
        message: None,
    }
}

pub(super) fn audited(scope: Scope, number: u64, asker: UserId) -> ActionRecord {
    let turn = turn(scope, number);
    ActionRecord {
        scope,
        channel: turn.channel,
        turn: turn.id,
        asker,
        action: "ban".to_owned(),
        arguments: "{}".to_owned(),
        outcome: RecordedOutcome::Done,
        result: "banned".to_owned(),
        at: at(i64::try_from(number).unwrap()),
    }
}

pub(super) async fn an_offer_is_settled_once<E: Engine>(engine: E) {
    let store = engine.open().await;
    // Ids use all their bits.
    let made = offer(HOME, u64::MAX, OfferKind::Confirm, 30);
    store.make_offer(&made).await.unwrap();
    let again = Offer {
        until: at(99),
        ..made.clone()
    };
    store.make_offer(&again).await.unwrap();
    let found = store.offer(HOME, made.id).await.unwrap();
    assert_eq!(found, Some((made.clone(), OfferState::Open)));
    assert_eq!(store.offer(AWAY, made.id).await, Ok(None));

    let click = |number| TurnId::first(Trigger::new("component", number).unwrap());
    let first = OfferState::Taken { by: click(8) };
    let second = OfferState::Taken { by: click(9) };
    for state in [first, second, OfferState::Cancelled, OfferState::Expired] {
        let stands = store.settle_offer(HOME, made.id, state).await;
        assert_eq!(stands, Ok(first), "{state:?}");
    }
    let found = store.offer(HOME, made.id).await.unwrap();
    assert_eq!(found, Some((made, first)));
    let gone = store.settle_offer(HOME, OfferId::new(4), second).await;
    assert_eq!(gone, Ok(OfferState::Expired));
}

pub(super) async fn offers_are_told_in_the_order_in_which_they_expire<E: Engine>(engine: E) {
    let store = engine.open().await;
    for (scope, id, kind, until) in [
        (HOME, 1, OfferKind::Confirm, 50),
        (AWAY, 2, OfferKind::Confirm, 30),
        (HOME, 3, OfferKind::Undo, 10),
        (HOME, 4, OfferKind::Confirm, 20),
        (AWAY, 5, OfferKind::Again, 40),
        (HOME, 6, OfferKind::Source, 60),
    ] {
        store
            .make_offer(&offer(scope, id, kind, until))
            .await
            .unwrap();
    }
    let cancelled = store.settle_offer(HOME, OfferId::new(4), OfferState::Cancelled);
    cancelled.await.unwrap();
    for (limit, expected) in [(9, &[3, 2, 5, 1, 6][..]), (2, &[3, 2]), (0, &[])] {
        let open = store.expiring_offers(limit).await.unwrap();
        let ids: Vec<u64> = open.iter().map(|offer| offer.id.get()).collect();
        assert_eq!(ids, expected, "at most {limit}");
    }
}

pub(super) async fn an_offer_knows_the_message_that_shows_it<E: Engine>(engine: E) {
    let store = engine.open().await;
    let asked = turn(HOME, 1);
    admit(&*store, &asked).await;
    let offered = |offer| EffectBody::Offer {
        offer,
        text: "Should I?".to_owned(),
        buttons: Vec::new(),
        reply_to: Some(MessageId::new(1)),
    };
    let answered = |undo| EffectBody::Respond {
        text: "Done.".to_owned(),
        buttons: Vec::new(),
        waits: None,
        undo,
        file: None,
    };
    for (index, kind, body) in [
        (0, OfferKind::Confirm, offered as fn(_) -> _),
        (1, OfferKind::Undo, offered),
        (2, OfferKind::Undo, answered),
    ] {
        let made = offer(HOME, u64::from(index) + 5, kind, 30);
        store.make_offer(&made).await.unwrap();
        let shown = effect(&asked, index, body(Some(made.id)));
        queue(&*store, &shown).await.unwrap();
        let unfinished = store.unfinished(HOME).await.unwrap();
        assert!(unfinished[0].effects.contains(&shown), "{shown:?}");
        let message = MessageId::new(77);
        store.done(&shown, &[message], at(1)).await.unwrap();
        let (found, _) = store.offer(HOME, made.id).await.unwrap().unwrap();
        assert_eq!(found.message, Some(message), "{shown:?}");
    }
}

pub(super) async fn what_was_done_is_told_newest_first<E: Engine>(engine: E) {
    let store = engine.open().await;
    let asker = UserId::new(30);
    for number in [1, 3, 2] {
        store.audit(&audited(HOME, number, asker)).await.unwrap();
    }
    store.audit(&audited(AWAY, 4, asker)).await.unwrap();
    // The same call of the same turn, told again.
    let again = ActionRecord {
        outcome: RecordedOutcome::Failed,
        ..audited(HOME, 2, asker)
    };
    store.audit(&again).await.unwrap();
    let told = store.audited(HOME, at(2), 9).await.unwrap();
    assert_eq!(told, [audited(HOME, 3, asker), again]);
    let newest = store.audited(HOME, at(0), 1).await.unwrap();
    assert_eq!(newest, [audited(HOME, 3, asker)]);
    // Moderators are told of each once, the oldest first.
    let untold = store.untold(9).await.unwrap();
    assert_eq!(untold.len(), 4);
    assert!(untold.is_sorted_by_key(|it| it.at), "{untold:?}");
    assert_eq!(store.untold(1).await.unwrap(), untold[..1]);
    for entry in &untold[..3] {
        store.told(entry).await.unwrap();
    }
    assert_eq!(store.untold(9).await.unwrap(), untold[3..]);
    // What is written anew is told anew.
    store.audit(&untold[0]).await.unwrap();
    assert_eq!(store.untold(1).await.unwrap(), untold[..1]);
}
