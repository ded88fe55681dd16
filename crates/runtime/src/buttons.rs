//! The buttons below an answer.
//!
//! - One that stops it, while an answer runs long: it is put below the message
//!   last sent, follows the answer, and goes with its end. What takes it away
//!   is journalled with it and as begun, so that a stop does not give it up and
//!   a process that dies leaves it to the next one.
//! - Those for another answer and for the text of a table, below an answer that
//!   is whole. They are [offers](kaiwa_domain::Offer), so they work after a
//!   restart, and the clock takes them away.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kaiwa_domain::port::{Progress, SaidMessage};
use kaiwa_domain::{
    Effect, EffectBody, EffectState, Identity, MessageId, Outgoing, StoreError, Timestamp, Turn,
};
use kaiwa_failpoint::{self as failpoint, Failpoint};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::outbox::{Places, effect};
use crate::send::{Sender, Sent};

/// Which buttons an answer has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ButtonRules {
    /// How long after the first words it can be stopped with one.
    pub stop_after: Option<Duration>,
    /// After how many messages it can.
    pub stop_messages: Option<usize>,
    /// Whether who asked can have another answer.
    pub again: bool,
    /// Whether tables have one for their text.
    pub source: bool,
    /// How long those of a whole answer last.
    pub last: Duration,
}

/// A message of an answer, and how whoever said it appears.
#[derive(Clone)]
pub(crate) struct ShownMessage {
    said: SaidMessage,
    identity: Option<Identity>,
}

/// What was shown of an answer, in order.
pub(crate) struct ShownSoFar {
    said: watch::Sender<Vec<ShownMessage>>,
    /// The last effect that was shown, and its message.
    last: Mutex<Option<(u16, MessageId)>>,
    /// How much of it an earlier process showed.
    before: usize,
}

impl ShownSoFar {
    /// What an earlier process showed.
    pub(crate) fn new(earlier: &[Effect]) -> Self {
        let said = said(earlier);
        Self {
            before: said.len(),
            said: watch::Sender::new(said),
            last: Mutex::default(),
        }
    }

    /// A message of the answer is up.
    pub(crate) fn add(&self, effect: &Effect, message: MessageId) {
        if let Some(shown) = said_by(effect, message) {
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) =
                Some((effect.index, message));
            self.said.send_if_modified(|said| {
                let new = said.iter().all(|it| it.said.message != message);
                if new {
                    said.push(shown);
                }
                new
            });
        }
    }

    /// The message of an effect, if it was shown last.
    pub(crate) fn message_of(&self, effect: &Effect) -> Option<MessageId> {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.filter(|(index, _)| *index == effect.index)
            .map(|(_, message)| message)
    }

    /// The first message.
    pub(crate) fn first(&self) -> Option<MessageId> {
        self.said.borrow().first().map(|shown| shown.said.message)
    }

    /// All of it.
    pub(crate) fn all(&self) -> Vec<ShownMessage> {
        self.said.borrow().clone()
    }
}

/// The messages of an answer.
fn said(effects: &[Effect]) -> Vec<ShownMessage> {
    let said = effects.iter().filter_map(|effect| {
        let message = match (&effect.state, &effect.body) {
            (EffectState::Done { message }, _) => (*message)?,
            (_, EffectBody::Live(live)) => live.message?,
            _ => return None,
        };
        said_by(effect, message)
    });
    said.collect()
}

fn said_by(effect: &Effect, message: MessageId) -> Option<ShownMessage> {
    let source = match &effect.body {
        EffectBody::Live(_) => None,
        EffectBody::Say { outgoing, .. } => match outgoing {
            Outgoing::Table(table) => Some(table.source().to_owned()),
            Outgoing::Say(_) | Outgoing::File(_) | Outgoing::Rest(_) => None,
            // Buttons stand below words.
            Outgoing::Sticker(_) => return None,
        },
        _ => return None,
    };
    Some(ShownMessage {
        said: SaidMessage { message, source },
        identity: effect.identity.clone(),
    })
}

/// Lets people stop an answer that runs long, until it is `over`. Gives back
/// what takes the buttons away that may still be up.
pub(crate) async fn offer_stop(
    sender: &Sender<'_>,
    turn: &Turn,
    rules: ButtonRules,
    (shown, places): (&ShownSoFar, &Places),
    over: &CancellationToken,
) -> Result<Vec<Effect>, StoreError> {
    let mut away: Vec<Effect> = Vec::new();
    let (None, None) = (rules.stop_after, rules.stop_messages) else {
        let offering = StopOffer {
            sender,
            turn,
            rules,
            places,
            over,
        };
        let mut seen = shown.said.subscribe();
        let mut count = shown.before;
        loop {
            let up = away.last().and_then(message_of);
            let shown = tokio::select! {
                biased;
                () = over.cancelled() => return Ok(away),
                shown = offering.due(&mut seen, count, up) => shown,
            };
            count = seen.borrow().len();
            let before = away.pop();
            match offering.put(&shown).await? {
                Some(effect) => away.push(effect),
                None => {
                    away.extend(before);
                    return Ok(away);
                }
            }
            if let Some(before) = before {
                let signals = sender.signals.unstoppable();
                if sender.with(&signals).send(before.clone()).await? == Sent::Left {
                    away.insert(0, before);
                }
            }
        }
    };
    Ok(away)
}

const fn message_of(effect: &Effect) -> Option<MessageId> {
    match effect.body {
        EffectBody::Undress { message } => Some(message),
        _ => None,
    }
}

/// What it takes to offer a stop.
struct StopOffer<'a> {
    sender: &'a Sender<'a>,
    turn: &'a Turn,
    rules: ButtonRules,
    places: &'a Places,
    over: &'a CancellationToken,
}

impl StopOffer<'_> {
    /// The message below which a button is to be put, once that is so. `count`
    /// messages were shown before, and one of them may have it.
    async fn due(
        &self,
        seen: &mut watch::Receiver<Vec<ShownMessage>>,
        count: usize,
        up: Option<MessageId>,
    ) -> ShownMessage {
        let _ = seen.wait_for(|said| said.len() > count).await;
        let mut timer = self
            .rules
            .stop_after
            .map(|after| self.sender.bot.clock.sleep(after));
        let mut long = false;
        loop {
            {
                let said = seen.borrow_and_update();
                let messages = self.rules.stop_messages;
                let many = messages.is_some_and(|most| said.len() >= count + most);
                let is_due = |it: &&ShownMessage| (long || many) && Some(it.said.message) != up;
                if let Some(last) = said.last().filter(is_due) {
                    return last.clone();
                }
            }
            let passes = async {
                match timer.as_mut().filter(|_| !long) {
                    Some(timer) => timer.await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = passes => long = true,
                changed = seen.changed() => if changed.is_err() {
                    std::future::pending::<()>().await;
                },
            }
        }
    }

    /// Puts the button below a message, and gives back what takes it away; none
    /// if the turn is over.
    async fn put(&self, shown: &ShownMessage) -> Result<Option<Effect>, StoreError> {
        let (bot, message) = (self.sender.bot, shown.said.message);
        let Some(button) = bot.actions.stop_button(self.turn) else {
            return Ok(None);
        };
        let dress = self.effect(
            shown,
            EffectBody::Dress {
                message,
                buttons: vec![button],
                lasting: false,
            },
        );
        let away = Effect {
            state: EffectState::Started { attempt: 1 },
            ..self.effect(shown, EffectBody::Undress { message })
        };
        let (scope, id) = (self.turn.scope, self.turn.id);
        let effects = [dress.clone(), away.clone()];
        let speaking = Progress::Speaking;
        let queued = bot.persist(|| bot.store.queue(scope, id, &effects, speaking));
        match queued.await {
            // It was stopped.
            Err(StoreError::Conflict { .. }) => return Ok(None),
            queued => queued?,
        }
        failpoint::hit(Failpoint::EffectQueued);
        let mut signals = self.sender.signals.unstoppable();
        signals.stopped = self.over.clone();
        self.sender.with(&signals).send(dress).await?;
        Ok(Some(away))
    }

    fn effect(&self, shown: &ShownMessage, body: EffectBody) -> Effect {
        Effect {
            identity: shown.identity.clone(),
            ..effect(self.sender.bot, self.turn, self.places.next(), body)
        }
    }
}

/// Gives an answer that is whole the buttons that its settings want, once.
/// `effects` are those of an earlier process.
pub(crate) async fn dress_answer(
    sender: &Sender<'_>,
    turn: &Turn,
    rules: ButtonRules,
    (shown, effects): (Vec<ShownMessage>, &[Effect]),
    places: &Places,
) -> Result<(), StoreError> {
    let bot = sender.bot;
    let again = rules.again && turn.id.trigger.message().is_some();
    let is_dressed = |message: MessageId| {
        effects.iter().any(|it| {
            matches!(it.body, EffectBody::Dress { message: of, lasting: true, .. } if of == message)
        })
    };
    let last = shown.last().map(|it| it.said.message);
    let until = until(bot.clock.now(), rules.last);
    let mut dressed = false;
    for ShownMessage { mut said, identity } in shown {
        let again = again && last == Some(said.message);
        said.source = said.source.filter(|_| rules.source);
        if is_dressed(said.message) {
            continue;
        }
        if !again && said.source.is_none() {
            continue;
        }
        let offered = bot.persist(|| bot.actions.answer_buttons(turn, &said, again, until));
        let body = EffectBody::Dress {
            message: said.message,
            buttons: offered.await?,
            lasting: true,
        };
        let dress = Effect {
            identity,
            ..effect(bot, turn, places.next(), body)
        };
        let effects = std::slice::from_ref(&dress);
        let settling = Progress::Settling;
        let queued = bot.persist(|| bot.store.queue(turn.scope, turn.id, effects, settling));
        match queued.await {
            Err(StoreError::Conflict { .. }) => return Ok(()),
            queued => queued?,
        }
        failpoint::hit(Failpoint::EffectQueued);
        dressed = true;
        sender.send(dress).await?;
    }
    if dressed {
        bot.offer_made.notify_one();
    }
    Ok(())
}

fn until(now: Timestamp, lasts: Duration) -> Timestamp {
    let lasts = i64::try_from(lasts.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(now.as_millis().saturating_add(lasts))
}
