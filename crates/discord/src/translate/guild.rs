//! Guilds and channels.

use kaiwa_domain::{
    ChannelId, ChannelKind, ChannelSnapshot, EmojiId, Event, GuildEmoji, GuildId, GuildSnapshot,
    Me, MessageId, RoleId, Scope, UserId,
};
use serde::Deserialize;
use twilight_model::channel::ChannelType;
use twilight_model::id::Id;
use twilight_model::id::marker::{
    ChannelMarker, EmojiMarker, GuildMarker, MessageMarker, RoleMarker, UserMarker,
};

use super::up_to::UpTo;

/// How many of each a guild may have and be read.
///
/// See [Discord Docs/Guild](https://docs.discord.com/developers/resources/guild):
/// 500 channels, 1,000 active threads, 250 roles; with boosts 250 emoji of each
/// kind and 60 stickers.
const CHANNELS: usize = 500;
const THREADS: usize = 1000;
const ROLES: usize = 250;
const EMOJI: usize = 500;
const STICKERS: usize = 60;

/// A guild as GUILD_CREATE and GUILD_UPDATE write it.
#[derive(Deserialize)]
pub(crate) struct RawGuild {
    id: Id<GuildMarker>,
    #[serde(default)]
    name: String,
    #[serde(default)]
    channels: UpTo<CHANNELS, RawChannel>,
    #[serde(default)]
    threads: UpTo<THREADS, RawChannel>,
    #[serde(default)]
    roles: UpTo<ROLES, RawRole>,
    #[serde(default)]
    emojis: UpTo<EMOJI, RawEmoji>,
    #[serde(default)]
    stickers: UpTo<STICKERS, RawGuildSticker>,
}

/// A guild that READY says will come.
#[derive(Deserialize)]
pub(crate) struct RawMissingGuild {
    id: Id<GuildMarker>,
}

/// GUILD_DELETE.
#[derive(Deserialize)]
pub(crate) struct RawGuildGone {
    id: Id<GuildMarker>,
    /// It is there, and cannot be reached for a while.
    #[serde(default)]
    unavailable: bool,
}

/// GUILD_EMOJIS_UPDATE: all of them.
#[derive(Deserialize)]
pub(crate) struct RawEmojis {
    guild_id: Id<GuildMarker>,
    emojis: UpTo<EMOJI, RawEmoji>,
}

/// GUILD_STICKERS_UPDATE: all of them.
#[derive(Deserialize)]
pub(crate) struct RawStickers {
    guild_id: Id<GuildMarker>,
    stickers: UpTo<STICKERS, RawGuildSticker>,
}

#[derive(Deserialize)]
struct RawGuildSticker {
    name: String,
    #[serde(default = "yes")]
    available: bool,
}

#[derive(Deserialize)]
struct RawRole {
    id: Id<RoleMarker>,
    #[serde(default)]
    name: String,
    tags: Option<RawRoleTags>,
}

#[derive(Deserialize)]
struct RawRoleTags {
    bot_id: Option<Id<UserMarker>>,
}

#[derive(Deserialize)]
struct RawEmoji {
    id: Option<Id<EmojiMarker>>,
    name: Option<String>,
    #[serde(default)]
    animated: bool,
    #[serde(default = "yes")]
    available: bool,
    #[serde(default)]
    roles: Vec<Id<RoleMarker>>,
}

const fn yes() -> bool {
    true
}

/// A channel or thread.
#[derive(Deserialize)]
pub(crate) struct RawChannel {
    id: Id<ChannelMarker>,
    guild_id: Option<Id<GuildMarker>>,
    #[serde(rename = "type", default = "text")]
    kind: ChannelType,
    name: Option<String>,
    topic: Option<String>,
    parent_id: Option<Id<ChannelMarker>>,
    owner_id: Option<Id<UserMarker>>,
    last_message_id: Option<Id<MessageMarker>>,
}

const fn text() -> ChannelType {
    ChannelType::GuildText
}

impl RawMissingGuild {
    pub(crate) const fn id(&self) -> GuildId {
        GuildId::new(self.id.get())
    }
}

impl RawGuild {
    pub(crate) const fn id(&self) -> GuildId {
        GuildId::new(self.id.get())
    }

    /// What is known of it.
    pub(crate) fn snapshot(self, me: &Me, is_new_session: bool) -> GuildSnapshot {
        let guild = self.id;
        let channels = self.channels.0.into_iter().chain(self.threads.0);
        let ours = self.roles.0.iter().filter_map(|role| {
            let bot = role.tags.as_ref()?.bot_id?;
            let ours = me.is(UserId::new(bot.get()));
            ours.then(|| RoleId::new(role.id.get()))
        });
        let ours: Vec<RoleId> = ours.collect();
        GuildSnapshot {
            scope: Scope::Guild(GuildId::new(guild.get())),
            name: self.name,
            is_new_session,
            my_roles: ours,
            roles: self
                .roles
                .0
                .into_iter()
                .map(|role| (RoleId::new(role.id.get()), role.name))
                .collect(),
            emoji: usable_emoji(self.emojis),
            stickers: usable_stickers(self.stickers),
            channels: channels.map(RawChannel::snapshot).collect(),
        }
    }
}

impl RawGuildGone {
    pub(crate) fn event(self) -> Option<Event> {
        let scope = Scope::Guild(GuildId::new(self.id.get()));
        (!self.unavailable).then_some(Event::GuildGone { scope })
    }
}

impl RawEmojis {
    pub(crate) fn event(self) -> Event {
        Event::Emoji {
            scope: Scope::Guild(GuildId::new(self.guild_id.get())),
            emoji: usable_emoji(self.emojis),
        }
    }
}

impl RawStickers {
    pub(crate) fn event(self) -> Event {
        Event::Stickers {
            scope: Scope::Guild(GuildId::new(self.guild_id.get())),
            stickers: usable_stickers(self.stickers),
        }
    }
}

fn usable_emoji(raw: UpTo<EMOJI, RawEmoji>) -> Vec<GuildEmoji> {
    raw.0.into_iter().filter_map(emoji).collect()
}

fn usable_stickers(raw: UpTo<STICKERS, RawGuildSticker>) -> Vec<String> {
    let usable = raw.0.into_iter().filter(|sticker| sticker.available);
    usable.map(|sticker| sticker.name).collect()
}

/// An emoji that we may use: there, and not for certain roles only.
fn emoji(raw: RawEmoji) -> Option<GuildEmoji> {
    if !raw.available || !raw.roles.is_empty() {
        return None;
    }
    Some(GuildEmoji {
        id: EmojiId::new(raw.id?.get()),
        name: raw.name?,
        animated: raw.animated,
    })
}

impl RawChannel {
    /// The guild it belongs to and what is known of it; `None` outside guilds.
    pub(crate) fn in_guild(self) -> Option<(Scope, ChannelSnapshot)> {
        let guild = self.guild_id?;
        let scope = Scope::Guild(GuildId::new(guild.get()));
        Some((scope, self.snapshot()))
    }

    /// What is known of it.
    fn snapshot(self) -> ChannelSnapshot {
        let channel = |id: Id<ChannelMarker>| ChannelId::new(id.get());
        ChannelSnapshot {
            id: channel(self.id),
            kind: kind(self.kind),
            name: self.name.unwrap_or_default(),
            topic: self.topic.filter(|topic| !topic.is_empty()),
            parent: self.parent_id.map(channel),
            owner: self.owner_id.map(|id| UserId::new(id.get())),
            last_message: self.last_message_id.map(|id| MessageId::new(id.get())),
        }
    }
}

fn kind(kind: ChannelType) -> ChannelKind {
    match kind {
        ChannelType::GuildText => ChannelKind::Text,
        ChannelType::GuildAnnouncement => ChannelKind::Announcement,
        ChannelType::PublicThread
        | ChannelType::PrivateThread
        | ChannelType::AnnouncementThread => ChannelKind::Thread,
        ChannelType::GuildForum | ChannelType::GuildMedia => ChannelKind::Forum,
        ChannelType::GuildVoice | ChannelType::GuildStageVoice => ChannelKind::Voice,
        ChannelType::Private => ChannelKind::Dm,
        ChannelType::Group => ChannelKind::GroupDm,
        _ => ChannelKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn snapshot(guild: Value) -> GuildSnapshot {
        let me = Me {
            id: UserId::new(9),
            name: "kaiwa".into(),
        };
        let raw: RawGuild = serde_json::from_value(guild).unwrap();
        raw.snapshot(&me, true)
    }

    #[test]
    fn a_guild_is_known_by_name_with_its_channels_and_what_we_may_use_in_it() {
        let guild = snapshot(json!({
            "id": "3", "name": "Tea House",
            "roles": [
                {"id": "3", "name": "@everyone"},
                {"id": "31", "name": "Kaiwa", "tags": {"bot_id": "9"}},
                {"id": "32", "name": "Other", "tags": {"bot_id": "8"}},
                {"id": "33", "name": "Booster", "tags": {"premium_subscriber": null}},
            ],
            "emojis": [
                {"id": "50", "name": "tea", "animated": true},
                {"id": "51", "name": "gone", "available": false},
                {"id": "52", "name": "vip", "roles": ["33"]},
            ],
            "stickers": [
                {"id": "60", "name": "Cheers", "format_type": 1, "available": true},
                {"id": "61", "name": "lost", "format_type": 3, "available": false},
            ],
            "channels": [
                {"id": "2", "type": 0, "name": "general", "topic": "tea", "last_message_id": "70"},
                {"id": "6", "type": 0, "name": "staff", "topic": ""},
                {"id": "7", "type": 2, "name": "Parlour"},
                {"id": "8", "type": 15, "name": "help"},
                {"id": "10", "type": 250},
            ],
            "threads": [{"id": "20", "type": 11, "name": "a pot", "parent_id": "2", "owner_id": "9"}],
        }));
        assert_eq!(guild.name, "Tea House");
        assert_eq!(guild.my_roles, [RoleId::new(31)]);
        assert_eq!(guild.roles[1], (RoleId::new(31), "Kaiwa".to_owned()));
        let emoji: Vec<_> = guild
            .emoji
            .iter()
            .map(|it| (&*it.name, it.animated))
            .collect();
        assert_eq!(emoji, [("tea", true)]);
        assert_eq!(guild.stickers, ["Cheers"]);
        let kinds: Vec<_> = guild
            .channels
            .iter()
            .map(|it| (it.id.get(), it.kind))
            .collect();
        assert_eq!(
            kinds,
            [
                (2, ChannelKind::Text),
                (6, ChannelKind::Text),
                (7, ChannelKind::Voice),
                (8, ChannelKind::Forum),
                (10, ChannelKind::Other),
                (20, ChannelKind::Thread),
            ]
        );
        let (general, thread) = (&guild.channels[0], &guild.channels[5]);
        assert_eq!(general.topic.as_deref(), Some("tea"));
        assert_eq!(general.last_message, Some(MessageId::new(70)));
        assert_eq!(guild.channels[1].topic, None);
        assert_eq!(thread.parent, Some(general.id));
        assert_eq!(thread.owner, Some(UserId::new(9)));
    }

    #[test]
    fn a_guild_of_which_little_is_said_is_a_guild() {
        let guild = snapshot(json!({"id": "3"}));
        assert_eq!(guild.scope, Scope::Guild(GuildId::new(3)));
        assert!(guild.channels.is_empty());
    }
}
