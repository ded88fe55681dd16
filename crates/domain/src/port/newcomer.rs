//! What is owed to people who joined.

use super::Pending;
use crate::{Newcomer, Scope, StoreError, UserId};

/// People who joined guilds.
pub trait Newcomers: Send + Sync {
    /// Keeps somebody, or how they stand now. Whoever joins again begins anew.
    fn put_newcomer<'a>(&'a self, newcomer: &'a Newcomer) -> Pending<'a, Result<(), StoreError>>;

    /// Those of a guild to whom something is [owed](Newcomer::is_owed), in the
    /// order in which they joined.
    fn newcomers(&self, scope: Scope) -> Pending<'_, Result<Vec<Newcomer>, StoreError>>;

    /// The guilds that have such. Names, no rows.
    fn scopes_with_newcomers(&self) -> Pending<'_, Result<Vec<Scope>, StoreError>>;

    /// Counts messages of somebody, if they are kept.
    fn count_messages(
        &self,
        scope: Scope,
        user: UserId,
        messages: u32,
    ) -> Pending<'_, Result<(), StoreError>>;

    /// Forgets somebody who left.
    fn forget_newcomer(&self, scope: Scope, user: UserId) -> Pending<'_, Result<(), StoreError>>;
}
