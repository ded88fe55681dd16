//! `unban`: somebody may come back.

use std::sync::Arc;

use kaiwa_domain::limits::{BAN_PAGE, CHOICES};
use kaiwa_domain::port::Pending;
use kaiwa_domain::{
    BanEnd, BanRegister, CaseKind, CaseState, GuildId, OptionChoice, Rights, Scope, ToolError,
    Turn, UserId,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    FoundPerson, ModerationDesk, ModerationTarget, PersonArgument, declaration, guild_of,
    not_written, one_line, refused, shown_time,
};
use crate::phrase::{Phrase, plain};
use crate::{Action, CommandEntrance, Declaration, Description, Done, EffectClass, Grant};

/// Lifts a ban.
pub struct Unban(pub(super) Arc<ModerationDesk>);

/// Whose ban is lifted.
#[derive(Deserialize, JsonSchema)]
pub struct UnbanArguments {
    /// Who: an id, a mention, or the exact name.
    user: PersonArgument,
    /// Why, in a few words.
    #[schemars(length(max = 400))]
    reason: Option<String>,
    /// The one case whose ban is lifted. It comes with Undo, which takes back
    /// no ban but its own.
    #[serde(default)]
    #[schemars(skip)]
    case: Option<u32>,
}

impl Action for Unban {
    type Arguments = UnbanArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            class: EffectClass::Changes,
            ..declaration(
                "unban",
                "Lifts the ban of somebody, who may then join the server again.",
                CommandEntrance {
                    completes: Some("user"),
                    ..CommandEntrance::public("unban")
                },
                Rights::BAN_MEMBERS,
            )
        }
    }

    /// Discord would propose members, and whoever is banned is none.
    fn complete<'a>(
        &'a self,
        scope: Scope,
        _: UserId,
        typed: &'a str,
    ) -> Pending<'a, Vec<OptionChoice>> {
        Box::pin(async move {
            let Scope::Guild(guild) = scope else {
                return Vec::new();
            };
            let bans = self.0.moderation.bans(guild, None, BAN_PAGE).await;
            let typed = typed.trim().trim_start_matches('@').to_lowercase();
            bans.unwrap_or_default()
                .into_iter()
                .map(|ban| OptionChoice {
                    name: format!("{} ({})", ban.name, ban.user),
                    value: ban.user.to_string(),
                })
                .filter(|it| it.name.to_lowercase().contains(&typed))
                .take(CHOICES)
                .collect()
        })
    }

    fn describe<'a>(
        &'a self,
        turn: &'a Turn,
        arguments: &'a UnbanArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            let found = self.banned(guild_of(turn)?, &arguments.user).await?;
            let (id, name) = match (found, &arguments.user) {
                (Some(found), _) => (found.id, plain(&found.name)),
                (None, PersonArgument::Id(id)) => (*id, id.to_string()),
                (None, PersonArgument::Name(_)) => {
                    return Err(ToolError::BadArguments {
                        problem: "user: nobody of that name is banned".to_owned(),
                    });
                }
            };
            let phrase = Phrase::new("describe-unban")
                .with("name", name)
                .with("id", id.to_string());
            Ok(Some(
                Description::new(phrase).settling("user", id.to_string()),
            ))
        })
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        arguments: UnbanArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(self.unban(grant, arguments))
    }
}

impl Unban {
    /// Somebody who is banned, by id or name.
    async fn banned(
        &self,
        guild: GuildId,
        person: &PersonArgument,
    ) -> Result<Option<FoundPerson>, ToolError> {
        let moderation = &self.0.moderation;
        let found = match person {
            PersonArgument::Id(id) => moderation.ban_of(guild, *id).await.map_err(refused)?,
            PersonArgument::Name(name) => {
                let bans = moderation.bans(guild, None, BAN_PAGE).await;
                let wanted = name.to_lowercase();
                let mut bans = bans.map_err(refused)?;
                bans.retain(|ban| ban.name.to_lowercase() == wanted);
                if bans.len() > 1 {
                    return Err(ToolError::BadArguments {
                        problem: "user: several people of that name are banned; give the id"
                            .to_owned(),
                    });
                }
                bans.pop()
            }
        };
        Ok(found.map(|ban| FoundPerson {
            id: ban.user,
            name: ban.name,
            is_member: false,
        }))
    }

    /// Until when somebody stays banned without the ban of a case; `None` if
    /// nothing else keeps them away.
    async fn banned_otherwise(
        &self,
        scope: Scope,
        user: UserId,
        case: u32,
    ) -> Result<Option<BanEnd>, ToolError> {
        let open = self.0.cases.open_bans(scope).await.map_err(not_written)?;
        let now = self.0.clock.now();
        let others = open
            .iter()
            .filter(|it| it.number != case && it.until.is_none_or(|until| until > now));
        Ok(BanRegister::new(others).end_of(user))
    }

    async fn unban(&self, grant: Grant<'_>, arguments: UnbanArguments) -> Result<Done, ToolError> {
        let (desk, turn) = (&self.0, grant.turn());
        let guild = guild_of(turn)?;
        let Some(found) = self.banned(guild, &arguments.user).await? else {
            if let PersonArgument::Id(user) = arguments.user {
                // Somebody lifted it elsewhere.
                let now = desk.clock.now();
                let lifted = desk.cases.lift_bans(turn.scope, user, now);
                lifted.await.map_err(not_written)?;
            }
            return Ok(Done::new("they are not banned").showing(Phrase::new("unban-nothing")));
        };
        let (user, name) = (found.id, plain(&found.name));
        if let Some(number) = arguments.case
            && let Some(end) = self.banned_otherwise(turn.scope, user, number).await?
        {
            let now = desk.clock.now();
            let lifted = desk
                .cases
                .settle_case(turn.scope, number, CaseState::Lifted, now);
            lifted.await.map_err(not_written)?;
            let until = match end {
                BanEnd::At(at) => shown_time(at),
                BanEnd::Never => "–".to_owned(),
            };
            let told = format!("case {number} is lifted; {name} ({user}) is banned until {until}");
            let shown = Phrase::new("unban-case-done")
                .with("number", usize::try_from(number).unwrap_or_default())
                .with("name", name)
                .with("id", user.to_string())
                .with("until", until);
            return Ok(Done::new(told).showing(shown));
        }
        let reason = one_line(arguments.reason.as_deref());
        // Whoever is banned is nobody's equal: no roles, no standing.
        let target = ModerationTarget(found);
        let case = desk
            .open(turn, CaseKind::Unban, &target, &reason, None)
            .await?;
        let outcome = desk
            .moderation
            .unban(guild, user, &case.audit_reason())
            .await;
        desk.settle(&case, outcome).await?;
        let lifted = desk.cases.lift_bans(turn.scope, user, desk.clock.now());
        lifted.await.map_err(not_written)?;
        Ok(
            Done::new(format!("the ban of {name} ({user}) is lifted")).showing(
                Phrase::new("unban-done")
                    .with("name", name)
                    .with("id", user.to_string()),
            ),
        )
    }
}
