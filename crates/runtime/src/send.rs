//! From the outbox to Discord, in order.
//!
//! A row stays queued until it is sent, refused for good, or too old, and no
//! later row of its turn overtakes it. Whatever waits listens to a stop, and
//! nothing but a request already on the wire may appear after one.

use std::time::Duration;

use kaiwa_domain::port::{Dice, OnWire, Pending, Urgency};
use kaiwa_domain::{
    ChatError, Disposition, Effect, EffectBody, EffectState, InteractionId, MessageId, Moment,
    Outgoing, RetireTarget, SeededDice, Settlement, StoreError, Timestamp, Turn, UserId,
};
use kaiwa_failpoint::{self as failpoint, Failpoint};
use kaiwa_pipeline::deliver::Degree;
use kaiwa_pipeline::deliver::typing::Rhythm;
use tokio_util::sync::CancellationToken;

use crate::buttons::ShownSoFar;
use crate::live::live_of;
use crate::merge::merged;
use crate::outbox::{Backlog, Command, Sending};
use crate::pings::pings;
use crate::reconcile::{Found, look_up};
use crate::signals::Signals;
use crate::typing::{Typing, TypingMark};
use crate::{Bot, Halt, TurnSettings};

/// The pauses between tries after which nothing is known.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// How long a nonce surely protects against doubles. Discord says "a few
/// minutes".
const NONCE_REMEMBERED: Duration = Duration::from_secs(120);

/// What became of an effect that is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sent {
    /// It is up.
    Done,
    /// Discord will not take this one, though it may take another.
    Refused,
    /// Nothing more can be shown in this channel.
    Closed,
    /// It is too old.
    Expired,
    /// It is no longer wanted.
    Stopped,
    /// It stays in the outbox for the next start.
    Left,
}

/// What became of an effect that was to be shown.
pub(crate) enum PutUp {
    /// These messages show it.
    Up(Vec<MessageId>),
    /// It is not up, and why is on record.
    Not(Sent),
}

/// Whether an effect changes a message that is up: doing it twice changes
/// nothing.
fn is_edit(effect: &Effect) -> bool {
    live_of(effect).is_some_and(|live| live.message.is_some())
}

/// The time between messages, as a person would take it.
pub(crate) struct Pacing {
    /// None where messages go up as they come.
    typed: Option<(Rhythm, SeededDice)>,
}

impl Pacing {
    /// The pacing of one turn, the same however often it is run.
    pub(crate) fn new(degree: Degree, turn: &Turn) -> Self {
        let typed = degree >= Degree::Typed;
        let rhythm = || {
            let dice = SeededDice::new(turn.id.trigger.number());
            (Rhythm::default(), dice)
        };
        Self {
            typed: typed.then(rhythm),
        }
    }

    fn wait_before(&mut self, effect: &Effect) -> Option<Duration> {
        let (rhythm, dice) = self.typed.as_mut()?;
        let EffectBody::Say {
            outgoing: Outgoing::Say(text),
            ..
        } = &effect.body
        else {
            return None;
        };
        let wait = rhythm.wait(text, dice);
        (!wait.is_zero()).then_some(wait)
    }
}

/// Sends effects until there are no more or none can be shown, and says what
/// became of the last.
pub(crate) async fn send_all(
    sender: &Sender<'_>,
    mut backlog: Backlog,
    typing: &Typing,
    mut pacing: Pacing,
) -> Result<Sent, StoreError> {
    let signals = sender.signals;
    let at_once = pacing.typed.is_none();
    let given_up = loop {
        let next = tokio::select! {
            biased;
            () = signals.stopped.cancelled() => break Sent::Stopped,
            next = backlog.next(at_once) => next,
        };
        let mut sending = match next {
            Some(Command::Send(sending)) => *sending,
            Some(Command::Live(feed, said)) => {
                match sender.send_live(feed, || typing.hidden(said)).await? {
                    Sent::Done => continue,
                    other => break other,
                }
            }
            Some(Command::Settled(done)) => {
                let _ = done.send(());
                continue;
            }
            None => return Ok(Sent::Done),
        };
        if let Some(wait) = pacing.wait_before(&sending.effect) {
            sending.said = typing.more();
            tokio::select! {
                () = sender.bot.clock.sleep(wait) => {}
                () = signals.overdue.cancelled() => {}
                () = signals.stopped.cancelled() => {}
            }
        }
        let passing = sending.effect.body.is_passing();
        match sender.try_sending(&mut sending, Some(&mut backlog)).await? {
            Sent::Done => typing.hidden(sending.said),
            // Nobody misses a line that only told what was going on.
            Sent::Refused | Sent::Closed | Sent::Expired if passing => {}
            other => break other,
        }
        if passing {
            typing.more();
        }
    };
    if given_up != Sent::Left {
        give_up(sender, backlog).await?;
    }
    Ok(given_up)
}

/// What came of a try.
enum Tried {
    Posted(Result<Vec<MessageId>, ChatError>),
    /// It waits for Discord's limits, and this came after it.
    Joined(Command),
}

/// Nothing more of this turn is shown.
async fn give_up(sender: &Sender<'_>, mut backlog: Backlog) -> Result<(), StoreError> {
    backlog.close();
    while let Some(command) = backlog.next(false).await {
        match command {
            Command::Send(sending) => abandon(sender.bot, &sending.effect).await?,
            Command::Live(feed, _) => sender.give_up_live(feed).await?,
            Command::Settled(_) => {}
        }
    }
    Ok(())
}

/// Sends what a turn shows, one effect at a time.
pub(crate) struct Sender<'a> {
    pub(crate) bot: &'a Bot,
    pub(crate) signals: &'a Signals,
    asker: UserId,
    /// What is not sent so long after it was queued is given up.
    within: Duration,
    /// Whether who asked is pinged.
    pings_asker: bool,
    /// Who is told what is up.
    shown: Option<&'a ShownSoFar>,
}

impl Sending {
    /// An effect that stands alone, or the last that is left.
    fn alone(effect: Effect) -> Self {
        let urgency = match (&effect.body, effect.index) {
            (EffectBody::Live(live), _) if live.message.is_some() => Urgency::FinalText,
            (
                EffectBody::Dress { .. }
                | EffectBody::Undress { .. }
                | EffectBody::Delete { .. }
                | EffectBody::Retire { .. }
                | EffectBody::Progress { of: Some(_), .. },
                _,
            ) => Urgency::Edit,
            (_, 0) => Urgency::FirstText,
            _ => Urgency::FinalText,
        };
        Self::urgent(effect, urgency)
    }

    fn urgent(effect: Effect, urgency: Urgency) -> Self {
        Self {
            effect,
            begun: false,
            said: TypingMark::default(),
            urgency,
        }
    }
}

impl<'a> Sender<'a> {
    /// Sends what `turn` shows.
    pub(crate) const fn new(
        bot: &'a Bot,
        signals: &'a Signals,
        turn: &Turn,
        settings: &TurnSettings,
    ) -> Self {
        Self {
            bot,
            signals,
            asker: turn.asker,
            within: settings.answer_within,
            pings_asker: settings.pings_asker,
            shown: None,
        }
    }

    /// The same, telling what is up.
    pub(crate) const fn telling(self, shown: &'a ShownSoFar) -> Self {
        Self {
            shown: Some(shown),
            ..self
        }
    }

    /// The same, with another time to give things up.
    pub(crate) const fn within(self, within: Duration) -> Self {
        Self { within, ..self }
    }

    /// The same, listening to other signals.
    pub(crate) const fn with<'s>(&self, signals: &'s Signals) -> Sender<'s>
    where
        'a: 's,
    {
        Sender { signals, ..*self }
    }

    /// Sends an effect that stands alone, or the last that is left.
    pub(crate) async fn send(&self, effect: Effect) -> Result<Sent, StoreError> {
        self.try_sending(&mut Sending::alone(effect), None).await
    }

    /// Has an effect shown, without settling it.
    pub(crate) async fn put_up(&self, effect: Effect) -> Result<PutUp, StoreError> {
        self.try_putting_up(&mut Sending::alone(effect), None).await
    }

    /// The same for one that is so urgent.
    pub(crate) async fn put_up_as(
        &self,
        effect: Effect,
        urgency: Urgency,
    ) -> Result<PutUp, StoreError> {
        self.try_putting_up(&mut Sending::urgent(effect, urgency), None)
            .await
    }

    async fn try_sending(
        &self,
        sending: &mut Sending,
        backlog: Option<&mut Backlog>,
    ) -> Result<Sent, StoreError> {
        match self.try_putting_up(sending, backlog).await? {
            PutUp::Up(messages) => self.done(&sending.effect, &messages).await,
            PutUp::Not(sent) => Ok(sent),
        }
    }

    /// Sends one effect, trying as long as that makes sense. One whose outcome
    /// is unknown was perhaps sent before. While it waits for Discord's limits,
    /// what comes after it in the backlog becomes part of it.
    async fn try_putting_up(
        &self,
        sending: &mut Sending,
        mut backlog: Option<&mut Backlog>,
    ) -> Result<PutUp, StoreError> {
        let edits = is_edit(&sending.effect);
        let mut attempt = match sending.effect.state {
            EffectState::Started { attempt } if !sending.begun => attempt,
            _ => 0,
        };
        let mut uncertain = !sending.begun && !matches!(sending.effect.state, EffectState::Queued);
        let mut behind = false;
        let begun = self.bot.clock.now();
        // What becomes part of it, or is tried again, keeps its place.
        let waits_since = self.bot.clock.moment();
        let mut pause = FIRST_PAUSE;
        // Whether some time has passed since the last try.
        let mut settled = sending.effect.settlement() != Settlement::ReadBack;
        loop {
            if self.signals.stopped.is_cancelled() {
                let withdrawn = self.withdraw(&sending.effect, uncertain).await;
                return withdrawn.map(PutUp::Not);
            }
            if std::mem::take(&mut behind) && !uncertain {
                self.absorb(sending, backlog.as_deref_mut()).await?;
            }
            let mut pings = pings(self.bot, &sending.effect, self.asker).await;
            pings.replied = self.pings_asker;
            sending.effect.pings = pings;
            let effect = &sending.effect;
            let now = self.bot.clock.now();
            // What is up was shown for a while before.
            let since = match effect.body {
                _ if effect.body.takes_away() => begun,
                _ if edits => begun,
                _ => effect.queued_at,
            };
            if now.since(since) > self.within {
                mark(self.bot, effect, EffectState::Expired).await?;
                return Ok(PutUp::Not(Sent::Expired));
            }
            let doubles = !edits && !effect.body.is_repeatable();
            if uncertain && doubles && self.is_read_back(effect, now) {
                if !settled {
                    // What is on its way may still arrive.
                    settled = true;
                    if let Some(sent) = self.rest(effect, FIRST_PAUSE, uncertain).await? {
                        return Ok(PutUp::Not(sent));
                    }
                    continue;
                }
                match look_up(self.bot, effect).await? {
                    Found::Sent(messages) => return Ok(PutUp::Up(messages)),
                    Found::NotSent => uncertain = false,
                    Found::Unreadable => {
                        mark(self.bot, effect, EffectState::Expired).await?;
                        return Ok(PutUp::Not(Sent::Refused));
                    }
                    Found::Later => {
                        let wait = jittered(pause, effect, attempt);
                        if let Some(sent) = self.rest(effect, wait, uncertain).await? {
                            return Ok(PutUp::Not(sent));
                        }
                        pause = (pause * 2).min(LONGEST_PAUSE);
                        continue;
                    }
                }
            }
            let begun = std::mem::take(&mut sending.begun);
            if !begun && !self.start(effect, attempt + 1).await? {
                return Ok(PutUp::Not(Sent::Stopped));
            }
            failpoint::hit(Failpoint::EffectStarted);
            let joinable = backlog.as_deref_mut().filter(|_| !uncertain);
            let stopped = &self.signals.stopped;
            let tried = self.try_once(sending, waits_since, joinable, stopped);
            let error = match tried.await {
                Tried::Posted(Ok(messages)) => {
                    failpoint::hit(Failpoint::PostAnswered);
                    return Ok(PutUp::Up(messages));
                }
                Tried::Posted(Err(error)) => error,
                Tried::Joined(command) => {
                    if let Some(backlog) = backlog.as_deref_mut() {
                        self.join(sending, command, backlog).await?;
                    }
                    continue;
                }
            };
            let effect = &mut sending.effect;
            tracing::warn!(turn = %effect.turn, index = effect.index, %error, "a message was not sent");
            let wait = match error.disposition() {
                Disposition::RetrySame => {
                    attempt += 1;
                    uncertain = true;
                    settled = true;
                    let wait = jittered(pause, effect, attempt);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                    wait
                }
                // Nobody waits longer than it may take, and others come first then.
                Disposition::Wait(wait) if now.since(since) + wait > self.within => {
                    mark(self.bot, effect, EffectState::Expired).await?;
                    return Ok(PutUp::Not(Sent::Expired));
                }
                Disposition::Wait(wait) => {
                    behind = true;
                    wait
                }
                Disposition::RetryWithoutReply if effect.body.forget_reply() => {
                    attempt += 1;
                    continue;
                }
                Disposition::Settled => {
                    return self.withdraw(effect, uncertain).await.map(PutUp::Not);
                }
                Disposition::Halt => {
                    mark(self.bot, effect, EffectState::Queued).await?;
                    let reason = error.to_string();
                    self.signals.halt(Halt::Token { reason });
                    return Ok(PutUp::Not(Sent::Left));
                }
                disposition => {
                    let code = refusal_code(&error);
                    mark(self.bot, effect, EffectState::Refused { code }).await?;
                    return Ok(PutUp::Not(match disposition {
                        Disposition::StopTurn => Sent::Closed,
                        _ => Sent::Refused,
                    }));
                }
            };
            if let Some(sent) = self.rest(&sending.effect, wait, uncertain).await? {
                return Ok(PutUp::Not(sent));
            }
        }
    }

    /// Whether it has to be looked for in the channel before it is tried again.
    fn is_read_back(&self, effect: &Effect, now: Timestamp) -> bool {
        match effect.settlement() {
            Settlement::ReadBack => true,
            _ => now.since(effect.queued_at) > NONCE_REMEMBERED,
        }
    }

    /// Makes the request. A stop withdraws it while it waits for Discord's
    /// limits; one that is on the wire is waited for.
    async fn try_once(
        &self,
        sending: &Sending,
        since: Moment,
        mut backlog: Option<&mut Backlog>,
        unwanted: &CancellationToken,
    ) -> Tried {
        let effect = &sending.effect;
        if let EffectBody::Retire {
            target: RetireTarget::Response(interaction),
            ..
        } = effect.body
        {
            return Tried::Posted(self.change_response(effect, interaction).await);
        }
        let wire = OnWire::of(effect.scope, sending.urgency).in_place_since(since);
        let mut posting = match effect.body {
            EffectBody::Progress { of: Some(of), .. } | EffectBody::Delete { of } => {
                self.change(effect, of, &wire)
            }
            EffectBody::Dress { message, .. } | EffectBody::Undress { message } => {
                self.dress(effect, message, &wire)
            }
            _ => self.bot.chat.post(effect, &wire),
        };
        loop {
            let arrives = async {
                match backlog.as_deref_mut() {
                    Some(backlog) => backlog.arrives(|| wire.is_waiting()).await,
                    None => std::future::pending().await,
                }
            };
            let command = tokio::select! {
                biased;
                // First, so that nothing begins any more once it is unwanted.
                () = unwanted.cancelled() => break,
                outcome = &mut posting => return Tried::Posted(outcome),
                command = arrives => command,
            };
            if wire.is_waiting() {
                let _ = wire.withdraw();
                return Tried::Joined(command);
            }
            if let Some(backlog) = backlog.as_deref_mut() {
                backlog.hold(command);
            }
        }
        Tried::Posted(match wire.withdraw() {
            true => posting.await,
            false => Err(ChatError::Withdrawn),
        })
    }

    /// Changes a message that is up once, unless that becomes unwanted before
    /// it is on the wire.
    pub(crate) async fn post(
        &self,
        effect: &Effect,
        unwanted: &CancellationToken,
    ) -> Result<Vec<MessageId>, ChatError> {
        let sending = Sending::urgent(effect.clone(), Urgency::Edit);
        let now = self.bot.clock.moment();
        match self.try_once(&sending, now, None, unwanted).await {
            Tried::Posted(outcome) => outcome,
            Tried::Joined(_) => Err(ChatError::Withdrawn),
        }
    }

    /// Makes what waits behind an effect part of it, as far as that goes.
    async fn absorb(
        &self,
        sending: &mut Sending,
        backlog: Option<&mut Backlog>,
    ) -> Result<(), StoreError> {
        let Some(backlog) = backlog else {
            return Ok(());
        };
        while let Some(command) = backlog.ready() {
            if !self.join(sending, command, backlog).await? {
                break;
            }
        }
        Ok(())
    }

    /// Makes the next command part of an effect that was not sent. False if it
    /// stays what it is.
    async fn join(
        &self,
        sending: &mut Sending,
        command: Command,
        backlog: &mut Backlog,
    ) -> Result<bool, StoreError> {
        let store = &self.bot.store;
        if let Command::Send(next) = &command
            && let Some(merged) = merged(&sending.effect, &next.effect)
            && self
                .bot
                .persist(|| store.merge(&merged, next.effect.index))
                .await?
        {
            failpoint::hit(Failpoint::EffectsMerged);
            metrics::counter!("messages_merged_total").increment(1);
            *sending = Sending {
                effect: merged,
                begun: false,
                said: next.said,
                urgency: sending.urgency.min(next.urgency),
            };
            return Ok(true);
        }
        backlog.hold_apart(command);
        Ok(false)
    }

    /// Changes the message of an earlier effect, or takes it away. One that
    /// never appeared needs neither.
    fn change<'e>(
        &'e self,
        effect: &'e Effect,
        of: u16,
        wire: &'e OnWire,
    ) -> Pending<'e, Result<Vec<MessageId>, ChatError>> {
        Box::pin(async move {
            let shown = self.bot.store.shown(effect.scope, effect.turn, of).await;
            let shown = shown.map_err(|error| ChatError::Unknown {
                reason: error.to_string(),
            })?;
            if let Some(message) = shown {
                self.bot.chat.change(effect, message, wire).await?;
            }
            Ok(Vec::new())
        })
    }

    /// Changes the buttons of a message.
    fn dress<'e>(
        &'e self,
        effect: &'e Effect,
        message: MessageId,
        wire: &'e OnWire,
    ) -> Pending<'e, Result<Vec<MessageId>, ChatError>> {
        Box::pin(async move {
            self.bot.chat.change(effect, message, wire).await?;
            Ok(Vec::new())
        })
    }

    /// Changes the answer to an interaction, for as long as Discord lets us.
    async fn change_response(
        &self,
        effect: &Effect,
        interaction: InteractionId,
    ) -> Result<Vec<MessageId>, ChatError> {
        let (store, now) = (&self.bot.store, self.bot.clock.now());
        let handle = store.handle(effect.scope, interaction, now).await;
        let handle = handle.map_err(|error| ChatError::Unknown {
            reason: error.to_string(),
        })?;
        match handle {
            Some(handle) => {
                let message = self.bot.responses.respond(&handle, effect, None).await?;
                Ok(vec![message])
            }
            None => Err(ChatError::Refused {
                code: 0,
                message: "the interaction is over".to_owned(),
                disposition: Disposition::GiveUp,
            }),
        }
    }

    /// Waits before the next try, unless the turn has to end.
    async fn rest(
        &self,
        effect: &Effect,
        pause: Duration,
        uncertain: bool,
    ) -> Result<Option<Sent>, StoreError> {
        tokio::select! {
            biased;
            () = self.signals.stopped.cancelled() => {}
            () = self.signals.overdue.cancelled() => {}
            () = self.bot.clock.sleep(pause) => return Ok(None),
        }
        self.withdraw(effect, uncertain).await.map(Some)
    }

    /// The effect is not sent now: for good after a stop, else by the next
    /// process.
    async fn withdraw(&self, effect: &Effect, uncertain: bool) -> Result<Sent, StoreError> {
        let (state, sent) = match (self.signals.stopped.is_cancelled(), uncertain) {
            (true, _) if effect.body.takes_away() => {
                return Ok(Sent::Stopped);
            }
            (true, _) => (EffectState::Expired, Sent::Stopped),
            // What is half-written is never taken for something not begun.
            (false, false) if is_edit(effect) => (EffectState::Unknown, Sent::Left),
            (false, true) => (EffectState::Unknown, Sent::Left),
            (false, false) => (EffectState::Queued, Sent::Left),
        };
        mark(self.bot, effect, state).await?;
        Ok(sent)
    }

    async fn start(&self, effect: &Effect, attempt: u32) -> Result<bool, StoreError> {
        let Effect {
            scope, turn, index, ..
        } = *effect;
        let store = &self.bot.store;
        self.bot
            .persist(|| store.start(scope, turn, index, attempt))
            .await
    }

    /// Notes how long the first words of an answer took.
    pub(crate) fn first_words(&self, effect: &Effect) {
        if effect.index == 0 && effect.body.is_shown() {
            let bot = self.bot;
            let took = bot.clock.now().since(effect.turn.trigger.created_at());
            metrics::histogram!("first_post_seconds").record(took.as_secs_f64());
            bot.health.answered_after(took);
        }
    }

    /// Tells that messages are up.
    pub(crate) fn is_up(&self, effect: &Effect, messages: &[MessageId]) {
        if let (Some(shown), Some(message)) = (self.shown, messages.last()) {
            shown.add(effect, *message);
        }
    }

    pub(crate) async fn done(
        &self,
        effect: &Effect,
        messages: &[MessageId],
    ) -> Result<Sent, StoreError> {
        let bot = self.bot;
        if live_of(effect).is_none() {
            self.first_words(effect);
        }
        let at = bot.clock.now();
        bot.window.posted(&bot.me, effect, messages);
        self.is_up(effect, messages);
        bot.persist(|| bot.store.done(effect, messages, at)).await?;
        failpoint::hit(Failpoint::EffectDone);
        Ok(Sent::Done)
    }
}

/// A pause, a little longer by chance, so that not everybody comes back at the
/// same moment after an outage.
fn jittered(pause: Duration, effect: &Effect, attempt: u32) -> Duration {
    let seed = effect.turn.trigger.number() ^ u64::from(effect.index) << 32 ^ u64::from(attempt);
    let most = u32::try_from(pause.as_millis() / 8).unwrap_or(u32::MAX);
    let more = 1 + SeededDice::new(seed).roll(most);
    pause + Duration::from_millis(more.into())
}

pub(crate) const fn refusal_code(error: &ChatError) -> u32 {
    match error {
        ChatError::Refused { code, .. } => *code,
        ChatError::Unknown { .. } | ChatError::Withdrawn => 0,
        ChatError::Limited { .. } => 429,
    }
}

/// Gives an effect up, unless it takes something away: that is always done.
pub(crate) async fn abandon(bot: &Bot, effect: &Effect) -> Result<(), StoreError> {
    match effect.body.takes_away() {
        true => Ok(()),
        false => mark(bot, effect, EffectState::Expired).await,
    }
}

/// Takes away what told how an answer came along, whatever became of it.
pub(crate) async fn take_away(sender: &Sender<'_>, lines: &[Effect]) -> Result<(), StoreError> {
    let signals = sender.signals.unstoppable();
    let sender = sender.with(&signals);
    for line in lines {
        sender.send(line.clone()).await?;
    }
    Ok(())
}

/// Records how far an effect has come.
pub(crate) async fn mark(bot: &Bot, effect: &Effect, state: EffectState) -> Result<(), StoreError> {
    let Effect {
        scope, turn, index, ..
    } = *effect;
    bot.persist(|| bot.store.mark(scope, turn, index, state))
        .await
}
