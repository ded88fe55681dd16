//! What was said in a channel before a question, and by whom.

use std::collections::HashMap;
use std::sync::Arc;

use kaiwa_domain::port::MessageRecord;
use kaiwa_domain::{AuthorKind, Effect, EffectState, MessageId, PersonaId, Question, Turn};
use kaiwa_pipeline::brief::Spoken;

use crate::live::live_of;
use crate::window::{KeptMessage, MESSAGES};
use crate::{Bot, TurnSettings};

/// What was said before the question, and by whom. What this turn has said
/// itself is not among it: the model is told that as its own unfinished answer.
/// Of what was said after the question, only what we answered others counts.
pub(crate) async fn read(
    bot: &Bot,
    settings: &TurnSettings,
    turn: &Turn,
    question: &Question,
    earlier: &[Effect],
) -> Vec<Spoken> {
    let (scope, channel) = (question.scope(), question.channel());
    let until = MessageId::new(question.trigger().number());
    let wanted = (usize::from(settings.context.messages) * 2).min(MESSAGES);
    let read = bot
        .window
        .read(&*bot.chat, (scope, channel), until, wanted)
        .await;
    let kept = read.unwrap_or_else(|error| {
        tracing::warn!(%error, %channel, "answering without history");
        Vec::new()
    });
    let records = records(bot, question, &kept).await;
    let own: Vec<MessageId> = earlier
        .iter()
        .filter_map(|effect| match effect.state {
            EffectState::Done { message } => message,
            _ => live_of(effect).and_then(|live| live.message),
        })
        .collect();
    let spoken = kept.into_iter().map(|KeptMessage { message, own }| {
        let record = records.get(&message.id);
        Spoken {
            by: own
                .as_ref()
                .map(|own| own.persona)
                .or_else(|| record.map(|record| record.persona))
                // What our account says without a record, the bot itself said.
                .or_else(|| bot.me.is(message.author.id).then_some(PersonaId::MAIN)),
            look: match &own {
                Some(own) => own.look.clone(),
                None => record.and_then(|it| it.look.as_deref().map(Arc::from)),
            },
            turn: own.as_ref().map(|own| own.turn),
            is_notice: match &own {
                Some(own) => own.is_notice,
                None => record.is_some_and(|it| it.is_notice),
            },
            message,
        }
    });
    let spoken = spoken.filter(|spoken| {
        let id = spoken.message.id;
        // Another take does not see the one before, but what others said.
        let is_answer = match spoken.by {
            Some(by) => turn.id.take == 0 || by != turn.persona,
            None => false,
        };
        let is_ours = own.contains(&id) || spoken.turn == Some(turn.id);
        let is_read = !bot.memory.is_opted_out(spoken.message.author.id);
        !is_ours && is_read && (id < until || (id > until && is_answer))
    });
    spoken.collect()
}

/// What is on record of messages that may be ours.
async fn records(
    bot: &Bot,
    question: &Question,
    kept: &[KeptMessage],
) -> HashMap<MessageId, MessageRecord> {
    let unknown = kept.iter().filter(|kept| {
        let author = &kept.message.author;
        kept.own.is_none() && (bot.me.is(author.id) || author.kind == AuthorKind::Webhook)
    });
    let ids: Vec<MessageId> = unknown.map(|kept| kept.message.id).collect();
    if ids.is_empty() {
        return HashMap::new();
    }
    let records = bot.store.speakers(question.scope(), &ids).await;
    records.unwrap_or_else(|error| {
        tracing::warn!(%error, "who said what cannot be read");
        HashMap::new()
    })
}
