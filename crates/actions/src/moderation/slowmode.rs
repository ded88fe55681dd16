//! `slowmode`: how long people wait between two messages here.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::limits::SLOW_MODE;
use kaiwa_domain::port::Pending;
use kaiwa_domain::{Rights, ToolError, Turn};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{ModerationDesk, declaration, refused};
use crate::duration::SpokenDuration;
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Description, Done, EffectClass, Grant};

/// Slows a channel down.
pub struct Slowmode(pub(super) Arc<ModerationDesk>);

/// How slow.
#[derive(Deserialize, JsonSchema)]
pub struct SlowmodeArguments {
    /// How long people wait between two messages here, like 10s or 5m, six hours
    /// at most; off ends it.
    #[schemars(with = "String", length(max = 64))]
    wait: SlowmodeWait,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
struct SlowmodeWait(Duration);

impl TryFrom<String> for SlowmodeWait {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if ["off", "0", "0s"].contains(&&*text.trim().to_lowercase()) {
            return Ok(Self(Duration::ZERO));
        }
        match SpokenDuration::try_from(text) {
            Ok(SpokenDuration(wait)) if wait > SLOW_MODE => {
                Err("slow mode is six hours at most".to_owned())
            }
            Ok(SpokenDuration(wait)) => Ok(Self(wait)),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Action for Slowmode {
    type Arguments = SlowmodeArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            class: EffectClass::Changes,
            ..declaration(
                "slowmode",
                "Sets how long people have to wait between two messages in this channel.",
                CommandEntrance::public("slowmode"),
                Rights::MANAGE_CHANNELS,
            )
        }
    }

    fn describe<'a>(
        &'a self,
        _: &'a Turn,
        arguments: &'a SlowmodeArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        let seconds = seconds(arguments.wait.0);
        let phrase = Phrase::new("describe-slowmode").with("seconds", seconds);
        Box::pin(std::future::ready(Ok(Some(Description::new(phrase)))))
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        SlowmodeArguments {
            wait: SlowmodeWait(wait),
        }: SlowmodeArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let (desk, turn) = (&self.0, grant.turn());
            let before = desk.moderation.slow_mode(turn.channel).await;
            let before = before.map_err(refused)?;
            let reason = format!("Kaiwa, asked by {}", turn.asker);
            let set = desk.moderation.set_slow_mode(turn.channel, wait, &reason);
            set.await.map_err(refused)?;
            let shown = match wait.is_zero() {
                true => Phrase::new("slowmode-off"),
                false => Phrase::new("slowmode-done").with("seconds", seconds(wait)),
            };
            let told = format!("people now wait {} s between two messages", seconds(wait));
            let back = json!({"wait": format!("{}s", seconds(before))});
            let done = Done::new(told).showing(shown);
            Ok(match before == wait {
                // Nothing changed, or what was before is no longer known: an
                // earlier process may have set it.
                true => done,
                false => done.undone_by("slowmode", &back),
            })
        })
    }
}

fn seconds(wait: Duration) -> usize {
    usize::try_from(wait.as_secs()).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_read() {
        for (text, expected) in [
            ("off", Some(0)),
            ("0s", Some(0)),
            ("10s", Some(10)),
            ("five minutes", Some(300)),
            ("6h", Some(21_600)),
            ("7h", None),
            ("slow", None),
        ] {
            let wait = SlowmodeWait::try_from(text.to_owned()).ok();
            let expected = expected.map(|it| SlowmodeWait(Duration::from_secs(it)));
            assert_eq!(wait, expected, "{text}");
        }
    }
}
