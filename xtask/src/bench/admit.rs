//! How fast the gate decides, and how soon a stop is silence, by the bench of
//! the end-to-end tests.

use std::process::Stdio;

use super::{cargo, page};

/// Measures the gate.
pub(crate) fn admit() -> Result<(), String> {
    let machine = page::machine()?;
    let output = cargo()
        .args(["bench", "--quiet", "--package", "kaiwa-e2e"])
        .args(["--bench", "admit"])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("the bench of the gate could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "the bench of the gate ended with {}",
            output.status
        ));
    }
    let tables = String::from_utf8_lossy(&output.stdout).into_owned();
    page::publish_text("admit", &machine, tables.trim_end())
}
