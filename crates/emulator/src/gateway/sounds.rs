//! REQUEST SOUNDBOARD SOUNDS.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    connection::{Close, Connection, ConnectionEnd},
    identify::Id,
};
use crate::{limits, snowflake::Snowflake, wire};

#[derive(Deserialize)]
struct RequestSounds {
    guild_ids: Vec<Id>,
}

impl Connection {
    pub(super) fn request_sounds(&mut self, payload: Value) -> Result<(), ConnectionEnd> {
        let ask: RequestSounds =
            serde_json::from_value(payload).map_err(|_| Close::DECODE_ERROR)?;
        let mut state = self.emulator.state();
        let id = self.attached.as_ref().map(|attached| &attached.session);
        let session = id.and_then(|id| state.sessions.get_mut(id));
        let Some(subscription) = session.map(|session| session.subscription.clone()) else {
            return Ok(());
        };
        let asked: Vec<Snowflake> = ask
            .guild_ids
            .iter()
            .take(limits::REQUESTED_GUILDS)
            .filter_map(Id::parse)
            .collect();
        let realm = &state.realm;
        let answers: Vec<Value> = realm
            .guilds_of(subscription.person)
            .filter(|guild| asked.contains(&guild.id) && subscription.serves(Some(guild.id)))
            .map(|guild| {
                let sounds = guild.community.sounds.iter();
                let sounds: Vec<Value> = sounds.map(|it| wire::sound(realm, guild, it)).collect();
                json!({ "guild_id": guild.id, "soundboard_sounds": sounds })
            })
            .collect();
        let Some(session) = id.and_then(|id| state.sessions.get_mut(id)) else {
            return Ok(());
        };
        for answer in answers {
            session.push("SOUNDBOARD_SOUNDS", &answer);
        }
        Ok(())
    }
}
