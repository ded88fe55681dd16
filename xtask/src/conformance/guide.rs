//! The examples of `docs/test-your-bot.md`, run as they are printed.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::child::{ChildOutput, RunningChild};
use super::install::{InstalledClient, read, write};
use super::walk::{Log, emulate};
use super::{FeatureOutcome, FeatureResult, folder};
use crate::root;

const EXAMPLE: Duration = Duration::from_secs(40);
const SAID: &str = "the example says that it works";

/// What comes before a block of code that is a file: `<!-- file: bot.mjs -->`.
const MARK: &str = "<!-- file: ";

/// The files of a guide, by name and text.
fn files_of(guide: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut lines = guide.lines();
    while let Some(line) = lines.next() {
        let Some(name) = line
            .strip_prefix(MARK)
            .and_then(|rest| rest.strip_suffix(" -->"))
        else {
            continue;
        };
        let code = lines
            .by_ref()
            .skip_while(|line| !line.starts_with("```"))
            .skip(1)
            .take_while(|line| !line.starts_with("```"));
        let text: String = code.map(|line| format!("{line}\n")).collect();
        files.push((name.to_owned(), text));
    }
    files
}

/// Runs each `test*` file of the guide beside the other files, with an emulator
/// of its own.
pub(super) fn rows(
    node: &InstalledClient,
    discord_py: &InstalledClient,
    hikari: &InstalledClient,
) -> Result<Vec<FeatureResult>, String> {
    let files = files_of(&read(&root().join("docs/test-your-bot.md"))?);
    let place = node.scripts().join("guide");
    fs::create_dir_all(&place)
        .map_err(|error| format!("{} cannot be made: {error}", place.display()))?;
    for (name, text) in &files {
        write(&place.join(name), text)?;
    }
    let tests: Vec<&str> = files
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|name| name.starts_with("test"))
        .collect();
    if tests.len() < 3 {
        return Err(format!(
            "docs/test-your-bot.md has only these tests: {tests:?}"
        ));
    }
    let mut rows = Vec::new();
    for test in tests {
        let program = match test {
            _ if test.ends_with("mjs") => node.program(),
            _ if test.contains("hikari") => hikari.program(),
            _ => discord_py.program(),
        };
        let outcome = match example(program, test, &place) {
            Ok(()) => FeatureOutcome::Pass,
            Err(why) => FeatureOutcome::Fail(why),
        };
        let row = FeatureResult {
            client: "guide".to_owned(),
            feature: format!("docs/test-your-bot.md: {test}"),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            outcome,
        };
        rows.push(row.shown());
    }
    Ok(rows)
}

fn example(program: &Path, test: &str, place: &Path) -> Result<(), String> {
    let (_emulator, world) = emulate("guide", None)?;
    write(&place.join("world.json"), &world)?;
    let log = Log::of(&format!("guide {test}"));
    let mut command = Command::new(program);
    command.arg(test).current_dir(place).stderr(log.open()?);
    let running = RunningChild::start(&mut command, EXAMPLE)?;
    loop {
        match running.next() {
            ChildOutput::Line(line) if line.contains("works") => return Ok(()),
            ChildOutput::Line(_) => {}
            ChildOutput::Ended => {
                let logs = folder();
                return Err(format!("it ended before {SAID}; see {}", logs.display()));
            }
            ChildOutput::TimeIsUp => return Err(format!("it took too long before {SAID}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_what_follows_their_mark() {
        let guide = "text\n```sh\nnot a file\n```\n<!-- file: a.py -->\n\n```python\none\n\ntwo\n```\n<!-- file: b.mjs -->\n```js\nthree\n```\n";
        let expected = [("a.py", "one\n\ntwo\n"), ("b.mjs", "three\n")];
        let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(files_of(guide), expected);
    }

    #[test]
    fn the_guide_has_a_bot_and_a_test_for_each_library() {
        let guide = fs::read_to_string(root().join("docs/test-your-bot.md")).unwrap();
        let names: Vec<String> = files_of(&guide).into_iter().map(|(name, _)| name).collect();
        for name in [
            "bot.mjs",
            "test.mjs",
            "bot.py",
            "test.py",
            "bot_hikari.py",
            "test_hikari.py",
        ] {
            assert!(
                names.iter().any(|it| it == name),
                "{name} is not in {names:?}"
            );
        }
    }
}
