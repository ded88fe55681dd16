//! `ban_list`: who is banned, and until when.

use std::fmt::Write as _;
use std::sync::Arc;

use kaiwa_domain::port::Pending;
use kaiwa_domain::{BanEnd, BanRegister, Rights, ToolError, UserId};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    ModerationDesk, PersonArgument, declaration, guild_of, not_written, refused, shown_name,
    shown_time,
};
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, EffectClass, Grant};

/// How many bans are shown at once: a line each fits into a message.
const PAGE: u16 = 15;

/// Lists bans.
pub struct BanList(pub(super) Arc<ModerationDesk>);

/// Which part of the list.
#[derive(Deserialize, JsonSchema)]
pub struct BanListArguments {
    /// The id of the last person on the page before.
    after: Option<PersonArgument>,
}

impl Action for BanList {
    type Arguments = BanListArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            class: EffectClass::ReadsPrivate,
            ..declaration(
                "ban_list",
                "Lists who is banned from the server, why, and until when.",
                CommandEntrance::private("banlist"),
                Rights::BAN_MEMBERS,
            )
        }
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        arguments: BanListArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let after = match arguments.after {
                Some(PersonArgument::Id(id)) => Some(id),
                _ => None,
            };
            self.list(grant, after).await
        })
    }
}

impl BanList {
    async fn list(&self, grant: Grant<'_>, after: Option<UserId>) -> Result<Done, ToolError> {
        let (desk, turn) = (&self.0, grant.turn());
        let bans = desk.moderation.bans(guild_of(turn)?, after, PAGE + 1).await;
        let mut bans = bans.map_err(refused)?;
        let open = desk
            .cases
            .open_bans(turn.scope)
            .await
            .map_err(not_written)?;
        let register = BanRegister::new(&open);
        let more = bans.len() > usize::from(PAGE);
        bans.truncate(PAGE.into());
        if bans.is_empty() {
            return Ok(Done::new("nobody is banned").showing(Phrase::new("banlist-nobody")));
        }
        let mut lines = String::new();
        for ban in &bans {
            let until = match register.end_of(ban.user) {
                Some(BanEnd::At(at)) => format!(" → {}", shown_time(at)),
                Some(BanEnd::Never) | None => String::new(),
            };
            let reason: String = shown_name(&ban.reason).chars().take(60).collect();
            let name = shown_name(&ban.name);
            let _ = writeln!(lines, "{name} ({}){until} {reason}", ban.user);
        }
        if more && let Some(last) = bans.last() {
            let _ = writeln!(lines, "… /banlist after:{}", last.user);
        }
        let lines = lines.trim_end().to_owned();
        let shown = Phrase::new("banlist-done").with("lines", lines.clone());
        // Names and reasons are whoever wrote them.
        Ok(Done::new(lines).showing(shown).quoting_others(true))
    }
}
