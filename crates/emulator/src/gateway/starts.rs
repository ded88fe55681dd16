//! How often sessions may be started.

use std::collections::{HashMap, VecDeque};

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    clock::moment,
    limits,
    snowflake::Snowflake,
    world::{RateLimits, WorldPlan},
};

/// The starts of each bot, and what it is told about them.
#[derive(Debug)]
pub(crate) struct SessionStarts {
    enforced: RateLimits,
    shards: u64,
    max_concurrency: u64,
    bots: HashMap<Snowflake, BotStarts>,
}

#[derive(Debug, Default)]
struct BotStarts {
    day_ends: Option<Instant>,
    used: u64,
    /// By the remainder of the shard's number.
    latest: HashMap<u64, VecDeque<Instant>>,
}

impl SessionStarts {
    pub(crate) fn new(plan: &WorldPlan) -> Self {
        Self {
            enforced: plan.identify_limits,
            shards: plan.shards.as_ref().map_or(1, |it| *it.get_ref()),
            max_concurrency: plan.max_concurrency.as_ref().map_or(1, |it| *it.get_ref()),
            bots: HashMap::new(),
        }
    }

    /// Counts a start, and says whether it may be.
    pub(crate) fn start(&mut self, bot: Snowflake, shard: u64) -> bool {
        let now = moment();
        let starts = self.bots.entry(bot).or_default();
        if starts.day_ends.is_none_or(|end| end <= now) {
            starts.day_ends = Some(now + limits::IDENTIFY_DAY);
            starts.used = 0;
        }
        let latest = starts
            .latest
            .entry(shard % self.max_concurrency)
            .or_default();
        latest.retain(|at| now.saturating_duration_since(*at) < limits::IDENTIFY_WINDOW);
        let allowed = latest.is_empty() && starts.used < limits::IDENTIFIES_PER_DAY;
        let allowed = allowed || self.enforced == RateLimits::Off;
        starts.used += 1;
        if allowed {
            latest.push_back(now);
            latest.truncate(1);
        }
        allowed
    }

    /// What Get Gateway Bot answers beside the address.
    pub(crate) fn told(&self, bot: Snowflake) -> (u64, Value) {
        let now = moment();
        let starts = self.bots.get(&bot);
        let open = starts.and_then(|it| Some((it.used, it.day_ends?)));
        let (used, left) = match open.filter(|(_, end)| *end > now) {
            Some((used, end)) => (used, end.saturating_duration_since(now)),
            None => (0, limits::IDENTIFY_DAY),
        };
        let limit = json!({
            "total": limits::IDENTIFIES_PER_DAY,
            "remaining": limits::IDENTIFIES_PER_DAY.saturating_sub(used),
            "reset_after": u64::try_from(left.as_millis()).unwrap_or(u64::MAX),
            "max_concurrency": self.max_concurrency,
        });
        (self.shards, limit)
    }
}
