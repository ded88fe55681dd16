//! Permissions: their bits, their names in a world file, and how roles and
//! overwrites combine.

mod hierarchy;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Channel, ChannelKind, Guild, Member, Realm, ThreadKind, UserAccount};
use crate::snowflake::Snowflake;
pub(crate) use hierarchy::{outranks, stands_above};

/// A set of permissions. On the wire it is a decimal string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PermissionSet(u64);

impl PermissionSet {
    pub(crate) const CREATE_INSTANT_INVITE: Self = Self(1 << 0);
    pub(crate) const KICK_MEMBERS: Self = Self(1 << 1);
    pub(crate) const BAN_MEMBERS: Self = Self(1 << 2);
    pub(crate) const ADMINISTRATOR: Self = Self(1 << 3);
    pub(crate) const MANAGE_GUILD: Self = Self(1 << 5);
    pub(crate) const ADD_REACTIONS: Self = Self(1 << 6);
    pub(crate) const VIEW_AUDIT_LOG: Self = Self(1 << 7);
    pub(crate) const VIEW_CHANNEL: Self = Self(1 << 10);
    pub(crate) const SEND_MESSAGES: Self = Self(1 << 11);
    pub(crate) const SEND_TTS_MESSAGES: Self = Self(1 << 12);
    pub(crate) const MANAGE_MESSAGES: Self = Self(1 << 13);
    pub(crate) const EMBED_LINKS: Self = Self(1 << 14);
    pub(crate) const ATTACH_FILES: Self = Self(1 << 15);
    pub(crate) const READ_MESSAGE_HISTORY: Self = Self(1 << 16);
    pub(crate) const MENTION_EVERYONE: Self = Self(1 << 17);

    pub(crate) const MANAGE_CHANNELS: Self = Self(1 << 4);
    pub(crate) const CONNECT: Self = Self(1 << 20);
    pub(crate) const SPEAK: Self = Self(1 << 21);
    pub(crate) const REQUEST_TO_SPEAK: Self = Self(1 << 32);
    pub(crate) const SET_VOICE_CHANNEL_STATUS: Self = Self(1 << 48);
    pub(crate) const MANAGE_EVENTS: Self = Self(1 << 33);
    pub(crate) const USE_SOUNDBOARD: Self = Self(1 << 42);
    pub(crate) const CREATE_EVENTS: Self = Self(1 << 44);
    pub(crate) const MANAGE_WEBHOOKS: Self = Self(1 << 29);
    pub(crate) const USE_APPLICATION_COMMANDS: Self = Self(1 << 31);
    pub(crate) const MUTE_MEMBERS: Self = Self(1 << 22);
    pub(crate) const DEAFEN_MEMBERS: Self = Self(1 << 23);
    pub(crate) const MOVE_MEMBERS: Self = Self(1 << 24);
    pub(crate) const CHANGE_NICKNAME: Self = Self(1 << 26);
    pub(crate) const MANAGE_NICKNAMES: Self = Self(1 << 27);
    pub(crate) const MANAGE_ROLES: Self = Self(1 << 28);
    pub(crate) const MANAGE_GUILD_EXPRESSIONS: Self = Self(1 << 30);
    pub(crate) const MANAGE_THREADS: Self = Self(1 << 34);
    pub(crate) const CREATE_PUBLIC_THREADS: Self = Self(1 << 35);
    pub(crate) const CREATE_PRIVATE_THREADS: Self = Self(1 << 36);
    pub(crate) const SEND_MESSAGES_IN_THREADS: Self = Self(1 << 38);
    pub(crate) const MODERATE_MEMBERS: Self = Self(1 << 40);
    pub(crate) const CREATE_GUILD_EXPRESSIONS: Self = Self(1 << 43);
    pub(crate) const SEND_POLLS: Self = Self(1 << 49);
    pub(crate) const PIN_MESSAGES: Self = Self(1 << 51);
    pub(crate) const BYPASS_SLOWMODE: Self = Self(1 << 52);

    pub(crate) const STREAM: Self = Self(1 << 9);
    pub(crate) const USE_EXTERNAL_EMOJIS: Self = Self(1 << 18);
    pub(crate) const USE_VAD: Self = Self(1 << 25);
    pub(crate) const USE_EXTERNAL_STICKERS: Self = Self(1 << 37);
    pub(crate) const USE_EMBEDDED_ACTIVITIES: Self = Self(1 << 39);
    pub(crate) const SEND_VOICE_MESSAGES: Self = Self(1 << 46);
    pub(crate) const USE_EXTERNAL_APPS: Self = Self(1 << 50);

    /// What `@everyone` may do in a new guild, except that pinging the whole
    /// guild is left to those who are trusted with it.
    pub(crate) const EVERYONE: Self = Self(
        Self::ADD_REACTIONS.0
            | Self::VIEW_CHANNEL.0
            | Self::SEND_MESSAGES.0
            | Self::EMBED_LINKS.0
            | Self::ATTACH_FILES.0
            | Self::READ_MESSAGE_HISTORY.0
            | Self::CONNECT.0
            | Self::CREATE_PUBLIC_THREADS.0
            | Self::CREATE_PRIVATE_THREADS.0
            | Self::SEND_MESSAGES_IN_THREADS.0
            | Self::SEND_POLLS.0
            | Self::CREATE_INSTANT_INVITE.0
            | Self::USE_EXTERNAL_EMOJIS.0
            | Self::CHANGE_NICKNAME.0
            | Self::USE_APPLICATION_COMMANDS.0
            | Self::STREAM.0
            | Self::SPEAK.0
            | Self::USE_VAD.0
            | Self::REQUEST_TO_SPEAK.0
            | Self::USE_EXTERNAL_STICKERS.0
            | Self::USE_EMBEDDED_ACTIVITIES.0
            | Self::USE_SOUNDBOARD.0
            | Self::CREATE_EVENTS.0
            | Self::SEND_VOICE_MESSAGES.0
            | Self::USE_EXTERNAL_APPS.0,
    );

    /// What everyone may do in a direct message.
    const DIRECT: Self = Self(
        Self::ADD_REACTIONS.0
            | Self::VIEW_CHANNEL.0
            | Self::SEND_MESSAGES.0
            | Self::SEND_TTS_MESSAGES.0
            | Self::EMBED_LINKS.0
            | Self::ATTACH_FILES.0
            | Self::READ_MESSAGE_HISTORY.0
            | Self::MENTION_EVERYONE.0
            | Self::SEND_POLLS.0
            | Self::PIN_MESSAGES.0,
    );

    /// What is left to a member who is timed out.
    const TIMED_OUT: Self = Self(Self::VIEW_CHANNEL.0 | Self::READ_MESSAGE_HISTORY.0);

    /// Those that are known: libraries send what they have heard of.
    pub(crate) fn from_bits(bits: u64) -> Self {
        Self(bits).both(Self::all())
    }

    pub(crate) fn has(self, wanted: Self) -> bool {
        self.0 & wanted.0 == wanted.0
    }

    pub(crate) fn with(self, more: Self) -> Self {
        Self(self.0 | more.0)
    }

    fn without(self, less: Self) -> Self {
        Self(self.0 & !less.0)
    }

    pub(crate) fn both(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn all() -> Self {
        NAMES
            .iter()
            .fold(Self(0), |sum, (_, bit)| Self(sum.0 | 1 << bit))
    }
}

impl FromIterator<PermissionSet> for PermissionSet {
    fn from_iter<I: IntoIterator<Item = PermissionSet>>(all: I) -> Self {
        all.into_iter().fold(Self(0), Self::with)
    }
}

impl Serialize for PermissionSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Reads one permission by its name in Discord's table, in lower case, or many
/// as they are written.
impl<'de> Deserialize<'de> for PermissionSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        if let Ok(bits) = name.parse() {
            return Ok(Self(bits));
        }
        match NAMES.iter().find(|(known, _)| *known == name) {
            Some((_, bit)) => Ok(Self(1 << bit)),
            None => {
                let names: Vec<_> = NAMES.iter().map(|(name, _)| *name).collect();
                Err(de::Error::custom(format_args!(
                    "unknown permission `{name}`, expected one of: {}",
                    names.join(", ")
                )))
            }
        }
    }
}

/// Discord Docs/Permissions, Bitwise Permission Flags.
const NAMES: &[(&str, u32)] = &[
    ("create_instant_invite", 0),
    ("kick_members", 1),
    ("ban_members", 2),
    ("administrator", 3),
    ("manage_channels", 4),
    ("manage_guild", 5),
    ("add_reactions", 6),
    ("view_audit_log", 7),
    ("priority_speaker", 8),
    ("stream", 9),
    ("view_channel", 10),
    ("send_messages", 11),
    ("send_tts_messages", 12),
    ("manage_messages", 13),
    ("embed_links", 14),
    ("attach_files", 15),
    ("read_message_history", 16),
    ("mention_everyone", 17),
    ("use_external_emojis", 18),
    ("view_guild_insights", 19),
    ("connect", 20),
    ("speak", 21),
    ("mute_members", 22),
    ("deafen_members", 23),
    ("move_members", 24),
    ("use_vad", 25),
    ("change_nickname", 26),
    ("manage_nicknames", 27),
    ("manage_roles", 28),
    ("manage_webhooks", 29),
    ("manage_guild_expressions", 30),
    ("use_application_commands", 31),
    ("request_to_speak", 32),
    ("manage_events", 33),
    ("manage_threads", 34),
    ("create_public_threads", 35),
    ("create_private_threads", 36),
    ("use_external_stickers", 37),
    ("send_messages_in_threads", 38),
    ("use_embedded_activities", 39),
    ("moderate_members", 40),
    ("view_creator_monetization_analytics", 41),
    ("use_soundboard", 42),
    ("create_guild_expressions", 43),
    ("create_events", 44),
    ("send_voice_messages", 46),
    ("use_external_sounds", 45),
    ("set_voice_channel_status", 48),
    ("send_polls", 49),
    ("use_external_apps", 50),
    ("pin_messages", 51),
    ("bypass_slowmode", 52),
];

/// Whom an overwrite is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Target {
    Role(Snowflake),
    Member(Snowflake),
}

impl Target {
    pub(crate) fn id(self) -> Snowflake {
        let (Self::Role(id) | Self::Member(id)) = self;
        id
    }
}

/// An exception to the roles in one channel.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Overwrite {
    pub(crate) target: Target,
    pub(crate) allow: PermissionSet,
    pub(crate) deny: PermissionSet,
}

impl Overwrite {
    /// What is allowed or denied otherwise than before.
    pub(crate) fn changed_from(&self, before: &Self) -> PermissionSet {
        let allow = self.allow.0 ^ before.allow.0;
        let deny = self.deny.0 ^ before.deny.0;
        PermissionSet(allow | deny)
    }
}

/// What a member may do in a guild as a whole.
pub(crate) fn in_guild(guild: &Guild, member: &Member) -> PermissionSet {
    if member.person == guild.owner {
        return PermissionSet::all();
    }
    let held: PermissionSet = guild
        .roles
        .iter()
        .filter(|role| role.id == guild.id || member.roles.contains(&role.id))
        .map(|role| role.permissions)
        .collect();
    if held.has(PermissionSet::ADMINISTRATOR) {
        PermissionSet::all()
    } else {
        unless_silenced(member, held)
    }
}

/// A member who is timed out, or whose name is blocked, may only look and read.
fn unless_silenced(member: &Member, held: PermissionSet) -> PermissionSet {
    if member.silenced() {
        held.both(PermissionSet::TIMED_OUT)
    } else {
        held
    }
}

/// What a person may do in a channel: base, then the overwrites of
/// `@everyone`, of the roles taken together, and of the member. Outside of
/// one's guilds that is nothing.
///
/// A thread has the permissions of its parent, except that another one lets
/// people write. Private threads are for their members and those who manage
/// threads.
pub(crate) fn in_channel(realm: &Realm, person: &UserAccount, channel: &Channel) -> PermissionSet {
    if let ChannelKind::Direct { people } = &channel.kind {
        return if people.contains(&person.id) {
            PermissionSet::DIRECT
        } else {
            PermissionSet::default()
        };
    }
    let Some(parent) = realm.parent(channel) else {
        return PermissionSet::default();
    };
    let held = granted(realm, person, parent);
    let held = match channel.thread() {
        None => held,
        Some(thread) => {
            let hidden = thread.kind == ThreadKind::Private
                && thread.member(person.id).is_none()
                && !held.has(PermissionSet::MANAGE_THREADS);
            match held.has(PermissionSet::SEND_MESSAGES_IN_THREADS) {
                _ if hidden => PermissionSet::default(),
                true => held.with(PermissionSet::SEND_MESSAGES),
                false => held.without(PermissionSet::SEND_MESSAGES),
            }
        }
    };
    imply(held)
}

/// What roles and overwrites give in a guild's channel.
fn granted(realm: &Realm, person: &UserAccount, channel: &Channel) -> PermissionSet {
    let Some(place) = channel.of_guild() else {
        return PermissionSet::default();
    };
    let overwrites = &place.overwrites;
    let guild = realm.guild(place.guild);
    let found = guild.and_then(|guild| Some((guild, guild.member(person.id)?)));
    let Some((guild, member)) = found else {
        return PermissionSet::default();
    };
    let base = in_guild(guild, member);
    if base.has(PermissionSet::ADMINISTRATOR) {
        return base;
    }
    let matching = |wanted: &dyn Fn(Target) -> bool| {
        overwrites.iter().filter(|o| wanted(o.target)).fold(
            (PermissionSet::default(), PermissionSet::default()),
            |(allow, deny), o| (allow.with(o.allow), deny.with(o.deny)),
        )
    };
    let everyone = Target::Role(guild.id);
    let steps = [
        matching(&|target| target == everyone),
        matching(&|target| match target {
            Target::Role(id) => target != everyone && member.roles.contains(&id),
            Target::Member(_) => false,
        }),
        matching(&|target| target == Target::Member(person.id)),
    ];
    let held = steps
        .into_iter()
        .fold(base, |held, (allow, deny)| held.without(deny).with(allow));
    if place.kind.spoken() && !held.has(PermissionSet::CONNECT) {
        return PermissionSet::default();
    }
    unless_silenced(member, held)
}

/// Some permissions mean nothing without another one.
fn imply(granted: PermissionSet) -> PermissionSet {
    if !granted.has(PermissionSet::VIEW_CHANNEL) {
        return PermissionSet::default();
    }
    if granted.has(PermissionSet::SEND_MESSAGES) {
        return granted;
    }
    granted
        .without(PermissionSet::MENTION_EVERYONE)
        .without(PermissionSet::SEND_TTS_MESSAGES)
        .without(PermissionSet::ATTACH_FILES)
        .without(PermissionSet::EMBED_LINKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Discord Docs/Permissions, Implicit Permissions.
    #[test]
    fn some_permissions_mean_nothing_without_another() {
        let (view, send) = (PermissionSet::VIEW_CHANNEL, PermissionSet::SEND_MESSAGES);
        let written = [
            PermissionSet::MENTION_EVERYONE,
            PermissionSet::SEND_TTS_MESSAGES,
            PermissionSet::ATTACH_FILES,
            PermissionSet::EMBED_LINKS,
        ];
        let written: PermissionSet = written.into_iter().collect();
        let read = PermissionSet::READ_MESSAGE_HISTORY;
        let all = view.with(send).with(written).with(read);
        for (granted, left) in [
            (all, all),
            (all.without(send), view.with(read)),
            (all.without(view), PermissionSet::default()),
            (view.with(read), view.with(read)),
        ] {
            assert_eq!(imply(granted), left, "{granted:?}");
        }
    }
}
