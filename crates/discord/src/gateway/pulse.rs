//! How events come through a shard, to tell when it may be deaf.
//!
//! A shard may be connected, have its heartbeats acknowledged and yet bring no
//! events. One that is silent for much longer than is usual for it may be deaf;
//! whether it is, only somebody who reads a channel can say.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kaiwa_domain::port::{Clock, Link};
use kaiwa_domain::{Moment, Scope};
use tokio::sync::{Notify, watch};

/// Nobody is taken for deaf before this, and nobody waits longer than that.
const SHORTEST: Duration = Duration::from_secs(300);
const LONGEST: Duration = Duration::from_secs(3600);

/// How many times its usual gap a shard is silent before it may be deaf.
const GAPS: u32 = 20;

/// How many of the last gaps make the usual one.
const REMEMBERED: u32 = 16;

/// One shard, as seen from outside: how it is, and what is asked of it.
#[derive(Default)]
pub(super) struct ShardLine {
    pulse: Mutex<Pulse>,
    /// The connection is to be dropped and resumed.
    pub(super) reconnect: Notify,
}

#[derive(Default)]
struct Pulse {
    heard: Option<Moment>,
    /// When somebody last asked whether it is deaf.
    asked: Option<Moment>,
    usual: Option<Duration>,
}

impl ShardLine {
    /// An event came.
    pub(super) fn beat(&self, now: Moment) {
        self.pulse().beat(now);
    }

    fn pulse(&self) -> MutexGuard<'_, Pulse> {
        self.pulse.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pulse {
    fn beat(&mut self, now: Moment) {
        if let Some(heard) = self.heard.replace(now) {
            // A night says little about a day.
            let gap = now.since(heard).min(self.patience());
            self.usual = Some(
                self.usual
                    .map_or(gap, |usual| (usual * (REMEMBERED - 1) + gap) / REMEMBERED),
            );
        }
    }

    /// How long a silence may be.
    fn patience(&self) -> Duration {
        let usual = self.usual.unwrap_or_default();
        (usual * GAPS).clamp(SHORTEST, LONGEST)
    }

    /// Whether it is silent for too long, for one who asks now and again after
    /// as long a silence.
    fn is_silent(&mut self, now: Moment) -> bool {
        let Some(heard) = self.heard else {
            return false;
        };
        let since = self.asked.map_or(heard, |asked| asked.max(heard));
        let silent = now.since(since) >= self.patience();
        if silent {
            self.asked = Some(now);
        }
        silent
    }
}

/// All shards of this process.
#[derive(Clone)]
pub(super) struct ShardLines {
    lines: Vec<Arc<ShardLine>>,
    /// Those that have no connection because nobody takes what they bring.
    pub(super) paused: watch::Sender<BTreeSet<u32>>,
    clock: Arc<dyn Clock>,
}

impl ShardLines {
    pub(super) fn new(shards: u32, clock: Arc<dyn Clock>) -> Self {
        Self {
            lines: (0..shards).map(|_| Arc::default()).collect(),
            paused: watch::Sender::default(),
            clock,
        }
    }

    /// The lines, by the number of the shard.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Arc<ShardLine>)> {
        (0..).zip(&self.lines)
    }
}

impl Link for ShardLines {
    fn silent(&self) -> Vec<u32> {
        let now = self.clock.moment();
        let paused = self.paused.borrow();
        let silent = self.iter().filter(|(number, line)| {
            // What is paused is silent as it should be.
            !paused.contains(number) && line.pulse().is_silent(now)
        });
        silent.map(|(number, _)| number).collect()
    }

    fn shard_of(&self, scope: Scope) -> u32 {
        let shards = self.lines.len().max(1) as u64;
        match scope {
            Scope::Guild(guild) => u32::try_from((guild.get() >> 22) % shards).unwrap_or(0),
            Scope::Dm(_) => 0,
        }
    }

    fn reconnect(&self, shard: u32) {
        if let Some((_, line)) = self.iter().find(|(number, _)| *number == shard) {
            line.reconnect.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Moment {
        Moment::new(Duration::from_secs(seconds))
    }

    #[test]
    fn a_silence_is_long_for_who_usually_talks() {
        /// Events that come every `gap` seconds, a hundred times, and the
        /// first second of silence in which the shard may be deaf.
        fn check(gap: u64, deaf_after: u64) {
            let mut pulse = Pulse::default();
            for beat in 0..=100 {
                pulse.beat(at(beat * gap));
            }
            let last = 100 * gap;
            let silent = (0..).find(|silence| pulse.is_silent(at(last + silence)));
            assert_eq!(silent, Some(deaf_after), "every {gap} s");
            assert!(!pulse.is_silent(at(last + deaf_after + 1)), "asked already");
            assert!(pulse.is_silent(at(last + 2 * deaf_after)), "asked again");
        }
        check(0, 300);
        check(1, 300);
        check(15, 300);
        check(60, 1200);
        check(600, 3600);
    }

    #[test]
    fn who_never_said_anything_is_not_deaf() {
        assert!(!Pulse::default().is_silent(at(1_000_000)));
    }

    /// Else a shard that was deaf for long would be looked at late ever after.
    #[test]
    fn one_long_silence_changes_little() {
        let mut pulse = Pulse::default();
        for beat in 0..50 {
            pulse.beat(at(beat));
        }
        pulse.beat(at(50_000));
        assert!(pulse.patience() < Duration::from_secs(420));
    }
}
