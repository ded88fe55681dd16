//! Benches of the end-to-end tests that print their own tables: the gate, the
//! door to actions, and delivery.

use std::process::{Command, Stdio};

use super::{SHIPPED, cargo, page};
use crate::run;

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
    let machine = page::machine()?;
    let output = bench(name)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("the bench {name} could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("the bench {name} ended with {}", output.status));
    }
    let tables = String::from_utf8_lossy(&output.stdout).into_owned();
    page::publish_text(name, &machine, tables.trim_end())
}
