//! `now`: what time it is, here or elsewhere.

use std::sync::Arc;

use jiff::Zoned;
use jiff::tz::TimeZone;
use kaiwa_domain::port::{Clock, Pending};
use kaiwa_domain::{OptionChoice, Scope, ToolError, Turn, UserId};
use schemars::JsonSchema;
use serde::Deserialize;

use super::zone::zone_name;
use super::{zone_or, zoned, zones_like};
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, Grant};

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
    /// A time zone like Asia/Tokyo, JST or UTC+9. Yours if absent.
    #[serde(default)]
    #[schemars(length(max = 64))]
    zone: Option<String>,
}

impl Action for CurrentTime {
    type Arguments = CurrentTimeArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance {
                completes: Some("zone"),
                ..CommandEntrance::public("now")
            }),
            ..Declaration::reading(
                "now",
                "The date and time now, in your own time zone or in any other.",
            )
        }
    }

    fn complete<'a>(
        &'a self,
        _: Scope,
        _: UserId,
        typed: &'a str,
    ) -> Pending<'a, Vec<OptionChoice>> {
        Box::pin(std::future::ready(zones_like(typed)))
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        CurrentTimeArguments { zone }: CurrentTimeArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        let zone = zone_or(zone.as_deref(), || (self.home)(grant.turn()));
        let zone = match zone {
            Ok(zone) => zone,
            Err(bad) => {
                let problem = bad.phrase().text(grant.locale());
                let bad = ToolError::BadArguments { problem };
                return Box::pin(std::future::ready(Err(bad)));
            }
        };
        let now = zoned(self.clock.now(), zone);
        let shown = Phrase::new("now-done")
            .with("time", now.strftime("%Y-%m-%d %H:%M").to_string())
            .with("zone", name(&now))
            .with("offset", now.strftime("%:z").to_string());
        Box::pin(std::future::ready(Ok(Done::new(told(&now)).showing(shown))))
    }
}

fn told(now: &Zoned) -> String {
    let time = now.strftime("%A, %-d %B %Y, %H:%M:%S");
    format!("{time} ({}, UTC{})", name(now), now.strftime("%:z"))
}

fn name(now: &Zoned) -> String {
    zone_name(now.time_zone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;
    use crate::door::tests::{Held, Impatient, MODEL_ASKED, call, door_to, turn};
    use kaiwa_domain::port::{ActionHost, Entrance};
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
            (
                r#"{"zone": "tokyo"}"#,
                Some("Monday, 16 November 2026, 08:00:00 (Asia/Tokyo, UTC+09:00)"),
            ),
            (
                r#"{"zone": "UTC+2"}"#,
                Some("Monday, 16 November 2026, 01:00:00 (UTC+2, UTC+02:00)"),
            ),
            (
                r#"{"zone": "PST"}"#,
                Some("Sunday, 15 November 2026, 15:00:00 (America/Los_Angeles, UTC-08:00)"),
            ),
            (r#"{"zone": "CST"}"#, None),
            (r#"{"zone": "Mars/Olympus"}"#, None),
            (r#"{"zone": "../../etc/passwd"}"#, None),
            (r#"{"zone": 5}"#, None),
        ] {
            let turn = turn(Scope::Dm(UserId::new(1)));
            let told = door.run(&turn, &call("now", arguments), MODEL_ASKED).await;
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

    #[tokio::test]
    async fn what_is_wrong_is_said_in_the_language_of_who_asks() {
        let clock = Arc::new(Impatient(Duration::ZERO));
        let registry = Registry::new()
            .with(CurrentTime::new(clock, |_| TimeZone::UTC))
            .with(crate::Calculate)
            .with(crate::Random::new(kaiwa_domain::SeededDice::new(7)));
        let held = Held::new(Rights::NONE, Rights::NONE);
        let door = door_to(registry, held, Impatient(Duration::ZERO));
        let turn = turn(Scope::Dm(UserId::new(1)));
        for (action, arguments) in [
            ("now", r#"{"zone": "Mars"}"#),
            ("now", r#"{"zone": "CST"}"#),
            ("calculate", r#"{"expression": "1/0"}"#),
            ("calculate", r#"{"expression": "tea"}"#),
            ("random", r#"{"choices": "tea"}"#),
        ] {
            let call = call(action, arguments);
            let asked = Entrance::Control { locale: "ja" };
            let error = door.run(&turn, &call, asked).await.unwrap_err();
            let read = door.explain(&error, "ja");
            let english = door.run(&turn, &call, MODEL_ASKED).await.unwrap_err();
            let english = door.explain(&english, "en-US");
            assert!(english.is_ascii(), "{english}");
            assert!(
                read.chars().filter(|c| !c.is_ascii()).count() > 12,
                "{read}"
            );
            assert!(!read.contains("write"), "{read}");
        }
    }

    #[test]
    fn a_zone_has_its_name_and_offset() {
        let tokyo = TimeZone::fixed(jiff::tz::offset(9));
        let told = told(&zoned(Impatient(Duration::ZERO).now(), tokyo));
        assert_eq!(
            told,
            "Monday, 16 November 2026, 08:00:00 (local time, UTC+09:00)"
        );
    }
}
