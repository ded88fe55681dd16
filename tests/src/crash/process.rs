//! The processes of a lane.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::plan::Death;

/// A process that dies with us.
pub(super) struct ChildProcess(Child);

impl ChildProcess {
    /// Kills it as `kill -9` does.
    pub(super) async fn kill(mut self) {
        let _ = self.0.start_kill();
        let _ = self.0.wait().await;
    }

    /// Whether it has ended by itself.
    pub(super) fn has_ended(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(Some(_)))
    }

    /// Completes when it has ended, or after a while.
    pub(super) async fn ends_within(&mut self, patience: Duration) {
        let _ = tokio::time::timeout(patience, self.0.wait()).await;
    }
}

/// Starts an emulator and returns what it says about itself.
pub(super) async fn emulator(binary: &Path, world: &Path) -> (ChildProcess, Value) {
    let mut child = Command::new(binary)
        .args(["emulate", "--port", "0", "--world"])
        .arg(world)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("the binary starts");
    let output = child.stdout.take().expect("its output");
    let mut lines = BufReader::new(output).lines();
    let line = lines.next_line().await.expect("output").expect("a line");
    let ready = serde_json::from_str(&line).expect("JSON");
    (ChildProcess(child), ready)
}

/// Gives a guild the persona of a card.
pub(super) async fn import(binary: &Path, card: &Path, data: &Path, guild: &str) {
    let imported = Command::new(binary)
        .args(["persona", "import", "--guild", guild, "--data"])
        .arg(data)
        .arg(card)
        .stderr(Stdio::null())
        .status()
        .await
        .expect("the binary starts");
    assert!(imported.success(), "{imported}");
}

/// Starts a bot, which may be made to die at a point.
pub(super) fn bot(
    binary: &Path,
    config: &Path,
    data: &Path,
    token: &str,
    death: Option<Death>,
) -> ChildProcess {
    let mut command = Command::new(binary);
    command
        .args(["run", "--config"])
        .arg(config)
        .arg("--data")
        .arg(data)
        .env("DISCORD_TOKEN", token)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    if let Some(Death::Point(point, after)) = death {
        command.env("KAIWA_FAILPOINT", format!("{}:{after}", point.name()));
    }
    ChildProcess(command.spawn().expect("the binary starts"))
}
