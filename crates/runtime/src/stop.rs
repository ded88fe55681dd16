//! Who waits for an answer where, so that they can stop it or say more.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kaiwa_domain::{ChannelId, UserId};
use tokio_util::sync::CancellationToken;

/// How often in a row somebody may add to a question that is being thought
/// about. After that the answer comes first.
const MOST_ADDITIONS: u32 = 3;

/// The answers that people wait for. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stops {
    awaited: Arc<Mutex<HashMap<(ChannelId, UserId), Awaited>>>,
}

/// The answers that one person waits for in one channel.
#[derive(Debug, Default)]
struct Awaited {
    stop: CancellationToken,
    /// For the answers up to now; newer ones get another.
    addition: CancellationToken,
    additions: u32,
    answers: usize,
}

/// One answer that somebody waits for; dropping it ends the wait.
#[derive(Debug)]
pub(crate) struct Wait {
    stops: Stops,
    place: (ChannelId, UserId),
    stop: CancellationToken,
    addition: CancellationToken,
}

impl Stops {
    /// Somebody waits for an answer from now on. If they wait for others here
    /// that have not begun, this one will answer those questions too.
    pub(crate) fn wait(&self, channel: ChannelId, asker: UserId) -> Wait {
        let place = (channel, asker);
        let mut all = self.lock();
        let awaited = all.entry(place).or_default();
        if awaited.answers > 0 && awaited.additions < MOST_ADDITIONS {
            awaited.additions += 1;
            std::mem::take(&mut awaited.addition).cancel();
        }
        awaited.answers += 1;
        Wait {
            stops: self.clone(),
            place,
            stop: awaited.stop.clone(),
            addition: awaited.addition.clone(),
        }
    }

    /// Stops every answer that `asker` waits for in the channel. False if there
    /// is none.
    pub(crate) fn stop(&self, channel: ChannelId, asker: UserId) -> bool {
        match self.lock().remove(&(channel, asker)) {
            Some(awaited) => {
                awaited.stop.cancel();
                true
            }
            None => false,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(ChannelId, UserId), Awaited>> {
        self.awaited.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wait {
    /// Cancelled when the asker no longer wants the answer.
    pub(crate) const fn stop(&self) -> &CancellationToken {
        &self.stop
    }

    /// Cancelled when the asker has said more, which another turn will answer
    /// together with this.
    pub(crate) const fn addition(&self) -> &CancellationToken {
        &self.addition
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        // A stop took the entry away, and what stands there now is newer.
        if self.stop.is_cancelled() {
            return;
        }
        let mut all = self.stops.lock();
        if let Some(awaited) = all.get_mut(&self.place) {
            awaited.answers -= 1;
            if awaited.answers == 0 {
                all.remove(&self.place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: ChannelId = ChannelId::new(1);
    const THERE: ChannelId = ChannelId::new(2);
    const ADA: UserId = UserId::new(3);
    const BEN: UserId = UserId::new(4);

    #[test]
    fn a_stop_reaches_what_the_asker_waits_for_here_and_nothing_else() {
        let stops = Stops::default();
        let first = stops.wait(HERE, ADA);
        let second = stops.wait(HERE, ADA);
        let elsewhere = stops.wait(THERE, ADA);
        let other = stops.wait(HERE, BEN);
        assert!(stops.stop(HERE, ADA));
        assert!(first.stop().is_cancelled() && second.stop().is_cancelled());
        assert!(!elsewhere.stop().is_cancelled() && !other.stop().is_cancelled());
        assert!(!stops.stop(HERE, ADA));

        let next = stops.wait(HERE, ADA);
        drop(first);
        drop(second);
        assert!(!next.stop().is_cancelled());
        drop(next);
        assert!(!stops.stop(HERE, ADA));
        drop((elsewhere, other));
        assert!(stops.lock().is_empty());
    }

    #[test]
    fn a_newer_question_takes_the_older_ones_over_but_not_for_ever() {
        let stops = Stops::default();
        let other = stops.wait(HERE, BEN);
        let mut waits = vec![stops.wait(HERE, ADA)];
        for _ in 0..MOST_ADDITIONS {
            waits.push(stops.wait(HERE, ADA));
            let taken_over: Vec<bool> = waits.iter().map(|w| w.addition().is_cancelled()).collect();
            let last = taken_over.len() - 1;
            assert!(taken_over[..last].iter().all(|&taken| taken) && !taken_over[last]);
        }
        let patient = stops.wait(HERE, ADA);
        assert!(!waits[waits.len() - 1].addition().is_cancelled());
        assert!(!patient.addition().is_cancelled() && !other.addition().is_cancelled());
    }
}
