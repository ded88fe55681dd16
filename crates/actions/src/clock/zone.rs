//! Time zones, as people name them: Asia/Tokyo, Tokyo, JST, UTC+9.

use jiff::tz::TimeZone;

use crate::phrase::Phrase;

/// Why a name is none of a time zone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum BadZone {
    Unknown(String),
    /// Several places call their time so.
    Ambiguous(String),
}

impl BadZone {
    /// What people read.
    pub(super) fn phrase(&self) -> Phrase {
        match self {
            Self::Unknown(name) => Phrase::new("zone-unknown").with("name", shown(name)),
            Self::Ambiguous(name) => Phrase::new("zone-ambiguous").with("name", shown(name)),
        }
    }
}

/// As much of a name as is worth repeating.
fn shown(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(40).collect()
}

/// What people call the time of a place. Summer or winter, they mean its clocks.
const SHORT_NAMES: &[(&str, &str)] = &[
    ("utc", "UTC"),
    ("gmt", "UTC"),
    ("z", "UTC"),
    ("zulu", "UTC"),
    ("jst", "Asia/Tokyo"),
    ("日本", "Asia/Tokyo"),
    ("日本時間", "Asia/Tokyo"),
    ("東京", "Asia/Tokyo"),
    ("kst", "Asia/Seoul"),
    ("hkt", "Asia/Hong_Kong"),
    ("sgt", "Asia/Singapore"),
    ("pst", "America/Los_Angeles"),
    ("pdt", "America/Los_Angeles"),
    ("pt", "America/Los_Angeles"),
    ("pacific", "America/Los_Angeles"),
    ("mst", "America/Denver"),
    ("mdt", "America/Denver"),
    ("mountain", "America/Denver"),
    ("cdt", "America/Chicago"),
    ("ct", "America/Chicago"),
    ("central", "America/Chicago"),
    ("est", "America/New_York"),
    ("edt", "America/New_York"),
    ("et", "America/New_York"),
    ("eastern", "America/New_York"),
    ("akst", "America/Anchorage"),
    ("akdt", "America/Anchorage"),
    ("hst", "Pacific/Honolulu"),
    ("brt", "America/Sao_Paulo"),
    ("bst", "Europe/London"),
    ("uk", "Europe/London"),
    ("wet", "Europe/Lisbon"),
    ("west", "Europe/Lisbon"),
    ("cet", "Europe/Paris"),
    ("cest", "Europe/Paris"),
    ("eet", "Europe/Athens"),
    ("eest", "Europe/Athens"),
    ("msk", "Europe/Moscow"),
    ("aest", "Australia/Sydney"),
    ("aedt", "Australia/Sydney"),
    ("acst", "Australia/Adelaide"),
    ("awst", "Australia/Perth"),
    ("nzst", "Pacific/Auckland"),
    ("nzdt", "Pacific/Auckland"),
    ("osaka", "Asia/Tokyo"),
    ("san francisco", "America/Los_Angeles"),
    ("seattle", "America/Los_Angeles"),
    ("beijing", "Asia/Shanghai"),
    ("delhi", "Asia/Kolkata"),
    ("mumbai", "Asia/Kolkata"),
    ("india", "Asia/Kolkata"),
    ("germany", "Europe/Berlin"),
    ("france", "Europe/Paris"),
    ("korea", "Asia/Seoul"),
    ("china", "Asia/Shanghai"),
];

/// In use at several ends of the world.
const AMBIGUOUS: [&str; 5] = ["cst", "ist", "ast", "amt", "gst"];

/// Half hours, by a place that has them and never changes its clocks.
const HALF_HOURS: [(i32, &str); 6] = [
    (3 * 60 + 30, "Asia/Tehran"),
    (4 * 60 + 30, "Asia/Kabul"),
    (5 * 60 + 30, "Asia/Kolkata"),
    (5 * 60 + 45, "Asia/Kathmandu"),
    (6 * 60 + 30, "Asia/Yangon"),
    (9 * 60 + 30, "Australia/Darwin"),
];

/// The zone of a name.
pub(super) fn zone_named(name: &str) -> Result<TimeZone, BadZone> {
    let unknown = || BadZone::Unknown(name.to_owned());
    let plain = name.trim().to_lowercase();
    if AMBIGUOUS.contains(&plain.as_str()) {
        return Err(BadZone::Ambiguous(plain.to_uppercase()));
    }
    let plain = plain.strip_suffix(" time").unwrap_or(&plain);
    if let Some((_, iana)) = SHORT_NAMES.iter().find(|(short, _)| *short == plain) {
        return TimeZone::get(iana).map_err(|_| unknown());
    }
    if let Some(minutes) = offset(plain) {
        return zone_at(minutes).ok_or_else(unknown);
    }
    let whole = plain.replace(' ', "_");
    if let Ok(zone) = TimeZone::get(&whole) {
        return Ok(zone);
    }
    city(&whole).ok_or_else(unknown)
}

/// The zone whose clocks differ from UTC by so many minutes.
pub(super) fn zone_at(minutes: i32) -> Option<TimeZone> {
    // Recurrences need a zone with a name. Those of the sea are named the other
    // way around.
    let name = match (minutes / 60, minutes % 60) {
        (0, 0) => "UTC".to_owned(),
        (hours @ 1..=14, 0) => format!("Etc/GMT-{hours}"),
        (hours @ -12..=-1, 0) => format!("Etc/GMT+{}", hours.unsigned_abs()),
        _ => {
            let (_, place) = HALF_HOURS.iter().find(|(half, _)| *half == minutes)?;
            (*place).to_owned()
        }
    };
    TimeZone::get(&name).ok()
}

/// The minutes of "utc+9", "gmt-3:30", "+09:00".
fn offset(name: &str) -> Option<i32> {
    let after = ["utc", "gmt"].iter().find_map(|it| name.strip_prefix(it));
    let after = after.unwrap_or(name).trim_start();
    let (sign, digits) = match after.strip_prefix('+') {
        Some(digits) => (1, digits),
        None => (-1, after.strip_prefix(['-', '−'])?),
    };
    let digits = digits.trim();
    let (hours, minutes) = match digits.split_once(':') {
        Some((hours, minutes)) => (hours, minutes),
        None if digits.len() == 4 && digits.is_ascii() => digits.split_at(2),
        None => (digits, "0"),
    };
    let number = |text: &str| -> Option<i32> {
        let digits = (1..=2).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_digit());
        text.parse().ok().filter(|_| digits)
    };
    let minutes = number(minutes).filter(|it| *it < 60)?;
    Some(sign * (number(hours)? * 60 + minutes))
}

/// The zone that is named after a city.
fn city(name: &str) -> Option<TimeZone> {
    if name.len() < 3 {
        return None;
    }
    let names = jiff::tz::db().available();
    let named = names.map(|it| it.as_str().to_owned()).filter(|it| {
        let last = it.rsplit_once('/').map(|(_, city)| city);
        last.is_some_and(|city| city.eq_ignore_ascii_case(name))
    });
    TimeZone::get(&named.min()?).ok()
}

/// What a zone is called.
pub(super) fn zone_name(zone: &TimeZone) -> String {
    let name = zone.iana_name().unwrap_or("local time");
    match name.strip_prefix("Etc/GMT") {
        Some(hours) => match hours.strip_prefix('-') {
            Some(hours) => format!("UTC+{hours}"),
            None => format!("UTC-{}", hours.trim_start_matches('+')),
        },
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: Option<&str>) {
        let zone = zone_named(name).ok();
        assert_eq!(
            zone.as_ref().map(zone_name).as_deref(),
            expected,
            "{name:?}"
        );
    }

    #[test]
    fn places_and_letters_name_zones() {
        for (name, expected) in [
            ("Asia/Tokyo", "Asia/Tokyo"),
            ("asia/tokyo", "Asia/Tokyo"),
            ("Asia/tokyo ", "Asia/Tokyo"),
            ("tokyo", "Asia/Tokyo"),
            ("Tokyo time", "Asia/Tokyo"),
            ("東京", "Asia/Tokyo"),
            ("JST", "Asia/Tokyo"),
            ("new york", "America/New_York"),
            ("New_York", "America/New_York"),
            ("paris", "Europe/Paris"),
            ("PST", "America/Los_Angeles"),
            ("EST", "America/New_York"),
            ("eastern time", "America/New_York"),
            ("UTC", "UTC"),
            ("GMT", "UTC"),
            ("UTC+2", "UTC+2"),
            ("utc +9", "UTC+9"),
            ("UTC+09:00", "UTC+9"),
            ("+0900", "UTC+9"),
            ("gmt-3", "UTC-3"),
            ("UTC+5:30", "Asia/Kolkata"),
            ("UTC+0", "UTC"),
        ] {
            check(name, Some(expected));
        }
        for name in [
            "",
            "Mars/Olympus",
            "../../etc/passwd",
            "UTC+25",
            "utc+9:99",
            "utc+",
            "x",
        ] {
            check(name, None);
        }
        assert_eq!(zone_named("CST"), Err(BadZone::Ambiguous("CST".to_owned())));
    }
}
