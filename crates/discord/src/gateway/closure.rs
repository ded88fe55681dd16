//! Why the gateway shut us out for good.

use twilight_model::gateway::CloseCode;

use crate::Access;

/// Why the gateway shut us out for good. Everything else is reconnected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GatewayError {
    /// The token was refused (4004).
    #[error(
        "Discord refused the token: check DISCORD_TOKEN and create a new one under Bot in the developer portal"
    )]
    TokenRefused,
    /// An intent is not allowed (4013, 4014).
    #[error(
        "Discord refused {which}: turn it on under Bot at https://discord.com/developers/applications or set {setting} = false"
    )]
    IntentsRefused {
        /// The intents that were asked for. Discord does not say which of them
        /// it means.
        which: &'static str,
        /// The setting by which to do without.
        setting: &'static str,
    },
    /// Too many guilds for the number of shards (4011).
    #[error(
        "the bot is in too many guilds for {shards} shards: restart it to get Discord's new recommendation"
    )]
    ShardingRequired {
        /// How many shards there were.
        shards: u32,
    },
    /// Discord and we do not agree on how to talk (4010, 4012, or a new code).
    #[error(
        "the gateway closed the connection for good (code {code}): update Kaiwa, or check discord.gateway_url"
    )]
    Closed {
        /// Discord's code.
        code: u16,
    },
    /// The gateway's address cannot be used.
    #[error(
        "the gateway address {url:?} must start with ws:// or wss://: check discord.gateway_url"
    )]
    Address {
        /// The address.
        url: String,
    },
}

/// Which of the intents were asked for that Discord gives only to bots for
/// which they are turned on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PrivilegedIntents {
    Neither,
    MessageContent,
    GuildMembers,
    Both,
}

impl PrivilegedIntents {
    pub(super) const fn of(access: &Access) -> Self {
        match (access.message_content, access.guild_members) {
            (false, false) => Self::Neither,
            (true, false) => Self::MessageContent,
            (false, true) => Self::GuildMembers,
            (true, true) => Self::Both,
        }
    }

    const fn refused(self) -> GatewayError {
        let (which, setting) = match self {
            // Intents that any bot has; only a server that is not Discord
            // refuses them.
            Self::Neither => (
                "the intents for guilds and messages",
                "discord.message_content",
            ),
            Self::MessageContent => ("the Message Content Intent", "discord.message_content"),
            Self::GuildMembers => ("the Server Members Intent", "discord.guild_members"),
            Self::Both => (
                "the Message Content Intent or the Server Members Intent",
                "discord.message_content or discord.guild_members",
            ),
        };
        GatewayError::IntentsRefused { which, setting }
    }
}

impl GatewayError {
    /// The error that a close code amounts to.
    pub(super) fn of(code: u16, privileged: PrivilegedIntents, shards: u32) -> Self {
        match CloseCode::try_from(code) {
            Ok(CloseCode::AuthenticationFailed) => Self::TokenRefused,
            Ok(CloseCode::InvalidIntents | CloseCode::DisallowedIntents) => privileged.refused(),
            Ok(CloseCode::ShardingRequired) => Self::ShardingRequired { shards },
            _ => Self::Closed { code },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fatal_close_has_its_error() {
        let refused = GatewayError::IntentsRefused {
            which: "the Message Content Intent",
            setting: "discord.message_content",
        };
        let rows = [
            (4004, GatewayError::TokenRefused),
            (4010, GatewayError::Closed { code: 4010 }),
            (4011, GatewayError::ShardingRequired { shards: 2 }),
            (4012, GatewayError::Closed { code: 4012 }),
            (4013, refused.clone()),
            (4014, refused),
            (4999, GatewayError::Closed { code: 4999 }),
        ];
        for (code, expected) in rows {
            let asked = PrivilegedIntents::MessageContent;
            assert_eq!(GatewayError::of(code, asked, 2), expected, "{code}");
        }
    }

    #[test]
    fn a_refused_intent_is_named_with_what_to_set() {
        for (content, members, words) in [
            (true, false, "the Message Content Intent: "),
            (true, false, "set discord.message_content = false"),
            (false, true, "the Server Members Intent: "),
            (false, true, "set discord.guild_members = false"),
            (
                true,
                true,
                "discord.message_content or discord.guild_members = false",
            ),
        ] {
            let access = Access {
                message_content: content,
                guild_members: members,
                ..Access::discord("token".into())
            };
            let told = PrivilegedIntents::of(&access).refused().to_string();
            assert!(told.contains(words), "{told}");
        }
    }
}
