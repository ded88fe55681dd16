//! Reads a text piece by piece: days, times, zones and what happens again, in
//! any order. A piece that says nothing of these makes the text unreadable.

use jiff::Span;

use super::BadTiming;
use super::BadTiming::NotUnderstood;
use super::heard::{Day, DayPart, HeardTime, Period};
use super::words::{DAYS, FILLERS, PARTS, WEEKDAYS, WEEKEND, WORKDAYS};
use crate::duration::{leading_span, spoken_span};
use crate::spoken::{Said, SpokenPiece, find, word_at};

pub(super) struct TimeReader<'t> {
    pub(super) pieces: &'t [SpokenPiece],
    pub(super) next: usize,
    pub(super) heard: HeardTime,
    /// Whether "at" was said just before.
    pub(super) at: bool,
    /// Whether the text is Japanese, which says months before days.
    pub(super) is_japanese: bool,
}

/// Whether something was read.
pub(super) type PieceTaken = Result<bool, BadTiming>;

impl<'t> TimeReader<'t> {
    pub(super) const fn new(pieces: &'t [SpokenPiece], is_japanese: bool) -> Self {
        Self {
            pieces,
            next: 0,
            heard: HeardTime {
                day: None,
                weekdays: 0,
                is_next: false,
                is_weekend: false,
                period: None,
                clock: None,
                afternoon: None,
                part: None,
                after: None,
                is_counted_from: false,
                every: None,
                again: false,
                zone: None,
                is_bare: false,
            },
            at: false,
            is_japanese,
        }
    }

    pub(super) fn read(mut self) -> Result<HeardTime, BadTiming> {
        if self.whole_span()? {
            return Ok(self.heard);
        }
        while self.next < self.pieces.len() {
            let keeps_at = self
                .word(0)
                .is_some_and(|it| it == "at" || FILLERS.contains(&it));
            let taken = self.filler()
                || self.again()?
                || self.later()?
                || self.period()?
                || self.weekday()?
                || self.date()?
                || self.time()?
                || self.zone()?;
            if !taken {
                return Err(NotUnderstood);
            }
            self.at &= keeps_at;
        }
        Ok(self.heard)
    }

    pub(super) fn piece(&self, ahead: usize) -> Option<&'t SpokenPiece> {
        self.pieces.get(self.next + ahead)
    }

    pub(super) fn word(&self, ahead: usize) -> Option<&'t str> {
        word_at(self.pieces, self.next + ahead)
    }

    pub(super) fn is_sign(&self, ahead: usize, sign: char) -> bool {
        self.piece(ahead)
            .is_some_and(|it| it.said == Said::Sign(sign))
    }

    pub(super) fn rest_from(&self, ahead: usize) -> &'t [SpokenPiece] {
        self.pieces.get(self.next + ahead..).unwrap_or_default()
    }

    /// Goes on behind what was read.
    pub(super) const fn took(&mut self, pieces: usize) -> PieceTaken {
        self.next += pieces;
        Ok(true)
    }

    /// "20m", "1 hour": a length of time and nothing else.
    fn whole_span(&mut self) -> PieceTaken {
        if self.pieces.iter().any(|it| it.said == Said::Sign(':')) {
            return Ok(false);
        }
        let Ok(span) = spoken_span(self.pieces) else {
            return Ok(false);
        };
        // 「3日」 is the third too.
        let hour = self.piece(0).and_then(SpokenPiece::number);
        let last = self.pieces.last();
        match last.and_then(SpokenPiece::word) {
            Some("日") => Err(BadTiming::DayOrDays),
            // "17h30"
            None if hour.is_some_and(|it| (13..24).contains(&it))
                && last.is_some_and(|it| it.number().is_some()) =>
            {
                Err(BadTiming::TimeOrLength)
            }
            _ => {
                self.heard.after = Some(span);
                Ok(true)
            }
        }
    }

    /// What says nothing.
    fn filler(&mut self) -> bool {
        let is_weekday = |ahead: usize| {
            let word = self.word(ahead);
            word.is_some_and(|it| weekdays(it).is_some() || matches!(it, "月" | "日"))
        };
        let skipped = match self.piece(0).map(|it| &it.said) {
            Some(Said::Sign(',' | '(' | ')' | '[' | ']')) => true,
            Some(Said::Sign('.' | '!' | '?')) => self.piece(1).is_none(),
            Some(Said::Sign('+')) if self.next == 0 => leading_span(self.rest_from(1)).is_some(),
            Some(Said::Sign('&' | '/' | '+')) => is_weekday(1),
            Some(Said::Word(word)) if word == "at" => {
                self.at = true;
                true
            }
            _ => false,
        };
        self.next += usize::from(skipped);
        skipped
    }

    /// "tomorrow", "next week", "this evening", "monthend".
    fn period(&mut self) -> PieceTaken {
        let Some(word) = self.word(0) else {
            return Ok(false);
        };
        if let Some(days) = find(DAYS, word) {
            set(&mut self.heard.day, Day::In(days))?;
            return self.took(1);
        }
        if let Some(part) = find(PARTS, word) {
            self.heard.again |= word.ends_with('s');
            if part == DayPart::Tonight {
                set(&mut self.heard.day, Day::In(0))?;
            }
            let part = match (self.heard.part, part) {
                // "at midnight tonight", "tonight at midnight"
                (Some(DayPart::Tonight), DayPart::Midnight)
                | (Some(DayPart::Midnight), DayPart::Tonight) => {
                    self.heard.part = None;
                    DayPart::Midnight
                }
                (_, part) => part,
            };
            set(&mut self.heard.part, part)?;
            return self.took(1);
        }
        match (word, self.word(1), self.word(2)) {
            ("day", Some("after"), Some("tomorrow")) => {
                set(&mut self.heard.day, Day::In(2))?;
                self.took(3)
            }
            ("week", Some("after"), Some("next")) => self.set_period(Period::Week(2), 3),
            ("month", Some("after"), Some("next")) => self.set_period(Period::Month(2), 3),
            ("this" | "next" | "afternext" | "following", Some(unit), _) => {
                self.this_or_next(word, unit)
            }
            ("day", ..) if self.number(1).is_some() => {
                self.next += 1;
                let day = self.number(0).ok_or(NotUnderstood)?;
                self.set_day_of_month(day, 1)
            }
            ("monthend", ..) => self.set_month_end(1),
            ("end" | "last", ..) => self.month_end(),
            ("am" | "pm", ..) => {
                set(&mut self.heard.afternoon, word == "pm")?;
                self.took(1)
            }
            _ => self.plain_filler(word),
        }
    }

    fn this_or_next(&mut self, which: &str, unit: &str) -> PieceTaken {
        let many = match which {
            "this" => 0,
            "afternext" => 2,
            _ => 1,
        };
        match unit {
            "week" => self.set_period(Period::Week(many), 2),
            "month" => self.set_period(Period::Month(many), 2),
            "year" => {
                let years = i16::try_from(many).unwrap_or_default();
                self.set_period(Period::Year(years), 2)
            }
            "weekend" if many == 0 => {
                self.heard.is_weekend = true;
                self.heard.weekdays |= WEEKEND;
                self.took(2)
            }
            "weekend" => Err(BadTiming::WhichWeek),
            "day" if many == 1 => {
                set(&mut self.heard.day, Day::In(1))?;
                self.took(2)
            }
            _ if many == 0 && find(PARTS, unit).is_some() => {
                set(&mut self.heard.day, Day::In(0))?;
                self.took(1)
            }
            _ if weekdays(unit).is_some() => {
                self.heard.is_next |= many == 1;
                self.took(1)
            }
            _ => Err(NotUnderstood),
        }
    }

    fn set_period(&mut self, period: Period, used: usize) -> PieceTaken {
        set(&mut self.heard.period, period)?;
        self.took(used)
    }

    /// "end of the month", "last day of next month".
    fn month_end(&mut self) -> PieceTaken {
        let mut ahead = 1;
        while matches!(
            self.word(ahead),
            Some("day" | "of" | "the" | "each" | "every")
        ) {
            ahead += 1;
        }
        match (self.word(ahead), self.word(ahead + 1)) {
            (Some("month"), _) => {
                let is_every = matches!(self.word(ahead - 1), Some("each" | "every"));
                if is_every {
                    set(&mut self.heard.every, Span::new().months(1))?;
                }
                self.set_month_end(ahead + 1)
            }
            (Some("this" | "next"), Some("month")) => self.set_month_end(ahead),
            (Some(word), _) if weekdays(word).is_some() => Err(BadTiming::NthWeekday),
            _ => Err(NotUnderstood),
        }
    }

    fn set_month_end(&mut self, used: usize) -> PieceTaken {
        set(
            &mut self.heard.day,
            Day::Of {
                day: 31,
                last: true,
            },
        )?;
        self.took(used)
    }

    fn plain_filler(&mut self, word: &str) -> PieceTaken {
        let glued = self.piece(0).is_some_and(|it| it.glued);
        match FILLERS.contains(&word) && (word != "t" || glued) {
            true => self.took(1),
            false => Ok(false),
        }
    }

    /// "monday", "mondays", "mon-fri", "weekdays".
    fn weekday(&mut self) -> PieceTaken {
        let Some(word) = self.word(0) else {
            return match (self.piece(0).map(|it| &it.said), self.word(1)) {
                (Some(Said::Ordinal(_)), Some(word)) if weekdays(word).is_some() => {
                    Err(BadTiming::NthWeekday)
                }
                _ => Ok(false),
            };
        };
        let Some((days, again)) = self.weekdays_at(0) else {
            return Ok(false);
        };
        self.heard.again |= again;
        self.heard.is_weekend |= word == "weekend";
        let to = self.is_sign(1, '-')
            || matches!(
                self.word(1),
                Some("to" | "through" | "thru" | "till" | "until" | "から")
            );
        match self.weekdays_at(2).filter(|_| to) {
            Some((last, _)) => {
                let mut day = days;
                self.heard.weekdays |= last;
                while day != last && day != 0 {
                    self.heard.weekdays |= day;
                    day = if day == 64 { 1 } else { day << 1 };
                }
                self.heard.again = true;
                let until = usize::from(self.word(3) == Some("まで"));
                self.took(3 + until)
            }
            None => {
                self.heard.weekdays |= days;
                self.took(1)
            }
        }
    }

    /// The weekdays of a word, and whether it says that they come again.
    fn weekdays_at(&self, ahead: usize) -> Option<(u8, bool)> {
        match self.word(ahead)? {
            "月" => Some((1, false)),
            "日" => Some((64, false)),
            word => weekdays(word),
        }
    }
}

/// Weekdays, and whether the word says that they come again.
pub(super) fn weekdays(word: &str) -> Option<(u8, bool)> {
    match word {
        "weekday" | "weekdays" | "workday" | "workdays" => Some((WORKDAYS, true)),
        "weekend" => Some((WEEKEND, false)),
        "weekends" => Some((WEEKEND, true)),
        _ => find(WEEKDAYS, word).map(|days| (days, false)).or_else(|| {
            let one = word.strip_suffix('s')?;
            find(WEEKDAYS, one).map(|days| (days, true))
        }),
    }
}

/// Sets what was not said before: nobody means two days.
pub(super) fn set<T>(place: &mut Option<T>, value: T) -> Result<(), BadTiming> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(NotUnderstood),
    }
}
