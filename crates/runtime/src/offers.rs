//! Offers that nobody took in time: their buttons are taken away. Where a call
//! had to be confirmed, people read that nothing was done; an answer, and what
//! was done, stay what they are.
//!
//! An offer that expires is a turn of its own, named after the moment: what
//! became of the message is settled like any other effect.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{Admission, Progress};
use kaiwa_domain::{
    Effect, EffectBody, Ending, MessageId, OccurrenceId, Offer, OfferKind, OfferState, PersonaId,
    RetireTarget, StoreError, Trigger, Turn, TurnId, TurnState,
};

use crate::Bot;
use crate::guises::Guises;
use crate::outbox::effect;
use crate::send::{Sender, Sent};
use crate::signals::Signals;
use crate::turn::end;

/// How long to wait when the store does not answer.
const PAUSE: Duration = Duration::from_secs(5);

/// How long to wait when Discord has not shown yet what is over already.
const LOOK_AGAIN: Duration = Duration::from_secs(6);

/// How many are looked at together.
const AT_ONCE: u16 = 64;

/// Watches over the offers until the bot closes.
pub(crate) async fn expire(bot: Arc<Bot>, signals: Signals) {
    loop {
        let wait = match retire_due(&bot, &signals).await {
            Ok(wait) => wait,
            Err(error) => {
                tracing::warn!(%error, "offers cannot be read");
                Some(PAUSE)
            }
        };
        let waited = async {
            match wait {
                Some(wait) => bot.clock.sleep(wait).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = signals.closing.cancelled() => return,
            () = bot.offer_made.notified() => {}
            () = waited => {}
        }
    }
}

/// Deals with those that are due, and says when the next one is.
async fn retire_due(bot: &Bot, signals: &Signals) -> Result<Option<Duration>, StoreError> {
    loop {
        let offers = bot.offers.expiring_offers(AT_ONCE).await?;
        if offers.is_empty() {
            return Ok(None);
        }
        let mut held = false;
        for offer in offers {
            let now = bot.clock.now();
            if offer.until > now {
                let wait = offer.until.since(now);
                return Ok(Some(if held { wait.min(LOOK_AGAIN) } else { wait }));
            }
            if is_being_shown(bot, &offer).await? {
                held = true;
                continue;
            }
            let (scope, id) = (offer.scope, offer.id);
            let expired = bot.persist(|| bot.offers.settle_offer(scope, id, OfferState::Expired));
            if expired.await? == OfferState::Expired {
                retire(bot, signals, &offer).await?;
            }
        }
        if held {
            return Ok(Some(LOOK_AGAIN));
        }
    }
}

/// Whether Discord may yet be asked to show an offer: its buttons would come
/// back after they were taken away. A click on them is too late either way.
async fn is_being_shown(bot: &Bot, offer: &Offer) -> Result<bool, StoreError> {
    let id = Some(offer.id);
    let shows = |effect: &Effect| match &effect.body {
        EffectBody::Offer { offer, .. } => *offer == id,
        EffectBody::Respond { waits, undo, .. } => *waits == id || *undo == id,
        EffectBody::Dress { message, .. } => Some(*message) == offer.message,
        _ => false,
    };
    let unfinished = bot.persist(|| bot.store.unfinished(offer.scope)).await?;
    let mut effects = unfinished.iter().flat_map(|it| &it.effects);
    Ok(effects.any(|it| it.state.is_unsettled() && shows(it)))
}

/// Takes the buttons of an offer away.
async fn retire(bot: &Bot, signals: &Signals, offer: &Offer) -> Result<(), StoreError> {
    let Some(body) = gone(bot, offer) else {
        return Ok(());
    };
    let trigger = Trigger::Schedule(OccurrenceId::due(offer.id.get(), offer.until));
    let persona = match offer.kind {
        OfferKind::Again | OfferKind::Source => speaker(bot, offer).await?,
        OfferKind::Confirm | OfferKind::Undo => PersonaId::MAIN,
    };
    let turn = Turn {
        id: TurnId::first(trigger),
        scope: offer.scope,
        channel: offer.channel,
        asker: offer.asker,
        persona,
        state: TurnState::Admitted,
        admitted_at: bot.clock.now(),
    };
    if bot.persist(|| bot.store.admit(&turn, None)).await? == Admission::Duplicate {
        return Ok(());
    }
    let retired = Effect {
        identity: Guises::of(bot, &turn).await.identity(None).cloned(),
        ..effect(bot, &turn, 0, body)
    };
    let effects = std::slice::from_ref(&retired);
    let settling = Progress::Settling;
    bot.persist(|| bot.store.queue(turn.scope, turn.id, effects, settling))
        .await?;
    let settings = bot.settings_of(&turn).await;
    let sender = Sender::new(bot, signals, &turn, &settings);
    match sender.send(retired).await? {
        Sent::Left => Ok(()),
        _ => end(bot, &turn, Ending::Done).await,
    }
}

/// What takes the buttons of an offer away; nothing if it was never shown.
fn gone(bot: &Bot, offer: &Offer) -> Option<EffectBody> {
    let target = match (offer.kind, offer.message, offer.turn.trigger) {
        (OfferKind::Confirm, Some(message), _) => RetireTarget::Message(message),
        (OfferKind::Confirm, None, Trigger::Interaction(id) | Trigger::Component(id)) => {
            RetireTarget::Response(id)
        }
        (OfferKind::Confirm, None, _) => return None,
        (OfferKind::Undo | OfferKind::Again | OfferKind::Source, message, _) => {
            return message.map(|message| EffectBody::Undress { message });
        }
    };
    let text = bot.actions.expired("");
    Some(EffectBody::Retire { target, text })
}

/// Who said the message that shows an offer.
async fn speaker(bot: &Bot, offer: &Offer) -> Result<PersonaId, StoreError> {
    let messages: Vec<MessageId> = offer.message.into_iter().collect();
    let said_by = bot.persist(|| bot.store.speakers(offer.scope, &messages));
    let said_by = said_by.await?;
    let record = messages.first().and_then(|message| said_by.get(message));
    Ok(record.map_or(PersonaId::MAIN, |record| record.persona))
}
