//! The bot as one value: its ports, its settings, its life.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use kaiwa_domain::Me;
use kaiwa_domain::port::{Cast, Chat, Clock, Inbound, Store, ToolHost};
use kaiwa_pipeline::admit::Gate;
use kaiwa_pipeline::deliver::{Degree, LongCode};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::dispatch::Dispatch;
use crate::recover;
use crate::stop::Wait;
use crate::{Eyes, Tasks};

/// Everything a running bot needs.
#[derive(Clone)]
pub struct Bot {
    /// Who we are on Discord.
    pub me: Me,
    /// Our version, which the model is told.
    pub version: &'static str,
    /// Discord.
    pub chat: Arc<dyn Chat>,
    /// What images are looked at with.
    pub eyes: Eyes,
    /// What the model may ask for.
    pub tools: Arc<dyn ToolHost>,
    /// The journals.
    pub store: Arc<dyn Store>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// What may change while running; each turn takes the newest.
    pub setup: watch::Receiver<Arc<Setup>>,
    /// Set to true once events flow.
    pub connected: watch::Sender<bool>,
}

/// The settings that take effect with the next turn.
pub struct Setup {
    /// Who answers.
    pub cast: Cast,
    /// How to speak.
    pub personality: String,
    /// How many earlier messages the model is shown.
    pub history: u16,
    /// How finely an answer is cut into messages.
    pub degree: Degree,
    /// What becomes of long code.
    pub long_code: LongCode,
    /// Where "today" is.
    pub timezone: jiff::tz::TimeZone,
    /// A message older than this is not answered.
    pub answer_within: Duration,
    /// How long turns that have begun to speak may take to finish on shutdown.
    pub shutdown_grace: Duration,
}

/// Why the bot stopped by itself.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("Discord no longer accepts the token ({reason}): create a new one and start again")]
pub struct Halt {
    /// Discord's words.
    pub reason: String,
}

/// How the parts of a bot learn that they are to end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shutdown {
    /// Nothing new is begun; turns that have not spoken are left for later.
    pub(crate) closing: CancellationToken,
    /// The grace period is over.
    pub(crate) overdue: CancellationToken,
    /// The asker no longer wants this turn's answer.
    pub(crate) stopped: CancellationToken,
    /// The asker has said more: unless this turn has spoken, a later one
    /// answers everything.
    pub(crate) followed_up: CancellationToken,
    /// Why everything has to stop, if it does.
    halt: Arc<OnceLock<Halt>>,
}

impl Shutdown {
    /// The same for a turn that can be stopped alone.
    pub(crate) fn of_turn(&self, wait: &Wait) -> Self {
        Self {
            stopped: wait.stop().clone(),
            followed_up: wait.addition().clone(),
            ..self.clone()
        }
    }

    /// Stops the whole bot.
    pub(crate) fn halt(&self, reason: String) {
        let _ = self.halt.set(Halt { reason });
        self.closing.cancel();
    }
}

impl Bot {
    /// Answers messages until `shutdown`. Work left over from the last run is
    /// taken up first.
    pub async fn run(
        self,
        mut inbound: mpsc::Receiver<Inbound>,
        shutdown: CancellationToken,
    ) -> Result<(), Halt> {
        let bot = Arc::new(self);
        let ending = Shutdown::default();
        let tasks = Tasks::new();
        let mut dispatch = Dispatch::new(bot.clone(), tasks.clone(), ending.clone());

        recover::take_up(&bot, &mut dispatch).await;
        loop {
            tokio::select! {
                biased;
                () = shutdown.cancelled() => break,
                () = ending.closing.cancelled() => break,
                next = inbound.recv() => match next {
                    Some(inbound) => dispatch.take(inbound).await,
                    None => break,
                },
            }
        }

        ending.closing.cancel();
        drop(inbound);
        drop(dispatch);
        let grace = bot.setup.borrow().shutdown_grace;
        tokio::select! {
            () = tasks.ended() => {}
            () = bot.clock.sleep(grace) => {
                tracing::info!("the grace period is over, cutting answers short");
                ending.overdue.cancel();
                tasks.ended().await;
            }
        }
        match ending.halt.get() {
            Some(halt) => Err(halt.clone()),
            None => Ok(()),
        }
    }

    /// The gate every message passes.
    pub(crate) fn gate(&self) -> Gate<'_> {
        Gate {
            me: &self.me,
            answer_within: self.setup.borrow().answer_within,
        }
    }
}
