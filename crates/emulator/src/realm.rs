//! What exists: guilds, people, channels and their messages.

mod application;
mod audit;
mod channel_messages;
mod command;
mod community;
mod founding;
mod guild_channel;
mod guild_settings;
mod history;
mod interaction;
mod message;
mod moderation;
mod permissions;
mod thread;
mod webhook;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    snowflake::{Mint, Snowflake, now},
    world::PrivilegedIntent,
};

pub(crate) use application::ApplicationProfile;
pub(crate) use audit::{AuditAction, AuditEntry, AuditLog};
pub(crate) use command::{AppCommand, AppCommands, CommandKind, CommandPermission, PermissionsKey};
pub(crate) use community::{
    Community, EventEntity, EventStatus, GuildTemplate, ModerationRule, Onboarding, RuleAction,
    RuleTrigger, ScheduledEvent, Sound, StageInstance, TriggerMetadata, WelcomeScreen,
};
pub(crate) use guild_channel::{
    DefaultReaction, ForumSettings, ForumTag, GuildChannel, VoiceSettings,
};
pub(crate) use guild_settings::GuildSettings;
pub(crate) use interaction::{
    EphemeralMessage, EphemeralMessages, Interaction, InteractionKind, Interactions, OpenedModal,
    UsedCommand,
};
pub(crate) use message::{
    Attachment, AuthorLook, Dimensions, Emoji, InteractionTrace, Message, MessageKind, Nonce,
    Reaction, Reference, Vote, WebhookIdentity, signature, signed,
};
pub(crate) use moderation::{Ban, Invite, InviteTarget};
pub(crate) use permissions::{
    Overwrite, PermissionSet, Target, in_channel, in_guild, outranks, stands_above,
};
pub(crate) use thread::{Thread, ThreadKind, ThreadMember};
pub(crate) use webhook::Webhook;

/// Everything that clients can read or change.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Realm {
    /// In the order of the world file. There is at least one.
    pub(crate) guilds: Vec<Guild>,
    /// In the order of the world file, then those made since. There is at
    /// least one.
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
    /// The bots of the world file, its humans, then those who came since.
    pub(crate) members: Vec<Member>,
    pub(crate) emojis: Vec<CustomEmoji>,
    pub(crate) stickers: Vec<Sticker>,
    pub(crate) settings: GuildSettings,
    pub(crate) bans: Vec<Ban>,
    /// Who was a member before.
    #[serde(default)]
    pub(crate) former: BTreeSet<Snowflake>,
    pub(crate) invites: Vec<Invite>,
    pub(crate) audit: AuditLog,
    #[serde(default)]
    pub(crate) community: Community,
}

/// A picture that a guild calls by a name.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CustomEmoji {
    pub(crate) id: Snowflake,
    pub(crate) name: String,
    /// Who may use it; everybody if empty.
    pub(crate) roles: Vec<Snowflake>,
    pub(crate) creator: Option<Snowflake>,
    pub(crate) animated: bool,
}

/// A larger picture, which is a message of its own.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Sticker {
    pub(crate) id: Snowflake,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) tags: String,
    /// Discord Docs/Sticker, Sticker Format Types.
    pub(crate) format: u8,
    pub(crate) creator: Option<Snowflake>,
}

/// A person's place in a guild.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Member {
    pub(crate) person: Snowflake,
    pub(crate) nickname: Option<String>,
    pub(crate) roles: Vec<Snowflake>,
    pub(crate) joined: Timestamp,
    /// Until then they may only read.
    pub(crate) timed_out_until: Option<Timestamp>,
    /// Discord Docs/Guild, Guild Member Flags.
    pub(crate) flags: u64,
    /// Pictures for this guild alone.
    #[serde(default)]
    pub(crate) avatar: Option<String>,
    #[serde(default)]
    pub(crate) banner: Option<String>,
}

impl Member {
    pub(crate) fn new(person: Snowflake, joined: Timestamp) -> Self {
        Self {
            person,
            nickname: None,
            roles: Vec::new(),
            joined,
            timed_out_until: None,
            flags: 0,
            avatar: None,
            banner: None,
        }
    }

    /// They left, or were removed, and came again. Discord Docs/Guild, Guild
    /// Member Flags.
    pub(crate) const REJOINED: u64 = 1 << 0;

    /// AutoMod blocked one of their names. Discord Docs/Guild, Guild Member
    /// Flags.
    pub(crate) const NAME_BLOCKED: u64 = 1 << 7;

    /// Timed out, or with a name that a rule forbids.
    pub(crate) fn silenced(&self) -> bool {
        self.timed_out_until.is_some_and(|until| until > now())
            || self.flags & Self::NAME_BLOCKED != 0
    }
}

/// What a developer registered: a bot account and what it may ask for.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Application {
    pub(crate) id: Snowflake,
    /// The account of its bot.
    pub(crate) bot: Snowflake,
    pub(crate) granted: Vec<PrivilegedIntent>,
    /// Emoji that belong to it rather than to a guild.
    pub(crate) emojis: Vec<CustomEmoji>,
    #[serde(default)]
    pub(crate) profile: ApplicationProfile,
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
    /// The hash of a picture that the CDN serves.
    pub(crate) avatar: Option<String>,
    pub(crate) banner: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Channel {
    pub(crate) id: Snowflake,
    pub(crate) kind: ChannelKind,
    /// Oldest first.
    pub(crate) messages: VecDeque<Message>,
    pub(crate) last_message: Option<Snowflake>,
    pub(crate) last_pin: Option<Timestamp>,
    /// When people whom slow mode holds last wrote or began a thread.
    pub(crate) last_written: BTreeMap<Snowflake, Timestamp>,
    nonces: VecDeque<(Snowflake, Nonce, Snowflake)>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ChannelKind {
    Guild(GuildChannel),
    Thread(Thread),
    Direct { people: [Snowflake; 2] },
}

/// What a channel of a guild is for. Categories hold channels, forums and
/// media channels hold posts, all others messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum GuildChannelKind {
    #[default]
    Text,
    Voice,
    Announcement,
    Forum,
    Category,
    Stage,
    Media,
}

impl GuildChannelKind {
    /// Discord Docs/Channel, Channel Types.
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::Text => 0,
            Self::Voice => 2,
            Self::Category => 4,
            Self::Announcement => 5,
            Self::Stage => 13,
            Self::Forum => 15,
            Self::Media => 16,
        }
    }

    pub(crate) fn from_number(number: u64) -> Option<Self> {
        let all = [
            Self::Text,
            Self::Voice,
            Self::Category,
            Self::Announcement,
            Self::Stage,
            Self::Forum,
            Self::Media,
        ];
        all.into_iter()
            .find(|kind| u64::from(kind.number()) == number)
    }

    /// Whether people speak in it.
    pub(crate) fn spoken(self) -> bool {
        matches!(self, Self::Voice | Self::Stage)
    }

    /// Whether it has posts, and no messages of its own.
    pub(crate) fn of_posts(self) -> bool {
        matches!(self, Self::Forum | Self::Media)
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

    pub(crate) fn application_of_mut(&mut self, bot: Snowflake) -> Option<&mut Application> {
        self.applications.iter_mut().find(|it| it.bot == bot)
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
        seen.sort_by_key(|channel| (channel.position(), channel.id));
        seen
    }

    /// A guild's emoji among the guilds that a person is in.
    pub(crate) fn emoji(&self, person: Snowflake, id: Snowflake) -> Option<&CustomEmoji> {
        let own = self.application_of(person);
        self.guilds_of(person)
            .flat_map(|guild| &guild.emojis)
            .chain(own.iter().flat_map(|it| &it.emojis))
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

    pub(crate) fn member_mut(&mut self, person: Snowflake) -> Option<&mut Member> {
        let mut members = self.members.iter_mut();
        members.find(|member| member.person == person)
    }

    pub(crate) fn role(&self, id: Snowflake) -> Option<&Role> {
        self.roles.iter().find(|role| role.id == id)
    }
}

impl Channel {
    pub(crate) fn new(id: Snowflake, kind: ChannelKind) -> Self {
        Self {
            id,
            kind,
            messages: VecDeque::new(),
            last_message: None,
            last_pin: None,
            last_written: BTreeMap::new(),
            nonces: VecDeque::new(),
        }
    }

    pub(crate) fn direct(&self) -> bool {
        matches!(self.kind, ChannelKind::Direct { .. })
    }

    pub(crate) fn guild(&self) -> Option<Snowflake> {
        match &self.kind {
            ChannelKind::Guild(channel) => Some(channel.guild),
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

    /// A channel that is neither a thread nor a direct message.
    pub(crate) fn of_guild(&self) -> Option<&GuildChannel> {
        match &self.kind {
            ChannelKind::Guild(channel) => Some(channel),
            _ => None,
        }
    }

    pub(crate) fn of_guild_mut(&mut self) -> Option<&mut GuildChannel> {
        match &mut self.kind {
            ChannelKind::Guild(channel) => Some(channel),
            _ => None,
        }
    }

    pub(crate) fn forum(&self) -> bool {
        self.of_guild().is_some_and(|it| it.kind.of_posts())
    }

    pub(crate) fn category(&self) -> bool {
        let category = GuildChannelKind::Category;
        self.of_guild().is_some_and(|it| it.kind == category)
    }

    /// Seconds that people wait between two messages.
    pub(crate) fn slow_mode(&self) -> u64 {
        match &self.kind {
            ChannelKind::Guild(channel) => channel.slow_mode,
            ChannelKind::Thread(thread) => thread.slow_mode,
            ChannelKind::Direct { .. } => 0,
        }
    }

    /// Discord Docs/Channel, Channel Types.
    pub(crate) fn number(&self) -> u8 {
        match &self.kind {
            ChannelKind::Guild(channel) => channel.kind.number(),
            ChannelKind::Thread(thread) => thread.kind.number(),
            ChannelKind::Direct { .. } => 1,
        }
    }

    fn position(&self) -> usize {
        self.of_guild().map_or(0, |channel| channel.position)
    }
}
