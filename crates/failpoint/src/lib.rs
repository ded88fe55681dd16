//! Named points at which a test build can be made to die.
//!
//! A build with the feature `enabled` looks at `KAIWA_FAILPOINT`, which names a
//! point and how often it is passed first, like `effect_queued:2`, and aborts
//! the process there: nothing is flushed, closed or unlocked, as under
//! `kill -9`. Any other build does nothing at all.

macro_rules! points {
    ($($point:ident = $name:literal,)*) => {
        /// The points, in the order in which an answer passes them.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs, reason = "each says where it stands")]
        pub enum Failpoint { $($point),* }

        impl Failpoint {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$point),*];

            /// As `KAIWA_FAILPOINT` names it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$point => $name),* }
            }
        }
    };
}

points! {
    EventReceived = "event_received",
    ScheduleDue = "schedule_due",
    ScheduleAdmitted = "schedule_admitted",
    TurnAdmitted = "turn_admitted",
    ModelStreaming = "model_streaming",
    EffectQueued = "effect_queued",
    EffectsMerged = "effects_merged",
    EffectStarted = "effect_started",
    PostAnswered = "post_answered",
    LiveRevised = "live_revised",
    LiveEdited = "live_edited",
    EffectDone = "effect_done",
    ActionDone = "action_done",
    TurnEnded = "turn_ended",
}

/// Dies here, if this is the point and the moment.
#[cfg(not(feature = "enabled"))]
#[inline(always)]
pub const fn hit(_point: Failpoint) {}

/// Dies here, if this is the point and the moment.
#[cfg(feature = "enabled")]
pub fn hit(point: Failpoint) {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    static CHOSEN: OnceLock<Option<(String, u32)>> = OnceLock::new();
    static PASSED: AtomicU32 = AtomicU32::new(0);

    let chosen = CHOSEN.get_or_init(|| {
        #[expect(clippy::disallowed_methods, reason = "a test build, told by its test")]
        let text = std::env::var("KAIWA_FAILPOINT").ok()?;
        let (name, after) = text.split_once(':').unwrap_or((&text, "0"));
        Some((name.to_owned(), after.parse().unwrap_or(0)))
    });
    if let Some((name, after)) = chosen
        && name == point.name()
        && PASSED.fetch_add(1, Ordering::SeqCst) == *after
    {
        std::process::abort();
    }
}
