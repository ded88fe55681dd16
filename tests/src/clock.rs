//! A clock that the test moves by hand.

use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kaiwa_domain::port::{Clock, Pending};
use kaiwa_domain::{Moment, Timestamp};
use tokio::sync::{Notify, oneshot};

use crate::soon;

/// Tells the real time, moved forward by as much as the test has skipped, and
/// lets sleepers sleep until the test skips their time.
#[derive(Clone, Default)]
pub struct HandClock {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    skipped: Duration,
    /// How far it shows more than it is.
    ahead: Duration,
    sleepers: Vec<Sleeper>,
}

struct Sleeper {
    until: Duration,
    /// How long it sleeps in all.
    whole: Duration,
    wake: oneshot::Sender<()>,
}

impl HandClock {
    /// The machine's clock is fast.
    pub fn is_ahead(&self, by: Duration) {
        self.shared.lock().ahead = by;
    }

    /// Waits until somebody has just gone to sleep for `duration`, then lets
    /// that much time pass.
    pub async fn skip(&self, duration: Duration) {
        let what = format!("somebody to sleep for {duration:?}");
        soon(&what, async {
            loop {
                let changed = self.shared.changed.notified();
                if self.pass_if_awaited(duration) {
                    return;
                }
                changed.await;
            }
        })
        .await;
    }

    /// Lets time pass, whoever sleeps for how long.
    pub fn passes(&self, duration: Duration) {
        let mut state = self.shared.lock();
        let until = state.skipped + duration;
        state.pass(until);
    }

    /// Waits until somebody sleeps for a time within `millis`, and lets just
    /// that much pass, which is returned.
    pub async fn skip_any(&self, millis: RangeInclusive<u64>) -> Duration {
        let what = format!("somebody to sleep for {millis:?} ms");
        let (shortest, longest) = millis.into_inner();
        let bounds = Duration::from_millis(shortest)..=Duration::from_millis(longest);
        soon(&what, async {
            loop {
                let changed = self.shared.changed.notified();
                let duration = self.shared.lock().awaited(&bounds);
                if let Some(duration) = duration
                    && self.pass_if_awaited(duration)
                {
                    return duration;
                }
                changed.await;
            }
        })
        .await
    }

    /// Waits until somebody sleeps for a time within `millis`, and lets them.
    pub async fn sleeps(&self, millis: RangeInclusive<u64>) {
        let what = format!("somebody to sleep for {millis:?} ms");
        let (shortest, longest) = millis.into_inner();
        let bounds = Duration::from_millis(shortest)..=Duration::from_millis(longest);
        soon(&what, async {
            loop {
                let changed = self.shared.changed.notified();
                if self.shared.lock().awaited(&bounds).is_some() {
                    return;
                }
                changed.await;
            }
        })
        .await;
    }

    /// Waits until somebody has just gone to sleep for a time within one of
    /// `ranges` of milliseconds, and says for how long. Nobody who went to sleep
    /// before the last skip counts.
    pub async fn falls_asleep(&self, ranges: &[RangeInclusive<u64>]) -> Duration {
        let what = format!("somebody to fall asleep for {ranges:?} ms");
        let fits = |sleeper: &&Sleeper| {
            let millis = u64::try_from(sleeper.whole.as_millis()).unwrap_or(u64::MAX);
            !sleeper.wake.is_closed() && ranges.iter().any(|range| range.contains(&millis))
        };
        soon(&what, async {
            loop {
                let changed = self.shared.changed.notified();
                let found = {
                    let state = self.shared.lock();
                    let just = |it: &&Sleeper| it.until == state.skipped + it.whole;
                    let mut fresh = state.sleepers.iter().filter(just);
                    fresh.find(fits).map(|sleeper| sleeper.whole)
                };
                match found {
                    Some(whole) => return whole,
                    None => changed.await,
                }
            }
        })
        .await
    }

    fn pass_if_awaited(&self, duration: Duration) -> bool {
        let mut state = self.shared.lock();
        state.sleepers.retain(|sleeper| !sleeper.wake.is_closed());
        let until = state.skipped + duration;
        if !state.sleepers.iter().any(|sleeper| sleeper.until == until) {
            return false;
        }
        state.pass(until);
        true
    }
}

impl State {
    /// It is so late now; whoever slept until then wakes up.
    fn pass(&mut self, until: Duration) {
        self.skipped = until;
        let (due, asleep): (Vec<_>, Vec<_>) = std::mem::take(&mut self.sleepers)
            .into_iter()
            .partition(|sleeper| sleeper.until <= until);
        self.sleepers = asleep;
        for sleeper in due {
            let _ = sleeper.wake.send(());
        }
    }

    /// The shortest time within `bounds` that somebody still sleeps.
    fn awaited(&self, bounds: &RangeInclusive<Duration>) -> Option<Duration> {
        let asleep = self.sleepers.iter().filter(|it| !it.wake.is_closed());
        let left = asleep.map(|sleeper| sleeper.until.saturating_sub(self.skipped));
        left.filter(|left| bounds.contains(left)).min()
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        let state = self.shared.lock();
        let more = (state.skipped + state.ahead).as_millis() as i64;
        drop(state);
        Timestamp::from_millis(kaiwa_runtime::SystemClock.now().as_millis() + more)
    }

    fn moment(&self) -> Moment {
        Moment::new(self.shared.lock().skipped)
    }

    fn sleep(&self, duration: Duration) -> Pending<'static, ()> {
        let (wake, woken) = oneshot::channel();
        let mut state = self.shared.lock();
        let until = state.skipped + duration;
        state.sleepers.push(Sleeper {
            until,
            whole: duration,
            wake,
        });
        drop(state);
        self.shared.changed.notify_waiters();
        Box::pin(async move {
            let _ = woken.await;
        })
    }
}
