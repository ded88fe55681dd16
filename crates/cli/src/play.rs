//! `kaiwa play`: emulator, bot, model and page in one process.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use kaiwa_actions::Registry;
use kaiwa_discord::{Access, INVALID_REQUESTS_MOST, REQUESTS_PER_SECOND};
use kaiwa_domain::port::{Clock, Database};
use kaiwa_domain::{Role, Timestamp};
use kaiwa_emulator::{Emulator, World};
use kaiwa_provider::{Candidate, Endpoint, ModelPool, Vendor};
use kaiwa_runtime::{Decisions, SystemClock};
use kaiwa_understudy::StreamPace;
use secrecy::SecretString;
use tempfile::TempDir;
use tokio::sync::watch;
use tracing::Level;
use url::Url;

use crate::args::{PlayArgs, PlayModel};
use crate::assembly::{BotParts, RunningBot, open, start_with};
use crate::config::{Config, LogFormat, environment};
use crate::inspect::{Kept, KeptNow};
use crate::process::Process;
use crate::reach::{self, Reach};
use crate::restart::restarts;
use crate::{console, exit, local, models, prices, search};

/// The understudy speaks about as fast as people read.
const PACE: Duration = Duration::from_millis(40);

/// Where the guilds, people and messages are kept, beside the bot's database.
const WORLD_FILE: &str = "world.json";

/// The scripted model's name.
const UNDERSTUDY: &str = "understudy";

pub(crate) async fn play(args: PlayArgs) -> Result<()> {
    console::log(Level::WARN, LogFormat::Text);
    let mut progress = StartupProgress::begin();
    let config = Config::find(args.config.as_deref())?;
    let listener = console::listen(args.port).await?;
    let (process, observability) = Process::start()?;

    let folder = DataFolder::new(args.data)?;
    let store = open(folder.path()).await?;
    let kept = folder.path().join(WORLD_FILE);
    let emulator = Emulator::open(World::default(), &kept).map_err(exit::needs_a_person)?;
    emulator.keep_traffic();
    emulator.announce(listener.local_addr()?);
    let ready = emulator.ready();
    if matches!(folder, DataFolder::Given(_)) {
        let keeping = emulator.clone();
        let keeping = keeping.keep_snapshot(kept, process.shutdown.clone());
        process.tasks.spawn("world", async {
            if let Err(error) = keeping.await {
                tracing::error!("the world was not kept: {error}");
            }
        });
    }
    let decisions = Decisions::default();
    let inspector = KeptNow::new(Kept {
        store: store.clone(),
        decisions: decisions.clone(),
    });
    let (restart_route, mut restarts) = restarts();
    let extra = kaiwa_web::page()
        .merge(observability)
        .merge(restart_route)
        .merge(kaiwa_web::inspection(Arc::new(inspector.clone())));
    let serving = emulator.serve(listener, extra, process.shutdown.clone());
    process.tasks.spawn("emulator", serving);
    progress.done("a Discord of your own");

    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let chosen = choose(&config, args.model, &process).await?;
    progress.done(&format!("the model: {}", chosen.name));
    prices::warn(&config, &chosen.chat);
    let web_actions = web_actions(&config, &clock, &process).await?;

    let begin = async |store: Arc<dyn Database>, decisions| -> Result<RunningBot> {
        let model_pool = Arc::new(ModelPool::new(clock.clone(), Some(store.clone())));
        let role_models = models::role_models(&config, &model_pool, chosen.chat.clone())?;
        let setup = models::setup(&config, role_models);
        let parts = BotParts {
            access: Access {
                token: SecretString::from(ready.bot.token.clone()),
                api_url: ready.api_url.parse()?,
                gateway_url: None,
                message_content: true,
                guild_members: true,
                extra_ca: None,
                requests_per_second: REQUESTS_PER_SECOND,
                invalid_requests: INVALID_REQUESTS_MOST,
            },
            store,
            model_pool,
            clock: clock.clone(),
            setup: watch::channel(Arc::new(setup)).1,
            decisions,
        };
        let mut bot = start_with(parts, web_actions.clone()).await?;
        bot.connected().await?;
        Ok(bot)
    };
    let mut bot = begin(store, decisions).await?;
    let stop = console::asked_to_stop();
    tokio::pin!(stop);
    process.is_ready(bot.health());
    progress.done("the bot is online");

    console::say(format_args!("\n  Kaiwa is ready:  {}\n", ready.page_url));
    console::say(format_args!(
        "  In #general, type  @Kaiwa hello\n  {}",
        chosen.advice
    ));
    console::say("  Ctrl-C stops it.\n");
    if !args.no_open {
        open_browser(&ready.page_url);
    }
    let ended = loop {
        tokio::select! {
            () = &mut stop => break Ok(()),
            failure = bot.failure() => break Err(failure.into()),
            Some(waiter) = restarts.recv() => {
                bot.stop().await?;
                let store = open(folder.path()).await?;
                let decisions = Decisions::default();
                inspector.replace(Kept {
                    store: store.clone(),
                    decisions: decisions.clone(),
                });
                bot = begin(store, decisions).await?;
                process.is_ready(bot.health());
                console::say("  The bot was restarted.");
                let _ = waiter.send(());
            }
        }
    };
    process.end(bot).await?;
    ended
}

/// Who answers, and how to get another.
struct ChosenModels {
    chat: Vec<Candidate>,
    name: String,
    advice: &'static str,
}

async fn choose(
    config: &Config,
    wanted: Option<PlayModel>,
    process: &Process,
) -> Result<ChosenModels> {
    match wanted {
        Some(PlayModel::Understudy) => return understudy(process).await,
        Some(PlayModel::Model(name)) => {
            let candidate = models::given(config, &name)?;
            return real(config, vec![candidate], "--model understudy plays offline.").await;
        }
        None => {}
    }
    let chat = models::candidates(config, Role::Chat)?;
    if !chat.is_empty() {
        let advice = "The model comes from kaiwa.toml; --model understudy plays offline.";
        return real(config, chat, advice).await;
    }
    for candidate in local::models(config).await {
        match local::try_out(&candidate).await {
            Ok(()) => {
                return Ok(ChosenModels {
                    name: format!("{} at {}", candidate.name, candidate.endpoint.base_url),
                    chat: vec![candidate],
                    advice: "Another model: --model VENDOR/MODEL, or [models] in kaiwa.toml.",
                });
            }
            Err(error) => console::say(format_args!(
                "  {} was tried and does not answer: {error}",
                candidate.name
            )),
        }
    }
    understudy(process).await
}

/// Real models, of which at least one is there and is who it says.
async fn real(config: &Config, chat: Vec<Candidate>, advice: &'static str) -> Result<ChosenModels> {
    let (there, reached) = reach::any(config, &chat).await?;
    if let Reach::Unlisted(models) = reached {
        bail!(exit::needs_a_person(reach::unlisted(there, &models)));
    }
    Ok(ChosenModels {
        name: format!("{} at {}", there.name, there.endpoint.base_url),
        chat,
        advice,
    })
}

/// The scripted model, served in this process.
async fn understudy(process: &Process) -> Result<ChosenModels> {
    let listener = console::listen(0).await?;
    let base_url: Url = format!("http://{}/v1", listener.local_addr()?).parse()?;
    let serving = kaiwa_understudy::serve(listener, pace(), process.shutdown.clone());
    process.tasks.spawn("understudy", serving);
    let candidate = Candidate {
        name: UNDERSTUDY.to_owned(),
        endpoint: Endpoint::at(Vendor::at(&base_url), base_url, UNDERSTUDY.to_owned()),
        keys: Vec::new(),
        price: Some(prices::FREE),
        context: None,
    };
    Ok(ChosenModels {
        name: "the understudy, a script (no AI)".into(),
        chat: vec![candidate],
        advice: "A real model: start Ollama, or name one in kaiwa.toml under [models], then play again.",
    })
}

/// What the bot may do on the web: as the configuration has it, or with a
/// library in this process if that names no engine.
async fn web_actions(
    config: &Config,
    clock: &Arc<dyn Clock>,
    process: &Process,
) -> Result<Registry> {
    if !config.search.engines().is_empty() {
        return search::actions(config, clock);
    }
    let listener = console::listen(0).await?;
    let library = listener.local_addr()?;
    let serving = kaiwa_understudy::serve_library(listener, process.shutdown.clone());
    process.tasks.spawn("library", serving);
    search::offline(library, clock)
}

/// The pace of the scripted model; benchmarks set it to zero.
fn pace() -> StreamPace {
    let millis = environment("KAIWA_UNDERSTUDY_PACE_MS").and_then(|text| text.parse().ok());
    StreamPace::new(millis.map_or(PACE, Duration::from_millis))
}

/// The data folder: the given one, or one that is gone afterwards.
enum DataFolder {
    Given(PathBuf),
    Temporary(TempDir),
}

impl DataFolder {
    fn new(given: Option<PathBuf>) -> Result<Self> {
        match given {
            Some(path) => Ok(Self::Given(path)),
            None => tempfile::Builder::new()
                .prefix("kaiwa-play-")
                .tempdir()
                .map(Self::Temporary)
                .context("no temporary folder could be made: choose one with --data"),
        }
    }

    fn path(&self) -> &Path {
        match self {
            Self::Given(path) => path,
            Self::Temporary(folder) => folder.path(),
        }
    }
}

/// Says what is up and how long it took.
struct StartupProgress {
    last: Timestamp,
}

impl StartupProgress {
    fn begin() -> Self {
        console::say(format_args!(
            "Kaiwa {} is starting…",
            env!("CARGO_PKG_VERSION")
        ));
        Self {
            last: SystemClock.now(),
        }
    }

    fn done(&mut self, what: &str) {
        let now = SystemClock.now();
        let took = now.since(self.last).as_millis();
        console::say(format_args!("  ✓ {what} ({took} ms)"));
        self.last = now;
    }
}

/// Opens the page where there is a desktop to open it on.
fn open_browser(url: &str) {
    let desktop = ["DISPLAY", "WAYLAND_DISPLAY"];
    let opener: &[&str] = if cfg!(target_os = "macos") {
        &["open"]
    } else if cfg!(windows) {
        &["cmd", "/C", "start", ""]
    } else if desktop.iter().any(|name| environment(name).is_some()) {
        &["xdg-open"]
    } else {
        return;
    };
    let Some((program, args)) = opener.split_first() else {
        return;
    };
    let quiet = Command::new(program)
        .args(args)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if quiet.is_err() {
        console::say("  (no browser could be opened; use the address above)");
    }
}
