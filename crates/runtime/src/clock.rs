//! The real clock, and one that follows Discord's.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use kaiwa_domain::port::{Clock, Pending};
use kaiwa_domain::{Moment, Timestamp};
use tokio::time::Instant;

/// How far a machine's clock may be off without a word.
const UNTOLD: Duration = Duration::from_secs(5);

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(jiff::Timestamp::now().as_millisecond())
    }

    fn moment(&self) -> Moment {
        static START: OnceLock<Instant> = OnceLock::new();
        Moment::new(START.get_or_init(Instant::now).elapsed())
    }

    fn sleep(&self, duration: Duration) -> Pending<'static, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}

/// A clock that is put right by what it [learns](Clock::learn), so that the age
/// of a message is what it is for everybody else. It says so once when the
/// machine's own is more than a few seconds off.
#[derive(Debug, Default)]
pub struct CorrectedClock<C> {
    machine: C,
    /// What is added to the machine's time, in milliseconds.
    correction: AtomicI64,
    told: AtomicBool,
}

impl<C: Clock> CorrectedClock<C> {
    /// A clock that goes like `machine` until it learns better.
    pub const fn new(machine: C) -> Self {
        Self {
            machine,
            correction: AtomicI64::new(0),
            told: AtomicBool::new(false),
        }
    }

    /// What is wrong with the machine's clock, if that matters.
    pub fn complaint(&self) -> Option<String> {
        complaint(self.correction.load(Ordering::Relaxed))
    }
}

impl<C: Clock> Clock for CorrectedClock<C> {
    fn now(&self) -> Timestamp {
        let correction = self.correction.load(Ordering::Relaxed);
        let machine = self.machine.now().as_millis();
        Timestamp::from_millis(machine.saturating_add(correction))
    }

    fn moment(&self) -> Moment {
        self.machine.moment()
    }

    fn sleep(&self, duration: Duration) -> Pending<'static, ()> {
        self.machine.sleep(duration)
    }

    /// Changes as little as what it learns allows.
    fn learn(&self, earliest: Timestamp, latest: Timestamp) {
        let shown = self.now();
        if earliest > latest || (earliest..=latest).contains(&shown) {
            return;
        }
        let right = shown.clamp(earliest, latest).as_millis();
        let correction = right.saturating_sub(self.machine.now().as_millis());
        self.correction.store(correction, Ordering::Relaxed);
        match complaint(correction) {
            Some(complaint) if !self.told.swap(true, Ordering::Relaxed) => {
                tracing::warn!("{complaint}; going by Discord's time, but set it right");
            }
            Some(_) => {}
            None => self.told.store(false, Ordering::Relaxed),
        }
    }
}

fn complaint(correction: i64) -> Option<String> {
    let off = Duration::from_millis(correction.unsigned_abs());
    if off <= UNTOLD {
        return None;
    }
    let off = match off.as_secs() {
        seconds @ ..120 => format!("{seconds} s"),
        seconds @ ..7200 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    };
    let side = if correction < 0 { "ahead of" } else { "behind" };
    Some(format!("this machine's clock is {off} {side} Discord's"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine whose clock stands at 1000 s.
    struct Still;

    impl Clock for Still {
        fn now(&self) -> Timestamp {
            Timestamp::from_millis(1_000_000)
        }

        fn moment(&self) -> Moment {
            Moment::default()
        }

        fn sleep(&self, _: Duration) -> Pending<'static, ()> {
            Box::pin(std::future::pending())
        }
    }

    #[test]
    fn it_is_put_right_as_little_as_possible() {
        /// Spans of seconds that are learnt, and what it shows in the end.
        fn check(learnt: &[(i64, i64)], expect: i64, complaint: Option<&str>) {
            let clock = CorrectedClock::new(Still);
            for (earliest, latest) in learnt {
                let at = |seconds: i64| Timestamp::from_millis(seconds.saturating_mul(1000));
                clock.learn(at(*earliest), at(*latest));
            }
            assert_eq!(clock.now().as_millis() / 1000, expect, "{learnt:?}");
            let found = clock.complaint();
            assert_eq!(found.as_deref(), complaint, "{learnt:?}");
        }
        check(&[], 1000, None);
        check(&[(999, 1001)], 1000, None);
        check(&[(1000, 1000)], 1000, None);
        check(&[(1003, 1004)], 1003, None);
        check(&[(0, 996)], 996, None);
        let ahead = Some("this machine's clock is 11 min ahead of Discord's");
        check(&[(338, 340)], 340, ahead);
        check(&[(338, 340), (330, 360)], 340, ahead);
        check(&[(330, 360), (339, 340)], 340, ahead);
        check(&[(338, 340), (999, 1001)], 999, None);
        let behind = Some("this machine's clock is 2 h behind Discord's");
        check(&[(8201, i64::MAX)], 8201, behind);
        check(&[(8201, 8200)], 1000, None);
    }
}
