//! What reaches us from Discord.

use crate::{ChannelId, MessageId, Scope, UserId};

/// Something that happened on Discord.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The gateway session is up, new or resumed; from here on events flow.
    Ready(Me),
    /// Somebody wrote a message, in a guild or directly to us.
    Message(Message),
}

/// Our own identity on Discord.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Me {
    /// Our user id.
    pub id: UserId,
    /// Our user name, as people see it.
    pub name: String,
}

/// A message as somebody wrote it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Its id, which also tells when it was sent.
    pub id: MessageId,
    /// Whose data it is.
    pub scope: Scope,
    /// Where it stands.
    pub channel: ChannelId,
    /// Who wrote it.
    pub author: Author,
    /// Its text in Discord's markdown; mentions are still tags like `<@1>`.
    pub text: String,
    /// The users it mentions, in no particular order.
    pub mentions: Vec<Mention>,
    /// The message it replies to.
    pub reply: Option<Reply>,
    /// The images that came with it.
    pub images: Vec<Attachment>,
}

/// A file that came with a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// Where it can be fetched for a while.
    pub url: String,
    /// How large it is.
    pub bytes: u64,
}

/// Who wrote a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Author {
    /// Their id. Identity is decided by ids, never by names.
    pub id: UserId,
    /// The name people see: nickname, global name or user name.
    pub name: String,
    /// What they are.
    pub kind: AuthorKind,
}

/// What kind of account wrote a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AuthorKind {
    /// A person.
    Human,
    /// A bot, ourselves included.
    Bot,
    /// A webhook.
    Webhook,
    /// Discord itself: joins, pins, boosts.
    System,
}

/// A user named in a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mention {
    /// Who is mentioned.
    pub id: UserId,
    /// The name people see.
    pub name: String,
}

/// What a message replies to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The message replied to.
    pub to: MessageId,
    /// Its author, unless it was deleted or not sent along.
    pub author: Option<UserId>,
    /// The images that came with it, if they are known.
    pub images: Vec<Attachment>,
}
