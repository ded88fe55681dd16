//! A bot whose world is in memory and outlives it.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use kaiwa_domain::limits::SNOWFLAKE_EPOCH_MS;
use kaiwa_domain::port::{
    Ack, ActionHost, Clock, ImageFitter, Inbound, Link, Retention, RoleModels, Store, Unfit,
};
use kaiwa_domain::settings::{InstanceSettings, SettingKey, SettingValue};
use kaiwa_domain::{
    Author, AuthorKind, ChannelId, Event, GuildId, Image, Me, Mention, Message, MessageId,
    Question, Scope, Settlement, Timestamp, UserId,
};
use kaiwa_pipeline::admit::{Admitted, Decision, readmit};
use kaiwa_pipeline::brief::Template;
use kaiwa_pipeline::deliver::Degree;
use kaiwa_twins::{
    MemoryChat, MemoryGuilds, MemoryStore, ScriptedModel, ScriptedTools, StillClock,
};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::signals::Signals;
use crate::{
    Bot, BotHealth, Decisions, Directory, ImageLoader, Memory, MemoryBounds, MessageWindow,
    PersonaBook, Scenes, Scheduler, Settings, Setup, Tasks, WaitingList, turn,
};

pub(super) const CHANNEL: ChannelId = ChannelId::new(4);
const ME: UserId = UserId::new(1);
const ADA: UserId = UserId::new(2);

/// A guild without moderators.
struct NobodyMay;

impl kaiwa_domain::port::Permissions for NobodyMay {
    fn of(
        &self,
        _: Scope,
        _: ChannelId,
        _: UserId,
    ) -> kaiwa_domain::port::Pending<'_, Result<kaiwa_domain::Rights, kaiwa_domain::ChatError>>
    {
        Box::pin(std::future::ready(Ok(kaiwa_domain::Rights::NONE)))
    }

    fn mentionable<'a>(
        &'a self,
        _: GuildId,
        _: &'a [kaiwa_domain::RoleId],
    ) -> kaiwa_domain::port::Pending<'a, Result<Vec<kaiwa_domain::RoleId>, kaiwa_domain::ChatError>>
    {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    fn standing(
        &self,
        _: GuildId,
        _: UserId,
        _: UserId,
    ) -> kaiwa_domain::port::Pending<'_, Result<kaiwa_domain::Standing, kaiwa_domain::ChatError>>
    {
        Box::pin(std::future::ready(Ok(kaiwa_domain::Standing::NotAbove)))
    }
}

/// How often everything else may run before it is taken to be waiting.
const ROUNDS: usize = 24;

/// The longest wait that is skipped.
const LONGEST_WAIT: Duration = Duration::from_secs(900);

/// What is asked, and how it is answered.
#[derive(Clone)]
pub(super) struct Scenario {
    pub(super) name: &'static str,
    pub(super) lines: Vec<&'static str>,
    pub(super) action: Option<Settlement>,
    pub(super) degree: Degree,
    pub(super) direct: bool,
    /// How long something is looked up before the answer.
    pub(super) lookup: Option<Duration>,
    /// Whether it can be stopped and asked for again with buttons.
    pub(super) buttons: bool,
}

struct Blind;

impl ImageFitter for Blind {
    fn fit(&self, _: &[u8]) -> Result<Image, Unfit> {
        Err(Unfit::Unreadable)
    }
}

struct NoLink;

impl Link for NoLink {
    fn silent(&self) -> Vec<u32> {
        Vec::new()
    }

    fn shard_of(&self, _: Scope) -> u32 {
        0
    }

    fn reconnect(&self, _: u32) {}
}

/// What outlives a process, and the question.
pub(super) struct World {
    pub(super) clock: StillClock,
    pub(super) chat: MemoryChat,
    pub(super) store: MemoryStore,
    pub(super) guilds: MemoryGuilds,
    pub(super) tools: Arc<ScriptedTools>,
    pub(super) health: BotHealth,
    model: Arc<ScriptedModel>,
    setup: watch::Sender<Arc<Setup>>,
    pub(super) question: Message,
    /// What comes again after a restart.
    pub(super) replayed: Event,
}

impl World {
    /// A world in which the question of a scenario was just asked.
    pub(super) fn new(scenario: &Scenario) -> Self {
        let clock = StillClock::new(Timestamp::from_millis(SNOWFLAKE_EPOCH_MS + 1_000_000_000));
        let shared: Arc<dyn Clock> = Arc::new(clock.clone());
        let chat = MemoryChat::new(me(), shared.clone());
        let mut model = ScriptedModel::new(scenario.lines.iter().copied());
        if scenario.action.is_some() {
            model = model.with_action("act", r#"{"on":"it"}"#);
        }
        let settlement = scenario.action.unwrap_or(Settlement::Idempotent);
        let mut tools = ScriptedTools::new("act", settlement);
        if let Some(takes) = scenario.lookup {
            model = model.with_lookup("act", "{}");
            tools = tools.looking_up(shared.clone(), takes);
        }
        let model = Arc::new(model);
        let setup = Setup {
            models: RoleModels::single(model.clone()),
            instance: instance(scenario),
            shutdown_grace: Duration::from_secs(5),
            retention: Retention::default(),
            template: Template::default(),
            memory: MemoryBounds::default(),
        };
        let scope = match scenario.direct {
            true => Scope::Dm(ADA),
            false => Scope::Guild(GuildId::new(3)),
        };
        let ada = Author {
            id: ADA,
            name: "Ada".into(),
            kind: AuthorKind::Human,
            roles: Vec::new(),
        };
        let question = chat.say(Message {
            mentions: vec![Mention {
                id: ME,
                name: "Kaiwa".into(),
            }],
            ..Message::new(MessageId::new(0), scope, CHANNEL, ada, "<@1> count".into())
        });
        Self {
            store: MemoryStore::new(shared),
            guilds: MemoryGuilds::new(),
            tools: Arc::new(tools),
            setup: watch::Sender::new(Arc::new(setup)),
            health: BotHealth::default(),
            clock,
            chat,
            model,
            replayed: Event::Message(question.clone()),
            question,
        }
    }

    /// The operator bounds the memory of the process.
    pub(super) fn bound_memory(&self, memory: MemoryBounds) {
        let retention = self.setup.borrow().retention;
        self.reload(retention, memory);
    }

    /// The operator says how long rows are kept.
    pub(super) fn retain(&self, retention: Retention) {
        let memory = self.setup.borrow().memory;
        self.reload(retention, memory);
    }

    fn reload(&self, retention: Retention, memory: MemoryBounds) {
        self.setup.send_modify(|setup| {
            *setup = Arc::new(Setup {
                models: setup.models.clone(),
                instance: setup.instance.clone(),
                shutdown_grace: setup.shutdown_grace,
                retention,
                template: Template::default(),
                memory,
            });
        });
    }

    /// A bot of a new process.
    pub(super) fn bot(&self) -> Bot {
        self.bot_on(Arc::new(self.store.clone()))
    }

    /// The same on other journals.
    pub(super) fn bot_on(&self, store: Arc<dyn Store>) -> Bot {
        let actions: Arc<dyn ActionHost> = self.tools.clone();
        Bot {
            me: me(),
            reads_all: true,
            version: "0",
            chat: Arc::new(self.chat.clone()),
            responses: Arc::new(self.chat.clone()),
            link: Arc::new(NoLink),
            images: ImageLoader::new(Arc::new(Blind)),
            actions,
            store,
            clock: Arc::new(self.clock.clone()),
            setup: self.setup.subscribe(),
            settings: Settings::new(
                Arc::new(self.store.clone()),
                Arc::new(self.clock.clone()),
                self.setup.subscribe(),
            ),
            personas: PersonaBook::new(Arc::new(self.store.clone()), Arc::new(self.clock.clone())),
            scenes: Scenes::default(),
            memory: Memory::new(
                Arc::new(self.store.clone()),
                Arc::new(self.store.clone()),
                Arc::new(self.clock.clone()),
                Tasks::new(),
                CancellationToken::new(),
            ),
            health: self.health.clone(),
            directory: Directory::default(),
            waiting: WaitingList::default(),
            rereads: crate::Rereads::default(),
            decisions: Decisions::default(),
            decision_journal: Arc::new(self.store.clone()),
            offers: Arc::new(self.store.clone()),
            action_recorded: Arc::default(),
            thoughts: crate::ThoughtLog::default(),
            offer_made: Arc::default(),
            turn_ended: Arc::default(),
            action_log: Arc::new(self.store.clone()),
            permissions: Arc::new(NobodyMay),
            moderation: Arc::new(self.guilds.clone()),
            cases: Arc::new(self.store.clone()),
            newcomers: Arc::new(self.store.clone()),
            webhooks: Arc::new(self.store.clone()),
            window: MessageWindow::default(),
            snapshots: None,
            erasure: Arc::new(self.store.clone()),
            departures: Arc::new(self.store.clone()),
            backups: Arc::new(self.store.clone()),
            scheduler: Scheduler::new(Arc::new(self.store.clone()), Arc::new(self.clock.clone())),
            started_at: self.clock.now(),
        }
    }

    /// How often the model was asked.
    pub(super) fn asked(&self) -> usize {
        self.model.asked()
    }

    /// The question, through the gate and journalled.
    pub(super) fn admitted(&self, bot: &Bot) -> Admitted {
        let question = Question::Message(self.question.clone());
        let facts = self.poll(bot.gate_facts(&question), usize::MAX).unwrap();
        let gate = facts.gate(bot);
        let Decision::Admitted(admitted) = readmit(&gate, self.clock.now(), question) else {
            panic!("the question is not for us");
        };
        let turn = admitted.turn();
        let journalled = self.poll(bot.store.admit(&turn, None), usize::MAX);
        journalled.unwrap().unwrap();
        admitted
    }

    /// Answers the question in a process that dies after so many polls.
    /// Returns how many there were, and whether the turn ended.
    pub(super) fn answer(&self, polls: usize) -> (usize, bool) {
        let bot = self.bot();
        let admitted = self.admitted(&bot);
        let signals = Signals::default();
        let mut count = 0;
        let mut answering = std::pin::pin!(turn::answer(&bot, &signals, &admitted));
        let counted = std::future::poll_fn(|context| {
            count += 1;
            answering.as_mut().poll(context)
        });
        let ended = self.poll(counted, polls).map(|ended| ended.unwrap());
        (count, ended.is_ok())
    }

    /// Answers the question until it is stopped after so many polls. Returns how
    /// many posts were on the wire then, or `None` if there were fewer polls.
    pub(super) fn stop(&self, polls: usize) -> Option<usize> {
        let bot = self.bot();
        let admitted = self.admitted(&bot);
        let signals = Signals::default();
        let mut answering = std::pin::pin!(turn::answer(&bot, &signals, &admitted));
        if self.poll(answering.as_mut(), polls).is_ok() {
            return None;
        }
        let begun = self.chat.begun();
        signals.stopped.cancel();
        let ended = self.poll(answering, usize::MAX);
        ended.unwrap().unwrap();
        Some(begun)
    }

    /// Polls a future to its end, moving time when nothing else moves, or gives
    /// up after so many polls.
    pub(super) fn poll<T>(
        &self,
        future: impl Future<Output = T>,
        polls: usize,
    ) -> Result<T, Dropped> {
        let woken = Arc::new(Woken(AtomicBool::new(true)));
        let waker = Waker::from(woken.clone());
        let mut context = Context::from_waker(&waker);
        let mut future = std::pin::pin!(future);
        for _ in 0..polls {
            while !woken.0.swap(false, Ordering::Relaxed) {
                assert!(self.clock.advance_to_next(LONGEST_WAIT), "it hangs");
            }
            if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return Ok(output);
            }
        }
        Err(Dropped)
    }

    /// Runs a new process until nothing is left to do, or until it dies after
    /// so many steps of its tasks. Says how many there were.
    pub(super) fn run(&self, steps: usize) -> usize {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let (events, inbound) = mpsc::channel(8);
        // What was not acknowledged comes again.
        let again = Inbound {
            event: self.replayed.clone(),
            ack: Ack::none(),
        };
        events.try_send(again).unwrap();
        let running = self.bot().run(inbound, CancellationToken::new());
        let mut running: Pin<Box<dyn Future<Output = _>>> = Box::pin(running);
        runtime.block_on(async {
            let mut step = 0;
            let mut idle = 0;
            while step < steps && idle < 100 {
                let waited = futures_util::poll!(&mut running);
                assert!(waited.is_pending(), "the bot ended: {waited:?}");
                tokio::task::yield_now().await;
                step += 1;
                if step % ROUNDS == 0 {
                    if self.store.has_work() || events.capacity() < events.max_capacity() {
                        assert!(self.clock.advance_to_next(LONGEST_WAIT), "it hangs");
                        idle += 1;
                    } else {
                        return step;
                    }
                }
            }
            assert!(idle < 100, "it never settles");
            step
        })
    }
}

#[derive(Debug)]
pub(super) struct Dropped;

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn instance(scenario: &Scenario) -> InstanceSettings {
    let degree = SettingValue::Whole(scenario.degree as u16);
    let settings = InstanceSettings::default().with(SettingKey::Degree, degree);
    match scenario.buttons {
        true => settings
            .with(SettingKey::StopMessages, SettingValue::Whole(1))
            .with(SettingKey::RegenerateButton, SettingValue::Switch(true)),
        false => settings,
    }
}

fn me() -> Me {
    Me {
        id: ME,
        name: "Kaiwa".into(),
    }
}
