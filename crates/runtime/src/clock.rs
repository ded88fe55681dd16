//! The real clock.

use std::time::Duration;

use kaiwa_domain::Timestamp;
use kaiwa_domain::port::{Clock, Pending};

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(jiff::Timestamp::now().as_millisecond())
    }

    fn sleep(&self, duration: Duration) -> Pending<'static, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}
