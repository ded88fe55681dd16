//! What is to be done at a certain time, once or again and again.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use crate::{ChannelId, Scope, Timestamp, UserId};

/// How many characters the words of a schedule may have.
pub const SCHEDULE_CHARS: usize = 1000;

/// How many schedules one person may have in a scope.
pub const SCHEDULES_PER_PERSON: usize = 25;

/// Names a schedule within its scope.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ScheduleId(u32);

impl ScheduleId {
    /// The schedule with this number.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Its number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for ScheduleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for ScheduleId {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// What is done when the time has come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TaskKind {
    /// The words are said to whoever set it.
    Remind,
    /// The words are answered, as if they had just been asked.
    Answer,
}

impl TaskKind {
    /// Its name, which does not change.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Remind => "remind",
            Self::Answer => "answer",
        }
    }

    /// The kind of this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        let kinds = [Self::Remind, Self::Answer];
        kinds.into_iter().find(|kind| kind.name() == name)
    }
}

/// How something happens again. Days are those of a time zone's calendar; an
/// hour of the day that is skipped there is an hour later.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Recurrence {
    /// Every so many hours.
    Hours(u16),
    /// Every so many days.
    Days {
        /// How many.
        every: u16,
        /// The minute of the day.
        minute: u16,
    },
    /// On some days of every week.
    Weekdays {
        /// Which, Monday in the lowest bit.
        days: u8,
        /// The minute of the day.
        minute: u16,
    },
    /// Every so many months.
    Months {
        /// How many; twelve are a year.
        every: u16,
        /// The day of the month, the last one of months that are shorter.
        day: u8,
        /// The minute of the day.
        minute: u16,
    },
}

/// As it is stored: `weekdays 31 540`.
impl fmt::Display for Recurrence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hours(hours) => write!(f, "hours {hours}"),
            Self::Days { every, minute } => write!(f, "days {every} {minute}"),
            Self::Weekdays { days, minute } => write!(f, "weekdays {days} {minute}"),
            Self::Months { every, day, minute } => write!(f, "months {every} {day} {minute}"),
        }
    }
}

/// The text says nothing about when something happens again.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no recurrence")]
pub struct BadRecurrence(String);

impl FromStr for Recurrence {
    type Err = BadRecurrence;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut words = text.split(' ');
        let kind = words.next();
        let mut number = || words.next()?.parse::<u16>().ok();
        let is_minute = |minute: &u16| *minute < 24 * 60;
        let read = match kind {
            Some("hours") => number().filter(|it| *it > 0).map(Self::Hours),
            Some("days") => (|| {
                let every = number().filter(|it| *it > 0)?;
                let minute = number().filter(is_minute)?;
                Some(Self::Days { every, minute })
            })(),
            Some("weekdays") => (|| {
                let days = number().filter(|days| (1..128).contains(days))?;
                let days = u8::try_from(days).ok()?;
                let minute = number().filter(is_minute)?;
                Some(Self::Weekdays { days, minute })
            })(),
            Some("months") => (|| {
                let every = number().filter(|it| *it > 0)?;
                let day = number().filter(|day| (1..=31).contains(day))?;
                let day = u8::try_from(day).ok()?;
                let minute = number().filter(is_minute)?;
                Some(Self::Months { every, day, minute })
            })(),
            _ => None,
        };
        read.filter(|_| words.next().is_none())
            .ok_or_else(|| BadRecurrence(text.to_owned()))
    }
}

/// Something that is to be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewSchedule {
    /// Whose data it is.
    pub scope: Scope,
    /// Where it is done.
    pub channel: ChannelId,
    /// On whose behalf.
    pub user: UserId,
    /// What is done.
    pub kind: TaskKind,
    /// In their words.
    pub text: String,
    /// When.
    pub due: Timestamp,
    /// How it happens again, if it does.
    pub recurrence: Option<Recurrence>,
    /// The time zone of the recurrence, by its IANA name.
    pub zone: String,
    /// Which request set it: one that comes twice sets it once.
    pub mark: u64,
    /// When it was set.
    pub created_at: Timestamp,
}

/// Something that will be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// Its name within the scope.
    pub id: ScheduleId,
    /// What was set.
    pub set: NewSchedule,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recurrences_read_back() {
        for recurrence in [
            Recurrence::Hours(3),
            Recurrence::Days {
                every: 2,
                minute: 0,
            },
            Recurrence::Weekdays {
                days: 127,
                minute: 1439,
            },
            Recurrence::Months {
                every: 12,
                day: 31,
                minute: 540,
            },
        ] {
            assert_eq!(recurrence.to_string().parse(), Ok(recurrence));
        }
        for bad in [
            "",
            "hours",
            "hours 0",
            "hours 1 2",
            "days 1",
            "days 0 5",
            "days 1 1440",
            "weekdays 0 5",
            "weekdays 128 5",
            "months 1",
            "months 0 1 5",
            "months 1 0 5",
            "months 1 32 5",
            "months 1 1 1440",
            "years 1",
        ] {
            assert!(bad.parse::<Recurrence>().is_err(), "{bad:?}");
        }
        for kind in [TaskKind::Remind, TaskKind::Answer] {
            assert_eq!(TaskKind::from_name(kind.name()), Some(kind));
        }
    }
}
