//! What a conversation begins with: the brief, the window, the manners.

use std::time::Duration;

use kaiwa_domain::port::{History, RoleModels};
use kaiwa_domain::{
    Brief, Effect, EffectBody, Message, MessageId, Notice, Outgoing, Payer, Persona, Question,
    ToolCall, Turn,
};
use kaiwa_pipeline::brief::{Sources, Spoken, compose};
use kaiwa_pipeline::converse::{Conversation, Earlier, Limits, ModelAbilities};
use kaiwa_pipeline::deliver::{Degree, Settings};

use crate::{Bot, TurnSettings};

/// Everything a conversation begins with.
pub(crate) struct Prepared {
    brief: Brief,
    company: ModelAbilities,
    pub(crate) limits: Limits,
    /// How the answer is made readable.
    pub(crate) delivery: Settings,
    /// The settings of the turn.
    pub(crate) settings: TurnSettings,
    /// What an earlier process said.
    earlier: Earlier,
    /// The actions it kept.
    pub(crate) kept: Vec<Effect>,
    /// What is said instead if the model fails.
    pub(crate) stock: Option<Notice>,
}

/// The limits of a line that nobody asked for.
const SHORT_LINE: Limits = Limits {
    rounds: 0,
    calls: 0,
    failures: 1,
    bytes: 600,
    messages: 2,
    wall: Duration::from_secs(6),
};

/// The longest such a line may be, in tokens.
const SHORT_LINE_TOKENS: u32 = 120;

impl Prepared {
    /// Gathers what there is to know. `earlier` are the effects that an earlier
    /// process queued.
    pub(crate) async fn gather(
        bot: &Bot,
        cast: &RoleModels,
        settings: &TurnSettings,
        turn: &Turn,
        question: &Question,
        earlier: &[Effect],
    ) -> Self {
        let asked = question.message().map_or("", |message| &message.text);
        let (history, loaded, recalled) = tokio::join!(
            history(bot, settings, question, earlier),
            async {
                match question.message() {
                    Some(message) => bot.images.look(&*bot.chat, &*bot.clock, message).await,
                    None => crate::images::LoadedImages::default(),
                }
            },
            bot.memory.recall(settings, turn, asked),
        );
        let in_view = history.iter().map(|spoken| &spoken.message);
        let in_view: Vec<&Message> = in_view.chain(question.message()).collect();
        let memory = recalled.lines(settings.memory_tokens, |user| {
            let mut authors = in_view.iter().rev().map(|message| &message.author);
            let known = authors.find(|author| author.id == user);
            known.map(|author| author.name.clone())
        });
        let persona = Persona {
            id: turn.persona,
            name: bot.me.name.clone(),
            personality: settings.personality.clone(),
        };
        let mut brief = Brief {
            tools: bot.actions.tools(turn),
            payer: Some(payer(turn)),
            ..brief(bot, settings, &persona, &history, &memory, question)
        };
        let aside = matches!(question, Question::Instruction(_));
        if aside {
            brief.tools.clear();
            brief.manner.max_output_tokens = Some(SHORT_LINE_TOKENS);
        }
        loaded.show(&mut brief, cast);
        Self {
            brief,
            company: ModelAbilities {
                chat: cast.chat.abilities(),
                reasoner: cast.reasoner.as_ref().map(|it| it.abilities()),
                vision: cast.vision.as_ref().map(|it| it.abilities()),
            },
            limits: if aside { SHORT_LINE } else { Limits::default() },
            stock: aside.then_some(Notice::Stopped),
            settings: settings.clone(),
            delivery: delivery(settings, turn, &persona, &history, question),
            earlier: said(earlier),
            kept: acts(earlier).cloned().collect(),
        }
    }

    /// The conversation, from the start or from where it was left.
    pub(crate) fn conversation(&mut self) -> Conversation {
        let brief = std::mem::take(&mut self.brief);
        let earlier = std::mem::take(&mut self.earlier);
        Conversation::resumed(brief, self.company, self.limits, earlier)
    }
}

/// The actions among effects.
fn acts(effects: &[Effect]) -> impl Iterator<Item = &Effect> {
    effects
        .iter()
        .filter(|effect| matches!(effect.body, EffectBody::Act { .. }))
}

/// What the effects of an earlier process say, notices aside.
fn said(effects: &[Effect]) -> Earlier {
    let mut earlier = Earlier::default();
    for effect in effects {
        let EffectBody::Say { outgoing, .. } = &effect.body else {
            continue;
        };
        if !earlier.text.is_empty() {
            earlier.text.push('\n');
        }
        earlier.messages += 1;
        match outgoing {
            Outgoing::Say(text) => earlier.text.push_str(text),
            Outgoing::Table(table) => earlier.text.push_str(table.source()),
            Outgoing::File(file) => {
                let fenced = format!("```\n{}\n```", file.text());
                earlier.text.push_str(&fenced);
            }
        }
    }
    if !earlier.text.is_empty() {
        earlier.text.push('\n');
    }
    earlier.actions = acts(effects).filter_map(kept_call).collect();
    earlier
}

/// The call that an effect keeps.
pub(crate) fn kept_call(effect: &Effect) -> Option<ToolCall> {
    match &effect.body {
        EffectBody::Act { name, arguments } => Some(ToolCall {
            id: format!("kept-{}", effect.index),
            name: name.clone(),
            arguments: arguments.clone(),
            signature: None,
        }),
        _ => None,
    }
}

const fn payer(turn: &Turn) -> Payer {
    Payer {
        turn: turn.id,
        scope: turn.scope,
        channel: turn.channel,
        user: turn.asker,
    }
}

/// What was said before the question, and by whom. What this turn has said
/// itself is not among it: the model is told that as its own unfinished answer.
async fn history(
    bot: &Bot,
    settings: &TurnSettings,
    question: &Question,
    earlier: &[Effect],
) -> Vec<Spoken> {
    let (scope, channel) = (question.scope(), question.channel());
    let point = History::Before(MessageId::new(question.trigger().number()));
    let messages = bot
        .chat
        .history(scope, channel, point, settings.history)
        .await;
    let messages = messages.unwrap_or_else(|error| {
        tracing::warn!(%error, %channel, "answering without history");
        Vec::new()
    });
    let ids: Vec<MessageId> = messages.iter().map(|message| message.id).collect();
    let speakers = bot
        .store
        .speakers(scope, &ids)
        .await
        .unwrap_or_else(|error| {
            tracing::warn!(%error, "who said what cannot be read");
            std::collections::HashMap::new()
        });
    let own: Vec<MessageId> = earlier
        .iter()
        .filter_map(|effect| match effect.state {
            kaiwa_domain::EffectState::Done { message } => message,
            _ => None,
        })
        .collect();
    // What waits for an answer of its own is not answered here.
    let waiting = bot.waiting.questions(channel);
    messages
        .into_iter()
        .filter(|message| !own.contains(&message.id) && !waiting.contains(&message.id))
        .filter(|message| !bot.memory.is_opted_out(message.author.id))
        .map(|message| {
            let recorded = speakers.get(&message.id).copied();
            let by = recorded.or_else(|| unrecorded(bot, &message));
            Spoken { message, by }
        })
        .collect()
}

/// Who said a message that is not on record: what our account says without a
/// record, the bot itself said.
fn unrecorded(bot: &Bot, message: &Message) -> Option<kaiwa_domain::PersonaId> {
    let ours = bot.me.is(message.author.id);
    ours.then_some(kaiwa_domain::PersonaId::MAIN)
}

/// What the model needs to know.
fn brief(
    bot: &Bot,
    settings: &TurnSettings,
    persona: &Persona,
    history: &[Spoken],
    memory: &[String],
    question: &Question,
) -> Brief {
    let today = jiff::Timestamp::from_millisecond(bot.clock.now().as_millis())
        .unwrap_or_default()
        .to_zoned(settings.timezone.clone());
    compose(&Sources {
        persona,
        date: &today.strftime("%A, %-d %B %Y").to_string(),
        version: bot.version,
        history,
        memory,
        question,
    })
}

/// How the answer is made readable.
fn delivery(
    settings: &TurnSettings,
    turn: &Turn,
    persona: &Persona,
    history: &[Spoken],
    question: &Question,
) -> Settings {
    let earlier = history
        .iter()
        .filter(|spoken| spoken.by != Some(persona.id));
    let others = earlier
        .map(|spoken| &spoken.message)
        .chain(question.message());
    let mut other_names: Vec<_> = others.map(|message| message.author.name.clone()).collect();
    other_names.sort_unstable();
    other_names.dedup();
    let human = settings.degree == Degree::Sentences;
    Settings {
        degree: settings.degree,
        long_code: settings.long_code,
        own_names: vec![persona.name.clone()],
        other_names,
        humanize: human.then_some(turn.id.trigger.number()),
        ..Settings::default()
    }
}
