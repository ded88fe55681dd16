//! `timeout`: somebody cannot write for a while.

use std::sync::Arc;

use kaiwa_domain::limits::TIMEOUT;
use kaiwa_domain::port::Pending;
use kaiwa_domain::{
    Case, CaseKind, CaseState, Rights, RightsHolder, Standing, Timestamp, ToolError, Turn,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    ModerationDesk, ModerationTarget, PersonArgument, absent, declaration, guild_of, not_written,
    one_line, refused, shown_time,
};
use crate::duration::SpokenDuration;
use crate::phrase::{Phrase, plain};
use crate::{Action, CommandEntrance, Declaration, Description, Done, Grant};

/// What ends a timeout before its time.
const OFF: &str = "off";

/// How many cases of one person are looked through for the one before.
const LOOKED_THROUGH: u16 = 50;

/// Times somebody out.
pub struct TimeOut(pub(super) Arc<ModerationDesk>);

/// Who cannot write, and for how long.
#[derive(Deserialize, JsonSchema)]
pub struct TimeOutArguments {
    /// Who: an id, a mention, or the exact name.
    user: PersonArgument,
    /// For how long, like 10m, 1h30m or two weeks, 28 days at most; off ends it.
    #[schemars(with = "String", length(max = 64))]
    duration: TimeOutLength,
    /// Why, in a few words.
    #[schemars(length(max = 400))]
    reason: Option<String>,
    /// When it ends, in milliseconds, if that has not been yet. It comes with
    /// Undo, which brings back what was there before.
    #[serde(default)]
    #[schemars(skip)]
    until: Option<i64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
enum TimeOutLength {
    Off,
    For(SpokenDuration),
}

impl TryFrom<String> for TimeOutLength {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.trim().eq_ignore_ascii_case(OFF) {
            return Ok(Self::Off);
        }
        match SpokenDuration::try_from(text) {
            Ok(SpokenDuration(length)) if length > TIMEOUT => {
                Err("a timeout is 28 days at most".to_owned())
            }
            Ok(length) => Ok(Self::For(length)),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Action for TimeOut {
    type Arguments = TimeOutArguments;

    fn declaration(&self) -> Declaration {
        declaration(
            "timeout",
            "Keeps a member from writing and speaking for a while. Use it only when somebody asks \
             for exactly this.",
            CommandEntrance::public("timeout"),
            Rights::MODERATE_MEMBERS,
        )
    }

    fn describe<'a>(
        &'a self,
        turn: &'a Turn,
        arguments: &'a TimeOutArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            let ModerationTarget(found) = self.target(turn, arguments).await?;
            let phrase = match self.end(arguments) {
                None => Phrase::new("describe-timeout-off"),
                Some(until) => Phrase::new("describe-timeout")
                    .with("until", shown_time(until))
                    .with("reason", plain(&one_line(arguments.reason.as_deref()))),
            };
            let phrase = phrase
                .with("name", plain(&found.name))
                .with("id", found.id.to_string());
            Ok(Some(
                Description::new(phrase).settling("user", found.id.to_string()),
            ))
        })
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        arguments: TimeOutArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(self.time_out(grant, arguments))
    }
}

impl TimeOut {
    /// Discord times no administrator out, whoever asks.
    async fn target(
        &self,
        turn: &Turn,
        arguments: &TimeOutArguments,
    ) -> Result<ModerationTarget, ToolError> {
        let desk = &self.0;
        let target = desk.present_target(turn, &arguments.user).await?;
        let theirs = desk.permissions.of(turn.scope, turn.channel, target.0.id);
        let administers = theirs
            .await
            .map_err(refused)?
            .contains(Rights::ADMINISTRATOR);
        match administers && self.end(arguments).is_some() {
            true => Err(ToolError::Protected {
                who: RightsHolder::Bot,
                standing: Standing::NotAbove,
            }),
            false => Ok(target),
        }
    }

    /// Until when, or not any longer.
    fn end(&self, arguments: &TimeOutArguments) -> Option<Timestamp> {
        let now = self.0.clock.now();
        let restored = arguments.until.map(Timestamp::from_millis);
        match (restored.filter(|it| *it > now), arguments.duration) {
            (Some(restored), _) => Some(restored),
            (None, TimeOutLength::Off) => None,
            (None, TimeOutLength::For(SpokenDuration(length))) => Some(self.0.after(length)),
        }
    }

    /// When the timeout before a case would have ended. The case book knows it
    /// also after a crash, when Discord knows only the new one.
    async fn earlier_end(&self, case: &Case) -> Result<Option<Timestamp>, ToolError> {
        let theirs = self
            .0
            .cases
            .cases(case.scope, Some(case.user), LOOKED_THROUGH);
        let theirs = theirs.await.map_err(not_written)?;
        let mut earlier = theirs.iter().filter(|it| {
            it.kind == CaseKind::Timeout && it.number < case.number && it.state == CaseState::Done
        });
        Ok(earlier.next().and_then(|it| it.until))
    }

    async fn time_out(
        &self,
        grant: Grant<'_>,
        arguments: TimeOutArguments,
    ) -> Result<Done, ToolError> {
        let (desk, turn) = (&self.0, grant.turn());
        let guild = guild_of(turn)?;
        let target = self.target(turn, &arguments).await?;
        let (user, name) = (target.0.id, plain(&target.0.name));
        let until = self.end(&arguments);
        let reason = one_line(arguments.reason.as_deref());
        let case = desk
            .open(turn, CaseKind::Timeout, &target, &reason, until)
            .await?;
        let outcome = desk
            .moderation
            .time_out(guild, user, case.until, &case.audit_reason())
            .await;
        if !desk.settle(&case, outcome).await? {
            return Err(absent());
        }
        let number = usize::try_from(case.number).unwrap_or_default();
        let Some(until) = case.until else {
            return Ok(
                Done::new(format!("{name} ({user}) may write again")).showing(
                    Phrase::new("timeout-off")
                        .with("name", name)
                        .with("id", user.to_string()),
                ),
            );
        };
        let before = self.earlier_end(&case).await?.map(Timestamp::as_millis);
        Ok(Done::new(format!(
            "{name} ({user}) cannot write until {}, case {number}",
            shown_time(until)
        ))
        .showing(
            Phrase::new("timeout-done")
                .with("name", name)
                .with("id", user.to_string())
                .with("until", shown_time(until))
                .with("number", number),
        )
        .undone_by(
            "timeout",
            &json!({"user": user.to_string(), "duration": OFF, "until": before}),
        ))
    }
}
