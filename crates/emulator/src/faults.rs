//! Failures on request, for tests of clients.

pub(crate) mod control;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::{Method, StatusCode};
use serde_json::Value;
use tokio::sync::{Semaphore, watch};

use crate::Emulator;

/// How a gateway connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The connection breaks without a word.
    Abrupt,
    /// The emulator closes with this code.
    Close(u16),
    /// The emulator asks the client to reconnect (op 7) and stays.
    Reconnect,
}

/// Makes the emulator misbehave. Requests are named by their method and a
/// part of their path, such as `/messages`.
#[derive(Clone, Debug)]
pub struct Faults {
    emulator: Emulator,
}

#[derive(Debug, Default)]
pub(crate) struct Plans {
    rules: Vec<Rule>,
    refused_resumes: u32,
}

#[derive(Debug)]
struct Rule {
    method: Method,
    path: String,
    times: u32,
    fault: Fault,
}

/// What happens to a request.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    Fail { status: StatusCode, body: Value },
    Swallow,
    Hold(Arc<Gate>),
}

/// A closed door with a bell.
#[derive(Debug)]
pub(crate) struct Gate {
    arrived: watch::Sender<u32>,
    open: Semaphore,
}

impl Gate {
    pub(crate) async fn pass(&self) {
        self.arrived.send_modify(|count| *count += 1);
        // The semaphore is closed to let everyone through.
        let _ = self.open.acquire().await;
    }
}

/// Requests that wait until the test lets them go on. Dropping it does too.
#[derive(Debug)]
pub struct Hold {
    gate: Arc<Gate>,
}

impl Hold {
    /// Waits until so many requests have come to the door in all.
    pub async fn arrived(&self, requests: u32) {
        let mut arrived = self.gate.arrived.subscribe();
        // The sender lives in the gate that we hold.
        let _ = arrived.wait_for(|count| *count >= requests).await;
    }

    /// Lets every request through that was or will be held.
    pub fn release(self) {
        drop(self);
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.gate.open.close();
    }
}

impl Faults {
    pub(crate) fn new(emulator: Emulator) -> Self {
        Self { emulator }
    }

    /// Cuts every gateway connection of a user, and says how many there were.
    pub fn cut_gateway(&self, user_id: &str, cut: Cut) -> usize {
        let state = self.emulator.state();
        let theirs = state
            .connections
            .values()
            .filter(|connected| connected.person.is_some_and(|id| id.to_string() == user_id));
        theirs
            .filter(|connected| connected.cuts.try_send(cut).is_ok())
            .count()
    }

    /// Forgets every session that is open now: connections stay, but a RESUME
    /// of one is answered with INVALID_SESSION.
    pub fn drop_sessions(&self) {
        self.emulator.state().sessions.forbid_resumes();
    }

    /// Answers the next RESUMEs with INVALID_SESSION.
    pub fn refuse_resumes(&self, times: u32) {
        self.plans().refused_resumes = times;
    }

    /// Answers the next requests with an error and does nothing else. A body
    /// with `retry_after` brings the headers of a 429 along.
    pub fn fail_next(
        &self,
        method: Method,
        path_part: &str,
        status: StatusCode,
        body: Value,
        times: u32,
    ) {
        self.plan(method, path_part, times, Fault::Fail { status, body });
    }

    /// Does what the next requests ask, but breaks the connection instead of
    /// answering.
    pub fn swallow_next(&self, method: Method, path_part: &str, times: u32) {
        self.plan(method, path_part, times, Fault::Swallow);
    }

    /// Keeps requests waiting at the door, before anything is done, until
    /// the hold is released.
    #[must_use = "dropping the hold releases it"]
    pub fn hold(&self, method: Method, path_part: &str) -> Hold {
        let gate = Arc::new(Gate {
            arrived: watch::Sender::new(0),
            open: Semaphore::new(0),
        });
        self.plan(method, path_part, u32::MAX, Fault::Hold(Arc::clone(&gate)));
        Hold { gate }
    }

    fn plan(&self, method: Method, path_part: &str, times: u32, fault: Fault) {
        self.plans().rules.push(Rule {
            method,
            path: path_part.to_owned(),
            times,
            fault,
        });
    }

    fn plans(&self) -> MutexGuard<'_, Plans> {
        self.emulator
            .plans()
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn refuses_resume(&self) -> bool {
        let mut plans = self.plans();
        let refuses = plans.refused_resumes > 0;
        plans.refused_resumes = plans.refused_resumes.saturating_sub(1);
        refuses
    }

    /// The fault that a request meets, used up by one.
    pub(crate) fn meet(&self, method: &Method, path: &str) -> Option<Fault> {
        let mut plans = self.plans();
        plans.rules.retain(|rule| match &rule.fault {
            Fault::Hold(gate) => !gate.open.is_closed(),
            _ => rule.times > 0,
        });
        let rule = plans
            .rules
            .iter_mut()
            .find(|rule| rule.method == *method && path.contains(&rule.path))?;
        rule.times -= 1;
        Some(rule.fault.clone())
    }
}

pub(crate) type SharedPlans = Mutex<Plans>;
