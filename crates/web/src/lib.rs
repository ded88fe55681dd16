//! What Kaiwa shows to a browser and to its operator's tools.
//!
//! | router | serves |
//! |---|---|
//! | [`page()`] | the playground: a Discord-like client for the emulator of the same origin |
//! | [`observability`] | `GET /healthz` and `GET /metrics` |
//! | [`inspection`] | `GET /inspect/…`: what a model was told, and why; for this machine alone |
//!
//! The page is a handful of files in `assets/`, embedded as they stand: no build
//! step, no other origin, no inline script. It knows nothing of this process but
//! the emulator's REST, gateway and `/emulator`, and, where they are served,
//! `/inspect` and `POST /play/bot/restart`.
//!
//! Both routers hold no connection and start no task, so they can be merged into
//! any server and dropped with it. [`serve`] is one for a network that is not
//! to be trusted.

mod page;
mod health;
mod inspect;
mod metrics;
mod stall;

use axum::Router;

pub use health::{Dependencies, Dependency, Health, HealthReporter, ProcessPhase};
pub use inspect::{InspectError, Inspection, Inspector, inspect_at, inspection};
pub use kaiwa_server::{ServerLimits, serve};
pub use metrics::{Metrics, MetricsError, install_metrics, resident_memory};
pub use page::page;
pub use stall::watch_stalls;

/// `GET /healthz` and `GET /metrics`.
pub fn observability(health: Health, metrics: Metrics) -> Router {
    Router::new()
        .merge(health::router(health))
        .merge(metrics::router(metrics))
}
