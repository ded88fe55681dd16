//! Keys that rest after they failed.
//!
//! A refusal with 403 may be about the question: firewalls and filters of
//! vendors use it. Then the key rests only for the scope of that question.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kaiwa_domain::{ModelError, Moment, Scope};

/// How long a key rests that asked too often, unless the server says longer.
const AFTER_LIMIT: Duration = Duration::from_secs(60);

/// How long a key rests that was refused.
const AFTER_REFUSAL: Duration = Duration::from_secs(300);

/// The longest rest, whatever the server says.
const LONGEST: Duration = Duration::from_secs(60 * 60);

/// How often the operator is told about a key.
const WARNING_EVERY: Duration = Duration::from_secs(60 * 60);

/// How many rests are remembered.
const MAX_RESTS: usize = 1024;

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
pub(super) struct Cooldowns(Mutex<HashMap<(Option<KeyName>, CooldownFor), Cooldown>>);

/// For whom a key rests.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum CooldownFor {
    Everybody,
    One(Option<Scope>),
}

struct Cooldown {
    since: Moment,
    length: Duration,
    why: ModelError,
    warned_at: Moment,
}

impl Cooldowns {
    /// Why a key rests for somebody in `scope`; none if it is awake.
    pub(super) fn why(
        &self,
        key: Option<KeyName>,
        scope: Option<Scope>,
        now: Moment,
    ) -> Option<ModelError> {
        let rests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rest = [CooldownFor::Everybody, CooldownFor::One(scope)]
            .into_iter()
            .filter_map(|whose| rests.get(&(key, whose)));
        let rest = rest.find(|rest| within(rest.since, rest.length, now))?;
        Some(rest.why.clone())
    }

    /// Lets a key rest for what a question in `scope` has shown. Says whether
    /// the operator should hear of it.
    pub(super) fn rest(
        &self,
        key: Option<KeyName>,
        scope: Option<Scope>,
        why: &ModelError,
        now: Moment,
    ) -> bool {
        let whose = match why {
            ModelError::Unauthorized { status: 403 } => CooldownFor::One(scope),
            _ => CooldownFor::Everybody,
        };
        let key = (key, whose);
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
        let rest = Cooldown {
            since: now,
            length,
            why: why.clone(),
            warned_at: warned_at.unwrap_or(now),
        };
        if rests.len() >= MAX_RESTS {
            rests.retain(|_, rest| within(rest.since, rest.length, now));
        }
        if rests.len() >= MAX_RESTS
            && let Some(oldest) = rests.iter().min_by_key(|(_, rest)| rest.since)
        {
            let oldest = *oldest.0;
            rests.remove(&oldest);
        }
        rests.insert(key, rest);
        warned_at.is_none()
    }
}

/// Whether less than `length` has passed.
pub(super) fn within(since: Moment, length: Duration, now: Moment) -> bool {
    now.since(since) < length
}

#[cfg(test)]
mod tests {
    use kaiwa_domain::GuildId;

    use super::*;

    const KEY: Option<KeyName> = Some(KeyName::new(1));

    fn at(seconds: u64) -> Moment {
        Moment::new(Duration::from_secs(1000 + seconds))
    }

    #[test]
    fn a_key_rests_for_what_it_has_earned() {
        fn check(why: &ModelError, seconds: u64) {
            let rests = Cooldowns::default();
            rests.rest(KEY, None, why, at(0));
            assert_eq!(rests.why(KEY, None, at(seconds - 1)).as_ref(), Some(why));
            assert_eq!(rests.why(KEY, None, at(seconds)), None, "{why:?}");
            assert_eq!(rests.why(None, None, at(0)), None, "another key");
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
        let rests = Cooldowns::default();
        let heard: Vec<u64> = (0..3)
            .flat_map(|hour| [0, 300, 3599].map(|second| hour * 3600 + second))
            .filter(|second| rests.rest(KEY, None, &ModelError::OutOfCredit, at(*second)))
            .collect();
        assert_eq!(heard, [0, 3600, 7200]);
    }

    #[test]
    fn a_refusal_that_may_be_about_the_question_is_of_its_scope() {
        let scope = |id| Some(Scope::Guild(GuildId::new(id)));
        let check = |status, elsewhere: bool| {
            let rests = Cooldowns::default();
            let why = ModelError::Unauthorized { status };
            rests.rest(KEY, scope(1), &why, at(0));
            assert_eq!(rests.why(KEY, scope(1), at(1)), Some(why));
            assert_eq!(rests.why(KEY, scope(2), at(1)).is_some(), elsewhere);
            assert_eq!(rests.why(KEY, None, at(1)).is_some(), elsewhere);
        };
        check(401, true);
        check(403, false);
        // Many scopes are not remembered for ever.
        let rests = Cooldowns::default();
        for id in 1..3000 {
            let why = ModelError::Unauthorized { status: 403 };
            rests.rest(KEY, scope(id), &why, at(0));
            assert!(rests.why(KEY, scope(id), at(0)).is_some());
        }
        assert!(rests.0.lock().unwrap().len() <= MAX_RESTS);
    }
}
