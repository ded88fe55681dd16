//! What the words of a text say about a moment.

use jiff::Span;
use jiff::tz::TimeZone;

/// All that was said. What was not is filled in later.
#[derive(Clone, Debug, Default)]
pub(super) struct HeardTime {
    pub(super) day: Option<Day>,
    /// The weekdays that are named, Monday in the lowest bit.
    pub(super) weekdays: u8,
    /// "Next friday" is never today.
    pub(super) is_next: bool,
    /// One of the weekdays is meant, whichever comes first.
    pub(super) is_weekend: bool,
    pub(super) period: Option<Period>,
    pub(super) clock: Option<ClockTime>,
    /// "am" or "pm".
    pub(super) afternoon: Option<bool>,
    pub(super) part: Option<DayPart>,
    /// So much later.
    pub(super) after: Option<Span>,
    /// The day from which that is counted was said: "a week from friday".
    pub(super) is_counted_from: bool,
    /// So often.
    pub(super) every: Option<Span>,
    /// It happens on these weekdays again and again.
    pub(super) again: bool,
    pub(super) zone: Option<TimeZone>,
    /// The hour is a number alone, without "at".
    pub(super) is_bare: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Day {
    /// So many days from today.
    In(i64),
    /// A date, in a year that may have been left out.
    On(Option<i16>, i8, i8),
    /// A day of a month; the 31st is the last, if `last`.
    Of { day: i8, last: bool },
}

/// This one, the next one, the one after that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Period {
    Week(i64),
    Month(i64),
    Year(i16),
}

/// Hours from 24 on are after midnight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClockTime {
    pub(super) hour: u32,
    pub(super) minute: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DayPart {
    Dawn,
    Morning,
    Noon,
    Afternoon,
    Dusk,
    Evening,
    Night,
    Tonight,
    SmallHours,
    Midnight,
}

impl DayPart {
    /// The hour of it, if none is said.
    pub(super) const fn hour(self) -> u32 {
        match self {
            Self::Dawn => 6,
            Self::Morning => 9,
            Self::Noon => 12,
            Self::Afternoon => 15,
            Self::Dusk => 17,
            Self::Evening => 19,
            Self::Tonight => 20,
            Self::Night => 21,
            Self::SmallHours => 2,
            Self::Midnight => 24,
        }
    }

    /// The hour of the day that somebody means who says this one of this part;
    /// from 24 on it is one of the next day.
    pub(super) const fn meant(self, hour: u32) -> Option<u32> {
        match (self, hour) {
            (Self::Dawn, 3..=7)
            | (Self::Morning, 1..=11)
            | (Self::Noon, 11..=13)
            | (Self::Afternoon, 12..=18)
            | (Self::Dusk, 15..=19)
            | (Self::Evening, 16..=23)
            | (Self::Night | Self::Tonight, 17..=29)
            | (Self::SmallHours, 0..=5 | 24..=29) => Some(hour),
            (Self::Noon, 1..=3)
            | (Self::Afternoon, 1..=6)
            | (Self::Dusk, 3..=7)
            | (Self::Evening, 4..=11)
            | (Self::Night, 6..=11)
            | (Self::Tonight, 5..=11) => Some(hour + 12),
            (Self::Night | Self::Tonight | Self::Midnight, 0 | 12) => Some(24),
            (Self::Midnight, 24) => Some(24),
            (Self::Tonight, 1..=4) => Some(hour + 24),
            (Self::SmallHours, 12) => Some(0),
            _ => None,
        }
    }
}
