//! `GET /healthz`: whether this process is fit to serve.

use axum::{
    Json, Router, extract::State, http::StatusCode, http::header::CACHE_CONTROL,
    response::IntoResponse, routing::get,
};
use serde::Serialize;
use tokio::sync::watch;

/// What `/healthz` says of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HealthState {
    /// Not yet connected to everything it needs. Answered with 503.
    Starting,
    /// Serving. Answered with 200.
    Ok,
    /// Finishing its work before it exits. Answered with 503.
    Stopping,
}

/// The writing end, held by whoever starts and stops the process.
#[derive(Debug)]
pub struct HealthReporter(watch::Sender<HealthState>);

/// The reading end, for [`observability`](crate::observability).
#[derive(Clone, Debug)]
pub struct Health(watch::Receiver<HealthState>);

impl Health {
    /// A pair that begins as [`HealthState::Starting`].
    pub fn new() -> (HealthReporter, Self) {
        let (sender, receiver) = watch::channel(HealthState::Starting);
        (HealthReporter(sender), Self(receiver))
    }

    /// The last reported state, or [`HealthState::Stopping`] once the reporter
    /// is gone: a process nobody answers for is not fit to serve.
    pub fn state(&self) -> HealthState {
        match self.0.has_changed() {
            Ok(_) => *self.0.borrow(),
            Err(_) => HealthState::Stopping,
        }
    }
}

impl HealthReporter {
    /// Replaces the state. Never waits.
    pub fn set(&self, state: HealthState) {
        self.0.send_replace(state);
    }
}

#[derive(Serialize)]
struct Answer {
    status: HealthState,
    version: &'static str,
}

pub(crate) fn router(health: Health) -> Router {
    Router::new()
        .route("/healthz", get(answer))
        .with_state(health)
}

async fn answer(State(health): State<Health>) -> impl IntoResponse {
    let status = health.state();
    let code = match status {
        HealthState::Ok => StatusCode::OK,
        HealthState::Starting | HealthState::Stopping => StatusCode::SERVICE_UNAVAILABLE,
    };
    let version = env!("CARGO_PKG_VERSION");
    (
        code,
        [(CACHE_CONTROL, "no-store")],
        Json(Answer { status, version }),
    )
}
