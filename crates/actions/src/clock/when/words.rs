//! The words for days, parts of days, and what happens again.

use super::heard::DayPart;

/// Words that say nothing about when.
pub(super) const FILLERS: &[&str] = &[
    "on",
    "the",
    "of",
    "and",
    "by",
    "this",
    "o'clock",
    "oclock",
    "about",
    "around",
    "approx",
    "approximately",
    "roughly",
    "exactly",
    "sharp",
    "please",
    "coming",
    "starting",
    "beginning",
    "from",
    "hours",
    "in",
    "a",
    "t",
    "まで",
    "から",
];

/// A bit for each, Monday's the lowest.
pub(super) const WEEKDAYS: &[(&str, u8)] = &[
    ("monday", 1),
    ("mon", 1),
    ("tuesday", 2),
    ("tue", 2),
    ("tues", 2),
    ("wednesday", 4),
    ("wed", 4),
    ("weds", 4),
    ("thursday", 8),
    ("thu", 8),
    ("thur", 8),
    ("thurs", 8),
    ("friday", 16),
    ("fri", 16),
    ("saturday", 32),
    ("sat", 32),
    ("sunday", 64),
    ("sun", 64),
];

/// From Monday to Friday.
pub(super) const WORKDAYS: u8 = 31;
pub(super) const WEEKEND: u8 = 96;

pub(super) const MONTHS: &[(&str, i8)] = &[
    ("january", 1),
    ("jan", 1),
    ("february", 2),
    ("feb", 2),
    ("march", 3),
    ("mar", 3),
    ("april", 4),
    ("apr", 4),
    ("may", 5),
    ("june", 6),
    ("jun", 6),
    ("july", 7),
    ("jul", 7),
    ("august", 8),
    ("aug", 8),
    ("september", 9),
    ("sep", 9),
    ("sept", 9),
    ("october", 10),
    ("oct", 10),
    ("november", 11),
    ("nov", 11),
    ("december", 12),
    ("dec", 12),
];

/// So many days from today.
pub(super) const DAYS: &[(&str, i64)] = &[
    ("today", 0),
    ("tomorrow", 1),
    ("tomorow", 1),
    ("tommorow", 1),
    ("tommorrow", 1),
    ("tmr", 1),
    ("tmrw", 1),
    ("overmorrow", 2),
];

pub(super) const PARTS: &[(&str, DayPart)] = &[
    ("dawn", DayPart::Dawn),
    ("morning", DayPart::Morning),
    ("mornings", DayPart::Morning),
    ("noon", DayPart::Noon),
    ("midday", DayPart::Noon),
    ("lunchtime", DayPart::Noon),
    ("afternoon", DayPart::Afternoon),
    ("afternoons", DayPart::Afternoon),
    ("dusk", DayPart::Dusk),
    ("evening", DayPart::Evening),
    ("evenings", DayPart::Evening),
    ("night", DayPart::Night),
    ("nights", DayPart::Night),
    ("tonight", DayPart::Tonight),
    ("tonite", DayPart::Tonight),
    ("smallhours", DayPart::SmallHours),
    ("midnight", DayPart::Midnight),
];

/// One word for something that happens again, as what is behind "every".
pub(super) const OFTEN: &[(&str, &str)] = &[
    ("daily", "day"),
    ("everyday", "day"),
    ("weekly", "week"),
    ("fortnightly", "fortnight"),
    ("monthly", "month"),
    ("quarterly", "3 months"),
    ("yearly", "year"),
    ("annually", "year"),
    ("hourly", "hour"),
    ("nightly", "night"),
];

/// Twice in that time to some, every two of them to others.
pub(super) const TWO_MEANINGS: [&str; 4] = ["biweekly", "bimonthly", "biannually", "bi"];
