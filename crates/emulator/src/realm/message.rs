//! One message and what hangs on it.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    limits,
    snowflake::{Snowflake, hash, now},
};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Message {
    pub(crate) id: Snowflake,
    pub(crate) author: Snowflake,
    pub(crate) kind: MessageKind,
    pub(crate) content: String,
    pub(crate) edited: Option<Timestamp>,
    pub(crate) tts: bool,
    pub(crate) mention_everyone: bool,
    pub(crate) mentions: Vec<Snowflake>,
    pub(crate) mention_roles: Vec<Snowflake>,
    pub(crate) attachments: Vec<Attachment>,
    pub(crate) embeds: Vec<Value>,
    pub(crate) components: Vec<Value>,
    pub(crate) reactions: Vec<Reaction>,
    pub(crate) flags: u64,
    pub(crate) nonce: Option<Nonce>,
    pub(crate) reference: Option<Reference>,
    /// As Discord shows it, the results left out.
    pub(crate) poll: Option<Value>,
    /// Votes in the poll, in order.
    pub(crate) votes: Vec<Vote>,
    /// When it was pinned, if it is.
    pub(crate) pinned: Option<Timestamp>,
    /// Sticker items.
    pub(crate) stickers: Vec<Value>,
    /// What was forwarded, as it stood then.
    pub(crate) snapshots: Vec<Value>,
    /// How it looks when a webhook or an interaction brought it.
    pub(crate) webhook: Option<WebhookIdentity>,
    /// What it answers, when an interaction brought it.
    pub(crate) interaction: Option<InteractionTrace>,
    /// Its place in its thread, which begins with 0.
    #[serde(default)]
    pub(crate) position: Option<usize>,
}

/// The webhook that a message came through.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct WebhookIdentity {
    pub(crate) id: Snowflake,
    /// Name and avatar of the author; those of the account when it is one.
    pub(crate) look: Option<AuthorLook>,
    pub(crate) application: Option<Snowflake>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AuthorLook {
    pub(crate) name: String,
    pub(crate) avatar: Option<String>,
}

/// Discord Docs/Message, Message Interaction Metadata, and the older shape,
/// which commands alone have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct InteractionTrace {
    pub(crate) metadata: Value,
    pub(crate) former: Option<Value>,
}

impl Message {
    /// One with a text and nothing else.
    pub(crate) fn plain(
        id: Snowflake,
        author: Snowflake,
        kind: MessageKind,
        content: String,
    ) -> Self {
        Self {
            id,
            author,
            kind,
            content,
            edited: None,
            tts: false,
            mention_everyone: false,
            mentions: Vec::new(),
            mention_roles: Vec::new(),
            attachments: Vec::new(),
            embeds: Vec::new(),
            components: Vec::new(),
            reactions: Vec::new(),
            flags: 0,
            nonce: None,
            reference: None,
            poll: None,
            votes: Vec::new(),
            pinned: None,
            stickers: Vec::new(),
            snapshots: Vec::new(),
            webhook: None,
            interaction: None,
            position: None,
        }
    }
}

impl Message {
    /// When the poll ends, if it is one.
    pub(crate) fn poll_end(&self) -> Option<Timestamp> {
        self.poll.as_ref()?["expiry"].as_str()?.parse().ok()
    }

    /// Whether nobody can vote any more.
    pub(crate) fn poll_is_over(&self) -> bool {
        self.poll_end().is_some_and(|end| end <= now())
    }
}

/// Discord Docs/Message, Message Types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum MessageKind {
    Default,
    /// Tell a thread whom somebody added to it, or took out.
    MemberAdded,
    MemberRemoved,
    /// Tells a thread what it is called from now on.
    Renamed,
    /// Tells a channel that a message was pinned.
    Pinned,
    /// Tells a guild that somebody joined.
    Joined,
    /// Tells a channel that it follows an announcement channel.
    ChannelFollowed,
    /// Tells the parent of a thread that has no message of its own there.
    ThreadCreated,
    Reply,
    /// Answers a slash command.
    SlashCommand,
    /// Answers a context menu.
    ContextMenu,
    /// Stands first in a thread and repeats the message that it hangs on.
    ThreadStarter,
    /// Shows what a rule of the guild found.
    ModerationAlert,
    /// Tells a stage channel what is spoken about, and that it is over.
    StageStarted,
    StageEnded,
    StageTopic,
    /// Tells a channel how a poll ended.
    PollResult,
}

impl MessageKind {
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::Default => 0,
            Self::MemberAdded => 1,
            Self::MemberRemoved => 2,
            Self::Renamed => 4,
            Self::Pinned => 6,
            Self::Joined => 7,
            Self::ChannelFollowed => 12,
            Self::ThreadCreated => 18,
            Self::Reply => 19,
            Self::SlashCommand => 20,
            Self::ThreadStarter => 21,
            Self::ContextMenu => 23,
            Self::ModerationAlert => 24,
            Self::StageStarted => 27,
            Self::StageEnded => 28,
            Self::StageTopic => 31,
            Self::PollResult => 46,
        }
    }

    /// Whether it is Discord's own, and cannot be edited, pinned or forwarded.
    pub(crate) fn of_the_system(self) -> bool {
        let written = matches!(self, Self::Default | Self::Reply);
        let answers = matches!(self, Self::SlashCommand | Self::ContextMenu);
        !written && !answers
    }
}

/// One person's vote for one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Vote {
    pub(crate) person: Snowflake,
    pub(crate) answer: u64,
}

/// What an author chose to recognise a message by. It comes back as it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Nonce {
    Text(String),
    Number(i64),
}

impl fmt::Display for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => text.fmt(f),
            Self::Number(number) => number.fmt(f),
        }
    }
}

/// What this message answers, forwards or begins.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Reference {
    pub(crate) channel: Snowflake,
    /// None when the channel itself is meant: a thread that was created.
    pub(crate) message: Option<Snowflake>,
    /// Whether it is forwarded rather than answered.
    pub(crate) forward: bool,
}

/// A file that hangs on a message. Its bytes are kept apart.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Attachment {
    pub(crate) id: Snowflake,
    pub(crate) filename: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    pub(crate) size: usize,
    pub(crate) url: String,
    pub(crate) proxy_url: String,
    pub(crate) content_type: String,
    #[serde(default)]
    pub(crate) flags: u64,
    /// Of pictures whose size we can tell.
    #[serde(flatten)]
    pub(crate) dimensions: Option<Dimensions>,
    /// What a voice message tells of itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) duration_secs: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) waveform: Option<String>,
}

impl Attachment {
    /// As clients see it: with URLs that are good for a while.
    pub(crate) fn signed(&self) -> Self {
        Self {
            url: signed(&self.url),
            proxy_url: signed(&self.proxy_url),
            ..self.clone()
        }
    }
}

/// A URL with when it was signed, when it ends, and the signature. All that
/// are signed within an hour are the same.
pub(crate) fn signed(url: &str) -> String {
    let begins = now().as_second() / 3600 * 3600;
    let lasts = i64::try_from(limits::SIGNED_FOR.as_secs()).unwrap_or(i64::MAX);
    let (ends, begins) = (format!("{:x}", begins + lasts), format!("{begins:x}"));
    let path = url
        .split_once("/attachments/")
        .map_or(url, |(_, path)| path);
    let signature = signature(path, &ends, &begins);
    format!("{url}?ex={ends}&is={begins}&hm={signature}&")
}

/// What `hm` must be for a path below `/attachments/`.
pub(crate) fn signature(path: &str, ends: &str, begins: &str) -> String {
    let parts = ["one", "two", "three", "four"].iter();
    parts
        .map(|salt| format!("{:016x}", hash(&[salt, path, ends, begins])))
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Dimensions {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// Everyone who reacted with one emoji, in order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Reaction {
    pub(crate) emoji: Emoji,
    pub(crate) people: Vec<Snowflake>,
}

/// A Unicode emoji has no id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Emoji {
    pub(crate) id: Option<Snowflake>,
    pub(crate) name: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) animated: bool,
}

impl Emoji {
    /// Custom emoji are known by their id: names change.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.id == other.id && (self.id.is_some() || self.name == other.name)
    }
}
