//! The words for days and times.

use jiff::civil::Time;

/// Words that say nothing about when.
pub(super) const FILLERS: [&str; 14] = [
    "at", "on", "the", "of", "and", "by", "this", "@", "o'clock", "oclock", "day", "in", "の", "に",
];

/// A bit for each, Monday's the lowest.
pub(super) const WEEKDAYS: [(&str, u8); 22] = [
    ("monday", 1),
    ("mon", 1),
    ("月曜", 1),
    ("tuesday", 2),
    ("tue", 2),
    ("火曜", 2),
    ("wednesday", 4),
    ("wed", 4),
    ("水曜", 4),
    ("thursday", 8),
    ("thu", 8),
    ("thur", 8),
    ("木曜", 8),
    ("friday", 16),
    ("fri", 16),
    ("金曜", 16),
    ("saturday", 32),
    ("sat", 32),
    ("土曜", 32),
    ("sunday", 64),
    ("sun", 64),
    ("日曜", 64),
];

pub(super) const MONTHS: [(&str, i8); 24] = [
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

/// What a word says about the day or the time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DayWord {
    /// Not today.
    Next,
    /// So many days from today.
    In(i64),
    /// At this hour.
    At(i8),
    /// Today, at this hour unless another is said.
    TodayAt(i8),
    /// "am" or "pm".
    Afternoon(bool),
    /// On these weekdays.
    Weekdays(u8),
}

const DAY_WORDS: [(&str, DayWord); 20] = [
    ("next", DayWord::Next),
    ("today", DayWord::In(0)),
    ("tomorrow", DayWord::In(1)),
    ("overmorrow", DayWord::In(2)),
    ("tonight", DayWord::TodayAt(20)),
    ("morning", DayWord::At(9)),
    ("noon", DayWord::At(12)),
    ("midday", DayWord::At(12)),
    ("afternoon", DayWord::At(15)),
    ("evening", DayWord::At(19)),
    ("night", DayWord::At(21)),
    ("midnight", DayWord::At(0)),
    ("am", DayWord::Afternoon(false)),
    ("a.m", DayWord::Afternoon(false)),
    ("pm", DayWord::Afternoon(true)),
    ("p.m", DayWord::Afternoon(true)),
    ("weekday", DayWord::Weekdays(31)),
    ("weekdays", DayWord::Weekdays(31)),
    ("weekend", DayWord::Weekdays(96)),
    ("weekends", DayWord::Weekdays(96)),
];

pub(super) fn day_word(word: &str) -> Option<DayWord> {
    find(&DAY_WORDS, word)
}

pub(super) fn find<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    let found = table.iter().find(|(name, _)| *name == word);
    found.map(|(_, meaning)| *meaning)
}

/// "9", "9:30", "18h", "7pm", "7.30pm".
pub(super) fn time_word(word: &str) -> Option<(Time, Option<bool>)> {
    let ends = [("am", false), ("a.m", false), ("pm", true), ("p.m", true)];
    let end = ends
        .iter()
        .find_map(|(end, afternoon)| Some((word.strip_suffix(end)?, *afternoon)));
    let (clock, afternoon) = match end {
        Some((clock, afternoon)) => (clock, Some(afternoon)),
        None => (word.strip_suffix('h').unwrap_or(word), None),
    };
    let (hour, minute) = clock.split_once([':', '.']).unwrap_or((clock, "0"));
    let digits =
        |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_digit());
    if !digits(hour) || !digits(minute) {
        return None;
    }
    let time = Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()?;
    Some((time, afternoon))
}

/// Longer words before those that they begin with.
const JAPANESE: [(&str, &str); 24] = [
    ("明後日", " overmorrow "),
    ("あさって", " overmorrow "),
    ("明日", " tomorrow "),
    ("あした", " tomorrow "),
    ("今日", " today "),
    ("今夜", " tonight "),
    ("今晩", " tonight "),
    ("毎日", "every day "),
    ("毎朝", "every day morning "),
    ("平日", "weekdays "),
    ("毎週", "every "),
    ("毎時", "hourly "),
    ("次の", " next "),
    ("来週の", " next "),
    ("正午", " noon "),
    ("午前", " am "),
    ("午後", " pm "),
    ("曜日", "曜 "),
    ("の", " "),
    ("に", " "),
    ("時半", ":30 "),
    ("曜", "曜 "),
    ("月曜 ", " 月曜 "),
    ("日曜 ", " 日曜 "),
];

/// The words of a Japanese text apart, and those for days in English. What
/// happens after a length of time is left for others to read.
pub(super) fn from_japanese(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| match c {
            '０'..='９' => {
                char::from_u32(u32::from(c) - u32::from('０') + u32::from('0')).unwrap_or(c)
            }
            '：' => ':',
            _ => c,
        })
        .collect();
    let text = text
        .replace("day after tomorrow", "overmorrow")
        .replace("every morning", "every day morning")
        .replace("every evening", "every day evening");
    if text.is_ascii() || text.ends_with('後') {
        return text;
    }
    let mut text = text;
    for (word, meaning) in JAPANESE {
        text = text.replace(word, meaning);
    }
    hours(&text)
}

/// 「9時」, 「9時15分」.
fn hours(text: &str) -> String {
    let mut parts = text.split('時');
    let mut read = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let minutes = part.split_once('分');
        let minutes = minutes.filter(|(digits, _)| digits.bytes().all(|it| it.is_ascii_digit()));
        match minutes {
            Some((minutes, after)) => read += &format!(":{minutes} {after}"),
            None => read += &format!(":00 {part}"),
        }
    }
    read
}
