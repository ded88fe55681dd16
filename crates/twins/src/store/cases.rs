//! What was done to members of guilds, as rows.

use std::time::Duration;

use kaiwa_domain::port::{CaseBook, Pending};
use kaiwa_domain::{
    Case, CaseState, DataSubject, NewCase, Scope, StoreError, Timestamp, TurnId, UserId,
};

use super::MemoryStore;

/// How long a case is kept once nothing more is done with it.
const KEPT: Duration = Duration::from_secs(365 * 24 * 3600);

#[derive(Default)]
pub(super) struct CaseTable {
    rows: Vec<(TurnId, Case, Timestamp)>,
}

impl CaseTable {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    fn open(&mut self, new: &NewCase) -> Case {
        let same = |(turn, case, _): &&(TurnId, Case, Timestamp)| {
            *turn == new.turn
                && case.scope == new.scope
                && case.kind == new.kind
                && case.user == new.user
        };
        if let Some((_, known, _)) = self.rows.iter().find(same) {
            return known.clone();
        }
        let here = self.rows.iter().map(|(_, case, _)| case);
        let last = here.filter(|case| case.scope == new.scope);
        let case = Case {
            scope: new.scope,
            number: last.map(|case| case.number).max().unwrap_or(0) + 1,
            kind: new.kind,
            user: new.user,
            moderator: Some(new.moderator),
            reason: new.reason.clone(),
            at: new.at,
            until: new.until,
            state: CaseState::Asked,
        };
        self.rows.push((new.turn, case.clone(), new.at));
        case
    }

    fn settle(&mut self, fits: impl Fn(&Case) -> bool, state: CaseState, at: Timestamp) {
        for (_, case, updated) in &mut self.rows {
            if fits(case) && case.state != CaseState::Lifted {
                (case.state, *updated) = (state, at);
            }
        }
    }

    fn of(&self, scope: Scope) -> impl Iterator<Item = &Case> {
        let all = self.rows.iter().map(|(_, case, _)| case);
        all.filter(move |case| case.scope == scope)
    }

    pub(super) fn sweep(&mut self, now: Timestamp) {
        self.rows
            .retain(|(_, case, at)| case.is_open_ban() || now.since(*at) <= KEPT);
    }

    /// Forgets somebody. A ban that lasts is kept: it is what remembers to lift
    /// it.
    pub(super) fn erase(&mut self, subject: DataSubject) {
        match subject {
            DataSubject::Guild(guild) => {
                let scope = Scope::Guild(guild);
                self.rows.retain(|(_, case, _)| case.scope != scope);
            }
            DataSubject::User(user) => {
                self.rows
                    .retain(|(_, case, _)| case.user != user || case.is_open_ban());
                for (_, case, _) in &mut self.rows {
                    case.moderator = case.moderator.filter(|by| *by != user);
                }
            }
        }
    }
}

impl CaseBook for MemoryStore {
    fn open_case<'a>(&'a self, case: &'a NewCase) -> Pending<'a, Result<Case, StoreError>> {
        self.call(move |state| Ok(state.cases.open(case)))
    }

    fn settle_case(
        &self,
        scope: Scope,
        number: u32,
        state: CaseState,
        at: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>> {
        self.call(move |tables| {
            let this = |case: &Case| case.scope == scope && case.number == number;
            tables.cases.settle(this, state, at);
            Ok(())
        })
    }

    fn cases(
        &self,
        scope: Scope,
        user: Option<UserId>,
        limit: u16,
    ) -> Pending<'_, Result<Vec<Case>, StoreError>> {
        self.call(move |state| {
            let here = state.cases.of(scope);
            let theirs = here.filter(|case| user.is_none_or(|user| case.user == user));
            let mut found: Vec<Case> = theirs.cloned().collect();
            found.sort_by_key(|case| std::cmp::Reverse(case.number));
            found.truncate(limit.into());
            Ok(found)
        })
    }

    fn open_bans(&self, scope: Scope) -> Pending<'_, Result<Vec<Case>, StoreError>> {
        self.call(move |state| {
            let here = state.cases.of(scope);
            Ok(here.filter(|case| case.is_open_ban()).cloned().collect())
        })
    }

    fn lift_bans(
        &self,
        scope: Scope,
        user: UserId,
        at: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>> {
        self.call(move |state| {
            let theirs =
                |case: &Case| case.scope == scope && case.user == user && case.is_open_ban();
            state.cases.settle(theirs, CaseState::Lifted, at);
            Ok(())
        })
    }

    fn scopes_with_bans(&self) -> Pending<'_, Result<Vec<Scope>, StoreError>> {
        self.call(|state| {
            let rows = state.cases.rows.iter().map(|(_, case, _)| case);
            let ending = rows.filter(|case| case.is_open_ban() && case.until.is_some());
            let mut scopes: Vec<Scope> = ending.map(|case| case.scope).collect();
            scopes.sort_unstable_by_key(ToString::to_string);
            scopes.dedup();
            Ok(scopes)
        })
    }
}
