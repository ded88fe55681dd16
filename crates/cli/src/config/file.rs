//! Reading a text file that somebody else wrote.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::problem::{ConfigError, FilePosition};

/// A file that is no text for us, and why.
#[derive(PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: {}", path.display(), cause.problem())]
pub struct Unreadable {
    /// The file.
    pub path: PathBuf,
    cause: Cause,
}

/// Reads at most `limit` bytes of UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, Unreadable> {
    read(path, limit).map_err(|cause| Unreadable {
        path: path.to_owned(),
        cause,
    })
}

/// Why a file cannot be read.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Cause {
    Missing,
    NotAFile,
    TooLong { limit: u64 },
    NotUtf8 { place: FilePosition },
    Denied(io::ErrorKind),
}

impl Cause {
    pub(super) fn problem(&self) -> String {
        match self {
            Self::Missing => "there is no such file".to_owned(),
            Self::NotAFile => "this is not a file".to_owned(),
            Self::TooLong { limit } => format!("longer than {} KiB", limit / 1024),
            Self::NotUtf8 { place } => format!("not UTF-8 text (line {})", place.line),
            Self::Denied(kind) => format!("cannot be read ({kind})"),
        }
    }

    /// As a problem of the configuration file itself.
    pub(super) fn of_config(&self, path: &Path) -> ConfigError {
        let advice = match self {
            Self::Missing => "make one from config.example.toml, or name another with --config",
            Self::NotAFile | Self::TooLong { .. } => "name another with --config",
            Self::NotUtf8 { .. } => "save it as UTF-8",
            Self::Denied(_) => "make it readable, or name another with --config",
        };
        let (place, problem) = match self {
            Self::NotUtf8 { place } => (Some(*place), "not UTF-8 text".to_owned()),
            other => (None, other.problem()),
        };
        ConfigError {
            file: path.display().to_string(),
            place,
            key: None,
            problem,
            allowed: Some(advice.to_owned()),
        }
    }
}

impl From<io::Error> for Cause {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            kind => Self::Denied(kind),
        }
    }
}

/// As [`read_text`], for those who name the file themselves.
pub(super) fn read(path: &Path, limit: u64) -> Result<String, Cause> {
    // Looked at before it is opened: opening a pipe would wait for a writer.
    if !std::fs::metadata(path)?.is_file() {
        return Err(Cause::NotAFile);
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(Cause::TooLong { limit });
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes());
        Cause::NotUtf8 {
            place: FilePosition::of(&text, valid),
        }
    })
}
