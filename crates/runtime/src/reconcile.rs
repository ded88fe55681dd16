//! Was it sent? What became of a request whose answer was never learned, once
//! Discord no longer remembers its nonce, or never had one.

use std::borrow::Cow;

use kaiwa_domain::limits::{HISTORY_PAGE, MESSAGE_TARGET_UTF16};
use kaiwa_domain::port::History;
use kaiwa_domain::{
    AuthorKind, ChatError, Effect, EffectBody, Message, MessageId, Notice, Outgoing, StoreError,
    Trigger, WebhookId,
};

use crate::Bot;

/// How many pages of messages are searched. In a channel where more was said
/// since the question, nobody can tell.
const PAGES: usize = 5;

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
    let mut after = match effect.turn.trigger {
        Trigger::Message(id) => id,
        other => MessageId::new(other.number()),
    };
    for _ in 0..PAGES {
        let point = History::After(after);
        let history = bot
            .chat
            .history(effect.scope, effect.channel, point, HISTORY_PAGE);
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
        if let Some(found) = look_among(bot, effect, &messages).await? {
            return Ok(Found::Sent(vec![found]));
        }
        match messages.last() {
            Some(last) if messages.len() >= usize::from(HISTORY_PAGE) => after = last.id,
            _ => return Ok(Found::NotSent),
        }
    }
    Ok(Found::Unreadable)
}

/// The message that shows an effect and no other.
async fn look_among(
    bot: &Bot,
    effect: &Effect,
    messages: &[Message],
) -> Result<Option<MessageId>, StoreError> {
    let alike: Vec<&Message> = messages
        .iter()
        .filter(|message| speaks(bot, message, effect) && shows(message, effect))
        .collect();
    if alike.is_empty() {
        return Ok(None);
    }
    let (scope, ids) = (effect.scope, alike.iter().map(|message| message.id));
    let ids: Vec<MessageId> = ids.collect();
    let recorded = bot.persist(|| bot.store.speakers(scope, &ids)).await?;
    let webhooks = alike.iter().filter(|it| !bot.me.is(it.author.id));
    let webhooks: Vec<WebhookId> = webhooks.map(|it| webhook_of(it)).collect();
    let ours = match webhooks.is_empty() {
        true => Vec::new(),
        false => {
            bot.persist(|| bot.webhooks.our_webhooks(scope, &webhooks))
                .await?
        }
    };
    let shown = alike.into_iter().find(|message| {
        let said_by_us = bot.me.is(message.author.id) || ours.contains(&webhook_of(message));
        said_by_us && !recorded.contains_key(&message.id)
    });
    Ok(shown.map(|message| message.id))
}

/// A webhook's messages are by a user of the webhook's id.
const fn webhook_of(message: &Message) -> WebhookId {
    WebhookId::new(message.author.id.get())
}

/// Whether a message is by whom the effect is: ourselves, or a webhook under
/// the name of its identity.
fn speaks(bot: &Bot, message: &Message, effect: &Effect) -> bool {
    let author = &message.author;
    let named = effect.identity.as_ref().is_some_and(|identity| {
        author.kind == AuthorKind::Webhook && loose(&author.name) == loose(identity.name())
    });
    named || bot.me.is(author.id)
}

/// Whether `message` is what an effect looks like.
fn shows(message: &Message, effect: &Effect) -> bool {
    let outgoing = match &effect.body {
        EffectBody::Say { outgoing, .. } => outgoing,
        EffectBody::Notify { notice, .. } => return says(message, effect, &notice.shown()),
        EffectBody::Offer { text, .. }
        | EffectBody::Report { text }
        | EffectBody::Point { text }
        | EffectBody::Progress { text, .. } => return says(message, effect, text),
        EffectBody::Thoughts(page) => {
            let mut embeds = message.embeds.iter();
            let told =
                |text: &Option<String>| text.as_deref().map(loose) == Some(loose(&page.text));
            // Where Discord takes no embed, it is words, and no more than fit.
            let (words, said) = (page.as_text(), message.text.as_str());
            let is_said = said.contains(&page.link) && loose(&words).starts_with(&*loose(said));
            return is_said || embeds.any(|embed| told(&embed.description));
        }
        EffectBody::Live(live) => {
            return live.message.is_none() && says(message, effect, &live.first);
        }
        EffectBody::Act { .. }
        | EffectBody::Respond { .. }
        | EffectBody::Delete { .. }
        | EffectBody::Dress { .. }
        | EffectBody::Undress { .. }
        | EffectBody::Retire { .. } => return false,
    };
    // A picture or a file has a description, and the name of whoever says it at
    // most. As text, it is complete with its last message.
    let (alt, parts, file) = match outgoing {
        Outgoing::Say(said) => return says(message, effect, said),
        Outgoing::Rest(_) => {
            let mut lines = [Notice::AnswerAttached, Notice::AnswerShortened].iter();
            return lines.any(|line| says(message, effect, line.text()));
        }
        Outgoing::Sticker(sticker) => {
            let address = sticker.picture();
            let pictured = address.is_some_and(|end| message.text.trim().ends_with(&end));
            return pictured || message.stickers.contains(&sticker.name);
        }
        Outgoing::Table(table) => {
            let parts = table.as_text(MESSAGE_TARGET_UTF16);
            (table.alt(), parts, "table.md")
        }
        Outgoing::File(file) => {
            let parts = file.as_text(MESSAGE_TARGET_UTF16);
            (file.alt(), parts, file.name())
        }
    };
    let attached = message.attachments.iter().any(|it| {
        let described = it.description.as_deref();
        described.is_some_and(|text| loose(text) == loose(&alt)) || it.name == file
    });
    attached && says(message, effect, "")
        || message.text.trim().trim_matches(['[', ']']) == alt
        || parts.last().is_some_and(|last| says(message, effect, last))
}

/// Whether a message has this text, with the speaker's name before it where the
/// bot had to say it. Discord leaves out what cannot be seen.
fn says(message: &Message, effect: &Effect, text: &str) -> bool {
    let found = loose(&message.text);
    let quoted = || {
        let identity = effect.identity.as_ref();
        identity.is_some_and(|identity| found == loose(&identity.quote(text)))
    };
    found == loose(text) || quoted()
}

/// A text without what Discord may change of it: blanks and what is not seen.
fn loose(text: &str) -> Cow<'_, str> {
    let unseen =
        |c: char| matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}');
    let dropped = |c: char| c.is_whitespace() || c.is_control() || unseen(c);
    match text.contains(dropped) {
        true => Cow::Owned(text.chars().filter(|c| !dropped(*c)).collect()),
        false => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_by_what_can_be_seen() {
        for (a, b, same) in [
            (" Hello,  world\n", "Hello, world", true),
            ("a\u{200B}b", "ab", true),
            ("\u{FEFF}```\r\nx```", "```\nx```", true),
            ("ab", "ba", false),
            ("Tea!", "Tea", false),
        ] {
            assert_eq!(loose(a) == loose(b), same, "{a:?} {b:?}");
        }
    }
}
