//! What somebody may do in a channel.

use std::fmt;

/// A set of permissions, in Discord's own bits: those of
/// [Discord Docs/Permissions](https://docs.discord.com/developers/topics/permissions)
/// that some action needs, and whatever else Discord grants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rights(u64);

impl Rights {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// Everything, as the owner of a guild may do, or anybody in their own
    /// direct messages.
    pub const ALL: Self = Self(u64::MAX);

    /// Make somebody leave.
    pub const KICK_MEMBERS: Self = Self(1 << 1);
    /// Make somebody leave and keep them away.
    pub const BAN_MEMBERS: Self = Self(1 << 2);
    /// Everything, whatever roles and overwrites say.
    pub const ADMINISTRATOR: Self = Self(1 << 3);
    /// Change what a channel is like.
    pub const MANAGE_CHANNELS: Self = Self(1 << 4);
    /// Change what the guild is like.
    pub const MANAGE_GUILD: Self = Self(1 << 5);
    /// Put a reaction on a message that nobody has put there.
    pub const ADD_REACTIONS: Self = Self(1 << 6);
    /// Delete what others wrote: what moderators may do.
    pub const MANAGE_MESSAGES: Self = Self(1 << 13);
    /// See the channel.
    pub const VIEW_CHANNEL: Self = Self(1 << 10);
    /// Read what was written there.
    pub const READ_MESSAGE_HISTORY: Self = Self(1 << 16);
    /// Ping everybody, and any role.
    pub const MENTION_EVERYONE: Self = Self(1 << 17);
    /// Use the custom emoji of other guilds.
    pub const USE_EXTERNAL_EMOJIS: Self = Self(1 << 18);
    /// Keep somebody from writing for a while.
    pub const MODERATE_MEMBERS: Self = Self(1 << 40);

    /// Write.
    pub const SEND_MESSAGES: Self = Self(1 << 11);
    /// Begin a thread that everybody may read.
    pub const CREATE_PUBLIC_THREADS: Self = Self(1 << 35);
    /// Hold a poll.
    pub const SEND_POLLS: Self = Self(1 << 49);
    /// Pin a message, or take it down.
    pub const PIN_MESSAGES: Self = Self(1 << 51);

    /// The names in Discord's settings.
    const NAMES: &[(Self, &'static str)] = &[
        (Self::KICK_MEMBERS, "Kick Members"),
        (Self::BAN_MEMBERS, "Ban Members"),
        (Self::ADMINISTRATOR, "Administrator"),
        (Self::MANAGE_CHANNELS, "Manage Channels"),
        (Self::MANAGE_GUILD, "Manage Server"),
        (Self::SEND_MESSAGES, "Send Messages"),
        (Self::CREATE_PUBLIC_THREADS, "Create Public Threads"),
        (Self::SEND_POLLS, "Create Polls"),
        (Self::PIN_MESSAGES, "Pin Messages"),
        (Self::ADD_REACTIONS, "Add Reactions"),
        (Self::MANAGE_MESSAGES, "Manage Messages"),
        (Self::VIEW_CHANNEL, "View Channels"),
        (Self::READ_MESSAGE_HISTORY, "Read Message History"),
        (Self::MENTION_EVERYONE, "Mention Everyone"),
        (Self::USE_EXTERNAL_EMOJIS, "Use External Emoji"),
        (Self::MODERATE_MEMBERS, "Timeout Members"),
    ];

    /// The set with these bits.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Discord's bits.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Both sets together.
    #[must_use]
    pub const fn with(self, more: Self) -> Self {
        Self(self.0 | more.0)
    }

    /// What `self` has beyond `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether all of `wanted` is there.
    pub const fn contains(self, wanted: Self) -> bool {
        self.0 & wanted.0 == wanted.0
    }

    /// Whether there is nothing.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The names of the permissions, as in `Add Reactions, View Channels`.
impl fmt::Display for Rights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::NAMES
            .iter()
            .filter(|(right, _)| self.contains(*right));
        let unnamed = Self::NAMES
            .iter()
            .fold(*self, |left, (right, _)| left.without(*right));
        let mut separator = "";
        for (_, name) in named {
            write!(f, "{separator}{name}")?;
            separator = ", ";
        }
        if !unnamed.is_empty() {
            write!(f, "{separator}{:#x}", unnamed.bits())?;
        }
        Ok(())
    }
}

/// How somebody stands to a member of a guild whom they want to ban, kick or
/// time out. Whether they may do such things at all is a matter of [`Rights`];
/// whoever administers a guild is bound by the order of its roles as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Their highest role is above the other's, or the guild is theirs.
    Above,
    /// The other is not in the guild.
    Absent,
    /// It is themself.
    Oneself,
    /// The guild is the other's.
    Owner,
    /// Their highest role is not above the other's.
    NotAbove,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let seen = Rights::VIEW_CHANNEL.with(Rights::READ_MESSAGE_HISTORY);
        assert!(seen.contains(Rights::VIEW_CHANNEL));
        assert!(!seen.contains(Rights::VIEW_CHANNEL.with(Rights::ADD_REACTIONS)));
        assert!(seen.contains(Rights::NONE) && Rights::ALL.contains(seen));
        assert_eq!(
            seen.without(Rights::VIEW_CHANNEL),
            Rights::READ_MESSAGE_HISTORY
        );
    }

    #[test]
    fn rights_have_the_names_of_discords_settings() {
        let check = |rights: Rights, text: &str| assert_eq!(rights.to_string(), text);
        check(Rights::NONE, "");
        check(Rights::ADD_REACTIONS, "Add Reactions");
        check(
            Rights::VIEW_CHANNEL.with(Rights::ADD_REACTIONS),
            "Add Reactions, View Channels",
        );
        check(
            Rights::VIEW_CHANNEL.with(Rights::from_bits(1 << 9)),
            "View Channels, 0x200",
        );
    }
}
