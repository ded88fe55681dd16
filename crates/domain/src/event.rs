//! What reaches us.

use crate::{ChannelId, MessageId, OccurrenceId, Scope, Timestamp, Trigger, UserId};

/// Something that happened, on Discord or by the clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The gateway session is up; from here on events flow.
    Ready {
        /// Who we are.
        me: Me,
        /// Whether the session is the one before, so that nothing was missed.
        resumed: bool,
    },
    /// The gateway session has been down for more than a moment. The next
    /// [`Ready`](Self::Ready) ends that.
    Disconnected,
    /// What the channels of a guild look like at the start of a new session.
    Guild(GuildSnapshot),
    /// Somebody wrote a message, in a guild or directly to us.
    Message(Message),
    /// A schedule is due.
    Scheduled(ScheduledTask),
}

/// Our own identity on Discord.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Me {
    /// Our user id.
    pub id: UserId,
    /// Our user name, as people see it.
    pub name: String,
}

impl Me {
    /// Whether `user` is our own account. The one place where that is decided;
    /// which persona said something is told by the record of the message.
    pub fn is(&self, user: UserId) -> bool {
        self.id == user
    }
}

/// The channels of a guild, and how far each has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuildSnapshot {
    /// The guild.
    pub scope: Scope,
    /// Its channels and threads with their last messages; those without any
    /// are left out.
    pub channels: Vec<(ChannelId, MessageId)>,
}

/// Something to do at a certain time, on somebody's behalf.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduledTask {
    /// The schedule's number.
    pub schedule: u64,
    /// The moment it was due.
    pub due: Timestamp,
    /// Whose data it touches.
    pub scope: Scope,
    /// Where it is answered.
    pub channel: ChannelId,
    /// On whose behalf.
    pub asker: UserId,
    /// What is to be done, in the asker's words.
    pub text: String,
}

/// What a turn is to answer, with all that Discord said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Somebody's message.
    Message(Message),
    /// Something that was due.
    Scheduled(ScheduledTask),
}

impl Question {
    /// What names the turn.
    pub const fn trigger(&self) -> Trigger {
        match self {
            Self::Message(message) => Trigger::Message(message.id),
            Self::Scheduled(task) => Trigger::Schedule(OccurrenceId::due(task.schedule, task.due)),
        }
    }

    /// Whose data it touches.
    pub const fn scope(&self) -> Scope {
        match self {
            Self::Message(message) => message.scope,
            Self::Scheduled(task) => task.scope,
        }
    }

    /// Where it is answered.
    pub const fn channel(&self) -> ChannelId {
        match self {
            Self::Message(message) => message.channel,
            Self::Scheduled(task) => task.channel,
        }
    }

    /// Who asks.
    pub const fn asker(&self) -> UserId {
        match self {
            Self::Message(message) => message.author.id,
            Self::Scheduled(task) => task.asker,
        }
    }

    /// The message, if it is one.
    pub const fn message(&self) -> Option<&Message> {
        match self {
            Self::Message(message) => Some(message),
            Self::Scheduled(_) => None,
        }
    }
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
