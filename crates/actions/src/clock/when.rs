//! When something is to happen, as people write it: "in 20 minutes", "tomorrow
//! at 9", "next friday 18:00", "every monday at 8", 「明日9時」.
//!
//! A text is read piece by piece ([`reader`], [`dates`], [`again`], [`zones`]) into
//! what it says ([`heard`]), in any order; one piece that nothing knows makes the
//! whole text unreadable. From that come the [`moments`] and [`recurrences`]: what
//! is not said is filled in, with the next such moment and nine in the morning for
//! a day without a time. What could mean two moments is refused and says how to
//! write either.

mod again;
mod dates;
mod heard;
mod moments;
mod reader;
mod recurrences;
#[cfg(test)]
mod tests;
mod words;
mod zones;

use jiff::Zoned;
use jiff::civil::Time;
use kaiwa_domain::Recurrence;

use crate::duration::read_span;
use crate::phrase::Phrase;
use crate::spoken::pieces;
use reader::TimeReader;

/// The longest text that is looked at.
pub(super) const MOST_CHARS: usize = 100;

/// The time of a day that comes without one.
const MORNING: Time = Time::constant(9, 0, 0, 0);

/// When something happens, and whether it happens again.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Timing {
    pub(super) first: Zoned,
    pub(super) again: Option<Recurrence>,
}

/// Why a text names no moment to come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BadTiming {
    NotUnderstood,
    Past,
    /// It would happen again within the hour.
    TooOften,
    /// "every 90 minutes"
    WholeHours,
    /// "in 10"
    InNumber,
    /// "10"
    BareNumber,
    /// 「3日」 is three days, or the third.
    DayOrDays,
    /// "17h30"
    TimeOrLength,
    /// "5/12", "5.12"
    DayOrMonth,
    /// "next weekend", "sunday next week"
    WhichWeek,
    /// "friday at midnight"
    WhichMidnight,
    /// "tomorrow night at 2"
    WhichNight,
    /// "friday, december 24", and it is a Thursday.
    WrongWeekday,
    /// "monday and friday", once.
    SeveralDays,
    /// "the first monday of the month"
    NthWeekday,
    /// "every 2 weeks on monday and friday"
    OneWeekday,
    /// "biweekly"
    TwiceOrEveryTwo,
    /// "5pm CST"
    Zone,
}

impl BadTiming {
    /// What people read.
    pub(super) const fn phrase(self) -> Phrase {
        match self {
            Self::NotUnderstood => Phrase::new("when-unknown"),
            Self::Past => Phrase::new("when-past"),
            Self::TooOften => Phrase::new("when-too-often"),
            Self::WholeHours => Phrase::new("when-whole-hours"),
            Self::InNumber => Phrase::new("when-in-number"),
            Self::BareNumber => Phrase::new("when-number"),
            Self::DayOrDays => Phrase::new("when-day-or-days"),
            Self::TimeOrLength => Phrase::new("when-time-or-length"),
            Self::DayOrMonth => Phrase::new("when-day-or-month"),
            Self::WhichWeek => Phrase::new("when-which-week"),
            Self::WhichMidnight => Phrase::new("when-which-midnight"),
            Self::WhichNight => Phrase::new("when-which-night"),
            Self::WrongWeekday => Phrase::new("when-wrong-weekday"),
            Self::SeveralDays => Phrase::new("when-several-days"),
            Self::NthWeekday => Phrase::new("when-nth-weekday"),
            Self::OneWeekday => Phrase::new("when-one-weekday"),
            Self::TwiceOrEveryTwo => Phrase::new("when-twice-or-every-two"),
            Self::Zone => Phrase::new("when-zone"),
        }
    }
}

/// Reads a text, which means what it means at `now`.
pub(super) fn read(text: &str, now: &Zoned) -> Result<Timing, BadTiming> {
    if text.chars().count() > MOST_CHARS {
        return Err(BadTiming::NotUnderstood);
    }
    let text = text.trim();
    let timing = match moment(text, now) {
        Some(first) => Timing { first, again: None },
        None => {
            let pieces = pieces(text).ok_or(BadTiming::NotUnderstood)?;
            let is_japanese = text.chars().any(|c| ('\u{3040}'..='\u{9fff}').contains(&c));
            TimeReader::new(&pieces, is_japanese).read()?.timing(now)?
        }
    };
    match timing.first > *now {
        true => Ok(timing),
        false => Err(BadTiming::Past),
    }
}

/// A moment that says all about itself: ISO 8601, or Discord's `<t:…>`.
fn moment(text: &str, now: &Zoned) -> Option<Zoned> {
    let zone = now.time_zone().clone();
    if let Some(inside) = text.strip_prefix("<t:").and_then(|it| it.strip_suffix('>')) {
        let seconds = inside.split(':').next()?.parse().ok()?;
        let at = jiff::Timestamp::from_second(seconds).ok()?;
        return Some(at.to_zoned(zone));
    }
    let upper = text.to_uppercase();
    if let Some(length) = upper.strip_prefix('P')
        && length.starts_with(|c: char| c == 'T' || c.is_ascii_digit())
    {
        return now.checked_add(read_span(&upper).ok()?).ok();
    }
    if let Ok(at) = upper.parse::<Zoned>() {
        return Some(at);
    }
    if let Ok(at) = upper.parse::<jiff::Timestamp>() {
        return Some(at.to_zoned(zone));
    }
    let at: jiff::civil::DateTime = upper.parse().ok().filter(|_| upper.contains('T'))?;
    at.to_zoned(zone).ok()
}
