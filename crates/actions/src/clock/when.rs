//! When something is to happen, as people write it: "in 20 minutes", "tomorrow
//! at 9", "next friday 18:00", "every monday at 8", 「明日9時」.
//!
//! A text is read word by word, each by the first of a few tables that knows
//! it, in any order; one word that none knows makes the whole text unreadable.
//! What is not said is filled in: the next such moment, and nine in the morning
//! for a day without a time.

mod words;

use jiff::civil::{Date, Time, Weekday};
use jiff::{Span, ToSpan, Zoned};
use kaiwa_domain::Recurrence;

use crate::duration::read_span;
use words::{DayWord, MONTHS, WEEKDAYS, day_word, from_japanese, time_word};

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
}

impl std::fmt::Display for BadTiming {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotUnderstood => {
                "when: write it like in 20 minutes, tomorrow at 9, next friday 18:00, every \
                 monday at 8, 1h30m or 2030-12-24 18:00"
            }
            Self::Past => "when: that has been",
            Self::TooOften => "when: nothing is repeated more often than every hour",
        })
    }
}

/// Reads a text, which means what it means at `now`.
pub(super) fn read(text: &str, now: &Zoned) -> Result<Timing, BadTiming> {
    if text.chars().count() > MOST_CHARS {
        return Err(BadTiming::NotUnderstood);
    }
    let text = from_japanese(&text.trim().to_lowercase());
    let timing = match moment(&text, now).or_else(|| later(&text, now)) {
        Some(first) => Timing { first, again: None },
        None => match repeated(&text, now)? {
            Some(timing) => timing,
            None => Timing {
                first: Moments::read(&text)
                    .and_then(|it| it.next(now))
                    .ok_or(BadTiming::NotUnderstood)?,
                again: None,
            },
        },
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
    if let Ok(at) = upper.parse::<jiff::Timestamp>() {
        return Some(at.to_zoned(zone));
    }
    let at: jiff::civil::DateTime = upper.parse().ok().filter(|_| upper.contains('T'))?;
    at.to_zoned(zone).ok()
}

/// "in 20 minutes", "20m", "2 weeks from now".
fn later(text: &str, now: &Zoned) -> Option<Zoned> {
    let text = text.strip_prefix("in ").unwrap_or(text);
    let text = ["from now", "later", "後"]
        .iter()
        .find_map(|after| text.strip_suffix(after))
        .unwrap_or(text);
    // Calendars reckon days, clocks reckon hours: tomorrow at this time, even
    // if the night is an hour shorter.
    now.checked_add(read_span(text).ok()?).ok()
}

/// "every monday at 8", "daily", "every 3 hours"; `None` if nothing is said of
/// its being repeated.
fn repeated(text: &str, now: &Zoned) -> Result<Option<Timing>, BadTiming> {
    let rest = match text.split_once(' ').unwrap_or((text, "")) {
        ("every" | "each", rest) => rest.to_owned(),
        ("daily", rest) => format!("day {rest}"),
        ("weekly", rest) => format!("week {rest}"),
        ("hourly", rest) => format!("hour {rest}"),
        ("weekdays" | "weekends", _) => text.to_owned(),
        _ => return Ok(None),
    };
    let rest = rest.replace("other ", "2 ").replace("second ", "2 ");
    let (span, rest) = leading_span(rest.trim());
    let at = Moments::read(rest).ok_or(BadTiming::NotUnderstood)?;
    let timing = match span {
        Some(span) => at.every(span, now)?,
        None => at.on_weekdays(now),
    };
    timing.map(Some).ok_or(BadTiming::NotUnderstood)
}

/// The length of time at the start: of "3 days at 9" or "week on monday".
fn leading_span(text: &str) -> (Option<Span>, &str) {
    let ends = text
        .match_indices(' ')
        .map(|(at, _)| at)
        .chain([text.len()])
        .take(4);
    let mut found = (None, text);
    for end in ends {
        let (start, rest) = text.split_at(end);
        let begins_with_digit = start.starts_with(|c: char| c.is_ascii_digit());
        let spoken = match begins_with_digit {
            true => start.to_owned(),
            // "every day" is every one day, but "every monday" is not.
            false => format!("1 {start}"),
        };
        if let Ok(span) = read_span(&spoken) {
            found = (Some(span), rest.trim());
        }
    }
    found
}

/// What the words of a text say about a moment.
#[derive(Clone, PartialEq, Debug, Default)]
struct Moments {
    day: Option<Day>,
    /// The weekdays that are named, Monday in the lowest bit.
    weekdays: u8,
    /// A weekday of the week after this day's.
    is_next: bool,
    time: Option<Time>,
    /// "am" or "pm".
    afternoon: Option<bool>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Day {
    /// So many days from today.
    In(i64),
    /// A date, in a year that may have been left out.
    On(Option<i16>, i8, i8),
}

impl Moments {
    fn read(text: &str) -> Option<Self> {
        let mut read = Self::default();
        let words: Vec<&str> = text
            .split([' ', ',', '\u{3000}'])
            .filter(|it| !it.is_empty() && !words::FILLERS.contains(it))
            .collect();
        let mut words = words.as_slice();
        while let Some((word, rest)) = words.split_first() {
            let used = read.take(word.trim_end_matches('.'), rest)?;
            words = rest.get(used..)?;
        }
        read.settle()
    }

    /// Takes a word in, and says how many of the next ones belong to it.
    fn take(&mut self, word: &str, rest: &[&str]) -> Option<usize> {
        if let Some(weekday) = words::find(&WEEKDAYS, word.strip_suffix('s').unwrap_or(word))
            .or_else(|| words::find(&WEEKDAYS, word))
        {
            self.weekdays |= weekday;
            return Some(0);
        }
        if let Some(found) = day_word(word) {
            match found {
                DayWord::Next => self.is_next = true,
                DayWord::In(days) => set(&mut self.day, Day::In(days))?,
                DayWord::At(hour) => set(&mut self.time, Time::new(hour, 0, 0, 0).ok()?)?,
                DayWord::TodayAt(hour) => {
                    set(&mut self.day, Day::In(0))?;
                    if self.time.is_none() {
                        self.time = Time::new(hour, 0, 0, 0).ok();
                    }
                }
                DayWord::Afternoon(afternoon) => set(&mut self.afternoon, afternoon)?,
                DayWord::Weekdays(days) => self.weekdays |= days,
            }
            return Some(0);
        }
        if let Some(month) = words::find(&MONTHS, word) {
            let day = ordinal(rest.first()?)?;
            let year = rest.get(1).and_then(|year| year_word(year));
            set(&mut self.day, Day::On(year, month, day))?;
            return Some(1 + usize::from(year.is_some()));
        }
        if let Some(month) = rest.first().and_then(|it| words::find(&MONTHS, it)) {
            let year = rest.get(1).and_then(|year| year_word(year));
            set(&mut self.day, Day::On(year, month, ordinal(word)?))?;
            return Some(1 + usize::from(year.is_some()));
        }
        if let Ok(date) = word.parse::<Date>() {
            let date = Day::On(Some(date.year()), date.month(), date.day());
            set(&mut self.day, date)?;
            return Some(0);
        }
        let (time, afternoon) = time_word(word)?;
        // "tonight" has a time that any other overrules.
        match (self.time, self.day) {
            (Some(_), Some(Day::In(0))) => self.time = Some(time),
            _ => set(&mut self.time, time)?,
        }
        if let Some(afternoon) = afternoon {
            set(&mut self.afternoon, afternoon)?;
        }
        Some(0)
    }

    /// Reckons in "am" and "pm".
    fn settle(mut self) -> Option<Self> {
        let Some(afternoon) = self.afternoon else {
            return Some(self);
        };
        let time = self.time?;
        let hour = match (time.hour(), afternoon) {
            (12, false) => 0,
            (hour @ 1..=11, true) => hour + 12,
            (12, true) => 12,
            (hour @ 1..=11, false) => hour,
            _ => return None,
        };
        self.time = Some(Time::new(hour, time.minute(), 0, 0).ok()?);
        Some(self)
    }

    /// The next such moment.
    fn next(&self, now: &Zoned) -> Option<Zoned> {
        let today = now.date();
        let at = |date: Date, time: Time| date.to_datetime(time).to_zoned(now.time_zone().clone());
        let time = self.time.unwrap_or(MORNING);
        match (self.day, self.weekdays) {
            (None, 0) => {
                let time = self.time?;
                let first = at(today, time).ok()?;
                match first > *now {
                    true => Some(first),
                    false => at(today.tomorrow().ok()?, time).ok(),
                }
            }
            (Some(day), 0) => match day {
                Day::In(days) => at(today.checked_add(days.days()).ok()?, time).ok(),
                Day::On(Some(year), month, day) => at(Date::new(year, month, day).ok()?, time).ok(),
                Day::On(None, month, day) => {
                    let in_year = |year: i16| at(Date::new(year, month, day).ok()?, time).ok();
                    let this = in_year(today.year()).filter(|it| it > now);
                    this.or_else(|| in_year(today.year() + 1))
                }
            },
            (None, days) if days.count_ones() == 1 => {
                // "Next friday" is never today.
                let from = if self.is_next { 1 } else { 0 };
                (from..=7).find_map(|days_on| {
                    let date = today.checked_add(i64::from(days_on).days()).ok()?;
                    let named = days & bit(date.weekday()) != 0;
                    at(date, time).ok().filter(|it| named && it > now)
                })
            }
            _ => None,
        }
    }

    /// Every so often.
    fn every(&self, span: Span, now: &Zoned) -> Result<Option<Timing>, BadTiming> {
        let days = i64::from(span.get_weeks()) * 7 + i64::from(span.get_days());
        let hours = i64::from(span.get_hours());
        let others = span.get_years() != 0 || span.get_months() != 0;
        if span.get_minutes() != 0 || span.get_seconds() != 0 {
            return Err(BadTiming::TooOften);
        }
        if others || (days != 0 && hours != 0) {
            return Ok(None);
        }
        let small = |number: i64| u16::try_from(number).ok();
        if hours != 0 {
            let timing = small(hours).filter(|_| *self == Self::default());
            return Ok(timing.and_then(|hours| {
                Some(Timing {
                    first: now.checked_add(span).ok()?,
                    again: Some(Recurrence::Hours(hours)),
                })
            }));
        }
        if days == 7 && self.weekdays != 0 {
            return Ok(self.on_weekdays(now));
        }
        let first = match self.time {
            Some(_) => self.next(now),
            None => Self {
                time: Some(match days {
                    1 => MORNING,
                    _ => now.time().round(jiff::Unit::Minute).unwrap_or(MORNING),
                }),
                ..self.clone()
            }
            .next(now),
        };
        Ok(first.zip(small(days)).and_then(|(first, every)| {
            let minute = minute(first.time());
            (self.weekdays == 0).then_some(Timing {
                first,
                again: Some(Recurrence::Days { every, minute }),
            })
        }))
    }

    /// On the weekdays that are named.
    fn on_weekdays(&self, now: &Zoned) -> Option<Timing> {
        if self.weekdays == 0 || self.day.is_some() {
            return None;
        }
        let one = |day: u8| {
            let only = Self {
                weekdays: day,
                ..self.clone()
            };
            only.next(now)
        };
        let days = (0..7)
            .map(|day| 1 << day)
            .filter(|it| self.weekdays & it != 0);
        let first = days.filter_map(one).min()?;
        Some(Timing {
            again: Some(Recurrence::Weekdays {
                days: self.weekdays,
                minute: minute(self.time.unwrap_or(MORNING)),
            }),
            first,
        })
    }
}

/// Sets what was not said before: nobody means two days.
fn set<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

fn minute(time: Time) -> u16 {
    u16::try_from(i32::from(time.hour()) * 60 + i32::from(time.minute())).unwrap_or_default()
}

fn bit(weekday: Weekday) -> u8 {
    1 << weekday.to_monday_zero_offset()
}

/// "24", "24th".
fn ordinal(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches([',', '.']);
    let digits = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|end| digits.strip_suffix(end))
        .unwrap_or(digits);
    digits.parse().ok().filter(|day| (1..=31).contains(day))
}

fn year_word(word: &str) -> Option<i16> {
    let digits = word.len() == 4 && word.bytes().all(|it| it.is_ascii_digit());
    word.parse().ok().filter(|_| digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{ProptestConfig, any, proptest};

    /// A Tuesday in the late morning.
    const NOW: &str = "2026-11-17T10:30:00[Europe/Paris]";

    fn check(text: &str, expected: Result<&str, BadTiming>) {
        let now: Zoned = NOW.parse().unwrap();
        let read = read(text, &now).map(|timing| {
            let first = timing.first.strftime("%a %Y-%m-%d %H:%M").to_string();
            match timing.again {
                Some(again) => format!("{first} / {again}"),
                None => first,
            }
        });
        assert_eq!(read, expected.map(str::to_owned), "{text:?}");
    }

    #[test]
    fn a_moment_is_said_in_many_ways() {
        for (text, expected) in [
            ("in 20 minutes", "Tue 2026-11-17 10:50"),
            ("20m", "Tue 2026-11-17 10:50"),
            ("1h30m", "Tue 2026-11-17 12:00"),
            ("in an hour", "Tue 2026-11-17 11:30"),
            ("two weeks from now", "Tue 2026-12-01 10:30"),
            ("In 3 days", "Fri 2026-11-20 10:30"),
            ("at 7pm", "Tue 2026-11-17 19:00"),
            ("7 pm", "Tue 2026-11-17 19:00"),
            ("at 9", "Wed 2026-11-18 09:00"),
            ("12:15", "Tue 2026-11-17 12:15"),
            ("12am", "Wed 2026-11-18 00:00"),
            ("noon", "Tue 2026-11-17 12:00"),
            ("at midnight", "Wed 2026-11-18 00:00"),
            ("tomorrow", "Wed 2026-11-18 09:00"),
            ("tomorrow at 9", "Wed 2026-11-18 09:00"),
            ("at 8:30 tomorrow", "Wed 2026-11-18 08:30"),
            ("tomorrow 6 pm", "Wed 2026-11-18 18:00"),
            ("the day after tomorrow at 7", "Thu 2026-11-19 07:00"),
            ("tonight", "Tue 2026-11-17 20:00"),
            ("tonight at 23:00", "Tue 2026-11-17 23:00"),
            ("today at 18:00", "Tue 2026-11-17 18:00"),
            ("next friday 18:00", "Fri 2026-11-20 18:00"),
            ("friday", "Fri 2026-11-20 09:00"),
            ("on fri at 5pm", "Fri 2026-11-20 17:00"),
            ("tuesday at 11", "Tue 2026-11-17 11:00"),
            ("tuesday at 10", "Tue 2026-11-24 10:00"),
            ("next tuesday at 11", "Tue 2026-11-24 11:00"),
            ("2026-12-24 18:00", "Thu 2026-12-24 18:00"),
            ("2026-12-24", "Thu 2026-12-24 09:00"),
            ("2026-12-24T18:00", "Thu 2026-12-24 18:00"),
            ("2026-12-24T18:00Z", "Thu 2026-12-24 19:00"),
            ("24 december at 18:00", "Thu 2026-12-24 18:00"),
            ("dec 24th, 6pm", "Thu 2026-12-24 18:00"),
            ("on the 1st of march 2028", "Wed 2028-03-01 09:00"),
            ("march 1", "Mon 2027-03-01 09:00"),
            ("<t:1798131600:R>", "Thu 2026-12-24 18:00"),
            ("20分後", "Tue 2026-11-17 10:50"),
            ("２時間後", "Tue 2026-11-17 12:30"),
            ("明日9時", "Wed 2026-11-18 09:00"),
            ("明日の午後3時半", "Wed 2026-11-18 15:30"),
            ("金曜日18時15分", "Fri 2026-11-20 18:15"),
        ] {
            check(text, Ok(expected));
        }
    }

    #[test]
    fn some_things_happen_again() {
        for (text, expected) in [
            ("every day at 8", "Wed 2026-11-18 08:00 / days 1 480"),
            ("daily", "Wed 2026-11-18 09:00 / days 1 540"),
            ("daily at 18:00", "Tue 2026-11-17 18:00 / days 1 1080"),
            ("every monday at 8", "Mon 2026-11-23 08:00 / weekdays 1 480"),
            (
                "every mon, wed and fri 7:30",
                "Wed 2026-11-18 07:30 / weekdays 21 450",
            ),
            ("weekdays at 9", "Wed 2026-11-18 09:00 / weekdays 31 540"),
            (
                "every weekday at 12",
                "Tue 2026-11-17 12:00 / weekdays 31 720",
            ),
            ("every weekend", "Sat 2026-11-21 09:00 / weekdays 96 540"),
            (
                "weekly on sunday at 20:00",
                "Sun 2026-11-22 20:00 / weekdays 64 1200",
            ),
            ("every week", "Tue 2026-11-17 10:30 / x"),
            ("every 3 hours", "Tue 2026-11-17 13:30 / hours 3"),
            ("hourly", "Tue 2026-11-17 11:30 / hours 1"),
            ("every 2 days at 7", "Wed 2026-11-18 07:00 / days 2 420"),
            ("every other day at 7", "Wed 2026-11-18 07:00 / days 2 420"),
            ("毎日8時", "Wed 2026-11-18 08:00 / days 1 480"),
            ("毎週月曜8時", "Mon 2026-11-23 08:00 / weekdays 1 480"),
        ] {
            // A week from now, at this time of day.
            let expected = match expected.ends_with(" x") {
                true => "Wed 2026-11-18 10:30 / days 7 630",
                false => expected,
            };
            check(text, Ok(expected));
        }
    }

    #[test]
    fn what_names_no_moment_to_come_is_refused() {
        use BadTiming::{NotUnderstood, Past, TooOften};
        for (text, why) in [
            ("", NotUnderstood),
            ("soon", NotUnderstood),
            ("when the tea is ready", NotUnderstood),
            ("tomorrow or friday", NotUnderstood),
            ("today tomorrow", NotUnderstood),
            ("at 25:00", NotUnderstood),
            ("13pm", NotUnderstood),
            ("31 february", NotUnderstood),
            ("every", NotUnderstood),
            ("every month", NotUnderstood),
            ("every purple at 9", NotUnderstood),
            ("2020-01-01", Past),
            ("today at 8", Past),
            ("every 5 minutes", TooOften),
            ("every 30 seconds", TooOften),
        ] {
            check(text, Err(why));
        }
        check(&"9".repeat(MOST_CHARS + 1), Err(NotUnderstood));
    }

    /// On the last night of March a clock in Paris goes from two to three.
    #[test]
    fn days_are_those_of_the_calendar() {
        let now: Zoned = "2027-03-27T12:00:00[Europe/Paris]".parse().unwrap();
        let first = |text: &str| read(text, &now).unwrap().first.to_string();
        assert!(first("in 1 day").starts_with("2027-03-28T12:00:00+02:00"));
        assert!(first("in 24 hours").starts_with("2027-03-28T13:00:00+02:00"));
        assert!(first("tomorrow at 2:30").starts_with("2027-03-28T03:30:00+02:00"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn no_text_is_too_strange(text in any::<String>()) {
            let _ = read(&text, &NOW.parse().unwrap());
        }

        #[test]
        fn nor_are_words_in_any_order(
            words in proptest::collection::vec(
                proptest::sample::select(vec![
                    "every", "next", "at", "9", "18:00", "pm", "monday", "tomorrow", "in", "2",
                    "days", "december", "24", "weekdays", "noon", "月曜", "後", "2026-12-24",
                ]),
                0..8,
            )
        ) {
            let now: Zoned = NOW.parse().unwrap();
            if let Ok(timing) = read(&words.join(" "), &now) {
                assert!(timing.first > now);
            }
        }
    }
}
