//! Who owns a piece of data.

use std::fmt;
use std::str::FromStr;

use crate::{GuildId, UserId};

/// The wall around data: nothing stored under one scope is seen from another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// Everything said in one guild.
    Guild(GuildId),
    /// The direct messages of one user.
    Dm(UserId),
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Guild(id) => write!(f, "guild:{id}"),
            Self::Dm(id) => write!(f, "dm:{id}"),
        }
    }
}

/// The text names no scope.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a scope is written as guild:<id> or dm:<user id>")]
pub struct BadScope;

impl FromStr for Scope {
    type Err = BadScope;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (kind, id) = text.split_once(':').ok_or(BadScope)?;
        match kind {
            "guild" => id.parse().map(Self::Guild).map_err(|_| BadScope),
            "dm" => id.parse().map(Self::Dm).map_err(|_| BadScope),
            _ => Err(BadScope),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_read_back() {
        for scope in [Scope::Guild(GuildId::new(1)), Scope::Dm(UserId::new(1))] {
            assert_eq!(scope.to_string().parse(), Ok(scope));
        }
        for bad in ["", "guild", "guild:", "guild:x", "user:1"] {
            assert_eq!(bad.parse::<Scope>(), Err(BadScope), "{bad:?}");
        }
    }
}
