//! What reaches us.

use std::borrow::Cow;

use crate::{
    ChannelId, EmojiId, Interaction, InteractionKind, MessageId, OccurrenceId, PersonaId, RoleId,
    Scope, TaskKind, Timestamp, Trigger, Turn, UserId,
};

/// Something that happened, on Discord or by the clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The gateway session is up; from here on events flow.
    Ready {
        /// Who we are.
        me: Me,
        /// Whether the session is the one before, so that nothing was missed.
        resumed: bool,
        /// Which shard's session it is. Each has one.
        shard: u32,
    },
    /// A gateway session has been down for more than a moment. The next
    /// [`Ready`](Self::Ready) of its shard ends that.
    Disconnected {
        /// Whose session it is.
        shard: u32,
    },
    /// What a guild looks like: at the start of a new session, and when it is
    /// changed.
    Guild(GuildSnapshot),
    /// A channel or thread was made or changed.
    Channel {
        /// Whose it is.
        scope: Scope,
        /// What it looks like now.
        channel: ChannelSnapshot,
    },
    /// A channel or thread is gone.
    ChannelGone {
        /// Whose it was.
        scope: Scope,
        /// Which.
        channel: ChannelId,
    },
    /// A guild is gone, or we are no longer in it.
    GuildGone {
        /// Which.
        scope: Scope,
    },
    /// A guild has other emoji than before.
    Emoji {
        /// Which guild.
        scope: Scope,
        /// All of its own that may be used now.
        emoji: Vec<GuildEmoji>,
    },
    /// A guild has other stickers than before.
    Stickers {
        /// Which guild.
        scope: Scope,
        /// The names of all of its own that may be used now.
        stickers: Vec<String>,
    },
    /// Somebody wrote a message, in a guild or directly to us.
    Message(Message),
    /// Somebody changed a message; this is what it says now.
    Edited(Message),
    /// Messages were deleted.
    Deleted {
        /// Whose they were.
        scope: Scope,
        /// Where they stood.
        channel: ChannelId,
        /// Which.
        messages: Vec<MessageId>,
    },
    /// Somebody put a reaction on a message.
    Reacted(Reaction),
    /// Reactions were taken off a message.
    Unreacted {
        /// Whose data it is.
        scope: Scope,
        /// The message.
        message: MessageId,
        /// Whose reactions; everybody's, if it does not say.
        user: Option<UserId>,
        /// Which; all, if it does not say.
        emoji: Option<String>,
    },
    /// Somebody joined a guild.
    MemberJoined(MemberSnapshot),
    /// A member of a guild is another than before: in name, in roles, or in
    /// having agreed to its rules.
    MemberUpdated(MemberSnapshot),
    /// Somebody is no longer in a guild, of their own will or not.
    MemberLeft {
        /// Which guild.
        scope: Scope,
        /// Who.
        user: UserId,
        /// The name people know them by everywhere.
        name: String,
        /// Whether it is a bot.
        is_bot: bool,
    },
    /// Somebody used a control of ours.
    Interaction(Box<Interaction>),
    /// Somebody who may wants another take of a turn.
    Again(Box<Turn>),
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

/// A guild as it is known from the gateway.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuildSnapshot {
    /// The guild.
    pub scope: Scope,
    /// Its name.
    pub name: String,
    /// Whether everything that was said before is news: the session is new.
    pub is_new_session: bool,
    /// The role in it that is ours alone: Discord made it when we came.
    pub my_roles: Vec<RoleId>,
    /// Its roles and their names.
    pub roles: Vec<(RoleId, String)>,
    /// Its own emoji that may be used.
    pub emoji: Vec<GuildEmoji>,
    /// The names of its own stickers that may be used.
    pub stickers: Vec<String>,
    /// Its channels and threads.
    pub channels: Vec<ChannelSnapshot>,
}

impl GuildSnapshot {
    /// A guild of which nothing but its name for us is known.
    pub const fn new(scope: Scope) -> Self {
        Self {
            scope,
            name: String::new(),
            is_new_session: false,
            my_roles: Vec::new(),
            roles: Vec::new(),
            emoji: Vec::new(),
            stickers: Vec::new(),
            channels: Vec::new(),
        }
    }
}

/// A member of a guild, as joins and changes tell of them. They do so only if
/// Discord lets us hear of members (`discord.guild_members`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberSnapshot {
    /// Which guild.
    pub scope: Scope,
    /// Who.
    pub id: UserId,
    /// The name people see: nickname, global name or user name.
    pub name: String,
    /// Whether it is a bot.
    pub is_bot: bool,
    /// When they joined. Guests, who are there for a call only, never did.
    pub joined_at: Option<Timestamp>,
    /// Whether they have yet to agree to the guild's rules: until then they can
    /// neither write nor be written to there.
    pub is_pending: bool,
    /// Their roles.
    pub roles: Vec<RoleId>,
}

impl MemberSnapshot {
    /// What names a turn that answers their joining.
    pub fn join(&self) -> Option<Trigger> {
        let at = self.joined_at?;
        Some(Trigger::Join(OccurrenceId::joined(self.id, at)))
    }
}

/// An emoji of a guild.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuildEmoji {
    /// Its id.
    pub id: EmojiId,
    /// Its name, without colons.
    pub name: String,
    /// Whether it moves.
    pub animated: bool,
}

/// A channel or thread as it is known from the gateway.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelSnapshot {
    /// Its id.
    pub id: ChannelId,
    /// What it is.
    pub kind: ChannelKind,
    /// Its name, without the sign in front.
    pub name: String,
    /// What it is about.
    pub topic: Option<String>,
    /// The channel of a thread or forum post.
    pub parent: Option<ChannelId>,
    /// Who began a thread or forum post.
    pub owner: Option<UserId>,
    /// The last message, if any.
    pub last_message: Option<MessageId>,
}

impl ChannelSnapshot {
    /// A text channel of which nothing else is known.
    pub const fn new(id: ChannelId) -> Self {
        Self {
            id,
            kind: ChannelKind::Text,
            name: String::new(),
            topic: None,
            parent: None,
            owner: None,
            last_message: None,
        }
    }
}

/// What a channel is, as far as that makes a difference to a conversation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChannelKind {
    /// A text channel of a guild.
    Text,
    /// An announcement channel.
    Announcement,
    /// A thread, of any kind of channel.
    Thread,
    /// A forum or media channel; its posts are threads.
    Forum,
    /// The text of a voice or stage channel.
    Voice,
    /// Direct messages with one person.
    Dm,
    /// Direct messages among several people.
    GroupDm,
    /// A kind in which we do not talk.
    Other,
}

/// A reaction that somebody put on a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reaction {
    /// Whose data it is.
    pub scope: Scope,
    /// Where the message stands.
    pub channel: ChannelId,
    /// The message.
    pub message: MessageId,
    /// Who wrote the message, if Discord says so.
    pub message_author: Option<UserId>,
    /// Who reacted.
    pub user: UserId,
    /// Whether a bot did, ourselves included.
    pub by_bot: bool,
    /// A Unicode emoji, or the name of a guild's own.
    pub emoji: String,
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
    /// What is done.
    pub kind: TaskKind,
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
    /// Something to say about an event, in words for the model.
    Instruction(Instruction),
    /// What somebody did with a control.
    Interaction(Box<Interaction>),
    /// What another persona said.
    Cue(Cue),
}

/// Something to say about an event that is itself no question, as about a stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// The event.
    pub trigger: Trigger,
    /// Whose data it touches.
    pub scope: Scope,
    /// Where it is said.
    pub channel: ChannelId,
    /// To whom.
    pub asker: UserId,
    /// What the model is told.
    pub text: String,
}

/// Words of one persona that name another, which answers them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cue {
    /// The last message of what was said.
    pub message: Message,
    /// Who said it.
    pub by: PersonaId,
    /// The message that the scene began with.
    pub root: MessageId,
    /// 1 for the first answer of one persona to another, and so on.
    pub depth: u8,
    /// Who wrote that message; what the answer may do is bounded by what they
    /// may do.
    pub asker: UserId,
}

impl Cue {
    /// What cannot be fetched again: [`root`](Self::root), [`depth`](Self::depth)
    /// and [`by`](Self::by).
    pub fn words(&self) -> String {
        format!("{} {} {}", self.root, self.depth, self.by)
    }

    /// What [`words`](Self::words) say.
    pub fn read_words(words: &str) -> Option<(MessageId, u8, PersonaId)> {
        let mut words = words.split(' ');
        let root = words.next()?.parse().ok()?;
        let depth = words.next()?.parse().ok()?;
        let by = words.next()?.parse().ok()?;
        words
            .next()
            .is_none()
            .then_some((root, depth, PersonaId::new(by)))
    }
}

impl Question {
    /// What names the turn.
    pub const fn trigger(&self) -> Trigger {
        match self {
            Self::Message(message) => Trigger::Message(message.id),
            Self::Scheduled(task) => {
                let due = OccurrenceId::due(task.schedule, task.due);
                match task.kind {
                    TaskKind::Remind => Trigger::Reminder(due),
                    TaskKind::Answer => Trigger::Schedule(due),
                }
            }
            Self::Instruction(instruction) => instruction.trigger,
            Self::Cue(cue) => Trigger::Cue(cue.message.id),
            Self::Interaction(interaction) => match interaction.kind {
                InteractionKind::Command(_) | InteractionKind::Completion { .. } => {
                    Trigger::Interaction(interaction.id)
                }
                InteractionKind::Component { .. } | InteractionKind::Form { .. } => {
                    Trigger::Component(interaction.id)
                }
            },
        }
    }

    /// Whose data it touches.
    pub const fn scope(&self) -> Scope {
        match self {
            Self::Message(message) => message.scope,
            Self::Scheduled(task) => task.scope,
            Self::Instruction(instruction) => instruction.scope,
            Self::Interaction(interaction) => interaction.scope,
            Self::Cue(cue) => cue.message.scope,
        }
    }

    /// Where it is answered.
    pub const fn channel(&self) -> ChannelId {
        match self {
            Self::Message(message) => message.channel,
            Self::Scheduled(task) => task.channel,
            Self::Instruction(instruction) => instruction.channel,
            Self::Interaction(interaction) => interaction.channel,
            Self::Cue(cue) => cue.message.channel,
        }
    }

    /// Who asks.
    pub const fn asker(&self) -> UserId {
        match self {
            Self::Message(message) => message.author.id,
            Self::Scheduled(task) => task.asker,
            Self::Instruction(instruction) => instruction.asker,
            Self::Interaction(interaction) => interaction.user.id,
            Self::Cue(cue) => cue.asker,
        }
    }

    /// The message, if it is one.
    pub const fn message(&self) -> Option<&Message> {
        match self {
            Self::Message(message) => Some(message),
            Self::Cue(cue) => Some(&cue.message),
            Self::Scheduled(_) | Self::Instruction(_) | Self::Interaction(_) => None,
        }
    }

    /// What it says, where that cannot be fetched again.
    pub fn words(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Message(_) | Self::Interaction(_) => None,
            Self::Scheduled(task) => Some(Cow::Borrowed(&task.text)),
            Self::Instruction(instruction) => Some(Cow::Borrowed(&instruction.text)),
            Self::Cue(cue) => Some(Cow::Owned(cue.words())),
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
    /// The roles it mentions.
    pub mention_roles: Vec<RoleId>,
    /// The message it replies to.
    pub reply: Option<Reply>,
    /// The message it passes on from elsewhere.
    pub forward: Option<Box<Forward>>,
    /// The files that came with it.
    pub attachments: Vec<Attachment>,
    /// What is embedded in it, as by a bot or a link preview.
    pub embeds: Vec<Embed>,
    /// The names of its stickers.
    pub stickers: Vec<String>,
    /// The poll that it is.
    pub poll: Option<Poll>,
    /// The reactions on it and their number, where they are known.
    pub reactions: Vec<(String, u32)>,
    /// When it was last changed, if it was.
    pub edited_at: Option<Timestamp>,
}

impl Message {
    /// A message of words alone.
    pub const fn new(
        id: MessageId,
        scope: Scope,
        channel: ChannelId,
        author: Author,
        text: String,
    ) -> Self {
        Self {
            id,
            scope,
            channel,
            author,
            text,
            mentions: Vec::new(),
            mention_roles: Vec::new(),
            reply: None,
            forward: None,
            attachments: Vec::new(),
            embeds: Vec::new(),
            stickers: Vec::new(),
            poll: None,
            reactions: Vec::new(),
            edited_at: None,
        }
    }

    /// Whether there is nothing to see in it.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
            && self.forward.is_none()
            && self.attachments.is_empty()
            && self.embeds.is_empty()
            && self.stickers.is_empty()
            && self.poll.is_none()
    }

    /// The images that came with it.
    pub fn images(&self) -> impl Iterator<Item = &Attachment> {
        self.attachments.iter().filter(|file| file.is_image())
    }
}

/// A message that was passed on from elsewhere.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Forward {
    /// Its text.
    pub text: String,
    /// The files that came with it.
    pub attachments: Vec<Attachment>,
    /// What is embedded in it.
    pub embeds: Vec<Embed>,
}

/// Something embedded in a message, in words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Embed {
    /// Its title.
    pub title: Option<String>,
    /// Its text.
    pub description: Option<String>,
    /// Its fields: name and value.
    pub fields: Vec<(String, String)>,
    /// Where it leads.
    pub url: Option<String>,
}

/// A poll.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Poll {
    /// What is asked.
    pub question: String,
    /// What may be answered.
    pub answers: Vec<String>,
}

/// A file that came with a message.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// Where it can be fetched for a while.
    pub url: String,
    /// How large it is.
    pub bytes: u64,
    /// What it is, like `image/png`, if Discord knows.
    pub media_type: Option<String>,
    /// What it shows, in its sender's words.
    pub description: Option<String>,
}

impl Attachment {
    /// Whether it is an image.
    pub fn is_image(&self) -> bool {
        let kind = self.media_type.as_deref();
        kind.is_some_and(|kind| kind.starts_with("image/"))
    }
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
    /// Their roles in the guild, where they are known.
    pub roles: Vec<RoleId>,
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
    /// What it said, unless it was deleted or not sent along.
    pub target: Option<Box<Message>>,
}

impl Reply {
    /// Who wrote the message replied to, if that is known.
    pub fn author(&self) -> Option<UserId> {
        self.target.as_ref().map(|message| message.author.id)
    }

    /// The images that came with it, if they are known.
    pub fn images(&self) -> impl Iterator<Item = &Attachment> {
        self.target.iter().flat_map(|message| message.images())
    }
}
