//! Named points at which a test build can be made to die.
//!
//! A build with the feature `enabled` looks at `KAIWA_FAILPOINT`, which names a
//! point and how often it is passed first, like `effect_queued:2`, and aborts
//! the process there: nothing is flushed, closed or unlocked, as under
//! `kill -9`. Any other build does nothing at all.

/// The points, in the order in which an answer passes them.
pub const POINTS: [&str; 11] = [
    "event_received",
    "turn_admitted",
    "model_streaming",
    "effect_queued",
    "effect_started",
    "post_answered",
    "live_revised",
    "live_edited",
    "effect_done",
    "action_done",
    "turn_ended",
];

/// Dies here, if this is the point and the moment.
#[cfg(not(feature = "enabled"))]
#[inline(always)]
pub const fn hit(_point: &'static str) {}

/// Dies here, if this is the point and the moment.
#[cfg(feature = "enabled")]
pub fn hit(point: &'static str) {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    static CHOSEN: OnceLock<Option<(String, u32)>> = OnceLock::new();
    static PASSED: AtomicU32 = AtomicU32::new(0);

    debug_assert!(POINTS.contains(&point), "{point} is not listed");
    let chosen = CHOSEN.get_or_init(|| {
        #[expect(clippy::disallowed_methods, reason = "a test build, told by its test")]
        let text = std::env::var("KAIWA_FAILPOINT").ok()?;
        let (name, after) = text.split_once(':').unwrap_or((&text, "0"));
        Some((name.to_owned(), after.parse().unwrap_or(0)))
    });
    if let Some((name, after)) = chosen
        && name == point
        && PASSED.fetch_add(1, Ordering::SeqCst) == *after
    {
        std::process::abort();
    }
}
