//! `cases`: what was done to members lately.

use std::sync::Arc;

use kaiwa_domain::port::Pending;
use kaiwa_domain::{Case, CaseKind, CaseState, Rights, ToolError, Turn};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{ModerationDesk, PersonArgument, declaration, guild_of, not_written, shown_time};
use crate::listing::{LIST_UTF16, cut};
use crate::phrase::{Phrase, plain};
use crate::{Action, CommandEntrance, Declaration, Description, Done, EffectClass, Grant};

/// How many cases are shown, if they fit into a message.
const SHOWN: u16 = 12;

/// Lists cases.
pub struct Cases(pub(super) Arc<ModerationDesk>);

/// Whose cases.
#[derive(Deserialize, JsonSchema)]
pub struct CasesArguments {
    /// Whose: an id, a mention, or the exact name. Everybody's, if left out.
    user: Option<PersonArgument>,
}

impl Action for Cases {
    type Arguments = CasesArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            class: EffectClass::ReadsPrivate,
            bot_needs: Rights::NONE,
            ..declaration(
                "cases",
                "Lists the last cases of the server or of a member: warnings, timeouts, kicks, bans.",
                CommandEntrance::private("cases"),
                Rights::MODERATE_MEMBERS,
            )
        }
    }

    fn describe<'a>(
        &'a self,
        turn: &'a Turn,
        arguments: &'a CasesArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            let Some(person) = &arguments.user else {
                return Ok(Some(Description::new(Phrase::new("describe-cases"))));
            };
            let found = self.0.find(guild_of(turn)?, person).await?;
            let phrase = Phrase::new("describe-cases-user")
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
        CasesArguments { user }: CasesArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let (desk, turn) = (&self.0, grant.turn());
            let user = match user {
                Some(person) => Some(desk.find(guild_of(turn)?, &person).await?.id),
                None => None,
            };
            let cases = desk.cases.cases(turn.scope, user, SHOWN).await;
            let cases = cases.map_err(not_written)?;
            if cases.is_empty() {
                return Ok(Done::new("there are no cases").showing(Phrase::new("cases-none")));
            }
            let lines: Vec<String> = cases
                .iter()
                .map(|case| {
                    let kind = Phrase::new(kind_phrase(case.kind)).text(grant.locale());
                    line(case, &kind)
                })
                .collect();
            let shown = Phrase::new("cases-done").with("lines", cut(&lines, LIST_UTF16).0);
            let mut moderators = cases.iter().map(|it| it.moderator);
            let others = moderators.any(|it| it != Some(turn.asker));
            let told = lines.join("\n");
            Ok(Done::new(told).showing(shown).quoting_others(others))
        })
    }
}

fn line(case: &Case, kind: &str) -> String {
    let until = case.until.map(|at| format!(" → {}", shown_time(at)));
    let until = until.unwrap_or_default();
    let mark = match case.state {
        CaseState::Done => "",
        CaseState::Asked => " (?)",
        CaseState::Lifted => " (✓)",
        CaseState::Refused => " (✗)",
    };
    let reason: String = case.reason.chars().take(80).collect();
    let reason = plain(&reason);
    let Case { number, user, .. } = case;
    format!("{number}. {kind}{mark} <@{user}> ({user}){until}: {reason}")
}

const fn kind_phrase(kind: CaseKind) -> &'static str {
    match kind {
        CaseKind::Warning => "case-warning",
        CaseKind::Timeout => "case-timeout",
        CaseKind::Kick => "case-kick",
        CaseKind::Ban => "case-ban",
        CaseKind::Unban => "case-unban",
    }
}
