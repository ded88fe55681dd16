//! How long something lasts, as people write it: `3d`, `1h30m`, `PT90M`,
//! "two weeks", "an hour and a half", 「２時間半」.
//!
//! Words become digits and units here; what is then left is read by
//! [jiff](https://docs.rs/jiff/latest/jiff/fmt/friendly/index.html).

use std::fmt;
use std::time::Duration;

use jiff::Span;
use serde::Deserialize;

/// The longest text that is looked at.
const MOST_CHARS: usize = 64;

/// The longest time that anybody may mean, in days: ten years.
const MOST_DAYS: u64 = 3660;

const DAY: Duration = Duration::from_secs(24 * 3600);

/// The text says no length of time, or none that can be meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BadDuration;

impl fmt::Display for BadDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("that is no length of time; write it like 20m, 1h30m, 3d or two weeks")
    }
}

/// A length of time as an argument. A month has 30 days, a year 365.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct SpokenDuration(pub(crate) Duration);

impl TryFrom<String> for SpokenDuration {
    type Error = BadDuration;

    fn try_from(text: String) -> Result<Self, BadDuration> {
        let span = read_span(&text)?;
        let part = |number: i64, unit: Duration| -> Option<Duration> {
            unit.checked_mul(u32::try_from(number).ok()?)
        };
        let days = i64::from(span.get_years()) * 365
            + i64::from(span.get_months()) * 30
            + i64::from(span.get_weeks()) * 7
            + i64::from(span.get_days());
        let total = [
            part(days, DAY),
            part(span.get_hours().into(), Duration::from_secs(3600)),
            part(span.get_minutes(), Duration::from_secs(60)),
            part(span.get_seconds(), Duration::from_secs(1)),
        ]
        .into_iter()
        .try_fold(Duration::ZERO, |sum, part| sum.checked_add(part?));
        total.map(Self).ok_or(BadDuration)
    }
}

/// A length of time by the calendar, in years down to seconds: what it comes to
/// depends on when it begins. It is longer than nothing and shorter than ten
/// years.
pub(crate) fn read_span(text: &str) -> Result<Span, BadDuration> {
    if text.chars().count() > MOST_CHARS {
        return Err(BadDuration);
    }
    let span: Span = plain(text).parse().map_err(|_| BadDuration)?;
    let days = i64::from(span.get_years()) * 366
        + i64::from(span.get_months()) * 31
        + i64::from(span.get_weeks()) * 7
        + i64::from(span.get_days());
    let seconds = i64::from(span.get_hours())
        .checked_mul(3600)
        .zip(span.get_minutes().checked_mul(60))
        .and_then(|(hours, minutes)| hours.checked_add(minutes))
        .and_then(|it| it.checked_add(span.get_seconds()))
        .ok_or(BadDuration)?;
    let whole = u64::try_from(seconds).map_err(|_| BadDuration)? / DAY.as_secs();
    let whole = whole.saturating_add(u64::try_from(days).map_err(|_| BadDuration)?);
    if span.signum() != 1 || (days == 0 && seconds == 0) || whole > MOST_DAYS {
        return Err(BadDuration);
    }
    Ok(span)
}

/// What is said in several words.
const IDIOMS: [(&str, &str); 9] = [
    ("half an hour", "30m"),
    ("half a minute", "30s"),
    ("half a day", "12h"),
    ("a quarter of an hour", "15m"),
    ("an hour and a half", "90m"),
    ("one and a half hours", "90m"),
    ("a day and a half", "36h"),
    ("a couple of", "2"),
    ("a fortnight", "2w"),
];

const NUMBERS: [(&str, u32); 20] = [
    ("a", 1),
    ("an", 1),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("fifteen", 15),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
];

/// Longer names before those that they begin with.
const JAPANESE: [(&str, &str); 15] = [
    ("時間半", "h 30m "),
    ("年半", "y 6mo "),
    ("時間", "h "),
    ("分間", "m "),
    ("分", "m "),
    ("秒間", "s "),
    ("秒", "s "),
    ("日間", "d "),
    ("日", "d "),
    ("週間", "w "),
    ("か月", "mo "),
    ("ヶ月", "mo "),
    ("カ月", "mo "),
    ("年間", "y "),
    ("年", "y "),
];

/// The text in digits and English units.
fn plain(text: &str) -> String {
    let text = text.trim().trim_end_matches(['.', '。']);
    let text: String = text.chars().map(narrow).collect();
    let mut text = text.to_lowercase().replace("ty-", "ty ");
    for (word, unit) in JAPANESE {
        text = text.replace(word, unit);
    }
    let words: Vec<&str> = text
        .split([' ', ',', '\u{3000}'])
        .filter(|it| !it.is_empty())
        .collect();
    let mut text = format!(" {} ", words.join(" "));
    for (idiom, meaning) in IDIOMS {
        text = text.replace(&format!(" {idiom} "), &format!(" {meaning} "));
    }
    let mut words: Vec<String> = Vec::new();
    // The tens that "five" of "twenty five" belongs to.
    let mut tens: Option<u32> = None;
    for word in text.split(' ').filter(|it| !it.is_empty() && *it != "and") {
        let number = NUMBERS.iter().find(|(name, _)| *name == word);
        match (number, tens) {
            (Some(&(_, ones)), Some(many)) if ones < 10 => {
                words.pop();
                words.push((many + ones).to_string());
            }
            (Some((_, number)), _) => words.push(number.to_string()),
            (None, _) => words.push(word.to_owned()),
        }
        tens = number.map(|(_, number)| *number).filter(|it| *it >= 20);
    }
    words.join(" ")
}

/// The half-width form of a digit.
fn narrow(c: char) -> char {
    match c {
        '０'..='９' => {
            char::from_u32(u32::from(c) - u32::from('０') + u32::from('0')).unwrap_or(c)
        }
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{ProptestConfig, any, proptest};

    fn check(text: &str, seconds: Option<u64>) {
        let read = SpokenDuration::try_from(text.to_owned()).ok();
        assert_eq!(read.map(|it| it.0.as_secs()), seconds, "{text:?}");
    }

    #[test]
    fn people_write_it_in_many_ways() {
        const M: u64 = 60;
        const H: u64 = 60 * M;
        const D: u64 = 24 * H;
        for (text, seconds) in [
            ("45s", 45),
            ("20m", 20 * M),
            ("20 min", 20 * M),
            ("1h30m", H + 30 * M),
            ("1H 30M", H + 30 * M),
            ("1.5h", H + 30 * M),
            ("1:30:00", H + 30 * M),
            ("3d", 3 * D),
            ("2w", 14 * D),
            ("1 day, 2 hours and 5 minutes", D + 2 * H + 5 * M),
            ("two weeks", 14 * D),
            ("Two Weeks.", 14 * D),
            ("an hour", H),
            ("a minute", M),
            ("twenty-five minutes", 25 * M),
            ("forty five seconds", 45),
            ("half an hour", 30 * M),
            ("an hour and a half", 90 * M),
            ("a couple of days", 2 * D),
            ("a fortnight", 14 * D),
            ("a month", 30 * D),
            ("1 year", 365 * D),
            ("PT90M", 90 * M),
            ("30分", 30 * M),
            ("２時間半", 2 * H + 30 * M),
            ("3日間", 3 * D),
            ("1時間30分", H + 30 * M),
            ("2週間", 14 * D),
            ("1ヶ月", 30 * D),
        ] {
            check(text, Some(seconds));
        }
    }

    #[test]
    fn what_is_no_length_of_time_is_refused() {
        for text in [
            "",
            " ",
            "soon",
            "5",
            "h",
            "-5m",
            "5m ago",
            "0s",
            "0 days",
            "1h1h",
            "five",
            "20 years",
            "4000d",
            "99999999999999999999d",
            "1h of tea",
            "twenty twenty minutes",
        ] {
            check(text, None);
        }
        check(&"1".repeat(MOST_CHARS + 1), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn no_text_is_too_strange(text in any::<String>()) {
            let _ = SpokenDuration::try_from(text);
        }
    }
}
