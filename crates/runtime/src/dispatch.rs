//! From events to channels: admits, journals, and hands over.

use std::collections::HashMap;
use std::sync::Arc;

use kaiwa_domain::port::{Admission, Inbound};
use kaiwa_domain::{ChannelId, Event, Message, StoreError, Turn};
use kaiwa_pipeline::admit::{Admitted, Verdict, admit, asks_to_stop};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::bot::Shutdown;
use crate::channel::{self, Signal};
use crate::stop::Stops;
use crate::{Bot, Tasks};

/// How many signals may wait for one channel. A channel that is further behind
/// than this would answer questions nobody remembers asking.
const MAILBOX: usize = 20;

/// How many mailboxes there are before the closed ones are cleared away.
const SWEEP_AT: usize = 256;

pub(crate) struct Dispatch {
    bot: Arc<Bot>,
    tasks: Tasks,
    shutdown: Shutdown,
    stops: Stops,
    mailboxes: HashMap<ChannelId, mpsc::Sender<Signal>>,
    sweep_at: usize,
}

/// The channel has too much waiting.
struct Full;

impl Dispatch {
    pub(crate) fn new(bot: Arc<Bot>, tasks: Tasks, shutdown: Shutdown) -> Self {
        Self {
            bot,
            tasks,
            shutdown,
            stops: Stops::default(),
            mailboxes: HashMap::new(),
            sweep_at: SWEEP_AT,
        }
    }

    /// Deals with one event. Its receipt is signed once it is journalled or
    /// needs nothing; if the journal fails it stays unsigned and comes again.
    pub(crate) async fn take(&mut self, inbound: Inbound) {
        match inbound.event {
            Event::Ready(me) => {
                tracing::info!(name = me.name, "connected to Discord");
                let _ = self.bot.connected.send_replace(true);
            }
            Event::Message(message) => {
                if self.message(message).await.is_err() {
                    return;
                }
            }
        }
        inbound.receipt.sign();
    }

    async fn message(&mut self, message: Message) -> Result<(), StoreError> {
        let now = self.bot.clock.now();
        if asks_to_stop(&self.bot.gate(), now, &message)
            && self.stops.stop(message.channel, message.author.id)
        {
            tracing::info!(channel = %message.channel, "told to stop");
            ignored("stop");
            return Ok(());
        }
        let admitted = match admit(&self.bot.gate(), now, message) {
            Verdict::Admitted(admitted) => admitted,
            Verdict::Ignored(reason) => {
                ignored(reason.name());
                return Ok(());
            }
        };
        let turn = admitted.turn();
        let Ok(place) = self.place(turn.channel) else {
            tracing::warn!(channel = %turn.channel, "too many messages waiting, one ignored");
            ignored("channel_busy");
            return Ok(());
        };
        match self.bot.store.admit(&turn).await {
            Ok(Admission::New) => {
                metrics::counter!("messages_admitted_total").increment(1);
                let wait = self.stops.wait(turn.channel, turn.asker);
                place.send(Signal::Answer(admitted, wait));
                Ok(())
            }
            Ok(Admission::Duplicate) => {
                ignored("duplicate");
                Ok(())
            }
            Err(error) => {
                tracing::error!(%error, turn = %turn.id, "could not journal a message");
                Err(error)
            }
        }
    }

    /// Hands a re-admitted message to its channel, if there is room.
    pub(crate) fn answer_again(&mut self, admitted: Admitted) {
        let Turn { channel, asker, .. } = admitted.turn();
        let wait = self.stops.wait(channel, asker);
        self.hand_over(channel, Signal::Answer(admitted, wait));
    }

    /// Hands a signal to a channel, if there is room.
    pub(crate) fn hand_over(&mut self, channel: ChannelId, signal: Signal) {
        match self.place(channel) {
            Ok(place) => drop(place.send(signal)),
            Err(Full) => tracing::warn!(%channel, "too much left over, the rest waits"),
        }
    }

    /// A place in the channel's mailbox, whose actor is running.
    fn place(&mut self, channel: ChannelId) -> Result<mpsc::OwnedPermit<Signal>, Full> {
        if let Some(mailbox) = self.mailboxes.get(&channel) {
            match mailbox.clone().try_reserve_owned() {
                Ok(place) => return Ok(place),
                Err(TrySendError::Full(_)) => return Err(Full),
                Err(TrySendError::Closed(_)) => {}
            }
        }
        self.sweep();
        let (mailbox, signals) = mpsc::channel(MAILBOX);
        let actor = channel::run(self.bot.clone(), self.shutdown.clone(), signals);
        self.tasks.spawn("channel", actor);
        self.mailboxes.insert(channel, mailbox.clone());
        mailbox.try_reserve_owned().map_err(|_| Full)
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
