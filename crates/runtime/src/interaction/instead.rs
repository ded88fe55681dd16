//! What is said in the channel because the interaction is gone: Discord had to
//! wait too long for us, or we for Discord. Only what everybody could have read.

use kaiwa_domain::port::Progress;
use kaiwa_domain::{Effect, EffectBody, EffectState, Ending, StoreError, Turn};
use kaiwa_failpoint::{self as failpoint, Failpoint};

use crate::Bot;
use crate::outbox::effect;
use crate::send::{Sender, Sent, mark};
use crate::signals::Signals;
use crate::turn::end;

/// Says in the channel what the answer to an interaction was to say.
pub(super) async fn turn_to(
    bot: &Bot,
    signals: &Signals,
    turn: &Turn,
    answer: &Effect,
) -> Result<(), StoreError> {
    let EffectBody::Respond {
        text,
        buttons,
        waits,
        undo,
        ..
    } = &answer.body
    else {
        return end(bot, turn, Ending::Stale).await;
    };
    // Nothing above it says who asked.
    let body = EffectBody::Offer {
        offer: waits.or(*undo),
        text: format!("<@{}> {text}", turn.asker),
        buttons: buttons.clone(),
        reply_to: None,
    };
    let said = effect(bot, turn, answer.index + 1, body);
    let effects = std::slice::from_ref(&said);
    let settling = Progress::Settling;
    bot.persist(|| bot.store.queue(turn.scope, turn.id, effects, settling))
        .await?;
    failpoint::hit(Failpoint::EffectQueued);
    mark(bot, answer, EffectState::Expired).await?;
    say(bot, signals, turn, said).await
}

/// Says it, or what an earlier process was to say.
pub(super) async fn say(
    bot: &Bot,
    signals: &Signals,
    turn: &Turn,
    said: Effect,
) -> Result<(), StoreError> {
    let settings = bot.settings_of(turn).await;
    let sender = Sender::new(bot, signals, turn, &settings);
    if said.state.is_unsettled() && sender.send(said).await? == Sent::Left {
        return Ok(());
    }
    end(bot, turn, Ending::Done).await
}
