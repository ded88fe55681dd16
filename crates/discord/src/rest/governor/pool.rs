//! So many requests in a second.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use kaiwa_domain::Moment;

use super::Ticket;

/// Over how long requests are counted.
const SECOND: Duration = Duration::from_secs(1);

/// The longest that a request may be on its way before it is counted. Nobody
/// tells when that was: some time between sending it and its answer. So it
/// counts until a second after the answer, or after this.
pub(super) const LAG: Duration = Duration::from_millis(500);

/// Counts what was sent in any second, as Discord may count it.
#[derive(Debug)]
pub(super) struct RequestPool {
    most: usize,
    /// Until when each request counts, in that order.
    counted: BTreeSet<(Moment, Ticket)>,
    until: HashMap<Ticket, Moment>,
}

impl RequestPool {
    pub(super) fn new(per_second: u64) -> Self {
        Self {
            most: usize::try_from(per_second).unwrap_or(usize::MAX).max(1),
            counted: BTreeSet::new(),
            until: HashMap::new(),
        }
    }

    /// How many there may be in a second.
    pub(super) const fn most(&self) -> usize {
        self.most
    }

    pub(super) fn is_full(&mut self, now: Moment) -> bool {
        self.forget(now);
        self.counted.len() >= self.most
    }

    pub(super) fn is_half_free(&mut self, now: Moment) -> bool {
        self.forget(now);
        self.counted.len() < self.most.div_ceil(2)
    }

    /// When it takes one more.
    pub(super) fn opens(&mut self, now: Moment) -> Moment {
        match self.is_full(now) {
            true => self.counted.first().map_or(now, |(until, _)| *until),
            false => now,
        }
    }

    pub(super) fn take(&mut self, now: Moment, ticket: Ticket) {
        self.count_until(now.after(SECOND + LAG), ticket);
    }

    pub(super) fn answered(&mut self, now: Moment, ticket: Ticket) {
        if let Some(latest) = self.until.get(&ticket).copied() {
            self.counted.remove(&(latest, ticket));
            self.count_until(latest.min(now.after(SECOND)), ticket);
        }
    }

    pub(super) fn give_back(&mut self, ticket: Ticket) {
        if let Some(until) = self.until.remove(&ticket) {
            self.counted.remove(&(until, ticket));
        }
    }

    fn count_until(&mut self, until: Moment, ticket: Ticket) {
        self.counted.insert((until, ticket));
        self.until.insert(ticket, until);
    }

    fn forget(&mut self, now: Moment) {
        while let Some((until, ticket)) = self.counted.first().copied()
            && until <= now
        {
            self.counted.pop_first();
            self.until.remove(&ticket);
        }
    }
}
