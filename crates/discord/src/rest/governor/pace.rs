//! How far apart the edits of a message are that grows.

use std::time::Duration;

/// Nobody reads faster than this, and nobody is to think that it has ended.
const FLOOR: Duration = Duration::from_secs(1);
const CEILING: Duration = Duration::from_secs(10);

/// Paces are whole tenths of a second.
const STEP: u64 = 100;

/// What decides how far apart edits are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EditLoad {
    /// So many edits in so long, as Discord last told.
    pub(super) bucket: Option<(u32, Duration)>,
    /// Edits that wait for the same bucket.
    pub(super) here: usize,
    /// All requests that wait to be counted with this one.
    pub(super) waiting: usize,
    /// How many of them may be sent in a second.
    pub(super) per_second: usize,
}

impl EditLoad {
    /// What the bucket takes, shared with who waits for it; and if much waits,
    /// twice as long as it takes to send that, so that half is left to others.
    pub(super) fn pace(self) -> Duration {
        let bucket = self.bucket.map_or(0, |(limit, window)| {
            let window = u64::try_from(window.as_millis()).unwrap_or(u64::MAX);
            let sharers = (self.here as u64).saturating_add(1);
            window.saturating_mul(sharers) / u64::from(limit.max(1))
        });
        let queue = (self.waiting as u64).saturating_mul(2000) / self.per_second.max(1) as u64;
        let pace = bucket.max(queue) / STEP * STEP;
        Duration::from_millis(pace).clamp(FLOOR, CEILING)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_as_far_apart_as_their_load_has_it() {
        fn check(bucket: Option<(u32, u64)>, here: usize, waiting: usize, pace: u64) {
            let load = EditLoad {
                bucket: bucket.map(|(limit, millis)| (limit, Duration::from_millis(millis))),
                here,
                waiting,
                per_second: 50,
            };
            assert_eq!(load.pace(), Duration::from_millis(pace), "{load:?}");
        }
        // Alone, whether or not Discord has told anything.
        check(None, 0, 0, 1000);
        check(Some((5, 5000)), 0, 0, 1000);
        check(Some((5, 4983)), 0, 0, 1000);
        check(Some((5, 2000)), 0, 0, 1000);
        // A bucket that takes less, and one that others wait for.
        check(Some((2, 5000)), 0, 0, 2500);
        check(Some((5, 5000)), 1, 1, 2000);
        check(Some((5, 5000)), 3, 3, 4000);
        // Much waits for the bot as a whole.
        check(None, 0, 25, 1000);
        check(None, 0, 50, 2000);
        check(Some((5, 5000)), 0, 120, 4800);
        check(Some((5, 5000)), 3, 120, 4800);
        // However much it is, the message goes on.
        check(Some((1, 60_000)), 9, 4096, 10_000);
        check(Some((0, u64::MAX)), usize::MAX, usize::MAX, 10_000);
    }
}
