//! A bot that others could have written: discord.js as its package manager
//! installs it, in a process of its own.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use kaiwa_emulator::Ready;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::Semaphore;

/// Installing takes a while where nothing is cached.
const INSTALL_PATIENCE: Duration = Duration::from_secs(180);
const START_PATIENCE: Duration = Duration::from_secs(30);

/// Tests that run at once share the folder: one of them installs.
static INSTALLING: Semaphore = Semaphore::const_new(1);
/// Each has a script of its own.
static STARTED: AtomicU32 = AtomicU32::new(0);

/// A running bot. Dropping it ends it.
pub struct NodeBot {
    _process: Child,
    input: ChildStdin,
}

impl NodeBot {
    /// Installs discord.js below `folder` if need be, starts `script` and waits
    /// until it says `ready`. Where there is no Node, or discord.js cannot be
    /// had, says so loudly and gives none.
    pub async fn start(folder: &str, script: &str, ready: &Ready) -> Option<Self> {
        let home = Path::new(folder).join("discord_js");
        let installed = {
            let _alone = INSTALLING.acquire().await;
            install(&home).await
        };
        if let Err(reason) = installed {
            skip(&reason);
            return None;
        }
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let file = home.join(format!("bot-{number}.mjs"));
        std::fs::write(&file, script).expect("the script is written");
        let world = serde_json::to_string(ready).expect("JSON");
        let mut process = Command::new("node")
            .arg(&file)
            .arg(world)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("node starts");
        let input = process.stdin.take().expect("its input");
        let output = process.stdout.take().expect("its output");
        let mut lines = BufReader::new(output).lines();
        let up = async {
            while let Ok(Some(line)) = lines.next_line().await {
                if line == "ready" {
                    return;
                }
            }
            panic!("the bot ended before it was ready");
        };
        let up = tokio::time::timeout(START_PATIENCE, up).await;
        assert!(up.is_ok(), "still waiting for the bot");
        Some(Self {
            _process: process,
            input,
        })
    }

    /// Gives the bot the sign that it waits for.
    pub async fn goes_on(&mut self) {
        self.input
            .write_all(b"go\n")
            .await
            .expect("a bot that listens");
    }
}

/// The version that `cargo xtask conformance` checks.
const PINS: &str = include_str!("../../../conformance/discord_js/package.json");

async fn install(home: &Path) -> Result<(), String> {
    let stamp = home.join("installed.json");
    if std::fs::read_to_string(&stamp).is_ok_and(|known| known == PINS) {
        return Ok(());
    }
    let write = |path: &Path| std::fs::write(path, PINS).map_err(|error| error.to_string());
    std::fs::create_dir_all(home).map_err(|error| error.to_string())?;
    write(&home.join("package.json"))?;
    let npm = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--no-package-lock"])
        .args(["--omit=optional", "--loglevel=error"])
        .current_dir(home)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .status();
    match tokio::time::timeout(INSTALL_PATIENCE, npm).await {
        Ok(Ok(status)) if status.success() => write(&stamp),
        Ok(Ok(_)) => Err("npm could not install discord.js".to_owned()),
        Ok(Err(error)) => Err(format!("npm does not run here: {error}")),
        Err(_) => Err("npm took too long".to_owned()),
    }
}

/// Past the test harness, which would hide the words of a test that passes.
fn skip(reason: &str) {
    let words =
        format!("SKIPPED: the test of a discord.js bot needs Node, npm and discord.js: {reason}");
    let line = "═".repeat(words.chars().count() + 4);
    let _ = writeln!(std::io::stderr(), "\n╔{line}╗\n║  {words}  ║\n╚{line}╝");
}
