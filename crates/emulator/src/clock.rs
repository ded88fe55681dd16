//! The emulator's time: that of the machine, moved on by whoever asks for it.
//!
//! Ids, timestamps, ages, windows and timeouts all go by it. With a seed,
//! timestamps do not follow the machine's clock at all: they begin at a moment
//! of the seed's and go on by one millisecond with each new id, so that two
//! runs which do the same have the same ids and times.
//!
//! Whoever holds the state ([`crate::state::StateGuard`]) is in its time:
//! [`now`] and [`moment`] then answer for that emulator.

use std::{
    cell::RefCell,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};

use crate::{
    limits::{CLOCK_ADVANCE, SEEDED_BEGIN_S},
    snowflake::hash,
};

/// Shared by everything that belongs to one emulator.
#[derive(Clone, Debug)]
pub(crate) struct EmulatorClock(Arc<ClockState>);

#[derive(Debug)]
struct ClockState {
    /// How far it was moved on in all.
    advanced: watch::Sender<Duration>,
    seeded: Option<SeededTime>,
    began: Instant,
    /// Milliseconds that a replay let pass, for windows and timeouts alone.
    passed_ms: AtomicU64,
}

#[derive(Debug)]
struct SeededTime {
    seed: u64,
    /// Milliseconds since the seed's moment, the advance left out.
    ticks: AtomicU64,
}

thread_local! {
    static CURRENT: RefCell<Option<EmulatorClock>> = const { RefCell::new(None) };
}

/// The time as every timestamp on the wire shows it.
pub(crate) fn now() -> Timestamp {
    CURRENT.with_borrow(|clock| match clock {
        Some(clock) => clock.now(),
        None => Timestamp::now(),
    })
}

/// The machine's own time, for what clients compare with theirs: they do not
/// know of a clock that was moved on or seeded.
pub(crate) fn machine_now() -> Timestamp {
    Timestamp::now()
}

/// The time that windows and timeouts are counted in.
pub(crate) fn moment() -> Instant {
    CURRENT.with_borrow(|clock| match clock {
        Some(clock) => clock.moment(),
        None => Instant::now(),
    })
}

/// An id was made: seeded time goes on.
pub(crate) fn tick() {
    CURRENT.with_borrow(|clock| {
        if let Some(seeded) = clock.as_ref().and_then(|clock| clock.0.seeded.as_ref()) {
            seeded.ticks.fetch_add(1, Ordering::Relaxed);
        }
    });
}

impl EmulatorClock {
    pub(crate) fn new(seed: Option<u64>) -> Self {
        Self(Arc::new(ClockState {
            advanced: watch::Sender::new(Duration::ZERO),
            began: Instant::now(),
            passed_ms: AtomicU64::new(0),
            seeded: seed.map(|seed| SeededTime {
                seed,
                ticks: AtomicU64::new(0),
            }),
        }))
    }

    pub(crate) fn now(&self) -> Timestamp {
        let base = match &self.0.seeded {
            None => Timestamp::now(),
            Some(seeded) => {
                const DAY_S: u64 = 24 * 3600;
                let second = hash(&[&seeded.seed.to_string(), "time"]) % DAY_S;
                let second = SEEDED_BEGIN_S + i64::try_from(second).unwrap_or(0);
                let ticks = Duration::from_millis(seeded.ticks.load(Ordering::Relaxed));
                let begin = Timestamp::from_second(second).unwrap_or(Timestamp::UNIX_EPOCH);
                later(begin, ticks)
            }
        };
        later(base, self.advanced())
    }

    pub(crate) fn moment(&self) -> Instant {
        let passed = Duration::from_millis(self.0.passed_ms.load(Ordering::Relaxed));
        Instant::now() + self.advanced() + passed
    }

    /// How long it runs, the advance left out.
    pub(crate) fn elapsed(&self) -> Duration {
        let passed = Duration::from_millis(self.0.passed_ms.load(Ordering::Relaxed));
        self.0.began.elapsed() + passed
    }

    /// Lets windows and timeouts, but no timestamp, come to where they are
    /// after so long a run.
    pub(crate) fn pass_until(&self, elapsed: Duration) {
        let missing = elapsed.saturating_sub(self.elapsed()).min(CLOCK_ADVANCE);
        let missing = u64::try_from(missing.as_millis()).unwrap_or(0);
        self.0.passed_ms.fetch_add(missing, Ordering::Relaxed);
    }

    /// How far the clock was moved on in all.
    pub(crate) fn advanced(&self) -> Duration {
        *self.0.advanced.borrow()
    }

    /// Moves the clock on, and wakes whoever waits for a time that is now over.
    /// In all it goes no further than [`CLOCK_ADVANCE`].
    pub(crate) fn advance(&self, by: Duration) {
        self.0.advanced.send_modify(|advanced| {
            *advanced = advanced.saturating_add(by).min(CLOCK_ADVANCE);
        });
    }

    /// What a seeded emulator mixes into what would be chance elsewhere.
    pub(crate) fn seed(&self) -> Option<u64> {
        self.0.seeded.as_ref().map(|seeded| seeded.seed)
    }

    /// Milliseconds that seeded time went on by itself.
    pub(crate) fn ticks(&self) -> u64 {
        let seeded = self.0.seeded.as_ref();
        seeded.map_or(0, |seeded| seeded.ticks.load(Ordering::Relaxed))
    }

    /// Goes on where another clock was.
    pub(crate) fn restore(&self, advanced: Duration, ticks: u64) {
        self.advance(advanced);
        if let Some(seeded) = &self.0.seeded {
            seeded.ticks.store(ticks, Ordering::Relaxed);
        }
    }

    /// Waits for a [`moment`], which comes sooner when the clock is moved on.
    pub(crate) async fn sleep_until(&self, deadline: Instant) {
        let mut advanced = self.0.advanced.subscribe();
        loop {
            let by = *advanced.borrow_and_update();
            let real = deadline.checked_sub(by).unwrap_or_else(Instant::now);
            tokio::select! {
                () = sleep_until(real) => return,
                // The sender lives in the clock that we hold.
                _ = advanced.changed() => {}
            }
        }
    }

    /// Makes this the clock of the thread until the scope is dropped.
    pub(crate) fn enter(&self) -> ClockScope {
        ClockScope(CURRENT.replace(Some(self.clone())))
    }
}

fn later(at: Timestamp, by: Duration) -> Timestamp {
    let by = SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX);
    at.saturating_add(by).unwrap_or(Timestamp::MAX)
}

/// The thread's former clock, which comes back.
#[derive(Debug)]
pub(crate) struct ClockScope(Option<EmulatorClock>);

impl Drop for ClockScope {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}
