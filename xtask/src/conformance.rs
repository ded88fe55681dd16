//! `cargo xtask conformance`: the emulator, checked by clients that others
//! wrote. `conformance/README.md` says how; the rows go to
//! `conformance/results.jsonl`.

mod child;
mod install;
mod walk;

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::{root, run as run_to_end};

/// What one client said of one feature.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FeatureResult {
    client: String,
    feature: String,
    version: String,
    /// Why it failed, or nothing.
    note: Option<String>,
}

impl FeatureResult {
    fn to_json(&self) -> String {
        let text = |text: &str| Value::from(text).to_string();
        let result = if self.note.is_some() { "fail" } else { "pass" };
        let note = match &self.note {
            Some(note) => format!(",\"note\":{}", text(note)),
            None => String::new(),
        };
        format!(
            "{{\"client\":{},\"version\":{},\"feature\":{},\"result\":\"{result}\"{note}}}\n",
            text(&self.client),
            text(&self.version),
            text(&self.feature),
        )
    }
}

pub(crate) fn run() -> Result<(), String> {
    let walks = [install::discord_js()?, install::discord_py()?];
    println!("building kaiwa");
    run_to_end(
        crate::cargo()
            .env("CARGO_TARGET_DIR", root().join("target"))
            .args(["build", "--quiet", "--package", "kaiwa"]),
    )?;

    let mut rows = Vec::new();
    for walk in walks {
        rows.extend(walk.rows()?);
    }
    rows.sort();
    let results: String = rows.iter().map(FeatureResult::to_json).collect();
    let path = root().join("conformance/results.jsonl");
    fs::write(&path, results)
        .map_err(|error| format!("{} could not be written: {error}", path.display()))?;

    let failed = rows.iter().filter(|row| row.note.is_some()).count();
    println!("\n{} passed, {failed} failed", rows.len() - failed);
    println!("written to conformance/results.jsonl");
    match failed {
        0 => Ok(()),
        _ => Err(format!(
            "{failed} features failed; the logs are in {}",
            folder().display()
        )),
    }
}

/// Where clients are installed and logs are kept.
fn folder() -> PathBuf {
    root().join("target").join("conformance")
}
