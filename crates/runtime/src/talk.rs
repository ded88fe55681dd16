//! The conversation of one turn: the model on one side, the outbox on the
//! other.
//!
//! [`Conversation`] decides; here is done what it says. The model's stream is
//! read only once what it has said is in the outbox, and everything ends by
//! being dropped: streams, tools, timers.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use kaiwa_domain::port::{
    ActionReply, Alarm, Answer, Entrance, Pending, Progress, RoleModels, SentAbroad,
};
use kaiwa_domain::{
    Effect, EffectBody, EffectState, Ending, ModelError, Notice, Outgoing, Settlement, StoreError,
    ToolCall, ToolError, Turn,
};
use kaiwa_failpoint::{self as failpoint, Failpoint};
use kaiwa_pipeline::converse::{Act, Conclusion, Conversation, News, Outcome};
use kaiwa_pipeline::deliver::Deliverer;

use crate::Bot;
use crate::growing::Growing;
use crate::outbox::{Leftover, Outbox, notify, offer, say};
use crate::prepare::Prepared;
use crate::send::mark;
use crate::signals::{Interrupt, Interruptions, Signals};
use crate::tasks::contain;
use crate::thoughts::ThoughtsHeard;

/// How long text may be held for the sake of a better cut when nothing more
/// arrives.
const LONGEST_HOLD: Duration = Duration::from_secs(3);

/// What takes longer than this is worth a line about what is going on.
const MOMENT: Duration = Duration::from_secs(2);

/// How a conversation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Talked {
    /// Everything was said and done.
    Whole(Ending),
    /// It was interrupted.
    Interrupted(Interrupt),
}

/// A conversation under way.
pub(crate) struct Talk<'a> {
    pub(crate) bot: &'a Bot,
    cast: &'a RoleModels,
    signals: &'a Signals,
    pub(crate) conversation: Conversation,
    pub(crate) deliverer: Deliverer,
    pub(crate) prepared: Prepared,
    pub(crate) outbox: Outbox<'a>,
    /// The model that was asked last.
    model: Option<Asked>,
    time_up: Pending<'static, ()>,
    /// Rings when text was held for long enough.
    held: Alarm,
    interruptions: Interruptions<'a>,
    /// What is whole and waits to be queued with what comes next.
    ready: Vec<(Outgoing, Option<usize>)>,
    /// What there is no message left for.
    rest: String,
    /// The message that grows, where answers are shown so.
    pub(crate) growing: Growing,
    /// The actions that were kept, in order.
    kept: Vec<Effect>,
    /// Whether anything was looked up or done.
    acted: bool,
    /// Whether the model has read what somebody else than the asker wrote.
    tainted: bool,
    /// What actions want shown after the answer.
    afterwards: Vec<Outgoing>,
    /// The look in which something was said last.
    last_look: Option<usize>,
    /// What is thought, if it is to be told.
    thoughts: Option<ThoughtsHeard>,
    /// The last call that changed something: the same again would change
    /// nothing that anybody asked for.
    changed: Option<ToolCall>,
    /// What people were given to decide about.
    offered: Vec<EffectBody>,
}

/// A model that was asked.
struct Asked {
    answer: Answer,
    /// When to give it up, and how long that is.
    patience: Option<(Pending<'static, ()>, Duration)>,
}

/// Whether a call is in the outbox.
enum WrittenCall {
    /// It changes nothing.
    Not,
    /// As this effect.
    Now(Box<Effect>),
    /// An earlier process wrote it down, and perhaps did it.
    Before {
        /// Whether it surely did.
        done: bool,
    },
}

/// What ended the wait for something.
enum Waited {
    News(News),
    /// Nothing came for as long as text may be held.
    Hold,
    /// It is time to show how far the text has come.
    View,
    Interrupted(Interrupt),
}

impl<'a> Talk<'a> {
    pub(crate) fn new(
        bot: &'a Bot,
        cast: &'a RoleModels,
        signals: &'a Signals,
        mut prepared: Prepared,
        outbox: Outbox<'a>,
    ) -> Self {
        let told = prepared
            .settings
            .thought_log
            .filter(|_| prepared.aside.is_none());
        let thoughts = told.map(|_| ThoughtsHeard::default());
        Self {
            bot,
            cast,
            signals,
            conversation: prepared.conversation(),
            deliverer: prepared.deliverer(),
            time_up: bot.clock.sleep(prepared.limits.wall),
            held: Alarm::default(),
            interruptions: Interruptions::new(signals),
            acted: !prepared.kept.is_empty(),
            kept: std::mem::take(&mut prepared.kept),
            tainted: prepared.tainted,
            prepared,
            outbox,
            model: None,
            ready: Vec::new(),
            rest: String::new(),
            growing: Growing::default(),
            afterwards: Vec::new(),
            last_look: None,
            thoughts,
            changed: None,
            offered: Vec::new(),
        }
    }

    /// Does what the conversation says until it ends.
    pub(crate) async fn run(mut self) -> Result<(Talked, Leftover), StoreError> {
        let begun = self.bot.clock.now();
        self.grow_on().await;
        let talked = loop {
            let act = self.conversation.next_act();
            if !matches!(act, Some(Act::Say(_)) | None) {
                // Nothing is held while something else is done.
                self.held = Alarm::default();
            }
            let interrupted = match act {
                Some(Act::End(conclusion)) => break self.end(conclusion).await?,
                Some(Act::Perform(calls)) => self.perform(&calls).await?,
                Some(act) => self.act(act).await?,
                None => self.listen().await?,
            };
            match interrupted {
                None => {}
                Some(Interrupt::Overdue) => {
                    self.cut().await?;
                    break Talked::Interrupted(Interrupt::Overdue);
                }
                Some(interrupt) => {
                    if interrupt == Interrupt::FollowUp {
                        // What is queued is not said: the next turn says it all.
                        self.signals.stopped.cancel();
                    }
                    break Talked::Interrupted(interrupt);
                }
            }
        };
        if talked == Talked::Whole(Ending::Done) {
            let details = self.deliverer.take_details();
            let settings = &self.prepared.settings;
            let turn = &self.outbox.turn;
            let memory = &self.bot.memory;
            memory.keep(settings, self.cast, turn, &details).await;
        }
        let took = self.bot.clock.now().since(begun);
        let thoughts = self.thoughts.take().map(|mut thoughts| {
            thoughts.add(&self.deliverer.take_thoughts());
            (thoughts.guarded(|text| self.guarded(text)), took)
        });
        let leftover = Leftover {
            thoughts,
            ..self.outbox.close()
        };
        Ok((talked, leftover))
    }

    async fn act(&mut self, act: Act) -> Result<Option<Interrupt>, StoreError> {
        self.queue_ready(Progress::Speaking).await?;
        match act {
            Act::Ask {
                role,
                brief,
                within,
            } => {
                if let Some(thoughts) = &mut self.thoughts {
                    thoughts.begin();
                }
                self.model = Some(Asked {
                    answer: self.cast.of(role).answer(brief),
                    patience: within.map(|within| (self.bot.clock.sleep(within), within)),
                });
            }
            Act::Say(text) => {
                if !text.trim().is_empty() && !self.growing.is_open() {
                    self.outbox.typing.more();
                }
                let ready = self.deliverer.push(&text);
                self.show(ready).await?;
                self.queue_ready(Progress::Speaking).await?;
                self.grow().await?;
                if self.deliverer.ended() {
                    tracing::info!(turn = %self.outbox.turn.id, "the model began to speak for somebody else");
                    self.model = None;
                    self.conversation.tell(News::Enough);
                }
            }
            Act::Unsay => self.deliverer = self.prepared.deliverer(),
            Act::Pause => {
                let ready = self.deliverer.finish();
                self.show(ready).await?;
                self.growing.take_down(self.bot).await?;
            }
            Act::Keep(call) => {
                let action = EffectBody::Act {
                    name: call.name,
                    arguments: call.arguments,
                };
                self.acted = true;
                let kept = self.outbox.put(vec![action], Progress::Speaking).await?;
                self.kept.extend(kept);
            }
            Act::Run(calls) => return self.look_up(&calls).await,
            Act::Perform(_) | Act::End(_) => {}
        }
        Ok(None)
    }

    /// Waits for the model and tells the conversation what it says.
    async fn listen(&mut self) -> Result<Option<Interrupt>, StoreError> {
        self.queue_ready(Progress::Speaking).await?;
        let Some(model) = &mut self.model else {
            tracing::error!(turn = %self.outbox.turn.id, "nobody was asked");
            self.conversation.tell(News::TimeUp);
            return Ok(None);
        };
        self.held.put_off(&*self.bot.clock);
        let waited = tokio::select! {
            biased;
            why = interrupt(&mut self.interruptions, &self.outbox, self.acted) => Waited::Interrupted(why),
            () = &mut self.time_up => Waited::News(News::TimeUp),
            waited = elapsed(model.patience.as_mut()) => {
                Waited::News(News::Heard(Err(ModelError::Silent { waited })))
            }
            arrived = model.answer.next() => {
                Waited::News(arrived.map_or(News::HungUp, News::Heard))
            }
            () = self.growing.due() => Waited::View,
            () = self.held.rings(&*self.bot.clock, LONGEST_HOLD) => Waited::Hold,
        };
        match waited {
            Waited::Interrupted(why) => return Ok(Some(why)),
            Waited::View => self.grow().await?,
            Waited::Hold => {
                let ready = self.deliverer.release();
                self.show(ready).await?;
            }
            Waited::News(news) => {
                failpoint::hit(Failpoint::ModelStreaming);
                match &news {
                    News::Heard(Err(error)) => {
                        tracing::warn!(turn = %self.outbox.turn.id, %error, "the model failed");
                        self.bot.health.model_failed(error);
                    }
                    News::Heard(Ok(delta)) => {
                        self.bot.health.model_works();
                        if let Some(thoughts) = &mut self.thoughts {
                            thoughts.hear(delta);
                        }
                    }
                    _ => {}
                }
                self.conversation.tell(news);
            }
        }
        Ok(None)
    }

    /// Runs calls that the model waits for, all at once.
    async fn look_up(&mut self, calls: &[ToolCall]) -> Result<Option<Interrupt>, StoreError> {
        self.model = None;
        self.acted = true;
        self.outbox.typing.more();
        let written = self.write_down(calls).await?;
        if self.outbox.has_line() {
            self.tell_progress(calls.iter()).await?;
        }
        let (bot, turn) = (self.bot, &self.outbox.turn.clone());
        let all = calls.iter().zip(written).enumerate();
        let all = all.map(|(place, (call, written))| (place, call, written, self.entrance(call)));
        let running = all.map(|(place, call, written, entrance)| async move {
            let reply = match written {
                WrittenCall::Not => Ok(run_through(bot, turn, call, entrance).await),
                WrittenCall::Now(effect) => {
                    perform_through(bot, turn, &effect, call, entrance).await
                }
                WrittenCall::Before { done: true } => Ok(Ok(done_before())),
                WrittenCall::Before { done: false } => Ok(Err(ToolError::Unsettled)),
            };
            (place, reply)
        });
        let mut running: FuturesUnordered<_> = running.collect();
        let mut replies = vec![None; calls.len()];
        let mut moment = Some(bot.clock.sleep(MOMENT));
        while !running.is_empty() {
            let ended = tokio::select! {
                biased;
                why = interrupt(&mut self.interruptions, &self.outbox, self.acted) => return Ok(Some(why)),
                () = &mut self.time_up => {
                    self.conversation.tell(News::TimeUp);
                    return Ok(None);
                }
                ended = running.next() => ended,
                () = passed(moment.as_mut()) => {
                    moment = None;
                    None
                }
            };
            if let Some((place, reply)) = ended {
                replies[place] = Some(reply?);
            }
            let left = calls
                .iter()
                .zip(&replies)
                .filter(|(_, reply)| reply.is_none());
            if moment.is_none() && !running.is_empty() {
                self.tell_progress(left.map(|(call, _)| call)).await?;
            }
        }
        self.heed(calls, replies.into_iter().flatten().collect())
            .await?;
        Ok(None)
    }

    /// How the model asks for something. One that may have been talked into it
    /// sends nothing private away without a click.
    fn entrance(&self, call: &ToolCall) -> Entrance<'static> {
        let guard = self.prepared.links.as_ref().filter(|_| self.tainted);
        let sent = guard.zip(self.bot.actions.sends(call));
        Entrance::Model {
            tainted: self.tainted,
            carries: sent.is_some_and(|(guard, sent)| match sent {
                SentAbroad::Address(address) => guard.address_carries(&address),
                SentAbroad::Words(words) => guard.words_carry(&words),
            }),
        }
    }

    /// Lets people read what takes so long.
    async fn tell_progress(
        &mut self,
        calls: impl Iterator<Item = &ToolCall>,
    ) -> Result<(), StoreError> {
        let mut lines: Vec<String> = Vec::new();
        for call in calls {
            let line = format!("-# {}", self.bot.actions.progress(call));
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        self.outbox.show_line(lines.join("\n")).await
    }

    /// Writes the calls down that change something: what was begun is settled
    /// if the process dies, and not done a second time.
    async fn write_down(&mut self, calls: &[ToolCall]) -> Result<Vec<WrittenCall>, StoreError> {
        let mut all = Vec::with_capacity(calls.len());
        for call in calls {
            if !self.bot.actions.changes(&call.name) {
                all.push(WrittenCall::Not);
                continue;
            }
            let same = |it: &ToolCall| it.name == call.name && it.arguments == call.arguments;
            if self.changed.as_ref().is_some_and(same) {
                all.push(WrittenCall::Before { done: true });
                continue;
            }
            let mut begun = self.prepared.begun.iter();
            let before = begun.find(|it| is_call(it, call)).map(|it| it.state);
            all.push(match before {
                Some(EffectState::Done { .. }) => WrittenCall::Before { done: true },
                Some(state) if state.is_unsettled() => WrittenCall::Before { done: false },
                _ => {
                    let body = EffectBody::Act {
                        name: call.name.clone(),
                        arguments: call.arguments.clone(),
                    };
                    let written = self.outbox.put(vec![body], Progress::Speaking).await?;
                    written
                        .into_iter()
                        .next()
                        .map_or(WrittenCall::Not, |it| WrittenCall::Now(Box::new(it)))
                }
            });
        }
        Ok(all)
    }

    /// Tells the model what came of its calls, and people what they can decide
    /// about.
    async fn heed(
        &mut self,
        calls: &[ToolCall],
        replies: Vec<Result<ActionReply, ToolError>>,
    ) -> Result<(), StoreError> {
        let mut offers = Vec::new();
        let mut outcomes = Vec::with_capacity(calls.len());
        for (call, reply) in calls.iter().zip(replies) {
            if let Ok(reply) = &reply {
                self.tainted |= reply.untrusted;
                if let Some(links) = &mut self.prepared.links {
                    links.learn(&reply.told);
                }
                if reply.waits.is_none() && self.bot.actions.changes(&call.name) {
                    self.changed = Some(call.clone());
                }
                let offered = offer(&self.outbox.turn, reply);
                if let Some(body) = offered.filter(|it| !self.offered.contains(it)) {
                    self.offered.push(body.clone());
                    offers.push(body);
                }
                self.afterwards.extend(reply.afterwards.clone());
            }
            outcomes.push(Outcome {
                call: call.id.clone(),
                result: reply.map(|reply| reply.told),
            });
        }
        if !offers.is_empty() {
            self.outbox.put(offers, Progress::Speaking).await?;
            self.bot.offer_made.notify_one();
        }
        self.conversation.tell(News::Ran(outcomes));
        Ok(())
    }

    /// Runs the actions that were kept one after the other, once all that was
    /// said is posted.
    async fn perform(&mut self, calls: &[ToolCall]) -> Result<Option<Interrupt>, StoreError> {
        self.model = None;
        self.show_rest();
        self.queue_ready(Progress::Settling).await?;
        let (bot, kept) = (self.bot, &self.kept);
        let turn = &self.outbox.turn;
        let entrances: Vec<_> = calls.iter().map(|call| self.entrance(call)).collect();
        let performing = async {
            let mut replies = Vec::with_capacity(calls.len());
            for ((call, effect), entrance) in calls.iter().zip(kept).zip(entrances) {
                replies.push(perform_through(bot, turn, effect, call, entrance).await?);
            }
            Ok(replies)
        };
        tokio::select! {
            biased;
            () = self.signals.stopped.cancelled() => return Ok(Some(Interrupt::Stop)),
            () = self.signals.overdue.cancelled() => return Ok(Some(Interrupt::Leave)),
            settled = self.outbox.settled() => if !settled {
                return Ok(Some(Interrupt::Unheard));
            },
        }
        let replies: Result<Vec<_>, StoreError> = tokio::select! {
            biased;
            () = self.signals.stopped.cancelled() => return Ok(Some(Interrupt::Stop)),
            () = self.signals.overdue.cancelled() => return Ok(Some(Interrupt::Leave)),
            replies = performing => replies,
        };
        self.heed(calls, replies?).await?;
        Ok(None)
    }

    /// Takes messages that are whole, as many as may be shown. What is more
    /// will be a file.
    async fn show(&mut self, ready: Vec<Outgoing>) -> Result<(), StoreError> {
        let mut looks = self.deliverer.take_looks().into_iter();
        for outgoing in ready {
            let look = looks.next().flatten();
            self.last_look = look;
            let Some(outgoing) = self.grown(outgoing).await? else {
                continue;
            };
            let room = self.conversation.has_room();
            self.conversation.tell(News::Shown);
            if room {
                self.ready.push((outgoing, look));
            } else if self.prepared.aside.is_none() {
                self.rest.push_str(&outgoing.source());
                self.rest.push('\n');
            }
        }
        Ok(())
    }

    /// What is whole, as effects, and the looks it is said in. A model that may have been talked into
    /// something carries nothing private away in an address.
    fn take_ready(&mut self) -> Vec<(EffectBody, Option<usize>)> {
        let ready = std::mem::take(&mut self.ready).into_iter();
        let turn = &self.outbox.turn;
        let effects = ready.map(|(outgoing, look)| {
            let guarded = match outgoing {
                Outgoing::Say(text) => Outgoing::Say(self.guarded(text)),
                Outgoing::Rest(text) => Outgoing::Rest(self.guarded(text)),
                other => other,
            };
            (say(turn, guarded), look)
        });
        effects.collect()
    }

    /// A text without what it might carry away.
    pub(crate) fn guarded(&self, text: String) -> String {
        match self.prepared.links.as_ref().filter(|_| self.tainted) {
            Some(guard) => guard.apply(&text).into_owned(),
            None => text,
        }
    }

    /// Nothing more will be said: what there was no message left for is shown.
    fn show_rest(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        if !rest.is_empty() {
            self.ready.push((Outgoing::Rest(rest), None));
        }
    }

    /// Queues what is whole.
    async fn queue_ready(&mut self, progress: Progress) -> Result<(), StoreError> {
        if self.ready.is_empty() && progress == Progress::Speaking {
            return Ok(());
        }
        let bodies = self.take_ready();
        self.outbox.put_in_looks(bodies, progress).await?;
        self.outbox.take_line().await;
        Ok(())
    }

    /// Everything is said: sends what is left, with the notice that goes with
    /// it, and waits until all of it is settled.
    async fn end(&mut self, mut conclusion: Conclusion) -> Result<Talked, StoreError> {
        self.model = None;
        let spoken = self.outbox.spoken() && !self.growing.nothing_stands();
        let silent = !spoken && self.ready.is_empty() && self.kept.is_empty();
        if conclusion == Conclusion::DONE && silent {
            // It spoke, but nothing of it was fit to be shown.
            conclusion = Conclusion::failed(Notice::ModelEmpty);
        }
        if let (Some(aside), Some(_)) = (self.prepared.aside, conclusion.notice) {
            // Nobody waits for this: a stock line will do, if there is one.
            conclusion.notice = aside.stock.filter(|_| !self.outbox.spoken());
            conclusion.ending = Ending::Done;
        }
        self.show_rest();
        let mut bodies = self.take_ready();
        let turn = &self.outbox.turn;
        if conclusion == Conclusion::DONE {
            let look = self.last_look;
            let afterwards = std::mem::take(&mut self.afterwards).into_iter();
            bodies.extend(afterwards.map(|outgoing| (say(turn, outgoing), look)));
        }
        let notice = conclusion.notice.map(|notice| notify(turn, notice));
        bodies.extend(notice.map(|notice| (notice, None)));
        self.outbox.put_in_looks(bodies, Progress::Settling).await?;
        self.outbox.take_line().await;
        Ok(match self.outbox.settled().await {
            true => Talked::Whole(conclusion.ending),
            false => Talked::Interrupted(Interrupt::Unheard),
        })
    }

    /// The process ends in the middle: people are told that the next one goes
    /// on.
    async fn cut(&mut self) -> Result<(), StoreError> {
        self.model = None;
        self.queue_ready(Progress::Speaking).await?;
        if self.leave_growing().await? {
            return Ok(());
        }
        let notice = notify(&self.outbox.turn, Notice::Restarting);
        self.outbox.put(vec![notice], Progress::Speaking).await?;
        self.outbox.settled().await;
        Ok(())
    }
}

/// Whether an effect is this call.
fn is_call(effect: &Effect, call: &ToolCall) -> bool {
    matches!(
        &effect.body,
        EffectBody::Act { name, arguments } if *name == call.name && *arguments == call.arguments
    )
}

fn done_before() -> ActionReply {
    ActionReply {
        told: "That was done already.".to_owned(),
        ..ActionReply::default()
    }
}

/// Completes when the turn has to end early.
async fn interrupt(
    interruptions: &mut Interruptions<'_>,
    outbox: &Outbox<'_>,
    acted: bool,
) -> Interrupt {
    tokio::select! {
        biased;
        why = interruptions.next(outbox.spoken(), acted) => why,
        () = outbox.closed() => Interrupt::Unheard,
    }
}

/// Completes with the timer and tells its time; never, without one.
async fn elapsed(patience: Option<&mut (Pending<'static, ()>, Duration)>) -> Duration {
    match patience {
        Some((timer, duration)) => {
            timer.await;
            *duration
        }
        None => std::future::pending().await,
    }
}

/// Completes with the timer; never, without one.
async fn passed(timer: Option<&mut Pending<'static, ()>>) {
    match timer {
        Some(timer) => timer.await,
        None => std::future::pending().await,
    }
}

/// Runs one action that was written down, and records what became of it.
pub(crate) async fn perform_through(
    bot: &Bot,
    turn: &Turn,
    effect: &Effect,
    call: &ToolCall,
    entrance: Entrance<'_>,
) -> Result<Result<ActionReply, ToolError>, StoreError> {
    let attempt = match effect.state {
        EffectState::Started { attempt } => attempt + 1,
        _ => 1,
    };
    let Effect { scope, index, .. } = *effect;
    let begun = !matches!(effect.state, EffectState::Queued);
    if begun && bot.actions.settlement(&call.name) == Settlement::AtMostOnce {
        mark(bot, effect, EffectState::Expired).await?;
        return Ok(Err(ToolError::Unsettled));
    }
    let started = bot.persist(|| bot.store.start(scope, effect.turn, index, attempt));
    if !started.await? {
        return Ok(Err(ToolError::Failed {
            reason: "it was given up".to_owned(),
        }));
    }
    let result = run_through(bot, turn, call, entrance).await;
    failpoint::hit(Failpoint::ActionDone);
    let state = match &result {
        Ok(_) => EffectState::Done { message: None },
        Err(_) => EffectState::Refused { code: 0 },
    };
    match mark(bot, effect, state).await {
        // Whoever erases what is kept about them erases this row too.
        Err(StoreError::Conflict { .. }) => {}
        marked => marked?,
    }
    Ok(result)
}

/// Runs one call, through the door. It is given up when it is dropped.
pub(crate) async fn run_through(
    bot: &Bot,
    turn: &Turn,
    call: &ToolCall,
    entrance: Entrance<'_>,
) -> Result<ActionReply, ToolError> {
    let result = contain("action", bot.actions.run(turn, call, entrance)).await;
    let result = result.unwrap_or_else(|| {
        Err(ToolError::Failed {
            reason: "it crashed".to_owned(),
        })
    });
    let outcome = match &result {
        Ok(_) => "ok",
        Err(error) if error.is_denial() => "denied",
        Err(_) => "failed",
    };
    metrics::counter!("tool_calls_total", "tool" => call.name.clone(), "outcome" => outcome)
        .increment(1);
    tracing::info!(turn = %turn.id, action = call.name, outcome, "an action was asked for");
    bot.action_recorded.notify_one();
    result
}
