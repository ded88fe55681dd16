//! One client's walk through a fresh emulator, so that nobody hears the echo
//! of another.

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::child::{ChildOutput, RunningChild};
use super::table::FeatureTable;
use super::{FeatureOutcome, FeatureResult, folder};
use crate::root;

/// All walks together stay below four minutes.
const WALK: Duration = Duration::from_secs(200);
const EMULATOR_START: Duration = Duration::from_secs(20);
const NOTE_CHARS: usize = 300;

/// A client and the command that walks it. The command is given the line that
/// the emulator prints, or a file of records; it prints its plan, then a line
/// for each feature.
pub(super) struct Walk {
    client: &'static str,
    command: Command,
    takes: WalkInput,
    has_table: bool,
}

enum WalkInput {
    Emulator,
    Records(PathBuf),
}

impl Walk {
    /// The walk of a client over the table of features.
    pub(super) fn of_table(client: &'static str, command: Command) -> Self {
        Self {
            client,
            command,
            takes: WalkInput::Emulator,
            has_table: true,
        }
    }

    /// A walk with features of its own.
    pub(super) fn of_its_own(client: &'static str, command: Command) -> Self {
        Self {
            has_table: false,
            ..Self::of_table(client, command)
        }
    }

    /// A check of what another walk has recorded.
    pub(super) fn of_records(client: &'static str, command: Command, records: &Path) -> Self {
        Self {
            takes: WalkInput::Records(records.to_owned()),
            ..Self::of_its_own(client, command)
        }
    }

    /// The same with a variable in its environment.
    pub(super) fn with(mut self, name: &str, value: &OsStr) -> Self {
        self.command.env(name, value);
        self
    }

    pub(super) fn client(&self) -> &'static str {
        self.client
    }

    /// Walks to the end, or to the end of the time. Features that were not
    /// come to have failed.
    pub(super) fn rows(mut self, table: &FeatureTable) -> Result<Vec<FeatureResult>, String> {
        let client = self.client;
        let _emulator = match &self.takes {
            WalkInput::Emulator => {
                let (emulator, world) = emulate(client, Some("conformance/world.toml"))?;
                self.command.arg(world);
                Some(emulator)
            }
            WalkInput::Records(path) => {
                self.command.arg(path);
                None
            }
        };
        let log = Log::of(client);
        let walk = RunningChild::start(self.command.stderr(log.open()?), WALK)?;
        let ChildOutput::Line(plan) = walk.next() else {
            return Err(format!(
                "{client} did not start; see {}",
                log.path.display()
            ));
        };
        let mut plan = WalkPlan::read(client, &plan)
            .ok_or_else(|| format!("{client} did not print its plan but {plan}"))?;

        let mut rows = Vec::new();
        if self.has_table {
            rows.extend(plan.compared(table)?);
        }
        let why = loop {
            match walk.next() {
                ChildOutput::Line(line) => {
                    let row = plan
                        .row(&line)
                        .ok_or_else(|| format!("{client} did not print a row but {line}"))?;
                    rows.push(row.shown());
                }
                ChildOutput::Ended => break "the walk ended before",
                ChildOutput::TimeIsUp => break "the walk ran out of time before",
            }
        };
        for feature in std::mem::take(&mut plan.features) {
            rows.push(
                plan.judge(feature, FeatureOutcome::Fail(why.to_owned()))
                    .shown(),
            );
        }
        Ok(rows)
    }
}

/// `kaiwa emulate`, and the line it prints when it is ready.
pub(super) fn emulate(client: &str, world: Option<&str>) -> Result<(RunningChild, String), String> {
    let log = Log::of(&format!("emulator of {client}"));
    let program = crate::target().join(format!("debug/kaiwa{EXE_SUFFIX}"));
    let mut command = Command::new(program);
    command.args(["emulate", "--port", "0"]).stderr(log.open()?);
    if let Some(world) = world {
        command.arg("--world").arg(root().join(world));
    }
    let emulator = RunningChild::start(&mut command, EMULATOR_START)?;
    match emulator.next() {
        ChildOutput::Line(world) => Ok((emulator, world)),
        ChildOutput::Ended | ChildOutput::TimeIsUp => Err(format!(
            "`kaiwa emulate` did not become ready; see {}",
            log.path.display()
        )),
    }
}

/// Where a child complains.
pub(super) struct Log {
    pub(super) path: PathBuf,
}

impl Log {
    pub(super) fn of(name: &str) -> Self {
        let name = name.replace(' ', "-");
        Self {
            path: folder().join(format!("{name}.log")),
        }
    }

    pub(super) fn open(&self) -> Result<Stdio, String> {
        File::create(&self.path)
            .map(Stdio::from)
            .map_err(|error| format!("{} cannot be written: {error}", self.path.display()))
    }
}

/// What a walk said it will do, less what it has done.
struct WalkPlan {
    client: &'static str,
    version: String,
    features: Vec<String>,
}

impl WalkPlan {
    fn read(client: &'static str, line: &str) -> Option<Self> {
        let plan: Value = serde_json::from_str(line).ok()?;
        let features = plan["features"].as_array()?.iter();
        Some(Self {
            client,
            version: plan["version"].as_str()?.to_owned(),
            features: features
                .map(|feature| feature.as_str().map(str::to_owned))
                .collect::<Option<_>>()?,
        })
    }

    /// A row for a feature that was to come.
    fn row(&mut self, line: &str) -> Option<FeatureResult> {
        let row: Value = serde_json::from_str(line).ok()?;
        let at = self
            .features
            .iter()
            .position(|feature| row["feature"] == **feature)?;
        let outcome = match row["result"].as_str()? {
            "pass" => FeatureOutcome::Pass,
            _ => FeatureOutcome::Fail(steady(row["note"].as_str().unwrap_or_default())),
        };
        let feature = self.features.remove(at);
        Some(self.judge(feature, outcome))
    }

    /// Rows for what the table has and this walk has not.
    fn compared(&self, table: &FeatureTable) -> Result<Vec<FeatureResult>, String> {
        let compared = table.compare(self.client, &self.features);
        if !compared.unknown.is_empty() {
            let unknown = compared.unknown.join("\", \"");
            return Err(format!(
                "{} walks \"{unknown}\", which conformance/features.json does not have",
                self.client
            ));
        }
        let absent = compared
            .absent
            .into_iter()
            .map(|(feature, why)| self.judge(feature, FeatureOutcome::Absent(why)));
        let missing = compared.missing.into_iter().map(|feature| {
            self.judge(
                feature,
                FeatureOutcome::Fail("the walk does not have it".to_owned()),
            )
        });
        Ok(absent.chain(missing).map(FeatureResult::shown).collect())
    }

    fn judge(&self, feature: String, outcome: FeatureOutcome) -> FeatureResult {
        FeatureResult {
            client: self.client.to_owned(),
            feature,
            version: self.version.clone(),
            outcome,
        }
    }
}

/// A note without what differs between two runs: ids and the port.
fn steady(note: &str) -> String {
    let mut steady = String::new();
    let mut rest = note;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, digits) = rest.split_at(start);
        let end = digits
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(digits.len());
        steady.push_str(before);
        let (number, after) = digits.split_at(end);
        match number.len() {
            15.. => steady.push_str("ID"),
            _ if steady.ends_with("127.0.0.1:") => steady.push_str("PORT"),
            _ => steady.push_str(number),
        }
        rest = after;
    }
    steady.push_str(rest);
    steady.chars().take(NOTE_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_do_not_differ_between_runs() {
        let check = |note: &str, expected: &str| assert_eq!(steady(note), expected);
        check("code 50001 instead of 10008", "code 50001 instead of 10008");
        check("user 1160878939759666578 is gone", "user ID is gone");
        check(
            "http://127.0.0.1:40123/api/v10",
            "http://127.0.0.1:PORT/api/v10",
        );
        check(&"x".repeat(400), &"x".repeat(NOTE_CHARS));
    }

    #[test]
    fn a_plan_takes_each_of_its_features_once() {
        let line = r#"{"version":"1.0","features":["login","READY"]}"#;
        let mut plan = WalkPlan::read("c", line).unwrap();
        assert_eq!(plan.row(r#"{"feature":"other","result":"pass"}"#), None);
        let row = r#"{"feature":"READY","result":"fail","note":"late"}"#;
        let json = plan.row(row).unwrap().to_json();
        let expected =
            r#"{"client":"c","version":"1.0","feature":"READY","result":"fail","note":"late"}"#;
        assert_eq!(json.trim_end(), expected);
        assert_eq!(plan.row(row), None);
        assert_eq!(plan.features, ["login"]);
    }
}
