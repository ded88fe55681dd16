//! The bot as one value: its ports, its settings, its life.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{
    ActionHost, ActionLog, Backups, CaseBook, Chat, Clock, DecisionJournal, Departures, Erasure,
    Inbound, Link, Moderation, Newcomers, Offers, Pending, Permissions, Responses, Retention,
    RoleModels, Snapshots, Store, Webhooks,
};
use kaiwa_domain::settings::InstanceSettings;
use kaiwa_domain::{
    AuthorKind, ChannelSnapshot, GuildSnapshot, Me, PersonaId, Question, Reply, Scope, StoreError,
    Timestamp, Turn,
};
use kaiwa_pipeline::admit::{AdmitRules, Gate};
use kaiwa_pipeline::brief::Template;
use tokio::sync::{Notify, mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::dispatch::Dispatch;
use crate::health::BotHealth;
use crate::signals::Signals;
use crate::{
    Decisions, Directory, ImageLoader, Memory, MessageWindow, PersonaBook, Rereads, Scenes,
    Scheduler, ScopePersonas, Settings, Tasks, ThoughtLog, TurnSettings, WaitingList, backups,
    newcomers, offers, portraits, release, reports, thoughts, upkeep,
};

/// How long turns may take to leave once their grace period is over: time to
/// say that they were cut.
const LEAVE_WITHIN: Duration = Duration::from_secs(2);

/// How many messages that we should join in with may wait.
const JOIN_INS: usize = 16;

/// How many people may wait to be welcomed.
const WELCOMES: usize = 16;

/// The pauses between tries to write what has to be written.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Everything a running bot needs.
#[derive(Clone)]
pub struct Bot {
    /// Who we are on Discord.
    pub me: Me,
    /// Whether Discord shows us what is said to others.
    pub reads_all: bool,
    /// Our version, which the model is told.
    pub version: &'static str,
    /// Discord.
    pub chat: Arc<dyn Chat>,
    /// Where answers to commands, buttons and forms go.
    pub responses: Arc<dyn Responses>,
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
    /// Who speaks, beside the bot itself.
    pub personas: PersonaBook,
    /// What personas say to each other.
    pub scenes: Scenes,
    /// What is remembered, and who is never read.
    pub memory: Memory,
    /// What is up and what is down.
    pub health: BotHealth,
    /// What guilds and channels look like.
    pub directory: Directory,
    /// Who waits for which answer.
    pub waiting: WaitingList,
    /// Who reads a question of the last run again.
    pub rereads: Rereads,
    /// What was decided about events lately.
    pub decisions: Decisions,
    /// Where those are kept that led to an answer.
    pub decision_journal: Arc<dyn DecisionJournal>,
    /// What people may do.
    pub permissions: Arc<dyn Permissions>,
    /// What moderators do on Discord.
    pub moderation: Arc<dyn Moderation>,
    /// What they did.
    pub cases: Arc<dyn CaseBook>,
    /// People who joined, and what is owed to them.
    pub newcomers: Arc<dyn Newcomers>,
    /// What personas speak by.
    pub webhooks: Arc<dyn Webhooks>,
    /// What was said lately.
    pub window: MessageWindow,
    /// Where it is kept what models were told, if it is.
    pub snapshots: Option<Arc<dyn Snapshots>>,
    /// What was done for people.
    pub action_log: Arc<dyn ActionLog>,
    /// What waits for a click.
    pub offers: Arc<dyn Offers>,
    /// Wakes whoever watches for offers that expire.
    pub offer_made: Arc<Notify>,
    /// Wakes whoever waits for a turn to end.
    pub turn_ended: Arc<Notify>,
    /// Wakes whoever tells moderators what was done.
    pub action_recorded: Arc<Notify>,
    /// What models thought, on its way to where it is told.
    pub thoughts: ThoughtLog,
    /// What is kept about people.
    pub erasure: Arc<dyn Erasure>,
    /// The guilds that we are no longer in.
    pub departures: Arc<dyn Departures>,
    /// Copies of what is kept.
    pub backups: Arc<dyn Backups>,
    /// What is to be done at a certain time.
    pub scheduler: Scheduler,
    /// When this process started.
    pub started_at: Timestamp,
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
    /// What system prompts are made from.
    pub template: Template,
    /// How much memory the process may have.
    pub memory: MemoryBounds,
}

/// How much memory the process may have, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct MemoryBounds {
    /// How much it has, if the machine says so.
    pub resident: fn() -> Option<u64>,
    /// Beyond this, all is forgotten that can be read again.
    pub soft: Option<u64>,
    /// Beyond this, the bot ends well, to be started anew.
    pub hard: Option<u64>,
}

impl Default for MemoryBounds {
    fn default() -> Self {
        Self {
            resident: || None,
            soft: None,
            hard: None,
        }
    }
}

/// Why the bot stopped by itself.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Halt {
    /// Only a person can help.
    #[error("Discord no longer accepts the token ({reason}): create a new one and start again")]
    Token {
        /// Discord's words.
        reason: String,
    },
    /// Only a person can tell which of the two is to stay.
    #[error(
        "another process has opened our database and answers in our place: stop one of the two, then start again"
    )]
    Superseded,
    /// Another start helps.
    #[error(
        "the process has {megabytes} MB of memory, more than runtime.memory_hard_mb: start it again"
    )]
    Memory {
        /// How much it has.
        megabytes: u64,
    },
}

/// What the gate needs to know of the place of an event.
pub(crate) struct GateFacts {
    pub(crate) rules: Arc<AdmitRules>,
    guild: Option<Arc<GuildSnapshot>>,
    channel: Option<Arc<ChannelSnapshot>>,
    replied_to: Option<PersonaId>,
    cast: Arc<ScopePersonas>,
    opted_out: bool,
}

impl GateFacts {
    /// The gate for that place.
    pub(crate) fn gate<'a>(&'a self, bot: &'a Bot) -> Gate<'a> {
        Gate {
            me: &bot.me,
            my_roles: self.guild.as_ref().map_or(&[], |guild| &guild.my_roles),
            rules: &self.rules,
            channel: self.channel.as_deref(),
            replied_to: self.replied_to,
            alters: self.cast.alters(),
            opted_out: self.opted_out,
            reads_all: bot.reads_all,
        }
    }
}

impl Bot {
    /// Answers what comes until `shutdown`. Work left over from the last run
    /// comes first.
    pub async fn run(
        self,
        mut inbound: mpsc::Receiver<Inbound>,
        shutdown: CancellationToken,
    ) -> Result<(), Halt> {
        // Whoever needs it earlier waits for it.
        tokio::task::spawn_blocking(kaiwa_pipeline::admit::stop::build_lexicon);
        let bot = Arc::new(self);
        let signals = Signals::default();
        let tasks = Tasks::new();
        let (join_ins, mut joined) = mpsc::channel(JOIN_INS);
        let mut dispatch = Dispatch::new(bot.clone(), tasks.clone(), signals.clone(), join_ins);
        tasks.spawn(
            "upkeep",
            upkeep::run(bot.clone(), signals.clone(), dispatch.activity()),
        );

        tasks.spawn("backups", backups::run(bot.clone(), signals.clone()));
        tasks.spawn("portraits", portraits::run(bot.clone(), signals.clone()));
        tasks.spawn("offers", offers::expire(bot.clone(), signals.clone()));
        tasks.spawn("reports", reports::run(bot.clone(), signals.clone()));
        tasks.spawn("thoughts", thoughts::run(bot.clone(), signals.clone()));
        tasks.spawn(
            "commands",
            upkeep::register_commands(bot.clone(), signals.clone()),
        );

        let (welcomes, mut welcomed) = mpsc::channel(WELCOMES);
        tasks.spawn(
            "newcomers",
            newcomers::run(bot.clone(), signals.clone(), dispatch.arrivals(), welcomes),
        );
        tasks.spawn("release", release::run(bot.clone(), signals.clone()));

        let closing = signals.closing.clone();
        let scheduler = bot.scheduler.clone();
        let mut serving = Box::pin(async move {
            dispatch.recover().await;
            // One wait for all events: a new look costs two questions to the
            // store.
            let mut due = Box::pin(scheduler.due());
            loop {
                // An event that is being dealt with is finished.
                tokio::select! {
                    biased;
                    () = closing.cancelled() => return,
                    message = joined.recv() => match message {
                        Some(message) => dispatch.join_in(message).await,
                        None => return,
                    },
                    Some(admitted) = welcomed.recv() => dispatch.welcome(admitted),
                    inbound = inbound.recv() => match inbound {
                        Some(inbound) => dispatch.take(inbound).await,
                        None => return,
                    },
                    schedules = &mut due => {
                        for schedule in &schedules {
                            if !dispatch.due(schedule).await {
                                scheduler.pause().await;
                                break;
                            }
                        }
                        due.set(scheduler.due());
                    }
                }
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
                let running = tasks.running();
                tracing::info!(?running, "the grace period is over, leaving answers to the next start");
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

    /// What the gate needs to know of the place of an event.
    pub(crate) async fn gate_facts(&self, question: &Question) -> GateFacts {
        let (scope, channel) = (question.scope(), question.channel());
        let cast = self.personas.of(scope).await;
        GateFacts {
            rules: self.settings.rules(scope, channel).await,
            guild: self.directory.guild(scope),
            channel: self.directory.channel(scope, channel),
            replied_to: match question.message().and_then(|it| it.reply.as_ref()) {
                Some(reply) => self.said(scope, reply, !cast.alters().is_empty()).await,
                None => None,
            },
            cast,
            opted_out: self.memory.is_opted_out(question.asker()),
        }
    }

    /// The persona of ours that said what is replied to. Personas speak through
    /// webhooks, or where there can be none as ourselves: what others wrote is
    /// not looked up, nor what we wrote where there are no alters.
    async fn said(&self, scope: Scope, reply: &Reply, alters: bool) -> Option<PersonaId> {
        let author = &reply.target.as_ref()?.author;
        let is_ours = self.me.is(author.id);
        let ours = is_ours.then_some(PersonaId::MAIN);
        let is_recorded = author.kind == AuthorKind::Webhook || (is_ours && alters);
        if !is_recorded {
            return ours;
        }
        let speakers = self.store.speakers(scope, &[reply.to]).await.ok();
        let record = speakers.and_then(|it| it.get(&reply.to).cloned());
        record.map(|record| record.persona).or(ours)
    }

    /// The settings of a turn, as they are now.
    pub(crate) async fn settings_of(&self, turn: &Turn) -> TurnSettings {
        let settings = &self.settings;
        let effective = settings.of(turn.scope, turn.channel, turn.persona).await;
        let cast = self.personas.of(turn.scope).await;
        TurnSettings::of_persona(&effective, cast.find(turn.persona))
    }

    /// The models of a turn: a persona may have one of its own.
    pub(crate) async fn models_of(&self, turn: &Turn, setup: &Setup) -> RoleModels {
        let cast = self.personas.of(turn.scope).await;
        let persona = cast.find(turn.persona);
        setup
            .models
            .of_persona(persona.and_then(|it| it.model.as_deref()))
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
