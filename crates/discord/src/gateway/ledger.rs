//! How far a session's events have been dealt with.
//!
//! Events are dealt with in any order, but a session resumes from one number:
//! everything after it is replayed. So the number to save is that just before
//! the first event that is still open, and each event has a mark of its own.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use kaiwa_domain::port::Receipt;

/// The open events of one session.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// The last event that came.
    latest: u64,
    /// Events whose receipts may still be signed, in order.
    open: Vec<Open>,
    /// The first event whose receipt was dropped unsigned.
    abandoned: Option<u64>,
}

#[derive(Debug)]
struct Open {
    sequence: u64,
    mark: Arc<AtomicU64>,
}

impl Ledger {
    /// A session of which everything up to `sequence` is dealt with.
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

    /// An event came that is dealt with once the receipt is signed.
    pub(super) fn enter(&mut self, sequence: u64) -> Receipt {
        self.pass(sequence);
        let mark = Arc::new(AtomicU64::new(0));
        self.open.push(Open {
            sequence,
            mark: Arc::clone(&mark),
        });
        Receipt::new(mark, sequence)
    }

    /// The last event before which every one is dealt with.
    pub(super) fn dealt_with(&mut self) -> u64 {
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

/// A receipt for an event that is never replayed.
pub(super) fn blank_receipt() -> Receipt {
    Receipt::new(Arc::default(), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_that_need_nothing_count_once_all_before_them_are_signed() {
        let mut ledger = Ledger::starting_at(10);
        assert_eq!(ledger.dealt_with(), 10);
        ledger.pass(11);
        assert_eq!(ledger.dealt_with(), 11);
        let receipt = ledger.enter(12);
        ledger.pass(13);
        assert_eq!(ledger.dealt_with(), 11);
        receipt.sign();
        assert_eq!(ledger.dealt_with(), 13);
    }

    #[test]
    fn receipts_may_be_signed_in_any_order() {
        let mut ledger = Ledger::default();
        let receipts = [ledger.enter(1), ledger.enter(2), ledger.enter(3)];
        let [first, second, third] = receipts;
        third.sign();
        assert_eq!(ledger.dealt_with(), 0);
        first.sign();
        assert_eq!(ledger.dealt_with(), 1);
        second.sign();
        assert_eq!(ledger.dealt_with(), 3);
    }

    #[test]
    fn a_dropped_receipt_holds_the_number_for_good() {
        let mut ledger = Ledger::default();
        drop(ledger.enter(1));
        ledger.enter(2).sign();
        assert_eq!(ledger.dealt_with(), 0);
        ledger.enter(3).sign();
        drop(ledger.enter(4));
        assert_eq!(ledger.dealt_with(), 0);
        assert!(ledger.open.is_empty(), "what is settled is not kept");
    }

    #[test]
    fn a_clone_that_is_signed_settles_the_event() {
        let mut ledger = Ledger::default();
        let receipt = ledger.enter(1);
        let clone = receipt.clone();
        drop(receipt);
        assert_eq!(ledger.dealt_with(), 0);
        clone.sign();
        assert_eq!(ledger.dealt_with(), 1);
    }
}
