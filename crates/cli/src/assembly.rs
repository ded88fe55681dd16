//! The bot, put together from its parts and running.

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use kaiwa_actions::{
    Avatar, Calculate, CreateThread, CurrentTime, DeleteReminder, Door, DoorPorts, EraseMe,
    ExportMe, ForgetFact, Help, HoldPoll, ListReminders, ModerationDesk, OptIn, OptOut,
    PersonaDesk, Pin, Random, React, RecallFacts, Refresh, Regenerate, Registry, RememberFact,
    Remind, SendSticker, ShowMemory, Status, StopAnswers, UserInfo, Why,
};
use kaiwa_discord::{Access, Gateway, GatewayError, Rest};
use kaiwa_domain::port::{
    ActionHost, Clock, Database, Inbound, OptOuts, Permissions as _, Schedules, Snapshots,
};
use kaiwa_domain::{ChatError, Disposition, Me, SeededDice, Turn, UserId};
use kaiwa_picture::{Fitter, Painter};
use kaiwa_provider::ModelPool;
use kaiwa_runtime::{
    Bot, BotHealth, ConversationControl, Decisions, Directory, Halt, ImageLoader, Memory,
    MessageWindow, PersonaBook, Rereads, Scenes, Scheduler, Settings, Setup, Tasks, ThoughtLog,
    WaitingList,
};
use kaiwa_store::Sqlite;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

/// How many events may wait for the dispatcher.
const INBOUND: usize = 64;

/// What a bot is like without the Message Content Intent.
pub(crate) const MENTIONS_ONLY: &str = "mention-only mode (discord.message_content = false): the bot reads mentions of itself, replies that ping it and direct messages, and nothing else";

/// What a bot is put together from.
pub struct BotParts {
    /// Which Discord, and as whom.
    pub access: Access,
    /// The journals; the bot closes them when it ends.
    pub store: Arc<dyn Database>,
    /// What the models of the setup go through.
    pub model_pool: Arc<ModelPool>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// What may change while running.
    pub setup: watch::Receiver<Arc<Setup>>,
    /// Where decisions are noted.
    pub decisions: Decisions,
}

/// A bot at work. Dropping it leaves the bot running; use [`stop`](Self::stop).
pub struct RunningBot {
    waiting: WaitingList,
    me: Me,
    rest: Rest,
    store: Arc<dyn Database>,
    model_pool: Arc<ModelPool>,
    tasks: Tasks,
    shutdown: CancellationToken,
    health: BotHealth,
    settings: Settings,
    personas: PersonaBook,
    memory: Memory,
    failed: mpsc::Receiver<Fatal>,
    events: mpsc::Sender<Inbound>,
    actions: Arc<dyn ActionHost>,
}

/// Why a bot stopped by itself.
#[derive(Debug, thiserror::Error)]
pub enum Fatal {
    /// The gateway shut us out for good.
    #[error(transparent)]
    Gateway(#[from] GatewayError),
    /// The token died while running.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// A task that must not end has ended.
    #[error("the task {0:?} crashed: please report the log lines before this one")]
    Crashed(&'static str),
}

/// The file in the data folder that holds the journals.
pub(crate) fn database(data: &Path) -> PathBuf {
    data.join("kaiwa.db")
}

/// Opens the journals in a folder, which is made if it is not there.
pub async fn open(data: &Path) -> Result<Arc<dyn Database>> {
    Ok(Arc::new(Sqlite::open(&database(data)).await?))
}

/// Opens the journals in a folder to look into them beside the process that
/// has them.
pub(crate) fn open_beside(data: &Path) -> Result<Arc<dyn Database>> {
    Ok(Arc::new(Sqlite::beside(&database(data))?))
}

/// Starts a bot. It connects in the background.
pub async fn start(parts: BotParts) -> Result<RunningBot> {
    start_with(parts, Registry::new()).await
}

/// Starts a bot that has more actions than the built-in ones.
pub async fn start_with(parts: BotParts, more: Registry) -> Result<RunningBot> {
    let store = parts.store;
    let rest = Rest::new(&parts.access, parts.clock.clone())?
        .with_painter(Arc::new(Painter::new()))
        .with_webhooks(store.clone(), store.clone());
    let login = async { Ok::<_, ChatError>((rest.me().await?, rest.gateway().await?)) };
    let (me, address) = match login.await {
        Ok(login) => login,
        Err(error) => {
            let _ = store.close().await;
            return Err(login_failed(&parts.access, &error));
        }
    };
    let gateway = Gateway::new(
        &parts.access,
        &address,
        me.clone(),
        store.clone(),
        parts.clock.clone(),
    )?
    .informing(&rest);

    if !parts.access.message_content {
        tracing::info!("{MENTIONS_ONLY}");
    }

    let tasks = Tasks::new();
    let shutdown = CancellationToken::new();
    let (events, inbound) = mpsc::channel(INBOUND);
    let (failures, failed) = mpsc::channel(1);
    let health = BotHealth::default();
    let settings = Settings::new(store.clone(), parts.clock.clone(), parts.setup.clone());
    let personas = PersonaBook::new(store.clone(), parts.clock.clone());
    let waiting = WaitingList::default();
    let memory = Memory::new(
        store.clone(),
        store.clone(),
        parts.clock.clone(),
        tasks.clone(),
        shutdown.clone(),
    );
    // Nobody is read before it is known who must not be.
    if let Err(error) = memory.load().await {
        let _ = store.close().await;
        return Err(error.into());
    }
    let link = gateway.link();
    let (mut short, told) = (gateway.short_of_sessions(), health.clone());
    let telling = shutdown.clone().run_until_cancelled_owned(async move {
        told.short_of_sessions(*short.borrow_and_update());
        while short.changed().await.is_ok() {
            told.short_of_sessions(*short.borrow_and_update());
        }
    });
    tasks.spawn("sessions left", telling);
    let (mut paused, told) = (gateway.paused(), health.clone());
    let telling = shutdown.clone().run_until_cancelled_owned(async move {
        while paused.changed().await.is_ok() {
            told.paused(&paused.borrow_and_update());
        }
    });
    tasks.spawn("paused shards", telling);
    let shards = gateway.shards();
    health.expects(u32::try_from(shards.len()).unwrap_or(u32::MAX));
    for shard in shards {
        let work = shard.run(events.clone(), shutdown.clone());
        supervise(&tasks, "gateway", failures.clone(), work);
    }
    let scheduler = Scheduler::new(store.clone(), parts.clock.clone());
    let conversations = Arc::new(ConversationControl {
        waiting: waiting.clone(),
        decisions: parts.decisions.clone(),
        health: health.clone(),
        store: store.clone(),
        clock: parts.clock.clone(),
        events: events.clone(),
    });
    let directory = Directory::default();
    let actions = built_in(parts.clock.clone(), settings.clone(), &rest, &scheduler)
        .with_all(remembering(&store, &memory, &parts.clock, &rest))
        .with_all(controls(
            conversations.clone(),
            &store,
            &memory,
            &parts.clock,
            parts.setup.clone(),
        ))
        .with_all(moderation(&rest, &store, &parts.clock, me.id))
        .with_all(more);
    let desk = PersonaDesk {
        personas: Arc::new(personas.clone()),
        chat: Arc::new(rest.clone()),
        portraits: Arc::new(Fitter),
        clock: parts.clock.clone(),
        main: me.name.clone(),
    };
    let actions = actions.with_all(desk.registry());
    let help = Help::new(&actions);
    let actions = actions.with(help);
    let door: Arc<dyn ActionHost> = Arc::new(Door::new(
        actions,
        DoorPorts {
            bot: me.id,
            permissions: Arc::new(rest.clone()),
            policies: Arc::new(settings.clone()),
            offers: store.clone(),
            conversations,
            audit: store.clone(),
            clock: parts.clock.clone(),
        },
    ));
    let running = RunningBot {
        memory: memory.clone(),
        waiting: waiting.clone(),
        settings: settings.clone(),
        personas: personas.clone(),
        me: me.clone(),
        rest: rest.clone(),
        store: store.clone(),
        model_pool: parts.model_pool,
        tasks: tasks.clone(),
        shutdown: shutdown.clone(),
        health: health.clone(),
        failed,
        events: events.clone(),
        actions: door.clone(),
    };
    let started_at = parts.clock.now();
    let snapshots: Arc<dyn Snapshots> = store.clone();
    let bot = Bot {
        me,
        reads_all: parts.access.message_content,
        version: env!("CARGO_PKG_VERSION"),
        actions: door,
        permissions: Arc::new(rest.clone()),
        moderation: Arc::new(rest.clone()),
        cases: store.clone(),
        newcomers: store.clone(),
        webhooks: store.clone(),
        responses: Arc::new(rest.clone()),
        chat: Arc::new(rest),
        images: ImageLoader::new(Arc::new(Fitter)),
        decision_journal: store.clone(),
        erasure: store.clone(),
        departures: store.clone(),
        backups: store.clone(),
        offers: store.clone(),
        offer_made: Arc::default(),
        turn_ended: Arc::default(),
        action_recorded: Arc::default(),
        rereads: Rereads::default(),
        thoughts: ThoughtLog::default(),
        action_log: store.clone(),
        store,
        clock: parts.clock,
        setup: parts.setup,
        settings,
        personas,
        scenes: Scenes::default(),
        memory,
        link,
        health,
        window: MessageWindow::default(),
        snapshots: Some(snapshots),
        scheduler,
        started_at,
        directory,
        waiting,
        decisions: parts.decisions,
    };
    supervise(&tasks, "bot", failures, bot.run(inbound, shutdown));
    Ok(running)
}

/// The actions that every bot has.
fn built_in(
    clock: Arc<dyn Clock>,
    settings: Settings,
    rest: &Rest,
    scheduler: &Scheduler,
) -> Registry {
    let schedules: Arc<dyn Schedules> = Arc::new(scheduler.clone());
    let home = move |turn: &Turn| {
        let settings = settings.of_turn_now(turn.scope, turn.channel, turn.persona);
        settings.timezone
    };
    // Nobody can tell how the dice fall who cannot tell this number.
    let seed = RandomState::new().hash_one(clock.now().as_millis());
    Registry::new()
        .with(CurrentTime::new(clock.clone(), home.clone()))
        .with(Remind::new(schedules.clone(), clock, home))
        .with(ListReminders::new(schedules.clone()))
        .with(DeleteReminder::new(schedules))
        .with(Calculate)
        .with(Random::new(SeededDice::new(seed)))
        .with(UserInfo::new(Arc::new(rest.clone())))
        .with(Avatar::new(Arc::new(rest.clone())))
        .with(React::new(Arc::new(rest.clone())))
        .with(Pin::new(Arc::new(rest.clone()), Arc::new(rest.clone())))
        .with(CreateThread::new(Arc::new(rest.clone())))
        .with(HoldPoll::new(Arc::new(rest.clone())))
        .with(SendSticker::new(Arc::new(rest.clone())))
}

/// The actions on what is remembered.
fn remembering(
    store: &Arc<dyn Database>,
    memory: &Memory,
    clock: &Arc<dyn Clock>,
    rest: &Rest,
) -> Registry {
    let (permissions, memory) = (rest.clone(), memory.clone());
    let is_private = move |turn: &Turn| !permissions.known_open(turn.scope, turn.channel);
    let is_read = move |user| !memory.is_opted_out(user);
    Registry::new()
        .with(RememberFact::new(store.clone(), clock.clone(), is_private))
        .with(RecallFacts::new(store.clone(), clock.clone(), is_read))
        .with(ForgetFact::new(store.clone(), Arc::new(rest.clone())))
        .with(ShowMemory::new(store.clone(), clock.clone()))
}

/// The commands of the conversation itself and of people's own data.
fn controls(
    conversations: Arc<ConversationControl>,
    store: &Arc<dyn Database>,
    memory: &Memory,
    clock: &Arc<dyn Clock>,
    setup: watch::Receiver<Arc<Setup>>,
) -> Registry {
    let model = move |_: &Turn| setup.borrow().models.chat.name();
    let opt_outs: Arc<dyn OptOuts> = Arc::new(memory.clone());
    let status = Status::new(conversations.clone(), store.clone(), clock.clone(), model);
    Registry::new()
        .with(StopAnswers::new(conversations.clone()))
        .with(Regenerate::new(conversations.clone()))
        .with(Refresh::new(store.clone(), clock.clone()))
        .with(Why::new(conversations))
        .with(status)
        .with(OptOut::new(opt_outs.clone(), clock.clone()))
        .with(OptIn::new(opt_outs))
        .with(EraseMe::new(store.clone(), clock.clone()))
        .with(ExportMe::everything())
        .with(ExportMe::facts())
}

/// What moderators do.
fn moderation(
    rest: &Rest,
    store: &Arc<dyn Database>,
    clock: &Arc<dyn Clock>,
    bot: UserId,
) -> Registry {
    let desk = ModerationDesk {
        moderation: Arc::new(rest.clone()),
        permissions: Arc::new(rest.clone()),
        cases: store.clone(),
        chat: Arc::new(rest.clone()),
        clock: clock.clone(),
        bot,
    };
    desk.registry()
}

/// Runs `work`, reporting its failure or crash.
fn supervise<E>(
    tasks: &Tasks,
    name: &'static str,
    failures: mpsc::Sender<Fatal>,
    work: impl Future<Output = Result<(), E>> + Send + 'static,
) where
    E: Into<Fatal> + Send + 'static,
{
    let inner = tasks.spawn(name, work);
    tasks.spawn("supervisor", async move {
        let failure = match inner.await {
            Ok(Some(Ok(()))) => return,
            Ok(Some(Err(error))) => error.into(),
            Ok(None) | Err(_) => Fatal::Crashed(name),
        };
        let _ = failures.try_send(failure);
    });
}

impl RunningBot {
    /// Who the bot is.
    pub const fn me(&self) -> &Me {
        &self.me
    }

    /// What it can do on request.
    pub const fn actions(&self) -> &Arc<dyn ActionHost> {
        &self.actions
    }

    /// The way in for what does not come from the gateway: whatever is sent
    /// here passes the same gate.
    pub fn events(&self) -> mpsc::Sender<Inbound> {
        self.events.clone()
    }

    /// Who waits for which answer.
    pub const fn waiting(&self) -> &WaitingList {
        &self.waiting
    }

    /// What is up and what is down.
    pub const fn health(&self) -> &BotHealth {
        &self.health
    }

    /// What guilds, channels and personas have set for themselves.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Who speaks, beside the bot itself.
    pub const fn personas(&self) -> &PersonaBook {
        &self.personas
    }

    /// What is remembered, and who is never read.
    pub const fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Its line to Discord.
    pub const fn rest(&self) -> &Rest {
        &self.rest
    }

    /// Completes once events flow through a shard, or with the reason why they
    /// never will.
    pub async fn connected(&mut self) -> Result<(), Fatal> {
        let mut condition = self.health.watch();
        tokio::select! {
            biased;
            Some(failure) = self.failed.recv() => Err(failure),
            _ = condition.wait_for(|it| !it.live_shards.is_empty()) => Ok(()),
        }
    }

    /// Completes only if the bot cannot go on.
    pub async fn failure(&mut self) -> Fatal {
        match self.failed.recv().await {
            Some(failure) => failure,
            None => std::future::pending().await,
        }
    }

    /// Ends the bot gracefully: answers that have begun may finish, the
    /// session is saved, the database is closed.
    pub async fn stop(self) -> Result<()> {
        self.shutdown.cancel();
        self.tasks.ended().await;
        self.model_pool.settle().await;
        self.store.close().await?;
        Ok(())
    }
}

/// A failed login in one sentence that says what to do.
fn login_failed(access: &Access, error: &ChatError) -> anyhow::Error {
    if error.disposition() == Disposition::Halt {
        return GatewayError::TokenRefused.into();
    }
    anyhow::anyhow!(
        "cannot reach Discord at {}: {error}; check the network and discord.api_url",
        access.api_url
    )
}
