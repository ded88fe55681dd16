//! Time.

mod now;
mod remind;
mod reminders;
mod when;
mod zone;

use jiff::Zoned;
use jiff::tz::TimeZone;
use kaiwa_domain::limits::CHOICES;
use kaiwa_domain::{OptionChoice, Timestamp};

pub use now::CurrentTime;
pub use remind::Remind;
pub use reminders::{DeleteReminder, ListReminders};

/// The time zone of a name that may be missing, or else another.
fn zone_or(name: Option<&str>, home: impl FnOnce() -> TimeZone) -> Result<TimeZone, zone::BadZone> {
    match name.map(str::trim) {
        None | Some("") => Ok(home()),
        Some(name) => zone::zone_named(name),
    }
}

/// The time zones whose names have what was typed, those of cities by the city
/// first.
fn zones_like(typed: &str) -> Vec<OptionChoice> {
    let typed = typed.trim().to_lowercase().replace(' ', "_");
    let mut zones: Vec<(bool, String)> = jiff::tz::db()
        .available()
        .map(|name| name.as_str().to_owned())
        .filter_map(|name| {
            let lower = name.to_lowercase();
            let begins = lower.split('/').any(|part| part.starts_with(&typed));
            lower.contains(&typed).then_some((!begins, name))
        })
        .collect();
    zones.sort_unstable();
    zones.truncate(CHOICES);
    let choice = |(_, name): (bool, String)| OptionChoice {
        name: name.clone(),
        value: name,
    };
    zones.into_iter().map(choice).collect()
}

/// A moment as the clocks of a zone show it.
fn zoned(at: Timestamp, zone: TimeZone) -> Zoned {
    let at = jiff::Timestamp::from_millisecond(at.as_millis()).unwrap_or_default();
    at.to_zoned(zone)
}
