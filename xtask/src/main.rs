//! Developer commands. `cargo xtask` lists them.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool"
)]

mod bench;
mod conformance;
mod suite;
#[cfg(test)]
mod tidy;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const HELP: &str = "\
cargo xtask test [ARGS]      run all tests, then a short series of crashes; ARGS go to `cargo test`
cargo xtask crash [ARGS]     kill a bot again and again and say what was lost:
                             --runs N (1000), --seed S (1), --lanes L (8)
cargo xtask conformance      check the emulator with discord.js, discord.py and hikari; CLIENT names walk these only
cargo xtask bench start      measure start-up, memory and latency; --builds: cold builds too
cargo xtask bench text       measure the text engine beside text-splitter
cargo xtask bench admit      measure how fast events are decided on, and how soon a stop is silence
cargo xtask bench deliver    measure many answers at once under Discord's limits, and what delivery adds without them (--quick: a small try;
                             --beside COMMIT: along with the bot that an earlier commit is)
cargo xtask bench actions    measure what the door to actions costs, and the settings of a place
cargo xtask bench provider   measure how models' answers are read, alone and in a crowd
cargo xtask bench emulator   measure Discord in a box under load; --quick tries a small one
cargo xtask bench brief      measure how long it takes to write what a model is told
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["test", rest @ ..] => test(rest),
        ["crash", rest @ ..] => crash(rest),
        ["conformance", rest @ ..] => conformance::run(rest),
        ["bench", "start", rest @ ..] => bench::start(rest),
        ["bench", "text"] => bench::text(),
        ["bench", "provider"] => bench::provider(),
        ["bench", "admit"] => bench::admit(),
        ["bench", "actions"] => bench::actions(),
        ["bench", "deliver"] => bench::deliver(),
        ["bench", "deliver", "--quick"] => bench::try_deliver(),
        ["bench", "deliver", "--beside", commit] => bench::deliver_beside(commit),
        ["bench", "emulator"] => bench::emulator(),
        ["bench", "emulator", "--quick"] => bench::try_emulator(),
        ["bench", "brief"] => bench::brief(),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        _ => Err(format!("there is no such command; these are:\n{HELP}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

/// How many crashes every test run tries.
const CRASHES: &str = "72";

/// Runs every test, and then a short series of crashes, with programs that are
/// built with the tests. What is chosen by arguments, Cargo runs alone.
fn test(args: &[&str]) -> Result<(), String> {
    if args.iter().any(|it| *it != "--locked") {
        return run(cargo().args(["test", "--workspace"]).args(args));
    }
    suite::run(args)?;
    println!("\n== a short series of crashes");
    kill(&["--runs", CRASHES])
}

/// Builds a bot that dies on request, and has it die.
fn crash(args: &[&str]) -> Result<(), String> {
    let build = [
        "build",
        "--quiet",
        "--package",
        "kaiwa-e2e",
        "--features",
        "failpoints",
        "--bin",
        "crash",
        "--bin",
        "victim",
    ];
    run(cargo().args(build))?;
    kill(args)
}

/// Has the bot die that was built.
fn kill(args: &[&str]) -> Result<(), String> {
    let built = target().join("debug");
    run(Command::new(built.join("crash"))
        .arg(built.join("victim"))
        .args(args))
}

/// The repository.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Where Cargo builds.
fn target() -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    root().join(target)
}

/// Cargo, in the repository.
fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    // What Cargo tells us about xtask would look like a change to build scripts
    // that watch these variables, and have them run again.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            cargo.env_remove(&name);
        }
    }
    cargo.current_dir(root());
    cargo
}

/// Runs a command to its end.
fn run(command: &mut Command) -> Result<(), String> {
    let shown = format!("{command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{shown} ended with {status}")),
        Err(error) => Err(format!("{shown} could not be started: {error}")),
    }
}
