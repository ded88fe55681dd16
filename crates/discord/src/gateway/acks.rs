//! How far a session's events have been acknowledged.
//!
//! Events are acknowledged in any order, but a session resumes from one number:
//! everything after it is replayed. So the number to save is that just before
//! the first event that is still open, and each event has a mark of its own.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use kaiwa_domain::port::Ack;

/// The open events of one session.
#[derive(Debug, Default)]
pub(super) struct AckTracker {
    /// The last event that came.
    latest: u64,
    /// Events whose acks may still be acknowledged, in order.
    open: Vec<Open>,
    /// The first event whose ack was dropped unused.
    abandoned: Option<u64>,
}

#[derive(Debug)]
struct Open {
    sequence: u64,
    mark: Arc<AtomicU64>,
}

impl AckTracker {
    /// A session of which everything up to `sequence` is acknowledged.
    pub(super) fn starting_at(sequence: u64) -> Self {
        Self {
            latest: sequence,
            ..Self::default()
        }
    }

    /// An event came that needs nothing.
    pub(super) fn pass(&mut self, sequence: u64) {
        self.latest = self.latest.max(sequence);
    }

    /// An event came that is acknowledged once the ack is acknowledged.
    pub(super) fn enter(&mut self, sequence: u64) -> Ack {
        self.pass(sequence);
        let mark = Arc::new(AtomicU64::new(0));
        self.open.push(Open {
            sequence,
            mark: Arc::clone(&mark),
        });
        Ack::new(mark, sequence)
    }

    /// The last event that came.
    pub(super) const fn taken_in(&self) -> u64 {
        self.latest
    }

    /// The last event before which every one is acknowledged.
    pub(super) fn acknowledged(&mut self) -> u64 {
        let abandoned = &mut self.abandoned;
        self.open.retain_mut(|open| {
            // A mark that is ours alone can change no more.
            let Some(mark) = Arc::get_mut(&mut open.mark) else {
                return true;
            };
            if *mark.get_mut() < open.sequence {
                *abandoned =
                    Some(abandoned.map_or(open.sequence, |first| first.min(open.sequence)));
            }
            false
        });
        let waiting = self.open.first().map(|open| open.sequence);
        match (waiting, self.abandoned) {
            (None, None) => self.latest,
            (waiting, abandoned) => {
                let first = waiting.into_iter().chain(abandoned).min();
                first.map_or(self.latest, |first| first.saturating_sub(1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_that_need_nothing_count_once_all_before_them_are_acknowledged() {
        let mut acks = AckTracker::starting_at(10);
        assert_eq!(acks.acknowledged(), 10);
        acks.pass(11);
        assert_eq!(acks.acknowledged(), 11);
        let ack = acks.enter(12);
        acks.pass(13);
        assert_eq!(acks.acknowledged(), 11);
        ack.acknowledge();
        assert_eq!(acks.acknowledged(), 13);
    }

    #[test]
    fn acks_may_be_acknowledged_in_any_order() {
        let mut acks = AckTracker::default();
        let entered = [acks.enter(1), acks.enter(2), acks.enter(3)];
        let [first, second, third] = entered;
        third.acknowledge();
        assert_eq!(acks.acknowledged(), 0);
        first.acknowledge();
        assert_eq!(acks.acknowledged(), 1);
        second.acknowledge();
        assert_eq!(acks.acknowledged(), 3);
    }

    #[test]
    fn a_dropped_ack_holds_the_number_for_good() {
        let mut acks = AckTracker::default();
        drop(acks.enter(1));
        acks.enter(2).acknowledge();
        assert_eq!(acks.acknowledged(), 0);
        acks.enter(3).acknowledge();
        drop(acks.enter(4));
        assert_eq!(acks.acknowledged(), 0);
        assert!(acks.open.is_empty(), "what is settled is not kept");
    }

    #[test]
    fn a_clone_that_is_acknowledged_settles_the_event() {
        let mut acks = AckTracker::default();
        let ack = acks.enter(1);
        let clone = ack.clone();
        drop(ack);
        assert_eq!(acks.acknowledged(), 0);
        clone.acknowledge();
        assert_eq!(acks.acknowledged(), 1);
    }
}
