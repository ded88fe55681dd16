//! What is wrong with a configuration, on one line each.

use std::fmt;

/// One problem: where it is, what it is, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError {
    /// The file, as the operator named it.
    pub file: String,
    /// Where in the file, if it is about a place in it.
    pub place: Option<FilePosition>,
    /// The key, like `models.chat`.
    pub key: Option<String>,
    /// What is wrong.
    pub problem: String,
    /// What is allowed, or what to do.
    pub allowed: Option<String>,
}

/// A place in a file; both numbers begin at 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FilePosition {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl FilePosition {
    /// The place of a byte in a text.
    pub(super) fn of(text: &str, offset: usize) -> Self {
        let mut end = offset.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(place) = self.place {
            write!(f, ":{}", place.line)?;
        }
        if let Some(key) = &self.key {
            write!(f, ": {key}")?;
        }
        write!(f, ": {}", self.problem)?;
        if let Some(allowed) = &self.allowed {
            write!(f, "; {allowed}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}

/// The problems of one file, in the order of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigErrors {
    told: Vec<ConfigError>,
    untold: usize,
}

impl ConfigErrors {
    /// How many problems are told; whoever has more has the wrong file.
    pub(super) const TOLD: usize = 20;

    /// At most [`TOLD`](Self::TOLD) problems, and how many more there are.
    pub(super) const fn new(told: Vec<ConfigError>, untold: usize) -> Self {
        Self { told, untold }
    }

    /// The problems that are told.
    pub fn iter(&self) -> impl Iterator<Item = &ConfigError> {
        self.told.iter()
    }
}

impl From<ConfigError> for ConfigErrors {
    fn from(only: ConfigError) -> Self {
        Self::new(vec![only], 0)
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, error) in self.told.iter().enumerate() {
            let newline = if place == 0 { "" } else { "\n" };
            write!(f, "{newline}{error}")?;
        }
        if self.untold > 0 {
            write!(f, "\nand {} more problems", self.untold)?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigErrors {}
