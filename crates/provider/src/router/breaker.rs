//! A model that keeps failing is left alone for a while.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kaiwa_domain::{ModelError, Timestamp};

use super::keys::within;

/// How many failures in a row are too many.
const FAILURES: u32 = 5;

/// How long the model is then left alone. After that one call may try it.
const OPEN: Duration = Duration::from_secs(30);

/// Counts the failures of a model.
#[derive(Default)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Default)]
struct State {
    failures: u32,
    last: Option<(ModelError, Timestamp)>,
    /// Whether a call is under way that tries a model which was left alone.
    probing: bool,
}

/// Leave to call a model. Dropping it without a verdict says nothing about the
/// model.
pub(super) struct Permit {
    breaker: Arc<Breaker>,
    probe: bool,
}

impl Breaker {
    /// Asks for leave to call the model.
    ///
    /// # Errors
    /// What the model failed with last, if it is out of order.
    pub(super) fn enter(self: &Arc<Self>, now: Timestamp) -> Result<Permit, ModelError> {
        let mut state = self.state();
        let probe = match &state.last {
            Some((error, at)) if state.failures >= FAILURES => {
                if state.probing || within(*at, OPEN, now) {
                    return Err(error.clone());
                }
                true
            }
            _ => false,
        };
        state.probing |= probe;
        drop(state);
        Ok(Permit {
            breaker: Arc::clone(self),
            probe,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit {
    /// The model has begun to answer, so others may ask it too. One more
    /// failure still breaks it.
    pub(super) fn answered(&mut self) {
        if std::mem::take(&mut self.probe) {
            let mut state = self.breaker.state();
            state.probing = false;
            state.failures = FAILURES - 1;
        }
    }

    /// The server did its work, even if that was to refuse.
    pub(super) fn succeeded(self) {
        let mut state = self.breaker.state();
        state.failures = 0;
        state.last = None;
    }

    /// The model failed.
    pub(super) fn failed(self, error: &ModelError, now: Timestamp) {
        let mut state = self.breaker.state();
        state.failures = state.failures.saturating_add(1);
        state.last = Some((error.clone(), now));
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if self.probe {
            self.breaker.state().probing = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1000)
    }

    fn error() -> ModelError {
        ModelError::Cut {
            reason: "broken".to_owned(),
        }
    }

    fn broken() -> Arc<Breaker> {
        let breaker = Arc::new(Breaker::default());
        for second in 0..5 {
            breaker
                .enter(at(second))
                .unwrap()
                .failed(&error(), at(second));
        }
        breaker
    }

    fn is_open(breaker: &Arc<Breaker>, second: i64) -> bool {
        breaker.enter(at(second)).is_err()
    }

    #[test]
    fn five_failures_in_a_row_open_it_for_half_a_minute() {
        let breaker = broken();
        assert_eq!(breaker.enter(at(4)).err(), Some(error()));
        assert!(is_open(&breaker, 33));
        assert!(!is_open(&breaker, 34));

        let breaker = Arc::new(Breaker::default());
        for _ in 0..3 {
            for _ in 0..4 {
                breaker.enter(at(0)).unwrap().failed(&error(), at(0));
            }
            breaker.enter(at(0)).unwrap().succeeded();
        }
        assert!(!is_open(&breaker, 0));
    }

    #[test]
    fn one_call_tries_it_and_its_fate_decides() {
        let breaker = broken();
        let probe = breaker.enter(at(34)).unwrap();
        assert!(is_open(&breaker, 34), "one at a time");
        drop(probe);
        let probe = breaker.enter(at(34)).unwrap();
        probe.failed(&error(), at(35));
        assert!(is_open(&breaker, 64));
        breaker.enter(at(65)).unwrap().succeeded();
        let both = (breaker.enter(at(65)), breaker.enter(at(65)));
        assert!(both.0.is_ok() && both.1.is_ok());
    }

    #[test]
    fn nobody_waits_for_the_end_of_the_answer_that_tries_it() {
        let breaker = broken();
        let mut probe = breaker.enter(at(34)).unwrap();
        probe.answered();
        assert!(!is_open(&breaker, 34));
        probe.failed(&error(), at(35));
        assert!(is_open(&breaker, 35));
    }
}
