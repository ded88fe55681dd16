//! What somebody did with a control, from the acknowledgement to the answer.
//!
//! ```text
//! handle kept, turn and call journalled → acknowledged → the door → the answer, as an effect
//! ```
//!
//! It waits for no answer of a model: whoever uses `/stop` is heard while one
//! is given. Discord wants to hear from us within three seconds, so it is told
//! that the answer follows before anything that takes time is begun.

mod instead;

use std::time::Duration;

use kaiwa_domain::limits::{INTERACTION_ACK_WITHIN, INTERACTION_LASTS};
use kaiwa_domain::port::{Ack, ActionReply, Admission, ControlRequest, Entrance, Progress};
use kaiwa_domain::{
    Acknowledgement, ChatError, Disposition, Effect, EffectBody, EffectState, Ending, Interaction,
    InteractionId, InteractionKind, Notice, Pings, ResponseHandle, Settlement, StoreError,
    Timestamp, ToolCall, ToolError, Trigger, Turn,
};
use kaiwa_failpoint::{self as failpoint, Failpoint};

use crate::Bot;
use crate::outbox::effect;
use crate::personal;
use crate::prepare::kept_call;
use crate::send::mark;
use crate::signals::Signals;
use crate::talk::{perform_through, run_through};
use crate::turn::end;

/// The pauses between tries to show an answer.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// Tells somebody what fits what they are typing.
pub(crate) async fn complete(bot: &Bot, interaction: &Interaction) {
    let fitting = tokio::select! {
        fitting = bot.actions.complete(interaction) => fitting,
        () = bot.clock.sleep(INTERACTION_ACK_WITHIN / 2) => Vec::new(),
    };
    let choices = Acknowledgement::Choices(fitting);
    acknowledge(bot, interaction, &choices).await;
}

/// Does what somebody asks for by using a control.
pub(crate) async fn answer(
    bot: &Bot,
    signals: &Signals,
    turn: &Turn,
    interaction: &Interaction,
    ack: Ack,
) -> Result<(), StoreError> {
    let (call, acknowledgement) = match bot.actions.request(turn, interaction).await {
        Some(ControlRequest::Call {
            call,
            acknowledgement,
        }) => (call, acknowledgement),
        Some(ControlRequest::Form(form)) => {
            acknowledge(bot, interaction, &Acknowledgement::Form(form)).await;
            ack.acknowledge();
            return Ok(());
        }
        None => (
            unknown(interaction),
            Acknowledgement::Deferred { ephemeral: true },
        ),
    };
    // Whoever journals slowly must not miss the three seconds.
    let (admission, acknowledged) = tokio::join!(
        async {
            let journalled = journal(bot, turn, interaction, &call).await;
            if journalled.is_ok() {
                ack.acknowledge();
            }
            journalled
        },
        acknowledge(bot, interaction, &acknowledgement)
    );
    let Some(action) = admission? else {
        return Ok(());
    };
    if !acknowledged && bot.actions.is_private(&call.name) {
        // Nobody would see the answer.
        mark(bot, &action, EffectState::Expired).await?;
        return end(bot, turn, Ending::Stale).await;
    }
    if let InteractionKind::Component { control, .. } = &interaction.kind
        && !until_shown(bot, signals, turn, control).await?
    {
        return Ok(());
    }
    let outcome = perform_through(
        bot,
        turn,
        &action,
        &call,
        Entrance::Control {
            locale: &interaction.locale,
        },
    )
    .await?;
    let way = Way {
        handle: acknowledged.then_some(&interaction.handle),
        private: bot.actions.is_private(&call.name),
    };
    reply(bot, signals, turn, way, outcome, &interaction.locale).await
}

/// Waits until the answer that shows a control is settled: while Discord may be
/// asked to show it once more, that would hide what came of using it. Whether
/// it is settled; else the next process goes on.
async fn until_shown(
    bot: &Bot,
    signals: &Signals,
    turn: &Turn,
    control: &str,
) -> Result<bool, StoreError> {
    let shows = |effect: &Effect| match &effect.body {
        EffectBody::Respond { buttons, .. } => buttons.iter().any(|it| it.control == control),
        _ => false,
    };
    loop {
        let ended = bot.turn_ended.notified();
        let unfinished = bot.persist(|| bot.store.unfinished(turn.scope)).await?;
        let mut effects = unfinished.iter().flat_map(|it| &it.effects);
        if !effects.any(|it| it.state.is_unsettled() && shows(it)) {
            return Ok(true);
        }
        tokio::select! {
            () = ended => {}
            () = bot.clock.sleep(LONGEST_PAUSE) => {}
            () = signals.overdue.cancelled() => return Ok(false),
        }
    }
}

/// How somebody is told what came of what they asked for.
#[derive(Clone, Copy)]
struct Way<'a> {
    /// None where the interaction is gone.
    handle: Option<&'a ResponseHandle>,
    /// Whether nobody else may read it.
    private: bool,
}

/// Tells somebody that they are not heard now.
pub(crate) async fn refuse(bot: &Bot, interaction: &Interaction, notice: Notice) {
    if matches!(interaction.kind, InteractionKind::Completion { .. }) {
        acknowledge(bot, interaction, &Acknowledgement::Choices(Vec::new())).await;
        return;
    }
    let private = Acknowledgement::Deferred { ephemeral: true };
    if acknowledge(bot, interaction, &private).await {
        let body = EffectBody::Respond {
            text: notice.shown().into_owned(),
            buttons: Vec::new(),
            waits: None,
            undo: None,
            file: None,
        };
        let turn = kaiwa_domain::TurnId::first(Trigger::Interaction(interaction.id));
        let told = Effect {
            turn,
            index: 0,
            scope: interaction.scope,
            channel: interaction.channel,
            persona: kaiwa_domain::PersonaId::MAIN,
            identity: None,
            body,
            state: EffectState::Queued,
            queued_at: bot.clock.now(),
            pings: Pings::default(),
        };
        if let Err(error) = bot
            .responses
            .respond(&interaction.handle, &told, None)
            .await
        {
            tracing::info!(%error, "somebody was not told why they are not heard");
        }
    }
}

/// Finishes what an earlier process left of an interaction.
pub(crate) async fn resume(
    bot: &Bot,
    signals: &Signals,
    turn: &Turn,
    text: Option<&str>,
    effects: &[Effect],
) -> Result<(), StoreError> {
    let (Trigger::Interaction(id) | Trigger::Component(id)) = turn.id.trigger else {
        return Ok(());
    };
    let now = bot.clock.now();
    let handle = bot
        .persist(|| bot.store.handle(turn.scope, id, now))
        .await?;
    if let Some(said) = effects
        .iter()
        .find(|it| matches!(it.body, EffectBody::Offer { .. }))
    {
        return instead::say(bot, signals, turn, said.clone()).await;
    }
    let named = effects
        .iter()
        .find_map(|it| Some(kept_call(it)?.name))
        .or_else(|| Some(text.and_then(read_call)?.name));
    let private = named.is_none_or(|name| bot.actions.is_private(&name));
    let answered = effects
        .iter()
        .find(|it| matches!(it.body, EffectBody::Respond { .. }));
    let Some(handle) = handle else {
        let unread = answered.filter(|it| it.state.is_unsettled() && !private);
        if let Some(answer) = unread {
            return instead::turn_to(bot, signals, turn, answer).await;
        }
        for effect in effects.iter().filter(|it| it.state.is_unsettled()) {
            mark(bot, effect, EffectState::Expired).await?;
        }
        return end(bot, turn, Ending::Stale).await;
    };
    let way = Way {
        handle: Some(&handle),
        private,
    };
    if let Some(answered) = answered {
        return show(bot, signals, turn, way, answered.clone()).await;
    }
    let queued = effects
        .iter()
        .find_map(|it| Some((it.clone(), kept_call(it)?)));
    let (action, call) = match (queued, text.and_then(read_call)) {
        (Some(queued), _) => queued,
        (None, Some(call)) => (queue_call(bot, turn, &call).await?, call),
        (None, None) => return end(bot, turn, Ending::Stale).await,
    };
    let repeatable = bot.actions.settlement(&call.name) != Settlement::AtMostOnce;
    let entrance = Entrance::Control { locale: "" };
    let outcome = match action.state {
        EffectState::Queued => perform_through(bot, turn, &action, &call, entrance).await?,
        state if repeatable && state.is_unsettled() => {
            perform_through(bot, turn, &action, &call, entrance).await?
        }
        // It was done, and what came of it is not known any more.
        _ if repeatable => run_through(bot, turn, &call, entrance).await,
        state => {
            if state.is_unsettled() {
                mark(bot, &action, EffectState::Expired).await?;
            }
            let body = EffectBody::Respond {
                text: Notice::ActionUnknown.shown().into_owned(),
                buttons: Vec::new(),
                waits: None,
                undo: None,
                file: None,
            };
            return respond(bot, signals, turn, way, body).await;
        }
    };
    reply(bot, signals, turn, way, outcome, "").await
}

/// Writes down what is asked for. `None` if it was dealt with before.
async fn journal(
    bot: &Bot,
    turn: &Turn,
    interaction: &Interaction,
    call: &ToolCall,
) -> Result<Option<Effect>, StoreError> {
    let until = valid_until(interaction.id);
    let handle = &interaction.handle;
    bot.persist(|| {
        bot.store
            .keep_handle(turn.scope, interaction.id, handle, until)
    })
    .await?;
    let text = written_call(call);
    let admitted = bot.persist(|| bot.store.admit(turn, Some(&text))).await?;
    match admitted {
        Admission::New => queue_call(bot, turn, call).await.map(Some),
        Admission::Duplicate => Ok(None),
    }
}

/// A call as the row of its turn keeps it.
fn written_call(call: &ToolCall) -> String {
    format!("{}\n{}", call.name, call.arguments)
}

fn read_call(written: &str) -> Option<ToolCall> {
    let (name, arguments) = written.split_once('\n')?;
    Some(ToolCall {
        id: String::new(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
        signature: None,
    })
}

/// Writes down that an action is to be run.
async fn queue_call(bot: &Bot, turn: &Turn, call: &ToolCall) -> Result<Effect, StoreError> {
    let body = EffectBody::Act {
        name: call.name.clone(),
        arguments: call.arguments.clone(),
    };
    let action = effect(bot, turn, 0, body);
    let effects = std::slice::from_ref(&action);
    let settling = Progress::Settling;
    bot.persist(|| bot.store.queue(turn.scope, turn.id, effects, settling))
        .await?;
    failpoint::hit(Failpoint::EffectQueued);
    Ok(action)
}

fn valid_until(interaction: InteractionId) -> Timestamp {
    let lasts = i64::try_from(INTERACTION_LASTS.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(interaction.created_at().as_millis().saturating_add(lasts))
}

/// Whether Discord took the first answer. One whose fate is unknown may have
/// arrived, and the next request will tell.
async fn acknowledge(
    bot: &Bot,
    interaction: &Interaction,
    acknowledgement: &Acknowledgement,
) -> bool {
    let answered = bot
        .responses
        .acknowledge(interaction.id, &interaction.handle, acknowledgement);
    let outcome = tokio::select! {
        outcome = answered => outcome,
        () = bot.clock.sleep(INTERACTION_ACK_WITHIN) => Err(ChatError::Unknown {
            reason: "nothing came back in time".to_owned(),
        }),
    };
    match outcome {
        Ok(()) => true,
        Err(error @ ChatError::Refused { .. }) => {
            tracing::warn!(%error, "an interaction was not acknowledged");
            false
        }
        Err(error) => {
            tracing::warn!(%error, "it is unknown whether an interaction was acknowledged");
            true
        }
    }
}

/// A control that is not there any more is a call of nothing.
fn unknown(interaction: &Interaction) -> ToolCall {
    ToolCall {
        id: interaction.id.to_string(),
        name: String::new(),
        arguments: "{}".to_owned(),
        signature: None,
    }
}

/// Shows what came of an action, unless people see it anyway.
async fn reply(
    bot: &Bot,
    signals: &Signals,
    turn: &Turn,
    way: Way<'_>,
    outcome: Result<ActionReply, ToolError>,
    locale: &str,
) -> Result<(), StoreError> {
    let offers = matches!(&outcome, Ok(reply) if reply.waits.or(reply.undo).is_some());
    if matches!(&outcome, Ok(reply) if reply.shown.is_empty()) {
        return end(bot, turn, Ending::Done).await;
    }
    let responded = respond(bot, signals, turn, way, shown(bot, outcome, locale)).await;
    if offers {
        bot.offer_made.notify_one();
    }
    responded
}

fn shown(bot: &Bot, outcome: Result<ActionReply, ToolError>, locale: &str) -> EffectBody {
    match outcome {
        Ok(reply) => EffectBody::Respond {
            text: reply.shown,
            buttons: reply.buttons,
            waits: reply.waits,
            undo: reply.undo,
            file: reply.file,
        },
        Err(error) => EffectBody::Respond {
            text: bot.actions.explain(&error, locale),
            buttons: Vec::new(),
            waits: None,
            undo: None,
            file: None,
        },
    }
}

async fn respond(
    bot: &Bot,
    signals: &Signals,
    turn: &Turn,
    way: Way<'_>,
    body: EffectBody,
) -> Result<(), StoreError> {
    let answer = effect(bot, turn, 1, body);
    let effects = std::slice::from_ref(&answer);
    let settling = Progress::Settling;
    let queued = bot.persist(|| bot.store.queue(turn.scope, turn.id, effects, settling));
    match queued.await {
        // The turn is gone: whoever asked had everything erased. They hear of
        // it, and nothing is kept.
        Err(StoreError::Conflict { .. }) => {
            if let Some(handle) = way.handle
                && let Err(error) = bot.responses.respond(handle, &answer, None).await
            {
                tracing::warn!(%error, "an interaction was not answered");
            }
            return Ok(());
        }
        queued => queued?,
    }
    failpoint::hit(Failpoint::EffectQueued);
    show(bot, signals, turn, way, answer).await
}

/// Shows an answer, trying for as long as Discord takes one.
async fn show(
    bot: &Bot,
    signals: &Signals,
    turn: &Turn,
    way: Way<'_>,
    answer: Effect,
) -> Result<(), StoreError> {
    let (Trigger::Interaction(id) | Trigger::Component(id)) = turn.id.trigger else {
        return Ok(());
    };
    let Some(handle) = way.handle else {
        return instead::turn_to(bot, signals, turn, &answer).await;
    };
    let until = valid_until(id);
    let file = match answer.body {
        EffectBody::Respond {
            file: Some(file), ..
        } => {
            let scope = answer.scope;
            bot.persist(|| Box::pin(personal::file(bot, scope, file)))
                .await?
        }
        _ => None,
    };
    let mut pause = FIRST_PAUSE;
    let mut attempt = 0;
    loop {
        attempt += 1;
        let (scope, index) = (answer.scope, answer.index);
        let started = bot.persist(|| bot.store.start(scope, turn.id, index, attempt));
        if !started.await? {
            return end(bot, turn, Ending::Stopped).await;
        }
        failpoint::hit(Failpoint::EffectStarted);
        let error = match bot.responses.respond(handle, &answer, file.as_ref()).await {
            Ok(message) => {
                let at = bot.clock.now();
                let messages = [message];
                bot.persist(|| bot.store.done(&answer, &messages, at))
                    .await?;
                failpoint::hit(Failpoint::EffectDone);
                return end(bot, turn, Ending::Done).await;
            }
            Err(error) => error,
        };
        tracing::warn!(%error, turn = %turn.id, "an interaction was not answered");
        let wait = match error.disposition() {
            Disposition::RetrySame => pause,
            Disposition::Wait(wait) => wait,
            Disposition::SayInChannel if !way.private => {
                return instead::turn_to(bot, signals, turn, &answer).await;
            }
            _ => {
                mark(bot, &answer, EffectState::Refused { code: 0 }).await?;
                return end(bot, turn, Ending::Failed(Notice::AnswerBlocked)).await;
            }
        };
        if bot.clock.now() > until && !way.private {
            return instead::turn_to(bot, signals, turn, &answer).await;
        }
        if bot.clock.now() > until {
            mark(bot, &answer, EffectState::Expired).await?;
            return end(bot, turn, Ending::Stale).await;
        }
        tokio::select! {
            () = bot.clock.sleep(wait) => pause = (pause * 2).min(LONGEST_PAUSE),
            // The next process goes on.
            () = signals.overdue.cancelled() => return Ok(()),
        }
    }
}
