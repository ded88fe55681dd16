//! `kick`: somebody has to leave, and may come back at once.

use std::sync::Arc;

use kaiwa_domain::port::Pending;
use kaiwa_domain::{CaseKind, Rights, ToolError, Turn};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    ModerationDesk, ModerationTarget, PersonArgument, absent, declaration, guild_of, one_line,
};
use crate::phrase::{Phrase, plain};
use crate::{Action, CommandEntrance, Declaration, Description, Done, Grant};

/// Makes somebody leave.
pub struct Kick(pub(super) Arc<ModerationDesk>);

/// Who has to leave.
#[derive(Deserialize, JsonSchema)]
pub struct KickArguments {
    /// Who: an id, a mention, or the exact name.
    user: PersonArgument,
    /// Why, in a few words.
    #[schemars(length(max = 400))]
    reason: Option<String>,
}

impl Action for Kick {
    type Arguments = KickArguments;

    fn declaration(&self) -> Declaration {
        declaration(
            "kick",
            "Makes a member leave the server; they may join again. Use it only when somebody asks \
             for exactly this.",
            CommandEntrance::public("kick"),
            Rights::KICK_MEMBERS,
        )
    }

    fn describe<'a>(
        &'a self,
        turn: &'a Turn,
        arguments: &'a KickArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            let ModerationTarget(found) = self.0.present_target(turn, &arguments.user).await?;
            let phrase = Phrase::new("describe-kick")
                .with("name", plain(&found.name))
                .with("id", found.id.to_string())
                .with("reason", plain(&one_line(arguments.reason.as_deref())));
            Ok(Some(
                Description::new(phrase).settling("user", found.id.to_string()),
            ))
        })
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        arguments: KickArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(self.kick(grant, arguments))
    }
}

impl Kick {
    async fn kick(&self, grant: Grant<'_>, arguments: KickArguments) -> Result<Done, ToolError> {
        let (desk, turn) = (&self.0, grant.turn());
        let guild = guild_of(turn)?;
        let target = desk.present_target(turn, &arguments.user).await?;
        let (user, name) = (target.0.id, plain(&target.0.name));
        let reason = one_line(arguments.reason.as_deref());
        let case = desk
            .open(turn, CaseKind::Kick, &target, &reason, None)
            .await?;
        let news = Phrase::new("kick-news")
            .with("guild", plain(&desk.guild_name(guild).await))
            .with("reason", case.reason.clone());
        desk.tell(turn, &target, news.text(grant.locale())).await;
        let outcome = desk
            .moderation
            .kick(guild, user, &case.audit_reason())
            .await;
        if !desk.settle(&case, outcome).await? {
            return Err(absent());
        }
        let number = usize::try_from(case.number).unwrap_or_default();
        Ok(
            Done::new(format!("{name} ({user}) was kicked, case {number}")).showing(
                Phrase::new("kick-done")
                    .with("name", name)
                    .with("id", user.to_string())
                    .with("number", number),
            ),
        )
    }
}
