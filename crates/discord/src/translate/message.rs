//! Messages.

use kaiwa_domain::limits::{ATTACHMENT_DESCRIPTION_CHARS, ATTACHMENTS, MENTIONS};
use kaiwa_domain::{
    Attachment, Author, AuthorKind, ChannelId, Embed, Forward, GuildId, Me, Mention, Message,
    MessageId, Poll, Reply, RoleId, Scope, Timestamp, UserId,
};
use serde::Deserialize;
use twilight_model::channel::message::MessageType;
use twilight_model::id::Id;
use twilight_model::id::marker::{
    ChannelMarker, GuildMarker, MessageMarker, RoleMarker, UserMarker, WebhookMarker,
};

use super::timestamp;
use super::up_to::UpTo;

/// How many of each a message is read with. Discord allows 10 embeds with 25
/// fields, 3 stickers, 10 answers to a poll, 20 kinds of reactions; see
/// [Discord Docs/Message](https://docs.discord.com/developers/resources/message).
const EMBEDS: usize = 10;
const EMBED_FIELDS: usize = 25;
const STICKERS: usize = 3;
const ANSWERS: usize = 10;
const REACTIONS: usize = 20;
const ROLES: usize = 250;
const FORWARDS: usize = 1;

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
    referenced_message: Option<Box<RawMessage>>,
    webhook_id: Option<Id<WebhookMarker>>,
    #[serde(default)]
    mention_roles: UpTo<ROLES, Id<RoleMarker>>,
    #[serde(default)]
    embeds: UpTo<EMBEDS, RawEmbed>,
    #[serde(default)]
    sticker_items: UpTo<STICKERS, RawSticker>,
    poll: Option<RawPoll>,
    #[serde(default)]
    reactions: UpTo<REACTIONS, RawReactionCount>,
    #[serde(default)]
    message_snapshots: UpTo<FORWARDS, RawSnapshot>,
    edited_timestamp: Option<String>,
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

#[derive(Deserialize)]
pub(crate) struct RawMember {
    nick: Option<String>,
    #[serde(default)]
    roles: UpTo<ROLES, Id<RoleMarker>>,
}

#[derive(Deserialize)]
struct RawEmbed {
    title: Option<String>,
    description: Option<String>,
    url: Option<String>,
    #[serde(default)]
    fields: UpTo<EMBED_FIELDS, RawField>,
}

#[derive(Deserialize)]
struct RawField {
    #[serde(default)]
    name: String,
    #[serde(default)]
    value: String,
}

#[derive(Deserialize)]
struct RawSticker {
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
struct RawPoll {
    question: RawPollMedia,
    #[serde(default)]
    answers: UpTo<ANSWERS, RawPollAnswer>,
}

#[derive(Deserialize)]
struct RawPollAnswer {
    poll_media: RawPollMedia,
}

#[derive(Deserialize)]
struct RawPollMedia {
    text: Option<String>,
}

#[derive(Deserialize)]
struct RawReactionCount {
    #[serde(default)]
    count: u32,
    emoji: RawReactionEmoji,
}

#[derive(Deserialize)]
struct RawReactionEmoji {
    name: Option<String>,
}

/// A message as a forward holds it.
#[derive(Deserialize)]
struct RawSnapshot {
    message: RawSnapshotMessage,
}

#[derive(Deserialize)]
struct RawSnapshotMessage {
    #[serde(default)]
    content: String,
    #[serde(default)]
    attachments: UpTo<ATTACHMENTS, RawAttachment>,
    #[serde(default)]
    embeds: UpTo<EMBEDS, RawEmbed>,
}

#[derive(Deserialize)]
struct RawReference {
    message_id: Option<Id<MessageMarker>>,
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

    pub(super) const fn id(&self) -> Id<UserMarker> {
        self.id
    }

    pub(super) const fn is_bot(&self) -> bool {
        self.bot
    }

    pub(super) fn shown_name(self, nick: Option<String>) -> String {
        nick.or(self.global_name).unwrap_or(self.username)
    }
}

impl RawMember {
    /// The nickname and the roles.
    pub(super) fn parts(self) -> (Option<String>, Vec<Id<RoleMarker>>) {
        (self.nick, self.roles.0)
    }
}

impl RawMessage {
    /// When it was sent, by Discord's clock.
    pub(crate) fn sent_at(&self) -> Timestamp {
        MessageId::new(self.id.get()).created_at()
    }

    /// Where it stands, in which guild if it is one, and who wrote it.
    pub(crate) fn place(&self) -> (ChannelId, Option<Scope>, UserId) {
        let guild = self.guild_id;
        (
            ChannelId::new(self.channel_id.get()),
            guild.map(|guild| Scope::Guild(GuildId::new(guild.get()))),
            UserId::new(self.author.id.get()),
        )
    }

    /// The roles that its author has, if it is a member of a guild.
    pub(crate) fn author_roles(&self) -> Option<Vec<Id<RoleMarker>>> {
        let member = self.member.as_ref().filter(|_| self.webhook_id.is_none());
        member.map(|member| member.roles.0.clone())
    }

    /// Translates a message that is known to belong to `scope`.
    pub(crate) fn within(mut self, scope: Scope) -> Message {
        let kind = self.author_kind();
        let reply = self.take_reply(scope);
        let (nick, roles) = match self.member {
            Some(member) => (member.nick, role_ids(member.roles)),
            None => (None, Vec::new()),
        };
        let forward = self.message_snapshots.0.into_iter().next();
        Message {
            mentions: self.mentions.0.into_iter().map(mention).collect(),
            mention_roles: role_ids(self.mention_roles),
            reply,
            forward: forward.map(|it| Box::new(it.message.into_forward())),
            attachments: attachments(self.attachments),
            embeds: embeds(self.embeds),
            stickers: self.sticker_items.0.into_iter().map(|it| it.name).collect(),
            poll: self.poll.map(RawPoll::into_poll),
            reactions: reactions(self.reactions),
            edited_at: self.edited_timestamp.as_deref().and_then(timestamp),
            ..Message::new(
                MessageId::new(self.id.get()),
                scope,
                ChannelId::new(self.channel_id.get()),
                Author {
                    id: UserId::new(self.author.id.get()),
                    name: self.author.shown_name(nick),
                    kind,
                    roles,
                },
                self.content,
            )
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
    fn take_reply(&mut self, scope: Scope) -> Option<Reply> {
        if self.kind != MessageType::Reply {
            return None;
        }
        let to = self.message_reference.as_ref()?.message_id?;
        let target = self.referenced_message.take().map(|mut target| {
            // Discord sends one level along; more would be somebody's mischief.
            target.referenced_message = None;
            Box::new(target.within(scope))
        });
        Some(Reply {
            to: MessageId::new(to.get()),
            target,
        })
    }
}

impl RawSnapshotMessage {
    fn into_forward(self) -> Forward {
        Forward {
            text: self.content,
            attachments: attachments(self.attachments),
            embeds: embeds(self.embeds),
        }
    }
}

impl RawPoll {
    fn into_poll(self) -> Poll {
        let answers = self.answers.0.into_iter();
        Poll {
            question: self.question.text.unwrap_or_default(),
            answers: answers.filter_map(|it| it.poll_media.text).collect(),
        }
    }
}

fn role_ids(roles: UpTo<ROLES, Id<RoleMarker>>) -> Vec<RoleId> {
    let roles = roles.0.into_iter();
    roles.map(|role| RoleId::new(role.get())).collect()
}

fn attachments(raw: UpTo<ATTACHMENTS, RawAttachment>) -> Vec<Attachment> {
    let files = raw.0.into_iter().map(|file| Attachment {
        name: file.filename,
        url: file.url,
        bytes: file.size,
        media_type: file.content_type,
        description: file
            .description
            .map(|text| text.chars().take(ATTACHMENT_DESCRIPTION_CHARS).collect()),
    });
    files.collect()
}

fn embeds(raw: UpTo<EMBEDS, RawEmbed>) -> Vec<Embed> {
    let embeds = raw.0.into_iter().map(|embed| Embed {
        title: embed.title,
        description: embed.description,
        fields: embed
            .fields
            .0
            .into_iter()
            .map(|field| (field.name, field.value))
            .collect(),
        url: embed.url,
    });
    embeds.collect()
}

fn reactions(raw: UpTo<REACTIONS, RawReactionCount>) -> Vec<(String, u32)> {
    let counts = raw.0.into_iter();
    counts
        .filter_map(|it| Some((it.emoji.name?, it.count)))
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

    /// A plain guild message with `changes` laid over it; null removes a field.
    fn translate(changes: Value) -> Message {
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
        let (_, scope, author) = message.place();
        message.within(scope.unwrap_or(Scope::Dm(author)))
    }

    #[test]
    fn names_are_nickname_then_global_name_then_user_name() {
        fn check(changes: Value, expected: &str) {
            assert_eq!(translate(changes).author.name, expected);
        }
        let global = json!({"id": "4", "username": "ann", "global_name": "Ann"});
        check(json!({}), "ann");
        check(json!({"author": global, "member": {"nick": null}}), "Ann");
        check(json!({"author": global, "member": {"nick": "A."}}), "A.");
    }

    #[test]
    fn everything_that_can_be_told_in_words_is_kept() {
        let file = |name: &str, kind: &str| json!({"id": "1", "filename": name, "content_type": kind, "size": 7, "url": "u", "description": "tea"});
        let names = |files: &[Attachment]| -> Vec<String> {
            files.iter().map(|file| file.name.clone()).collect()
        };
        let message = translate(json!({
            "type": 19,
            "attachments": [file("a.png", "image/png"), file("b.txt", "text/plain"), {"id": "2"}],
            "mention_roles": ["31"],
            "member": {"nick": null, "roles": ["32"]},
            "edited_timestamp": "2026-01-01T00:00:00+00:00",
            "embeds": [{"title": "T", "description": "D", "fields": [{"name": "n", "value": "v"}]}],
            "sticker_items": [{"id": "1", "name": "wave", "format_type": 1}],
            "poll": {
                "question": {"text": "tea?"},
                "answers": [{"answer_id": 1, "poll_media": {"text": "yes"}}],
            },
            "reactions": [{"count": 2, "emoji": {"id": null, "name": "👍"}}],
            "message_snapshots": [{"message": {"content": "from afar"}}],
            "message_reference": {"message_id": "11"},
            "referenced_message": {
                "id": "11", "channel_id": "2", "content": "look",
                "author": {"id": "9", "username": "kaiwa"},
                "attachments": [file("c.webp", "image/webp")],
            },
        }));
        assert_eq!(names(&message.attachments), ["a.png", "b.txt", ""]);
        assert_eq!(message.images().count(), 1);
        assert_eq!(message.attachments[0].description.as_deref(), Some("tea"));
        assert_eq!(message.mention_roles, [RoleId::new(31)]);
        assert_eq!(message.author.roles, [RoleId::new(32)]);
        let edited_at = Timestamp::from_millis(1_767_225_600_000);
        assert_eq!(message.edited_at, Some(edited_at));
        assert_eq!(message.embeds[0].fields, [("n".to_owned(), "v".to_owned())]);
        assert_eq!(message.stickers, ["wave"]);
        assert_eq!(message.poll.unwrap().answers, ["yes"]);
        assert_eq!(message.reactions, [("👍".to_owned(), 2)]);
        assert_eq!(message.forward.unwrap().text, "from afar");
        let target = message.reply.unwrap().target.unwrap();
        assert_eq!((target.text.as_str(), target.images().count()), ("look", 1));
    }

    #[test]
    fn lists_are_read_as_far_as_discord_can_mean_them() {
        let photo = json!({
            "id": "1", "filename": "a.png", "content_type": "image/png", "size": 7, "url": "u",
            "description": "x".repeat(5000),
        });
        let someone = json!({"id": "5", "username": "bob"});
        let embed = json!({"fields": vec![json!({"name": "n", "value": "v"}); 2000]});
        let nested = json!({
            "type": 19, "id": "11", "channel_id": "2",
            "author": {"id": "9", "username": "kaiwa"},
            "attachments": vec![photo.clone(); 2000],
            "message_reference": {"message_id": "12"},
            "referenced_message": {"id": "12", "channel_id": "2", "author": someone},
        });
        let message = translate(json!({
            "type": 19,
            "attachments": vec![photo; 2000],
            "embeds": vec![embed; 100],
            "mentions": vec![someone; 20_000],
            "message_reference": {"message_id": "11"},
            "referenced_message": nested,
        }));
        assert_eq!(message.attachments.len(), 10);
        let description = message.attachments[0].description.as_ref().unwrap();
        assert_eq!(description.chars().count(), ATTACHMENT_DESCRIPTION_CHARS);
        assert_eq!(
            (message.embeds.len(), message.embeds[0].fields.len()),
            (10, 25)
        );
        assert_eq!(message.mentions.len(), 100);
        let target = message.reply.unwrap().target.unwrap();
        assert_eq!(target.attachments.len(), 10);
        assert!(target.reply.unwrap().target.is_none(), "one level");
    }

    #[test]
    fn mentions_carry_the_shown_name() {
        let mentions = json!([
            {"id": "5", "username": "bob", "global_name": "Bob"},
            {"id": "6", "username": "cy", "global_name": "Cy", "member": {"nick": "C"}},
        ]);
        let message = translate(json!({ "mentions": mentions }));
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
            let message = translate(changes);
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
    fn only_replies_reply() {
        fn check(changes: Value, expected: Option<(u64, Option<u64>)>) {
            let reply = translate(changes).reply;
            let reply = reply.map(|reply| (reply.to.get(), reply.author().map(UserId::get)));
            assert_eq!(reply, expected);
        }
        let to = json!({"message_id": "11", "channel_id": "2"});
        let target =
            json!({"id": "11", "channel_id": "2", "author": {"id": "9", "username": "kaiwa"}});
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
