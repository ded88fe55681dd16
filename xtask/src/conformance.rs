//! `cargo xtask conformance`: the emulator, checked by clients that others
//! wrote. `conformance/README.md` says how; the rows go to
//! `conformance/results.jsonl`.

mod child;
mod guide;
mod install;
mod table;
mod walk;

use std::fs;
use std::path::PathBuf;
use std::thread;

use serde_json::Value;

use crate::{root, run as run_to_end};
use table::FeatureTable;
use walk::Walk;

/// What one client said of one feature.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FeatureResult {
    client: String,
    feature: String,
    version: String,
    outcome: FeatureOutcome,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FeatureOutcome {
    Pass,
    /// Why.
    Fail(String),
    /// Why the client cannot have it.
    Absent(String),
}

impl FeatureResult {
    fn failed(&self) -> bool {
        matches!(self.outcome, FeatureOutcome::Fail(_))
    }

    fn to_json(&self) -> String {
        let text = |text: &str| Value::from(text).to_string();
        let (result, note) = match &self.outcome {
            FeatureOutcome::Pass => ("pass", String::new()),
            FeatureOutcome::Fail(note) => ("fail", format!(",\"note\":{}", text(note))),
            FeatureOutcome::Absent(note) => ("absent", format!(",\"note\":{}", text(note))),
        };
        format!(
            "{{\"client\":{},\"version\":{},\"feature\":{},\"result\":\"{result}\"{note}}}\n",
            text(&self.client),
            text(&self.version),
            text(&self.feature),
        )
    }

    /// Says it to whoever watches.
    fn shown(self) -> Self {
        let Self {
            client, feature, ..
        } = &self;
        match &self.outcome {
            FeatureOutcome::Pass => println!("  pass    {client}: {feature}"),
            FeatureOutcome::Fail(note) => println!("  FAIL    {client}: {feature}: {note}"),
            FeatureOutcome::Absent(note) => println!("  absent  {client}: {feature}: {note}"),
        }
        self
    }
}

/// `words` may name clients; without any, all of them walk.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    let table = FeatureTable::read()?;
    let node = install::node()?;
    let discord_py = install::python("discord.py", "discord_py")?;
    let hikari = install::python("hikari", "hikari")?;
    println!("building kaiwa");
    run_to_end(
        crate::cargo()
            .env("CARGO_TARGET_DIR", crate::target())
            .args(["build", "--quiet", "--package", "kaiwa"]),
    )?;

    let recorded = folder().join("recorded.jsonl");
    let walks = vec![
        Walk::of_table("discord.js", node.script("walk.mjs"))
            .with("RECORD_TO", recorded.as_os_str()),
        Walk::of_table("discord.py", discord_py.script("walk.py")),
        Walk::of_table("hikari", hikari.script("walk.py")),
        Walk::of_its_own("whole bots", node.script("drive.mjs"))
            .with("PYTHON", discord_py.program().as_os_str()),
    ];
    let wanted = |client: &str| words.is_empty() || words.contains(&client);
    let walks = walks.into_iter().filter(|walk| wanted(walk.client()));

    let mut rows = together(walks.collect(), &table)?;
    if wanted("discord.js") {
        let shapes = Walk::of_records("discord-api-types", node.script("shapes.mjs"), &recorded);
        rows.extend(shapes.rows(&table)?);
    }
    if wanted("guide") {
        rows.extend(guide::rows(&node, &discord_py, &hikari)?);
    }
    rows.sort();

    let failed = rows.iter().filter(|row| row.failed()).count();
    println!("\n{} rows, {failed} failed", rows.len());
    if words.is_empty() {
        let results: String = rows.iter().map(FeatureResult::to_json).collect();
        let path = root().join("conformance/results.jsonl");
        fs::write(&path, results)
            .map_err(|error| format!("{} could not be written: {error}", path.display()))?;
        println!("written to conformance/results.jsonl");
    }
    match failed {
        0 => Ok(()),
        _ => Err(format!(
            "{failed} features failed; the logs are in {}",
            folder().display()
        )),
    }
}

/// Walks at the same time, each with an emulator of its own: most of a walk is
/// waiting.
fn together(walks: Vec<Walk>, table: &FeatureTable) -> Result<Vec<FeatureResult>, String> {
    thread::scope(|scope| {
        let walking: Vec<_> = walks
            .into_iter()
            .map(|walk| scope.spawn(move || walk.rows(table)))
            .collect();
        let mut rows = Vec::new();
        for walk in walking {
            rows.extend(
                walk.join()
                    .unwrap_or_else(|_| Err("a walk panicked".to_owned()))?,
            );
        }
        Ok(rows)
    })
}

/// Where clients are installed and logs are kept.
fn folder() -> PathBuf {
    root().join("target").join("conformance")
}
