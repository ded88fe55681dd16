//! Time.

mod now;
mod remind;
mod reminders;
mod when;

use jiff::Zoned;
use jiff::tz::TimeZone;
use kaiwa_domain::limits::CHOICES;
use kaiwa_domain::{OptionChoice, Timestamp};
use serde::Deserialize;

pub use now::CurrentTime;
pub use remind::Remind;
pub use reminders::{DeleteReminder, ListReminders};

/// A time zone by its IANA name, or none.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(try_from = "Option<String>")]
struct ZoneArgument(Option<TimeZone>);

impl ZoneArgument {
    /// The zone, or else another.
    fn or_else(self, home: impl FnOnce() -> TimeZone) -> TimeZone {
        self.0.unwrap_or_else(home)
    }
}

impl TryFrom<Option<String>> for ZoneArgument {
    type Error = String;

    fn try_from(name: Option<String>) -> Result<Self, String> {
        match name.as_deref().map(str::trim) {
            None | Some("") => Ok(Self(None)),
            Some(name) => match TimeZone::get(name) {
                Ok(zone) => Ok(Self(Some(zone))),
                Err(_) => Err(format!(
                    "no time zone is called {name:?}; IANA names look like Europe/Paris"
                )),
            },
        }
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
