//! A story: people, a bot and a model, and what happens between them.

mod changes;
mod controls;
mod crowd;
mod database;
mod lockstep;
mod members;
mod memory;
mod models;
mod moderation;
mod person;
mod personas;
mod replay;
mod settings;
mod web;

use std::sync::Arc;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use kaiwa::{BotParts, RunningBot};
use kaiwa_actions::{EffectClass, Registry};
use kaiwa_discord::{Access, INVALID_REQUESTS_MOST};
use kaiwa_domain::port::{Ack, ActionHost, Clock, Database, Inbound};
use kaiwa_domain::settings::{InstanceSettings, SettingKey, SettingValue};
use kaiwa_domain::{
    Event, PromptSnapshot, ScheduledTask, Scope, TaskKind, Timestamp, TurnId, When,
};
use kaiwa_emulator::{Cut, Emulator, Faults, Ready, World};
use kaiwa_pipeline::deliver::Degree;
use kaiwa_provider::ModelPool;
use kaiwa_runtime::{CorrectedClock, Decisions, HealthCondition, Setup, Tasks};
use secrecy::SecretString;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::{broadcast, watch};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::canary::Canary;
use crate::clock::HandClock;
use crate::log::{CapturedLog, LogReader};
use crate::model::GatedModel;
use crate::soon;
use crate::tool::GatedTool;
pub use controls::Screen;
pub use database::DatabaseLock;
use lockstep::Journal;
pub use lockstep::SharedTime;
use models::Others;
pub use person::{Person, SentMessage};

/// How long the model may take for its first word.
pub const FIRST_TOKEN: Duration = Duration::from_secs(28);
/// How long the model may pause.
pub const IDLE: Duration = Duration::from_secs(31);

/// How much of the log a story shows that fails.
const SHOWN_LINES: usize = 60;
/// How long a speaking turn may go on after shutdown.
pub const GRACE: Duration = Duration::from_secs(19);

/// The stage on which a story plays.
pub struct Story {
    /// The model, which says what the test makes it say.
    pub model: GatedModel,
    others: Others,
    /// Time, which the test moves.
    pub clock: HandClock,
    emulator: Emulator,
    ready: Ready,
    events: broadcast::Receiver<Value>,
    log: Vec<Logged>,
    /// What the operator decides.
    instance: InstanceSettings,
    setup: Option<(watch::Sender<Arc<Setup>>, Arc<ModelPool>)>,
    actions: Registry,
    /// Whether the bot's clock is put right by Discord's. Time that a test
    /// skips passes for the bot alone, so most stories do without.
    corrected: bool,
    /// Whether the bot asks for the Message Content Intent.
    reads_all: bool,
    /// How many requests the bot allows itself.
    requests_per_second: u64,
    /// After how many requests that Discord calls invalid it makes no more.
    invalid_requests: u32,
    data: TempDir,
    store: Option<Arc<dyn Database>>,
    journal: Journal,
    decisions: Decisions,
    bot: Option<RunningBot>,
    http: reqwest::Client,
    /// What is logged, until the story ends.
    heard: LogReader,
}

/// An event, and whether the story has noticed it.
struct Logged {
    event: Value,
    noticed: bool,
}

impl Story {
    /// A tea house with three people, a reading room beside it, and a connected
    /// bot in both.
    pub async fn begin() -> Self {
        let mut story = Self::without_bot().await;
        story.bot_starts().await;
        story
    }

    /// The same, with a bot whose operator has decided so.
    pub async fn begin_with(settings: &[(SettingKey, &str)]) -> Self {
        let mut story = Self::without_bot().await;
        story.operator_wants(settings);
        story.bot_starts().await;
        story
    }

    /// The same, with a bot that cuts its answers so finely.
    pub async fn begin_at(degree: Degree) -> Self {
        let mut story = Self::without_bot().await;
        let degree = SettingValue::Whole(degree as u16);
        story.instance = std::mem::take(&mut story.instance).with(SettingKey::Degree, degree);
        story.bot_starts().await;
        story
    }

    /// The same, with a bot that sends code longer than this as a file.
    pub async fn begin_attaching_above(characters: u16) -> Self {
        let mut story = Self::without_bot().await;
        let above = SettingValue::Whole(characters);
        story.instance =
            std::mem::take(&mut story.instance).with(SettingKey::AttachCodeAbove, above);
        story.bot_starts().await;
        story
    }

    /// A tea house whose bot runs on a machine with a fast clock.
    pub async fn begin_ahead(by: Duration) -> Self {
        let mut story = Self::without_bot().await;
        story.clock.is_ahead(by);
        story.corrected = true;
        story.bot_starts().await;
        story
    }

    /// A tea house whose bot reads nothing but what is said to it.
    pub async fn begin_mention_only(settings: &[(SettingKey, &str)]) -> Self {
        let mut story = Self::in_world(World::default().without_message_content()).await;
        story.reads_all = false;
        story.operator_wants(settings);
        story.bot_starts().await;
        story
    }

    /// A tea house whose bot has not come yet.
    pub async fn without_bot() -> Self {
        Self::in_world(World::default()).await
    }

    /// A world as a file has it, whose bot has not come yet.
    pub async fn in_written_world(toml: &str) -> Self {
        Self::in_world(World::from_toml(toml).expect("a world")).await
    }

    /// Another world, whose bot has not come yet.
    pub async fn in_world(world: World) -> Self {
        Self::on_stage(world.without_limits()).await
    }

    async fn on_stage(world: World) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let emulator = Emulator::new(world);
        emulator.announce(listener.local_addr().expect("an address"));
        let server = emulator.clone();
        let serving = server.serve(listener, kaiwa_web::page(), CancellationToken::new());
        Tasks::new().spawn("emulator", serving);
        Self {
            model: GatedModel::start().await,
            others: Others::default(),
            actions: Registry::new(),
            clock: HandClock::default(),
            ready: emulator.ready(),
            events: emulator.watch(),
            log: Vec::new(),
            emulator,
            // People ask a lot while the clock stands still, and a stop is met
            // with silence, unless a story is about that.
            instance: InstanceSettings::default()
                .with(
                    SettingKey::Personality,
                    SettingValue::Text("You are kind.".into()),
                )
                .with(SettingKey::UserQuestions, SettingValue::Off)
                .with(SettingKey::StopLine, SettingValue::Choice("off")),
            setup: None,
            corrected: false,
            reads_all: true,
            // Time stands still, and a second would never be over.
            requests_per_second: u64::MAX,
            invalid_requests: INVALID_REQUESTS_MOST,
            data: tempfile::tempdir().expect("a folder"),
            store: None,
            journal: Journal::default(),
            decisions: Decisions::default(),
            bot: None,
            http: crate::http(),
            heard: LogReader::join_or_begin(),
        }
    }

    /// A tea house whose bot may use one more tool, which does what the test
    /// makes it do.
    pub async fn begin_with_tool(name: &'static str, when: When) -> (Self, GatedTool) {
        let mut story = Self::without_bot().await;
        let tool = story.gets_tool(name, when);
        story.bot_starts().await;
        (story, tool)
    }

    /// The bot will have a tool, which does what the test makes it do.
    pub fn gets_tool(&mut self, name: &'static str, when: When) -> GatedTool {
        let (actions, tool) = GatedTool::new(name, when);
        self.actions = std::mem::take(&mut self.actions).with_all(actions);
        tool
    }

    /// The same, with what it does to the world.
    pub fn gets_action(&mut self, name: &'static str, when: When, class: EffectClass) -> GatedTool {
        let (actions, tool) = GatedTool::of_class(name, when, class);
        self.actions = std::mem::take(&mut self.actions).with_all(actions);
        tool
    }

    /// The bot comes, with what it remembers.
    pub async fn bot_starts(&mut self) {
        let clock: Arc<dyn Clock> = match self.corrected {
            true => Arc::new(CorrectedClock::new(self.clock.clone())),
            false => Arc::new(self.clock.clone()),
        };
        let store = kaiwa::open(self.data.path()).await.expect("a database");
        self.journal.opens(&store);
        self.store = Some(store.clone());
        let model_pool = Arc::new(ModelPool::new(clock.clone(), Some(store.clone())));
        let setup = Arc::new(self.operator_decides(&model_pool));
        let setup = watch::Sender::new(setup);
        let parts = BotParts {
            access: Access {
                token: SecretString::from(self.ready.bot.token.clone()),
                api_url: url(&self.ready.api_url),
                gateway_url: None,
                message_content: self.reads_all,
                guild_members: true,
                extra_ca: None,
                requests_per_second: self.requests_per_second,
                invalid_requests: self.invalid_requests,
            },
            store,
            model_pool: model_pool.clone(),
            clock,
            setup: setup.subscribe(),
            decisions: self.decisions.clone(),
        };
        let mut bot = kaiwa::start_with(parts, self.actions.clone())
            .await
            .expect("the bot starts");
        soon("the bot to connect", bot.connected())
            .await
            .expect("the bot connects");
        self.bot = Some(bot);
        self.setup = Some((setup, model_pool));
    }

    /// What the model was told to answer a message, once that is kept.
    pub async fn told_for(&self, question: &SentMessage) -> PromptSnapshot {
        let store = self.store.as_ref().expect("a database");
        let question = question.id.parse().expect("an id");
        soon("what the model was told to be kept", async {
            loop {
                let kept = store.snapshot(TurnId::of_message(question)).await;
                if let Some(snapshot) = kept.expect("a database that can be read") {
                    return snapshot;
                }
                tokio::task::yield_now().await;
            }
        })
        .await
    }

    /// The bot is asked to leave; the handle completes when it has.
    pub fn bot_is_asked_to_stop(&mut self) -> impl Future<Output = ()> + use<> {
        let bot = self.bot.take().expect("a running bot");
        let (ended, wait) = tokio::sync::oneshot::channel();
        Tasks::new().spawn("stop", async move {
            let _ = ended.send(bot.stop().await);
        });
        async move {
            let stopped = soon("the bot to stop", wait).await;
            stopped.expect("it ends").expect("it stops well");
        }
    }

    /// What the bot can do on request.
    pub fn actions(&self) -> Arc<dyn ActionHost> {
        self.bot.as_ref().expect("a running bot").actions().clone()
    }

    /// Every answer is given and written down.
    pub async fn bot_is_done(&self) {
        let bot = self.bot.as_ref().expect("a running bot");
        soon("the bot to be done", bot.waiting().nobody()).await;
    }

    /// The bot leaves gracefully.
    pub async fn bot_stops(&mut self) {
        self.bot_is_asked_to_stop().await;
    }

    /// Something is due that Ada set for this moment, in a channel of the first
    /// guild. Says when.
    pub async fn is_due(&self, schedule: u64, channel: &str, text: &str) -> Timestamp {
        let due = self.clock.now();
        self.is_due_again(schedule, due, channel, text).await;
        due
    }

    /// The same, for a moment that has been.
    pub async fn is_due_again(&self, schedule: u64, due: Timestamp, channel: &str, text: &str) {
        let ada = self.ready.users.iter().find(|user| user.name == "Ada");
        let task = ScheduledTask {
            schedule,
            due,
            scope: Scope::Guild(self.ready.guild_id.parse().expect("an id")),
            channel: self.channel(channel).parse().expect("an id"),
            asker: ada.expect("Ada").id.parse().expect("an id"),
            kind: TaskKind::Answer,
            text: text.to_owned(),
        };
        self.happens(Event::Scheduled(task)).await;
    }

    /// Something happens that does not come from the gateway.
    pub async fn happens(&self, event: Event) {
        let bot = self.bot.as_ref().expect("a running bot");
        let inbound = Inbound {
            event,
            ack: Ack::none(),
        };
        bot.events().send(inbound).await.expect("somebody listens");
    }

    /// Where everything is, and who is there.
    pub fn ready(&self) -> &Ready {
        &self.ready
    }

    /// Ada.
    pub fn ada(&self) -> Person<'_> {
        self.person("Ada")
    }

    /// Ben.
    pub fn ben(&self) -> Person<'_> {
        self.person("Ben")
    }

    /// Noor, who is in the Reading Room and not in the Tea House.
    pub fn noor(&self) -> Person<'_> {
        self.person("Noor")
    }

    fn person(&self, name: &str) -> Person<'_> {
        let user = self.ready.users.iter().find(|user| user.name == name);
        Person {
            story: self,
            token: &user.expect("somebody of that name").token,
        }
    }

    /// Waits until the bot has heard so many answers of its model to their end.
    pub async fn has_heard_answers(&self, times: usize) {
        let heard = self
            .heard
            .until("the model was asked outcome=\"ok\"", times);
        soon("the bot to hear its model", heard).await;
    }

    /// Waits until the bot shows that it is typing.
    pub async fn sees_typing(&mut self, channel: &str) {
        let channel = self.channel(channel);
        let bot = self.ready.bot.id.clone();
        self.next("typing", |event| {
            event["t"] == "TYPING_START"
                && event["d"]["channel_id"] == *channel
                && event["d"]["user_id"] == *bot
        })
        .await;
    }

    /// Waits for the bot's next message in a channel, which must say `text`.
    pub async fn sees(&mut self, channel: &str, text: &str) -> SentMessage {
        let said = self.sees_something(channel, text).await;
        assert_eq!(said.text, text);
        said
    }

    /// Waits for the next message of the bot or of one of its personas in a
    /// channel, whatever it says.
    pub async fn sees_something(&mut self, channel: &str, hoped_for: &str) -> SentMessage {
        let channel = self.channel(channel);
        let bot = self.ready.bot.id.clone();
        let what = format!("the bot to say {hoped_for:?}");
        let event = self
            .next(&what, |event| {
                event["t"] == "MESSAGE_CREATE"
                    && event["d"]["channel_id"] == *channel
                    && [&event["d"]["author"]["id"], &event["d"]["application_id"]]
                        .iter()
                        .any(|it| **it == *bot)
            })
            .await;
        SentMessage::of(&event["d"])
    }

    /// Waits for the bot's reaction to a message.
    pub async fn sees_reaction(&mut self, to: &SentMessage, emoji: &str) {
        let bot = self.ready.bot.id.clone();
        let what = format!("the bot to react with {emoji}");
        self.next(&what, |event| {
            event["t"] == "MESSAGE_REACTION_ADD"
                && event["d"]["message_id"] == *to.id
                && event["d"]["user_id"] == *bot
                && event["d"]["emoji"]["name"] == *emoji
        })
        .await;
    }

    /// How many reactions there were so far, to anything.
    pub fn reactions(&mut self) -> usize {
        self.catch_up();
        let events = self.log.iter();
        events
            .filter(|it| it.event["t"] == "MESSAGE_REACTION_ADD")
            .count()
    }

    /// The first event that fits and was not noticed before.
    async fn next(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        soon(what, async {
            loop {
                self.catch_up();
                let found = self
                    .log
                    .iter_mut()
                    .find(|it| !it.noticed && fits(&it.event));
                if let Some(found) = found {
                    found.noticed = true;
                    return found.event.clone();
                }
                let event = self.events.recv().await.expect("a stage");
                self.note(event);
            }
        })
        .await
    }

    /// Notes every event so far.
    fn catch_up(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            self.note(event);
        }
    }

    fn note(&mut self, event: Value) {
        self.log.push(Logged {
            event,
            noticed: false,
        });
    }

    /// Everything said in a channel, as `name: text` lines.
    pub fn transcript(&self, channel: &str) -> String {
        let said = self.emulator.transcript(&self.channel(channel));
        said.iter()
            .map(|(name, text)| format!("{name}: {}\n", self.readable(text)))
            .collect()
    }

    /// Nobody in the channel sees the bot typing any more: it said something
    /// after it last typed.
    pub fn typing_has_ended(&mut self, channel: &str) {
        self.catch_up();
        let channel = self.channel(channel);
        let last = |name: &str, author: fn(&Value) -> &Value| {
            self.log.iter().rposition(|Logged { event, .. }| {
                event["t"] == name
                    && event["d"]["channel_id"] == *channel
                    && *author(&event["d"]) == *self.ready.bot.id
            })
        };
        let typed = last("TYPING_START", |event| &event["user_id"]);
        let said = last("MESSAGE_CREATE", |event| &event["author"]["id"]);
        assert!(typed < said, "typing is still shown");
    }

    /// How often the bot has opened a new gateway session.
    pub fn identifies(&self) -> u64 {
        self.emulator.counts().identifies
    }

    /// How often the bot has resumed its session.
    pub fn resumes(&self) -> u64 {
        self.emulator.counts().resumes
    }

    /// The bot's connection beats its heart so many times.
    pub async fn hears_heartbeats(&self, times: u64) {
        let until = self.emulator.counts().heartbeats + times;
        soon("heartbeats", async {
            while self.emulator.counts().heartbeats < until {
                // Real time: hearts beat in their own.
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
        .await;
    }

    /// How many requests of a route there were, as the emulator counts them.
    pub fn requests(&self, route: &str) -> u64 {
        let requests = self.emulator.counts().requests;
        requests.get(route).copied().unwrap_or(0)
    }

    /// How many requests there were in all.
    pub fn all_requests(&self) -> u64 {
        self.emulator.counts().requests.values().sum()
    }

    /// How the bot is, once so few sessions are left that it starts none, or it
    /// may again.
    pub async fn is_short_of_sessions(&self, short: bool) -> HealthCondition {
        self.once_it_is("sessions", |it| it.short_of_sessions == short)
            .await
    }

    /// The bot gives up by itself, and says why.
    pub async fn bot_gives_up(&mut self) -> String {
        let bot = self.bot.as_mut().expect("a running bot");
        soon("the bot to give up", bot.failure()).await.to_string()
    }

    /// The bot knows that it is not connected.
    pub async fn is_disconnected(&self) {
        self.once_it_is("a lost connection", |it| !it.connected())
            .await;
    }

    async fn once_it_is(
        &self,
        hoped_for: &str,
        fits: impl FnMut(&HealthCondition) -> bool,
    ) -> HealthCondition {
        let health = self.bot.as_ref().expect("a running bot").health();
        let mut condition = health.watch();
        let found = soon(hoped_for, condition.wait_for(fits)).await;
        found.expect("a bot").clone()
    }

    /// The bot's gateway connection breaks.
    pub fn gateway_breaks(&self) {
        let cut = self.faults().cut_gateway(&self.ready.bot.id, Cut::Abrupt);
        assert_eq!(cut, 1, "connections cut");
    }

    /// Discord takes the bot's next post but its answer is lost.
    pub fn answer_to_next_post_is_lost(&self) {
        self.faults().swallow_next(Method::POST, "/messages", 1);
    }

    /// Discord refuses the next post: the bot may not speak there any more.
    pub fn next_post_is_forbidden(&self) {
        let body = json!({"code": 50013, "message": "Missing Permissions"});
        let status = StatusCode::FORBIDDEN;
        self.faults()
            .fail_next(Method::POST, "/messages", status, body, 1);
    }

    /// What is in a file that hangs on a message.
    pub async fn reads(&self, url: &str) -> String {
        let response = self.http.get(url).send().await.expect("an answer");
        response.text().await.expect("text")
    }

    /// What can go wrong on Discord's side.
    pub fn faults(&self) -> Faults {
        self.emulator.faults()
    }

    /// A channel's id from its name, or the id itself. A name alone is of the
    /// first guild, `Guild/channel` of any.
    fn channel(&self, name: &str) -> String {
        let in_guild = |(guild, channel): (&str, &str)| {
            let mut guilds = self.ready.guilds.iter();
            let guild = guilds.find(|known| known.name == guild)?;
            guild.channels.get(channel)
        };
        let found = name.split_once('/').and_then(in_guild);
        found
            .or_else(|| self.ready.channels.get(name))
            .cloned()
            .unwrap_or_else(|| name.to_owned())
    }

    fn readable(&self, text: &str) -> String {
        text.replace(&format!("<@{}>", self.ready.bot.id), "@Kaiwa")
    }
}

/// No secret got out, and of everything that was written it was said whom it
/// may ping, whatever the story was about.
impl Drop for Story {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.heard.read(show_end);
            return;
        }
        // A bot that others wrote may leave it open.
        if self.setup.is_some() {
            let open = self.emulator.counts().open_mentions;
            assert_eq!(open, 0, "messages that left open whom they ping");
        }
        let (models, keys) = self.models_and_keys();
        let tokens = self.emulator.handed_out_tokens().into_iter();
        let token = self.ready.bot.token.clone();
        let mut canary = Canary::new(tokens.chain(keys).chain([token]));
        self.heard.read(|log| canary.search("the log", log));
        CapturedLog::read_elsewhere(|log| canary.search("the log of another thread", log));
        for model in models {
            canary.search("a prompt", &model.told_so_far());
        }
        canary.search_files(self.data.path());
        canary.assert_silent();
    }
}

/// Shows what the bot logged last, beside what a story failed of.
#[expect(clippy::print_stderr, reason = "it is for whoever reads the failure")]
fn show_end(log: &[u8]) {
    let log = String::from_utf8_lossy(log);
    let lines: Vec<&str> = log
        .lines()
        .filter(|line| !line.contains(" TRACE "))
        .collect();
    let end = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
    eprintln!("the log ends with:\n{}", end.join("\n"));
}

fn url(text: &str) -> Url {
    text.parse().expect("an address")
}
