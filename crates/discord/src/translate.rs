//! Discord's messages in Kaiwa's words.
//!
//! Only the fields that are used are read, so that a poll, a component or a
//! field yet to be invented never costs us the message around it. (twilight's
//! own types also leave out the global name of a mentioned user.)

use std::fmt;

use kaiwa_domain::limits::{ATTACHMENT_DESCRIPTION_CHARS, ATTACHMENTS, MENTIONS};
use kaiwa_domain::{
    Attachment, Author, AuthorKind, ChannelId, GuildId, GuildSnapshot, Me, Mention, Message,
    MessageId, Reply, Scope, Timestamp, UserId,
};
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use twilight_model::channel::message::MessageType;
use twilight_model::id::Id;
use twilight_model::id::marker::{
    ChannelMarker, GuildMarker, MessageMarker, UserMarker, WebhookMarker,
};

/// A message as Discord writes it.
#[derive(Deserialize)]
pub(crate) struct RawMessage {
    id: Id<MessageMarker>,
    channel_id: Id<ChannelMarker>,
    guild_id: Option<Id<GuildMarker>>,
    author: RawUser,
    member: Option<RawMember>,
    #[serde(default)]
    content: String,
    #[serde(default)]
    attachments: UpTo<ATTACHMENTS, RawAttachment>,
    #[serde(default)]
    mentions: UpTo<MENTIONS, RawUser>,
    #[serde(rename = "type", default = "regular")]
    kind: MessageType,
    message_reference: Option<RawReference>,
    referenced_message: Option<Box<RawReferenced>>,
    webhook_id: Option<Id<WebhookMarker>>,
}

/// A user as Discord writes it, in a list of mentions with the member inside.
#[derive(Deserialize)]
pub(crate) struct RawUser {
    id: Id<UserMarker>,
    username: String,
    global_name: Option<String>,
    #[serde(default)]
    bot: bool,
    #[serde(default)]
    system: bool,
    member: Option<RawMember>,
}

#[derive(Deserialize)]
struct RawAttachment {
    #[serde(default)]
    filename: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    size: u64,
    content_type: Option<String>,
    description: Option<String>,
}

impl RawAttachment {
    fn is_image(&self) -> bool {
        let kind = self.content_type.as_deref();
        kind.is_some_and(|kind| kind.starts_with("image/"))
    }
}

#[derive(Deserialize)]
struct RawMember {
    nick: Option<String>,
}

#[derive(Deserialize)]
struct RawReference {
    message_id: Option<Id<MessageMarker>>,
}

#[derive(Deserialize)]
struct RawReferenced {
    author: RawUser,
    #[serde(default)]
    attachments: UpTo<ATTACHMENTS, RawAttachment>,
}

/// The first items of a list. What comes after them is passed over, so that
/// no event makes more work than Discord says a message can.
struct UpTo<const MOST: usize, T>(Vec<T>);

impl<const MOST: usize, T> Default for UpTo<MOST, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, const MOST: usize, T: Deserialize<'de>> Deserialize<'de> for UpTo<MOST, T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(Self::default())
    }
}

impl<'de, const MOST: usize, T: Deserialize<'de>> Visitor<'de> for UpTo<MOST, T> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Self, A::Error> {
        while self.0.len() < MOST {
            match list.next_element()? {
                Some(item) => self.0.push(item),
                None => return Ok(self),
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(self)
    }
}

/// The channels of a guild as Discord writes them.
#[derive(Deserialize)]
pub(crate) struct RawGuild {
    id: Id<GuildMarker>,
    #[serde(default)]
    channels: Vec<RawChannel>,
    #[serde(default)]
    threads: Vec<RawChannel>,
}

#[derive(Deserialize)]
struct RawChannel {
    id: Id<ChannelMarker>,
    last_message_id: Option<Id<MessageMarker>>,
}

impl RawGuild {
    /// How far each channel has come.
    pub(crate) fn snapshot(self) -> GuildSnapshot {
        let channels = self.channels.into_iter().chain(self.threads);
        let spoken = |channel: RawChannel| {
            let last = MessageId::new(channel.last_message_id?.get());
            Some((ChannelId::new(channel.id.get()), last))
        };
        GuildSnapshot {
            scope: Scope::Guild(GuildId::new(self.id.get())),
            channels: channels.filter_map(spoken).collect(),
        }
    }
}

fn regular() -> MessageType {
    MessageType::Regular
}

impl RawUser {
    /// Our own identity, if this user is us.
    pub(crate) fn into_me(self) -> Me {
        Me {
            id: UserId::new(self.id.get()),
            name: self.username,
        }
    }

    fn shown_name(self, nick: Option<String>) -> String {
        nick.or(self.global_name).unwrap_or(self.username)
    }
}

impl RawMessage {
    /// When it was sent, by Discord's clock.
    pub(crate) fn sent_at(&self) -> Timestamp {
        MessageId::new(self.id.get()).created_at()
    }

    /// Translates a message that the gateway brought. Our own direct messages
    /// do not say to whom they went; they have no scope, and are left out.
    pub(crate) fn heard_by(self, me: &Me) -> Option<Message> {
        let author = UserId::new(self.author.id.get());
        let scope = match self.guild_id {
            Some(guild) => Scope::Guild(GuildId::new(guild.get())),
            None if me.is(author) => return None,
            None => Scope::Dm(author),
        };
        Some(self.within(scope))
    }

    /// Translates a message that is known to belong to `scope`.
    pub(crate) fn within(mut self, scope: Scope) -> Message {
        let kind = self.author_kind();
        let reply = self.take_reply();
        let nick = self.member.and_then(|member| member.nick);
        Message {
            id: MessageId::new(self.id.get()),
            scope,
            channel: ChannelId::new(self.channel_id.get()),
            author: Author {
                id: UserId::new(self.author.id.get()),
                name: self.author.shown_name(nick),
                kind,
            },
            text: shown_text(self.content, &self.attachments.0),
            images: images(self.attachments.0),
            mentions: self.mentions.0.into_iter().map(mention).collect(),
            reply,
        }
    }

    fn author_kind(&self) -> AuthorKind {
        let written = matches!(
            self.kind,
            MessageType::Regular
                | MessageType::Reply
                | MessageType::ChatInputCommand
                | MessageType::ContextMenuCommand
        );
        if !written || self.author.system {
            AuthorKind::System
        } else if self.webhook_id.is_some() {
            AuthorKind::Webhook
        } else if self.author.bot {
            AuthorKind::Bot
        } else {
            AuthorKind::Human
        }
    }

    /// Forwards and pins refer to a message too; only replies answer one.
    fn take_reply(&mut self) -> Option<Reply> {
        if self.kind != MessageType::Reply {
            return None;
        }
        let to = self.message_reference.as_ref()?.message_id?;
        let target = self.referenced_message.take();
        Some(Reply {
            to: MessageId::new(to.get()),
            author: target
                .as_ref()
                .map(|message| UserId::new(message.author.id.get())),
            images: target.map_or_else(Vec::new, |message| images(message.attachments.0)),
        })
    }
}

/// What a message says: its text, or else what its images are described as.
fn shown_text(content: String, attachments: &[RawAttachment]) -> String {
    if !content.is_empty() {
        return content;
    }
    let described = attachments
        .iter()
        .filter_map(|file| match &file.description {
            Some(text) => {
                let most = text.chars().take(ATTACHMENT_DESCRIPTION_CHARS);
                Some(format!("[{}]", most.collect::<String>()))
            }
            None => file.is_image().then(|| "[an image]".to_owned()),
        });
    described.collect::<Vec<_>>().join("\n")
}

fn images(attachments: Vec<RawAttachment>) -> Vec<Attachment> {
    let images = attachments.into_iter().filter(RawAttachment::is_image);
    images
        .map(|file| Attachment {
            name: file.filename,
            url: file.url,
            bytes: file.size,
        })
        .collect()
}

fn mention(mut user: RawUser) -> Mention {
    let nick = user.member.take().and_then(|member| member.nick);
    Mention {
        id: UserId::new(user.id.get()),
        name: user.shown_name(nick),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn me() -> Me {
        Me {
            id: UserId::new(9),
            name: "kaiwa".into(),
        }
    }

    /// A plain guild message with `changes` laid over it; null removes a field.
    fn translate(changes: Value) -> Option<Message> {
        let mut message = json!({
            "id": "1", "channel_id": "2", "guild_id": "3", "content": "hi", "type": 0,
            "author": {"id": "4", "username": "ann", "global_name": null},
        });
        let Value::Object(changes) = changes else {
            panic!("not an object: {changes}");
        };
        for (field, value) in changes {
            message[field] = value;
        }
        let message: RawMessage = serde_json::from_value(message).unwrap();
        message.heard_by(&me())
    }

    #[test]
    fn names_are_nickname_then_global_name_then_user_name() {
        fn check(changes: Value, expected: &str) {
            assert_eq!(translate(changes).unwrap().author.name, expected);
        }
        let global = json!({"id": "4", "username": "ann", "global_name": "Ann"});
        check(json!({}), "ann");
        check(json!({"author": global, "member": {"nick": null}}), "Ann");
        check(json!({"author": global, "member": {"nick": "A."}}), "A.");
    }

    #[test]
    fn a_message_without_text_says_what_its_pictures_show() {
        fn check(changes: Value, expected: &str) {
            assert_eq!(translate(changes).unwrap().text, expected);
        }
        let files = json!([{"id": "1", "description": "a cat"}, {"id": "2"}, {"id": "3", "description": "a dog"}]);
        check(json!({"attachments": files}), "hi");
        check(
            json!({"content": "", "attachments": files}),
            "[a cat]\n[a dog]",
        );
        let photo = json!([{"id": "1", "content_type": "image/png"}]);
        check(json!({"content": "", "attachments": photo}), "[an image]");
        check(json!({"content": ""}), "");
    }

    #[test]
    fn images_are_kept_of_a_message_and_of_what_it_replies_to() {
        let file = |name: &str, kind: &str| json!({"id": "1", "filename": name, "content_type": kind, "size": 7, "url": "u"});
        let names = |images: &[Attachment]| -> Vec<String> {
            images.iter().map(|image| image.name.clone()).collect()
        };
        let message = translate(json!({
            "type": 19,
            "attachments": [file("a.png", "image/png"), file("b.txt", "text/plain"), {"id": "2"}],
            "message_reference": {"message_id": "11"},
            "referenced_message": {
                "id": "11",
                "author": {"id": "9", "username": "kaiwa"},
                "attachments": [file("c.webp", "image/webp")],
            },
        }))
        .unwrap();
        assert_eq!(names(&message.images), ["a.png"]);
        assert_eq!(names(&message.reply.unwrap().images), ["c.webp"]);
    }

    #[test]
    fn lists_are_read_as_far_as_discord_can_mean_them() {
        let photo = json!({
            "id": "1", "filename": "a.png", "content_type": "image/png", "size": 7, "url": "u",
            "description": "x".repeat(5000),
        });
        let someone = json!({"id": "5", "username": "bob"});
        let message = translate(json!({
            "type": 19,
            "content": "",
            "attachments": vec![photo.clone(); 2000],
            "mentions": vec![someone; 20_000],
            "message_reference": {"message_id": "11"},
            "referenced_message": {
                "id": "11",
                "author": {"id": "9", "username": "kaiwa"},
                "attachments": vec![photo; 2000],
            },
        }))
        .unwrap();
        assert_eq!(message.images.len(), 10);
        assert_eq!(message.reply.unwrap().images.len(), 10);
        assert_eq!(message.mentions.len(), 100);
        assert_eq!(message.text.chars().count(), 10 * 1026 + 9);
    }

    #[test]
    fn mentions_carry_the_shown_name() {
        let mentions = json!([
            {"id": "5", "username": "bob", "global_name": "Bob"},
            {"id": "6", "username": "cy", "global_name": "Cy", "member": {"nick": "C"}},
        ]);
        let message = translate(json!({ "mentions": mentions })).unwrap();
        let names: Vec<_> = message
            .mentions
            .iter()
            .map(|mention| (mention.id.get(), mention.name.as_str()))
            .collect();
        assert_eq!(names, [(5, "Bob"), (6, "C")]);
    }

    #[test]
    fn authors_are_told_apart() {
        fn check(changes: Value, expected: AuthorKind) {
            let text = changes.to_string();
            let message = translate(changes).unwrap();
            assert_eq!(message.author.kind, expected, "{text}");
        }
        let bot = json!({"id": "4", "username": "b", "bot": true});
        let discord = json!({"id": "4", "username": "d", "bot": true, "system": true});
        check(json!({}), AuthorKind::Human);
        check(json!({"type": 19}), AuthorKind::Human);
        check(json!({ "author": bot }), AuthorKind::Bot);
        check(
            json!({"author": bot, "webhook_id": "8"}),
            AuthorKind::Webhook,
        );
        check(json!({ "author": discord }), AuthorKind::System);
        check(json!({"type": 7}), AuthorKind::System);
        check(json!({"type": 250}), AuthorKind::System);
    }

    #[test]
    fn scopes_follow_the_guild_or_the_other_person() {
        fn check(changes: Value, expected: Option<Scope>) {
            assert_eq!(translate(changes).map(|message| message.scope), expected);
        }
        let me = json!({"id": "9", "username": "kaiwa", "bot": true});
        check(json!({}), Some(Scope::Guild(GuildId::new(3))));
        check(json!({"guild_id": null}), Some(Scope::Dm(UserId::new(4))));
        check(json!({"guild_id": null, "author": me}), None);
    }

    #[test]
    fn only_replies_reply() {
        fn check(changes: Value, expected: Option<(u64, Option<u64>)>) {
            let reply = translate(changes).unwrap().reply;
            let reply = reply.map(|reply| (reply.to.get(), reply.author.map(UserId::get)));
            assert_eq!(reply, expected);
        }
        let to = json!({"message_id": "11", "channel_id": "2"});
        let target = json!({"id": "11", "author": {"id": "9", "username": "kaiwa"}});
        check(json!({}), None);
        check(json!({"type": 0, "message_reference": to}), None);
        check(json!({"type": 6, "message_reference": to}), None);
        check(
            json!({"type": 19, "message_reference": to, "referenced_message": target}),
            Some((11, Some(9))),
        );
        check(
            json!({"type": 19, "message_reference": to, "referenced_message": null}),
            Some((11, None)),
        );
    }
}
