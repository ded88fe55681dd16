//! Guilds as REST tells them. A session that another process began and this one
//! resumes brings none.

use kaiwa_domain::{ChatError, GuildId, GuildSnapshot, Me};
use serde_json::{Map, Value, json};

use super::Rest;
use super::route::Route;
use crate::translate::RawGuild;

impl Rest {
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
