//! `ban_list`: who is banned, and until when.

use std::sync::Arc;

use kaiwa_domain::port::{BannedUser, Pending};
use kaiwa_domain::{BanEnd, BanRegister, Rights, ToolError, Turn, UserId};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    ModerationDesk, PersonArgument, declaration, guild_of, not_written, refused, shown_time,
};
use crate::listing::{LIST_UTF16, fitting};
use crate::phrase::{Phrase, plain};
use crate::{Action, CommandEntrance, Declaration, Description, Done, EffectClass, Grant};

/// How many bans are shown at once, if they fit into a message.
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

    fn describe<'a>(
        &'a self,
        _: &'a Turn,
        _: &'a BanListArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move { Ok(Some(Description::new(Phrase::new("describe-ban-list")))) })
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
        let mut more = bans.len() > usize::from(PAGE);
        bans.truncate(PAGE.into());
        if bans.is_empty() {
            return Ok(Done::new("nobody is banned").showing(Phrase::new("banlist-nobody")));
        }
        let mut lines: Vec<String> = bans.iter().map(|ban| line(ban, &register)).collect();
        let (fits, _) = fitting(&lines, LIST_UTF16);
        more |= fits < lines.len();
        lines.truncate(fits);
        if more && let Some(last) = bans[..fits].last() {
            lines.push(format!("… /banlist after:{}", last.user));
        }
        let lines = lines.join("\n");
        let shown = Phrase::new("banlist-done").with("lines", lines.clone());
        // Names and reasons are whoever wrote them.
        Ok(Done::new(lines).showing(shown).quoting_others(true))
    }
}

fn line(ban: &BannedUser, register: &BanRegister) -> String {
    let until = match register.end_of(ban.user) {
        Some(BanEnd::At(at)) => format!(" → {}", shown_time(at)),
        Some(BanEnd::Never) | None => String::new(),
    };
    let reason: String = ban.reason.chars().take(60).collect();
    let (name, reason) = (plain(&ban.name), plain(&reason));
    format!("{name} ({}){until} {reason}", ban.user)
}
