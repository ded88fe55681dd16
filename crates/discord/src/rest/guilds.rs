//! Guilds as REST tells them. A session that another process began and this one
//! resumes brings none.

use kaiwa_domain::{ChatError, GuildId, GuildSnapshot, Me};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use twilight_model::guild::Permissions;
use twilight_model::id::Id;
use twilight_model::id::marker::GuildMarker;

use super::Rest;
use super::route::Route;
use crate::permission::{Need, missing};
use crate::translate::RawGuild;

/// How many guilds Discord tells at a time.
///
/// See [Discord Docs/User](https://docs.discord.com/developers/resources/user#get-current-user-guilds).
const PAGE: u16 = 200;

/// How many pages are read: more guilds than any bot is in.
const PAGES: usize = 5_000;

/// A guild we are in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Membership {
    /// Which guild.
    pub guild: GuildId,
    /// Its name.
    pub name: String,
    /// What we may not do there, guild-wide.
    pub missing: Vec<Need>,
}

impl Rest {
    /// All the guilds we are in, and what we may not do there. A list that
    /// cannot be read to its end is an error.
    pub async fn guilds(&self) -> Result<Vec<Membership>, ChatError> {
        #[derive(Deserialize)]
        struct Raw {
            id: Id<GuildMarker>,
            name: String,
            permissions: Permissions,
        }
        let mut all: Vec<Membership> = Vec::new();
        let mut after = None;
        for _ in 0..PAGES {
            let limit = PAGE;
            let page: Vec<Raw> = self.get(Route::Guilds { after, limit }).await?;
            let is_last = page.len() < usize::from(PAGE);
            all.extend(page.into_iter().map(|raw| Membership {
                guild: GuildId::new(raw.id.get()),
                name: raw.name,
                missing: missing(raw.permissions.bits()),
            }));
            if is_last {
                return Ok(all);
            }
            after = all.iter().map(|it| it.guild).max();
        }
        Err(ChatError::Unknown {
            reason: "the list of our guilds has no end".to_owned(),
        })
    }

    /// A guild as the gateway would tell of it, from which rights are known too.
    pub(super) async fn read_guild(
        &self,
        guild: GuildId,
        me: &Me,
    ) -> Result<GuildSnapshot, ChatError> {
        let mut told: Map<String, Value> = self.get(Route::Guild(guild)).await?;
        let channels: Value = self.get(Route::Channels(guild)).await?;
        let mut active: Value = self.get(Route::ActiveThreads(guild)).await?;
        let user = me.id;
        let own: Value = self.get(Route::Member { guild, user }).await?;
        told.insert("channels".to_owned(), channels);
        if let Some(threads) = active.get_mut("threads") {
            told.insert("threads".to_owned(), threads.take());
        }
        told.insert("members".to_owned(), json!([own]));
        let event = json!({ "t": "GUILD_CREATE", "d": told });
        let (known, text) = (&self.wire.known, event.to_string());
        known.note_unless_known(guild, &text, me, self.wire.now());
        let raw: RawGuild =
            serde_json::from_value(Value::Object(told)).map_err(|error| ChatError::Unknown {
                reason: error.to_string(),
            })?;
        Ok(raw.snapshot(me, false))
    }
}
