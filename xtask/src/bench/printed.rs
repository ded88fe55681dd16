//! Benches of the end-to-end tests that print their own tables: the gate, the
//! door to actions, and delivery.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::{SHIPPED, cargo, empty_folder, page};
use crate::{root, run};

/// Measures how fast the gate decides, and how soon a stop is silence.
pub(crate) fn admit() -> Result<(), String> {
    publish("admit")
}

/// Measures the door and the settings.
pub(crate) fn actions() -> Result<(), String> {
    publish("actions")
}

/// Measures many answers at once, with a bot as it is shipped.
pub(crate) fn deliver() -> Result<(), String> {
    publish("deliver")
}

/// The same beside the bot that an earlier commit is.
pub(crate) fn deliver_beside(commit: &str) -> Result<(), String> {
    let before = build_of(commit)?;
    publish_from(
        "deliver",
        bench("deliver").env("KAIWA_BENCH_BESIDE", before),
    )
}

/// Builds the bot that a commit is, as it is shipped.
fn build_of(commit: &str) -> Result<PathBuf, String> {
    let folder = empty_folder("beside")?;
    let archive = folder.with_extension("tar");
    let mut git = Command::new("git");
    git.current_dir(root()).args(["archive", "--output"]);
    run(git.arg(&archive).args(["--end-of-options", commit]))?;
    run(Command::new("tar")
        .arg("-xf")
        .arg(&archive)
        .arg("-C")
        .arg(&folder))?;
    let built = root().join("target/bench/beside-built");
    let mut build = cargo();
    build.current_dir(&folder).env("CARGO_TARGET_DIR", &built);
    build.args(["build", "--package", "kaiwa", "--profile", SHIPPED]);
    run(&mut build)?;
    let name = format!("kaiwa{}", std::env::consts::EXE_SUFFIX);
    Ok(built.join(SHIPPED).join(name))
}

/// The same with few of them, on the terminal only.
pub(crate) fn try_deliver() -> Result<(), String> {
    run(bench("deliver").env("KAIWA_BENCH_QUICK", "1"))
}

fn bench(name: &str) -> Command {
    let profile = match name {
        "deliver" => SHIPPED,
        _ => "bench",
    };
    let mut command = cargo();
    command
        .args(["bench", "--quiet", "--package", "kaiwa-e2e"])
        .args(["--profile", profile, "--bench", name]);
    command
}

/// Runs the bench of that name and puts its tables on the page.
fn publish(name: &str) -> Result<(), String> {
    publish_from(name, &mut bench(name))
}

fn publish_from(name: &str, bench: &mut Command) -> Result<(), String> {
    let machine = page::machine()?;
    let output = bench
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("the bench {name} could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("the bench {name} ended with {}", output.status));
    }
    let tables = String::from_utf8_lossy(&output.stdout).into_owned();
    page::publish_text(name, &machine, tables.trim_end())
}
