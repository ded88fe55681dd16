//! Reading Discord's rate-limit headers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};

use super::codes::ErrorBody;
use super::governor::BucketHeaders;

/// The headers, see
/// [Discord Docs/Rate Limits](https://docs.discord.com/developers/topics/rate-limits#header-format).
const BUCKET: &str = "x-ratelimit-bucket";
const LIMIT: &str = "x-ratelimit-limit";
const REMAINING: &str = "x-ratelimit-remaining";
const RESET_AFTER: &str = "x-ratelimit-reset-after";
const SCOPE: &str = "x-ratelimit-scope";

/// The wait when a 429 does not say how long, or says nonsense.
const UNSAID: Duration = Duration::from_secs(5);

/// The shortest wait after a 429, whatever it says.
const SHORTEST: Duration = Duration::from_millis(100);

/// The longest time a bucket is believed to stay empty. It bounds what is
/// added to the clock.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// What a 429 asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RateLimit {
    pub(super) wait: Duration,
    pub(super) scope: LimitScope,
}

/// Whom a 429 is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LimitScope {
    /// Our requests of this kind.
    Bucket,
    /// Everybody's requests of this kind; it does not count against us.
    Shared,
    /// All of our requests but answers to controls.
    Global,
    /// Whatever comes from here, because of the wall in front of Discord.
    Wall,
}

impl RateLimit {
    /// Reads a 429. One without Discord's JSON comes from the wall in front of
    /// it and is about everything we send.
    pub(super) fn read(headers: &HeaderMap, body: Option<&ErrorBody>) -> Self {
        let said = text(headers, RETRY_AFTER.as_str())
            .and_then(seconds)
            .or_else(|| body?.retry_after.and_then(whole));
        let scope = match text(headers, SCOPE) {
            Some("shared") => LimitScope::Shared,
            Some("global") => LimitScope::Global,
            _ => match body {
                None => LimitScope::Wall,
                Some(body) if body.global => LimitScope::Global,
                Some(_) => LimitScope::Bucket,
            },
        };
        Self {
            wait: said.unwrap_or(UNSAID).max(SHORTEST),
            scope,
        }
    }
}

/// The state of the bucket, if the headers tell it.
pub(super) fn bucket(headers: &HeaderMap) -> Option<BucketHeaders> {
    let mut name = DefaultHasher::new();
    text(headers, BUCKET)?.hash(&mut name);
    Some(BucketHeaders {
        name: name.finish(),
        limit: text(headers, LIMIT)?.parse().ok()?,
        remaining: text(headers, REMAINING)?.parse().ok()?,
        reset_after: seconds(text(headers, RESET_AFTER)?)?,
    })
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn seconds(text: &str) -> Option<Duration> {
    whole(text.trim().parse().ok()?)
}

fn whole(seconds: f64) -> Option<Duration> {
    let duration = Duration::try_from_secs_f64(seconds).ok()?;
    Some(duration.min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};
    use serde_json::{Value, json};

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                let name: HeaderName = name.parse().unwrap();
                (name, HeaderValue::from_str(value).unwrap())
            })
            .collect()
    }

    #[test]
    fn a_429_always_has_a_sane_wait() {
        fn check(header: Option<&str>, body: Value, millis: u64) {
            let headers = header.map(|value| headers(&[("retry-after", value)]));
            let body: ErrorBody = serde_json::from_value(body).unwrap();
            let limit = RateLimit::read(&headers.unwrap_or_default(), Some(&body));
            assert_eq!(limit.wait, Duration::from_millis(millis), "{header:?}");
        }
        check(Some("2"), json!({"retry_after": 9}), 2000);
        check(Some("0.65"), json!({}), 650);
        check(None, json!({"retry_after": 1.25}), 1250);
        check(None, json!({}), 5000);
        check(Some("0"), json!({}), 100);
        for garbage in ["", "soon", "-3", "NaN", "inf", "1e300"] {
            check(Some(garbage), json!({}), 5000);
        }
        check(Some("1e9"), json!({}), 86_400_000);
    }

    #[test]
    fn a_429_says_whom_it_is_about() {
        fn check(scope: Option<&str>, body: Option<Value>, expected: LimitScope) {
            let headers = scope.map(|value| headers(&[("x-ratelimit-scope", value)]));
            let body: Option<ErrorBody> = body.map(|body| serde_json::from_value(body).unwrap());
            let limit = RateLimit::read(&headers.unwrap_or_default(), body.as_ref());
            assert_eq!(limit.scope, expected, "{scope:?}");
        }
        check(Some("user"), Some(json!({})), LimitScope::Bucket);
        check(Some("shared"), Some(json!({})), LimitScope::Shared);
        check(Some("global"), Some(json!({})), LimitScope::Global);
        check(None, Some(json!({"global": true})), LimitScope::Global);
        check(None, Some(json!({"global": false})), LimitScope::Bucket);
        check(None, None, LimitScope::Wall);
    }

    #[test]
    fn bucket_headers_are_all_or_nothing() {
        let whole = [
            ("x-ratelimit-bucket", "abc"),
            ("x-ratelimit-limit", "5"),
            ("x-ratelimit-remaining", "4"),
            ("x-ratelimit-reset-after", "1.5"),
        ];
        let read = bucket(&headers(&whole)).unwrap();
        assert_eq!((read.limit, read.remaining), (5, 4));
        assert_eq!(read.reset_after, Duration::from_millis(1500));
        let mut other = whole.to_vec();
        other[0] = ("x-ratelimit-bucket", "abd");
        assert_ne!(bucket(&headers(&other)).unwrap().name, read.name);
        for skipped in 0..whole.len() {
            let mut part = whole.to_vec();
            part.remove(skipped);
            assert!(bucket(&headers(&part)).is_none(), "{part:?}");
        }
    }
}
