//! What the webhooks of a channel may say together.
//!
//! Discord counts that beside the bucket of each webhook, and tells of it only
//! once it is used up. So [`WEBHOOK_POSTS`] in [`WEBHOOK_POSTS_WINDOW`] are let
//! through until Discord refuses one, and then as soon as it says: others may
//! speak there too, and what we know of may be too much.

use std::collections::{HashMap, VecDeque};

use kaiwa_domain::Moment;
use kaiwa_domain::limits::{WEBHOOK_POSTS, WEBHOOK_POSTS_WINDOW};

use super::bucket::Readiness;

/// How many channels are remembered.
const CHANNELS_MAX: usize = 4096;

/// What was posted lately, by channel.
#[derive(Debug, Default)]
pub(super) struct JointBook(HashMap<u64, JointCount>);

#[derive(Debug, Default)]
struct JointCount {
    /// Until when each that was answered counts, in that order.
    answered: VecDeque<Moment>,
    under_way: usize,
    /// Discord takes nothing before.
    closed_until: Option<Moment>,
}

impl JointBook {
    pub(super) fn readiness(&self, channel: u64, now: Moment) -> Readiness {
        self.0
            .get(&channel)
            .map_or(Readiness::Now, |count| count.readiness(now))
    }

    pub(super) fn take(&mut self, channel: u64, now: Moment) {
        if self.0.len() >= CHANNELS_MAX {
            self.0.retain(|_, count| count.holds_back(now));
        }
        if self.0.len() >= CHANNELS_MAX {
            self.0.retain(|_, count| count.under_way > 0);
        }
        let count = self.0.entry(channel).or_default();
        count.forget(now);
        count.under_way += 1;
    }

    pub(super) fn give_back(&mut self, channel: u64) {
        if let Some(count) = self.0.get_mut(&channel) {
            count.under_way = count.under_way.saturating_sub(1);
        }
    }

    /// What was let through was answered, or its answer was lost.
    pub(super) fn answered(&mut self, channel: u64, now: Moment) {
        if let Some(count) = self.0.get_mut(&channel) {
            count.under_way = count.under_way.saturating_sub(1);
            count.answered.push_back(now.after(WEBHOOK_POSTS_WINDOW));
        }
    }

    /// Discord refused one, and counts anew from `until` on.
    pub(super) fn refused(&mut self, channel: u64, until: Moment) {
        let count = self.0.entry(channel).or_default();
        count.under_way = count.under_way.saturating_sub(1);
        count.answered.clear();
        count.closed_until = count.closed_until.max(Some(until));
    }

    #[cfg(test)]
    pub(super) fn remembered(&self) -> usize {
        self.0.len()
    }
}

impl JointCount {
    fn readiness(&self, now: Moment) -> Readiness {
        if let Some(until) = self.closed_until.filter(|until| *until > now) {
            return Readiness::At(until);
        }
        let counted = self.answered.iter().filter(|until| **until > now);
        let free = WEBHOOK_POSTS.saturating_sub(self.under_way);
        let too_many = (counted.count() + 1).saturating_sub(free);
        match too_many {
            0 => Readiness::Now,
            _ if free == 0 => Readiness::AfterAnswer,
            _ => {
                let mut counted = self.answered.iter().filter(|until| **until > now);
                let opens = counted.nth(too_many - 1);
                opens.map_or(Readiness::AfterAnswer, |until| Readiness::At(*until))
            }
        }
    }

    fn forget(&mut self, now: Moment) {
        while self.answered.front().is_some_and(|until| *until <= now) {
            self.answered.pop_front();
        }
    }

    /// Whether forgetting it changes something.
    fn holds_back(&self, now: Moment) -> bool {
        self.under_way > 0
            || self.answered.back().is_some_and(|until| *until > now)
            || self.closed_until.is_some_and(|until| until > now)
    }
}
