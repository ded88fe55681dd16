//! Deletions and reactions, which come and go.

use kaiwa_domain::{ChannelId, Event, GuildId, MessageId, Reaction, Scope, UserId};
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

/// One reaction that was taken off a message, all of an emoji, or all.
#[derive(Deserialize)]
pub(crate) struct RawReactionRemoval {
    user_id: Option<Id<UserMarker>>,
    channel_id: Id<ChannelMarker>,
    message_id: Id<MessageMarker>,
    guild_id: Option<Id<GuildMarker>>,
    emoji: Option<RawPartialEmoji>,
}

impl RawReactionRemoval {
    /// Where, in which guild if it is one, and whose it was.
    pub(crate) fn place(&self) -> (ChannelId, Option<Scope>, Option<UserId>) {
        let channel = ChannelId::new(self.channel_id.get());
        (channel, self.guild_id.map(guild), self.user_id.map(user))
    }

    /// The event, known to belong to `scope`.
    pub(crate) fn within(self, scope: Scope) -> Event {
        Event::Unreacted {
            scope,
            message: MessageId::new(self.message_id.get()),
            user: self.user_id.map(user),
            // One whose name is lost is still not all of them.
            emoji: self.emoji.map(|emoji| emoji.name.unwrap_or_default()),
        }
    }
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

const fn user(id: Id<UserMarker>) -> UserId {
    UserId::new(id.get())
}

fn guild(id: Id<GuildMarker>) -> Scope {
    Scope::Guild(GuildId::new(id.get()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reactions_go_one_by_one_by_their_emoji_or_all_at_once() {
        let (one, none) = (Some(UserId::new(7)), None);
        let sign = || Some("🔁".to_owned());
        for (user, emoji, expect) in [
            (json!("7"), json!({"id": null, "name": "🔁"}), (one, sign())),
            (
                json!(null),
                json!({"id": null, "name": "🔁"}),
                (none, sign()),
            ),
            (json!(null), json!(null), (none, None)),
            (
                json!("7"),
                json!({"id": "6", "name": null}),
                (one, Some(String::new())),
            ),
        ] {
            let raw = json!({"user_id": user, "channel_id": "4", "message_id": "5",
                "guild_id": "3", "emoji": emoji, "burst": false, "type": 0});
            let raw: RawReactionRemoval = serde_json::from_value(raw).unwrap();
            let scope = Scope::Guild(GuildId::new(3));
            assert_eq!(raw.place(), (ChannelId::new(4), Some(scope), expect.0));
            let (user, emoji) = expect;
            let expect = Event::Unreacted {
                scope,
                message: MessageId::new(5),
                user,
                emoji,
            };
            assert_eq!(raw.within(scope), expect);
        }
    }
}
