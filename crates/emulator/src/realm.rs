//! What exists: guilds, people, channels and their messages.

mod command;
mod founding;
mod history;
mod interaction;
mod message;
mod permissions;
mod thread;
mod webhook;

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use crate::{
    limits,
    snowflake::{Mint, Snowflake, now},
    world::PrivilegedIntent,
};

pub(crate) use command::{AppCommand, AppCommands, CommandKind, CommandPermission, PermissionsKey};
pub(crate) use interaction::{
    EphemeralMessage, EphemeralMessages, Interaction, InteractionKind, Interactions, OpenedModal,
    UsedCommand,
};
pub(crate) use message::{
    Attachment, AuthorLook, Dimensions, Emoji, InteractionTrace, Message, MessageKind, Nonce,
    Reaction, Reference, WebhookIdentity,
};
pub(crate) use permissions::{Overwrite, PermissionSet, Target, in_channel, in_guild};
pub(crate) use thread::{Thread, ThreadKind, ThreadMember};
pub(crate) use webhook::Webhook;

/// Everything that clients can read or change.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Realm {
    /// In the order of the world file. There is at least one.
    pub(crate) guilds: Vec<Guild>,
    /// In the order of the world file. There is at least one.
    pub(crate) applications: Vec<Application>,
    /// The bots first, then the humans in the order of the world file.
    pub(crate) people: Vec<UserAccount>,
    /// The channels of all guilds, and direct messages.
    pub(crate) channels: BTreeMap<Snowflake, Channel>,
    pub(crate) commands: AppCommands,
    // Not for longer than a quarter of an hour, so not in a snapshot.
    #[serde(skip)]
    pub(crate) interactions: Interactions,
    #[serde(skip)]
    pub(crate) ephemeral: EphemeralMessages,
    /// In the order they were made.
    pub(crate) webhooks: Vec<Webhook>,
    pub(crate) mint: Mint,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Guild {
    pub(crate) id: Snowflake,
    pub(crate) name: String,
    pub(crate) owner: Snowflake,
    /// `@everyone` first, whose id is the guild's.
    pub(crate) roles: Vec<Role>,
    /// The bots first, then the humans in the order of the world file.
    pub(crate) members: Vec<Member>,
    pub(crate) emojis: Vec<CustomEmoji>,
    pub(crate) stickers: Vec<Sticker>,
}

/// A picture that a guild calls by a name.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CustomEmoji {
    pub(crate) id: Snowflake,
    pub(crate) name: String,
}

/// A larger picture, which is a message of its own.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Sticker {
    pub(crate) id: Snowflake,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
}

/// A person's place in a guild.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Member {
    pub(crate) person: Snowflake,
    pub(crate) nickname: Option<String>,
    pub(crate) roles: Vec<Snowflake>,
}

/// What a developer registered: a bot account and what it may ask for.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Application {
    pub(crate) id: Snowflake,
    /// The account of its bot.
    pub(crate) bot: Snowflake,
    pub(crate) granted: Vec<PrivilegedIntent>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Role {
    pub(crate) id: Snowflake,
    pub(crate) name: String,
    pub(crate) permissions: PermissionSet,
    pub(crate) color: u32,
    pub(crate) hoist: bool,
    pub(crate) mentionable: bool,
    pub(crate) position: usize,
    /// The bot that came with this role, and for which Discord keeps it.
    pub(crate) bot: Option<Snowflake>,
}

/// A user, who is a member of one guild or more.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct UserAccount {
    pub(crate) id: Snowflake,
    pub(crate) name: String,
    pub(crate) bot: bool,
    pub(crate) token: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Channel {
    pub(crate) id: Snowflake,
    pub(crate) kind: ChannelKind,
    /// Oldest first.
    pub(crate) messages: VecDeque<Message>,
    pub(crate) last_message: Option<Snowflake>,
    nonces: VecDeque<(Snowflake, Nonce, Snowflake)>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ChannelKind {
    Guild {
        guild: Snowflake,
        kind: GuildChannelKind,
        name: String,
        topic: Option<String>,
        position: usize,
        overwrites: Vec<Overwrite>,
    },
    Thread(Thread),
    Direct {
        people: [Snowflake; 2],
    },
}

/// What a channel of a guild is for. All but a forum hold messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum GuildChannelKind {
    #[default]
    Text,
    Voice,
    Announcement,
    Forum,
}

impl GuildChannelKind {
    /// Discord Docs/Channel, Channel Types.
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::Text => 0,
            Self::Voice => 2,
            Self::Announcement => 5,
            Self::Forum => 15,
        }
    }
}

impl Realm {
    pub(crate) fn person(&self, id: Snowflake) -> Option<&UserAccount> {
        self.people.iter().find(|person| person.id == id)
    }

    /// The application that a bot account belongs to.
    pub(crate) fn application_of(&self, bot: Snowflake) -> Option<&Application> {
        self.applications.iter().find(|it| it.bot == bot)
    }

    /// Whether a person has what an intent guards: humans do, bots when they
    /// were granted it.
    pub(crate) fn grants(&self, person: Snowflake, intent: PrivilegedIntent) -> bool {
        let application = self.application_of(person);
        application.is_none_or(|it| it.granted.contains(&intent))
    }

    pub(crate) fn may_see(&self, person: &UserAccount, channel: &Channel) -> bool {
        in_channel(self, person, channel).has(PermissionSet::VIEW_CHANNEL)
    }

    pub(crate) fn guild(&self, id: Snowflake) -> Option<&Guild> {
        self.guilds.iter().find(|guild| guild.id == id)
    }

    /// The guilds that a person is in.
    pub(crate) fn guilds_of(&self, person: Snowflake) -> impl Iterator<Item = &Guild> {
        let has = move |guild: &&Guild| guild.member(person).is_some();
        self.guilds.iter().filter(has)
    }

    /// The guild that a channel belongs to; none for a direct message.
    pub(crate) fn guild_around(&self, channel: &Channel) -> Option<&Guild> {
        self.guild(channel.guild()?)
    }

    /// The channels of a guild that a person may see, in the order of the list.
    pub(crate) fn guild_channels(&self, guild: &Guild, person: &UserAccount) -> Vec<&Channel> {
        let mut seen: Vec<_> = self
            .channels
            .values()
            .filter(|channel| channel.guild() == Some(guild.id) && channel.thread().is_none())
            .filter(|channel| self.may_see(person, channel))
            .collect();
        seen.sort_by_key(|channel| channel.position());
        seen
    }

    /// A guild's emoji among the guilds that a person is in.
    pub(crate) fn emoji(&self, person: Snowflake, id: Snowflake) -> Option<&CustomEmoji> {
        self.guilds_of(person)
            .flat_map(|guild| &guild.emojis)
            .find(|emoji| emoji.id == id)
    }

    /// The conversation of two people, opened if they have none yet. The flag
    /// says whether it is new.
    pub(crate) fn open_direct(&mut self, a: Snowflake, b: Snowflake) -> (Snowflake, bool) {
        let people = [a.min(b), a.max(b)];
        let known = self.channels.values().find(|channel| {
            matches!(&channel.kind, ChannelKind::Direct { people: theirs } if *theirs == people)
        });
        if let Some(channel) = known {
            return (channel.id, false);
        }
        let id = self.mint.next();
        let channel = Channel::new(id, ChannelKind::Direct { people });
        self.channels.insert(id, channel);
        (id, true)
    }
}

impl Guild {
    pub(crate) fn member(&self, person: Snowflake) -> Option<&Member> {
        self.members.iter().find(|member| member.person == person)
    }
}

impl Channel {
    fn new(id: Snowflake, kind: ChannelKind) -> Self {
        Self {
            id,
            kind,
            messages: VecDeque::new(),
            last_message: None,
            nonces: VecDeque::new(),
        }
    }

    pub(crate) fn direct(&self) -> bool {
        matches!(self.kind, ChannelKind::Direct { .. })
    }

    pub(crate) fn guild(&self) -> Option<Snowflake> {
        match &self.kind {
            ChannelKind::Guild { guild, .. } => Some(*guild),
            ChannelKind::Thread(thread) => Some(thread.guild),
            ChannelKind::Direct { .. } => None,
        }
    }

    pub(crate) fn thread(&self) -> Option<&Thread> {
        match &self.kind {
            ChannelKind::Thread(thread) => Some(thread),
            _ => None,
        }
    }

    pub(crate) fn thread_mut(&mut self) -> Option<&mut Thread> {
        match &mut self.kind {
            ChannelKind::Thread(thread) => Some(thread),
            _ => None,
        }
    }

    pub(crate) fn forum(&self) -> bool {
        let kind = GuildChannelKind::Forum;
        matches!(&self.kind, ChannelKind::Guild { kind: k, .. } if *k == kind)
    }

    /// Discord Docs/Channel, Channel Types.
    pub(crate) fn number(&self) -> u8 {
        match &self.kind {
            ChannelKind::Guild { kind, .. } => kind.number(),
            ChannelKind::Thread(thread) => thread.kind.number(),
            ChannelKind::Direct { .. } => 1,
        }
    }

    fn position(&self) -> usize {
        match self.kind {
            ChannelKind::Guild { position, .. } => position,
            _ => 0,
        }
    }

    fn place(&self, id: Snowflake) -> Result<usize, usize> {
        self.messages
            .binary_search_by_key(&id, |message| message.id)
    }

    pub(crate) fn message(&self, id: Snowflake) -> Option<&Message> {
        self.messages.get(self.place(id).ok()?)
    }

    pub(crate) fn message_mut(&mut self, id: Snowflake) -> Option<&mut Message> {
        let place = self.place(id).ok()?;
        self.messages.get_mut(place)
    }

    pub(crate) fn post(&mut self, message: Message) {
        self.last_message = Some(message.id);
        if let Some(nonce) = &message.nonce {
            self.nonces
                .push_back((message.author, nonce.clone(), message.id));
        }
        while self.nonces.len() > limits::NONCES_PER_CHANNEL {
            self.nonces.pop_front();
        }
        // A thread counts all but what it begins with.
        let counts = message.kind != MessageKind::ThreadStarter && message.id != self.id;
        if let Some(thread) = self.thread_mut().filter(|_| counts) {
            thread.messages += 1;
            thread.sent += 1;
        }
        self.messages.push_back(message);
        while self.messages.len() > limits::MESSAGES_PER_CHANNEL {
            self.messages.pop_front();
        }
    }

    pub(crate) fn remove(&mut self, id: Snowflake) -> bool {
        let Ok(place) = self.place(id) else {
            return false;
        };
        if let Some(thread) = self.thread_mut() {
            thread.messages = thread.messages.saturating_sub(1);
        }
        self.messages.remove(place).is_some()
    }

    /// The message that an author already sent with a nonce, if that was a
    /// few minutes ago at most.
    pub(crate) fn sent_with(&self, author: Snowflake, nonce: &Nonce) -> Option<Snowflake> {
        let (_, _, id) = self
            .nonces
            .iter()
            .rev()
            .find(|(who, theirs, _)| *who == author && theirs == nonce)?;
        let age = Duration::try_from(now().duration_since(id.timestamp())).unwrap_or_default();
        (age <= limits::NONCE_REMEMBERED).then_some(*id)
    }

    /// Up to `limit` messages before an id (all when `None`), newest first.
    pub(crate) fn before(&self, id: Option<Snowflake>, limit: usize) -> Vec<&Message> {
        let end = id.map_or(self.messages.len(), |id| {
            self.place(id).unwrap_or_else(|at| at)
        });
        self.messages
            .range(end.saturating_sub(limit)..end)
            .rev()
            .collect()
    }

    /// The `limit` messages that follow an id most closely, newest first.
    pub(crate) fn after(&self, id: Snowflake, limit: usize) -> Vec<&Message> {
        let start = self.place(id).map_or_else(|at| at, |at| at + 1);
        let end = (start + limit).min(self.messages.len());
        self.messages.range(start..end).rev().collect()
    }

    /// Messages on both sides of an id and the message itself, newest first.
    pub(crate) fn around(&self, id: Snowflake, limit: usize) -> Vec<&Message> {
        let mut page = self.after(id, limit / 2);
        page.extend(self.message(id));
        let rest = limit - page.len().min(limit);
        page.extend(self.before(Some(id), rest.min(limit.div_ceil(2))));
        page.truncate(limit);
        page
    }
}
