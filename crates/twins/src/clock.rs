//! Time that stands still.

use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::Duration;

use kaiwa_domain::port::{Clock, Pending};
use kaiwa_domain::{Moment, Timestamp};

use crate::lock;

/// A clock that moves only when told. Clones share the time.
#[derive(Clone, Debug)]
pub struct StillClock {
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    now: i64,
    next: u64,
    sleepers: Vec<Sleeper>,
}

#[derive(Debug)]
struct Sleeper {
    number: u64,
    until: i64,
    waker: Option<Waker>,
}

impl StillClock {
    /// A clock that stands at `now`.
    pub fn new(now: Timestamp) -> Self {
        let state = State {
            now: now.as_millis(),
            next: 0,
            sleepers: Vec::new(),
        };
        Self {
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// Moves time, and wakes those who have slept long enough.
    pub fn advance(&self, by: Duration) {
        let mut state = lock(&self.state);
        state.now += millis(by);
        let now = state.now;
        let due: Vec<Waker> = state
            .sleepers
            .iter_mut()
            .filter(|sleeper| sleeper.until <= now)
            .filter_map(|sleeper| sleeper.waker.take())
            .collect();
        drop(state);
        due.into_iter().for_each(Waker::wake);
    }

    /// Moves time to the next moment that somebody waits for, if it is at most
    /// `most` away. False if nobody waits for any.
    pub fn advance_to_next(&self, most: Duration) -> bool {
        let by = {
            let state = lock(&self.state);
            // Those who have slept long enough were woken, and may have better to do.
            let moments = state.sleepers.iter().map(|sleeper| sleeper.until);
            let next = moments.filter(|until| *until > state.now).min();
            next.map(|next| next - state.now)
        };
        match by {
            Some(by) if by <= millis(most) => {
                self.advance(Duration::from_millis(by.cast_unsigned()));
                true
            }
            _ => false,
        }
    }
}

impl Clock for StillClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(lock(&self.state).now)
    }

    fn moment(&self) -> Moment {
        let now = lock(&self.state).now.max(0).cast_unsigned();
        Moment::new(Duration::from_millis(now))
    }

    fn sleep(&self, duration: Duration) -> Pending<'static, ()> {
        let mut state = lock(&self.state);
        let number = state.next;
        state.next += 1;
        let until = state.now.saturating_add(millis(duration));
        state.sleepers.push(Sleeper {
            number,
            until,
            waker: None,
        });
        drop(state);
        let sleep = Sleep {
            clock: self.clone(),
            number,
        };
        Box::pin(std::future::poll_fn(move |context| {
            let mut state = lock(&sleep.clock.state);
            let now = state.now;
            let sleeper = state
                .sleepers
                .iter_mut()
                .find(|it| it.number == sleep.number);
            match sleeper {
                Some(sleeper) if sleeper.until > now => {
                    sleeper.waker = Some(context.waker().clone());
                    Poll::Pending
                }
                _ => Poll::Ready(()),
            }
        }))
    }
}

/// Somebody asleep; dropping it forgets them.
struct Sleep {
    clock: StillClock,
    number: u64,
}

impl Drop for Sleep {
    fn drop(&mut self) {
        let mut state = lock(&self.clock.state);
        state.sleepers.retain(|it| it.number != self.number);
    }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn time_moves_when_told_and_wakes_in_order() {
        let clock = StillClock::new(Timestamp::from_millis(1_000));
        let mut short = clock.sleep(Duration::from_secs(1));
        let mut long = clock.sleep(Duration::from_secs(5));
        assert!((&mut short).now_or_never().is_none());
        assert!(clock.advance_to_next(Duration::from_secs(2)));
        assert!((&mut short).now_or_never().is_some());
        assert!((&mut long).now_or_never().is_none());
        drop(short);
        assert!(!clock.advance_to_next(Duration::from_secs(2)), "too far");
        clock.advance(Duration::from_secs(4));
        assert!((&mut long).now_or_never().is_some());
        assert_eq!(clock.now(), Timestamp::from_millis(6_000));
        drop(long);
        assert!(!clock.advance_to_next(Duration::MAX), "nobody waits");
    }
}
