//! Which moments are meant by what was said.

use jiff::civil::{Date, Time, Weekday};
use jiff::{Span, ToSpan, Zoned};

use super::BadTiming::{self, NotUnderstood};
use super::heard::{Day, DayPart, HeardTime, Period};
use super::{MORNING, Timing};

/// The furthest year in which a 29 February is looked for, from now.
const LEAP: i16 = 8;

/// A time of day, on that day or so many later.
#[derive(Clone, Copy)]
pub(super) struct DayTime {
    pub(super) days: i64,
    pub(super) time: Time,
}

impl HeardTime {
    pub(super) fn timing(&self, now: &Zoned) -> Result<Timing, BadTiming> {
        let now = &match &self.zone {
            Some(zone) => now.with_time_zone(zone.clone()),
            None => now.clone(),
        };
        let time = self.day_time(now)?;
        // "monday 23" is a day too.
        let is_date = self.weekdays != 0 && self.clock.is_some_and(|it| it.hour > 12);
        if self.is_bare && (!self.says_more() || is_date) {
            return Err(BadTiming::BareNumber);
        }
        if let Some(span) = self.after {
            let first = self.later(span, time, now)?;
            return Ok(Timing { first, again: None });
        }
        if self.every.is_some() || self.again {
            return self.repeated(time, now);
        }
        let first = self.once(time, now)?;
        Ok(Timing { first, again: None })
    }

    /// Whether anything but an hour was said.
    const fn says_more(&self) -> bool {
        self.day.is_some()
            || self.weekdays != 0
            || self.period.is_some()
            || self.part.is_some()
            || self.afternoon.is_some()
            || self.after.is_some()
            || self.every.is_some()
            || self.zone.is_some()
    }

    /// The time of day, if one was said.
    fn day_time(&self, now: &Zoned) -> Result<Option<DayTime>, BadTiming> {
        let (hour, minute) = match (self.clock, self.part) {
            (Some(clock), _) => (self.hour(clock.hour)?, clock.minute),
            (None, _) if self.afternoon.is_some() => return Err(NotUnderstood),
            (None, Some(part)) => (part.hour(), 0),
            (None, None) => return Ok(None),
        };
        let small = |number: u32| i8::try_from(number).map_err(|_| NotUnderstood);
        let time = Time::new(small(hour % 24)?, small(minute)?, 0, 0);
        let time = time.map_err(|_| NotUnderstood)?;
        let mut days = i64::from(hour / 24);
        let day_is_named = self.weekdays != 0
            || self.period.is_some()
            || self.after.is_some()
            || self.day.is_some_and(|it| it != Day::In(0));
        match self.part {
            // Who is up in the small hours means those.
            Some(DayPart::Tonight) if days == 1 && now.hour() < 5 && time > now.time() => days = 0,
            Some(DayPart::Midnight) if day_is_named => return Err(BadTiming::WhichMidnight),
            Some(DayPart::SmallHours) if day_is_named || self.day.is_some() => {
                return Err(BadTiming::WhichNight);
            }
            // The next one: a day is said by nobody.
            Some(DayPart::Midnight | DayPart::SmallHours) if self.day.is_none() => days = 0,
            _ => {}
        }
        Ok(Some(DayTime { days, time }))
    }

    /// The hour of the day, as "pm" or "evening" mean it.
    fn hour(&self, hour: u32) -> Result<u32, BadTiming> {
        let hour24 = match (self.afternoon, hour) {
            (None, hour) => hour,
            (Some(false), 12) => 0,
            (Some(false), hour @ 0..=11) => hour,
            (Some(true), 12 | 0) => 12,
            (Some(true), hour @ 1..=11) => hour + 12,
            _ => return Err(NotUnderstood),
        };
        let Some(part) = self.part else {
            return Ok(hour24);
        };
        let fits = match (self.afternoon, part) {
            (
                Some(false),
                DayPart::Noon | DayPart::Afternoon | DayPart::Dusk | DayPart::Evening,
            ) => false,
            (Some(false), DayPart::Night | DayPart::Tonight) => hour24 < 5,
            _ => true,
        };
        match part.meant(hour24).filter(|_| fits) {
            Some(hour) => Ok(hour),
            None if part == DayPart::Night && hour24 < 6 => Err(BadTiming::WhichNight),
            None => Err(NotUnderstood),
        }
    }

    /// So much later, at a time of that day if one was said.
    fn later(&self, span: Span, time: Option<DayTime>, now: &Zoned) -> Result<Zoned, BadTiming> {
        let is_repeated = self.every.is_some() || self.again;
        if is_repeated || self.period.is_some() {
            return Err(NotUnderstood);
        }
        let by_day = span.get_hours() == 0 && span.get_minutes() == 0 && span.get_seconds() == 0;
        let is_dated = self.day.is_some() || self.weekdays != 0;
        if time.is_none() && !is_dated {
            // Calendars reckon days, clocks reckon hours: tomorrow at this
            // time, even if the night is an hour shorter.
            return now.checked_add(span).map_err(|_| NotUnderstood);
        }
        if !by_day {
            return Err(NotUnderstood);
        }
        // "in two weeks on monday" is before or after this day in two weeks.
        if is_dated && !self.is_counted_from {
            return Err(BadTiming::WhichWeek);
        }
        let DayTime { days, time } = time.unwrap_or(DayTime {
            days: 0,
            time: MORNING,
        });
        let from = match is_dated {
            true => self.once(Some(DayTime { days: 0, time }), now)?.date(),
            false => now.date(),
        };
        let date = from
            .checked_add(span)
            .and_then(|it| it.checked_add(days.days()));
        at(date.map_err(|_| NotUnderstood)?, time, now)
    }

    /// The next such moment.
    pub(super) fn once(&self, time: Option<DayTime>, now: &Zoned) -> Result<Zoned, BadTiming> {
        let today = now.date();
        let said = time;
        let DayTime { days, time } = time.unwrap_or(DayTime {
            days: 0,
            time: MORNING,
        });
        let on = |date: Date| {
            at(
                date.checked_add(days.days()).map_err(|_| NotUnderstood)?,
                time,
                now,
            )
        };
        if let Some(day) = self.day {
            let first = match (day, self.period) {
                (Day::In(ahead), None) => on(in_days(today, ahead)?)?,
                (Day::On(year, month, day), None | Some(Period::Year(_))) => {
                    let year = match self.period {
                        Some(Period::Year(ahead)) if year.is_none() => Some(today.year() + ahead),
                        Some(_) => return Err(NotUnderstood),
                        None => year,
                    };
                    match year {
                        Some(year) => on(Date::new(year, month, day).map_err(|_| NotUnderstood)?)?,
                        None => (0..=LEAP)
                            .filter_map(|ahead| Date::new(today.year() + ahead, month, day).ok())
                            .filter_map(|date| on(date).ok())
                            .find(|it| it > now)
                            .ok_or(NotUnderstood)?,
                    }
                }
                (Day::Of { day, last }, None) => (0..=12)
                    .filter_map(|ahead| day_of_month(today, ahead, day, last))
                    .filter_map(|date| on(date).ok())
                    .find(|it| it > now)
                    .ok_or(NotUnderstood)?,
                (Day::Of { day, last }, Some(Period::Month(ahead))) => {
                    on(day_of_month(today, ahead, day, last).ok_or(NotUnderstood)?)?
                }
                _ => return Err(NotUnderstood),
            };
            let date = in_days(first.date(), -days)?;
            return match self.weekdays == 0 || self.weekdays == bit(date.weekday()) {
                true => Ok(first),
                false => Err(BadTiming::WrongWeekday),
            };
        }
        if self.weekdays != 0 {
            return self.next_weekday(DayTime { days, time }, now);
        }
        let monday = in_days(today, -i64::from(today.weekday().to_monday_zero_offset()))?;
        let first = today.first_of_month();
        match self.period {
            Some(Period::Week(ahead @ 1..)) => on(in_days(monday, ahead * 7)?),
            Some(Period::Month(ahead @ 1..)) => on(first
                .checked_add(ahead.months())
                .map_err(|_| NotUnderstood)?),
            Some(Period::Year(ahead @ 1..)) => {
                on(Date::new(today.year() + ahead, 1, 1).map_err(|_| NotUnderstood)?)
            }
            Some(_) => Err(NotUnderstood),
            None if said.is_none() => Err(NotUnderstood),
            None => {
                let first = on(today)?;
                match first > *now {
                    true => Ok(first),
                    false => on(in_days(today, 1)?),
                }
            }
        }
    }

    /// The next of the weekdays that were named.
    pub(super) fn next_weekday(&self, time: DayTime, now: &Zoned) -> Result<Zoned, BadTiming> {
        let today = now.date();
        let on = |date: Date| at(in_days(date, time.days)?, time.time, now);
        let is_one = self.weekdays.count_ones() == 1;
        if !is_one && !self.is_weekend && !self.again {
            return Err(BadTiming::SeveralDays);
        }
        if let Some(period) = self.period {
            let Period::Week(ahead) = period else {
                return Err(NotUnderstood);
            };
            if !is_one || self.again {
                return Err(NotUnderstood);
            }
            // Weeks begin on Sunday for some, on Monday for others.
            let named = i64::from(self.weekdays.trailing_zeros());
            let day = i64::from(today.weekday().to_monday_zero_offset());
            let by_monday = named - day + ahead * 7;
            let by_sunday = (named + 1) % 7 - (day + 1) % 7 + ahead * 7;
            return match by_monday == by_sunday {
                true => on(in_days(today, by_monday)?),
                false => Err(BadTiming::WhichWeek),
            };
        }
        let from = i64::from(self.is_next);
        (from..=7)
            .filter_map(|ahead| in_days(today, ahead).ok())
            .filter(|date| self.weekdays & bit(date.weekday()) != 0)
            .filter_map(|date| on(date).ok())
            .find(|it| it > now)
            .ok_or(NotUnderstood)
    }
}

/// A time of a date, which comes twice when clocks are put back.
pub(super) fn at(date: Date, time: Time, now: &Zoned) -> Result<Zoned, BadTiming> {
    let ambiguous = now.time_zone().to_ambiguous_zoned(date.to_datetime(time));
    let first = ambiguous.clone().compatible().map_err(|_| NotUnderstood)?;
    match first > *now {
        true => Ok(first),
        false => ambiguous.later().map_err(|_| NotUnderstood),
    }
}

fn in_days(date: Date, days: i64) -> Result<Date, BadTiming> {
    let span = Span::new().try_days(days).map_err(|_| NotUnderstood)?;
    date.checked_add(span).map_err(|_| NotUnderstood)
}

/// That day of the month so many months ahead; its last, if it is shorter and
/// that will do.
pub(super) fn day_of_month(today: Date, ahead: i64, day: i8, last: bool) -> Option<Date> {
    let month = today.first_of_month().checked_add(ahead.months()).ok()?;
    let day = if last {
        day.min(month.days_in_month())
    } else {
        day
    };
    month.with().day(day).build().ok()
}

fn bit(weekday: Weekday) -> u8 {
    1 << weekday.to_monday_zero_offset()
}
