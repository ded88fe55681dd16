//! Failures on request, for tests of clients. Clients in other processes ask
//! for them over HTTP ([`control`]).

pub(crate) mod control;

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::http::{Method, StatusCode};
use serde_json::Value;
use tokio::{
    sync::{Semaphore, watch},
    time::Instant,
};

use crate::{Emulator, limits, snowflake::Snowflake, state::Connected};

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

/// What a REST request meets.
#[derive(Clone, Debug, PartialEq)]
pub enum RestFault {
    /// An answer with this status and body. Nothing is done. A body with
    /// `retry_after` brings the headers of a 429 along.
    Fail {
        /// The status.
        status: StatusCode,
        /// The body.
        body: Value,
    },
    /// A 429 with Discord's headers and body. Nothing is done.
    Limit {
        /// How long the client is to wait.
        retry_after: Duration,
        /// Whether that holds for every route.
        global: bool,
    },
    /// The connection breaks before anything is done.
    ResetBefore,
    /// What was asked is done, then the connection breaks instead of an answer.
    ResetAfter,
}

/// Which REST requests meet a fault. The default is every request of everybody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// Only those of this method.
    pub method: Option<Method>,
    /// Only those with this in their path, such as `/messages`.
    pub path_part: String,
    /// Only those with the token of this user.
    pub user_id: Option<String>,
}

impl Requests {
    fn include(&self, method: &Method, path: &str, caller: Option<Snowflake>) -> bool {
        let theirs = |wanted: &String| caller.is_some_and(|id| id.to_string() == *wanted);
        self.method.as_ref().is_none_or(|wanted| wanted == method)
            && path.contains(&self.path_part)
            && self.user_id.as_ref().is_none_or(theirs)
    }
}

/// How long a fault lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultSpan {
    /// For so many requests.
    Next(u32),
    /// From now on for so long.
    For(Duration),
}

/// Makes the emulator misbehave. Where a request could meet several faults, it
/// meets the one that was asked for first.
#[derive(Clone, Debug)]
pub struct Faults {
    emulator: Emulator,
}

#[derive(Debug, Default)]
pub(crate) struct Plans {
    rules: VecDeque<FaultRule>,
    refused_resumes: u32,
}

#[derive(Debug)]
struct FaultRule {
    requests: Requests,
    left: Left,
    fault: RequestFault,
}

/// How much of a fault is still to come.
#[derive(Debug)]
enum Left {
    Times(u32),
    /// `None` is beyond what a clock can tell.
    Until(Option<Instant>),
}

impl FaultRule {
    fn is_over(&self) -> bool {
        if let RequestFault::Hold(gate) = &self.fault {
            return gate.open.is_closed();
        }
        match self.left {
            Left::Times(times) => times == 0,
            Left::Until(end) => end.is_some_and(|end| end <= Instant::now()),
        }
    }
}

/// What happens to a request.
#[derive(Clone, Debug)]
pub(crate) enum RequestFault {
    Rest(RestFault),
    Hold(Arc<HoldGate>),
}

/// A closed door with a bell.
#[derive(Debug)]
pub(crate) struct HoldGate {
    arrived: watch::Sender<u32>,
    open: Semaphore,
}

impl HoldGate {
    pub(crate) async fn pass(&self) {
        self.arrived.send_modify(|count| *count += 1);
        // The semaphore is closed to let everyone through.
        let _ = self.open.acquire().await;
    }
}

/// Requests that wait until the test lets them go on. Dropping it does too.
#[derive(Debug)]
pub struct HeldRequests {
    gate: Arc<HoldGate>,
}

impl HeldRequests {
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

impl Drop for HeldRequests {
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
        self.each_connection(user_id, |connected| connected.cuts.try_send(cut).is_ok())
    }

    /// Makes every gateway connection that a user has now deaf, and says how
    /// many there were: heartbeats are acknowledged, but no event is sent.
    /// Events are kept, so that a resume replays them.
    pub fn deafen_gateway(&self, user_id: &str) -> usize {
        self.each_connection(user_id, |connected| {
            connected.deaf = true;
            true
        })
    }

    /// Lets the deaf connections of a user hear again, beginning with what
    /// they missed, and says how many connections there were.
    pub fn undeafen_gateway(&self, user_id: &str) -> usize {
        self.each_connection(user_id, |connected| {
            connected.deaf = false;
            connected.wake.notify_one();
            true
        })
    }

    fn each_connection(&self, user_id: &str, act: impl Fn(&mut Connected) -> bool) -> usize {
        let mut state = self.emulator.state();
        let theirs = state
            .connections
            .values_mut()
            .filter(|connected| connected.person.is_some_and(|id| id.to_string() == user_id));
        theirs
            .filter_map(|connected| act(connected).then_some(()))
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

    /// Lets requests meet a fault.
    pub fn rest(&self, requests: Requests, fault: RestFault, span: FaultSpan) {
        self.plan(requests, RequestFault::Rest(fault), span);
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
        let fault = RestFault::Fail { status, body };
        self.rest(requests(method, path_part), fault, FaultSpan::Next(times));
    }

    /// Does what the next requests ask, but breaks the connection instead of
    /// answering.
    pub fn swallow_next(&self, method: Method, path_part: &str, times: u32) {
        let requests = requests(method, path_part);
        self.rest(requests, RestFault::ResetAfter, FaultSpan::Next(times));
    }

    /// Keeps requests waiting at the door, before anything is done, until
    /// the hold is released.
    #[must_use = "dropping the hold releases it"]
    pub fn hold(&self, method: Method, path_part: &str) -> HeldRequests {
        let gate = Arc::new(HoldGate {
            arrived: watch::Sender::new(0),
            open: Semaphore::new(0),
        });
        let fault = RequestFault::Hold(Arc::clone(&gate));
        self.plan(
            requests(method, path_part),
            fault,
            FaultSpan::Next(u32::MAX),
        );
        HeldRequests { gate }
    }

    /// Ends every fault: requests and RESUMEs are served, deaf connections
    /// hear again. Requests that are held stay held.
    pub fn clear(&self) {
        {
            let mut plans = self.plans();
            plans
                .rules
                .retain(|rule| matches!(rule.fault, RequestFault::Hold(_)));
            plans.refused_resumes = 0;
        }
        for connected in self.emulator.state().connections.values_mut() {
            connected.deaf = false;
            connected.wake.notify_one();
        }
    }

    fn plan(&self, requests: Requests, fault: RequestFault, span: FaultSpan) {
        let left = match span {
            FaultSpan::Next(times) => Left::Times(times),
            FaultSpan::For(duration) => Left::Until(Instant::now().checked_add(duration)),
        };
        let mut plans = self.plans();
        plans.rules.retain(|rule| !rule.is_over());
        if plans.rules.len() >= limits::FAULTS {
            plans.rules.pop_front();
        }
        plans.rules.push_back(FaultRule {
            requests,
            left,
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
    pub(crate) fn meet(
        &self,
        method: &Method,
        path: &str,
        caller: Option<Snowflake>,
    ) -> Option<RequestFault> {
        let mut plans = self.plans();
        plans.rules.retain(|rule| !rule.is_over());
        let rule = plans
            .rules
            .iter_mut()
            .find(|rule| rule.requests.include(method, path, caller))?;
        if let Left::Times(times) = &mut rule.left {
            *times = times.saturating_sub(1);
        }
        Some(rule.fault.clone())
    }
}

fn requests(method: Method, path_part: &str) -> Requests {
    Requests {
        method: Some(method),
        path_part: path_part.to_owned(),
        user_id: None,
    }
}

pub(crate) type SharedPlans = Mutex<Plans>;
