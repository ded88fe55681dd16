//! What a value may be. A rule turns a TOML value into the type the program
//! uses, or says what is wrong with it.
//!
//! Values of settings that hold or name secrets are never quoted in a problem:
//! somebody may have pasted the secret itself.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kaiwa_domain::settings::{SettingKind, SettingValue};
use kaiwa_pipeline::brief::Template;
use toml::de::DeValue;
use tracing::Level;
use url::Url;

use super::file;

mod engine;
mod model;

pub(super) use engine::EngineList;
pub use engine::EngineName;
pub use model::{BadModelName, ModelName};
pub(super) use model::{
    CountOrNone, CountUpTo, Dollars, EnvNames, ModelList, PriceIfUnknown, WireFormat,
};

/// What a value may be.
pub trait ValueRule {
    /// The type the program uses.
    type Value: PartialEq;

    /// Ends the sentence "allowed: …".
    fn allowed() -> String;

    /// Reads a value; `folder` is where relative paths begin.
    fn read(value: &DeValue<'_>, folder: &Path) -> Result<Self::Value, String>;
}

/// On or off.
pub struct OnOff;

impl ValueRule for OnOff {
    type Value = bool;

    fn allowed() -> String {
        "true or false".to_owned()
    }

    fn read(value: &DeValue<'_>, _: &Path) -> Result<bool, String> {
        value
            .as_bool()
            .ok_or_else(|| expected("true or false", value))
    }
}

/// A span of time between two bounds in milliseconds.
pub struct DurationBetween<const MIN: u64, const MAX: u64>;

impl<const MIN: u64, const MAX: u64> DurationBetween<MIN, MAX> {
    const KIND: SettingKind = SettingKind::Duration {
        min: Duration::from_millis(MIN),
        max: Duration::from_millis(MAX),
    };
}

impl<const MIN: u64, const MAX: u64> ValueRule for DurationBetween<MIN, MAX> {
    type Value = Duration;

    fn allowed() -> String {
        Self::KIND.allowed()
    }

    fn read(value: &DeValue<'_>, _: &Path) -> Result<Duration, String> {
        match Self::KIND.parse(string(value)?)? {
            SettingValue::Duration(span) => Ok(span),
            other => Err(format!("{other} is not a duration")),
        }
    }
}

/// A span of time between two bounds in milliseconds; `None` if it has no end.
pub struct DurationOrOff<const MIN: u64, const MAX: u64>;

impl<const MIN: u64, const MAX: u64> ValueRule for DurationOrOff<MIN, MAX> {
    type Value = Option<Duration>;

    fn allowed() -> String {
        format!("{}, or \"off\"", DurationBetween::<MIN, MAX>::allowed())
    }

    fn read(value: &DeValue<'_>, folder: &Path) -> Result<Option<Duration>, String> {
        match string(value)? {
            "off" => Ok(None),
            _ => DurationBetween::<MIN, MAX>::read(value, folder).map(Some),
        }
    }
}

/// An address of HTTP.
pub struct HttpUrl;

impl ValueRule for HttpUrl {
    type Value = Url;

    fn allowed() -> String {
        "an address that begins with http:// or https://".to_owned()
    }

    fn read(value: &DeValue<'_>, _: &Path) -> Result<Url, String> {
        address(value, ["http", "https"])
    }
}

/// An address of a websocket.
pub struct SocketUrl;

impl ValueRule for SocketUrl {
    type Value = Url;

    fn allowed() -> String {
        "an address that begins with ws:// or wss://".to_owned()
    }

    fn read(value: &DeValue<'_>, _: &Path) -> Result<Url, String> {
        address(value, ["ws", "wss"])
    }
}

fn address(value: &DeValue<'_>, schemes: [&str; 2]) -> Result<Url, String> {
    let url = Url::parse(string(value)?).map_err(|error| format!("not an address ({error})"))?;
    if !schemes.contains(&url.scheme()) {
        return Err(format!(
            "an address cannot begin with {}: here",
            shorten(url.scheme())
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("an address must not hold a user or a password".to_owned());
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("an address must end before any ? or #".to_owned());
    }
    Ok(url)
}

/// The name of an environment variable. The value is never quoted.
pub struct EnvName;

impl ValueRule for EnvName {
    type Value = String;

    fn allowed() -> String {
        "the name of an environment variable, in capitals, digits and _".to_owned()
    }

    fn read(value: &DeValue<'_>, _: &Path) -> Result<String, String> {
        let text = string(value)?;
        let fits = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        if !text.is_empty() && text.len() <= 64 && text.chars().all(fits) {
            Ok(text.to_owned())
        } else {
            Err(
                "not the name of an environment variable (a secret itself never goes here)"
                    .to_owned(),
            )
        }
    }
}

/// A folder; a relative one begins beside the configuration file.
pub struct Folder;

impl ValueRule for Folder {
    type Value = PathBuf;

    fn allowed() -> String {
        "the path of a folder".to_owned()
    }

    fn read(value: &DeValue<'_>, folder: &Path) -> Result<PathBuf, String> {
        path(value, folder)
    }
}

/// A file with certificates, looked at and read later.
pub struct CertificateFile;

impl CertificateFile {
    const BYTES: u64 = 1 << 20;
}

impl ValueRule for CertificateFile {
    type Value = PathBuf;

    fn allowed() -> String {
        "the path of a PEM file with certificates, at most 1 MiB".to_owned()
    }

    fn read(value: &DeValue<'_>, folder: &Path) -> Result<PathBuf, String> {
        let path = path(value, folder)?;
        let at = |problem: &str| format!("{}: {problem}", quote(&path.display().to_string()));
        let text =
            file::read(&path, Self::BYTES).map_err(|unreadable| at(&unreadable.problem()))?;
        if !text.contains("-----BEGIN CERTIFICATE-----") {
            return Err(at("there is no certificate in the file"));
        }
        Ok(path)
    }
}

/// A text file of at most 32 KiB, read at once.
pub struct TextFile;

impl TextFile {
    const BYTES: u64 = 32 << 10;
}

impl ValueRule for TextFile {
    type Value = String;

    fn allowed() -> String {
        "the path of a text file in UTF-8, at most 32 KiB".to_owned()
    }

    fn read(value: &DeValue<'_>, folder: &Path) -> Result<String, String> {
        let path = path(value, folder)?;
        let at = |problem: &str| format!("{}: {problem}", quote(&path.display().to_string()));
        let text =
            file::read(&path, Self::BYTES).map_err(|unreadable| at(&unreadable.problem()))?;
        if text.trim().is_empty() {
            return Err(at("the file is empty"));
        }
        Ok(text)
    }
}

/// A template of system prompts, read and tried at once.
pub struct TemplateFile;

impl ValueRule for TemplateFile {
    type Value = String;

    fn allowed() -> String {
        "the path of a template, at most 32 KiB; `kaiwa prompt show` prints one".to_owned()
    }

    fn read(value: &DeValue<'_>, folder: &Path) -> Result<String, String> {
        let text = TextFile::read(value, folder)?;
        let path = path(value, folder)?;
        match Template::new(&text) {
            Ok(_) => Ok(text),
            Err(error) => Err(format!("{}: {error}", quote(&path.display().to_string()))),
        }
    }
}

fn path(value: &DeValue<'_>, folder: &Path) -> Result<PathBuf, String> {
    match string(value)? {
        "" => Err("the path is empty".to_owned()),
        text if text.contains('\0') => Err("the path holds a NUL character".to_owned()),
        text => Ok(folder.join(text)),
    }
}

/// Where to listen; `None` if nowhere.
pub struct Listen;

impl ValueRule for Listen {
    type Value = Option<SocketAddr>;

    fn allowed() -> String {
        "an IP address with a port, like \"127.0.0.1:7577\" or \"[::1]:7577\", or \"off\""
            .to_owned()
    }

    fn read(value: &DeValue<'_>, _: &Path) -> Result<Option<SocketAddr>, String> {
        match string(value)? {
            "off" => Ok(None),
            text => text
                .parse()
                .map(Some)
                .map_err(|_| format!("{} is not an IP address with a port", quote(text))),
        }
    }
}

/// How much is logged.
pub struct LogLevel;

impl ValueRule for LogLevel {
    type Value = Level;

    fn allowed() -> String {
        words(&LEVELS)
    }

    fn read(value: &DeValue<'_>, _: &Path) -> Result<Level, String> {
        choose(value, &LEVELS)
    }
}

const LEVELS: [(&str, Level); 5] = [
    ("error", Level::ERROR),
    ("warn", Level::WARN),
    ("info", Level::INFO),
    ("debug", Level::DEBUG),
    ("trace", Level::TRACE),
];

/// How the log is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object on each line.
    Json,
}

const FORMATS: [(&str, LogFormat); 2] = [("text", LogFormat::Text), ("json", LogFormat::Json)];

impl ValueRule for LogFormat {
    type Value = Self;

    fn allowed() -> String {
        words(&FORMATS)
    }

    fn read(value: &DeValue<'_>, _: &Path) -> Result<Self, String> {
        choose(value, &FORMATS)
    }
}

pub(super) fn string<'a>(value: &'a DeValue<'_>) -> Result<&'a str, String> {
    value.as_str().ok_or_else(|| expected("a string", value))
}

pub(super) fn expected(what: &str, found: &DeValue<'_>) -> String {
    let found = match found {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    };
    format!("expected {what}, found {found}")
}

fn choose<T: Copy>(value: &DeValue<'_>, choices: &[(&str, T)]) -> Result<T, String> {
    let text = string(value)?;
    choices
        .iter()
        .find(|(word, _)| *word == text)
        .map(|(_, choice)| *choice)
        .ok_or_else(|| format!("{} is not a choice", quote(text)))
}

fn words<T>(choices: &[(&str, T)]) -> String {
    let words: Vec<String> = choices
        .iter()
        .map(|(word, _)| format!("\"{word}\""))
        .collect();
    words.join(", ")
}

/// At most 60 characters of `text`, with everything unprintable escaped.
pub(super) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() {
        short.push('…');
    }
    short
}

pub(super) fn quote(text: &str) -> String {
    format!("\"{}\"", shorten(text))
}
