//! `GET /healthz`: whether this process is fit to serve.
//!
//! | status | HTTP | when |
//! |---|---|---|
//! | `starting` | 503 | it has not been connected to Discord yet |
//! | `ok` | 200 | everything works |
//! | `degraded` | 200 | only the model gives no answers: people are told so, and a restart helps nobody |
//! | `degraded` | 200 | the database is damaged or cannot be backed up: people are answered, and the operator has to look |
//! | `degraded` | 503 | the gateway is down, or the journal cannot be written: nobody is answered |
//! | `stopping` | 503 | it finishes its work before it exits |

use axum::{
    Json, Router, extract::State, http::StatusCode, http::header::CACHE_CONTROL,
    response::IntoResponse, routing::get,
};
use serde::Serialize;
use tokio::sync::watch;

/// Where a process is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ProcessPhase {
    /// Not yet connected to everything it needs.
    #[default]
    Starting,
    /// Serving, as well as its parts allow.
    Serving,
    /// Finishing its work before it exits.
    Stopping,
}

/// One part that a process depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dependency {
    /// Whether it works.
    pub ok: bool,
    /// Why not, in a few words that hold no secrets and nothing people wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Dependency {
    /// It works.
    pub const WORKS: Self = Self {
        ok: true,
        reason: None,
    };

    /// It does not, for this reason.
    pub const fn down(reason: String) -> Self {
        Self {
            ok: false,
            reason: Some(reason),
        }
    }

    /// Whether there is a reason why it does not work.
    pub fn unless(reason: Option<String>) -> Self {
        reason.map_or(Self::WORKS, Self::down)
    }
}

/// The parts that a bot depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dependencies {
    /// The connection that brings events from Discord.
    pub gateway: Dependency,
    /// The database.
    pub journal: Dependency,
    /// Whether the file of the database is sound and has a new backup.
    pub storage: Dependency,
    /// Whether a model answered the last question.
    pub model: Dependency,
}

/// The writing end, held by whoever starts and stops the process.
#[derive(Debug)]
pub struct HealthReporter(watch::Sender<HealthReport>);

/// The reading end, for [`observability`](crate::observability).
#[derive(Clone, Debug)]
pub struct Health(watch::Receiver<HealthReport>);

#[derive(Clone, Debug, Default)]
struct HealthReport {
    phase: ProcessPhase,
    parts: Option<Dependencies>,
}

impl Health {
    /// A pair that begins as [`ProcessPhase::Starting`].
    pub fn new() -> (HealthReporter, Self) {
        let (sender, receiver) = watch::channel(HealthReport::default());
        (HealthReporter(sender), Self(receiver))
    }

    /// The last report, as stopping once the reporter is gone: a process nobody
    /// answers for is not fit to serve.
    fn report(&self) -> HealthReport {
        let mut state = self.0.borrow().clone();
        if self.0.has_changed().is_err() {
            state.phase = ProcessPhase::Stopping;
        }
        state
    }
}

impl HealthReporter {
    /// Where the process is. Never waits.
    pub fn phase(&self, phase: ProcessPhase) {
        self.0.send_modify(|state| state.phase = phase);
    }

    /// How its parts are. Never waits.
    pub fn parts(&self, parts: Dependencies) {
        self.0.send_modify(|state| state.parts = Some(parts));
    }
}

#[derive(Serialize)]
struct HealthBody {
    status: &'static str,
    version: &'static str,
    #[serde(flatten)]
    parts: Option<Dependencies>,
}

pub(crate) fn router(health: Health) -> Router {
    Router::new()
        .route("/healthz", get(answer))
        .with_state(health)
}

async fn answer(State(health): State<Health>) -> impl IntoResponse {
    let HealthReport { phase, parts } = health.report();
    let (code, status) = verdict(phase, parts.as_ref());
    let answer = HealthBody {
        status,
        version: env!("CARGO_PKG_VERSION"),
        parts,
    };
    (code, [(CACHE_CONTROL, "no-store")], Json(answer))
}

fn verdict(phase: ProcessPhase, parts: Option<&Dependencies>) -> (StatusCode, &'static str) {
    const UNFIT: StatusCode = StatusCode::SERVICE_UNAVAILABLE;
    match (phase, parts) {
        (ProcessPhase::Starting, _) => (UNFIT, "starting"),
        (ProcessPhase::Stopping, _) => (UNFIT, "stopping"),
        (_, Some(parts)) if !parts.gateway.ok || !parts.journal.ok => (UNFIT, "degraded"),
        (_, Some(parts)) if !parts.model.ok || !parts.storage.ok => (StatusCode::OK, "degraded"),
        _ => (StatusCode::OK, "ok"),
    }
}
