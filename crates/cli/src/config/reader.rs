//! Finds keys in the parsed file and collects every problem with its place.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::manual::Section;
use super::problem::{ConfigError, ConfigErrors, Place};
use super::rule::{Rule, expected, shorten};

/// Reads one file and remembers what was wrong with it.
pub(super) struct Reader<'a> {
    file: &'a Path,
    folder: &'a Path,
    text: &'a str,
    problems: Vec<Problem>,
}

/// A problem whose place is not worked out yet.
struct Problem {
    /// The byte it is at; `None` for a default.
    at: Option<usize>,
    key: String,
    words: String,
    allowed: Option<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &'a Path, text: &'a str) -> Self {
        Self {
            file,
            folder: file.parent().unwrap_or(Path::new("")),
            text,
            problems: Vec::new(),
        }
    }

    /// The value of a key, or `None` after a problem with it.
    pub(super) fn default<R: Rule>(
        &mut self,
        root: &DeTable<'_>,
        section: &Section,
        key: &str,
        default: &str,
    ) -> Option<R::Value> {
        if let Some(value) = find(root, section.name, key) {
            return self.value::<R>(value, section.name, key);
        }
        match DeValue::parse(default) {
            Ok(value) => self.value::<R>(&value, section.name, key),
            Err(error) => {
                self.note(None, dotted(section.name, key), error.to_string(), None);
                None
            }
        }
    }

    /// As [`default`](Self::default), for a key that may be missing.
    pub(super) fn optional<R: Rule>(
        &mut self,
        root: &DeTable<'_>,
        section: &Section,
        key: &str,
    ) -> Option<Option<R::Value>> {
        match find(root, section.name, key) {
            Some(value) => self.value::<R>(value, section.name, key).map(Some),
            None => Some(None),
        }
    }

    /// As [`default`](Self::default), for a key that must be there.
    pub(super) fn required<R: Rule>(
        &mut self,
        root: &DeTable<'_>,
        section: &Section,
        key: &str,
    ) -> Option<R::Value> {
        if let Some(value) = find(root, section.name, key) {
            return self.value::<R>(value, section.name, key);
        }
        let (header, body) = root.get_key_value(section.name)?;
        // A section that is no table was told about already.
        body.get_ref().as_table()?;
        self.note(
            Some(header.span().start),
            dotted(section.name, key),
            format!("missing from [{}]", section.name),
            Some(format!("allowed: {}", R::allowed())),
        );
        None
    }

    fn value<R: Rule>(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        section: &str,
        key: &str,
    ) -> Option<R::Value> {
        match R::read(value.get_ref(), self.folder) {
            Ok(value) => Some(value),
            Err(problem) => {
                self.note(
                    Some(value.span().start),
                    dotted(section, key),
                    problem,
                    Some(format!("allowed: {}", R::allowed())),
                );
                None
            }
        }
    }

    /// Tells of every section and key that the manual does not have.
    pub(super) fn check_names(&mut self, root: &DeTable<'_>, manual: &[&Section]) {
        let sections: Vec<&str> = manual.iter().map(|section| section.name).collect();
        for (name, body) in root {
            let at = name.span().start;
            let name: &str = name.get_ref();
            let Some(section) = manual.iter().find(|section| section.name == name) else {
                let what = match body.get_ref() {
                    DeValue::Table(_) => "unknown section",
                    _ => "unknown key outside of any section",
                };
                self.unknown(at, None, name, what, &sections);
                continue;
            };
            let DeValue::Table(table) = body.get_ref() else {
                let problem = expected(&format!("a section like [{name}]"), body.get_ref());
                self.note(Some(at), name.to_owned(), problem, None);
                continue;
            };
            let keys: Vec<&str> = section.keys.iter().map(|key| key.name).collect();
            for (key, _) in table {
                let at = key.span().start;
                let key: &str = key.get_ref();
                if !keys.contains(&key) {
                    self.unknown(at, Some(section.name), key, "unknown key", &keys);
                }
            }
        }
    }

    fn unknown(
        &mut self,
        at: usize,
        section: Option<&str>,
        name: &str,
        what: &str,
        allowed: &[&str],
    ) {
        let shown = shorten(name);
        let key = match section {
            Some(section) => dotted(section, &shown),
            None => shown,
        };
        let (problem, advice) = if is_secret(name) {
            (
                "a secret never stands in this file".to_owned(),
                secret_advice(section).to_owned(),
            )
        } else {
            let meant = nearest(name, allowed).map(|near| format!("did you mean `{near}`? "));
            (
                what.to_owned(),
                format!(
                    "{}allowed here: {}",
                    meant.unwrap_or_default(),
                    allowed.join(", ")
                ),
            )
        };
        self.note(Some(at), key, problem, Some(advice));
    }

    fn note(&mut self, at: Option<usize>, key: String, words: String, allowed: Option<String>) {
        self.problems.push(Problem {
            at,
            key,
            words,
            allowed,
        });
    }

    /// The file is not TOML; only the first such error means anything.
    pub(super) fn syntax(&self, error: &toml::de::Error) -> ConfigError {
        let words: Vec<&str> = error.message().split_whitespace().collect();
        ConfigError {
            file: self.file.display().to_string(),
            place: error.span().map(|span| Place::of(self.text, span.start)),
            key: None,
            problem: format!("not TOML: {}", words.join(" ")),
            allowed: None,
        }
    }

    /// The outcome: `read` if there was no problem.
    pub(super) fn finish<T>(mut self, read: Option<T>) -> Result<T, ConfigErrors> {
        if let (Some(read), true) = (read, self.problems.is_empty()) {
            return Ok(read);
        }
        // Finding a place reads the file from the start, so it is done only
        // for the problems that are told.
        self.problems.sort_by_key(|problem| problem.at);
        let untold = self.problems.len().saturating_sub(ConfigErrors::TOLD);
        let told = self
            .problems
            .into_iter()
            .take(ConfigErrors::TOLD)
            .map(|problem| ConfigError {
                file: self.file.display().to_string(),
                place: problem.at.map(|at| Place::of(self.text, at)),
                key: Some(problem.key),
                problem: problem.words,
                allowed: problem.allowed,
            })
            .collect();
        Err(ConfigErrors::new(told, untold))
    }
}

fn find<'t, 'i>(
    root: &'t DeTable<'i>,
    section: &str,
    key: &str,
) -> Option<&'t Spanned<DeValue<'i>>> {
    root.get(section)?.get_ref().as_table()?.get(key)
}

fn dotted(section: &str, key: &str) -> String {
    format!("{section}.{key}")
}

fn is_secret(name: &str) -> bool {
    const SECRETS: [&str; 8] = [
        "token",
        "bot_token",
        "key",
        "api_key",
        "apikey",
        "api_token",
        "secret",
        "password",
    ];
    SECRETS
        .iter()
        .any(|secret| name.eq_ignore_ascii_case(secret))
}

fn secret_advice(section: Option<&str>) -> &'static str {
    match section {
        Some("discord") => "remove it and set DISCORD_TOKEN in the environment",
        Some("provider") => {
            "remove it, set it in the environment and name the variable here, as in key_env = \"OPENAI_API_KEY\""
        }
        _ => "remove it and set it in the environment",
    }
}

/// The allowed name that `name` was probably meant to be.
fn nearest<'n>(name: &str, allowed: &[&'n str]) -> Option<&'n str> {
    // Longer than any of ours: not a slip of the finger.
    if name.len() > 32 {
        return None;
    }
    let tolerated = if name.len() < 4 { 1 } else { 2 };
    allowed
        .iter()
        .map(|candidate| (distance(name, candidate), *candidate))
        .filter(|(distance, _)| *distance <= tolerated)
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many slips (a letter added, lost, changed, or two swapped) lie between
/// two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1)
                .min(row[j - 1] + 1)
                .min(rows[i - 1][j - 1] + changed);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
