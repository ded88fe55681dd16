//! `GET /metrics`: what the process counted, in Prometheus' text format.

use std::{fs, sync::OnceLock};

use ::metrics::{Unit, describe_gauge, gauge};
use axum::{
    Router, extract::State, http::header::CONTENT_TYPE, response::IntoResponse, routing::get,
};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

/// Upper bounds of histogram buckets, in seconds: from the 15 ms promised for a
/// first reply down to a tenth of it and up to a model's slowest answer.
const SECONDS: &[f64] = &[
    0.001, 0.002, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0,
    120.0,
];

/// Clock ticks per second in `/proc`, which Linux fixes for user space on every
/// architecture that Rust's standard library supports.
const TICKS_PER_SECOND: f64 = 100.0;

const RESIDENT: &str = "process_resident_memory_bytes";
const STARTED: &str = "process_start_time_seconds";

/// Why metrics cannot be served.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetricsError {
    /// Another library installed its recorder first; install ours before it.
    #[error("metrics are already recorded elsewhere in this process: {reason}")]
    RecorderTaken {
        /// What the recorder said.
        reason: String,
    },
}

/// The process' one metrics recorder, readable.
#[derive(Clone)]
pub struct Metrics(PrometheusHandle);

/// Installs the process-wide recorder, or returns the one installed before.
///
/// # Errors
/// [`MetricsError::RecorderTaken`] when somebody else's recorder is in place.
pub fn install_metrics() -> Result<Metrics, MetricsError> {
    static INSTALLED: OnceLock<Result<Metrics, MetricsError>> = OnceLock::new();
    INSTALLED.get_or_init(install).clone()
}

fn install() -> Result<Metrics, MetricsError> {
    let taken = |error: metrics_exporter_prometheus::BuildError| MetricsError::RecorderTaken {
        reason: error.to_string(),
    };
    let handle = PrometheusBuilder::new()
        .set_buckets(SECONDS)
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(taken)?;
    describe_gauge!(RESIDENT, Unit::Bytes, "Resident memory of the process.");
    describe_gauge!(
        STARTED,
        Unit::Seconds,
        "When the process started, in seconds since 1970."
    );
    if let Some(started) = started_at() {
        gauge!(STARTED).set(started);
    }
    Ok(Metrics(handle))
}

impl Metrics {
    /// The current values in Prometheus' text format.
    pub fn render(&self) -> String {
        if let Some(kibibytes) = resident_kibibytes() {
            gauge!(RESIDENT).set(f64::from(kibibytes) * 1024.0);
        }
        self.0.render()
    }

    /// Folds recorded histogram samples into their buckets. Samples wait in
    /// memory until this or [`render`](Self::render) runs, so a process that
    /// nobody scrapes must call it every few seconds.
    pub fn upkeep(&self) {
        self.0.run_upkeep();
    }
}

pub(crate) fn router(metrics: Metrics) -> Router {
    Router::new()
        .route("/metrics", get(answer))
        .with_state(metrics)
}

async fn answer(State(metrics): State<Metrics>) -> impl IntoResponse {
    let content_type = "text/plain; version=0.0.4; charset=utf-8";
    ([(CONTENT_TYPE, content_type)], metrics.render())
}

/// How much memory the process has, in bytes, where the machine says so.
pub fn resident_memory() -> Option<u64> {
    Some(u64::from(resident_kibibytes()?) * 1024)
}

fn resident_kibibytes() -> Option<u32> {
    resident_in(&fs::read_to_string("/proc/self/status").ok()?)
}

fn started_at() -> Option<f64> {
    let process = fs::read_to_string("/proc/self/stat").ok()?;
    let machine = fs::read_to_string("/proc/stat").ok()?;
    started_in(&process, &machine)
}

fn resident_in(status: &str) -> Option<u32> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The process' start is the 22nd field of its `stat`; the second, its name,
/// may itself hold spaces and parentheses.
fn started_in(process: &str, machine: &str) -> Option<f64> {
    let (_, after_name) = process.rsplit_once(')')?;
    let ticks: f64 = after_name.split_ascii_whitespace().nth(19)?.parse().ok()?;
    let booted: f64 = machine
        .lines()
        .find_map(|line| line.strip_prefix("btime "))?
        .trim()
        .parse()
        .ok()?;
    Some(booted + ticks / TICKS_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::{resident_in, started_in};

    #[test]
    fn resident_memory_is_read_in_kibibytes() {
        let check = |status, expect| assert_eq!(resident_in(status), expect, "{status:?}");
        check("Name:\tkaiwa\nVmRSS:\t   2048 kB\n", Some(2048));
        check("Name:\tkaiwa\n", None);
        check("VmRSS:\t many kB\n", None);
    }

    #[test]
    fn start_time_survives_an_odd_process_name() {
        let fields = "S 1 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 250 1 1";
        let check = |name: &str, machine, expect| {
            let process = format!("42 ({name}) {fields}");
            assert_eq!(started_in(&process, machine), expect, "{process:?}");
        };
        check("kaiwa", "cpu 1\nbtime 1000\n", Some(1002.5));
        check("a) S 9 (b", "btime 1000\n", Some(1002.5));
        check("kaiwa", "cpu 1\n", None);
    }
}
