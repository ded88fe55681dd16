//! Failures on request, for tests of clients. Clients in other processes ask
//! for them over HTTP ([`control`]).

pub(crate) mod control;
mod events;
mod list;

pub use list::FaultStatus;

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

use crate::{Emulator, limits, snowflake::Snowflake};

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
    /// A 429 of a resource that others use too, which Discord does not count
    /// among a client's invalid requests. Nothing is done.
    SharedLimit {
        /// How long the client is to wait.
        retry_after: Duration,
    },
    /// The connection breaks before anything is done.
    ResetBefore,
    /// What was asked is done, then the connection breaks instead of an answer.
    ResetAfter,
    /// Somebody does something else just before: the channel is deleted, or a
    /// permission lost, in mid-reply. Then the request is served.
    First(PrecedingRequest),
}

/// A REST request that the emulator makes by itself, without the limits.
#[derive(Clone, Debug, PartialEq)]
pub struct PrecedingRequest {
    /// In whose name.
    pub user_id: String,
    /// The method.
    pub method: Method,
    /// The path below `/api/v10`, such as `/channels/1`.
    pub path: String,
    /// The JSON body, or null.
    pub body: Value,
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
    /// Not the first so many of them.
    pub skip: u32,
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
    /// How many rules there ever were.
    made: u64,
    refused_resumes: u32,
    /// Whether refused sessions may be resumed after all, a moment later.
    resumable_later: bool,
}

#[derive(Debug)]
struct FaultRule {
    id: u64,
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
    fn is_over(&self, now: Instant) -> bool {
        if let RequestFault::Hold(gate) = &self.fault {
            return gate.open.is_closed();
        }
        match self.left {
            Left::Times(times) => times == 0,
            Left::Until(end) => end.is_some_and(|end| end <= now),
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

    /// Forgets every session that is open now: connections stay, but a RESUME
    /// of one is answered with INVALID_SESSION.
    pub fn drop_sessions(&self) {
        self.emulator.state().sessions.forbid_resumes();
    }

    /// Answers the next RESUMEs with INVALID_SESSION.
    pub fn refuse_resumes(&self, times: u32) {
        let mut plans = self.plans();
        (plans.refused_resumes, plans.resumable_later) = (times, false);
    }

    /// The same, but says that the session may be resumed a little later.
    pub fn postpone_resumes(&self, times: u32) {
        let mut plans = self.plans();
        (plans.refused_resumes, plans.resumable_later) = (times, true);
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

    /// Ends every fault: requests and RESUMEs are served, deaf and stalled
    /// connections go on, events come once, in order and at once. Requests that
    /// are held stay held.
    pub fn clear(&self) {
        {
            let mut plans = self.plans();
            plans
                .rules
                .retain(|rule| matches!(rule.fault, RequestFault::Hold(_)));
            plans.refused_resumes = 0;
        }
        let mut state = self.emulator.state();
        state.sessions.end_troubles();
        for connected in state.connections.values_mut() {
            (connected.deaf, connected.stalled) = (false, false);
            connected.wake.notify_one();
        }
    }

    fn plan(&self, requests: Requests, fault: RequestFault, span: FaultSpan) {
        let now = self.emulator.clock().moment();
        let left = match span {
            FaultSpan::Next(times) => Left::Times(times),
            FaultSpan::For(duration) => Left::Until(now.checked_add(duration)),
        };
        let mut plans = self.plans();
        plans.rules.retain(|rule| !rule.is_over(now));
        if plans.rules.len() >= limits::FAULTS {
            plans.rules.pop_front();
        }
        plans.made += 1;
        let id = plans.made;
        plans.rules.push_back(FaultRule {
            id,
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

    /// Whether a RESUME is refused, and if so, whether a later one may not be.
    pub(crate) fn refuses_resume(&self) -> Option<bool> {
        let mut plans = self.plans();
        let refuses = plans.refused_resumes > 0;
        plans.refused_resumes = plans.refused_resumes.saturating_sub(1);
        refuses.then_some(plans.resumable_later)
    }

    /// The fault that a request meets, used up by one.
    pub(crate) fn meet(
        &self,
        method: &Method,
        path: &str,
        caller: Option<Snowflake>,
    ) -> Option<RequestFault> {
        let now = self.emulator.clock().moment();
        let mut plans = self.plans();
        plans.rules.retain(|rule| !rule.is_over(now));
        let met = |rule: &&mut FaultRule| rule.requests.include(method, path, caller);
        let rule = plans.rules.iter_mut().filter(met).find_map(|rule| {
            let skipped = rule.requests.skip > 0;
            rule.requests.skip -= u32::from(skipped);
            (!skipped).then_some(rule)
        })?;
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
        ..Requests::default()
    }
}

pub(crate) type SharedPlans = Mutex<Plans>;
