//! How often sessions may be started.

use std::{
    collections::{HashMap, VecDeque},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::time::Instant;
use toml::Spanned;

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
    in_a_day: u64,
    /// How often clients are told to beat their hearts.
    pub(crate) heartbeat: Duration,
    bots: HashMap<Snowflake, BotStarts>,
}

#[derive(Debug, Default)]
struct BotStarts {
    day_ends: Option<Instant>,
    used: u64,
    /// By the remainder of the shard's number.
    latest: HashMap<u64, VecDeque<Instant>>,
}

impl BotStarts {
    fn begin_day(&mut self, now: Instant) {
        if self.day_ends.is_none_or(|end| end <= now) {
            self.day_ends = Some(now + limits::IDENTIFY_DAY);
            self.used = 0;
        }
    }
}

impl SessionStarts {
    pub(crate) fn new(plan: &WorldPlan) -> Self {
        let number = |it: &Option<Spanned<u64>>| it.as_ref().map(|it| *it.get_ref());
        let heartbeat = number(&plan.heartbeat_ms).map(Duration::from_millis);
        Self {
            enforced: plan.identify_limits,
            shards: number(&plan.shards).unwrap_or(1),
            max_concurrency: number(&plan.max_concurrency).unwrap_or(1),
            in_a_day: number(&plan.session_starts).unwrap_or(limits::IDENTIFIES_PER_DAY),
            heartbeat: heartbeat.unwrap_or(limits::HEARTBEAT_INTERVAL),
            bots: HashMap::new(),
        }
    }

    /// Counts a start, and says whether it may be.
    pub(crate) fn start(&mut self, bot: Snowflake, shard: u64) -> bool {
        let now = moment();
        let starts = self.bots.entry(bot).or_default();
        starts.begin_day(now);
        let latest = starts
            .latest
            .entry(shard % self.max_concurrency)
            .or_default();
        latest.retain(|at| now.saturating_duration_since(*at) < limits::IDENTIFY_WINDOW);
        let allowed = latest.is_empty() && starts.used < self.in_a_day;
        let allowed = allowed || self.enforced == RateLimits::Off;
        starts.used += 1;
        if allowed {
            latest.push_back(now);
            latest.truncate(1);
        }
        allowed
    }

    /// Counts so many starts that nobody made.
    pub(crate) fn use_up(&mut self, bot: Snowflake, starts: u64) {
        let now = moment();
        let bot = self.bots.entry(bot).or_default();
        bot.begin_day(now);
        bot.used = bot.used.saturating_add(starts);
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
            "total": self.in_a_day,
            "remaining": self.in_a_day.saturating_sub(used),
            "reset_after": u64::try_from(left.as_millis()).unwrap_or(u64::MAX),
            "max_concurrency": self.max_concurrency,
        });
        (self.shards, limit)
    }
}
