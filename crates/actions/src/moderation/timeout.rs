//! `timeout`: somebody cannot write for a while.

use std::sync::Arc;

use kaiwa_domain::limits::TIMEOUT;
use kaiwa_domain::port::Pending;
use kaiwa_domain::{CaseKind, Rights, RightsHolder, Standing, ToolError, Turn};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    ModerationDesk, ModerationTarget, PersonArgument, absent, declaration, guild_of, one_line,
    refused, shown_name, shown_time,
};
use crate::duration::SpokenDuration;
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Description, Done, Grant};

/// What ends a timeout before its time.
const OFF: &str = "off";

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
            let phrase = match arguments.duration {
                TimeOutLength::Off => Phrase::new("describe-timeout-off"),
                TimeOutLength::For(SpokenDuration(length)) => Phrase::new("describe-timeout")
                    .with("until", shown_time(self.0.after(length)))
                    .with("reason", one_line(arguments.reason.as_deref())),
            };
            let phrase = phrase
                .with("name", shown_name(&found.name))
                .with("id", found.id.to_string());
            Ok(Some(Description::new(phrase).settling("user", found.id)))
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
        match administers && arguments.duration != TimeOutLength::Off {
            true => Err(ToolError::Protected {
                who: RightsHolder::Bot,
                standing: Standing::NotAbove,
            }),
            false => Ok(target),
        }
    }

    async fn time_out(
        &self,
        grant: Grant<'_>,
        arguments: TimeOutArguments,
    ) -> Result<Done, ToolError> {
        let (desk, turn) = (&self.0, grant.turn());
        let guild = guild_of(turn)?;
        let target = self.target(turn, &arguments).await?;
        let (user, name) = (target.0.id, shown_name(&target.0.name));
        let until = match arguments.duration {
            TimeOutLength::Off => None,
            TimeOutLength::For(SpokenDuration(length)) => Some(desk.after(length)),
        };
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
            &json!({"user": user.to_string(), "duration": OFF}),
        ))
    }
}
