//! A clock that moves when told to.

use std::sync::Mutex;
use std::time::Duration;

use kaiwa_domain::port::{Clock, Pending};
use kaiwa_domain::{Moment, Timestamp};
use tokio::sync::{oneshot, watch};

pub struct ManualClock {
    state: Mutex<State>,
    sleeps: watch::Sender<u64>,
}

struct State {
    /// How far it has come.
    now: Duration,
    /// How far it was set back, which changes what it shows and no more.
    back: Duration,
    learnt: Option<(Timestamp, Timestamp)>,
    sleepers: Vec<Sleeper>,
}

struct Sleeper {
    until: Duration,
    duration: Duration,
    wake: oneshot::Sender<()>,
}

impl ManualClock {
    pub fn new() -> Self {
        Self {
            state: Mutex::new(State {
                now: Duration::from_secs(1_700_000_000),
                back: Duration::ZERO,
                learnt: None,
                sleepers: Vec::new(),
            }),
            sleeps: watch::Sender::new(0),
        }
    }

    /// Sets the clock back, as people and time servers do.
    pub fn set_back(&self, by: Duration) {
        self.state.lock().unwrap().back = by;
    }

    /// What Discord's clock was last said to show.
    pub fn learnt(&self) -> Option<(Timestamp, Timestamp)> {
        self.state.lock().unwrap().learnt
    }

    /// Moves time and wakes whoever slept long enough.
    pub fn advance(&self, duration: Duration) {
        let mut state = self.state.lock().unwrap();
        state.now += duration;
        let now = state.now;
        let (due, rest) = std::mem::take(&mut state.sleepers)
            .into_iter()
            .partition(|sleeper| sleeper.until <= now);
        state.sleepers = rest;
        let due: Vec<Sleeper> = due;
        for sleeper in due {
            let _ = sleeper.wake.send(());
        }
    }

    /// Waits until `count` tasks sleep for exactly `duration`.
    pub async fn asleep(&self, count: usize, duration: Duration) {
        let mut sleeps = self.sleeps.subscribe();
        sleeps
            .wait_for(|_| {
                let state = self.state.lock().unwrap();
                let alike = state
                    .sleepers
                    .iter()
                    .filter(|sleeper| sleeper.duration == duration && !sleeper.wake.is_closed());
                alike.count() >= count
            })
            .await
            .unwrap();
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        let state = self.state.lock().unwrap();
        let shown = state.now - state.back;
        Timestamp::from_millis(shown.as_millis() as i64)
    }

    fn learn(&self, earliest: Timestamp, latest: Timestamp) {
        self.state.lock().unwrap().learnt = Some((earliest, latest));
    }

    fn moment(&self) -> Moment {
        Moment::new(self.state.lock().unwrap().now)
    }

    fn sleep(&self, duration: Duration) -> Pending<'static, ()> {
        let (wake, woken) = oneshot::channel();
        let mut state = self.state.lock().unwrap();
        let until = state.now + duration;
        state.sleepers.push(Sleeper {
            until,
            duration,
            wake,
        });
        drop(state);
        self.sleeps.send_modify(|count| *count += 1);
        Box::pin(async move {
            let _ = woken.await;
        })
    }
}
