//! Keys that rest after they failed.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kaiwa_domain::{ModelError, Timestamp};

/// How long a key rests that asked too often, unless the server says longer.
const AFTER_LIMIT: Duration = Duration::from_secs(60);

/// How long a key rests that was refused.
const AFTER_REFUSAL: Duration = Duration::from_secs(300);

/// The longest rest, whatever the server says.
const LONGEST: Duration = Duration::from_secs(60 * 60);

/// How often the operator is told about a key.
const WARNING_EVERY: Duration = Duration::from_secs(60 * 60);

/// A key by a hash that means nothing outside this process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct KeyName(u64);

impl KeyName {
    pub(super) const fn new(hash: u64) -> Self {
        Self(hash)
    }
}

/// Which keys of a model rest. A model without keys has one nameless key.
#[derive(Default)]
pub(super) struct Rests(Mutex<HashMap<Option<KeyName>, Rest>>);

struct Rest {
    since: Timestamp,
    length: Duration,
    why: ModelError,
    warned_at: Timestamp,
}

impl Rests {
    /// Why a key rests; none if it is awake.
    pub(super) fn why(&self, key: Option<KeyName>, now: Timestamp) -> Option<ModelError> {
        let rests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rest = rests.get(&key)?;
        within(rest.since, rest.length, now).then(|| rest.why.clone())
    }

    /// Lets a key rest. Says whether the operator should hear of it.
    pub(super) fn rest(&self, key: Option<KeyName>, why: &ModelError, now: Timestamp) -> bool {
        let length = match why {
            ModelError::Busy { retry_after } => {
                retry_after.unwrap_or_default().clamp(AFTER_LIMIT, LONGEST)
            }
            _ => AFTER_REFUSAL,
        };
        let mut rests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let warned_at = rests
            .get(&key)
            .map(|rest| rest.warned_at)
            .filter(|&at| within(at, WARNING_EVERY, now));
        let rest = Rest {
            since: now,
            length,
            why: why.clone(),
            warned_at: warned_at.unwrap_or(now),
        };
        rests.insert(key, rest);
        warned_at.is_none()
    }
}

/// Whether less than `length` has passed. A clock that was set back must not
/// prolong anything, so a start in the future is over.
pub(super) fn within(since: Timestamp, length: Duration, now: Timestamp) -> bool {
    now >= since && now.since(since) < length
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Option<KeyName> = Some(KeyName::new(1));

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(1_000_000 + seconds * 1000)
    }

    #[test]
    fn a_key_rests_for_what_it_has_earned() {
        fn check(why: &ModelError, seconds: i64) {
            let rests = Rests::default();
            rests.rest(KEY, why, at(0));
            assert_eq!(rests.why(KEY, at(seconds - 1)).as_ref(), Some(why));
            assert_eq!(rests.why(KEY, at(seconds)), None, "{why:?}");
            assert_eq!(rests.why(None, at(0)), None, "another key");
            assert_eq!(rests.why(KEY, at(-1)), None, "the clock was set back");
        }
        let busy = |seconds| ModelError::Busy {
            retry_after: Some(Duration::from_secs(seconds)),
        };
        check(&ModelError::Busy { retry_after: None }, 60);
        check(&busy(9), 60);
        check(&busy(90), 90);
        check(&busy(1 << 40), 3600);
        check(&ModelError::OutOfCredit, 300);
        check(&ModelError::Unauthorized { status: 401 }, 300);
    }

    #[test]
    fn the_operator_hears_of_a_key_once_an_hour() {
        let rests = Rests::default();
        let heard: Vec<i64> = (0..3)
            .flat_map(|hour| [0, 300, 3599].map(|second| hour * 3600 + second))
            .filter(|second| rests.rest(KEY, &ModelError::OutOfCredit, at(*second)))
            .collect();
        assert_eq!(heard, [0, 3600, 7200]);
    }
}
