//! `nuke`: many messages go at once.
//!
//! Only what was said before the request goes, so that the request, its
//! confirmation and its answer stay. What is older than Discord deletes at once
//! is left alone, and what is counted is what was there and went.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::limits::{BULK_DELETE_AGE, HISTORY_PAGE};
use kaiwa_domain::port::{History, Pending};
use kaiwa_domain::{MessageId, Rights, Settlement, ToolError, Turn, UserId};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{ModerationDesk, PersonArgument, declaration, guild_of, refused};
use crate::phrase::{Phrase, plain};
use crate::{Action, CommandEntrance, Declaration, Description, Done, Grant, Needs};

/// How many messages are looked through for those of one person.
const LOOKED_THROUGH: usize = 500;

/// Messages become too old while we look at them.
const MARGIN: Duration = Duration::from_secs(60);

/// Deletes many messages.
pub struct Nuke(pub(super) Arc<ModerationDesk>);

/// How many messages go, and whose.
#[derive(Deserialize, JsonSchema)]
pub struct NukeArguments {
    /// How many of the last messages in this channel.
    #[schemars(range(min = 1, max = 100))]
    count: NukeCount,
    /// Only those of this person: an id, a mention, or the exact name.
    user: Option<PersonArgument>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "u8")]
struct NukeCount(u8);

impl TryFrom<u8> for NukeCount {
    type Error = &'static str;

    fn try_from(count: u8) -> Result<Self, Self::Error> {
        match (1..=100).contains(&count) {
            true => Ok(Self(count)),
            false => Err("count is a number from 1 to 100"),
        }
    }
}

impl Action for Nuke {
    type Arguments = NukeArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            alone: true,
            // The newest that are there now are not those that were there then.
            settlement: Settlement::AtMostOnce,
            ..declaration(
                "nuke",
                "Deletes the last messages of this channel, everybody's or one person's. They are \
                 gone for good. Use it only when somebody asks for exactly this.",
                CommandEntrance::private("nuke"),
                Rights::MANAGE_MESSAGES,
            )
        }
    }

    /// What cannot be read cannot be chosen.
    fn further_needs(&self, _: &NukeArguments) -> Needs {
        let reads = Rights::VIEW_CHANNEL.with(Rights::READ_MESSAGE_HISTORY);
        Needs {
            asker: reads,
            bot: reads,
        }
    }

    fn describe<'a>(
        &'a self,
        turn: &'a Turn,
        arguments: &'a NukeArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            let count = usize::from(arguments.count.0);
            let Some(person) = &arguments.user else {
                let phrase = Phrase::new("describe-nuke").with("count", count);
                return Ok(Some(Description::new(phrase)));
            };
            let found = self.0.find(guild_of(turn)?, person).await?;
            let phrase = Phrase::new("describe-nuke-user")
                .with("count", count)
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
        NukeArguments { count, user }: NukeArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let (desk, turn) = (&self.0, grant.turn());
            let user = match user {
                Some(person) => Some(desk.find(guild_of(turn)?, &person).await?.id),
                None => None,
            };
            let chosen = self.choose(&grant, usize::from(count.0), user).await?;
            let reason = format!("Kaiwa, asked by {}", turn.asker);
            if !chosen.is_empty() {
                let deleted = desk
                    .moderation
                    .delete_messages(turn.channel, &chosen, &reason);
                deleted.await.map_err(refused)?;
            }
            let count = chosen.len();
            let shown = Phrase::new("nuke-done").with("count", count);
            Ok(Done::new(format!("{count} messages were deleted")).showing(shown))
        })
    }
}

impl Nuke {
    /// The newest messages before the request that can be deleted.
    async fn choose(
        &self,
        grant: &Grant<'_>,
        count: usize,
        user: Option<UserId>,
    ) -> Result<Vec<MessageId>, ToolError> {
        let (desk, turn) = (&self.0, grant.turn());
        let now = desk.clock.now();
        let young = |id: MessageId| now.since(id.created_at()) + MARGIN < BULK_DELETE_AGE;
        let mut point = MessageId::new(grant.asked().trigger.number());
        let (mut chosen, mut looked) = (Vec::new(), 0);
        while chosen.len() < count && looked < LOOKED_THROUGH {
            let page = desk.chat.history(
                turn.scope,
                turn.channel,
                History::Before(point),
                HISTORY_PAGE,
            );
            let page = page.await.map_err(refused)?;
            let Some(oldest) = page.first().map(|message| message.id) else {
                break;
            };
            looked += page.len();
            point = oldest;
            let fits = page.iter().rev().filter(|message| {
                young(message.id) && user.is_none_or(|user| message.author.id == user)
            });
            chosen.extend(fits.map(|message| message.id));
            if !young(oldest) {
                break;
            }
        }
        chosen.truncate(count);
        Ok(chosen)
    }
}
