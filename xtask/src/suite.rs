//! `cargo xtask test`: builds all test programs, then runs them side by side.
//!
//! `cargo test` runs one program at a time, and most wait more than they
//! compute: for a clock, a socket, a browser.

#![expect(
    clippy::disallowed_types,
    reason = "a stopwatch measures real time, not the Clock port's"
)]

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{cargo, target};

/// How long one program may take. What hangs is killed and named.
const LIMIT: Duration = Duration::from_secs(600);

/// How often it is looked whether a program has ended.
const GLANCE: Duration = Duration::from_millis(50);

/// One program, or all examples in the documentation.
struct Job {
    name: String,
    command: Command,
    size: u64,
}

/// Builds and runs all tests with these flags of Cargo.
pub(crate) fn run(flags: &[&str]) -> Result<(), String> {
    let flags = [
        &["--workspace", "--features", "kaiwa-e2e/failpoints"],
        flags,
    ]
    .concat();
    let mut jobs = build(&flags)?;
    // The largest take longest, and nobody should be left to wait for one alone.
    jobs.sort_by_key(|job| std::cmp::Reverse(job.size));
    let mut documentation = cargo();
    documentation.args(["test", "--doc"]).args(&flags);
    jobs.push(Job {
        name: "documentation".into(),
        command: documentation,
        size: 0,
    });

    let began = Instant::now();
    let lanes = thread::available_parallelism().map_or(1, usize::from);
    let (programs, jobs) = (jobs.len(), Mutex::new(VecDeque::from(jobs)));
    let failed = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..lanes {
            scope.spawn(|| {
                loop {
                    let next = lock(&jobs).pop_front();
                    let Some(job) = next else { break };
                    if let Err(name) = run_one(job) {
                        lock(&failed).push(name);
                    }
                }
            });
        }
    });
    let took = began.elapsed().as_secs();
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    if failed.is_empty() {
        println!("\n{programs} programs passed in {took} s");
        Ok(())
    } else {
        Err(format!("tests failed in {}", failed.join(", ")))
    }
}

/// Builds every test program and says how each is run.
fn build(flags: &[&str]) -> Result<Vec<Job>, String> {
    let built = cargo()
        .args([
            "test",
            "--no-run",
            "--message-format=json-render-diagnostics",
        ])
        .args(flags)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo could not be started: {error}"))?;
    if !built.status.success() {
        return Err("the tests could not be built".into());
    }
    let text = String::from_utf8_lossy(&built.stdout);
    let messages = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    Ok(messages
        .filter_map(|message: Value| program(&message))
        .collect())
}

/// The test program that a message of Cargo tells of.
fn program(message: &Value) -> Option<Job> {
    let is_test = message["profile"]["test"].as_bool()?;
    let file = PathBuf::from(message["executable"].as_str()?);
    let manifest = Path::new(message["manifest_path"].as_str()?);
    let folder = manifest.parent().filter(|_| is_test)?;
    let mut command = Command::new(&file);
    command
        .current_dir(folder)
        .arg("--show-output")
        .env("CARGO_MANIFEST_DIR", folder)
        .env("KAIWA_BIN", target().join("debug/kaiwa"));
    Some(Job {
        name: format!(
            "{}: {}",
            folder.file_name()?.to_string_lossy(),
            message["target"]["name"].as_str()?
        ),
        command,
        size: file.metadata().map_or(0, |it| it.len()),
    })
}

/// Runs a program to its end, and says what came of it: everything if it
/// failed, else how many passed and what was skipped.
fn run_one(mut job: Job) -> Result<(), String> {
    let began = Instant::now();
    let JobOutput {
        status,
        said,
        errors,
    } = match output(&mut job) {
        Ok(output) => output,
        Err(error) => {
            println!("{} could not be run: {error}", job.name);
            return Err(job.name);
        }
    };
    let took = began.elapsed().as_secs_f32();
    if !status.is_some_and(|status| status.success()) {
        let ended = match status {
            Some(status) => status.to_string(),
            None => format!("killed after {} s", LIMIT.as_secs()),
        };
        println!(
            "{} FAILED, {ended} ({took:.1} s)\n{said}\n{errors}",
            job.name
        );
        return Err(job.name);
    }
    let results = said.lines();
    let results = results.filter_map(|it| it.strip_prefix("test result: ok. "));
    let counts = results.filter_map(|it| it.split(' ').next()?.parse::<u32>().ok());
    match counts.reduce(|sum, count| sum + count) {
        Some(passed) => println!("{}: {passed} passed ({took:.1} s)", job.name),
        None => println!("{}: passed ({took:.1} s)", job.name),
    }
    for line in said.lines().chain(errors.lines()) {
        if line.contains("SKIPPED") {
            println!("  {line}");
        }
    }
    Ok(())
}

/// What came of a program; no status if it had to be killed.
struct JobOutput {
    status: Option<ExitStatus>,
    said: String,
    errors: String,
}

/// Runs a program for [`LIMIT`] at most. It writes to files: a pipe would be
/// open for as long as a process that it left behind.
fn output(job: &mut Job) -> io::Result<JobOutput> {
    let folder = target().join("suite");
    fs::create_dir_all(&folder)?;
    let program = Path::new(job.command.get_program());
    let log = folder.join(program.file_name().unwrap_or_default());
    let files = ["out", "err"].map(|end| log.with_added_extension(end));
    let mut child = job
        .command
        .stdin(Stdio::null())
        .stdout(File::create(&files[0])?)
        .stderr(File::create(&files[1])?)
        .spawn()?;
    let status = wait(&mut child)?;
    let read =
        |file: &PathBuf| Ok::<_, io::Error>(String::from_utf8_lossy(&fs::read(file)?).into());
    Ok(JobOutput {
        status,
        said: read(&files[0])?,
        errors: read(&files[1])?,
    })
}

fn wait(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    let began = Instant::now();
    while began.elapsed() < LIMIT {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(GLANCE);
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

fn lock<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
