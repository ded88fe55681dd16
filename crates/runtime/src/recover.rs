//! Finishing what an earlier process left.
//!
//! | the journal says | what is done |
//! |---|---|
//! | admitted or thinking | asked again, if the question still exists |
//! | speaking | what is queued goes out, then the model goes on where it was |
//! | settling, or ended with work left | what is queued goes out, what was to be done is done |
//! | too old | given up, and people are told |
//!
//! Whatever cannot be continued is marked, so that nothing ends without a word.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{Entrance, Progress, UnfinishedTurn};
use kaiwa_domain::{
    ChatError, Cue, Effect, EffectBody, EffectState, Ending, Instruction, Message, Notice,
    Question, ScheduledTask, StoreError, TaskKind, Timestamp, ToolError, Trigger, Turn, TurnState,
};
use kaiwa_pipeline::admit::{Decision, IgnoreReason, readmit};
use tokio::sync::Semaphore;

use crate::buttons::{ShownSoFar, dress_answer};
use crate::interaction;
use crate::live::{conclude, live_of};
use crate::outbox::{Places, effect as effect_of, next_index, offer, say};
use crate::prepare::kept_call;
use crate::schedule::REMINDED_WITHIN;
use crate::send::{Sender, Sent, abandon, mark, take_away};
use crate::signals::Signals;
use crate::talk::perform_through;
use crate::turn::{end, expiry, run, tell};
use crate::{Bot, scene};

/// Nobody remembers asking what was asked longer ago than this.
const FORGOTTEN: Duration = Duration::from_secs(24 * 3600);

/// How many questions are read again at once.
const REREADS: usize = 2;

/// The pauses between tries to read a question again.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// Lets few questions be read again at once. All that are left would take what
/// Discord allows in a second or two, and lines that wait to be sent would wait
/// behind them.
#[derive(Clone, Debug)]
pub struct Rereads(Arc<Semaphore>);

impl Default for Rereads {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(REREADS)))
    }
}

/// Everything that an earlier process left, oldest first.
pub(crate) async fn unfinished(bot: &Bot) -> Result<Vec<UnfinishedTurn>, StoreError> {
    let mut unfinished = Vec::new();
    for scope in bot.store.unfinished_scopes().await? {
        unfinished.extend(bot.store.unfinished(scope).await?);
    }
    unfinished.sort_by_key(|it| (it.turn.admitted_at, it.turn.id));
    Ok(unfinished)
}

/// Finishes one turn.
pub(crate) async fn resume(
    bot: &Bot,
    signals: &Signals,
    unfinished: UnfinishedTurn,
) -> Result<(), StoreError> {
    let UnfinishedTurn {
        turn,
        text,
        mut effects,
    } = unfinished;
    let settings = bot.settings_of(&turn).await;
    let shown = ShownSoFar::new(&effects);
    let mut sender = Sender::new(bot, signals, &turn, &settings).telling(&shown);
    if matches!(turn.id.trigger, Trigger::Reminder(_)) {
        sender = sender.within(REMINDED_WITHIN);
    }
    tracing::info!(turn = %turn.id, state = ?turn.state, "finishing what the last run left");
    if matches!(
        turn.id.trigger,
        Trigger::Interaction(_) | Trigger::Component(_)
    ) {
        return interaction::resume(bot, signals, &turn, text.as_deref(), &effects).await;
    }
    let next = next_index(&effects);
    match send_queued(&sender, &turn, (&mut effects, &shown)).await? {
        Sent::Done => {}
        Sent::Left => return Ok(()),
        Sent::Stopped => return end(bot, &turn, Ending::Stopped).await,
        Sent::Closed => {
            return end(bot, &turn, Ending::Failed(Notice::AnswerBlocked)).await;
        }
        // A turn that has ended takes no more effects.
        Sent::Refused if matches!(turn.state, TurnState::Ended(_)) => {}
        Sent::Refused => return tell(bot, signals, &turn, next, Notice::AnswerBlocked).await,
        Sent::Expired => return give_up(bot, signals, &turn, &effects).await,
    }
    match turn.state {
        TurnState::Settling | TurnState::Ended(_) => {
            let (unknown, offers) = perform(bot, &turn, &effects).await?;
            let next = show_offers(&sender, &turn, next, (offers, &effects)).await?;
            match (turn.state, unknown) {
                (TurnState::Ended(_), _) => Ok(()),
                (_, Some(notice)) => tell(bot, signals, &turn, next, notice).await,
                (_, None) => {
                    if text.is_none() && matches!(turn.id.trigger, Trigger::Message(_)) {
                        let places = Places::from(next);
                        let shown = (shown.all(), effects.as_slice());
                        dress_answer(&sender, &turn, settings.buttons, shown, &places).await?;
                    }
                    scene::cue(bot, signals, &turn, text.as_deref()).await?;
                    end(bot, &turn, Ending::Done).await
                }
            }
        }
        TurnState::Admitted | TurnState::Thinking { .. } | TurnState::Speaking => {
            let asked = question(bot, signals, &turn, text.clone()).await;
            if !matches!(asked, QuestionNow::Stands(_) | QuestionNow::Interrupted) {
                conclude_open(&sender, &mut effects).await?;
            }
            match asked {
                QuestionNow::Stands(question) => {
                    Box::pin(run(bot, signals, &turn, &question, &effects)).await
                }
                QuestionNow::Withdrawn if effects.is_empty() => {
                    end(bot, &turn, Ending::Stale).await
                }
                QuestionNow::Withdrawn | QuestionNow::Unreadable if !effects.is_empty() => {
                    tell(bot, signals, &turn, next, Notice::AnswerCut).await
                }
                QuestionNow::Late => give_up(bot, signals, &turn, &effects).await,
                QuestionNow::Withdrawn | QuestionNow::Unreadable => {
                    tell(bot, signals, &turn, next, Notice::QuestionLost).await
                }
                QuestionNow::Interrupted => Ok(()),
            }
        }
    }
}

/// Sends what is queued and shown, in order, and leaves the state of each in
/// `effects`.
async fn send_queued(
    sender: &Sender<'_>,
    turn: &Turn,
    (effects, shown): (&mut [Effect], &ShownSoFar),
) -> Result<Sent, StoreError> {
    let mut outcome = Sent::Done;
    for effect in effects.iter_mut() {
        if !effect.body.is_sent() || !effect.state.is_unsettled() {
            continue;
        }
        if effect.body.is_passing() {
            clear(sender, effect).await?;
            continue;
        }
        // Nobody is being restarted any more.
        let outdated = matches!(
            effect.body,
            EffectBody::Notify {
                notice: Notice::Restarting,
                ..
            }
        );
        let stopped = matches!(turn.state, TurnState::Ended(Ending::Stopped));
        if stopped && live_of(effect).is_some() && effect.state != EffectState::Queued {
            // What is there of it stays, and says that it was stopped.
            if live_of(effect).is_some_and(|live| !live.complete) {
                conclude(sender.bot, effect, Some(Notice::StoppedHere)).await?;
            }
            sender.send_any(effect.clone()).await?;
            continue;
        }
        if outcome != Sent::Done || outdated || stopped {
            mark(sender.bot, effect, EffectState::Expired).await?;
            effect.state = EffectState::Expired;
            continue;
        }
        if let Some(live) = live_of(effect)
            && !live.complete
        {
            if goes_on(turn) {
                match sender.raise_live(effect).await? {
                    Sent::Done => {}
                    Sent::Left => return Ok(Sent::Left),
                    other => {
                        effect.state = EffectState::Expired;
                        outcome = other;
                    }
                }
                continue;
            }
            conclude(sender.bot, effect, None).await?;
        }
        match sender.send_any(effect.clone()).await? {
            Sent::Done => {
                let message = shown.message_of(effect);
                effect.state = EffectState::Done { message };
            }
            Sent::Left => return Ok(Sent::Left),
            other => {
                effect.state = EffectState::Expired;
                outcome = other;
            }
        }
    }
    Ok(outcome)
}

/// Takes away what told how an answer came along. What may be up is looked for
/// by showing it once more under its nonce.
async fn clear(sender: &Sender<'_>, effect: &mut Effect) -> Result<(), StoreError> {
    let never_shown = effect.state == EffectState::Queued;
    let outdated = match effect.body {
        EffectBody::Progress { .. } => never_shown,
        // What takes it away comes after it.
        EffectBody::Dress { lasting, .. } => !lasting,
        _ => false,
    };
    if outdated {
        mark(sender.bot, effect, EffectState::Expired).await?;
    } else {
        let lines = std::slice::from_ref(effect);
        take_away(sender, lines).await?;
    }
    effect.state = EffectState::Expired;
    Ok(())
}

/// Whether the model will go on with what a turn says.
const fn goes_on(turn: &Turn) -> bool {
    matches!(
        turn.state,
        TurnState::Admitted | TurnState::Thinking { .. } | TurnState::Speaking
    )
}

/// Ends what nobody will go on with.
async fn conclude_open(sender: &Sender<'_>, effects: &mut [Effect]) -> Result<(), StoreError> {
    for effect in effects.iter_mut() {
        if effect.state.is_unsettled() && live_of(effect).is_some_and(|live| !live.complete) {
            conclude(sender.bot, effect, None).await?;
            sender.send_any(effect.clone()).await?;
            effect.state = EffectState::Done { message: None };
        }
    }
    Ok(())
}

/// Does what was to be done after the reply. What may have happened and must
/// not happen twice is not repeated: the notice says so.
async fn perform(
    bot: &Bot,
    turn: &Turn,
    effects: &[Effect],
) -> Result<(Option<Notice>, Vec<EffectBody>), StoreError> {
    let mut notice = None;
    let mut offers = Vec::new();
    // Nobody knows any more what the model had read.
    let entrance = Entrance::Model {
        tainted: true,
        carries: true,
    };
    for effect in effects.iter().filter(|effect| effect.state.is_unsettled()) {
        let Some(call) = kept_call(effect) else {
            continue;
        };
        match perform_through(bot, turn, effect, &call, entrance).await? {
            Ok(reply) => {
                offers.extend(offer(turn, &reply));
                offers.extend(reply.afterwards.map(|outgoing| say(turn, outgoing)));
            }
            Err(ToolError::Unsettled) => notice = Some(Notice::ActionUnknown),
            Err(error) if error.is_denial() => notice = Some(Notice::ActionDenied),
            Err(_) => notice = Some(Notice::ActionFailed),
        }
    }
    Ok((notice, offers))
}

/// Shows what people can decide about and what follows the answer, and returns
/// the next free index. A turn that has ended takes no more effects, and its
/// offers expire.
async fn show_offers(
    sender: &Sender<'_>,
    turn: &Turn,
    mut next: u16,
    (offers, effects): (Vec<EffectBody>, &[Effect]),
) -> Result<u16, StoreError> {
    if matches!(turn.state, TurnState::Ended(_)) {
        return Ok(next);
    }
    let bot = sender.bot;
    let said = effects.iter().rfind(|it| it.body.is_shown());
    let identity = said.and_then(|it| it.identity.clone());
    for mut body in offers {
        body.forget_reply();
        let is_said = matches!(body, EffectBody::Say { .. });
        let shown = Effect {
            identity: identity.clone().filter(|_| is_said),
            ..effect_of(bot, turn, next, body)
        };
        next += 1;
        let effects = std::slice::from_ref(&shown);
        let settling = Progress::Settling;
        bot.persist(|| bot.store.queue(turn.scope, turn.id, effects, settling))
            .await?;
        sender.send(shown).await?;
    }
    bot.offer_made.notify_one();
    Ok(next)
}

/// The turn is too old to be answered. People are told, unless nobody would
/// know what about.
async fn give_up(
    bot: &Bot,
    signals: &Signals,
    turn: &Turn,
    effects: &[Effect],
) -> Result<(), StoreError> {
    for effect in effects.iter().filter(|effect| effect.state.is_unsettled()) {
        abandon(bot, effect).await?;
    }
    let age = bot.clock.now().since(turn.admitted_at);
    if age > FORGOTTEN || matches!(turn.state, TurnState::Ended(_)) {
        return end(bot, turn, Ending::Stale).await;
    }
    let next = next_index(effects);
    tell(bot, signals, turn, next, Notice::TooLate).await
}

/// What became of a question.
pub(crate) enum QuestionNow {
    /// It still stands.
    Stands(Box<Question>),
    /// Its author took it back.
    Withdrawn,
    /// It cannot be read any more.
    Unreadable,
    /// It was asked too long ago.
    Late,
    /// The turn is not to go on.
    Interrupted,
}

/// Reads the question of a turn again, and lets it pass the gate again.
pub(crate) async fn question(
    bot: &Bot,
    signals: &Signals,
    turn: &Turn,
    text: Option<String>,
) -> QuestionNow {
    let within = bot.settings_of(turn).await.answer_within;
    let expires = expiry(turn, within);
    let question = match (turn.id.trigger, text) {
        (trigger @ (Trigger::Message(_) | Trigger::Join(_)), Some(text)) => {
            Question::Instruction(Instruction {
                trigger,
                scope: turn.scope,
                channel: turn.channel,
                asker: turn.asker,
                text,
            })
        }
        (Trigger::Message(message), None) => {
            match fetch(bot, signals, turn, message, expires).await {
                Ok(message) => Question::Message(message),
                Err(asked) => return asked,
            }
        }
        (Trigger::Cue(message), text) => {
            let words = text.as_deref().and_then(Cue::read_words);
            let Some((root, depth, by)) = words else {
                return QuestionNow::Unreadable;
            };
            match fetch(bot, signals, turn, message, expires).await {
                Ok(message) => Question::Cue(Cue {
                    message,
                    by,
                    root,
                    depth,
                    asker: turn.asker,
                }),
                Err(asked) => return asked,
            }
        }
        // It was to show something, and the row of that was never written.
        (Trigger::Schedule(_) | Trigger::Reminder(_), None) => return QuestionNow::Withdrawn,
        (trigger, text) => Question::Scheduled(ScheduledTask {
            schedule: trigger.number(),
            due: trigger.created_at(),
            scope: turn.scope,
            channel: turn.channel,
            asker: turn.asker,
            kind: match trigger {
                Trigger::Reminder(_) => TaskKind::Remind,
                _ => TaskKind::Answer,
            },
            text: text.unwrap_or_default(),
        }),
    };
    let facts = bot.gate_facts(&question).await;
    let gate = facts.gate(bot);
    match readmit(&gate, bot.clock.now(), question.clone()) {
        Decision::Admitted(_) => QuestionNow::Stands(Box::new(question)),
        Decision::Ignored(IgnoreReason::Stale) if turn.id.take == 0 => QuestionNow::Late,
        // Another take answers an old question: what counts is when it was
        // asked for.
        Decision::Ignored(IgnoreReason::Stale) if bot.clock.now() > expires => QuestionNow::Late,
        Decision::Ignored(IgnoreReason::Stale) => QuestionNow::Stands(Box::new(question)),
        // Its author has edited it: it is no longer for us.
        _ => QuestionNow::Withdrawn,
    }
}

async fn fetch(
    bot: &Bot,
    signals: &Signals,
    turn: &Turn,
    message: kaiwa_domain::MessageId,
    expires: Timestamp,
) -> Result<Message, QuestionNow> {
    let mut pause = FIRST_PAUSE;
    loop {
        if bot.clock.now() > expires {
            return Err(QuestionNow::Late);
        }
        let place = bot.rereads.0.acquire().await;
        let read = bot.chat.message(turn.scope, turn.channel, message).await;
        drop(place);
        match read {
            Ok(Some(message)) => return Ok(message),
            Ok(None) => return Err(QuestionNow::Withdrawn),
            Err(error @ ChatError::Refused { .. }) => {
                tracing::warn!(%error, turn = %turn.id, "the question cannot be read again");
                return Err(QuestionNow::Unreadable);
            }
            Err(error) => {
                tracing::warn!(%error, turn = %turn.id, "the question cannot be read now");
            }
        }
        tokio::select! {
            why = signals.interrupt(false, false) => {
                tracing::info!(turn = %turn.id, ?why, "left");
                return Err(QuestionNow::Interrupted);
            }
            () = bot.clock.sleep(pause) => pause = (pause * 2).min(LONGEST_PAUSE),
        }
    }
}
