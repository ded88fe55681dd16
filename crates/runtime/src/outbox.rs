//! What a turn wants done, as rows: first the journal, then the queue to the
//! side that sends.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::task::Poll;
use std::time::Duration;

use kaiwa_domain::port::{ActionReply, Progress, Urgency};
use kaiwa_domain::{
    Effect, EffectBody, EffectState, LiveMessage, MessageId, Notice, Outgoing, PersonaId, Pings,
    Scope, StoreError, Turn,
};
use kaiwa_failpoint::{self as failpoint, Failpoint};
use kaiwa_pipeline::deliver::LiveView;
use tokio::sync::{mpsc, oneshot};

use crate::Bot;
use crate::guises::Guises;
use crate::live::{LiveFeed, LiveHandle, live};
use crate::thoughts::ThoughtsHeard;
use crate::typing::{Typing, TypingMark};

/// How many effects the model may be ahead of Discord.
const AHEAD: usize = 4;

/// A queue of effects between the side that thinks and the side that sends.
pub(crate) fn outbox<'a>(
    bot: &'a Bot,
    turn: &Turn,
    earlier: &[Effect],
    typing: &'a Typing,
    (places, guises): (&'a Places, Guises),
) -> (Outbox<'a>, Backlog) {
    let (queue, commands) = mpsc::channel(AHEAD);
    let idle = Arc::new(AtomicBool::new(false));
    let outbox = Outbox {
        bot,
        turn: turn.clone(),
        places,
        spoken: earlier.iter().any(|it| speaks(&it.body)),
        queue,
        idle: idle.clone(),
        unsent: Vec::new(),
        line: None,
        lines: Vec::new(),
        typing,
        guises,
    };
    let backlog = Backlog {
        commands,
        idle,
        held: None,
        apart: false,
    };
    (outbox, backlog)
}

/// The indexes of a turn's effects, each given out once.
pub(crate) struct Places(AtomicU16);

impl Places {
    /// Those after the effects of an earlier process.
    pub(crate) fn after(earlier: &[Effect]) -> Self {
        Self::from(next_index(earlier))
    }

    /// From this one on.
    pub(crate) const fn from(first: u16) -> Self {
        Self(AtomicU16::new(first))
    }

    /// The next one.
    pub(crate) fn next(&self) -> u16 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// The index of the effect after these.
pub(crate) fn next_index(effects: &[Effect]) -> u16 {
    effects.last().map_or(0, |last| last.index + 1)
}

/// What is left when a turn has nothing more to queue.
pub(crate) struct Leftover {
    /// What was queued after the sending side had given up.
    pub(crate) unsent: Vec<Effect>,
    /// What takes away the lines that told what was going on.
    pub(crate) lines: Vec<Effect>,
    /// What was thought, if that is to be told, and how long it all took.
    pub(crate) thoughts: Option<(ThoughtsHeard, Duration)>,
}

/// What the sending side is told.
pub(crate) enum Command {
    /// Send it.
    Send(Box<Sending>),
    /// Show it as it grows.
    Live(LiveFeed, TypingMark),
    /// Say when everything before it was dealt with.
    Settled(oneshot::Sender<()>),
}

/// An effect on its way, with what was merged into it.
pub(crate) struct Sending {
    pub(crate) effect: Effect,
    /// Whether it was written down as started, and nothing was tried yet.
    pub(crate) begun: bool,
    /// How far the text is said with it.
    pub(crate) said: TypingMark,
    pub(crate) urgency: Urgency,
}

/// What waits on the sending side, in order.
pub(crate) struct Backlog {
    commands: mpsc::Receiver<Command>,
    /// Whether the next command is sent as soon as it is there.
    idle: Arc<AtomicBool>,
    /// What was taken and is not dealt with yet.
    held: Option<Command>,
    /// Whether that cannot become part of what is sent before it.
    apart: bool,
}

impl Backlog {
    /// The next command; none if there will be no more. It will be sent
    /// `at_once`, or in a while.
    pub(crate) async fn next(&mut self, at_once: bool) -> Option<Command> {
        if let Some(command) = self.take_held() {
            return Some(command);
        }
        self.idle.store(at_once, Ordering::Relaxed);
        let next = self.commands.recv().await;
        self.idle.store(false, Ordering::Relaxed);
        next
    }

    /// Completes when another command is there to look at. One that is held is
    /// once what is sent before it `waits`, which is asked whenever this is
    /// polled.
    pub(crate) async fn arrives(&mut self, waits: impl Fn() -> bool) -> Command {
        if self.held.is_some() {
            let joins = !self.apart;
            poll_fn(|_| match joins && waits() {
                true => Poll::Ready(()),
                false => Poll::Pending,
            })
            .await;
        }
        match self.next(false).await {
            Some(command) => command,
            None => std::future::pending().await,
        }
    }

    /// The next command if it is there.
    pub(crate) fn ready(&mut self) -> Option<Command> {
        self.take_held().or_else(|| self.commands.try_recv().ok())
    }

    /// The command is the next one, after all.
    pub(crate) fn hold(&mut self, command: Command) {
        self.held = Some(command);
    }

    /// The same, and no part of what is sent before it.
    pub(crate) fn hold_apart(&mut self, command: Command) {
        self.hold(command);
        self.apart = true;
    }

    fn take_held(&mut self) -> Option<Command> {
        self.apart = false;
        self.held.take()
    }

    /// Nothing more is taken.
    pub(crate) fn close(&mut self) {
        self.commands.close();
    }
}

/// Where a turn puts what it wants done: first the journal, then the queue.
pub(crate) struct Outbox<'a> {
    bot: &'a Bot,
    pub(crate) turn: Turn,
    places: &'a Places,
    spoken: bool,
    queue: mpsc::Sender<Command>,
    /// Whether the sending side has nothing to do.
    idle: Arc<AtomicBool>,
    unsent: Vec<Effect>,
    /// The line that tells what is going on, if one is up.
    line: Option<u16>,
    /// What takes away such lines, one for each.
    lines: Vec<Effect>,
    pub(crate) typing: &'a Typing,
    /// How whoever speaks appears.
    pub(crate) guises: Guises,
}

impl Outbox<'_> {
    /// Nothing more will be queued.
    pub(crate) fn close(self) -> Leftover {
        Leftover {
            unsent: self.unsent,
            lines: self.lines,
            thoughts: None,
        }
    }

    /// Whether anything was queued that people see.
    pub(crate) const fn spoken(&self) -> bool {
        self.spoken
    }

    /// Completes when the sending side has given up.
    pub(crate) async fn closed(&self) {
        self.queue.closed().await;
    }

    /// Completes when everything that was queued was dealt with; false if the
    /// sending side has given up.
    pub(crate) async fn settled(&self) -> bool {
        let (done, settled) = oneshot::channel();
        self.queue.send(Command::Settled(done)).await.is_ok() && settled.await.is_ok()
    }

    /// Journals effects and hands those that are shown to the sending side.
    pub(crate) async fn put(
        &mut self,
        bodies: Vec<EffectBody>,
        progress: Progress,
    ) -> Result<Vec<Effect>, StoreError> {
        let usual = bodies.into_iter().map(|body| (body, None)).collect();
        self.put_in_looks(usual, progress).await
    }

    /// The same of what is said in looks.
    pub(crate) async fn put_in_looks(
        &mut self,
        bodies: Vec<(EffectBody, Option<usize>)>,
        progress: Progress,
    ) -> Result<Vec<Effect>, StoreError> {
        let mut first = !self.spoken;
        let mut effects = Vec::with_capacity(bodies.len());
        for (body, look) in bodies {
            effects.extend(self.pointer(&body, look));
            effects.push(self.effect(body, look));
        }
        let last = effects.iter().rposition(|effect| effect.body.is_shown());
        let last = last.filter(|_| progress == Progress::Settling);
        let begun = self.begin_first(&mut effects);
        let (bot, turn) = (self.bot, &self.turn);
        bot.persist(|| bot.store.queue(turn.scope, turn.id, &effects, progress))
            .await?;
        for (place, effect) in effects.iter().enumerate() {
            failpoint::hit(Failpoint::EffectQueued);
            if effect.body.is_sent() {
                let urgency = match speaks(&effect.body) && std::mem::take(&mut first) {
                    true => Urgency::FirstText,
                    false if first => Urgency::FirstText,
                    false if last == Some(place) => Urgency::FinalText,
                    false => Urgency::Text,
                };
                let begun = begun == Some(place);
                self.hand_over(effect.clone(), begun, urgency).await;
            }
        }
        Ok(effects)
    }

    /// Marks the first effect that is sent as started, if it will be as soon as
    /// it is written down, and says which it is: the journal is asked once for
    /// both.
    fn begin_first(&self, effects: &mut [Effect]) -> Option<usize> {
        if !self.idle.load(Ordering::Relaxed) {
            return None;
        }
        let first = effects.iter().position(|it| it.body.is_sent())?;
        effects[first].state = EffectState::Started { attempt: 1 };
        // What comes after it waits for it.
        self.idle.store(false, Ordering::Relaxed);
        Some(first)
    }

    /// Hands an effect that is journalled to the sending side.
    async fn send(&mut self, effect: Effect, urgency: Urgency) {
        self.hand_over(effect, false, urgency).await;
    }

    async fn hand_over(&mut self, effect: Effect, begun: bool, urgency: Urgency) {
        let sending = Sending {
            effect: effect.clone(),
            begun,
            said: self.typing.mark(),
            urgency,
        };
        let command = Command::Send(Box::new(sending));
        if self.queue.send(command).await.is_err() {
            self.unsent.push(effect);
        }
    }

    /// Shows a line that tells what is going on, or changes the one that is up.
    ///
    /// What takes it away is journalled with it, and as begun: a stop gives up
    /// only what is not, and a process that dies leaves it to the next one.
    pub(crate) async fn show_line(&mut self, text: String) -> Result<(), StoreError> {
        if let Some(of) = self.line {
            let body = EffectBody::Progress { text, of: Some(of) };
            self.put(vec![body], Progress::Speaking).await?;
            return Ok(());
        }
        let line = self.effect(EffectBody::Progress { text, of: None }, None);
        let of = line.index;
        let away = Effect {
            state: EffectState::Started { attempt: 1 },
            ..self.effect(EffectBody::Delete { of }, None)
        };
        let (bot, turn) = (self.bot, &self.turn);
        let effects = [line.clone(), away.clone()];
        let speaking = Progress::Speaking;
        bot.persist(|| bot.store.queue(turn.scope, turn.id, &effects, speaking))
            .await?;
        failpoint::hit(Failpoint::EffectQueued);
        self.lines.push(away);
        self.line = Some(of);
        self.send(line, Urgency::Text).await;
        Ok(())
    }

    /// Takes the line away that is up, if one is.
    pub(crate) async fn take_line(&mut self) {
        if self.line.take().is_some()
            && let Some(away) = self.lines.last().cloned()
        {
            self.send(away, Urgency::Text).await;
        }
    }

    /// Whether a line is up that tells what is going on.
    pub(crate) const fn has_line(&self) -> bool {
        self.line.is_some()
    }

    /// Journals a message that will grow and hands it to the sending side.
    pub(crate) async fn put_live(
        &mut self,
        view: LiveView,
        look: Option<usize>,
    ) -> Result<LiveHandle, StoreError> {
        let body = EffectBody::Live(LiveMessage {
            first: view.text.clone(),
            text: view.text,
            closing: u16::try_from(view.closing).unwrap_or_default(),
            blank: view.blank,
            complete: false,
            reply_to: reply_to(&self.turn),
            message: None,
        });
        let urgency = match self.spoken {
            true => Urgency::Text,
            false => Urgency::FirstText,
        };
        let pointer = self.pointer(&body, look);
        let effect = self.effect(body, look);
        let effects: Vec<Effect> = pointer.iter().chain([&effect]).cloned().collect();
        let (bot, turn) = (self.bot, &self.turn);
        let speaking = Progress::Speaking;
        bot.persist(|| bot.store.queue(turn.scope, turn.id, &effects, speaking))
            .await?;
        failpoint::hit(Failpoint::EffectQueued);
        if let Some(pointer) = pointer {
            self.send(pointer, Urgency::FirstText).await;
        }
        Ok(self.feed(effect, urgency).await)
    }

    /// Hands a message that grows, and is in the journal, to the sending side.
    pub(crate) async fn feed(&mut self, effect: Effect, urgency: Urgency) -> LiveHandle {
        let (handle, feed) = live(effect.clone(), urgency);
        let command = Command::Live(feed, self.typing.mark());
        if self.queue.send(command).await.is_err() {
            self.unsent.push(effect);
        }
        handle
    }

    /// What says which question is answered, before the first words that
    /// cannot reply to it, if others spoke meanwhile.
    fn pointer(&mut self, first: &EffectBody, look: Option<usize>) -> Option<Effect> {
        let to = first.reply_to().filter(|_| !self.spoken)?;
        let identity = self
            .guises
            .identity(look)
            .filter(|_| is_said(first))?
            .clone();
        let place = (self.turn.scope, self.turn.channel);
        if !self.bot.window.is_overtaken(place, to) {
            return None;
        }
        let Scope::Guild(guild) = self.turn.scope else {
            return None;
        };
        let text = format!(
            "-# ↪ https://discord.com/channels/{guild}/{}/{to}",
            self.turn.channel
        );
        let index = self.places.next();
        Some(Effect {
            identity: Some(identity),
            ..effect(self.bot, &self.turn, index, EffectBody::Point { text })
        })
    }

    fn effect(&mut self, mut body: EffectBody, look: Option<usize>) -> Effect {
        let index = self.places.next();
        if speaks(&body) {
            if self.spoken {
                body.forget_reply();
            }
            self.spoken = true;
        }
        let identity = self.guises.identity(look).filter(|_| is_said(&body));
        Effect {
            identity: identity.cloned(),
            ..effect(self.bot, &self.turn, index, body)
        }
    }
}

/// Whether it is something that the turn says, and not only what it points to.
const fn speaks(body: &EffectBody) -> bool {
    body.is_shown() && !matches!(body, EffectBody::Point { .. })
}

/// Whether the persona says it.
const fn is_said(body: &EffectBody) -> bool {
    matches!(body, EffectBody::Say { .. } | EffectBody::Live(_))
}

/// Effect `index` of `turn`.
pub(crate) fn effect(bot: &Bot, turn: &Turn, index: u16, body: EffectBody) -> Effect {
    Effect {
        turn: turn.id,
        index,
        scope: turn.scope,
        channel: turn.channel,
        // What is going on is told by the bot itself, whoever speaks.
        persona: match body.is_passing() {
            true => PersonaId::MAIN,
            false => turn.persona,
        },
        identity: None,
        body,
        state: EffectState::Queued,
        queued_at: bot.clock.now(),
        pings: Pings::default(),
    }
}

/// Something of `turn` to show. It replies to the question, except in direct
/// messages, where there is nobody else to answer.
pub(crate) fn say(turn: &Turn, outgoing: Outgoing) -> EffectBody {
    EffectBody::Say {
        outgoing,
        reply_to: reply_to(turn),
    }
}

/// Something people are told about `turn`.
pub(crate) fn notify(turn: &Turn, notice: Notice) -> EffectBody {
    EffectBody::Notify {
        notice,
        reply_to: reply_to(turn),
    }
}

/// What people can decide about, if a reply to a call of the model has
/// something of the kind.
pub(crate) fn offer(turn: &Turn, reply: &ActionReply) -> Option<EffectBody> {
    (!reply.buttons.is_empty()).then(|| EffectBody::Offer {
        offer: reply.waits.or(reply.undo),
        text: reply.shown.clone(),
        buttons: reply.buttons.clone(),
        reply_to: reply_to(turn),
    })
}

fn reply_to(turn: &Turn) -> Option<MessageId> {
    let in_guild = matches!(turn.scope, Scope::Guild(_));
    turn.id.trigger.message().filter(|_| in_guild)
}
