//! People who joined guilds, as rows.

use std::collections::BTreeMap;
use std::time::Duration;

use kaiwa_domain::port::{Newcomers, Pending};
use kaiwa_domain::{DataSubject, Newcomer, Scope, StoreError, Timestamp, UserId};

use super::MemoryStore;

/// How long somebody is kept.
const KEPT: Duration = Duration::from_secs(400 * 24 * 3600);

#[derive(Default)]
pub(super) struct NewcomerTable {
    rows: BTreeMap<(Scope, UserId), Newcomer>,
}

impl NewcomerTable {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn sweep(&mut self, now: Timestamp) {
        self.rows.retain(|_, it| now.since(it.joined_at) <= KEPT);
    }

    pub(super) fn erase(&mut self, subject: DataSubject) {
        self.rows.retain(|(scope, user), _| match subject {
            DataSubject::Guild(guild) => *scope != Scope::Guild(guild),
            DataSubject::User(gone) => *user != gone,
        });
    }
}

impl Newcomers for MemoryStore {
    fn put_newcomer<'a>(&'a self, newcomer: &'a Newcomer) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| {
            let key = (newcomer.scope, newcomer.user);
            state.newcomers.rows.insert(key, newcomer.clone());
            Ok(())
        })
    }

    fn newcomers(&self, scope: Scope) -> Pending<'_, Result<Vec<Newcomer>, StoreError>> {
        self.call(move |state| {
            let rows = state.newcomers.rows.values();
            let here = rows.filter(|it| it.scope == scope && it.is_owed());
            let mut here: Vec<Newcomer> = here.cloned().collect();
            here.sort_by_key(|it| it.joined_at);
            Ok(here)
        })
    }

    fn scopes_with_newcomers(&self) -> Pending<'_, Result<Vec<Scope>, StoreError>> {
        self.call(|state| {
            let owed = state.newcomers.rows.values().filter(|it| it.is_owed());
            let mut scopes: Vec<Scope> = owed.map(|it| it.scope).collect();
            scopes.sort_unstable_by_key(ToString::to_string);
            scopes.dedup();
            Ok(scopes)
        })
    }

    fn count_messages(
        &self,
        scope: Scope,
        user: UserId,
        messages: u32,
    ) -> Pending<'_, Result<(), StoreError>> {
        self.call(move |state| {
            if let Some(newcomer) = state.newcomers.rows.get_mut(&(scope, user)) {
                newcomer.messages = newcomer.messages.saturating_add(messages).min(1_000_000);
            }
            Ok(())
        })
    }

    fn forget_newcomer(&self, scope: Scope, user: UserId) -> Pending<'_, Result<(), StoreError>> {
        self.call(move |state| {
            state.newcomers.rows.remove(&(scope, user));
            Ok(())
        })
    }
}
