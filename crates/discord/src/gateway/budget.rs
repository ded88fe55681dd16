//! How many sessions may still be started today.
//!
//! Who starts more than Discord allows has the token reset. So the last tenth is
//! left alone: shards that need a new session wait until Discord counts from
//! the start again, while those that can resume go on. In five seconds no more
//! are started than Discord allows, which twilight's queue sees to.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kaiwa_domain::Moment;
use kaiwa_domain::port::Clock;
use tokio::sync::{oneshot, watch};
use twilight_gateway_queue::{InMemoryQueue, Queue};

use crate::GatewayAddress;

/// After this long since the first start Discord counts anew.
const DAY: Duration = Duration::from_secs(24 * 3600);

/// The part of a day's starts that is left alone, as one of so many.
const LEFT_ALONE: u64 = 10;

/// The starts of this process, all shards together. Clones share it.
#[derive(Clone)]
pub(super) struct IdentifyBudget {
    spacing: InMemoryQueue,
    starts: Arc<Mutex<StartsLeft>>,
    short: watch::Sender<bool>,
    clock: Arc<dyn Clock>,
}

struct StartsLeft {
    left: u32,
    total: u32,
    /// When `left` becomes `total` again.
    resets: Option<Moment>,
    /// The shards that wait for that.
    waiting: HashMap<u32, oneshot::Sender<()>>,
}

impl StartsLeft {
    fn refresh(&mut self, now: Moment) {
        if self.resets.is_some_and(|at| at <= now) {
            (self.left, self.resets) = (self.total, None);
        }
    }

    fn is_short(&self) -> bool {
        self.left == 0 || u64::from(self.left) * LEFT_ALONE < u64::from(self.total)
    }

    fn spend(&mut self, now: Moment) {
        self.left = self.left.saturating_sub(1);
        self.resets.get_or_insert(now.after(DAY));
    }
}

impl IdentifyBudget {
    pub(super) fn new(address: &GatewayAddress, clock: Arc<dyn Clock>) -> Self {
        let left = address.remaining.min(address.total);
        let begun = left < address.total;
        let budget = Self {
            // Days are counted here.
            spacing: InMemoryQueue::new(address.max_concurrency, u32::MAX, DAY, u32::MAX),
            starts: Arc::new(Mutex::new(StartsLeft {
                left,
                total: address.total,
                resets: begun.then(|| clock.moment().after(address.reset_after)),
                waiting: HashMap::new(),
            })),
            short: watch::Sender::new(false),
            clock,
        };
        budget.tell(&budget.starts());
        budget
    }

    /// Whether too few starts are left for a new session, from now on.
    pub(super) fn short(&self) -> watch::Receiver<bool> {
        self.short.subscribe()
    }

    /// Lets those go on who waited, if Discord counts anew. To be called now
    /// and then.
    pub(super) fn release(&self) {
        let mut starts = self.starts();
        starts.refresh(self.clock.moment());
        if !starts.is_short() {
            // Each asks again.
            starts.waiting.clear();
        }
        self.tell(&starts);
    }

    fn tell(&self, starts: &StartsLeft) {
        metrics::gauge!("gateway_identifies_left").set(f64::from(starts.left));
        let (left, total, short) = (starts.left, starts.total, starts.is_short());
        self.short.send_if_modified(|told| {
            let changed = *told != short;
            if changed && short {
                let wait = starts.resets.map_or(DAY, |at| at.since(self.clock.moment()));
                tracing::error!(
                    left,
                    total,
                    minutes = wait.as_secs().div_ceil(60),
                    "almost no new sessions are left: shards that cannot resume wait until Discord counts anew"
                );
            } else if changed {
                tracing::info!(left, total, "new sessions may be started again");
            }
            *told = short;
            changed
        });
    }

    fn starts(&self) -> MutexGuard<'_, StartsLeft> {
        self.starts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue for IdentifyBudget {
    fn enqueue(&self, shard: u32) -> oneshot::Receiver<()> {
        let now = self.clock.moment();
        let mut starts = self.starts();
        starts.refresh(now);
        let permit = if starts.is_short() {
            let (permit, permitted) = oneshot::channel();
            starts.waiting.insert(shard, permit);
            tracing::warn!(shard, "a shard waits for a new session");
            permitted
        } else {
            starts.spend(now);
            self.spacing.enqueue(shard)
        };
        self.tell(&starts);
        permit
    }
}

impl fmt::Debug for IdentifyBudget {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let starts = self.starts();
        out.debug_struct("IdentifyBudget")
            .field("left", &starts.left)
            .field("total", &starts.total)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_tenth_is_left_alone() {
        fn check(left: u32, total: u32, short: bool) {
            let starts = StartsLeft {
                left,
                total,
                resets: None,
                waiting: HashMap::new(),
            };
            assert_eq!(starts.is_short(), short, "{left} of {total}");
        }
        check(1000, 1000, false);
        check(100, 1000, false);
        check(99, 1000, true);
        check(0, 1000, true);
        check(1, 10, false);
        check(1, 11, true);
        check(1, 1, false);
        check(0, 0, true);
        check(u32::MAX, u32::MAX, false);
    }
}
