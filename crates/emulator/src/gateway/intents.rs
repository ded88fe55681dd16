//! Which events a bot asked for.

use crate::{realm::Application, world::PrivilegedIntent};

/// A bot's choice of events. Discord Docs/Gateway, List of Intents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Intents(u64);

/// Why a choice is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// A bit that means nothing.
    Invalid,
    /// A privileged intent that the application was not granted.
    Disallowed,
}

const DEFINED: u64 = 0x3ff_ffff;
const PRIVILEGED: [(PrivilegedIntent, u64); 3] = [
    (PrivilegedIntent::GuildMembers, 1 << 1),
    (PrivilegedIntent::GuildPresences, 1 << 8),
    (PrivilegedIntent::MessageContent, 1 << 15),
];

impl Intents {
    pub(crate) const GUILDS: Self = Self(1 << 0);
    pub(crate) const GUILD_MEMBERS: Self = Self(1 << 1);
    pub(crate) const GUILD_VOICE_STATES: Self = Self(1 << 7);
    pub(crate) const GUILD_PRESENCES: Self = Self(1 << 8);
    pub(crate) const MESSAGE_CONTENT: Self = Self(1 << 15);

    pub(crate) fn ask(bits: u64, application: &Application) -> Result<Self, Refused> {
        if bits & !DEFINED != 0 {
            return Err(Refused::Invalid);
        }
        let disallowed = PRIVILEGED
            .iter()
            .any(|(intent, bit)| bits & bit != 0 && !application.granted.contains(intent));
        if disallowed {
            Err(Refused::Disallowed)
        } else {
            Ok(Self(bits))
        }
    }

    pub(crate) fn has(self, wanted: Self) -> bool {
        self.0 & wanted.0 == wanted.0
    }

    /// What a bot must have asked for to receive an event of a channel.
    pub(crate) fn for_event(name: &str, direct: bool) -> Self {
        let bit = match (name, direct) {
            ("WEBHOOKS_UPDATE", _) => 5,
            ("CHANNEL_PINS_UPDATE", true) => 12,
            ("GUILD_MEMBER_ADD" | "GUILD_MEMBER_UPDATE" | "GUILD_MEMBER_REMOVE", _) => 1,
            ("GUILD_BAN_ADD" | "GUILD_BAN_REMOVE" | "GUILD_AUDIT_LOG_ENTRY_CREATE", _) => 2,
            ("GUILD_EMOJIS_UPDATE" | "GUILD_STICKERS_UPDATE", _) => 3,
            (name, _) if name.starts_with("GUILD_SOUNDBOARD_SOUND") => 3,
            ("INTEGRATION_CREATE" | "INTEGRATION_DELETE" | "GUILD_INTEGRATIONS_UPDATE", _) => 4,
            ("VOICE_CHANNEL_EFFECT_SEND", _) => 7,
            (name, _) if name.starts_with("GUILD_SCHEDULED_EVENT_") => 16,
            (name, _) if name.starts_with("AUTO_MODERATION_RULE_") => 20,
            ("AUTO_MODERATION_ACTION_EXECUTION", _) => 21,
            ("INVITE_CREATE" | "INVITE_DELETE", _) => 6,
            (name, false) if name.starts_with("MESSAGE_POLL_") => 24,
            (name, true) if name.starts_with("MESSAGE_POLL_") => 25,
            ("TYPING_START", false) => 11,
            ("TYPING_START", true) => 14,
            (name, false) if name.starts_with("MESSAGE_REACTION_") => 10,
            (name, true) if name.starts_with("MESSAGE_REACTION_") => 13,
            (name, false) if name.starts_with("MESSAGE_") => 9,
            (name, true) if name.starts_with("MESSAGE_") => 12,
            _ => 0,
        };
        Self(1 << bit)
    }
}
