//! Discord's buckets, as its answers tell of them.
//!
//! A bucket lets so many requests through until its window ends. Which routes
//! share one is told by its name; each channel, guild and webhook has its own.
//! Of a bucket that is not known yet, one request is under way at a time.

use std::collections::HashMap;
use std::time::Duration;

use kaiwa_domain::Moment;

use super::joint::JointBook;
use super::{Errand, LimitNews, SentRequest};

/// How many buckets are remembered.
const BUCKETS_MAX: usize = 8192;

/// How much the end of a window may be rounded up.
const ROUNDING: Duration = Duration::from_millis(10);

/// What the headers of an answer say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rest) struct BucketHeaders {
    /// The bucket's name, digested.
    pub(in crate::rest) name: u64,
    pub(in crate::rest) limit: u32,
    pub(in crate::rest) remaining: u32,
    pub(in crate::rest) reset_after: Duration,
}

/// A bucket of a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct BucketKey {
    name: BucketName,
    place: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum BucketName {
    /// Not known: that of the route.
    Route(&'static str),
    Told(u64),
    /// The route has none.
    None,
}

/// When a bucket takes a request; what is later is greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Readiness {
    Now,
    At(Moment),
    /// Once something that is under way was answered.
    AfterAnswer,
}

/// All that are known.
#[derive(Debug, Default)]
pub(super) struct BucketBook {
    /// What a route's bucket is called, here or elsewhere.
    names: HashMap<(&'static str, u64), BucketName>,
    usual: HashMap<&'static str, UsualBucket>,
    buckets: HashMap<BucketKey, RouteBucket>,
    joint: JointBook,
}

/// What was last told of a route, wherever that was.
#[derive(Clone, Copy, Debug)]
struct UsualBucket {
    name: BucketName,
    limit: u32,
    /// How long its window is, as far as was told.
    window: Duration,
}

#[derive(Clone, Copy, Debug)]
struct RouteBucket {
    /// None if it is not known.
    limit: Option<u32>,
    left: u32,
    /// When the window surely is over, if one is known to have begun.
    resets: Option<Moment>,
    /// When the one before surely was.
    over: Moment,
    under_way: u32,
}

impl BucketBook {
    /// The bucket of a route in a place.
    pub(super) fn key(&self, route: &'static str, place: u64) -> BucketKey {
        let here = self.names.get(&(route, place)).copied();
        let usual = || self.usual.get(route).map(|usual| usual.name);
        let name = here.or_else(usual).unwrap_or(BucketName::Route(route));
        BucketKey { name, place }
    }

    /// How many requests of a route a bucket takes in how long, if that was
    /// told.
    pub(super) fn usual(&self, route: &'static str) -> Option<(u32, Duration)> {
        let usual = self.usual.get(route).filter(|usual| usual.limit > 0)?;
        Some((usual.limit, usual.window))
    }

    pub(super) fn readiness(&self, errand: &Errand, now: Moment) -> Readiness {
        let own = match self.buckets.get(&self.key(errand.route, errand.place)) {
            Some(bucket) => bucket.readiness(now),
            None => Readiness::Now,
        };
        let joint = match errand.jointly {
            Some(channel) => self.joint.readiness(channel, now),
            None => Readiness::Now,
        };
        own.max(joint)
    }

    pub(super) fn take(&mut self, errand: &Errand, key: BucketKey, now: Moment) {
        if let Some(channel) = errand.jointly {
            self.joint.take(channel, now);
        }
        if key.name == BucketName::None {
            return;
        }
        let route = errand.route;
        self.make_room(now);
        let usual = self.usual.get(route).filter(|usual| usual.name == key.name);
        let limit = usual.map(|usual| usual.limit);
        let bucket = self.buckets.entry(key).or_insert(RouteBucket {
            limit,
            left: limit.unwrap_or(1),
            ..RouteBucket::new()
        });
        bucket.roll(now);
        bucket.under_way += 1;
        bucket.left = bucket.left.saturating_sub(1);
    }

    pub(super) fn give_back(&mut self, unsent: &SentRequest) {
        if let Some(channel) = unsent.errand.jointly {
            self.joint.give_back(channel);
        }
        if let Some(bucket) = self.buckets.get_mut(&unsent.bucket) {
            bucket.under_way = bucket.under_way.saturating_sub(1);
            bucket.left = (bucket.left + 1).min(bucket.limit.unwrap_or(1));
        }
    }

    /// Something that was let through was answered.
    pub(super) fn answered(&mut self, now: Moment, sent: &SentRequest, told: LimitNews) {
        let SentRequest {
            errand,
            bucket: key,
            at,
        } = *sent;
        let Errand { route, place, .. } = errand;
        let told = match (errand.jointly, told) {
            // It is not the webhook's own bucket that the headers are about.
            (Some(channel), LimitNews::Shared { wait, .. }) => {
                self.joint.refused(channel, now.after(wait));
                LimitNews::Lost
            }
            (Some(channel), told) => {
                self.joint.answered(channel, now);
                told
            }
            (None, LimitNews::Shared { wait, bucket }) => LimitNews::Limited { wait, bucket },
            (None, told) => told,
        };
        if let Some(bucket) = self.buckets.get_mut(&key) {
            bucket.under_way = bucket.under_way.saturating_sub(1);
            bucket.settle();
        }
        let headers = match told {
            LimitNews::Bucket(headers) => Some(headers),
            LimitNews::Limited { bucket, .. } | LimitNews::Shared { bucket, .. } => bucket,
            LimitNews::Nothing | LimitNews::Lost | LimitNews::Hush(_) | LimitNews::Wall(_) => None,
        };
        let mut told_key = key;
        if let Some(headers) = headers {
            told_key = self.rename(route, place, headers);
            if told_key != key
                && matches!(key.name, BucketName::Route(_))
                && let Some(before) = self.buckets.remove(&key)
            {
                self.buckets.entry(told_key).or_insert(before);
            }
            let bucket = self.buckets.entry(told_key).or_insert(RouteBucket::new());
            bucket.learn(at, now, headers);
        } else if told == LimitNews::Nothing {
            let none = UsualBucket {
                name: BucketName::None,
                limit: 0,
                window: Duration::ZERO,
            };
            self.usual.entry(route).or_insert(none);
        }
        if let LimitNews::Limited { wait, .. } = told {
            let bucket = self.buckets.entry(told_key).or_insert(RouteBucket::new());
            bucket.left = 0;
            bucket.resets = bucket.resets.max(Some(now.after(wait)));
        }
    }

    #[cfg(test)]
    pub(super) fn remembered(&self) -> usize {
        let own = self.buckets.len().max(self.names.len());
        own.max(self.joint.remembered())
    }

    fn rename(&mut self, route: &'static str, place: u64, headers: BucketHeaders) -> BucketKey {
        let name = BucketName::Told(headers.name);
        let limit = headers.limit;
        let before = self.usual.get(route).filter(|usual| usual.limit == limit);
        let window = before.map_or(Duration::ZERO, |usual| usual.window);
        let usual = UsualBucket {
            name,
            limit,
            window: window.max(headers.reset_after),
        };
        self.usual.insert(route, usual);
        if self.names.len() >= BUCKETS_MAX {
            self.names.clear();
        }
        self.names.insert((route, place), name);
        BucketKey { name, place }
    }

    fn make_room(&mut self, now: Moment) {
        if self.buckets.len() >= BUCKETS_MAX {
            self.buckets.retain(|_, bucket| !bucket.is_whole(now));
        }
        if self.buckets.len() >= BUCKETS_MAX {
            self.buckets.retain(|_, bucket| bucket.under_way > 0);
        }
    }
}

impl RouteBucket {
    fn new() -> Self {
        Self {
            limit: None,
            left: 1,
            resets: None,
            over: Moment::default(),
            under_way: 0,
        }
    }

    fn readiness(mut self, now: Moment) -> Readiness {
        self.roll(now);
        match self.resets {
            _ if self.limit.is_none() && self.under_way > 0 => Readiness::AfterAnswer,
            _ if self.left > 0 => Readiness::Now,
            Some(at) => Readiness::At(at),
            None if self.under_way > 0 => Readiness::AfterAnswer,
            None => Readiness::Now,
        }
    }

    /// Begins the next window if this one is over. What is under way may count
    /// there.
    fn roll(&mut self, now: Moment) {
        if let Some(at) = self.resets.filter(|at| *at <= now) {
            self.resets = None;
            self.over = at;
            self.left = self.whole().saturating_sub(self.under_way);
        }
    }

    /// Nothing is under way and nobody told when the window ends: it is over.
    const fn settle(&mut self) {
        if self.under_way == 0 && self.resets.is_none() {
            self.left = self.whole();
        }
    }

    /// Discord counted the request some time after it was sent, so its window
    /// ends between two moments. That tells which window it is.
    fn learn(&mut self, sent: Moment, now: Moment, headers: BucketHeaders) {
        self.roll(now);
        self.limit = Some(headers.limit);
        let (earliest, latest) = (
            sent.after(headers.reset_after),
            now.after(headers.reset_after),
        );
        let left = headers.remaining.saturating_sub(self.under_way);
        match self.resets {
            // An answer that was overtaken says more than is left.
            Some(known) if earliest <= known.after(ROUNDING) => {
                self.left = self.left.min(left);
                self.resets = Some(known.min(latest));
            }
            None if earliest <= self.over.after(ROUNDING) => {}
            _ => {
                self.left = left;
                self.resets = Some(latest);
            }
        }
    }

    const fn whole(&self) -> u32 {
        match self.limit {
            Some(limit) => limit,
            None => 1,
        }
    }

    /// Whether forgetting it changes nothing.
    fn is_whole(mut self, now: Moment) -> bool {
        self.roll(now);
        self.under_way == 0 && self.resets.is_none()
    }
}
