//! `tempban`: somebody has to leave, and may come back after a while.

use std::sync::Arc;

use kaiwa_domain::port::Pending;
use kaiwa_domain::{BanEnd, BanRegister, CaseKind, Rights, ToolError, Turn, is_ban_of_ours};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    ModerationDesk, ModerationTarget, PersonArgument, declaration, guild_of, not_written, one_line,
    refused, shown_time,
};
use crate::duration::SpokenDuration;
use crate::phrase::{Phrase, plain};
use crate::{Action, CommandEntrance, Declaration, Description, Done, Grant};

/// Bans somebody for a while.
pub struct TempBan(pub(super) Arc<ModerationDesk>);

/// Who is banned, and for how long.
#[derive(Deserialize, JsonSchema)]
pub struct TempBanArguments {
    /// Who: an id, a mention, or the exact name.
    user: PersonArgument,
    /// For how long, like 3d, 1h30m or two weeks.
    #[schemars(with = "String", length(max = 64))]
    duration: SpokenDuration,
    /// Why, in a few words.
    #[schemars(length(max = 400))]
    reason: Option<String>,
}

impl Action for TempBan {
    type Arguments = TempBanArguments;

    fn declaration(&self) -> Declaration {
        declaration(
            "tempban",
            "Bans a member from the server for a while; the ban is lifted by itself. Use it only \
             when somebody asks for exactly this.",
            CommandEntrance::public("tempban"),
            Rights::BAN_MEMBERS,
        )
    }

    fn describe<'a>(
        &'a self,
        turn: &'a Turn,
        arguments: &'a TempBanArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            let ModerationTarget(found) = self.0.target(turn, &arguments.user).await?;
            let until = self.0.after(arguments.duration.0);
            let phrase = Phrase::new("describe-tempban")
                .with("name", plain(&found.name))
                .with("id", found.id.to_string())
                .with("until", shown_time(until))
                .with("reason", plain(&one_line(arguments.reason.as_deref())));
            Ok(Some(
                Description::new(phrase).settling("user", found.id.to_string()),
            ))
        })
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        arguments: TempBanArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(self.ban(grant, arguments))
    }
}

impl TempBan {
    async fn ban(&self, grant: Grant<'_>, arguments: TempBanArguments) -> Result<Done, ToolError> {
        let (desk, turn) = (&self.0, grant.turn());
        let guild = guild_of(turn)?;
        let target = desk.target(turn, &arguments.user).await?;
        let (user, name) = (target.0.id, plain(&target.0.name));
        let banned = desk.moderation.ban_of(guild, user).await;
        if let Some(ban) = banned.map_err(refused)?
            && !is_ban_of_ours(&ban.reason)
        {
            // Somebody else banned them, for as long as they saw fit.
            return Ok(Done::new(format!("{name} is banned already"))
                .showing(Phrase::new("ban-already").with("name", name)));
        }
        let reason = one_line(arguments.reason.as_deref());
        let until = desk.after(arguments.duration.0);
        let case = desk
            .open(turn, CaseKind::Ban, &target, &reason, Some(until))
            .await?;
        if target.0.is_member {
            // Once they are banned they can no longer be reached.
            let news = Phrase::new("ban-news")
                .with("guild", plain(&desk.guild_name(guild).await))
                .with("until", shown_time(case.until.unwrap_or(until)))
                .with("reason", case.reason.clone());
            desk.tell(turn, &target, news.text(grant.locale())).await;
        }
        let outcome = desk.moderation.ban(guild, user, &case.audit_reason()).await;
        desk.settle(&case, outcome).await?;
        let open = desk.cases.open_bans(turn.scope).await;
        let register = BanRegister::new(&open.map_err(not_written)?);
        let end = match register.end_of(user) {
            Some(BanEnd::At(at)) => at,
            Some(BanEnd::Never) | None => until,
        };
        let number = usize::try_from(case.number).unwrap_or_default();
        Ok(Done::new(format!(
            "{name} ({user}) is banned until {}, case {number}",
            shown_time(end)
        ))
        .showing(
            Phrase::new("tempban-done")
                .with("name", name)
                .with("id", user.to_string())
                .with("until", shown_time(end))
                .with("number", number),
        )
        .undone_by(
            "unban",
            &json!({"user": user.to_string(), "case": case.number}),
        ))
    }
}
