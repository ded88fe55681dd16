//! Emoji and stickers.

use serde::Serialize;
use serde_json::{Value, json};

use super::User;
use crate::{
    realm::{self, Realm},
    snowflake::Snowflake,
};

/// An emoji of a guild. Discord Docs/Emoji.
#[derive(Serialize)]
pub(crate) struct Emoji {
    id: Snowflake,
    name: String,
    roles: Vec<Snowflake>,
    require_colons: bool,
    managed: bool,
    animated: bool,
    available: bool,
}

impl From<&realm::CustomEmoji> for Emoji {
    fn from(emoji: &realm::CustomEmoji) -> Self {
        Self {
            id: emoji.id,
            name: emoji.name.clone(),
            roles: emoji.roles.clone(),
            require_colons: true,
            managed: false,
            animated: emoji.animated,
            available: true,
        }
    }
}

/// An emoji with who made it.
pub(crate) fn emoji_with_creator(realm: &Realm, emoji: &realm::CustomEmoji) -> Value {
    let mut shown = json!(Emoji::from(emoji));
    let creator = emoji.creator.and_then(|id| realm.person(id));
    if let Some(creator) = creator {
        shown["user"] = json!(User::from(creator));
    }
    shown
}

/// A sticker of a guild. Discord Docs/Sticker.
#[derive(Serialize)]
pub(crate) struct Sticker {
    id: Snowflake,
    name: String,
    description: Option<String>,
    tags: String,
    #[serde(rename = "type")]
    kind: u8,
    format_type: u8,
    available: bool,
    guild_id: Snowflake,
}

impl Sticker {
    pub(crate) fn new(guild: &realm::Guild, sticker: &realm::Sticker) -> Self {
        Self {
            id: sticker.id,
            name: sticker.name.clone(),
            description: sticker.description.clone(),
            tags: sticker.tags.clone(),
            kind: 2,
            format_type: sticker.format,
            available: true,
            guild_id: guild.id,
        }
    }
}
