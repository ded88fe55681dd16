//! Values of settings, as text and back.

use std::fmt;
use std::time::Duration;

use crate::RoleId;

/// What a value may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingKind {
    /// A whole number.
    Whole {
        /// The smallest.
        min: u16,
        /// The largest.
        max: u16,
        /// Whether "off" is a value too.
        or_off: bool,
    },
    /// A length of time.
    Duration {
        /// The shortest.
        min: Duration,
        /// The longest.
        max: Duration,
    },
    /// Words.
    Text {
        /// How many characters at most.
        most: usize,
        /// Whether "off" is a value too.
        or_off: bool,
    },
    /// On or off.
    Switch,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// A list of texts: "none", or texts between commas, or one on each line.
    List {
        /// How many at most.
        most: usize,
        /// How many characters each may have.
        each: usize,
    },
    /// A list of Discord's ids: "none", or ids between commas.
    Ids {
        /// How many at most.
        most: usize,
    },
    /// What members of roles may do: "none", or `role id=number/duration`
    /// between commas.
    Quotas {
        /// How many at most.
        most: usize,
    },
    /// The name of a time zone. Whether there is one of that name is not known
    /// here.
    Zone,
}

/// The value of a setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SettingValue {
    /// None at all, where that is a value.
    Off,
    /// A whole number.
    Whole(u16),
    /// A length of time, in whole milliseconds.
    Duration(Duration),
    /// Words.
    Text(String),
    /// The name of a time zone.
    Zone(String),
    /// On or off.
    Switch(bool),
    /// One of a few words.
    Choice(&'static str),
    /// A list of texts.
    List(Vec<String>),
    /// A list of Discord's ids.
    Ids(Vec<u64>),
    /// What members of roles may do.
    Quotas(Vec<RoleQuota>),
}

/// How often members of a role may do something, each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoleQuota {
    /// The role.
    pub role: RoleId,
    /// How often.
    pub count: u16,
    /// Within how long.
    pub window: Duration,
}

/// A text that is no value of its setting.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name}: {problem}; allowed: {allowed}")]
pub struct BadSetting {
    /// The setting.
    pub name: &'static str,
    /// What is wrong.
    pub problem: String,
    /// What would be right.
    pub allowed: String,
}

/// The longest name of a time zone.
const ZONE_NAME: usize = 64;

impl SettingKind {
    /// Ends the sentence "allowed: …".
    pub fn allowed(self) -> String {
        match self {
            Self::Whole { min, max, or_off } => {
                let off = if or_off { ", or \"off\"" } else { "" };
                format!("a whole number from {min} to {max}{off}")
            }
            Self::Duration { min, max } => {
                let (min, max) = (write_duration(min), write_duration(max));
                format!(
                    "a duration like \"1500ms\", \"20s\", \"2m\" or \"7d\", from {min} to {max}"
                )
            }
            Self::Text { most, or_off } => {
                let off = if or_off { ", or \"off\"" } else { "" };
                format!("text of at most {most} characters{off}")
            }
            Self::Switch => "\"on\" or \"off\"".to_owned(),
            Self::Choice(words) => {
                let words: Vec<String> = words.iter().map(|word| quote(word)).collect();
                words.join(", ")
            }
            Self::List { most, each } => format!(
                "\"none\", or at most {most} texts of at most {each} characters, between commas or one on each line"
            ),
            Self::Ids { most } => format!("\"none\", or at most {most} ids between commas"),
            Self::Quotas { most } => format!(
                "\"none\", or at most {most} like \"1234=5/1h\" (role id, number from 1 to 1000, duration) between commas"
            ),
            Self::Zone => {
                "an IANA name like \"Europe/Berlin\" that this system's tzdata knows, or \"UTC\""
                    .to_owned()
            }
        }
    }

    /// Reads a value, or says what is wrong with it.
    pub fn parse(self, text: &str) -> Result<SettingValue, String> {
        match self {
            Self::Whole { or_off: true, .. } if text == "off" => Ok(SettingValue::Off),
            Self::Whole { min, max, .. } => match text.parse() {
                Ok(number) if (min..=max).contains(&number) => Ok(SettingValue::Whole(number)),
                Err(_) if !is_number(text) => Err(format!("{} is not a whole number", quote(text))),
                _ => Err(format!("{} is out of range", shorten(text))),
            },
            Self::Duration { min, max } => match parse_duration(text) {
                None => Err(format!("{} is not a duration", quote(text))),
                Some(duration) if (min..=max).contains(&duration) => {
                    Ok(SettingValue::Duration(duration))
                }
                Some(_) => Err(format!("{} is out of range", quote(text))),
            },
            Self::Text { or_off: true, .. } if text.trim() == "off" => Ok(SettingValue::Off),
            Self::Text { most, .. } => plain_text(text, most).map(SettingValue::Text),
            Self::Switch => match text {
                "on" => Ok(SettingValue::Switch(true)),
                "off" => Ok(SettingValue::Switch(false)),
                other => Err(format!("{} is neither on nor off", quote(other))),
            },
            Self::Choice(words) => match words.iter().find(|word| **word == text) {
                Some(word) => Ok(SettingValue::Choice(word)),
                None => Err(format!("{} is none of the words", quote(text))),
            },
            Self::List { most, each } => {
                let items = items(text, most)?;
                let items = items.into_iter().map(|item| plain_text(item, each));
                items.collect::<Result<_, _>>().map(SettingValue::List)
            }
            Self::Ids { most } => {
                let items = items(text, most)?.into_iter().map(id);
                items.collect::<Result<_, _>>().map(SettingValue::Ids)
            }
            Self::Quotas { most } => {
                let items = items(text, most)?.into_iter().map(quota);
                items.collect::<Result<_, _>>().map(SettingValue::Quotas)
            }
            Self::Zone => {
                let fits = |c: char| c.is_ascii_alphanumeric() || "/_+-".contains(c);
                let named = !text.is_empty() && text.len() <= ZONE_NAME && text.chars().all(fits);
                match named {
                    true => Ok(SettingValue::Zone(text.to_owned())),
                    false => Err(format!("unknown time zone {}", quote(text))),
                }
            }
        }
    }
}

/// Text without control characters, or what is wrong with it.
fn plain_text(text: &str, most: usize) -> Result<String, String> {
    let text = text.trim();
    let control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if text.is_empty() {
        Err("there is no text".to_owned())
    } else if text.chars().nth(most).is_some() {
        Err(format!("{} characters are too many", text.chars().count()))
    } else if text.contains(control) {
        Err("the text holds control characters".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

/// The items of a list, between commas unless it has lines.
fn items(text: &str, most: usize) -> Result<Vec<&str>, String> {
    if text.trim() == "none" {
        return Ok(Vec::new());
    }
    let separator = if text.contains('\n') { '\n' } else { ',' };
    let items = text.split(separator).map(str::trim);
    let items: Vec<&str> = items.filter(|item| !item.is_empty()).collect();
    match items.len() {
        0 => Err("the list is empty; write \"none\"".to_owned()),
        count if count > most => Err(format!("{count} are too many")),
        _ => Ok(items),
    }
}

fn id(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(id) if id > 0 => Ok(id),
        _ => Err(format!("{} is not an id", quote(text))),
    }
}

fn quota(text: &str) -> Result<RoleQuota, String> {
    let read = || {
        let (role, rate) = text.split_once('=')?;
        let (count, window) = rate.split_once('/')?;
        let count = count.trim().parse().ok()?;
        let window = parse_duration(window.trim())?;
        let sensible = (1..=1000).contains(&count) && !window.is_zero();
        sensible.then_some(RoleQuota {
            role: RoleId::new(id(role.trim()).ok()?),
            count,
            window,
        })
    };
    read().ok_or_else(|| format!("{} is not a quota", quote(text)))
}

/// As its setting reads it back.
impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::Whole(number) => number.fmt(f),
            Self::Duration(duration) => f.write_str(&write_duration(*duration)),
            Self::Text(text) | Self::Zone(text) => f.write_str(text),
            Self::Switch(on) => f.write_str(if *on { "on" } else { "off" }),
            Self::Choice(word) => f.write_str(word),
            Self::List(items) => {
                let lines = items.iter().any(|item| item.contains(','));
                write_list(f, items, if lines { "\n" } else { ", " })?;
                match lines && items.len() == 1 {
                    true => f.write_str("\n"),
                    false => Ok(()),
                }
            }
            Self::Ids(ids) => write_list(f, ids, ", "),
            Self::Quotas(quotas) => write_list(f, quotas, ", "),
        }
    }
}

impl fmt::Display for RoleQuota {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let window = write_duration(self.window);
        write!(f, "{}={}/{window}", self.role, self.count)
    }
}

/// A list of one text with commas ends with a line, so that it reads back.
fn write_list<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    separator: &str,
) -> fmt::Result {
    if items.is_empty() {
        return f.write_str("none");
    }
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            f.write_str(separator)?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

/// The units of a duration and their milliseconds, largest first.
const UNITS: [(&str, u64); 5] = [
    ("d", 86_400_000),
    ("h", 3_600_000),
    ("m", 60_000),
    ("s", 1_000),
    ("ms", 1),
];

/// Reads a duration like `1500ms`, `20s` or `2m`.
pub fn parse_duration(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    let (_, millis) = UNITS.into_iter().find(|(name, _)| *name == unit)?;
    let number: u64 = number.parse().ok()?;
    number.checked_mul(millis).map(Duration::from_millis)
}

/// Writes a duration so that [`parse_duration`] reads it; what is below a
/// millisecond is left out.
pub fn write_duration(duration: Duration) -> String {
    let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    UNITS
        .into_iter()
        .find(|(_, unit)| millis.is_multiple_of(*unit) && millis >= *unit)
        .map_or_else(
            || "0s".to_owned(),
            |(name, unit)| format!("{}{name}", millis / unit),
        )
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// At most 60 characters of `text`, with everything unprintable escaped.
fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() {
        short.push('…');
    }
    short
}

fn quote(text: &str) -> String {
    format!("\"{}\"", shorten(text))
}

#[cfg(test)]
mod tests {
    use super::super::SettingKey;

    #[test]
    fn values_are_read_or_refused_with_what_is_allowed() {
        let long = "x".repeat(4001);
        let cases: [(SettingKey, &str, Result<&str, &str>); 32] = [
            (SettingKey::Degree, "3", Ok("3")),
            (SettingKey::Degree, "03", Ok("3")),
            (SettingKey::Degree, "5", Err("5 is out of range")),
            (SettingKey::Degree, "-1", Err("-1 is out of range")),
            (
                SettingKey::Degree,
                "99999999999999999999",
                Err("99999999999999999999 is out of range"),
            ),
            (
                SettingKey::Degree,
                "two",
                Err("\"two\" is not a whole number"),
            ),
            (
                SettingKey::Degree,
                "off",
                Err("\"off\" is not a whole number"),
            ),
            (SettingKey::Degree, "", Err("\"\" is not a whole number")),
            (SettingKey::AttachCodeAbove, "off", Ok("off")),
            (SettingKey::AttachCodeAbove, "99", Err("99 is out of range")),
            (SettingKey::AnswerWithin, "120s", Ok("2m")),
            (SettingKey::AnswerWithin, "1500ms", Ok("1500ms")),
            (
                SettingKey::AnswerWithin,
                "2d",
                Err("\"2d\" is out of range"),
            ),
            (
                SettingKey::AnswerWithin,
                "soon\u{7}",
                Err("\"soon\\u{7}\" is not a duration"),
            ),
            (SettingKey::Timezone, "Asia/Tokyo", Ok("Asia/Tokyo")),
            (
                SettingKey::Timezone,
                "../etc/passwd",
                Err("unknown time zone \"../etc/passwd\""),
            ),
            (SettingKey::Timezone, "", Err("unknown time zone \"\"")),
            (
                SettingKey::Personality,
                "  A pirate.\nArr.\n",
                Ok("A pirate.\nArr."),
            ),
            (SettingKey::Personality, " \n", Err("there is no text")),
            (
                SettingKey::Personality,
                "a\0b",
                Err("the text holds control characters"),
            ),
            (
                SettingKey::Personality,
                &long,
                Err("4001 characters are too many"),
            ),
            (SettingKey::ServerNote, "off", Ok("off")),
            (SettingKey::AlwaysReply, "on", Ok("on")),
            (
                SettingKey::AlwaysReply,
                "yes",
                Err("\"yes\" is neither on nor off"),
            ),
            (SettingKey::ContextView, "channel", Ok("channel")),
            (
                SettingKey::ContextView,
                "all",
                Err("\"all\" is none of the words"),
            ),
            (SettingKey::TriggerWords, "kai , 会話,", Ok("kai, 会話")),
            (SettingKey::TriggerWords, "none", Ok("none")),
            (SettingKey::SkipPatterns, "a, b\n", Ok("a, b\n")),
            (SettingKey::UsersDenied, "7,8", Ok("7, 8")),
            (
                SettingKey::UsersDenied,
                "@ada",
                Err("\"@ada\" is not an id"),
            ),
            (SettingKey::RoleQuotas, "7 = 5/60m", Ok("7=5/1h")),
        ];
        for (key, text, expect) in cases {
            let read = key.setting().parse(text);
            let told = read.as_ref().map(ToString::to_string);
            let problem = told.as_deref().map_err(|bad| bad.problem.as_str());
            assert_eq!(problem, expect, "{key} = {text:?}");
            if let Ok(value) = read {
                let again = key.setting().parse(&value.to_string());
                assert_eq!(again, Ok(value), "{key} = {text:?} does not read back");
            }
        }
        let told = SettingKey::AttachCodeAbove.setting().parse("5");
        assert_eq!(
            told.unwrap_err().to_string(),
            "delivery.attach_code_above: 5 is out of range; allowed: a whole number from 100 to 20000, or \"off\""
        );
    }
}
