//! How long people wait for the first word of an answer.
//!
//! A turn may ask several models, in one route or one route after the other.
//! Its patience is spent by all of them together, until one begins to answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kaiwa_domain::{Moment, Role, TurnId};

use super::LONGEST;
use super::pool::RouterState;

/// What each model that is still to be asked is left, so that one that is
/// silent does not use up everything.
const SHARE: Duration = Duration::from_secs(10);

/// With less than this nobody is asked any more.
const TOO_LITTLE: Duration = Duration::from_secs(1);

/// How many turns are remembered.
const MAX_TURNS: usize = 1024;

/// What turns have spent of their patience in vain.
#[derive(Default)]
pub(super) struct SpentPatience(Mutex<HashMap<TurnId, Entry>>);

struct Entry {
    spent: Duration,
    at: Moment,
}

impl SpentPatience {
    fn of(&self, turn: TurnId) -> Duration {
        self.turns()
            .get(&turn)
            .map_or(Duration::ZERO, |it| it.spent)
    }

    fn add(&self, turn: TurnId, spent: Duration, now: Moment) {
        let mut turns = self.turns();
        if turns.len() >= MAX_TURNS {
            turns.retain(|_, entry| now.since(entry.at) < LONGEST);
        }
        if turns.len() < MAX_TURNS || turns.contains_key(&turn) {
            let known = turns.get(&turn).map_or(Duration::ZERO, |it| it.spent);
            let spent = known + spent;
            turns.insert(turn, Entry { spent, at: now });
        }
    }

    fn forget(&self, turn: TurnId) {
        self.turns().remove(&turn);
    }

    fn turns(&self) -> MutexGuard<'_, HashMap<TurnId, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waiting for the first word of one answer.
pub(super) struct FirstWordWait {
    shared: Arc<RouterState>,
    turn: Option<TurnId>,
    role: Role,
    began: Moment,
    /// How long it may take in all.
    patience: Duration,
    /// Whether nothing was heard yet.
    open: bool,
}

impl FirstWordWait {
    /// Begins to wait. `patience` is that of the whole turn, of which whoever
    /// has another to answer in its place leaves a third.
    pub(super) fn begin(
        shared: &Arc<RouterState>,
        turn: Option<TurnId>,
        role: Role,
        patience: Duration,
        now: Moment,
    ) -> Self {
        let share = match role {
            Role::Chat => patience,
            _ => patience * 2 / 3,
        };
        let spent = turn.map_or(Duration::ZERO, |turn| shared.spent.of(turn));
        Self {
            shared: Arc::clone(shared),
            turn,
            role,
            began: now,
            patience: share.saturating_sub(spent),
            open: true,
        }
    }

    /// How long the next model may take for its first word, of which
    /// `timeout` is the most, with so many `others` after it. None if nobody
    /// is asked any more.
    pub(super) fn next(&self, timeout: Duration, others: usize, now: Moment) -> Option<Duration> {
        if !self.open {
            return Some(timeout);
        }
        let left = self.patience.saturating_sub(self.elapsed(now));
        if left < TOO_LITTLE {
            return None;
        }
        let others = SHARE * u32::try_from(others).unwrap_or(u32::MAX).min(16);
        let own = left.saturating_sub(others).max(SHARE);
        Some(timeout.min(own).min(left))
    }

    /// How long nothing was heard.
    pub(super) fn elapsed(&self, now: Moment) -> Duration {
        now.since(self.began)
    }

    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    pub(super) const fn turn(&self) -> Option<TurnId> {
        self.turn
    }

    /// The answer has begun.
    pub(super) fn heard(&mut self) {
        if !std::mem::take(&mut self.open) {
            return;
        }
        match (self.turn, self.role) {
            // Nobody sees what they say.
            (Some(_), Role::Classifier | Role::Summarizer) => self.spend(),
            (Some(turn), _) => self.shared.spent.forget(turn),
            (None, _) => {}
        }
    }

    fn spend(&self) {
        if let Some(turn) = self.turn {
            let now = self.shared.clock.moment();
            self.shared.spent.add(turn, self.elapsed(now), now);
        }
    }
}

impl Drop for FirstWordWait {
    fn drop(&mut self) {
        if self.open {
            self.spend();
        }
    }
}
