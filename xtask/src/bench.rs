//! `cargo xtask bench`: what is measured goes to `docs/benchmarks.md`.
//!
//! `start` is how long builds, starts and answers take, and how much memory
//! the bot needs; `text` is the text engine beside the splitter that a Rust
//! user would pick; `provider` is the reader of models' answers beside another;
//! `emulator` is Discord in a box under load; `admit` is the gate, `actions` the door and the settings,
//! `deliver` many answers at once, and `brief` how long it takes to write what a model is
//! told.

#![expect(
    clippy::disallowed_types,
    reason = "a stopwatch measures real time, not the Clock port's"
)]

mod brief;
mod builds;
mod emulator;
mod figure;
mod page;
mod printed;
mod provider;
mod rest;
mod running;
mod startup;
mod text;

use std::path::PathBuf;
use std::process::{Command, Stdio};

pub(crate) use printed::{actions, admit, deliver, deliver_beside, try_deliver};
pub(crate) use provider::provider;
pub(crate) use text::text;

use crate::{root, run};
use figure::Figure;

/// Measures everything but cold builds, which take minutes and are asked for
/// with `--builds`.
pub(crate) fn start(args: &[&str]) -> Result<(), String> {
    let with_builds = match args {
        [] => false,
        ["--builds"] => true,
        _ => return Err("bench start takes only --builds".into()),
    };
    // Before our own builds, which would count as load.
    let machine = page::machine()?;
    if with_builds {
        page::publish("builds", &machine, &builds::measure()?)?;
    }
    run(cargo().args(["build", "--release", "--package", "kaiwa"]))?;
    run(cargo().args([
        "bench",
        "--no-run",
        "--package",
        "kaiwa-e2e",
        "--bench",
        "latency",
    ]))?;
    let mut figures = startup::measure()?;
    figures.extend(rest::measure()?);
    figures.extend(latency()?);
    page::publish("start", &machine, &figures)
}

/// Measures briefs.
pub(crate) fn brief() -> Result<(), String> {
    let machine = page::machine()?;
    page::publish("brief", &machine, &brief::measure()?)
}

/// Measures the emulator under load.
pub(crate) fn emulator() -> Result<(), String> {
    let machine = page::machine()?;
    page::publish("emulator", &machine, &emulator::measure()?)
}

/// The same with a small load, on the terminal only.
pub(crate) fn try_emulator() -> Result<(), String> {
    emulator::quick()
}

/// The profile of binaries that are shipped. What many people at once would
/// feel is measured with it; the first command is built in less time and takes
/// more of the processor.
const SHIPPED: &str = "dist";

/// Cargo, building into this repository's `target`.
fn cargo() -> Command {
    let mut cargo = crate::cargo();
    cargo.env("CARGO_TARGET_DIR", root().join("target"));
    cargo
}

/// The program that `cargo` built.
fn kaiwa() -> Command {
    let name = format!("kaiwa{}", std::env::consts::EXE_SUFFIX);
    Command::new(root().join("target/release").join(name))
}

/// An empty folder for a measurement.
fn empty_folder(name: &str) -> Result<PathBuf, String> {
    let folder = root().join("target/bench").join(name);
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(failed)?;
    }
    std::fs::create_dir_all(&folder).map_err(failed)?;
    Ok(folder)
}

/// Has the end-to-end bench measure answers, and reads its line.
fn latency() -> Result<Vec<Figure>, String> {
    let output = cargo()
        .args(["bench", "--quiet", "--package", "kaiwa-e2e"])
        .args(["--bench", "latency"])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("the latency bench could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("the latency bench ended with {}", output.status));
    }
    let measured: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the latency bench said something else: {error}"))?;
    let mut figures = Vec::new();
    for (key, what) in [("typing", "typing"), ("reply", "first reply")] {
        for rank in ["p50", "p90", "p99", "max"] {
            let value = measured[key][rank]
                .as_f64()
                .ok_or_else(|| format!("the latency bench has no {key}.{rank}"))?;
            let figure = Figure::new(format!("message to {what}, {rank}"), value, "ms");
            figures.push(match rank {
                "p99" => figure.below(15.0),
                _ => figure,
            });
        }
    }
    Ok(figures)
}
