//! A clock that the test moves by hand.

use std::sync::Mutex;
use std::time::Duration;

use kaiwa_domain::port::{Clock, Pending};
use kaiwa_domain::{Moment, Timestamp};
use tokio::sync::watch;

/// 1994-11-06 08:49:00 UTC.
pub(crate) const START: i64 = 784_111_740_000;

pub(crate) struct HandClock {
    now: watch::Sender<Duration>,
    /// Sleeps as short as this move the clock themselves.
    eager: Duration,
    sleeps: Mutex<Vec<Duration>>,
    slept: watch::Sender<()>,
}

impl HandClock {
    pub(crate) fn new() -> Self {
        Self::eager(Duration::ZERO)
    }

    /// A clock on which nobody waits for sleeps up to a length.
    pub(crate) fn eager(eager: Duration) -> Self {
        Self {
            now: watch::Sender::new(Duration::ZERO),
            eager,
            sleeps: Mutex::default(),
            slept: watch::Sender::new(()),
        }
    }

    pub(crate) fn advance(&self, by: Duration) {
        self.now.send_modify(|now| *now += by);
    }

    /// The sleeps that nobody waited for, in order.
    pub(crate) fn pauses(&self) -> Vec<Duration> {
        let sleeps = self.sleeps.lock().unwrap();
        let pauses = sleeps.iter().filter(|sleep| **sleep <= self.eager);
        pauses.copied().collect()
    }

    /// How often somebody began to sleep this long.
    pub(crate) fn count(&self, duration: Duration) -> usize {
        let sleeps = self.sleeps.lock().unwrap();
        sleeps.iter().filter(|sleep| **sleep == duration).count()
    }

    /// Completes once somebody began to sleep this long for the nth time.
    pub(crate) async fn slept(&self, duration: Duration, times: usize) {
        let mut slept = self.slept.subscribe();
        slept
            .wait_for(|()| self.count(duration) >= times)
            .await
            .unwrap();
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        let passed = i64::try_from(self.now.borrow().as_millis()).unwrap();
        Timestamp::from_millis(START + passed)
    }

    fn moment(&self) -> Moment {
        Moment::new(*self.now.borrow())
    }

    fn sleep(&self, duration: Duration) -> Pending<'static, ()> {
        if duration <= self.eager {
            self.sleeps.lock().unwrap().push(duration);
            let now = self.now.clone();
            return Box::pin(async move { now.send_modify(|now| *now += duration) });
        }
        let mut now = self.now.subscribe();
        let until = *now.borrow() + duration;
        self.sleeps.lock().unwrap().push(duration);
        self.slept.send_replace(());
        Box::pin(async move {
            now.wait_for(|now| *now >= until).await.unwrap();
        })
    }
}
