//! The bot as one value: its ports, its settings, its life.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{
    ActionHost, Chat, Clock, Inbound, Link, Pending, Retention, RoleModels, Store,
};
use kaiwa_domain::settings::InstanceSettings;
use kaiwa_domain::{ChannelId, Me, PersonaId, Scope, StoreError, Turn};
use kaiwa_pipeline::admit::Gate;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::dispatch::Dispatch;
use crate::health::BotHealth;
use crate::signals::Signals;
use crate::{Directory, ImageLoader, Settings, Tasks, TurnSettings, upkeep};

/// How long turns may take to leave once their grace period is over: time to
/// say that they were cut.
const LEAVE_WITHIN: Duration = Duration::from_secs(2);

/// The pauses between tries to write what has to be written.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Everything a running bot needs.
#[derive(Clone)]
pub struct Bot {
    /// Who we are on Discord.
    pub me: Me,
    /// Our version, which the model is told.
    pub version: &'static str,
    /// Discord.
    pub chat: Arc<dyn Chat>,
    /// The connection that brings events.
    pub link: Arc<dyn Link>,
    /// What images are looked at with.
    pub images: ImageLoader,
    /// What the model may ask for.
    pub actions: Arc<dyn ActionHost>,
    /// The journals.
    pub store: Arc<dyn Store>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// What may change while running; each turn takes the newest.
    pub setup: watch::Receiver<Arc<Setup>>,
    /// What guilds, channels and personas have of their own; each turn takes
    /// the newest.
    pub settings: Settings,
    /// What is up and what is down.
    pub health: BotHealth,
    /// What guilds and channels look like.
    pub directory: Directory,
}

/// What the operator decides, which takes effect with the next turn.
pub struct Setup {
    /// Who answers.
    pub models: RoleModels,
    /// The settings that guilds, channels and personas may change for
    /// themselves.
    pub instance: InstanceSettings,
    /// How long turns that have begun to speak may take to finish on shutdown.
    pub shutdown_grace: Duration,
    /// How long rows are kept.
    pub retention: Retention,
}

/// Why the bot stopped by itself.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("Discord no longer accepts the token ({reason}): create a new one and start again")]
pub struct Halt {
    /// Discord's words.
    pub reason: String,
}

impl Bot {
    /// Answers what comes until `shutdown`. Work left over from the last run
    /// comes first.
    pub async fn run(
        self,
        mut inbound: mpsc::Receiver<Inbound>,
        shutdown: CancellationToken,
    ) -> Result<(), Halt> {
        let bot = Arc::new(self);
        let signals = Signals::default();
        let tasks = Tasks::new();
        let mut dispatch = Dispatch::new(bot.clone(), tasks.clone(), signals.clone());
        tasks.spawn(
            "upkeep",
            upkeep::run(bot.clone(), signals.clone(), dispatch.activity()),
        );

        let closing = signals.closing.clone();
        let mut serving = Box::pin(async move {
            dispatch.recover().await;
            // An event that is being dealt with is finished.
            while let Some(Some(inbound)) = closing.run_until_cancelled(inbound.recv()).await {
                dispatch.take(inbound).await;
            }
        });
        let asked_to_stop = tokio::select! {
            biased;
            () = shutdown.cancelled() => true,
            () = signals.closing.cancelled() => true,
            () = &mut serving => false,
        };
        signals.closing.cancel();
        if asked_to_stop {
            tokio::select! {
                () = &mut serving => {}
                () = bot.clock.sleep(LEAVE_WITHIN) => {}
            }
        }
        drop(serving);

        let grace = bot.setup.borrow().shutdown_grace;
        tokio::select! {
            () = tasks.ended() => {}
            () = bot.clock.sleep(grace) => {
                tracing::info!("the grace period is over, leaving answers to the next start");
                signals.overdue.cancel();
                tokio::select! {
                    () = tasks.ended() => {}
                    () = bot.clock.sleep(LEAVE_WITHIN) => tasks.abort().await,
                }
            }
        }
        match signals.halted() {
            Some(halt) => Err(halt),
            None => Ok(()),
        }
    }

    /// The gate that every event of a channel passes.
    pub(crate) async fn gate(&self, scope: Scope, channel: ChannelId) -> Gate<'_> {
        let settings = self.settings.of_turn(scope, channel, PersonaId::MAIN);
        Gate {
            me: &self.me,
            answer_within: settings.await.answer_within,
        }
    }

    /// The settings of a turn, as they are now.
    pub(crate) async fn settings_of(&self, turn: &Turn) -> TurnSettings {
        let settings = &self.settings;
        settings
            .of_turn(turn.scope, turn.channel, turn.persona)
            .await
    }

    /// Makes a call on the store, again and again while that may help: what
    /// cannot be recorded is not done. Ends by being dropped.
    pub(crate) async fn persist<'c, T>(
        &self,
        call: impl Fn() -> Pending<'c, Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let mut pause = FIRST_PAUSE;
        loop {
            let outcome = call().await;
            self.health.journal_said(&outcome);
            match outcome {
                Err(error) if error.is_retryable() => {
                    tracing::error!(%error, "the journal cannot be written; trying again");
                    self.clock.sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                outcome => return outcome,
            }
        }
    }
}
