//! Why the gateway shut us out for good.

use twilight_model::gateway::CloseCode;

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
        "Discord refused {which}: turn it on under Bot at https://discord.com/developers/applications or set discord.message_content = false"
    )]
    IntentsRefused {
        /// The intents that were asked for.
        which: &'static str,
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

impl GatewayError {
    /// The error that a close code amounts to.
    pub(super) fn of(code: u16, message_content: bool, shards: u32) -> Self {
        match CloseCode::try_from(code) {
            Ok(CloseCode::AuthenticationFailed) => Self::TokenRefused,
            Ok(CloseCode::InvalidIntents | CloseCode::DisallowedIntents) => Self::IntentsRefused {
                which: if message_content {
                    "the Message Content Intent"
                } else {
                    "the intents for guilds and messages"
                },
            },
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
        let which = "the Message Content Intent";
        let rows = [
            (4004, GatewayError::TokenRefused),
            (4010, GatewayError::Closed { code: 4010 }),
            (4011, GatewayError::ShardingRequired { shards: 2 }),
            (4012, GatewayError::Closed { code: 4012 }),
            (4013, GatewayError::IntentsRefused { which }),
            (4014, GatewayError::IntentsRefused { which }),
            (4999, GatewayError::Closed { code: 4999 }),
        ];
        for (code, expected) in rows {
            assert_eq!(GatewayError::of(code, true, 2), expected, "{code}");
        }
    }
}
