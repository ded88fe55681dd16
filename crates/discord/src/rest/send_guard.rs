//! What keeps us from sending at all.
//!
//! Two memories: how many requests Discord has called invalid lately, and where
//! it has told us to keep out. They are reckoned in moments, so that a clock which is set changes nothing.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kaiwa_domain::limits::INVALID_REQUEST_WINDOW;
use kaiwa_domain::{ChannelId, Moment};

use super::route::Operation;

/// The operator is warned at this part of the invalid requests at which we stop
/// ourselves.
const WARN_AT_PART: u32 = 5;

/// Invalid requests are counted together for this long.
const SLOT: Duration = Duration::from_secs(10);

/// How long a refusal for lack of permission is believed.
const DENIED_FOR: Duration = Duration::from_secs(600);

/// How many such refusals are remembered at most.
const DENIED_MAX: usize = 4096;

/// The two memories.
pub(super) struct SendGuard {
    state: Mutex<State>,
    /// Invalid requests in the window at which we stop ourselves.
    stop_at: u32,
}

#[derive(Default)]
struct State {
    invalid: VecDeque<InvalidCount>,
    warned: bool,
    denied: HashMap<(ChannelId, Operation), Denial>,
}

/// The invalid requests of a stretch of time.
struct InvalidCount {
    start: Moment,
    count: u32,
}

struct Denial {
    code: u32,
    until: Moment,
    /// The [version](crate::known::KnownRights::version) of our rights then.
    rights: u64,
}

impl SendGuard {
    /// For so many invalid requests in the window.
    pub(super) fn new(stop_at: u32) -> Self {
        Self {
            state: Mutex::default(),
            stop_at,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long nothing may be sent, because too many requests were invalid.
    pub(super) fn tripped_for(&self, now: Moment) -> Duration {
        let mut state = self.state();
        state.forget_slots(now);
        if state.invalid_count() < self.stop_at {
            return Duration::ZERO;
        }
        let oldest = state.invalid.front().map(|slot| slot.expires());
        oldest.map_or(Duration::ZERO, |expires| expires.since(now))
    }

    /// Counts a request that Discord called invalid.
    pub(super) fn count_invalid(&self, now: Moment) {
        metrics::counter!("discord_invalid_requests").increment(1);
        let mut state = self.state();
        state.forget_slots(now);
        match state.invalid.back_mut() {
            Some(slot) if now.since(slot.start) < SLOT => slot.count += 1,
            _ => state.invalid.push_back(InvalidCount {
                start: now,
                count: 1,
            }),
        }
        let count = state.invalid_count();
        if count < self.stop_at / WARN_AT_PART {
            state.warned = false;
        } else if !state.warned {
            state.warned = true;
            tracing::warn!(
                count,
                window = ?INVALID_REQUEST_WINDOW,
                stop_at = self.stop_at,
                "Discord calls many of our requests invalid; check the bot's permissions"
            );
        }
    }

    /// Remembers that a deed is not permitted in a channel, as long as our
    /// rights there are what they are.
    pub(super) fn deny(&self, now: Moment, place: (ChannelId, Operation), code: u32, rights: u64) {
        let mut state = self.state();
        if state.denied.len() >= DENIED_MAX {
            state.denied.retain(|_, denial| denial.until > now);
        }
        if state.denied.len() < DENIED_MAX {
            let until = now.after(DENIED_FOR);
            let denial = Denial {
                code,
                until,
                rights,
            };
            state.denied.insert(place, denial);
        }
    }

    /// What a deed was refused for with this code no longer holds.
    pub(super) fn lift(&self, place: (ChannelId, Operation), code: u32) {
        let denied = &mut self.state().denied;
        if denied.get(&place).is_some_and(|denial| denial.code == code) {
            denied.remove(&place);
        }
    }

    /// The code with which a deed was refused in a channel, not long ago.
    pub(super) fn denied(
        &self,
        now: Moment,
        place: (ChannelId, Operation),
        rights: impl FnOnce() -> u64,
    ) -> Option<u32> {
        let state = self.state();
        let denial = state.denied.get(&place)?;
        let stands = denial.until > now && denial.rights == rights();
        stands.then_some(denial.code)
    }
}

impl State {
    fn forget_slots(&mut self, now: Moment) {
        while self
            .invalid
            .front()
            .is_some_and(|slot| slot.expires() <= now)
        {
            self.invalid.pop_front();
        }
    }

    fn invalid_count(&self) -> u32 {
        self.invalid.iter().map(|slot| slot.count).sum()
    }
}

impl InvalidCount {
    /// When the last request that may be in the slot leaves the window.
    fn expires(&self) -> Moment {
        self.start.after(INVALID_REQUEST_WINDOW + SLOT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Moment {
        Moment::new(Duration::from_secs(seconds))
    }

    #[test]
    fn invalid_requests_trip_and_are_forgotten() {
        let send_guard = SendGuard::new(5000);
        for _ in 1..5000 {
            send_guard.count_invalid(at(0));
        }
        assert_eq!(send_guard.tripped_for(at(0)), Duration::ZERO);
        send_guard.count_invalid(at(30));
        assert_eq!(send_guard.tripped_for(at(30)), Duration::from_secs(580));
        assert_eq!(send_guard.tripped_for(at(609)), Duration::from_secs(1));
        assert_eq!(send_guard.tripped_for(at(610)), Duration::ZERO);
    }

    #[test]
    fn a_denial_is_of_one_deed_in_one_channel_for_a_while() {
        let send_guard = SendGuard::new(1);
        let here = ChannelId::new(1);
        send_guard.deny(at(0), (here, Operation::Speak), 50013, 1);
        for (when, channel, deed, rights, denied) in [
            (599, here, Operation::Speak, 1, Some(50013)),
            (600, here, Operation::Speak, 1, None),
            (0, here, Operation::Read, 1, None),
            (0, ChannelId::new(2), Operation::Speak, 1, None),
            // Somebody changed what we may do.
            (0, here, Operation::Speak, 2, None),
        ] {
            let found = send_guard.denied(at(when), (channel, deed), || rights);
            assert_eq!(found, denied, "{when} {channel} {deed:?} {rights}");
        }
    }

    #[test]
    fn a_denial_is_lifted_where_its_reason_is_gone() {
        let send_guard = SendGuard::new(1);
        let place = (ChannelId::new(1), Operation::HaveWebhook);
        let denied = || send_guard.denied(at(0), place, || 0);
        send_guard.deny(at(0), place, 30007, 0);
        send_guard.lift(place, 50013);
        assert_eq!(denied(), Some(30007));
        send_guard.lift(place, 30007);
        assert_eq!(denied(), None);
    }

    #[test]
    fn denials_are_bounded() {
        let send_guard = SendGuard::new(1);
        for id in 0..2 * DENIED_MAX as u64 {
            send_guard.deny(at(0), (ChannelId::new(id), Operation::Read), 50001, 0);
        }
        assert_eq!(send_guard.state().denied.len(), DENIED_MAX);
        send_guard.deny(
            at(600),
            (ChannelId::new(u64::MAX), Operation::Read),
            50001,
            0,
        );
        assert_eq!(send_guard.state().denied.len(), 1);
    }
}
