//! `kaiwa play`: emulator, bot, model and page in one process.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use kaiwa_discord::Access;
use kaiwa_domain::Timestamp;
use kaiwa_domain::port::{ChatModel, Clock};
use kaiwa_emulator::{Emulator, World};
use kaiwa_runtime::SystemClock;
use kaiwa_understudy::Pace;
use secrecy::SecretString;
use tempfile::TempDir;
use tokio::sync::watch;

use crate::args::PlayArgs;
use crate::assembly::{Parts, RunningBot, start};
use crate::config::{Config, LogFormat, environment};
use crate::process::Process;
use crate::{console, model};

/// The understudy speaks about as fast as people read.
const PACE: Duration = Duration::from_millis(40);

/// The name that forces the scripted model.
const UNDERSTUDY: &str = "understudy";

pub(crate) async fn play(args: PlayArgs) -> Result<()> {
    console::log("warn", LogFormat::Text)?;
    let mut progress = Progress::begin();
    let config = config(args.config.as_deref())?;
    let listener = console::listen(args.port).await?;
    let (process, observability) = Process::start()?;

    let emulator = Emulator::new(World::default());
    emulator.announce(listener.local_addr()?);
    let ready = emulator.ready();
    let extra = kaiwa_web::page().merge(observability);
    let serving = emulator.serve(listener, extra, process.shutdown.clone());
    process.tasks.spawn("emulator", serving);
    progress.done("a Discord of your own");

    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let chosen = choose(&config, args.model.as_deref(), &clock, &process).await?;
    progress.done(&format!("the model: {}", chosen.name));

    let folder = Folder::new(args.data)?;
    let setup = model::setup(&config, chosen.model);
    let bot = start(Parts {
        access: Access {
            token: SecretString::from(ready.bot.token),
            api_url: ready.api_url.parse()?,
            gateway_url: None,
            message_content: true,
        },
        data: folder.path(),
        clock,
        setup: watch::channel(Arc::new(setup)).1,
    });
    let mut bot = bot.await?;
    bot.connected().await?;
    process.is_ready();
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
    let ended = wait(&mut bot).await;
    process.end(bot).await?;
    ended
}

async fn wait(bot: &mut RunningBot) -> Result<()> {
    tokio::select! {
        () = console::asked_to_stop() => Ok(()),
        failure = bot.failure() => Err(failure.into()),
    }
}

/// The named configuration, the one in this folder, or the defaults.
fn config(named: Option<&Path>) -> Result<Config> {
    let here = Path::new("kaiwa.toml");
    match named {
        Some(path) => Ok(Config::load(path)?),
        None if here.exists() => Ok(Config::load(here)?),
        None => Ok(Config::parse(here, "")?),
    }
}

/// A model, and how to get another.
struct Chosen {
    model: Arc<dyn ChatModel>,
    name: String,
    advice: &'static str,
}

async fn choose(
    config: &Config,
    wanted: Option<&str>,
    clock: &Arc<dyn Clock>,
    process: &Process,
) -> Result<Chosen> {
    let wanted_real = wanted.filter(|name| *name != UNDERSTUDY);
    if wanted == Some(UNDERSTUDY) {
        return understudy(clock.clone(), process).await;
    }
    if let Some(provider) = &config.provider {
        let mut provider = provider.clone();
        if let Some(name) = wanted_real {
            provider.model = name.to_owned();
        }
        let key = config.provider_key(&environment)?;
        model::reach(&provider, key.as_ref()).await?;
        return Ok(Chosen {
            name: format!("{} at {}", provider.model, provider.base_url),
            model: model::configured(&provider, key, clock.clone())?,
            advice: "The model comes from [provider] in kaiwa.toml; --model understudy plays offline.",
        });
    }
    if let Some(local) = model::find_local().await {
        let known = |name: &str| local.models.iter().find(|model| *model == name).cloned();
        let name = match wanted_real {
            Some(name) => known(name).with_context(|| {
                let models = local.models.join(", ");
                format!("{} has no model {name:?}; it has: {models}", local.server)
            })?,
            None => local.models.first().cloned().unwrap_or_default(),
        };
        return Ok(Chosen {
            name: format!("{name} at {} ({})", local.base_url, local.server),
            model: model::local(local.base_url, name, clock.clone())?,
            advice: "Another model: --model NAME, or [provider] in kaiwa.toml.",
        });
    }
    match wanted_real {
        Some(name) => bail!(
            "there is no server for the model {name:?}: start Ollama, llama.cpp or LM Studio, or add [provider] to kaiwa.toml"
        ),
        None => understudy(clock.clone(), process).await,
    }
}

/// The scripted model, served in this process.
async fn understudy(clock: Arc<dyn Clock>, process: &Process) -> Result<Chosen> {
    let listener = console::listen(0).await?;
    let base_url = format!("http://{}/v1", listener.local_addr()?).parse()?;
    let serving = kaiwa_understudy::serve(listener, pace(), process.shutdown.clone());
    process.tasks.spawn("understudy", serving);
    Ok(Chosen {
        name: "the understudy, a script (no AI)".into(),
        model: model::local(base_url, UNDERSTUDY.into(), clock)?,
        advice: "A real model: start Ollama, or add [provider] to kaiwa.toml, then play again.",
    })
}

/// The pace of the scripted model; benchmarks set it to zero.
fn pace() -> Pace {
    let millis = environment("KAIWA_UNDERSTUDY_PACE_MS").and_then(|text| text.parse().ok());
    Pace::new(millis.map_or(PACE, Duration::from_millis))
}

/// The data folder: the given one, or one that is gone afterwards.
enum Folder {
    Given(PathBuf),
    Temporary(TempDir),
}

impl Folder {
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
struct Progress {
    last: Timestamp,
}

impl Progress {
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
