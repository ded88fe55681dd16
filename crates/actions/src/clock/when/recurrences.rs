//! How often what was said happens again, and when first.

use jiff::civil::{Date, Time};
use jiff::{Span, Zoned};
use kaiwa_domain::Recurrence;

use super::BadTiming::{self, NotUnderstood};
use super::heard::{Day, HeardTime};
use super::moments::{DayTime, at, day_of_month};
use super::{MORNING, Timing};

impl HeardTime {
    /// Again and again.
    pub(super) fn repeated(&self, time: Option<DayTime>, now: &Zoned) -> Result<Timing, BadTiming> {
        let span = self.every.unwrap_or_else(|| match self.weekdays {
            0 => Span::new().days(1),
            _ => Span::new().days(7),
        });
        let months = i64::from(span.get_years()) * 12 + i64::from(span.get_months());
        let days = i64::from(span.get_weeks()) * 7 + i64::from(span.get_days());
        let seconds =
            i64::from(span.get_hours()) * 3600 + span.get_minutes() * 60 + span.get_seconds();
        let small = |number: i64| u16::try_from(number).map_err(|_| NotUnderstood);
        let is_dated = self.day.is_some() || self.weekdays != 0 || self.period.is_some();
        match (months, days, seconds) {
            (0, 0, seconds) => {
                if seconds < 3600 {
                    return Err(BadTiming::TooOften);
                }
                if seconds % 3600 != 0 {
                    return Err(BadTiming::WholeHours);
                }
                if time.is_some() || is_dated {
                    return Err(NotUnderstood);
                }
                Ok(Timing {
                    first: now.checked_add(span).map_err(|_| NotUnderstood)?,
                    again: Some(Recurrence::Hours(small(seconds / 3600)?)),
                })
            }
            (0, days, 0) if self.weekdays != 0 => self.weekly(days, time, now),
            // Nothing was said but "every", unless it is "mornings".
            (0, _, 0) if self.every.is_none() && self.part.is_none() => Err(NotUnderstood),
            (0, days, 0) => {
                let is_start = !matches!(self.day, Some(Day::Of { .. }));
                if self.period.is_some() || !is_start {
                    return Err(NotUnderstood);
                }
                let first = match (time, is_dated) {
                    (None, false) if days > 1 => whole_minute(now, span)?,
                    _ => self.once(Some(time.unwrap_or(DAILY)), now)?,
                };
                Ok(Timing {
                    again: Some(Recurrence::Days {
                        every: small(days)?,
                        minute: minute(first_time(time, &first)),
                    }),
                    first,
                })
            }
            (months, 0, 0) if self.weekdays == 0 && self.period.is_none() => {
                self.monthly(small(months)?, time, now)
            }
            (_, 0, 0) if self.weekdays != 0 => Err(BadTiming::NthWeekday),
            _ => Err(NotUnderstood),
        }
    }

    /// On weekdays, every so many days.
    fn weekly(&self, days: i64, time: Option<DayTime>, now: &Zoned) -> Result<Timing, BadTiming> {
        let time = time.unwrap_or(DAILY);
        if self.day.is_some() || days % 7 != 0 {
            return Err(NotUnderstood);
        }
        if time.days != 0 {
            return Err(BadTiming::WhichMidnight);
        }
        let every = Self {
            again: true,
            ..self.clone()
        };
        let first = every.next_weekday(time, now)?;
        let minute = minute(time.time);
        let again = match (days, self.weekdays.count_ones()) {
            (7, _) => Recurrence::Weekdays {
                days: self.weekdays,
                minute,
            },
            (_, 1) => Recurrence::Days {
                every: u16::try_from(days).map_err(|_| NotUnderstood)?,
                minute,
            },
            _ => return Err(BadTiming::OneWeekday),
        };
        Ok(Timing {
            first,
            again: Some(again),
        })
    }

    /// Every so many months, on a day of the month.
    fn monthly(&self, every: u16, time: Option<DayTime>, now: &Zoned) -> Result<Timing, BadTiming> {
        let today = now.date();
        let DayTime {
            days: 0,
            time: at_time,
        } = time.unwrap_or(DAILY)
        else {
            return Err(BadTiming::WhichMidnight);
        };
        let next = |step: i64, begin: Date, day: i8| {
            (0..=13)
                .filter_map(|ahead| day_of_month(begin, ahead * step, day, true))
                .filter_map(|date| at(date, at_time, now).ok())
                .find(|it| it > now)
                .ok_or(NotUnderstood)
        };
        let (first, day) = match self.day {
            None if time.is_none() => {
                let first = whole_minute(now, Span::new().months(i64::from(every)))?;
                (first, today.day())
            }
            None => (next(1, today, today.day())?, today.day()),
            Some(Day::Of { day, .. }) => (next(1, today, day)?, day),
            Some(Day::On(None, month, day)) if every.is_multiple_of(12) => {
                let begin = Date::new(today.year(), month, 1).map_err(|_| NotUnderstood)?;
                // A leap day is one in leap years.
                if day > 29 && Date::new(2024, month, day).is_err() {
                    return Err(NotUnderstood);
                }
                (next(12, begin, day)?, day)
            }
            _ => return Err(NotUnderstood),
        };
        let again = Recurrence::Months {
            every,
            day: u8::try_from(day).map_err(|_| NotUnderstood)?,
            minute: minute(first_time(time, &first)),
        };
        Ok(Timing {
            first,
            again: Some(again),
        })
    }
}

/// What happens daily without a time.
const DAILY: DayTime = DayTime {
    days: 0,
    time: MORNING,
};

/// The time that recurs: as it was said, not as a night without that hour has it.
fn first_time(said: Option<DayTime>, first: &Zoned) -> Time {
    said.map_or_else(|| first.time(), |it| it.time)
}

/// So much later, on the minute.
fn whole_minute(now: &Zoned, span: Span) -> Result<Zoned, BadTiming> {
    let later = now.checked_add(span).map_err(|_| NotUnderstood)?;
    let time = later.with().second(0).subsec_nanosecond(0).build();
    time.map_err(|_| NotUnderstood)
}

fn minute(time: Time) -> u16 {
    u16::try_from(i32::from(time.hour()) * 60 + i32::from(time.minute())).unwrap_or_default()
}
