//! From events to channels: admits, journals, and hands over.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use kaiwa_domain::port::{Admission, Inbound, StopRequest, UnfinishedTurn};
use kaiwa_domain::{ChannelId, Event, Message, Question};
use kaiwa_failpoint as failpoint;
use kaiwa_pipeline::admit::{Decision, admit, asks_to_stop};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::activity::Activity;
use crate::catch_up::{self, Missed};
use crate::channel::{self, Work};
use crate::signals::Signals;
use crate::stop::Stops;
use crate::{Bot, Tasks, recover};

/// How much may wait for one channel. A channel that is further behind than
/// this would answer questions nobody remembers asking.
const MAILBOX: usize = 20;

/// How many mailboxes there are before the closed ones are cleared away.
const SWEEP_AT: usize = 256;

pub(crate) struct Dispatch {
    bot: Arc<Bot>,
    tasks: Tasks,
    signals: Signals,
    stops: Stops,
    activity: Activity,
    mailboxes: HashMap<ChannelId, mpsc::Sender<Work>>,
    sweep_at: usize,
}

/// The channel has too much waiting.
struct Full;

impl Dispatch {
    pub(crate) fn new(bot: Arc<Bot>, tasks: Tasks, signals: Signals) -> Self {
        Self {
            bot,
            tasks,
            signals,
            stops: Stops::default(),
            activity: Activity::default(),
            mailboxes: HashMap::new(),
            sweep_at: SWEEP_AT,
        }
    }

    /// What was heard where, which is noted here.
    pub(crate) fn activity(&self) -> Activity {
        self.activity.clone()
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
                let wait = self.stops.wait(channel, unfinished.turn.asker);
                Work::Resume(unfinished, wait)
            });
            let backlog = backlog.collect();
            self.open(channel, backlog);
        }
    }

    /// Deals with one event. It is acknowledged once it is journalled or needs
    /// nothing, and comes again after a restart if it was not.
    pub(crate) async fn take(&mut self, inbound: Inbound) {
        failpoint::hit("event_received");
        if !matches!(inbound.event, Event::Disconnected { .. }) {
            self.activity.event(self.bot.clock.moment());
        }
        self.bot.directory.note(&inbound.event);
        let dealt_with = match inbound.event {
            Event::Ready { me, resumed, shard } => {
                tracing::info!(name = me.name, resumed, shard, "connected to Discord");
                self.bot.health.connected(shard, true);
                if !resumed {
                    self.catch_up(Missed::Everywhere).await;
                }
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
            Event::Channel { .. }
            | Event::ChannelGone { .. }
            | Event::Edited(_)
            | Event::Deleted { .. }
            | Event::Reacted(_) => true,
            Event::Message(message) => self.message(message).await,
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
        let gate = self.bot.gate(message.scope, message.channel).await;
        let now = self.bot.clock.now();
        if asks_to_stop(&gate, now, &message) && self.stops.stop(message.channel, message.author.id)
        {
            return self.stopped(&message).await;
        }
        self.question(Question::Message(message)).await
    }

    /// Somebody's answers were stopped: that is written down, so that neither a
    /// restart nor a replay of this message revives them.
    async fn stopped(&self, message: &Message) -> bool {
        tracing::info!(channel = %message.channel, "told to stop");
        ignored("stop");
        let stop = StopRequest {
            scope: message.scope,
            channel: message.channel,
            asker: message.author.id,
            event: message.id,
            at: self.bot.clock.now(),
        };
        let bot = &self.bot;
        match bot.persist(|| bot.store.stop(&stop)).await {
            Ok(()) => true,
            Err(error) => {
                tracing::error!(%error, "a stop was not recorded");
                false
            }
        }
    }

    async fn question(&mut self, question: Question) -> bool {
        let (scope, channel) = (question.scope(), question.channel());
        let gate = self.bot.gate(scope, channel).await;
        let now = self.bot.clock.now();
        let admitted = match admit(&gate, now, question) {
            Decision::Admitted(admitted) => admitted,
            Decision::Ignored(reason) => {
                ignored(reason.name());
                return true;
            }
        };
        let turn = admitted.turn();
        let Ok(place) = self.place(turn.channel) else {
            tracing::warn!(channel = %turn.channel, "too many messages waiting, one ignored");
            ignored("channel_busy");
            return true;
        };
        let text = match admitted.question() {
            Question::Message(_) => None,
            Question::Scheduled(task) => Some(task.text.as_str()),
        };
        let bot = &self.bot;
        match bot.persist(|| bot.store.admit(&turn, text)).await {
            Ok(Admission::New) => {
                failpoint::hit("turn_admitted");
                metrics::counter!("messages_admitted_total").increment(1);
                let wait = self.stops.wait(turn.channel, turn.asker);
                place.send(Work::Answer(admitted, wait));
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

    /// A place in the channel's mailbox, whose actor is running.
    fn place(&mut self, channel: ChannelId) -> Result<mpsc::OwnedPermit<Work>, Full> {
        if let Some(mailbox) = self.mailboxes.get(&channel) {
            match mailbox.clone().try_reserve_owned() {
                Ok(place) => return Ok(place),
                Err(TrySendError::Full(_)) => return Err(Full),
                Err(TrySendError::Closed(_)) => {}
            }
        }
        let mailbox = self.open(channel, VecDeque::new());
        mailbox.try_reserve_owned().map_err(|_| Full)
    }

    /// Starts the actor of a channel.
    fn open(&mut self, channel: ChannelId, backlog: VecDeque<Work>) -> mpsc::Sender<Work> {
        self.sweep();
        let (mailbox, work) = mpsc::channel(MAILBOX);
        let actor = channel::run(self.bot.clone(), self.signals.clone(), backlog, work);
        self.tasks.spawn("channel", actor);
        self.mailboxes.insert(channel, mailbox.clone());
        mailbox
    }

    /// Forgets the mailboxes of actors that have ended, now and then.
    fn sweep(&mut self) {
        if self.mailboxes.len() >= self.sweep_at {
            self.mailboxes.retain(|_, mailbox| !mailbox.is_closed());
            self.sweep_at = (self.mailboxes.len() * 2).max(SWEEP_AT);
        }
    }
}

fn ignored(reason: &'static str) {
    metrics::counter!("messages_ignored_total", "reason" => reason).increment(1);
}
