//! Deletions and reactions.

use kaiwa_domain::{ChannelId, GuildId, MessageId, Reaction, Scope, UserId};
use serde::Deserialize;
use twilight_model::id::Id;
use twilight_model::id::marker::{ChannelMarker, GuildMarker, MessageMarker, UserMarker};

use super::up_to::UpTo;

/// How many messages one event deletes at most.
///
/// See [Discord Docs/Bulk Delete Messages](https://docs.discord.com/developers/resources/message#bulk-delete-messages).
const DELETED: usize = 100;

/// One or several messages that are gone.
#[derive(Deserialize)]
pub(crate) struct RawDeletion {
    id: Option<Id<MessageMarker>>,
    #[serde(default)]
    ids: UpTo<DELETED, Id<MessageMarker>>,
    channel_id: Id<ChannelMarker>,
    guild_id: Option<Id<GuildMarker>>,
}

impl RawDeletion {
    /// Where, and in which guild if it is one.
    pub(crate) fn place(&self) -> (ChannelId, Option<Scope>) {
        let channel = ChannelId::new(self.channel_id.get());
        (channel, self.guild_id.map(guild))
    }

    /// Which messages.
    pub(crate) fn messages(self) -> Vec<MessageId> {
        let all = self.id.into_iter().chain(self.ids.0);
        all.map(|id| MessageId::new(id.get())).collect()
    }
}

/// A reaction that was put on a message.
#[derive(Deserialize)]
pub(crate) struct RawReaction {
    user_id: Id<UserMarker>,
    channel_id: Id<ChannelMarker>,
    message_id: Id<MessageMarker>,
    guild_id: Option<Id<GuildMarker>>,
    member: Option<RawReactingMember>,
    emoji: RawPartialEmoji,
    message_author_id: Option<Id<UserMarker>>,
}

#[derive(Deserialize)]
struct RawReactingMember {
    user: Option<RawReactingUser>,
}

#[derive(Deserialize)]
struct RawReactingUser {
    #[serde(default)]
    bot: bool,
}

#[derive(Deserialize)]
struct RawPartialEmoji {
    name: Option<String>,
}

impl RawReaction {
    /// Where, in which guild if it is one, and by whom.
    pub(crate) fn place(&self) -> (ChannelId, Option<Scope>, UserId) {
        let channel = ChannelId::new(self.channel_id.get());
        let user = UserId::new(self.user_id.get());
        (channel, self.guild_id.map(guild), user)
    }

    /// The reaction, known to belong to `scope`.
    pub(crate) fn within(self, scope: Scope, by_us: bool) -> Reaction {
        let member = self.member.and_then(|member| member.user);
        Reaction {
            scope,
            channel: ChannelId::new(self.channel_id.get()),
            message: MessageId::new(self.message_id.get()),
            message_author: self.message_author_id.map(|id| UserId::new(id.get())),
            user: UserId::new(self.user_id.get()),
            by_bot: by_us || member.is_some_and(|user| user.bot),
            emoji: self.emoji.name.unwrap_or_default(),
        }
    }
}

fn guild(id: Id<GuildMarker>) -> Scope {
    Scope::Guild(GuildId::new(id.get()))
}
