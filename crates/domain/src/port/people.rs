//! Who people are.

use super::Pending;
use crate::{ChatError, Scope, Timestamp, UserId};

/// What Discord tells about people.
pub trait People: Send + Sync {
    /// Somebody who is in a scope, or `None` if they are not. In direct
    /// messages nobody is but whose they are.
    fn profile(
        &self,
        scope: Scope,
        user: UserId,
    ) -> Pending<'_, Result<Option<PersonProfile>, ChatError>>;
}

/// What everybody may know of a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PersonProfile {
    /// Who.
    pub id: UserId,
    /// The name of the account, which is unique.
    pub username: String,
    /// The name people see: nickname, global name or user name.
    pub name: String,
    /// Whether it is a bot.
    pub is_bot: bool,
    /// Where the picture is.
    pub avatar: String,
    /// When the account was made.
    pub created_at: Timestamp,
    /// When they joined the guild.
    pub joined_at: Option<Timestamp>,
    /// The names of their roles, the highest first.
    pub roles: Vec<String>,
}
