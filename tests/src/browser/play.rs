//! `kaiwa play`, the real binary in a process of its own.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use kaiwa_runtime::Tasks;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::OnceCell;

use crate::soon;

/// How long the understudy pauses before each piece of its answers: shorter
/// than for people, long enough to see it type.
const PACE_MS: &str = "15";

/// A running playground with the understudy for a model.
pub struct Play {
    /// Where its page is.
    pub address: String,
    process: Child,
    // Away from any configuration that happens to lie around.
    _folder: TempDir,
}

impl Play {
    /// Builds the binary if need be, starts it and waits until it says that it
    /// is ready.
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut process = Command::new(binary().await)
            .args(["play", "--no-open", "--port", "0", "--model", "understudy"])
            .current_dir(folder.path())
            .env("KAIWA_UNDERSTUDY_PACE_MS", PACE_MS)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("kaiwa starts");
        let stderr = process.stderr.take().expect("its words");
        let mut lines = BufReader::new(stderr).lines();
        let ready = async {
            let mut heard = String::new();
            while let Ok(Some(line)) = lines.next_line().await {
                if let Some((_, address)) = line.split_once("Kaiwa is ready:") {
                    return address.trim().to_owned();
                }
                heard = heard + &line + "\n";
            }
            panic!("kaiwa ended before it was ready:\n{heard}");
        };
        let address = soon("kaiwa to be ready", ready).await;
        Tasks::new().spawn("words of kaiwa", async move {
            while let Ok(Some(_)) = lines.next_line().await {}
        });
        Self {
            address,
            process,
            _folder: folder,
        }
    }

    /// Presses Ctrl-C; the process must end well.
    pub async fn is_interrupted(mut self) {
        let id = self.process.id().expect("a running process").to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().await;
        assert!(sent.is_ok_and(|sent| sent.success()), "no signal was sent");
        let ended = soon("kaiwa to end", self.process.wait()).await;
        assert_eq!(ended.expect("an end").code(), Some(0));
    }
}

/// The binary beside this test, of the same build.
async fn binary() -> &'static Path {
    static BUILT: OnceCell<PathBuf> = OnceCell::const_new();
    BUILT.get_or_init(build).await
}

/// Cargo builds it for all tests together; alone, with other features, it takes
/// a while.
async fn build() -> PathBuf {
    if let Some(built) = std::env::var_os("KAIWA_BIN") {
        return built.into();
    }
    // target/PROFILE/deps/this-test
    let this = std::env::current_exe().expect("a path");
    let beside = this.ancestors().nth(2).expect("a folder of the profile");
    let target = beside.parent().expect("a target folder");
    let profile = match beside.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(profile) => profile,
    };
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["build", "--quiet", "--package", "kaiwa"])
        .args(["--profile", profile, "--target-dir"])
        .arg(target);
    // What cargo tells this test about itself would make build scripts that
    // look at it run again.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            cargo.env_remove(&name);
        }
    }
    let built = cargo.status().await;
    assert!(built.is_ok_and(|built| built.success()), "kaiwa is built");
    beside.join("kaiwa")
}
