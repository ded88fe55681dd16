//! Finds keys in the parsed file and collects every problem with its place.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::problem::{ConfigError, ConfigErrors, FilePosition};
use super::rule::{ValueRule, expected, quote, shorten};

/// Reads one file and remembers what was wrong with it.
pub(super) struct ConfigReader<'a> {
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

/// A table of the file, or the place of one that is not there.
pub(super) struct FileTable<'t, 'i> {
    /// What stands in its header.
    path: String,
    /// The byte where it begins.
    at: Option<usize>,
    table: Option<&'t DeTable<'i>>,
}

impl<'t, 'i> FileTable<'t, 'i> {
    /// The whole file.
    pub(super) const fn root(table: &'t DeTable<'i>) -> Self {
        Self {
            path: String::new(),
            at: None,
            table: Some(table),
        }
    }

    /// The value of a key.
    pub(super) fn find(&self, key: &str) -> Option<&'t Spanned<DeValue<'i>>> {
        self.table?.get(key)
    }

    fn dotted(&self, key: &str) -> String {
        match self.path.as_str() {
            "" => key.to_owned(),
            path => format!("{path}.{key}"),
        }
    }
}

impl<'a> ConfigReader<'a> {
    pub(super) fn new(file: &'a Path, text: &'a str) -> Self {
        Self {
            file,
            folder: file.parent().unwrap_or(Path::new("")),
            text,
            problems: Vec::new(),
        }
    }

    /// The value of a key, or `None` after a problem with it.
    pub(super) fn default<R: ValueRule>(
        &mut self,
        part: &FileTable<'_, '_>,
        key: &str,
        default: &str,
    ) -> Option<R::Value> {
        if let Some(value) = part.find(key) {
            return self.value::<R>(value, part, key);
        }
        match DeValue::parse(default) {
            Ok(value) => self.value::<R>(&value, part, key),
            Err(error) => {
                self.note(None, part.dotted(key), error.to_string(), None);
                None
            }
        }
    }

    /// As [`default`](Self::default), for a key that may be missing.
    pub(super) fn optional<R: ValueRule>(
        &mut self,
        part: &FileTable<'_, '_>,
        key: &str,
    ) -> Option<Option<R::Value>> {
        match part.find(key) {
            Some(value) => self.value::<R>(value, part, key).map(Some),
            None => Some(None),
        }
    }

    fn value<R: ValueRule>(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        part: &FileTable<'_, '_>,
        key: &str,
    ) -> Option<R::Value> {
        match R::read(value.get_ref(), self.folder) {
            Ok(value) => Some(value),
            Err(problem) => {
                self.note(
                    Some(value.span().start),
                    part.dotted(key),
                    problem,
                    Some(format!("allowed: {}", R::allowed())),
                );
                None
            }
        }
    }

    /// The section of that name, an empty one if it is not there.
    pub(super) fn section<'t, 'i>(
        &mut self,
        parent: &FileTable<'t, 'i>,
        name: &str,
        header: &str,
    ) -> FileTable<'t, 'i> {
        let found = parent.table.and_then(|table| table.get_key_value(name));
        let path = parent.dotted(&shown(name));
        let table = found.and_then(|(key, body)| match body.get_ref() {
            DeValue::Table(table) => Some(table),
            other => {
                let problem = expected(&format!("a section like [{header}]"), other);
                self.note(Some(key.span().start), path.clone(), problem, None);
                None
            }
        });
        FileTable {
            at: found.map(|(key, _)| key.span().start),
            path,
            table,
        }
    }

    /// A section that was read before, with its problems.
    pub(super) fn section_again<'t, 'i>(
        &self,
        parent: &FileTable<'t, 'i>,
        name: &str,
    ) -> FileTable<'t, 'i> {
        let found = parent.table.and_then(|table| table.get_key_value(name));
        let table = found.and_then(|(_, body)| body.get_ref().as_table());
        FileTable {
            at: found.map(|(key, _)| key.span().start),
            path: parent.dotted(&shown(name)),
            table,
        }
    }

    /// The sections below `name`, each with its own name.
    pub(super) fn sections<'t, 'i>(
        &mut self,
        parent: &FileTable<'t, 'i>,
        name: &str,
        header: &str,
    ) -> Vec<(&'t str, FileTable<'t, 'i>)> {
        let all = self.section(parent, name, header);
        let names = all.table.into_iter().flat_map(|table| table.keys());
        names
            .map(|key| {
                let name: &str = key.get_ref();
                (name, self.section(&all, name, header))
            })
            .collect()
    }

    /// Tells of every key of `part` that is not `allowed` there.
    pub(super) fn check_keys(&mut self, part: &FileTable<'_, '_>, allowed: &[&str]) {
        for (key, body) in part.table.into_iter().flatten() {
            let at = key.span().start;
            let key: &str = key.get_ref();
            let told = self.problems.iter().any(|it| it.at == Some(at));
            if allowed.contains(&key) || told {
                continue;
            }
            let what = match (part.path.as_str(), body.get_ref()) {
                ("", DeValue::Table(_)) => "unknown section",
                ("", _) => "unknown key outside of any section",
                _ => "unknown key",
            };
            self.unknown(at, part, key, what, allowed);
        }
    }

    /// Tells of a problem with a whole section.
    pub(super) fn object_to(&mut self, part: &FileTable<'_, '_>, problem: &str, advice: &str) {
        let (problem, advice) = (problem.to_owned(), advice.to_owned());
        self.note(part.at, part.path.clone(), problem, Some(advice));
    }

    /// The line that a key's value is on.
    pub(super) fn line(&self, part: &FileTable<'_, '_>, key: &str) -> Option<usize> {
        let at = part.find(key)?.span().start;
        Some(FilePosition::of(self.text, at).line)
    }

    /// Tells of a problem with a key, at its value if there is one.
    pub(super) fn object(
        &mut self,
        part: &FileTable<'_, '_>,
        key: &str,
        problem: String,
        advice: String,
    ) {
        let at = part.find(key).map(|value| value.span().start);
        self.note(at.or(part.at), part.dotted(key), problem, Some(advice));
    }

    fn unknown(
        &mut self,
        at: usize,
        part: &FileTable<'_, '_>,
        name: &str,
        what: &str,
        allowed: &[&str],
    ) {
        let (problem, advice) = if is_secret(name) {
            let advice = secret_advice(&part.path).to_owned();
            ("a secret never stands in this file".to_owned(), advice)
        } else {
            let meant = nearest(name, allowed).map(|near| format!("did you mean `{near}`? "));
            let meant = meant.unwrap_or_default();
            let advice = format!("{meant}allowed here: {}", allowed.join(", "));
            (what.to_owned(), advice)
        };
        self.note(Some(at), part.dotted(&shorten(name)), problem, Some(advice));
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
            place: error
                .span()
                .map(|span| FilePosition::of(self.text, span.start)),
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
                place: problem.at.map(|at| FilePosition::of(self.text, at)),
                key: Some(problem.key),
                problem: problem.words,
                allowed: problem.allowed,
            })
            .collect();
        Err(ConfigErrors::new(told, untold))
    }
}

/// A name as it stands in a header.
pub(super) fn shown(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    match !name.is_empty() && name.chars().all(bare) {
        true => shorten(name),
        false => quote(name),
    }
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

fn secret_advice(section: &str) -> &'static str {
    if section == "discord" {
        return "remove it and set DISCORD_TOKEN in the environment";
    }
    match section.split('.').next() {
        Some("vendors" | "models") => {
            "remove it, set it in the environment and name the variable in the vendor's section, as in key_env = \"OPENAI_API_KEY\""
        }
        _ => "remove it and set it in the environment",
    }
}

/// The allowed name that `name` was probably meant to be.
pub(super) fn nearest<'n>(name: &str, allowed: &[&'n str]) -> Option<&'n str> {
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
