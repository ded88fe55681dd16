//! Benches of the end-to-end tests that print their own tables: the gate, and
//! the door to actions.

use std::process::Stdio;

use super::{cargo, page};

/// Measures how fast the gate decides, and how soon a stop is silence.
pub(crate) fn admit() -> Result<(), String> {
    publish("admit")
}

/// Measures the door and the settings.
pub(crate) fn actions() -> Result<(), String> {
    publish("actions")
}

/// Runs the bench of that name and puts its tables on the page.
fn publish(name: &str) -> Result<(), String> {
    let machine = page::machine()?;
    let output = cargo()
        .args(["bench", "--quiet", "--package", "kaiwa-e2e"])
        .args(["--bench", name])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("the bench {name} could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("the bench {name} ended with {}", output.status));
    }
    let tables = String::from_utf8_lossy(&output.stdout).into_owned();
    page::publish_text(name, &machine, tables.trim_end())
}
