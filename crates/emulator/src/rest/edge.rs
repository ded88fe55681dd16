//! What stands before the API: whoever makes too many invalid requests is kept
//! out for a while, as Discord's edge does.

use std::collections::VecDeque;

use axum::{
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use tokio::time::Instant;

use super::{answered, user_of};
use crate::{Emulator, clock::moment, limits, world::RateLimits};

/// The invalid requests of all bots, who share this machine's address. Humans
/// are not counted: the page is to go on.
#[derive(Debug, Default)]
pub(crate) struct InvalidRequests {
    /// The end of each second that had some, and how many.
    seconds: VecDeque<(Instant, u32)>,
    count: u32,
    banned_until: Option<Instant>,
}

impl InvalidRequests {
    /// How long they are kept out.
    fn banned(&self) -> Option<std::time::Duration> {
        let left = self.banned_until?.saturating_duration_since(moment());
        (!left.is_zero()).then_some(left)
    }

    fn count(&mut self) {
        let now = moment();
        while let Some((_, many)) = self
            .seconds
            .pop_front_if(|(end, _)| now.saturating_duration_since(*end) > limits::INVALID_WINDOW)
        {
            self.count -= many;
        }
        match self.seconds.back_mut() {
            Some((end, many)) if *end > now => *many += 1,
            _ => {
                let end = now + std::time::Duration::from_secs(1);
                self.seconds.push_back((end, 1));
            }
        }
        self.count += 1;
        if self.count >= limits::INVALID_REQUESTS {
            self.banned_until = Some(now + limits::BAN);
            self.seconds.clear();
            self.count = 0;
        }
    }
}

/// Answers anything below `/api`.
pub(crate) async fn answer(State(emulator): State<Emulator>, request: Request) -> Response {
    let human = {
        let caller = user_of(&emulator, request.headers());
        let state = emulator.state();
        let person = caller.and_then(|id| state.realm.person(id));
        person.is_some_and(|person| !person.bot)
    };
    let limited = !human && emulator.state().buckets.mode() == RateLimits::Discord;
    if limited && let Some(left) = emulator.state().invalid.banned() {
        return banned(left);
    }
    let response = answered(State(emulator.clone()), request).await;
    let shared = response
        .headers()
        .get("x-ratelimit-scope")
        .is_some_and(|scope| scope == "shared");
    let invalid = match response.status() {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => true,
        StatusCode::TOO_MANY_REQUESTS => !shared,
        _ => false,
    };
    if limited && invalid {
        emulator.state().invalid.count();
    }
    response
}

/// What the edge says: no JSON, and nothing that the API itself adds.
fn banned(left: std::time::Duration) -> Response {
    let mut response = (StatusCode::TOO_MANY_REQUESTS, "error code: 1015").into_response();
    let seconds = left.as_secs() + 1;
    let headers = response.headers_mut();
    headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    headers.insert(header::SERVER, HeaderValue::from_static("cloudflare"));
    response
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::clock::EmulatorClock;

    #[test]
    fn ten_thousand_invalid_requests_in_ten_minutes_are_too_many() {
        let clock = EmulatorClock::new(None);
        let _scope = clock.enter();
        let mut invalid = InvalidRequests::default();
        let mut after = |pause: Duration, many: u32| {
            clock.advance(pause);
            for _ in 0..many {
                invalid.count();
            }
            invalid.banned().is_some()
        };
        assert!(!after(Duration::ZERO, 9_999));
        // Those of ten minutes ago no longer count.
        assert!(!after(
            limits::INVALID_WINDOW + Duration::from_secs(2),
            9_999
        ));
        assert!(after(Duration::ZERO, 1));
        assert!(!after(limits::BAN + Duration::from_secs(1), 1));
    }
}
