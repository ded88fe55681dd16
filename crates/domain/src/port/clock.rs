//! Time, and what rings when nothing happens for a while.

use std::time::Duration;

use super::Pending;
use crate::{Moment, Timestamp};

/// Time. What is waited for or measured is reckoned in [`Moment`]s, which no
/// one can set back; what is written down or compared with others' times, in
/// [`Timestamp`]s.
pub trait Clock: Send + Sync {
    /// What time it is.
    fn now(&self) -> Timestamp;

    /// How far a stopwatch has come that was started some time ago.
    fn moment(&self) -> Moment;

    /// Completes after `duration`.
    fn sleep(&self, duration: Duration) -> Pending<'static, ()>;

    /// Tells the clock that by Discord's it is now no earlier and no later
    /// than this. A clock that goes by itself does not care.
    fn learn(&self, _earliest: Timestamp, _latest: Timestamp) {}
}

/// Rings when nobody has put it off for some time. One sleep serves many waits:
/// a timer that is made and dropped for each delta is felt with thousands of
/// answers at a time.
#[derive(Default)]
pub struct Alarm {
    sleep: Option<Pending<'static, ()>>,
    since: Moment,
}

impl Alarm {
    /// The time counts from now.
    pub fn put_off(&mut self, clock: &dyn Clock) {
        self.since = clock.moment();
    }

    /// Completes when it was not put off for as long as `after`. May be dropped
    /// and asked again.
    pub async fn rings(&mut self, clock: &dyn Clock, after: Duration) {
        loop {
            let sleep = self.sleep.get_or_insert_with(|| {
                let quiet = clock.moment().since(self.since);
                clock.sleep(after.saturating_sub(quiet))
            });
            sleep.await;
            self.sleep = None;
            if clock.moment().since(self.since) >= after {
                return;
            }
        }
    }
}
