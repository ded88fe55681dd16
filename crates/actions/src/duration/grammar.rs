//! The words of a length of time.

use jiff::Span;

use crate::spoken::{Said, SpokenPiece, find, word_at};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Fortnight,
    Month,
    Year,
}

use Unit::{Day, Fortnight, Hour, Minute, Month, Second, Week, Year};

const UNITS: &[(&str, Unit)] = &[
    ("s", Second),
    ("sec", Second),
    ("secs", Second),
    ("second", Second),
    ("seconds", Second),
    ("m", Minute),
    ("min", Minute),
    ("mins", Minute),
    ("minute", Minute),
    ("minutes", Minute),
    ("分", Minute),
    ("h", Hour),
    ("hr", Hour),
    ("hrs", Hour),
    ("hour", Hour),
    ("hours", Hour),
    ("d", Day),
    ("day", Day),
    ("days", Day),
    ("日", Day),
    ("w", Week),
    ("wk", Week),
    ("wks", Week),
    ("week", Week),
    ("weeks", Week),
    ("fortnight", Fortnight),
    ("fortnights", Fortnight),
    ("mo", Month),
    ("mos", Month),
    ("month", Month),
    ("months", Month),
    ("y", Year),
    ("yr", Year),
    ("yrs", Year),
    ("year", Year),
    ("years", Year),
    ("年", Year),
];

/// So many thousandths of something: fractions stay whole numbers.
const ONE: u64 = 1000;
const HALF: u64 = 500;
const QUARTER: u64 = 250;

/// The length of time that the pieces begin with, and how many it takes.
pub(super) fn leading_span(pieces: &[SpokenPiece]) -> Option<(Span, usize)> {
    let mut sum = Sum::default();
    let mut used = 0;
    loop {
        let between = if used == 0 { 0 } else { between(pieces, used) };
        let Some((amount, taken)) = amount(pieces, used + between) else {
            break;
        };
        let at = used + between + taken;
        let Some(unit) = unit_at(pieces, at) else {
            break;
        };
        sum.add(amount, unit)?;
        used = at + 1;
        if let Some((part, taken)) = part_of_unit(pieces, used) {
            sum.put(part, unit)?;
            used += taken;
        }
        // "1h30", "1m30"
        let bare = pieces.get(used).filter(|it| it.glued);
        let smaller = match unit {
            Hour => Some(Minute),
            Minute => Some(Second),
            _ => None,
        };
        if let (Some(number), Some(smaller)) = (bare.and_then(SpokenPiece::number), smaller)
            && unit_at(pieces, used + 1).is_none()
            && !pieces.get(used + 1).is_some_and(|it| it.glued)
        {
            sum.add(u64::from(number) * ONE, smaller)?;
            used += 1;
        }
    }
    match used {
        0 => None,
        _ => Some((sum.span()?, used)),
    }
}

/// One unit, without a number: of "every week".
pub(super) fn unit_span(pieces: &[SpokenPiece]) -> Option<(Span, usize)> {
    let mut sum = Sum::default();
    sum.add(ONE, unit_at(pieces, 0)?)?;
    Some((sum.span()?, 1))
}

fn unit_at(pieces: &[SpokenPiece], at: usize) -> Option<Unit> {
    find(UNITS, word_at(pieces, at)?)
}

/// The comma and the "and" between two parts.
fn between(pieces: &[SpokenPiece], at: usize) -> usize {
    let comma = usize::from(pieces.get(at).is_some_and(|it| it.said == Said::Sign(',')));
    comma + usize::from(word_at(pieces, at + comma) == Some("and"))
}

/// How much of a unit, in thousandths, and how many pieces say so.
fn amount(pieces: &[SpokenPiece], at: usize) -> Option<(u64, usize)> {
    let word = |ahead: usize| word_at(pieces, at + ahead);
    let article = |ahead: usize| usize::from(matches!(word(ahead), Some("a" | "an" | "one")));
    let of = |ahead: usize| usize::from(word(ahead) == Some("of"));
    if let Some((number, used)) = decimal(pieces, at) {
        if let (Some("and"), Some("a"), Some("half")) = (word(used), word(used + 1), word(used + 2))
        {
            return Some((number + HALF, used + 3));
        }
        if word(used) == Some("quarters") {
            let used = used + 1;
            let of = of(used);
            return Some((number / 4, used + of + article(used + of)));
        }
        return Some((number, used));
    }
    let first = article(0);
    let part = match word(first) {
        Some("half") => Some(HALF),
        Some("quarter") => Some(QUARTER),
        Some("couple") => {
            return Some((2 * ONE, first + 1 + of(first + 1)));
        }
        _ => None,
    };
    match part {
        Some(part) => {
            let used = first + 1;
            let of = of(used);
            Some((part, used + of + article(used + of)))
        }
        None if first == 1 => Some((ONE, 1)),
        None => None,
    }
}

/// "2", "1.5", "1,5", ".5".
fn decimal(pieces: &[SpokenPiece], at: usize) -> Option<(u64, usize)> {
    let thousandths = |at: usize| -> Option<u64> {
        let piece = pieces.get(at).filter(|it| it.glued)?;
        match piece.said {
            Said::Number { value, digits } if (1..=3).contains(&digits) => {
                Some(u64::from(value) * 10u64.pow(3 - u32::try_from(digits).ok()?))
            }
            _ => None,
        }
    };
    let first = pieces.get(at)?;
    if first.said == Said::Sign('.') {
        return Some((thousandths(at + 1)?, 2));
    }
    let Said::Number { value, digits } = first.said else {
        return None;
    };
    let whole = u64::from(value) * ONE;
    let point = pieces.get(at + 1).filter(|_| digits > 0);
    let behind = point.and_then(|point| match point.said {
        Said::Sign('.') if point.glued => thousandths(at + 2),
        // Three digits behind a comma are thousands to some.
        Said::Sign(',') if point.glued => {
            thousandths(at + 2).filter(|_| digits_at(pieces, at + 2) < 3)
        }
        _ => None,
    });
    Some(match behind {
        Some(behind) => (whole + behind, 3),
        None => (whole, 1),
    })
}

fn digits_at(pieces: &[SpokenPiece], at: usize) -> usize {
    match pieces.get(at).map(|it| &it.said) {
        Some(Said::Number { digits, .. }) => *digits,
        _ => 0,
    }
}

/// "and a half", 「半」 behind a unit.
fn part_of_unit(pieces: &[SpokenPiece], at: usize) -> Option<(u64, usize)> {
    let word = |ahead: usize| word_at(pieces, at + ahead);
    match (word(0), word(1), word(2)) {
        (Some("半"), ..) => Some((HALF, 1)),
        (Some("and"), Some("a"), Some("half")) if unit_or_article(word(3)) => None,
        (Some("and"), Some("a"), Some("half")) => Some((HALF, 3)),
        (Some("and"), Some("a"), Some("quarter")) if unit_or_article(word(3)) => None,
        (Some("and"), Some("a"), Some("quarter")) => Some((QUARTER, 3)),
        _ => None,
    }
}

/// "an hour and a half minute" is two lengths.
fn unit_or_article(word: Option<&str>) -> bool {
    word.is_some_and(|it| matches!(it, "a" | "an" | "of") || find(UNITS, it).is_some())
}

/// What the parts come to.
#[derive(Default)]
struct Sum {
    /// The units that were said: nobody says one twice.
    said: u16,
    years: u64,
    months: u64,
    days: u64,
    seconds: u64,
}

impl Sum {
    fn add(&mut self, thousandths: u64, unit: Unit) -> Option<()> {
        let bit = 1 << (unit as u16);
        if self.said & bit != 0 {
            return None;
        }
        self.said |= bit;
        self.put(thousandths, unit)
    }

    fn put(&mut self, thousandths: u64, unit: Unit) -> Option<()> {
        let of = |many: u64| thousandths.checked_mul(many);
        match unit {
            Second => self.seconds += thousandths / ONE,
            Minute => self.seconds += of(60)? / ONE,
            Hour => self.seconds += of(3600)? / ONE,
            Day => self.put_days(thousandths),
            Week => self.put_days(of(7)?),
            Fortnight => self.put_days(of(14)?),
            Month => {
                self.months += thousandths / ONE;
                match thousandths % ONE {
                    0 => {}
                    HALF => self.days += 15,
                    _ => return None,
                }
            }
            Year => {
                self.years += thousandths / ONE;
                let months = thousandths % ONE * 12;
                self.months += months / ONE;
                if !months.is_multiple_of(ONE) {
                    return None;
                }
            }
        }
        Some(())
    }

    /// A day is one of the calendar, a part of it is hours.
    const fn put_days(&mut self, thousandths: u64) {
        self.days += thousandths / ONE;
        self.seconds += thousandths % ONE * 86_400 / ONE;
    }

    fn span(&self) -> Option<Span> {
        let number = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        Span::new()
            .try_years(number(self.years))
            .and_then(|it| it.try_months(number(self.months)))
            .and_then(|it| it.try_days(number(self.days)))
            .and_then(|it| it.try_hours(number(self.seconds / 3600)))
            .and_then(|it| it.try_minutes(number(self.seconds / 60 % 60)))
            .and_then(|it| it.try_seconds(number(self.seconds % 60)))
            .ok()
    }
}
