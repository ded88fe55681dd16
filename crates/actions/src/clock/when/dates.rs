//! Dates and times of the clock.

use super::BadTiming;
use super::BadTiming::NotUnderstood;
use super::heard::{ClockTime, Day};
use super::reader::{PieceTaken, TimeReader, set};
use super::words::MONTHS;
use crate::spoken::{Said, SpokenPiece, find};

impl TimeReader<'_> {
    pub(super) fn number(&self, ahead: usize) -> Option<u32> {
        self.piece(ahead).and_then(SpokenPiece::number)
    }

    pub(super) fn digits(&self, ahead: usize) -> usize {
        match self.piece(ahead).map(|it| &it.said) {
            Some(Said::Number { digits, .. }) => *digits,
            _ => 0,
        }
    }

    fn is_glued(&self, ahead: usize, sign: char) -> bool {
        self.piece(ahead).is_some_and(|it| it.is_glued(sign))
    }

    /// "december 24", "24.12.", "2026-12-24", "the 15th", 「12月24日」.
    pub(super) fn date(&mut self) -> PieceTaken {
        if self.word(0).and_then(|it| find(MONTHS, it)).is_some() {
            return self.month_first();
        }
        let ordinal = match self.piece(0).map(|it| &it.said) {
            Some(Said::Ordinal(day)) => Some(*day),
            Some(Said::Word(word)) if word == "second" => Some(2),
            _ => None,
        };
        if let Some(day) = ordinal.or_else(|| self.number(0)) {
            let ahead = 1 + usize::from(self.word(1) == Some("of"));
            if let Some(month) = self.word(ahead).and_then(|it| find(MONTHS, it)) {
                return self.set_date(i64::from(month), day, ahead + 1);
            }
        }
        if let Some(day) = ordinal {
            let of_month = ["day", "of", "the", "month"];
            let is_whole = (1..)
                .zip(of_month)
                .all(|(at, it)| self.word(at) == Some(it));
            let used = match is_whole {
                true => 1 + of_month.len(),
                false => 1 + usize::from(self.word(1) == Some("day")),
            };
            return self.set_day_of_month(day, used);
        }
        let (Some(first), second) = (self.number(0), self.number(2)) else {
            return Ok(false);
        };
        for sign in ['-', '/', '.'] {
            if let (Some(month), Some(day), 4) = (second, self.number(4), self.digits(0))
                && self.is_glued(1, sign)
                && self.is_glued(3, sign)
            {
                return self.set_day(Some(first), month, day, 5);
            }
        }
        match (self.word(1), second, self.word(3)) {
            (Some("年"), Some(month), Some("月")) => {
                let day = self.number(4).ok_or(NotUnderstood)?;
                let end = usize::from(self.word(5) == Some("日"));
                self.set_day(Some(first), month, day, 5 + end)
            }
            (Some("月"), Some(day), end) => {
                self.set_day(None, first, day, 3 + usize::from(end == Some("日")))
            }
            (Some("日"), ..) => self.set_day_of_month(first, 2),
            _ => self.numeric(first, second),
        }
    }

    /// "12/24", "24/12/2026", "24.12.".
    fn numeric(&mut self, first: u32, second: Option<u32>) -> PieceTaken {
        let Some(second) = second else {
            return Ok(false);
        };
        let sign = ['/', '-', '.'].into_iter().find(|it| self.is_glued(1, *it));
        let Some(sign) = sign else {
            return Ok(false);
        };
        let year = self
            .number(4)
            .filter(|_| self.is_glued(3, sign) && self.digits(4) == 4);
        let used = if year.is_some() { 5 } else { 3 };
        match sign {
            '.' if year.is_some() => self.set_day(year, second, first, used),
            '.' => self.dotted(first, second),
            '-' if year.is_none() => Ok(false),
            _ if self.is_japanese || second > 12 => self.set_day(year, first, second, used),
            _ if first > 12 || first == second => self.set_day(year, second, first, used),
            _ => Err(BadTiming::DayOrMonth),
        }
    }

    /// "24.12." is a date, "18.30" a time, and "5.12" could be either.
    fn dotted(&mut self, first: u32, second: u32) -> PieceTaken {
        let half = matches!(self.word(3), Some("am" | "pm"));
        let is_time = self.at || half || second > 12;
        if is_time && self.digits(2) == 2 && second < 60 {
            let time = ClockTime {
                hour: first,
                minute: second,
            };
            return self.set_time(time, 3);
        }
        match self.is_glued(3, '.') {
            true => self.set_day(None, second, first, 4),
            false => Err(BadTiming::DayOrMonth),
        }
    }

    fn month_first(&mut self) -> PieceTaken {
        let month = self
            .word(0)
            .and_then(|it| find(MONTHS, it))
            .ok_or(NotUnderstood)?;
        let dot = usize::from(self.is_glued(1, '.'));
        let ahead = 1 + dot + usize::from(self.word(1 + dot) == Some("the"));
        let day = match self.piece(ahead).map(|it| &it.said) {
            Some(Said::Ordinal(day)) => *day,
            Some(Said::Word(word)) if word == "second" => 2,
            Some(Said::Number {
                value,
                digits: 0..=2,
            }) => *value,
            _ => return Err(NotUnderstood),
        };
        self.set_date(i64::from(month), day, ahead + 1)
    }

    /// A day of a month that was named, with the year if it follows.
    fn set_date(&mut self, month: i64, day: u32, used: usize) -> PieceTaken {
        let ahead = used + usize::from(self.is_sign(used, ','));
        let is_year = self.digits(ahead) == 4 && !self.is_glued(ahead + 1, ':');
        let year = self.number(ahead).filter(|_| is_year);
        let used = if is_year { ahead + 1 } else { used };
        let month = u32::try_from(month).map_err(|_| NotUnderstood)?;
        self.set_day(year, month, day, used)
    }

    fn set_day(&mut self, year: Option<u32>, month: u32, day: u32, used: usize) -> PieceTaken {
        let year = year
            .map(i16::try_from)
            .transpose()
            .map_err(|_| NotUnderstood)?;
        let month = i8::try_from(month).ok().filter(|it| (1..=12).contains(it));
        let day = i8::try_from(day).ok().filter(|it| (1..=31).contains(it));
        let (month, day) = month.zip(day).ok_or(NotUnderstood)?;
        set(&mut self.heard.day, Day::On(year, month, day))?;
        self.took(used)
    }

    pub(super) fn set_day_of_month(&mut self, day: u32, used: usize) -> PieceTaken {
        let day = i8::try_from(day).ok().filter(|it| (1..=31).contains(it));
        let day = day.ok_or(NotUnderstood)?;
        set(&mut self.heard.day, Day::Of { day, last: false })?;
        self.took(used)
    }

    /// "9", "9:30", "18h", "half past 5", "nine thirty", 「9時半」.
    pub(super) fn time(&mut self) -> PieceTaken {
        match (self.word(0), self.word(1), self.number(2)) {
            (Some("half"), Some("past"), Some(hour)) => return self.past(hour, 30, 3),
            (Some("quarter"), Some("past" | "after"), Some(hour)) => return self.past(hour, 15, 3),
            (Some("quarter"), Some("to" | "till" | "before"), Some(hour)) => {
                return self.past(before(hour), 45, 3);
            }
            _ => {}
        }
        let Some(hour) = self.number(0) else {
            return Ok(false);
        };
        let minutes = usize::from(matches!(self.word(1), Some("minutes" | "mins" | "min")));
        if let Some(other) = self.number(2 + minutes).filter(|_| hour < 60) {
            match self.word(1 + minutes) {
                Some("past") => return self.past(other, hour, 3 + minutes),
                // "9 to 5" is a span of hours to some.
                Some("to" | "till") if matches!(hour, 5 | 10 | 20 | 25) => {
                    return self.past(before(other), 60 - hour, 3 + minutes);
                }
                _ => {}
            }
        }
        if self.is_glued(1, ':') {
            return self.with_colon(hour);
        }
        let (minute, used) = match (self.word(1), self.number(2), self.word(3)) {
            (Some("時"), Some(minute), Some("分")) => (minute, 4),
            (Some("時"), ..) if self.word(2) == Some("半") => (30, 3),
            (Some("時"), ..) => (0, 2),
            (Some("h"), ..) if self.piece(2).is_some_and(|it| it.glued) => {
                (self.number(2).ok_or(NotUnderstood)?, 3)
            }
            (Some("h"), ..) => (0, 2),
            _ => return self.bare(hour),
        };
        self.set_time(ClockTime { hour, minute }, used)
    }

    /// "18:00", "18:00:00".
    fn with_colon(&mut self, hour: u32) -> PieceTaken {
        let two = |ahead: usize| self.number(ahead).filter(|_| self.digits(ahead) == 2);
        let minute = two(2).ok_or(NotUnderstood)?;
        let seconds = self.is_glued(3, ':').then(|| two(4).filter(|it| *it < 60));
        let used = match seconds {
            None => 3,
            Some(Some(_)) => 5,
            Some(None) => return Err(NotUnderstood),
        };
        self.set_time(ClockTime { hour, minute }, used)
    }

    /// A number that is an hour, or both hour and minute: "1830", "nine thirty".
    fn bare(&mut self, hour: u32) -> PieceTaken {
        let is_worded = self.digits(0) == 0;
        let worded = self
            .number(1)
            .filter(|it| self.digits(1) == 0 && (10..60).contains(it));
        if let Some(minute) = worded.filter(|_| is_worded) {
            return self.set_time(ClockTime { hour, minute }, 2);
        }
        if self.digits(0) == 4 && (self.at || self.word(1) == Some("hours")) {
            let (hour, minute) = (hour / 100, hour % 100);
            return self.set_time(ClockTime { hour, minute }, 1);
        }
        let said = matches!(self.word(1), Some("am" | "pm" | "o'clock" | "oclock"));
        self.heard.is_bare = !self.at && !said;
        self.set_time(ClockTime { hour, minute: 0 }, 1)
    }

    fn past(&mut self, hour: u32, minute: u32, used: usize) -> PieceTaken {
        match (1..=23).contains(&hour) || hour == 0 {
            true => self.set_time(ClockTime { hour, minute }, used),
            false => Err(NotUnderstood),
        }
    }

    fn set_time(&mut self, time: ClockTime, used: usize) -> PieceTaken {
        // Hours after midnight are counted on in Japan.
        let most = if self.is_japanese { 29 } else { 24 };
        let fits = time.hour <= most && time.minute < 60;
        if !fits || (!self.is_japanese && time.hour == 24 && time.minute != 0) {
            return Err(NotUnderstood);
        }
        set(&mut self.heard.clock, time)?;
        self.took(used)
    }
}

/// The hour before one on the dial.
const fn before(hour: u32) -> u32 {
    match hour {
        0 => 23,
        1 => 12,
        hour => hour - 1,
    }
}
