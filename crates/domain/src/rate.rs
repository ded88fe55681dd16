//! How often somebody may do something: sliding windows, one limiter for all
//! classes.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use crate::{Moment, UserId};

/// What is limited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RateClass {
    /// Questions to the model.
    Ai,
    /// Music.
    Music,
    /// Moderation.
    Moderation,
    /// Stocks.
    Stocks,
    /// Welcomes.
    Welcome,
    /// Searches and pages.
    Web,
    /// Commands, buttons and forms, whatever they do.
    Control,
}

impl RateClass {
    /// How often one person may, and within how long, unless a setting says
    /// otherwise.
    pub const fn default_limit(self) -> (u16, Duration) {
        match self {
            Self::Ai => (10, Duration::from_secs(60)),
            Self::Music => (15, Duration::from_secs(30)),
            Self::Moderation => (5, Duration::from_secs(60)),
            Self::Stocks => (10, Duration::from_secs(30)),
            Self::Welcome => (20, Duration::from_secs(60)),
            Self::Web => (20, Duration::from_secs(60)),
            Self::Control => (20, Duration::from_secs(20)),
        }
    }
}

/// How many people are remembered. Beyond that those who have waited out their
/// window are forgotten, and if nobody has, everybody.
const PEOPLE: usize = 16_384;

/// Counts what people do.
#[derive(Debug, Default)]
pub struct RateLimiter {
    people: HashMap<(RateClass, UserId), RateWindow>,
}

#[derive(Debug)]
struct RateWindow {
    /// When they did it, oldest first, within the window.
    times: VecDeque<Moment>,
    length: Duration,
}

impl RateLimiter {
    /// Counts one more, or says how long to wait. What is refused does not
    /// count.
    pub fn count(
        &mut self,
        class: RateClass,
        user: UserId,
        (most, length): (u16, Duration),
        now: Moment,
    ) -> Result<(), Duration> {
        if self.people.len() >= PEOPLE && !self.people.contains_key(&(class, user)) {
            self.forget(now);
        }
        let window = self
            .people
            .entry((class, user))
            .or_insert_with(|| RateWindow {
                times: VecDeque::new(),
                length,
            });
        window.length = length;
        window.drop_old(now);
        match window.wait((most, length), now) {
            Some(wait) => Err(wait),
            None => {
                window.times.push_back(now);
                Ok(())
            }
        }
    }

    /// How long somebody would have to wait, if at all. Nothing is counted.
    pub fn wait(
        &self,
        class: RateClass,
        user: UserId,
        limit: (u16, Duration),
        now: Moment,
    ) -> Option<Duration> {
        let window = self.people.get(&(class, user));
        window.and_then(|it| it.wait(limit, now))
    }

    fn forget(&mut self, now: Moment) {
        self.people.retain(|_, window| {
            window.drop_old(now);
            !window.times.is_empty()
        });
        if self.people.len() >= PEOPLE {
            self.people.clear();
        }
    }
}

impl RateWindow {
    fn wait(&self, (most, length): (u16, Duration), now: Moment) -> Option<Duration> {
        let beyond = self.times.len().checked_sub(usize::from(most))?;
        let first = self.times.get(beyond).copied().unwrap_or(now);
        let wait = length.saturating_sub(now.since(first));
        (!wait.is_zero()).then_some(wait)
    }

    fn drop_old(&mut self, now: Moment) {
        while let Some(first) = self.times.front()
            && now.since(*first) >= self.length
        {
            self.times.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: UserId = UserId::new(1);
    const BEN: UserId = UserId::new(2);

    fn at(millis: u64) -> Moment {
        Moment::new(Duration::from_millis(millis))
    }

    #[test]
    fn a_window_slides_and_refusals_do_not_count() {
        let limit = (2, Duration::from_secs(10));
        let mut limiter = RateLimiter::default();
        let mut ask = |user, millis| {
            let wait = limiter.wait(RateClass::Ai, user, limit, at(millis));
            let counted = limiter.count(RateClass::Ai, user, limit, at(millis));
            assert_eq!(wait, counted.err(), "who asks before hears the same");
            counted
        };
        assert_eq!(ask(ADA, 0), Ok(()));
        assert_eq!(ask(ADA, 4_000), Ok(()));
        assert_eq!(ask(ADA, 5_000), Err(Duration::from_secs(5)));
        assert_eq!(ask(ADA, 9_999), Err(Duration::from_millis(1)));
        assert_eq!(ask(BEN, 9_999), Ok(()));
        assert_eq!(ask(ADA, 10_000), Ok(()));
        assert_eq!(ask(ADA, 10_001), Err(Duration::from_millis(3_999)));
        let music = RateClass::Music;
        assert_eq!(limiter.count(music, ADA, limit, at(10_001)), Ok(()));
    }

    #[test]
    fn a_crowd_is_forgotten_and_not_kept_for_ever() {
        let mut limiter = RateLimiter::default();
        let limit = RateClass::Ai.default_limit();
        for id in 0..100_000 {
            let user = UserId::new(id);
            assert_eq!(limiter.count(RateClass::Ai, user, limit, at(id)), Ok(()));
        }
        assert!(limiter.people.len() <= PEOPLE);
    }
}
