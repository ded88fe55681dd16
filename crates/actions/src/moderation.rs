//! What moderators do to members and channels.
//!
//! Whoever is to be banned, kicked or timed out is looked up when it is about
//! to happen, and nobody becomes a [`ModerationTarget`] who is not below the asker and
//! below us: owner, asker and bot are never one. What is done is a
//! [`Case`] before it is done, and settled by what Discord says.

mod ban_list;
mod cases;
mod kick;
mod nuke;
mod slowmode;
mod tempban;
#[cfg(test)]
mod tests;
mod timeout;
mod unban;
mod warn;

pub use ban_list::BanList;
pub use cases::Cases;
pub use kick::Kick;
pub use nuke::Nuke;
pub use slowmode::Slowmode;
pub use tempban::TempBan;
pub use timeout::TimeOut;
pub use unban::Unban;
pub use warn::Warn;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{CaseBook, Chat, Clock, Moderation, OnWire, Permissions};
use kaiwa_domain::{
    Case, CaseKind, CaseState, ChatError, Effect, EffectBody, EffectState, GuildId, NewCase,
    Outgoing, Pings, REASON_CHARS, RateClass, Rights, RightsHolder, Scope, Standing, StoreError,
    Timestamp, ToolError, Turn, UserId,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use crate::command::USER_FORMAT;
use crate::phrase::Phrase;
use crate::{Availability, CommandEntrance, Declaration, EffectClass, Registry};

/// How long one of these may take: several requests, each of which may wait
/// for Discord's limits.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The longest name that anybody has.
const NAME_CHARS: usize = 64;

/// Discord's words for "you may not", see
/// [JSON Error Codes](https://docs.discord.com/developers/topics/opcodes-and-status-codes#json).
const MISSING_ACCESS: u32 = 50001;
const MISSING_PERMISSIONS: u32 = 50013;

/// The indices of direct messages that go with actions, the first of so many.
/// No effect of a turn has them.
const NEWS: u16 = 64_000;
const NEWS_INDICES: u64 = 1_500;

/// Discord takes two messages of ours with one nonce for the same, whoever they
/// are for: each person has an index, and so a nonce.
fn news_index(user: UserId) -> u16 {
    // The number of milliseconds and that within one, which differ.
    let number = user.get() ^ user.get() >> 22;
    NEWS + u16::try_from(number % NEWS_INDICES).unwrap_or_default()
}

/// What the actions of moderators work with.
#[derive(Clone)]
pub struct ModerationDesk {
    /// Discord, as moderators use it.
    pub moderation: Arc<dyn Moderation>,
    /// Who may do what to whom.
    pub permissions: Arc<dyn Permissions>,
    /// Where it is written down.
    pub cases: Arc<dyn CaseBook>,
    /// Where people are told.
    pub chat: Arc<dyn Chat>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Who we are.
    pub bot: UserId,
}

impl ModerationDesk {
    /// All of the actions.
    pub fn registry(&self) -> Registry {
        let desk = Arc::new(self.clone());
        Registry::new()
            .with(TempBan(desk.clone()))
            .with(Unban(desk.clone()))
            .with(BanList(desk.clone()))
            .with(TimeOut(desk.clone()))
            .with(Kick(desk.clone()))
            .with(Warn(desk.clone()))
            .with(Cases(desk.clone()))
            .with(Nuke(desk.clone()))
            .with(Slowmode(desk))
    }
}

/// What every one of these declares.
const fn declaration(
    name: &'static str,
    summary: &'static str,
    command: CommandEntrance,
    needs: Rights,
) -> Declaration {
    Declaration {
        command: Some(command),
        place: Availability::Guild,
        asker_needs: needs,
        bot_needs: needs,
        rate: Some(RateClass::Moderation),
        class: EffectClass::Dangerous,
        timeout: TIMEOUT,
        ..Declaration::reading(name, summary)
    }
}

/// Somebody, as people and models name them.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
enum PersonArgument {
    Id(UserId),
    Name(String),
}

impl TryFrom<String> for PersonArgument {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let text = text.trim();
        let tag = text.strip_prefix("<@").and_then(|it| it.strip_suffix('>'));
        let id = tag.map_or(text, |tag| tag.strip_prefix('!').unwrap_or(tag));
        // Snowflakes have had 17 digits since Discord began, and have at most 20.
        let is_id = (15..=20).contains(&id.len()) && id.bytes().all(|it| it.is_ascii_digit());
        if is_id && let Ok(id) = id.parse() {
            return Ok(Self::Id(id));
        }
        let name = text.strip_prefix('@').unwrap_or(text).trim();
        match (1..=NAME_CHARS).contains(&name.chars().count()) {
            true => Ok(Self::Name(name.to_owned())),
            false => Err("that names nobody"),
        }
    }
}

impl JsonSchema for PersonArgument {
    fn schema_name() -> Cow<'static, str> {
        "PersonArgument".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "format": USER_FORMAT})
    }
}

/// Somebody who was found.
#[derive(Clone, PartialEq, Eq, Debug)]
struct FoundPerson {
    id: UserId,
    name: String,
    /// Whether they are in the guild.
    is_member: bool,
}

/// Somebody whom the asker and we may act on. [`ModerationDesk::target`] is the
/// only way to one.
struct ModerationTarget(FoundPerson);

impl ModerationDesk {
    /// Finds somebody by id or name, in the guild or, by id, anywhere.
    async fn find(
        &self,
        guild: GuildId,
        person: &PersonArgument,
    ) -> Result<FoundPerson, ToolError> {
        let unknown = || ToolError::BadArguments {
            problem: "user: there is nobody of that name here".to_owned(),
        };
        match person {
            PersonArgument::Id(id) => {
                if let Some(member) = self.moderation.member(guild, *id).await.map_err(refused)? {
                    return Ok(FoundPerson {
                        id: *id,
                        name: member.name,
                        is_member: true,
                    });
                }
                let name = self.moderation.user_name(*id).await.map_err(refused)?;
                Ok(FoundPerson {
                    id: *id,
                    name: name.ok_or_else(unknown)?,
                    is_member: false,
                })
            }
            PersonArgument::Name(name) => {
                let found = self.moderation.members_named(guild, name).await;
                let wanted = name.to_lowercase();
                let mut found = found.map_err(refused)?;
                found.retain(|member| member.name.to_lowercase() == wanted);
                let mut found = found.into_iter();
                match (found.next(), found.next()) {
                    (Some(member), None) => Ok(FoundPerson {
                        id: member.id,
                        name: member.name,
                        is_member: true,
                    }),
                    (None, _) => Err(unknown()),
                    (Some(_), Some(_)) => Err(ToolError::BadArguments {
                        problem: "user: several people here have that name; give the id".to_owned(),
                    }),
                }
            }
        }
    }

    /// Somebody whom the asker and we may act on now.
    async fn target(
        &self,
        turn: &Turn,
        person: &PersonArgument,
    ) -> Result<ModerationTarget, ToolError> {
        let guild = guild_of(turn)?;
        let found = self.find(guild, person).await?;
        for (who, actor) in [
            (RightsHolder::Bot, self.bot),
            (RightsHolder::Asker, turn.asker),
        ] {
            let standing = self.permissions.standing(guild, actor, found.id).await;
            match standing.map_err(refused)? {
                Standing::Above | Standing::Absent => {}
                standing => return Err(ToolError::Protected { who, standing }),
            }
        }
        Ok(ModerationTarget(found))
    }

    /// The same, of somebody who is in the guild.
    async fn present_target(
        &self,
        turn: &Turn,
        person: &PersonArgument,
    ) -> Result<ModerationTarget, ToolError> {
        let target = self.target(turn, person).await?;
        match target.0.is_member {
            true => Ok(target),
            false => Err(absent()),
        }
    }

    /// Writes down what is about to be done.
    async fn open(
        &self,
        turn: &Turn,
        kind: CaseKind,
        target: &ModerationTarget,
        reason: &str,
        until: Option<Timestamp>,
    ) -> Result<Case, ToolError> {
        let case = NewCase {
            scope: turn.scope,
            turn: turn.id,
            kind,
            user: target.0.id,
            moderator: turn.asker,
            reason: reason.to_owned(),
            at: self.clock.now(),
            until,
        };
        self.cases.open_case(&case).await.map_err(not_written)
    }

    /// Writes down what Discord said to a case.
    async fn settle<T>(&self, case: &Case, outcome: Result<T, ChatError>) -> Result<T, ToolError> {
        let state = match &outcome {
            Ok(_) => CaseState::Done,
            Err(ChatError::Refused { .. }) => CaseState::Refused,
            // It may have happened.
            Err(_) => return outcome.map_err(refused),
        };
        let now = self.clock.now();
        let settled = self.cases.settle_case(case.scope, case.number, state, now);
        settled.await.map_err(not_written)?;
        outcome.map_err(refused)
    }

    /// Tells somebody in private what happens to them, where that is possible.
    async fn tell(&self, turn: &Turn, target: &ModerationTarget, text: String) {
        let told = async {
            let channel = self.moderation.direct_channel(target.0.id).await?;
            let news = Effect {
                turn: turn.id,
                index: news_index(target.0.id),
                scope: turn.scope,
                channel,
                persona: turn.persona,
                identity: None,
                body: EffectBody::Say {
                    outgoing: Outgoing::Say(text),
                    reply_to: None,
                },
                state: EffectState::Queued,
                queued_at: self.clock.now(),
                pings: Pings::default(),
            };
            self.chat.post(&news, &OnWire::new()).await
        };
        if let Err(error) = told.await {
            tracing::info!(turn = %turn.id, %error, "somebody was not told in private");
        }
    }

    /// What a guild is called.
    async fn guild_name(&self, guild: GuildId) -> String {
        let name = self.moderation.guild_name(guild).await;
        name.unwrap_or_else(|_| "a server".to_owned())
    }

    /// The moment so long from now.
    fn after(&self, duration: Duration) -> Timestamp {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Timestamp::from_millis(self.clock.now().as_millis().saturating_add(millis))
    }
}

fn guild_of(turn: &Turn) -> Result<GuildId, ToolError> {
    match turn.scope {
        Scope::Guild(guild) => Ok(guild),
        Scope::Dm(_) => Err(ToolError::Denied {
            reason: "there is no server here".to_owned(),
        }),
    }
}

const fn absent() -> ToolError {
    ToolError::Protected {
        who: RightsHolder::Asker,
        standing: Standing::Absent,
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "what `map_err` gives is taken"
)]
fn not_written(error: StoreError) -> ToolError {
    ToolError::Failed {
        reason: error.to_string(),
    }
}

/// What Discord's no amounts to.
fn refused(error: ChatError) -> ToolError {
    match error {
        ChatError::Refused {
            code: MISSING_ACCESS | MISSING_PERMISSIONS,
            message,
            ..
        } => ToolError::Denied { reason: message },
        error => ToolError::Failed {
            reason: error.to_string(),
        },
    }
}

/// A reason as it stands in a case: one line, not too long.
fn one_line(reason: Option<&str>) -> String {
    let words = reason.unwrap_or_default().split_whitespace();
    let line = words.collect::<Vec<_>>().join(" ");
    let line: String = line.chars().filter(|c| !c.is_control()).collect();
    match line.is_empty() {
        true => "no reason given".to_owned(),
        false => line.chars().take(REASON_CHARS).collect(),
    }
}

/// A moment as Discord shows it to everybody in their own time.
fn shown_time(at: Timestamp) -> String {
    format!("<t:{}:f>", at.as_millis().div_euclid(1000))
}

/// Why somebody cannot be acted on.
pub(crate) fn explain_standing(who: RightsHolder, standing: Standing) -> Phrase {
    match (who, standing) {
        (RightsHolder::Asker, Standing::Oneself) => Phrase::new("protected-self"),
        (RightsHolder::Bot, Standing::Oneself) => Phrase::new("protected-bot"),
        (_, Standing::Owner) => Phrase::new("protected-owner"),
        (_, Standing::Absent) => Phrase::new("protected-absent"),
        (RightsHolder::Asker, Standing::NotAbove | Standing::Above) => {
            Phrase::new("protected-above-you")
        }
        (RightsHolder::Bot, Standing::NotAbove | Standing::Above) => {
            Phrase::new("protected-above-me")
        }
    }
}
