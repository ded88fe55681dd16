//! A model that keeps failing is left alone for a while.
//!
//! A question may make a server fail, so a row of failures in one scope closes
//! the model for that scope only. Others find out for themselves.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kaiwa_domain::{ModelError, Moment, Scope};

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
    last: Option<(ModelError, Moment)>,
    /// Where the failures were seen.
    seen: Seen,
    /// Whether a call is under way that tries a model which was left alone.
    probing: bool,
}

/// Where a row of failures was seen; an unknown place is a place, too.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Seen {
    #[default]
    Nowhere,
    In(Option<Scope>),
    Everywhere,
}

impl Seen {
    fn add(&mut self, scope: Option<Scope>) {
        *self = match *self {
            Self::Nowhere => Self::In(scope),
            Self::In(known) if known == scope => *self,
            _ => Self::Everywhere,
        };
    }

    fn concerns(self, scope: Option<Scope>) -> bool {
        self == Self::In(scope) || self == Self::Everywhere
    }
}

/// Leave to call a model. Dropping it without a verdict says nothing about the
/// model.
pub(super) struct Permit {
    breaker: Arc<Breaker>,
    scope: Option<Scope>,
    probe: bool,
}

impl Breaker {
    /// Asks for leave to call the model for somebody in `scope`.
    ///
    /// # Errors
    /// What the model failed with last, if it is out of order.
    pub(super) fn enter(
        self: &Arc<Self>,
        scope: Option<Scope>,
        now: Moment,
    ) -> Result<Permit, ModelError> {
        let mut state = self.state();
        if let Some((error, _)) = state.refusal(scope, now) {
            return Err(error.clone());
        }
        let probe = state.is_open(scope);
        state.probing |= probe;
        drop(state);
        Ok(Permit {
            breaker: Arc::clone(self),
            scope,
            probe,
        })
    }

    /// The same, whatever happened: nobody else is left to ask.
    pub(super) fn enter_anyway(self: &Arc<Self>, scope: Option<Scope>) -> Permit {
        let mut state = self.state();
        let probe = !state.probing && state.is_open(scope);
        state.probing |= probe;
        drop(state);
        Permit {
            breaker: Arc::clone(self),
            scope,
            probe,
        }
    }

    /// When the model last failed, if it would be refused for that.
    pub(super) fn refused_since(&self, scope: Option<Scope>, now: Moment) -> Option<Moment> {
        self.state().refusal(scope, now).map(|(_, at)| *at)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether there were too many failures for somebody in `scope`.
    fn is_open(&self, scope: Option<Scope>) -> bool {
        self.failures >= FAILURES && self.seen.concerns(scope)
    }

    /// Why nobody in `scope` may call the model now, and since when.
    fn refusal(&self, scope: Option<Scope>, now: Moment) -> Option<&(ModelError, Moment)> {
        let last = self.last.as_ref().filter(|_| self.is_open(scope))?;
        (self.probing || within(last.1, OPEN, now)).then_some(last)
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
        state.seen = Seen::Nowhere;
    }

    /// The model failed.
    pub(super) fn failed(self, error: &ModelError, now: Moment) {
        let mut state = self.breaker.state();
        state.failures = state.failures.saturating_add(1);
        state.last = Some((error.clone(), now));
        state.seen.add(self.scope);
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
    use kaiwa_domain::GuildId;

    use super::*;

    fn at(seconds: u64) -> Moment {
        Moment::new(Duration::from_secs(seconds))
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
                .enter(None, at(second))
                .unwrap()
                .failed(&error(), at(second));
        }
        breaker
    }

    fn is_open(breaker: &Arc<Breaker>, second: u64) -> bool {
        breaker.enter(None, at(second)).is_err()
    }

    #[test]
    fn five_failures_in_a_row_open_it_for_half_a_minute() {
        let breaker = broken();
        assert_eq!(breaker.enter(None, at(4)).err(), Some(error()));
        assert!(is_open(&breaker, 33));
        assert!(!is_open(&breaker, 34));

        let breaker = Arc::new(Breaker::default());
        for _ in 0..3 {
            for _ in 0..4 {
                breaker.enter(None, at(0)).unwrap().failed(&error(), at(0));
            }
            breaker.enter(None, at(0)).unwrap().succeeded();
        }
        assert!(!is_open(&breaker, 0));
    }

    #[test]
    fn one_call_tries_it_and_its_fate_decides() {
        let breaker = broken();
        let probe = breaker.enter(None, at(34)).unwrap();
        assert!(is_open(&breaker, 34), "one at a time");
        drop(probe);
        let probe = breaker.enter(None, at(34)).unwrap();
        probe.failed(&error(), at(35));
        assert!(is_open(&breaker, 64));
        breaker.enter(None, at(65)).unwrap().succeeded();
        let both = (breaker.enter(None, at(65)), breaker.enter(None, at(65)));
        assert!(both.0.is_ok() && both.1.is_ok());
    }

    #[test]
    fn nobody_waits_for_the_end_of_the_answer_that_tries_it() {
        let breaker = broken();
        let mut probe = breaker.enter(None, at(34)).unwrap();
        probe.answered();
        assert!(!is_open(&breaker, 34));
        probe.failed(&error(), at(35));
        assert!(is_open(&breaker, 35));
    }

    #[test]
    fn one_scope_closes_it_for_itself() {
        let scope = |id| Some(Scope::Guild(GuildId::new(id)));
        let breaker = Arc::new(Breaker::default());
        let fail = |id| match breaker.enter(scope(id), at(0)) {
            Ok(permit) => permit.failed(&error(), at(0)),
            Err(_) => panic!("refused"),
        };
        (0..5).for_each(|_| fail(1));
        assert!(breaker.enter(scope(1), at(0)).is_err());
        assert!(breaker.enter(scope(2), at(0)).is_ok());
        assert!(breaker.enter(None, at(0)).is_ok());
        // Another one who fails shows that it is not the first one's fault.
        fail(2);
        for id in 1..4 {
            assert!(breaker.enter(scope(id), at(0)).is_err());
        }
        // Whoever succeeds shows that it is.
        breaker.enter_anyway(scope(3)).succeeded();
        for id in 1..4 {
            assert!(breaker.enter(scope(id), at(0)).is_ok());
        }
    }
}
