//! Ids as types, so that a channel can never be passed where a user is meant.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use crate::Timestamp;
use crate::limits::SNOWFLAKE_EPOCH_MS;

macro_rules! snowflake {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u64);

        impl $name {
            /// Wraps a raw Discord snowflake.
            pub const fn new(raw: u64) -> Self {
                Self(raw)
            }

            /// The raw snowflake.
            pub const fn get(self) -> u64 {
                self.0
            }

            /// When Discord minted this id.
            pub const fn created_at(self) -> Timestamp {
                Timestamp::from_millis((self.0 >> 22) as i64 + SNOWFLAKE_EPOCH_MS)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    )*};
}

snowflake! {
    /// A guild ("server").
    GuildId
    /// A channel, thread or direct-message channel.
    ChannelId
    /// A message.
    MessageId
    /// A user, human or bot.
    UserId
    /// A role of a guild.
    RoleId
    /// An emoji of a guild.
    EmojiId
    /// A slash command, a button, a select menu or a modal that somebody used.
    InteractionId
    /// A webhook.
    WebhookId
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snowflake_tells_its_time() {
        // The worked example of Discord Docs/Reference, "Snowflakes".
        let id = MessageId::new(175_928_847_299_117_063);
        assert_eq!(id.created_at(), Timestamp::from_millis(1_462_015_105_796));
    }
}
