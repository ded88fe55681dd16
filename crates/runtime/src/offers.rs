//! Offers that nobody took in time: their buttons are taken away, and people
//! read that nothing was done.
//!
//! An offer that expires is a turn of its own, named after the moment: what
//! became of the message is settled like any other effect.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{Admission, Progress};
use kaiwa_domain::{
    EffectBody, Ending, OccurrenceId, Offer, OfferState, PersonaId, RetireTarget, StoreError,
    Trigger, Turn, TurnId, TurnState,
};

use crate::Bot;
use crate::outbox::effect;
use crate::send::{Sender, Sent};
use crate::signals::Signals;
use crate::turn::end;

/// How long to wait when the store does not answer, and how long a message may
/// take to appear after its offer was made.
const PAUSE: Duration = Duration::from_secs(5);

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
    for offer in bot.offers.open_confirmations().await? {
        let now = bot.clock.now();
        if offer.until > now {
            return Ok(Some(offer.until.since(now)));
        }
        let (scope, id) = (offer.scope, offer.id);
        let expired = bot.persist(|| bot.offers.settle_offer(scope, id, OfferState::Expired));
        if expired.await? == OfferState::Expired {
            retire(bot, signals, &offer).await?;
        }
    }
    Ok(None)
}

/// Takes the buttons of an offer away.
async fn retire(bot: &Bot, signals: &Signals, offer: &Offer) -> Result<(), StoreError> {
    let target = match (offer.message, offer.turn.trigger) {
        (Some(message), _) => RetireTarget::Message(message),
        (None, Trigger::Interaction(id) | Trigger::Component(id)) => RetireTarget::Response(id),
        // It was never shown.
        (None, _) => return Ok(()),
    };
    let trigger = Trigger::Schedule(OccurrenceId::due(offer.id.get(), offer.until));
    let turn = Turn {
        id: TurnId::first(trigger),
        scope: offer.scope,
        channel: offer.channel,
        asker: offer.asker,
        persona: PersonaId::MAIN,
        state: TurnState::Admitted,
        admitted_at: bot.clock.now(),
    };
    if bot.persist(|| bot.store.admit(&turn, None)).await? == Admission::Duplicate {
        return Ok(());
    }
    let text = bot.actions.expired("");
    let retired = effect(bot, &turn, 0, EffectBody::Retire { target, text });
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
