//! Lengths of time: how much later, and how often.

use jiff::Span;

use super::BadTiming;
use super::BadTiming::NotUnderstood;
use super::heard::DayPart;
use super::reader::{PieceTaken, TimeReader, set, weekdays};
use super::words::{MONTHS, OFTEN, PARTS, TWO_MEANINGS};
use crate::duration::{leading_span, leading_unit};
use crate::spoken::{Said, SpokenPiece, find, pieces, word_at};

impl TimeReader<'_> {
    /// "every 2 weeks", "daily", "once a day".
    pub(super) fn again(&mut self) -> PieceTaken {
        let Some(word) = self.word(0) else {
            return Ok(false);
        };
        if TWO_MEANINGS.contains(&word) {
            return Err(BadTiming::TwiceOrEveryTwo);
        }
        if let Some(often) = find(OFTEN, word) {
            let often = pieces(often).ok_or(NotUnderstood)?;
            let (span, _) = leading_span(&often)
                .or_else(|| leading_unit(&often))
                .or_else(|| leading_unit(&pieces("day")?))
                .ok_or(NotUnderstood)?;
            if word == "nightly" {
                set(&mut self.heard.part, DayPart::Night)?;
            }
            set(&mut self.heard.every, span)?;
            return self.took(1);
        }
        match (word, self.word(1), self.word(2)) {
            ("every" | "each", ..) => {
                self.next += 1;
                self.every()?;
                Ok(true)
            }
            ("once", Some("a" | "per" | "every" | "each"), Some(_)) => {
                let (span, _) = leading_unit(self.rest_from(2)).ok_or(NotUnderstood)?;
                set(&mut self.heard.every, span)?;
                self.took(3)
            }
            _ => Ok(false),
        }
    }

    /// What stands behind "every".
    fn every(&mut self) -> Result<(), BadTiming> {
        self.heard.again = true;
        let ordinal = match self.piece(0).map(|it| &it.said) {
            Some(Said::Ordinal(number)) => Some(*number),
            Some(Said::Word(word)) if matches!(word.as_str(), "other" | "second") => Some(2),
            _ => None,
        };
        if let Some(number) = ordinal {
            if let Some((span, used)) = leading_unit(self.rest_from(1)) {
                let span = span
                    .checked_mul(i64::from(number))
                    .map_err(|_| NotUnderstood)?;
                set(&mut self.heard.every, span)?;
                self.next += 1 + used;
                return Ok(());
            }
            if self.word(1).is_some_and(|it| weekdays(it).is_some()) {
                if number != 2 {
                    return Err(BadTiming::NthWeekday);
                }
                self.next += 1;
                return set(&mut self.heard.every, Span::new().days(14));
            }
            // "every 15th": of the month.
            let of = usize::from(self.word(1) == Some("of"));
            let month = self.word(1 + of).and_then(|it| find(MONTHS, it));
            return match self.piece(0).map(|it| &it.said) {
                Some(Said::Ordinal(_)) if month.is_some() => {
                    set(&mut self.heard.every, Span::new().years(1))
                }
                Some(Said::Ordinal(_)) => set(&mut self.heard.every, Span::new().months(1)),
                _ => Err(NotUnderstood),
            };
        }
        if let Some((span, used)) =
            leading_span(self.rest_from(0)).or_else(|| leading_unit(self.rest_from(0)))
        {
            self.next += used;
            return set(&mut self.heard.every, span);
        }
        let word = self.word(0).ok_or(NotUnderstood)?;
        if find(PARTS, word).is_some() {
            return set(&mut self.heard.every, Span::new().days(1));
        }
        if find(MONTHS, word).is_some() {
            return set(&mut self.heard.every, Span::new().years(1));
        }
        match weekdays(word) {
            Some(_) => Ok(()),
            None => Err(NotUnderstood),
        }
    }

    /// "in 20 minutes", "2 weeks from now", 「3日後」, and 「3時間ごと」.
    pub(super) fn later(&mut self) -> PieceTaken {
        let ahead = usize::from(matches!(self.word(0), Some("in" | "after" | "within")));
        let about = matches!(
            self.word(ahead),
            Some("about" | "around" | "another" | "exactly")
        );
        let start = self.next + ahead + usize::from(about && ahead == 1);
        let rest = self.pieces.get(start..).unwrap_or_default();
        let Some((span, used)) = leading_span(rest) else {
            let number = rest.first().and_then(SpokenPiece::number);
            return match number {
                Some(_) if ahead == 1 && self.word(0) == Some("in") => Err(BadTiming::InNumber),
                _ => Ok(false),
            };
        };
        let behind = |at: usize| word_at(rest, used + at);
        let more = match (behind(0), behind(1)) {
            (Some("ごと"), _) => {
                set(&mut self.heard.every, span)?;
                return self.took(start - self.next + used + 1);
            }
            (Some("later" | "hence" | "time"), _) => 1,
            (Some("from"), Some("now")) => 2,
            // "a week from friday"
            (Some("from" | "after"), Some(_)) => {
                self.heard.is_counted_from = true;
                1
            }
            // "+10m"
            _ if self.next == 1 && self.pieces.first().is_some_and(is_plus) => 0,
            _ if ahead == 1 => 0,
            _ => return Ok(false),
        };
        set(&mut self.heard.after, span)?;
        self.took(start - self.next + used + more)
    }
}

fn is_plus(piece: &SpokenPiece) -> bool {
    piece.said == Said::Sign('+')
}
