//! `warn`: somebody is told, and it is kept on record.

use std::sync::Arc;

use kaiwa_domain::port::Pending;
use kaiwa_domain::{CaseKind, Rights, ToolError, Turn};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    ModerationDesk, ModerationTarget, PersonArgument, declaration, guild_of, not_written, one_line,
};
use crate::phrase::{Phrase, plain};
use crate::{Action, CommandEntrance, Declaration, Description, Done, EffectClass, Grant};

/// How many cases of one person are counted.
const COUNTED: u16 = 1000;

/// Warns somebody.
pub struct Warn(pub(super) Arc<ModerationDesk>);

/// Who is warned, and why.
#[derive(Deserialize, JsonSchema)]
pub struct WarnArguments {
    /// Who: an id, a mention, or the exact name.
    user: PersonArgument,
    /// Why, in a few words.
    #[schemars(length(max = 400))]
    reason: String,
}

impl Action for Warn {
    type Arguments = WarnArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            class: EffectClass::Changes,
            bot_needs: Rights::NONE,
            ..declaration(
                "warn",
                "Warns a member: they are told in private, and a numbered case is kept.",
                CommandEntrance::public("warn"),
                Rights::MODERATE_MEMBERS,
            )
        }
    }

    fn describe<'a>(
        &'a self,
        turn: &'a Turn,
        arguments: &'a WarnArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            let ModerationTarget(found) = self.0.present_target(turn, &arguments.user).await?;
            let phrase = Phrase::new("describe-warn")
                .with("name", plain(&found.name))
                .with("id", found.id.to_string())
                .with("reason", plain(&one_line(Some(&arguments.reason))));
            Ok(Some(
                Description::new(phrase).settling("user", found.id.to_string()),
            ))
        })
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        arguments: WarnArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(self.warn(grant, arguments))
    }
}

impl Warn {
    async fn warn(&self, grant: Grant<'_>, arguments: WarnArguments) -> Result<Done, ToolError> {
        let (desk, turn) = (&self.0, grant.turn());
        let guild = guild_of(turn)?;
        let target = desk.present_target(turn, &arguments.user).await?;
        let (user, name) = (target.0.id, plain(&target.0.name));
        let reason = one_line(Some(&arguments.reason));
        let case = desk
            .open(turn, CaseKind::Warning, &target, &reason, None)
            .await?;
        let news = Phrase::new("warn-news")
            .with("guild", plain(&desk.guild_name(guild).await))
            .with("reason", case.reason.clone());
        desk.tell(turn, &target, news.text(grant.locale())).await;
        desk.settle(&case, Ok(())).await?;
        let theirs = desk.cases.cases(turn.scope, Some(user), COUNTED).await;
        let theirs = theirs.map_err(not_written)?;
        let warnings = theirs.iter().filter(|it| it.kind == CaseKind::Warning);
        let count = warnings.count();
        let number = usize::try_from(case.number).unwrap_or_default();
        Ok(Done::new(format!(
            "{name} ({user}) was warned, case {number}; warnings so far: {count}"
        ))
        .showing(
            Phrase::new("warn-done")
                .with("name", name)
                .with("id", user.to_string())
                .with("number", number)
                .with("count", count),
        ))
    }
}
