//! `current_time`: what time it is, here or elsewhere.

use std::sync::Arc;

use jiff::tz::TimeZone;
use kaiwa_domain::port::{Clock, Pending};
use kaiwa_domain::{Timestamp, ToolError, Turn};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Action, Declaration, Done, Grant};

/// Tells date and time.
pub struct CurrentTime {
    clock: Arc<dyn Clock>,
    home: Box<dyn Fn(&Turn) -> TimeZone + Send + Sync>,
}

impl CurrentTime {
    /// By `clock`; `home` is the bot's own time zone in a turn.
    pub fn new(
        clock: Arc<dyn Clock>,
        home: impl Fn(&Turn) -> TimeZone + Send + Sync + 'static,
    ) -> Self {
        Self {
            clock,
            home: Box::new(home),
        }
    }
}

/// Where the time is asked for.
#[derive(Deserialize, JsonSchema)]
pub struct CurrentTimeArguments {
    /// An IANA time zone like Asia/Tokyo. Yours if absent.
    #[serde(default)]
    #[schemars(with = "Option<String>", length(max = 64))]
    zone: Zone,
}

#[derive(Default, Deserialize)]
#[serde(try_from = "Option<String>")]
enum Zone {
    #[default]
    Home,
    Named(TimeZone),
}

impl TryFrom<Option<String>> for Zone {
    type Error = String;

    fn try_from(name: Option<String>) -> Result<Self, String> {
        match name.as_deref().map(str::trim) {
            None | Some("") => Ok(Self::Home),
            Some(name) => TimeZone::get(name).map(Self::Named).map_err(|_| {
                format!("no time zone is called {name:?}; IANA names look like Europe/Paris")
            }),
        }
    }
}

impl Action for CurrentTime {
    type Arguments = CurrentTimeArguments;

    fn declaration(&self) -> Declaration {
        Declaration::reading(
            "current_time",
            "The date and time now, in your own time zone or in any other.",
        )
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        CurrentTimeArguments { zone }: CurrentTimeArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        let zone = match zone {
            Zone::Home => (self.home)(grant.turn()),
            Zone::Named(zone) => zone,
        };
        Box::pin(std::future::ready(Ok(Done::new(told(
            self.clock.now(),
            zone,
        )))))
    }
}

fn told(now: Timestamp, zone: TimeZone) -> String {
    let now = jiff::Timestamp::from_millisecond(now.as_millis()).unwrap_or_default();
    let now = now.to_zoned(zone);
    let time = now.strftime("%A, %-d %B %Y, %H:%M:%S").to_string();
    let name = now.time_zone().iana_name().unwrap_or("local time");
    format!("{time} ({name}, UTC{})", now.strftime("%:z"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;
    use crate::door::tests::{Held, Impatient, MODEL_ASKED, call, door_to, turn};
    use kaiwa_domain::port::ActionHost;
    use kaiwa_domain::{Rights, Scope, UserId};
    use std::time::Duration;

    #[tokio::test]
    async fn it_tells_the_time_anywhere() {
        let clock = Arc::new(Impatient(Duration::ZERO));
        let action = CurrentTime::new(clock, |_| TimeZone::UTC);
        // Nobody needs to be allowed anything.
        let held = Held::new(Rights::NONE, Rights::NONE);
        let door = door_to(
            Registry::new().with(action),
            held,
            Impatient(Duration::ZERO),
        );
        let now = "Sunday, 15 November 2026, 23:00:00 (UTC, UTC+00:00)";
        for (arguments, expected) in [
            ("{}", Some(now)),
            (r#"{"zone": " "}"#, Some(now)),
            (r#"{"zone": null}"#, Some(now)),
            (r#"{"zone": "UTC"}"#, Some(now)),
            (r#"{"zone": "Mars/Olympus"}"#, None),
            (r#"{"zone": "../../etc/passwd"}"#, None),
            (r#"{"zone": 5}"#, None),
        ] {
            let turn = turn(Scope::Dm(UserId::new(1)));
            let told = door
                .run(&turn, &call("current_time", arguments), MODEL_ASKED)
                .await;
            let told = told.map(|reply| reply.told);
            match expected {
                Some(expected) => assert_eq!(told.as_deref(), Ok(expected), "{arguments}"),
                None => assert!(
                    matches!(told, Err(ToolError::BadArguments { .. })),
                    "{arguments}: {told:?}"
                ),
            }
        }
    }

    #[test]
    fn a_zone_has_its_name_and_offset() {
        let tokyo = TimeZone::fixed(jiff::tz::offset(9));
        let told = told(Impatient(Duration::ZERO).now(), tokyo);
        assert_eq!(
            told,
            "Monday, 16 November 2026, 08:00:00 (local time, UTC+09:00)"
        );
    }
}
