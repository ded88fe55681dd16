//! From events to channels: admits, journals, and hands over.

mod changes;
mod interactions;
mod refuse;
mod stops;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use kaiwa_domain::port::{Admission, Inbound, Schedules, UnfinishedTurn};
use kaiwa_domain::{ChannelId, Event, Message, Question, Schedule, Scope, Trigger, UserId};
use kaiwa_failpoint::{self as failpoint, Failpoint};
use kaiwa_pipeline::admit::{AdmitState, Admitted, Decision, Gate, IgnoreReason};
use tokio::sync::{Semaphore, mpsc};

use crate::activity::Activity;
use crate::bot::GateFacts;
use crate::catch_up::{self, Missed};
use crate::channel::{self, Mailbox, Work};
use crate::decisions::DecisionEntry;
use crate::newcomers::Arrivals;
use crate::refusals::RefusalLog;
use crate::signals::Signals;
use crate::{Bot, Tasks, departures, directory, join_in, recover, scene, schedule};

/// How many mailboxes there are before the closed ones are cleared away.
const SWEEP_AT: usize = 256;

pub(crate) struct Dispatch {
    bot: Arc<Bot>,
    tasks: Tasks,
    signals: Signals,
    gate: AdmitState,
    activity: Activity,
    arrivals: Arrivals,
    mailboxes: HashMap<ChannelId, Mailbox>,
    sweep_at: usize,
    /// Whether this process has read what was said before it.
    caught_up: bool,
    /// Where messages go that we should join in with.
    join_ins: mpsc::Sender<Message>,
    /// Room for interactions.
    interactions: Arc<Semaphore>,
    refusals: RefusalLog,
}

impl Dispatch {
    pub(crate) fn new(
        bot: Arc<Bot>,
        tasks: Tasks,
        signals: Signals,
        join_ins: mpsc::Sender<Message>,
    ) -> Self {
        let refusals = RefusalLog::start(bot.clone(), &tasks);
        Self {
            bot,
            tasks,
            refusals,
            signals,
            gate: AdmitState::default(),
            activity: Activity::default(),
            arrivals: Arrivals::default(),
            mailboxes: HashMap::new(),
            sweep_at: SWEEP_AT,
            caught_up: false,
            join_ins,
            interactions: interactions::places(),
        }
    }

    /// What was heard where, which is noted here.
    pub(crate) fn activity(&self) -> Activity {
        self.activity.clone()
    }

    /// Who joined, which is noted here.
    pub(crate) fn arrivals(&self) -> Arrivals {
        self.arrivals.clone()
    }

    /// Hands everything that an earlier process left to its channel, in order.
    pub(crate) async fn recover(&mut self) {
        let bot = self.bot.clone();
        let unfinished = bot.persist(|| Box::pin(recover::unfinished(&bot)));
        let unfinished = match unfinished.await {
            Ok(unfinished) => unfinished,
            Err(error) => {
                tracing::error!(%error, "could not read what the last run left");
                return;
            }
        };
        let mut by_channel: HashMap<ChannelId, Vec<UnfinishedTurn>> = HashMap::new();
        for unfinished in unfinished {
            let channel = unfinished.turn.channel;
            by_channel.entry(channel).or_default().push(unfinished);
        }
        for (channel, unfinished) in by_channel {
            let backlog = unfinished.into_iter().map(|unfinished| {
                let turn = &unfinished.turn;
                let wait = match turn.id.trigger {
                    Trigger::Reminder(_) | Trigger::Interaction(_) | Trigger::Component(_) => {
                        self.bot.waiting.unstoppable(turn)
                    }
                    Trigger::Message(root) if turn.id.take > 0 => {
                        self.bot.waiting.join(turn, Some(root))
                    }
                    Trigger::Cue(_) => {
                        let root = scene::root(turn, unfinished.text.as_deref());
                        self.bot.waiting.join(turn, root)
                    }
                    _ => self.bot.waiting.wait(turn),
                };
                Work::Resume(Box::new(unfinished), wait)
            });
            let backlog = backlog.collect();
            self.open(channel, backlog);
        }
    }

    /// Deals with one event. It is acknowledged once it is journalled or needs
    /// nothing, and comes again after a restart if it was not.
    pub(crate) async fn take(&mut self, inbound: Inbound) {
        failpoint::hit(Failpoint::EventReceived);
        self.bot.directory.note(&inbound.event);
        let is_hidden = |user| self.bot.memory.is_opted_out(user);
        let moment = self.bot.clock.moment();
        self.bot.window.note(&inbound.event, moment, is_hidden);
        let dealt_with = match inbound.event {
            Event::Ready { me, resumed, shard } => {
                tracing::info!(name = me.name, resumed, shard, "connected to Discord");
                self.bot.health.connected(shard, true);
                // A session that is resumed misses nothing of its own, but the
                // process that began it may have died before it had read what
                // came before it.
                if !resumed || !self.caught_up {
                    self.catch_up(Missed::Everywhere).await;
                }
                if resumed && !self.caught_up {
                    // Nor does it tell of its guilds again.
                    let bot = self.bot.clone();
                    self.tasks.spawn("guilds", async move {
                        directory::read_guilds(&bot).await;
                    });
                }
                self.caught_up = true;
                true
            }
            Event::Disconnected { shard } => {
                tracing::warn!(shard, "not connected to Discord");
                self.bot.health.connected(shard, false);
                true
            }
            Event::Guild(guild) => {
                if guild.is_new_session {
                    self.catch_up(Missed::In(guild)).await;
                }
                true
            }
            Event::Channel { .. } | Event::Emoji { .. } | Event::Stickers { .. } => true,
            // Nothing can be shown there any more, so no model is paid for it.
            Event::ChannelGone { channel, .. } => {
                if self.bot.waiting.stop_here(channel) {
                    tracing::info!(%channel, "a channel is gone, and its answers with it");
                }
                true
            }
            Event::GuildGone { scope } => {
                tracing::info!(%scope, "a guild is gone");
                self.bot.waiting.stop_scope(scope);
                departures::left(&self.bot, scope).await;
                true
            }
            // Nobody asks for anything by coming or going.
            Event::MemberJoined(member) => self.arrivals.joined(&self.bot, &member).await,
            Event::MemberUpdated(_) => true,
            Event::MemberLeft { scope, user, .. } => {
                self.arrivals.left(&self.bot, scope, user).await
            }
            Event::Message(message) => self.message(message).await,
            Event::Edited(message) => self.edited(message).await,
            Event::Deleted {
                scope,
                channel,
                messages,
            } => self.deleted(scope, channel, &messages).await,
            Event::Reacted(reaction) => self.reacted(reaction).await,
            Event::Unreacted {
                scope,
                message,
                user,
                emoji,
            } => self.unreacted(scope, message, user, emoji).await,
            Event::Interaction(interaction) => {
                // It acknowledges itself once it is written down.
                self.interaction(interaction, inbound.ack).await;
                return;
            }
            Event::Again(turn) => self.answer_again(&turn, None).await,
            Event::Scheduled(task) => self.question(Question::Scheduled(task)).await,
        };
        if dealt_with {
            inbound.ack.acknowledge();
        }
    }

    /// Fetches what was said while nobody listened, and treats it as if it came
    /// now: through the same gate.
    async fn catch_up(&mut self, missed: Missed) {
        for message in catch_up::messages(&self.bot, &self.activity, missed).await {
            self.message(message).await;
        }
    }

    async fn message(&mut self, message: Message) -> bool {
        self.activity.message(&message);
        self.arrivals.message(&message);
        let waited_for = self.bot.waiting.anybody(message.channel);
        let is_deleted = self.bot.window.is_deleted(&message);
        let question = Question::Message(self.bot.window.newest(message));
        let facts = self.bot.gate_facts(&question).await;
        if waited_for
            && let Question::Message(message) = &question
            && let Some(dealt_with) = self.heed_stop(message, &facts).await
        {
            return dealt_with;
        }
        if is_deleted {
            ignored("deleted");
            self.note(&Asked::of(&question), "ignored", "deleted");
            return true;
        }
        self.decide(question, &facts).await
    }

    /// Deals with what is due. False if it could not be written down.
    pub(crate) async fn due(&mut self, schedule: &Schedule) -> bool {
        failpoint::hit(Failpoint::ScheduleDue);
        let task = schedule::task(schedule, self.bot.clock.now());
        if !self.question(Question::Scheduled(task)).await {
            return false;
        }
        failpoint::hit(Failpoint::ScheduleAdmitted);
        let (bot, set) = (self.bot.clone(), &schedule.set);
        let next = schedule::next(schedule, bot.clock.now());
        let advanced = bot.persist(|| {
            let schedules = &bot.scheduler;
            schedules.advance_schedule(set.scope, schedule.id, set.due, next)
        });
        match advanced.await {
            Ok(_) => true,
            Err(error) => {
                tracing::error!(%error, "a schedule cannot move on");
                false
            }
        }
    }

    async fn question(&mut self, question: Question) -> bool {
        let facts = self.bot.gate_facts(&question).await;
        self.decide(question, &facts).await
    }

    async fn decide(&mut self, question: Question, facts: &GateFacts) -> bool {
        let bot = self.bot.clone();
        let gate = facts.gate(&bot);
        let asked = Asked::of(&question);
        let now = bot.clock.now();
        let load = bot
            .waiting
            .load(question.scope(), asked.channel, asked.user);
        let chatter = match &question {
            Question::Message(message) if facts.rules.join_in.is_some() => Some(message.clone()),
            _ => None,
        };
        let moment = bot.clock.moment();
        let decision = self.gate.admit(&gate, now, moment, load, question);
        if let (Decision::Ignored(IgnoreReason::NotAddressed), Some(message)) = (&decision, chatter)
        {
            self.consider(&gate, message);
        }
        self.follow(decision, &asked).await
    }

    /// Asks a model, in its own time, whether we should say something.
    fn consider(&mut self, gate: &Gate<'_>, message: Message) {
        let moment = self.bot.clock.moment();
        if !self.gate.considers(gate, moment, &message) {
            return;
        }
        let (bot, join_ins) = (self.bot.clone(), self.join_ins.clone());
        self.tasks.spawn("join-in", async move {
            if join_in::should_join(&bot, &message).await {
                // If too many wait already, one more is not missed.
                let _ = join_ins.try_send(message);
            }
        });
    }

    /// A model thinks that we should say something to `message`.
    pub(crate) async fn join_in(&mut self, message: Message) {
        if self.bot.window.is_deleted(&message) {
            return;
        }
        let question = Question::Message(self.bot.window.newest(message));
        let facts: GateFacts = self.bot.gate_facts(&question).await;
        let asked = Asked::of(&question);
        let Question::Message(message) = question else {
            return;
        };
        let bot = self.bot.clone();
        let (now, moment) = (bot.clock.now(), bot.clock.moment());
        let load = bot.waiting.load(message.scope, asked.channel, asked.user);
        let gate = facts.gate(&bot);
        let decision = self.gate.admit_join_in(&gate, now, moment, load, message);
        self.follow(decision, &asked).await;
    }

    /// Has somebody welcomed whose turn is written down.
    pub(crate) fn welcome(&mut self, admitted: Admitted) {
        let turn = admitted.turn();
        let wait = self.bot.waiting.wait(&turn);
        self.hand_over(
            turn.channel,
            |mailbox, work| mailbox.put(turn.asker, work),
            Work::Answer(Box::new(admitted), wait),
        );
    }

    /// Does what the gate decided. False if it could not be written down.
    async fn follow(&mut self, decision: Decision, asked: &Asked) -> bool {
        match decision {
            Decision::Admitted(admitted) => {
                self.note(asked, "admitted", admitted.address().name());
                self.answer(admitted).await
            }
            Decision::Ignored(reason) => {
                ignored(reason.name());
                if reason != IgnoreReason::Own {
                    self.note(asked, "ignored", reason.name());
                }
                true
            }
            Decision::Refused(refusal) => {
                ignored(refusal.name());
                self.note(asked, "refused", refusal.name());
                let record = self.entry(asked, "refused", refusal.name()).record();
                self.refusals.write(record).await;
                self.refuse(asked, refusal);
                true
            }
        }
    }

    /// Writes down what was admitted and hands it to its channel: one turn for
    /// each persona that answers.
    async fn answer(&mut self, admitted: Admitted) -> bool {
        if !self.note_edit(&admitted).await {
            return false;
        }
        let others = admitted.others();
        if others.is_empty() {
            return self.answer_alone(admitted).await;
        }
        let (channel, asker) = (admitted.turn().channel, admitted.turn().asker);
        let mut voices = VecDeque::new();
        for admitted in std::iter::once(admitted).chain(others) {
            let turn = admitted.turn();
            let bot = self.bot.clone();
            match bot.persist(|| bot.store.admit(&turn, None)).await {
                Ok(Admission::New) => {
                    metrics::counter!("messages_admitted_total").increment(1);
                    // The first takes over what they asked before.
                    let wait = match voices.is_empty() {
                        true => bot.waiting.wait(&turn),
                        false => bot.waiting.join(&turn, turn.id.trigger.message()),
                    };
                    voices.push_back((Box::new(admitted), wait));
                }
                Ok(Admission::Duplicate) => ignored("duplicate"),
                Err(error) => {
                    tracing::error!(%error, turn = %turn.id, "could not journal a message");
                    return false;
                }
            }
        }
        if !voices.is_empty() {
            failpoint::hit(Failpoint::TurnAdmitted);
            let put = |mailbox: &Mailbox, work| mailbox.put(asker, work);
            self.hand_over(channel, put, Work::Scene(voices));
        }
        true
    }

    async fn answer_alone(&mut self, admitted: Admitted) -> bool {
        let turn = admitted.turn();
        let words = admitted.question().words();
        let words = words.as_deref();
        let bot = self.bot.clone();
        match bot.persist(|| bot.store.admit(&turn, words)).await {
            Ok(Admission::New) => {
                failpoint::hit(Failpoint::TurnAdmitted);
                metrics::counter!("messages_admitted_total").increment(1);
                let wait = match turn.id.trigger {
                    // Whoever stops an answer still wants to be reminded.
                    Trigger::Reminder(_) => bot.waiting.unstoppable(&turn),
                    _ => bot.waiting.wait(&turn),
                };
                self.hand_over(
                    turn.channel,
                    |mailbox, work| mailbox.put(turn.asker, work),
                    Work::Answer(Box::new(admitted), wait),
                );
                true
            }
            Ok(Admission::Duplicate) => {
                ignored("duplicate");
                true
            }
            Err(error) => {
                tracing::error!(%error, turn = %turn.id, "could not journal a message");
                false
            }
        }
    }

    fn note(&self, asked: &Asked, outcome: &'static str, reason: &'static str) {
        let entry = self.entry(asked, outcome, reason);
        if outcome == "admitted" {
            let (bot, record) = (self.bot.clone(), entry.record());
            self.tasks.spawn("decision", async move {
                if let Err(error) = bot.decision_journal.record_decision(&record).await {
                    tracing::debug!(%error, "a decision was not recorded");
                }
            });
        }
        self.bot.decisions.note(entry);
    }

    fn entry(&self, asked: &Asked, outcome: &'static str, reason: &'static str) -> DecisionEntry {
        DecisionEntry {
            at: self.bot.clock.now(),
            scope: asked.scope,
            channel: asked.channel,
            user: asked.user,
            trigger: asked.trigger,
            outcome,
            reason,
        }
    }

    /// Puts work into the mailbox of a channel whose actor is running.
    fn hand_over(
        &mut self,
        channel: ChannelId,
        put: impl Fn(&Mailbox, Work) -> Result<(), Work>,
        work: Work,
    ) {
        let work = match self.mailboxes.get(&channel) {
            Some(mailbox) => match put(mailbox, work) {
                Ok(()) => return,
                Err(work) => work,
            },
            None => work,
        };
        self.open(channel, VecDeque::from([work]));
    }

    /// Starts the actor of a channel.
    fn open(&mut self, channel: ChannelId, backlog: VecDeque<Work>) {
        self.sweep();
        let mailbox = Mailbox::with_backlog(backlog);
        let actor = channel::run(self.bot.clone(), self.signals.clone(), mailbox.clone());
        self.tasks.spawn("channel", actor);
        self.mailboxes.insert(channel, mailbox);
    }

    /// Forgets the mailboxes of actors that have ended, now and then.
    fn sweep(&mut self) {
        if self.mailboxes.len() >= self.sweep_at {
            self.mailboxes.retain(|_, mailbox| !mailbox.is_closed());
            self.sweep_at = (self.mailboxes.len() * 2).max(SWEEP_AT);
        }
    }
}

/// Who asked what, where.
struct Asked {
    scope: Scope,
    channel: ChannelId,
    user: UserId,
    trigger: Trigger,
}

impl Asked {
    const fn of(question: &Question) -> Self {
        Self {
            scope: question.scope(),
            channel: question.channel(),
            user: question.asker(),
            trigger: question.trigger(),
        }
    }
}

fn ignored(reason: &'static str) {
    metrics::counter!("messages_ignored_total", "reason" => reason).increment(1);
}
