//! Rate limits: fixed windows, one for each person, bucket and top-level
//! resource, and one for all requests of a person.

use std::{collections::HashMap, time::Duration};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;
use tokio::time::Instant;

use crate::{
    clock::{machine_now, moment},
    limits::{self, Bucket, Rate},
    snowflake::{Snowflake, hash},
    world::RateLimits,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum WindowKey {
    Global(Snowflake),
    Route(Snowflake, Bucket, Option<Snowflake>),
}

#[derive(Clone, Copy, Debug)]
struct LimitWindow {
    ends: Instant,
    /// When it ends on the wall, in milliseconds since 1970. The same for all
    /// requests of the window: clients that see it move, as hikari does, take
    /// the window for a sliding one.
    resets_ms: i64,
    used: u32,
}

#[derive(Debug)]
pub(crate) struct Buckets {
    mode: RateLimits,
    windows: HashMap<WindowKey, LimitWindow>,
}

/// An allowance, as `GET /emulator/buckets` shows it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BucketStatus {
    user_id: Snowflake,
    bucket: String,
    resource_id: Option<Snowflake>,
    limit: u32,
    remaining: u32,
    reset_after: f64,
}

/// What one request may do, and what the headers tell about the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BucketDecision {
    pub(crate) refused: Option<Refusal>,
    bucket: Bucket,
    limit: u32,
    remaining: u32,
    resets_ms: i64,
    reset_after: Duration,
}

/// A 429: how long to wait, and whether all routes have to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refusal {
    pub(crate) retry_after: Duration,
    pub(crate) global: bool,
    /// Others used the resource up too; it does not count against the caller.
    pub(crate) shared: bool,
}

impl Buckets {
    pub(crate) fn new(mode: RateLimits) -> Self {
        Self {
            mode,
            windows: HashMap::new(),
        }
    }

    pub(crate) fn mode(&self) -> RateLimits {
        self.mode
    }

    /// Counts one request of a person on a bucket.
    pub(crate) fn spend(
        &mut self,
        person: Snowflake,
        bot: bool,
        bucket: Bucket,
        top: Option<Snowflake>,
    ) -> BucketDecision {
        let (global, route) = match self.mode {
            RateLimits::Discord => (allow(limits::GLOBAL, bot), allow(bucket.rate(), bot)),
            RateLimits::Off => (limits::UNLIMITED, limits::UNLIMITED),
        };
        self.sweep();
        let everything = self.window(WindowKey::Global(person), global);
        let this = self.window(WindowKey::Route(person, bucket, top), route);
        let off = self.mode == RateLimits::Off;
        let refused = match (
            everything.used >= global.requests,
            this.used >= route.requests,
        ) {
            _ if off => None,
            (true, _) => Some((everything, true)),
            (false, true) => Some((this, false)),
            (false, false) => None,
        };
        if refused.is_none() {
            self.count(WindowKey::Global(person));
            self.count(WindowKey::Route(person, bucket, top));
        }
        let used = this.used + u32::from(refused.is_none());
        BucketDecision {
            refused: refused.map(|(window, global)| Refusal {
                retry_after: left(window),
                global,
                shared: false,
            }),
            bucket,
            limit: route.requests,
            remaining: if off {
                route.requests - 1
            } else {
                route.requests.saturating_sub(used)
            },
            resets_ms: this.resets_ms,
            reset_after: left(this),
        }
    }

    /// Counts one request that a token in its path speaks for. It is not part
    /// of any account's global allowance. Messages of all webhooks of one
    /// channel are counted together as well.
    pub(crate) fn spend_by_token(
        &mut self,
        bearer: Snowflake,
        bucket: Bucket,
        channel: Option<Snowflake>,
    ) -> BucketDecision {
        let decision = self.spend_alone(WindowKey::Route(bearer, bucket, None), bucket);
        let Some(channel) = channel.filter(|_| decision.refused.is_none()) else {
            return decision;
        };
        let shared = Bucket::WebhookChannel;
        let of_channel = self.spend_alone(WindowKey::Route(channel, shared, None), shared);
        if of_channel.refused.is_some() {
            of_channel
        } else {
            decision
        }
    }

    fn sweep(&mut self) {
        if self.windows.len() >= limits::BUCKETS {
            let now = moment();
            self.windows.retain(|_, window| window.ends > now);
        }
    }

    fn spend_alone(&mut self, key: WindowKey, bucket: Bucket) -> BucketDecision {
        self.sweep();
        let off = self.mode == RateLimits::Off;
        let rate = if off {
            limits::UNLIMITED
        } else {
            bucket.rate()
        };
        let window = self.window(key, rate);
        let refused = (!off && window.used >= rate.requests).then(|| Refusal {
            retry_after: left(window),
            global: false,
            shared: bucket == Bucket::WebhookChannel,
        });
        if refused.is_none() {
            self.count(key);
        }
        let used = if off { 1 } else { window.used + 1 };
        BucketDecision {
            refused,
            bucket,
            limit: rate.requests,
            remaining: rate.requests.saturating_sub(used),
            resets_ms: window.resets_ms,
            reset_after: left(window),
        }
    }

    /// What is left of each allowance that is not whole again, those first
    /// that have least.
    pub(crate) fn list(&self) -> Vec<BucketStatus> {
        let now = moment();
        let open = self.windows.iter().filter(|(_, window)| window.ends > now);
        let mut list: Vec<_> = open
            .map(|(key, window)| {
                let (user_id, bucket, resource_id) = match *key {
                    WindowKey::Global(person) => (person, None, None),
                    WindowKey::Route(person, bucket, top) => (person, Some(bucket), top),
                };
                let rate = bucket.map_or(limits::GLOBAL, Bucket::rate);
                let limit = match self.mode {
                    RateLimits::Discord => rate.requests,
                    RateLimits::Off => limits::UNLIMITED.requests,
                };
                let limit = limit.max(window.used);
                BucketStatus {
                    user_id,
                    bucket: bucket.map_or_else(|| "global".into(), |it| format!("{it:?}")),
                    resource_id,
                    limit,
                    remaining: limit - window.used,
                    reset_after: left(*window).as_secs_f64(),
                }
            })
            .collect();
        list.sort_by_key(|it| (it.remaining, it.user_id, it.bucket.clone()));
        list
    }

    /// The window that holds now; a new one begins with its first request.
    fn window(&mut self, key: WindowKey, rate: Rate) -> LimitWindow {
        let now = moment();
        let fresh = LimitWindow {
            ends: now + rate.window,
            resets_ms: wall_ms_after(rate.window),
            used: 0,
        };
        let window = self.windows.entry(key).or_insert(fresh);
        if window.ends <= now {
            *window = fresh;
        }
        *window
    }

    fn count(&mut self, key: WindowKey) {
        if let Some(window) = self.windows.get_mut(&key) {
            window.used = window.used.saturating_add(1);
        }
    }
}

fn allow(rate: Rate, bot: bool) -> Rate {
    let factor = if bot { 1 } else { limits::HUMAN_ALLOWANCE };
    Rate {
        requests: rate.requests * factor,
        ..rate
    }
}

/// The machine's time after so long, rounded up.
fn wall_ms_after(wait: Duration) -> i64 {
    let wait = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
    machine_now()
        .as_millisecond()
        .saturating_add(wait)
        .saturating_add(1)
}

/// Rounded up, so that a client which waits as told is not early.
fn left(window: LimitWindow) -> Duration {
    let left = window.ends.saturating_duration_since(moment());
    Duration::from_millis(u64::try_from(left.as_micros().div_ceil(1000)).unwrap_or(u64::MAX))
}

impl BucketDecision {
    /// A bucket that is empty for as long as the refusal says.
    pub(crate) fn spent(bucket: Bucket, refusal: Refusal) -> Self {
        Self {
            refused: Some(refusal),
            bucket,
            limit: bucket.rate().requests,
            remaining: 0,
            resets_ms: wall_ms_after(refusal.retry_after),
            reset_after: refusal.retry_after,
        }
    }

    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        // Discord tells nothing of an allowance that nobody can use up.
        if self.bucket == Bucket::Callback && self.refused.is_none() {
            return;
        }
        let resets_at = self.resets_ms as f64 / 1000.0;
        let bucket = hash(&[&format!("{:?}", self.bucket)]);
        put(headers, "x-ratelimit-limit", &self.limit.to_string());
        put(
            headers,
            "x-ratelimit-remaining",
            &self.remaining.to_string(),
        );
        put(headers, "x-ratelimit-reset", &format!("{resets_at:.3}"));
        put(
            headers,
            "x-ratelimit-reset-after",
            &format!("{:.3}", self.reset_after.as_secs_f64()),
        );
        put(headers, "x-ratelimit-bucket", &format!("{bucket:016x}"));
        if let Some(refusal) = self.refused {
            refusal.write(headers);
            if self.bucket == Bucket::WebhookChannel {
                put(headers, "x-ratelimit-scope", "shared");
            }
        }
    }
}

impl Refusal {
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let seconds = self.retry_after.as_secs_f64().ceil().max(1.0);
        put(headers, "retry-after", &format!("{seconds:.0}"));
        put(
            headers,
            "x-ratelimit-scope",
            match (self.global, self.shared) {
                (true, _) => "global",
                (false, true) => "shared",
                (false, false) => "user",
            },
        );
        if self.global {
            put(headers, "x-ratelimit-global", "true");
        }
    }
}

fn put(headers: &mut HeaderMap, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(HeaderName::from_static(name), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::EmulatorClock;

    /// How many requests pass before one is refused, and whether for all routes.
    fn passes(mode: RateLimits, bot: bool, channels: u64) -> Option<(u32, bool)> {
        let mut buckets = Buckets::new(mode);
        (0..1000).find_map(|count: u32| {
            let top = Some(Snowflake(1 + u64::from(count) % channels));
            let verdict = buckets.spend(Snowflake(9), bot, Bucket::MessageCreate, top);
            verdict.refused.map(|refusal| (count, refusal.global))
        })
    }

    #[test]
    fn a_channel_a_bot_and_a_human_have_their_allowances() {
        assert_eq!(passes(RateLimits::Discord, true, 1), Some((5, false)));
        assert_eq!(passes(RateLimits::Discord, true, 20), Some((50, true)));
        assert_eq!(passes(RateLimits::Discord, false, 1), Some((50, false)));
        assert_eq!(passes(RateLimits::Off, true, 1), None);
    }

    #[test]
    fn a_window_that_is_over_begins_anew() {
        let clock = EmulatorClock::new(None);
        let _scope = clock.enter();
        let mut buckets = Buckets::new(RateLimits::Discord);
        let mut passes = || {
            let decision = buckets.spend(Snowflake(9), true, Bucket::MessageCreate, None);
            decision.refused.is_none()
        };
        assert_eq!(
            [(); 6].map(|()| passes()),
            [true, true, true, true, true, false]
        );
        clock.advance(Duration::from_secs(5));
        assert_eq!(
            [(); 6].map(|()| passes()),
            [true, true, true, true, true, false]
        );
    }

    /// A request may take long to answer; its window ends when it ends.
    #[test]
    fn a_window_is_said_to_end_at_one_time() {
        let clock = EmulatorClock::new(None);
        let _scope = clock.enter();
        let mut buckets = Buckets::new(RateLimits::Discord);
        let mut seen = Vec::new();
        for _ in 0..6 {
            let decision = buckets.spend(Snowflake(9), true, Bucket::MessageCreate, None);
            clock.advance(Duration::from_millis(300));
            let mut headers = HeaderMap::new();
            decision.write(&mut headers);
            seen.push(headers["x-ratelimit-reset"].clone());
        }
        seen.dedup();
        assert_eq!(seen.len(), 1, "{seen:?}");
    }

    #[test]
    fn a_moved_clock_does_not_move_the_end_of_windows() {
        let clock = EmulatorClock::new(Some(7));
        let _scope = clock.enter();
        clock.advance(Duration::from_secs(3600));
        let mut buckets = Buckets::new(RateLimits::Discord);
        let decision = buckets.spend(Snowflake(9), true, Bucket::MessageCreate, None);
        let ahead = decision.resets_ms - machine_now().as_millisecond();
        assert!((0..=5001).contains(&ahead), "{ahead}");
    }

    #[test]
    fn expired_windows_are_swept() {
        let mut buckets = Buckets::new(RateLimits::Discord);
        let over = LimitWindow {
            ends: Instant::now(),
            resets_ms: 0,
            used: 5,
        };
        let keys = (0..limits::BUCKETS as u64).map(|id| WindowKey::Global(Snowflake(id)));
        buckets.windows.extend(keys.map(|key| (key, over)));
        buckets.spend(Snowflake(9), true, Bucket::Read, None);
        assert_eq!(buckets.windows.len(), 2);
    }
}
