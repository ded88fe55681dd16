//! How long something lasts, as people write it: `3d`, `1h30m`, `PT90M`,
//! "two and a half weeks", "an hour and a half", 「２時間半」.
//!
//! ```text
//! length = part (("," | "and") part)*
//! part   = amount unit ("and a half" | "and a quarter" | "半")?
//! amount = number ("and a half")? | "a" | "half" ("a")? | "a couple" ("of")? | …
//! ```

mod grammar;

use std::fmt;
use std::time::Duration;

use jiff::Span;
use serde::Deserialize;

use crate::phrase::Phrase;
use crate::spoken::{Said, SpokenPiece, pieces};

/// The longest text that is looked at.
const MOST_CHARS: usize = 64;

/// The longest time that anybody may mean, in days: ten years.
const MOST_DAYS: u64 = 3660;

const DAY: Duration = Duration::from_secs(24 * 3600);

/// Why a text says no length of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BadDuration {
    NotUnderstood,
    /// `1:30` is an hour and a half to some, a minute and a half to others.
    Ambiguous,
    TooLong,
}

impl BadDuration {
    /// What people read.
    pub(crate) const fn phrase(self) -> Phrase {
        match self {
            Self::NotUnderstood => Phrase::new("duration-unknown"),
            Self::Ambiguous => Phrase::new("duration-ambiguous"),
            Self::TooLong => Phrase::new("duration-too-long"),
        }
    }
}

impl fmt::Display for BadDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.phrase().text(""))
    }
}

/// A length of time as an argument. A month has 30 days, a year 365.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct SpokenDuration(pub(crate) Duration);

impl TryFrom<String> for SpokenDuration {
    type Error = BadDuration;

    fn try_from(text: String) -> Result<Self, BadDuration> {
        let span = read_span(&text)?;
        let part = |number: i64, unit: Duration| -> Option<Duration> {
            unit.checked_mul(u32::try_from(number).ok()?)
        };
        let days = i64::from(span.get_years()) * 365
            + i64::from(span.get_months()) * 30
            + i64::from(span.get_weeks()) * 7
            + i64::from(span.get_days());
        let total = [
            part(days, DAY),
            part(span.get_hours().into(), Duration::from_secs(3600)),
            part(span.get_minutes(), Duration::from_secs(60)),
            part(span.get_seconds(), Duration::from_secs(1)),
        ]
        .into_iter()
        .try_fold(Duration::ZERO, |sum, part| sum.checked_add(part?));
        total.map(Self).ok_or(BadDuration::TooLong)
    }
}

/// A length of time by the calendar, in years down to seconds: what it comes to
/// depends on when it begins. It is longer than nothing and shorter than ten
/// years.
pub(crate) fn read_span(text: &str) -> Result<Span, BadDuration> {
    if text.chars().count() > MOST_CHARS {
        return Err(BadDuration::NotUnderstood);
    }
    // ISO 8601.
    if let Some(span) = text.trim().strip_prefix(['P', 'p']) {
        let span = format!("P{span}").parse();
        return bounded(span.map_err(|_| BadDuration::NotUnderstood)?);
    }
    let pieces = pieces(text).ok_or(BadDuration::NotUnderstood)?;
    let first = pieces.first().and_then(SpokenPiece::word);
    let filler = usize::from(matches!(first, Some("for" | "about" | "around")));
    spoken_span(pieces.get(filler..).unwrap_or_default())
}

/// The length of time that all the pieces are.
pub(crate) fn spoken_span(pieces: &[SpokenPiece]) -> Result<Span, BadDuration> {
    let pieces = match pieces.split_last() {
        Some((last, rest)) if last.said == Said::Sign('.') => rest,
        _ => pieces,
    };
    if let Some(span) = clock_span(pieces) {
        return bounded(span?);
    }
    match grammar::leading_span(pieces) {
        Some((span, used)) if used == pieces.len() => bounded(span),
        _ => Err(BadDuration::NotUnderstood),
    }
}

/// The length of time that the pieces begin with, and how many it takes.
pub(crate) fn leading_span(pieces: &[SpokenPiece]) -> Option<(Span, usize)> {
    let (span, used) = grammar::leading_span(pieces)?;
    Some((bounded(span).ok()?, used))
}

/// The unit without a number that the pieces begin with: of "every week".
pub(crate) fn leading_unit(pieces: &[SpokenPiece]) -> Option<(Span, usize)> {
    grammar::unit_span(pieces)
}

/// `1:30:00`, as clocks for races show it.
fn clock_span(pieces: &[SpokenPiece]) -> Option<Result<Span, BadDuration>> {
    let number = |at: usize| pieces.get(at)?.number();
    let colon = |at: usize| pieces.get(at).is_some_and(|it| it.said == Said::Sign(':'));
    let small = |at: usize| number(at).filter(|it| *it < 60);
    match pieces.len() {
        3 if colon(1) && number(0).is_some() && small(2).is_some() => {
            Some(Err(BadDuration::Ambiguous))
        }
        5 if colon(1) && colon(3) => {
            let (hours, minutes, seconds) = (number(0)?, small(2)?, small(4)?);
            let span = Span::new().try_hours(i64::from(hours));
            let span = span.and_then(|it| it.try_minutes(i64::from(minutes)));
            let span = span.and_then(|it| it.try_seconds(i64::from(seconds)));
            Some(span.map_err(|_| BadDuration::TooLong))
        }
        _ => None,
    }
}

/// A span that can be meant.
fn bounded(span: Span) -> Result<Span, BadDuration> {
    let days = i64::from(span.get_years()) * 366
        + i64::from(span.get_months()) * 31
        + i64::from(span.get_weeks()) * 7
        + i64::from(span.get_days());
    let seconds = i64::from(span.get_hours())
        .checked_mul(3600)
        .zip(span.get_minutes().checked_mul(60))
        .and_then(|(hours, minutes)| hours.checked_add(minutes))
        .and_then(|it| it.checked_add(span.get_seconds()))
        .ok_or(BadDuration::TooLong)?;
    if span.signum() != 1 || (days == 0 && seconds == 0) {
        return Err(BadDuration::NotUnderstood);
    }
    let whole = u64::try_from(seconds).map_err(|_| BadDuration::NotUnderstood)? / DAY.as_secs();
    let days = u64::try_from(days).map_err(|_| BadDuration::NotUnderstood)?;
    match whole.saturating_add(days) > MOST_DAYS {
        true => Err(BadDuration::TooLong),
        false => Ok(span),
    }
}

#[cfg(test)]
mod tests;
