//! A timer for what is put off with every delta and hardly ever happens.

use std::time::Duration;

use kaiwa_domain::Moment;
use kaiwa_domain::port::{Clock, Pending};

/// Rings when nobody has put it off for some time. One sleep serves many waits:
/// a timer that is made and dropped for each delta is felt with thousands of
/// answers at a time.
#[derive(Default)]
pub(crate) struct Alarm {
    sleep: Option<Pending<'static, ()>>,
    since: Moment,
}

impl Alarm {
    /// The time counts from now.
    pub(crate) fn put_off(&mut self, clock: &dyn Clock) {
        self.since = clock.moment();
    }

    /// Completes when it was not put off for as long as `after`. May be dropped
    /// and asked again.
    pub(crate) async fn rings(&mut self, clock: &dyn Clock, after: Duration) {
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
