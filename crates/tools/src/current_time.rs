//! `current_time`: what time it is, here or elsewhere.

use std::sync::Arc;

use jiff::tz::TimeZone;
use kaiwa_domain::port::{Clock, Pending};
use kaiwa_domain::{Timestamp, Tool, ToolError, Turn, When};
use serde::Deserialize;

use crate::Device;
use crate::toolbox::read;

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

#[derive(Deserialize)]
struct Arguments {
    zone: Option<String>,
}

impl Device for CurrentTime {
    fn tool(&self) -> Tool {
        Tool {
            name: "current_time".to_owned(),
            description: "The date and time now, in your own time zone or in any other.".to_owned(),
            schema: r#"{"type":"object","properties":{"zone":{"type":"string","maxLength":64,"description":"An IANA time zone like Asia/Tokyo. Yours if absent."}},"additionalProperties":false}"#.to_owned(),
            when: When::InLoop,
        }
    }

    fn run<'a>(
        &'a self,
        turn: &'a Turn,
        arguments: &'a str,
    ) -> Pending<'a, Result<String, ToolError>> {
        Box::pin(async move {
            let Arguments { zone } = read(arguments)?;
            let zone = match zone.as_deref().map(str::trim) {
                None | Some("") => (self.home)(turn),
                Some(name) => TimeZone::get(name).map_err(|_| ToolError::BadArguments {
                    problem: format!(
                        "no time zone is called {name:?}; IANA names look like Europe/Paris"
                    ),
                })?,
            };
            Ok(told(self.clock.now(), zone))
        })
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
    use crate::toolbox::tests::turn;
    use std::time::Duration;

    struct Stopped;

    impl Clock for Stopped {
        fn now(&self) -> Timestamp {
            Timestamp::from_millis(1_794_783_600_000)
        }

        fn sleep(&self, _: Duration) -> Pending<'static, ()> {
            Box::pin(std::future::pending())
        }
    }

    #[tokio::test]
    async fn it_tells_the_time_anywhere() {
        let device = CurrentTime::new(Arc::new(Stopped), |_| TimeZone::UTC);
        for (arguments, expected) in [
            (
                "{}",
                Some("Sunday, 15 November 2026, 23:00:00 (UTC, UTC+00:00)"),
            ),
            (
                r#"{"zone": " "}"#,
                Some("Sunday, 15 November 2026, 23:00:00 (UTC, UTC+00:00)"),
            ),
            (
                r#"{"zone": "UTC"}"#,
                Some("Sunday, 15 November 2026, 23:00:00 (UTC, UTC+00:00)"),
            ),
            (r#"{"zone": "Mars/Olympus"}"#, None),
            (r#"{"zone": "../../etc/passwd"}"#, None),
            (r#"{"zone": 5}"#, None),
        ] {
            let told = device.run(&turn(), arguments).await;
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
        let told = told(Stopped.now(), tokyo);
        assert_eq!(
            told,
            "Monday, 16 November 2026, 08:00:00 (local time, UTC+09:00)"
        );
    }
}
