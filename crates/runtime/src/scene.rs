//! Scenes: what several personas say to one message, and to each other.
//!
//! A message that names several is answered by each, in order; each answer is
//! a turn of its own. When a persona names another in what it said, that one
//! has its [`Cue`]: its turn is written down before the one that named it has
//! ended, so that a restart in between loses neither.
//!
//! A scene cannot run away: a message of a person leads to so many cues and no
//! more, two personas answer each other only so often, every answer is counted
//! on the account of who began it, and whoever stops one answer of it, or says
//! more, ends all of it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kaiwa_domain::port::Admission;
use kaiwa_domain::{
    ChannelId, Cue, Effect, EffectBody, EffectState, MessageId, Moment, Outgoing, PersonaId, Scope,
    StoreError, Trigger, Turn,
};
use kaiwa_pipeline::admit::{Admitted, admit_cue, named};

use crate::Bot;
use crate::signals::Signals;
use crate::waiting::Wait;

/// How often two personas may answer each other in a channel within a while.
const PAIR_LIMIT: usize = 8;
const PAIR_WINDOW: Duration = Duration::from_secs(10 * 60);

/// Of how many scenes and pairs it is known what they did.
const REMEMBERED: usize = 4096;

/// An answer whose turn is written down, for as long as somebody waits for it.
pub(crate) type SceneVoice = (Box<Admitted>, Wait);

/// The scenes of a running bot. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Scenes {
    shared: Arc<Mutex<SceneState>>,
}

#[derive(Debug, Default)]
struct SceneState {
    /// Who is next, in each channel.
    next: HashMap<ChannelId, VecDeque<SceneVoice>>,
    /// How many cues a message has led to.
    cues: HashMap<MessageId, u16>,
    /// When two personas last answered each other.
    pairs: HashMap<(Scope, ChannelId, PersonaId, PersonaId), VecDeque<Moment>>,
}

impl Scenes {
    /// Takes who is next in a channel.
    pub(crate) fn take(&self, channel: ChannelId) -> VecDeque<SceneVoice> {
        self.lock().next.remove(&channel).unwrap_or_default()
    }

    fn put(&self, channel: ChannelId, voice: SceneVoice) {
        self.lock()
            .next
            .entry(channel)
            .or_default()
            .push_back(voice);
    }

    /// Those of `named` who may answer `by`, of whom there is room for so many
    /// in the scene. They are counted.
    fn allowed(
        &self,
        turn: &Turn,
        root: MessageId,
        named: Vec<PersonaId>,
        most: u16,
        now: Moment,
    ) -> Vec<PersonaId> {
        let mut state = self.lock();
        if state.cues.len() >= REMEMBERED {
            state.cues.clear();
        }
        if state.pairs.len() >= REMEMBERED {
            state.pairs.clear();
        }
        let mut allowed = Vec::new();
        for persona in named {
            if state.cues.get(&root).copied().unwrap_or_default() >= most {
                break;
            }
            let (low, high) = (persona.min(turn.persona), persona.max(turn.persona));
            let pair = (turn.scope, turn.channel, low, high);
            let times = state.pairs.entry(pair).or_default();
            while times.front().is_some_and(|at| now.since(*at) > PAIR_WINDOW) {
                times.pop_front();
            }
            if times.len() >= PAIR_LIMIT {
                continue;
            }
            times.push_back(now);
            *state.cues.entry(root).or_default() += 1;
            allowed.push(persona);
        }
        allowed
    }

    fn lock(&self) -> MutexGuard<'_, SceneState> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where in a scene a turn is: the message that it began with, and how many
/// answers of personas to each other led to it.
fn place(turn: &Turn, words: Option<&str>) -> Option<(MessageId, u8)> {
    match (turn.id.trigger, words) {
        (Trigger::Message(root), None) => Some((root, 0)),
        (Trigger::Cue(_), Some(words)) => {
            let (root, depth, _) = Cue::read_words(words)?;
            Some((root, depth))
        }
        _ => None,
    }
}

/// The message that a scene began with, if a turn is part of one by a cue.
pub(crate) fn root(turn: &Turn, words: Option<&str>) -> Option<MessageId> {
    match turn.id.trigger {
        Trigger::Cue(_) => place(turn, words).map(|(root, _)| root),
        _ => None,
    }
}

/// Gives their cue to the personas that a turn named in what it said. Call it
/// once everything was said, and before the turn ends.
pub(crate) async fn cue(
    bot: &Bot,
    signals: &Signals,
    turn: &Turn,
    words: Option<&str>,
) -> Result<(), StoreError> {
    let Some((root, depth)) = place(turn, words) else {
        return Ok(());
    };
    let cast = bot.personas.of(turn.scope).await;
    let rules = bot.settings.rules(turn.scope, turn.channel).await;
    let over = signals.stopped.is_cancelled() || signals.followed_up.is_cancelled();
    if cast.alters().is_empty() || u16::from(depth) >= rules.cascade_limit || over {
        return Ok(());
    }
    let unfinished = bot.persist(|| bot.store.unfinished(turn.scope)).await?;
    let waiting: Vec<PersonaId> = unfinished
        .iter()
        .filter(|it| root_of(&it.turn, it.text.as_deref()) == Some(root))
        .map(|it| it.turn.persona)
        .collect();
    let own = unfinished.iter().find(|it| it.turn.id == turn.id);
    let Some((text, last)) = own.and_then(|own| said(&own.effects)) else {
        return Ok(());
    };
    let mut named = named(&text, &rules.words, cast.alters());
    named.retain(|id| *id != turn.persona && !waiting.contains(id));
    let moment = bot.clock.moment();
    let speakers = bot
        .scenes
        .allowed(turn, root, named, rules.cascade_limit, moment);
    if speakers.is_empty() {
        return Ok(());
    }
    let message = match bot.chat.message(turn.scope, turn.channel, last).await {
        Ok(Some(message)) => message,
        Ok(None) => return Ok(()),
        Err(error) => {
            tracing::info!(%error, turn = %turn.id, "a scene ends: what was said cannot be read");
            return Ok(());
        }
    };
    let cue = Cue {
        message,
        by: turn.persona,
        root,
        depth: depth.saturating_add(1),
        asker: turn.asker,
    };
    let first = admit_cue(bot.clock.now(), cue, &speakers);
    let others = first.others();
    for admitted in std::iter::once(first).chain(others) {
        let cued = admitted.turn();
        let words = admitted.question().words();
        let admission = bot.persist(|| bot.store.admit(&cued, words.as_deref()));
        if admission.await? == Admission::New {
            tracing::info!(turn = %cued.id, persona = %cued.persona, "a persona has its cue");
            let wait = bot.waiting.join(&cued, Some(root));
            bot.scenes.put(turn.channel, (Box::new(admitted), wait));
        }
    }
    Ok(())
}

/// The message that the scene of any turn began with.
fn root_of(turn: &Turn, words: Option<&str>) -> Option<MessageId> {
    place(turn, words).map(|(root, _)| root)
}

/// What effects have said, and the last message of it.
fn said(effects: &[Effect]) -> Option<(String, MessageId)> {
    let mut text = String::new();
    let mut last = None;
    for effect in effects {
        let said = match &effect.body {
            EffectBody::Say {
                outgoing: Outgoing::Say(said),
                ..
            } => said,
            EffectBody::Live(live) => &live.text,
            EffectBody::Say { .. } => "",
            _ => continue,
        };
        let EffectState::Done { message: Some(id) } = effect.state else {
            continue;
        };
        last = Some(id);
        text.push_str(said);
        text.push('\n');
    }
    Some((text, last?))
}
