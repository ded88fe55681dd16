//! Was it sent? What became of a request whose answer was never learned, once
//! Discord no longer remembers its nonce.

use kaiwa_domain::limits::MESSAGE_TARGET_UTF16;
use kaiwa_domain::port::History;
use kaiwa_domain::{
    ChatError, Effect, EffectBody, Message, MessageId, Notice, Outgoing, StoreError, Trigger,
};

use crate::Bot;

/// How many messages are searched.
const SEARCHED: u16 = 100;

/// What a look into the channel found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// These messages show it.
    Sent(Vec<MessageId>),
    /// It is not there.
    NotSent,
    /// Nobody can tell at the moment.
    Later,
    /// Nobody will ever be able to tell.
    Unreadable,
}

/// Looks for an effect in its channel. A message that shows another effect is
/// on record and does not count, so that of two equal lines each is its own.
pub(crate) async fn look_up(bot: &Bot, effect: &Effect) -> Result<Found, StoreError> {
    let after = match effect.turn.trigger {
        Trigger::Message(id) => id,
        other => MessageId::new(other.number()),
    };
    let point = History::After(after);
    let history = bot
        .chat
        .history(effect.scope, effect.channel, point, SEARCHED);
    let messages = match history.await {
        Ok(messages) => messages,
        Err(error @ ChatError::Refused { .. }) => {
            tracing::warn!(%error, turn = %effect.turn, "the channel cannot be read");
            return Ok(Found::Unreadable);
        }
        Err(error) => {
            tracing::warn!(%error, turn = %effect.turn, "the channel cannot be read now");
            return Ok(Found::Later);
        }
    };
    let ours: Vec<&Message> = messages
        .iter()
        .filter(|message| bot.me.is(message.author.id))
        .collect();
    let ids: Vec<MessageId> = ours.iter().map(|message| message.id).collect();
    let recorded = bot
        .persist(|| bot.store.speakers(effect.scope, &ids))
        .await?;
    let shown = ours
        .into_iter()
        .filter(|message| !recorded.contains_key(&message.id))
        .find(|message| shows(message, &effect.body));
    Ok(match shown {
        Some(message) => Found::Sent(vec![message.id]),
        None => Found::NotSent,
    })
}

/// Whether `message` is what an effect looks like.
fn shows(message: &Message, body: &EffectBody) -> bool {
    let text = message.text.trim();
    let outgoing = match body {
        EffectBody::Say { outgoing, .. } => outgoing,
        EffectBody::Notify { notice, .. } => return text == notice.shown(),
        EffectBody::Live(live) => return live.message.is_none() && text == live.first.trim(),
        EffectBody::Offer { text: shown, .. }
        | EffectBody::Report { text: shown }
        | EffectBody::Progress { text: shown, .. } => return text == shown.trim(),
        EffectBody::Act { .. }
        | EffectBody::Respond { .. }
        | EffectBody::Delete { .. }
        | EffectBody::Retire { .. } => return false,
    };
    // A picture or a file has no text but its description. As text, it is
    // complete with its last message.
    let (alt, parts) = match outgoing {
        Outgoing::Say(said) => return text == said.trim(),
        Outgoing::Rest(_) => {
            let lines = [Notice::AnswerAttached, Notice::AnswerShortened];
            return lines.iter().any(|line| text == line.text());
        }
        Outgoing::Table(table) => (table.alt(), table.as_text(MESSAGE_TARGET_UTF16)),
        Outgoing::File(file) => (file.alt(), file.as_text(MESSAGE_TARGET_UTF16)),
    };
    text.trim_matches(['[', ']']) == alt || Some(text) == parts.last().map(String::as_str)
}
