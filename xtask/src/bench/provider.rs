//! The reader of models' answers beside another, and in a crowd, by the crate in
//! `benches/provider`.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{cargo, page};
use crate::{root, run};

/// How many answers are listened to at a time.
const CROWD: &str = "5000";

/// How long the generator speaks, in seconds: gathering and listening.
const SPEAKS: &str = "25";

/// Measures the reader. Where recordings are at hand, beside the repository,
/// they are read too.
pub(crate) fn provider() -> Result<(), String> {
    let machine = page::machine()?;
    run(cargo()
        .args(["build", "--profile", "compare"])
        .args(["--package", "kaiwa-bench-provider"]))?;
    let built = root().join("target/compare");
    let shared = root().parent().map(|beside| beside.join("shared/streams"));
    let mut reading = Command::new(built.join("kaiwa-bench-provider"));
    reading.arg("reading");
    match shared.filter(|folder| folder.join("index.json").exists()) {
        Some(folder) => {
            reading.arg(folder);
        }
        None => println!("no ../shared/streams: only our own answers are read"),
    }
    println!("reading, which takes half a minute");
    let reading = output(&mut reading)?;
    println!("listening to {CROWD} answers at a time, which takes half a minute");
    let crowd = crowd(&built)?;
    page::publish_text("provider", &machine, &format!("{reading}\n\n{crowd}"))
}

/// Listens to many answers; who gives them is a process of its own.
fn crowd(built: &Path) -> Result<String, String> {
    let mut load = with_files(built.join("load"))
        .arg(SPEAKS)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut address = String::new();
    if let Some(stdout) = load.stdout.take() {
        let _ = BufReader::new(stdout).read_line(&mut address);
    }
    let listened = output(with_files(built.join("kaiwa-bench-provider")).args([
        "crowd",
        address.trim(),
        CROWD,
    ]));
    let _ = load.kill();
    let _ = load.wait();
    listened
}

/// A program with as many open files as the system allows.
fn with_files(program: PathBuf) -> Command {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "ulimit -n \"$(ulimit -H -n)\"; exec \"$0\" \"$@\""])
        .arg(program);
    shell
}

fn output(command: &mut Command) -> Result<String, String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("{command:?} ended with {}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.trim_end().to_owned())
}
