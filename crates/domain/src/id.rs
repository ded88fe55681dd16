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
}

/// Names one turn: the message that asked for it, and which take this is.
///
/// It is derived, never minted, so an event that reaches us twice names the
/// same turn twice, and with it the same nonces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TurnId {
    /// The message that asked.
    pub trigger: MessageId,
    /// 0 for the first answer to it, 1 for a requested second one, and so on.
    pub take: u16,
}

impl TurnId {
    /// The first answer to `trigger`.
    pub const fn first(trigger: MessageId) -> Self {
        Self { trigger, take: 0 }
    }
}

impl fmt::Display for TurnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.trigger, self.take)
    }
}

/// The text is not `<message id>-<take>`.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a turn is written as <message id>-<take>, like 1234-0")]
pub struct BadTurnId;

impl FromStr for TurnId {
    type Err = BadTurnId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (trigger, take) = text.split_once('-').ok_or(BadTurnId)?;
        Ok(Self {
            trigger: trigger.parse().map_err(|_| BadTurnId)?,
            take: take.parse().map_err(|_| BadTurnId)?,
        })
    }
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

    #[test]
    fn turn_ids_read_back() {
        let id = TurnId::first(MessageId::new(42));
        assert_eq!(id.to_string().parse(), Ok(id));
        for bad in ["", "42", "-", "x-0", "42-x", "42-70000"] {
            assert_eq!(bad.parse::<TurnId>(), Err(BadTurnId), "{bad:?}");
        }
    }
}
