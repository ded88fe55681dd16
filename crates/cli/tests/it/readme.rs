//! What the README promises of configuration and commands.

use std::fs;
use std::path::Path;

use kaiwa::config::Config;
use tempfile::TempDir;

use crate::terminal::kaiwa;

fn readme() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap()
}

/// The blocks of code in a language.
fn blocks(language: &str) -> Vec<String> {
    let readme = readme();
    let fence = format!("```{language}\n");
    let blocks = readme.split(&fence).skip(1);
    let blocks = blocks.map(|rest| rest.split("```").next().unwrap().to_owned());
    blocks.collect()
}

#[test]
fn its_configurations_are_good() {
    let blocks = blocks("toml");
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let read = Config::parse(Path::new("README.md"), &block);
        assert!(read.is_ok(), "{}\n{block}", read.unwrap_err());
    }
}

#[test]
fn its_commands_and_options_exist() {
    let folder = TempDir::new().unwrap();
    let readme = readme();
    let rows = readme.lines().filter(|line| line.starts_with("| `kaiwa "));
    let mut seen = 0;
    for row in rows {
        let mut cells = row.split('|').skip(1);
        let (commands, does) = (cells.next().unwrap(), cells.next().unwrap());
        let mut helps = String::new();
        for command in commands
            .split('`')
            .filter_map(|it| it.strip_prefix("kaiwa "))
        {
            let words = command.split(' ').filter(|word| *word != "\"…\"");
            let args: Vec<&str> = words.chain(["--help"]).collect();
            let output = kaiwa(folder.path(), &args).output().unwrap();
            assert!(output.status.success(), "{command}");
            helps += &String::from_utf8(output.stdout).unwrap();
            seen += 1;
        }
        for option in does.split('`').filter(|it| it.starts_with("--")) {
            let shown = match option.split_once(' ') {
                Some((name, value)) => format!("{name} <{value}>"),
                None => option.to_owned(),
            };
            assert!(helps.contains(&shown), "{option} is not in\n{helps}");
        }
    }
    assert!(seen > 8, "only {seen} commands were found");
}

#[test]
fn its_vendors_are_all_there_are() {
    let readme = readme();
    for vendor in kaiwa_provider::VENDORS
        .iter()
        .filter(|it| it.base_url.is_some())
    {
        assert!(readme.contains(vendor.title), "{}", vendor.title);
    }
}

#[test]
fn promises_are_shown_by_stories_that_exist() {
    let tests = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/tests"));
    let mut stories = String::new();
    for folder in [tests.to_owned(), tests.join("stories"), tests.join("page")] {
        let files = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path());
        for file in files.filter(|it| it.is_file()) {
            stories += &fs::read_to_string(file).unwrap();
        }
    }
    let readme = readme();
    let (_, promises) = readme.split_once("## What it promises").unwrap();
    let (promises, _) = promises.split_once("\n## ").unwrap();
    let quoted = promises.split('`').skip(1).step_by(2);
    let names: Vec<&str> = quoted
        .filter(|name| !name.contains(['/', '.', ' ']))
        .collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        assert!(stories.contains(&format!("async fn {name}()")), "{name}");
    }
}
