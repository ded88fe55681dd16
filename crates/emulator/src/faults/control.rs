//! `/emulator/faults`: faults for clients in other processes. `GET` lists them
//! as `{ "faults": [{ "id", "fault" }] }`, `DELETE` ends them all, and `DELETE
//! /emulator/faults/{id}` one of them.
//!
//! The body of `POST` is one of
//!
//! ```json
//! { "cut_gateway": { "user_id": "…", "how": "abrupt" } }
//! { "cut_gateway": { "user_id": "…", "how": "reconnect" } }
//! { "cut_gateway": { "user_id": "…", "how": 4000 } }
//! { "deafen_gateway": { "user_id": "…" } }
//! { "deafen_gateway": { "user_id": "…", "shard": 1 } }
//! { "undeafen_gateway": { "user_id": "…" } }
//! { "stall_gateway": { "user_id": "…" } }
//! { "unstall_gateway": { "user_id": "…" } }
//! { "duplicate_events": { "user_id": "…", "times": 3 } }
//! { "reorder_events": { "user_id": "…", "times": 1 } }
//! { "delay_events": { "user_id": "…", "ms": 500 } }
//! { "use_session_starts": { "user_id": "…", "times": 950 } }
//! { "refuse_resumes": 1 }
//! { "postpone_resumes": 1 }
//! { "expire_interactions": {} }
//! { "drop_sessions": {} }
//! { "rest": { "fault": "reset_before", "times": 1 } }
//! { "clear": {} }
//! ```
//!
//! and the answer is `{ "cut": N }`, the number of connections, or of sessions,
//! that it met.
//!
//! `rest` names a fault, how long it lasts (`times` or `for_ms`), and which
//! requests meet it; without `method`, `path` (a part of it) and `user_id`
//! that is all of `/api`; `skip` spares the first so many. The faults are
//!
//! ```json
//! "reset_before"
//! "reset_after"
//! { "fail": { "status": 503 } }
//! { "fail": { "status": 403, "body": { "code": 50001, "message": "Missing Access" } } }
//! { "limit": { "retry_after": 61.5, "global": false } }
//! { "first": { "user_id": "…", "method": "DELETE", "path": "/channels/1" } }
//! ```

use std::time::Duration;

use axum::{
    Json,
    extract::{Path, State},
    http::{Method, StatusCode},
};
use serde::{Deserialize, Deserializer, de};
use serde_json::{Value, json};

use super::{Cut, FaultSpan, PrecedingRequest, Requests, RestFault};
use crate::Emulator;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ask {
    CutGateway(CutGateway),
    DeafenGateway(DeafenGateway),
    UndeafenGateway(UserReference),
    StallGateway(UserReference),
    UnstallGateway(UserReference),
    DuplicateEvents(EventCount),
    ReorderEvents(EventCount),
    DelayEvents(EventDelay),
    UseSessionStarts(EventCount),
    RefuseResumes(u32),
    PostponeResumes(u32),
    ExpireInteractions(Nothing),
    DropSessions(Nothing),
    Rest(RestFaultRequest),
    Clear(Nothing),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CutGateway {
    user_id: String,
    how: How,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeafenGateway {
    user_id: String,
    shard: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UserReference {
    user_id: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventCount {
    user_id: String,
    times: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventDelay {
    user_id: String,
    ms: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

#[derive(Deserialize)]
#[serde(try_from = "Value")]
struct How(Cut);

impl TryFrom<Value> for How {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        let code = value.as_u64().and_then(|code| u16::try_from(code).ok());
        match (value.as_str(), code) {
            (Some("abrupt"), _) => Ok(Self(Cut::Abrupt)),
            (Some("reconnect"), _) => Ok(Self(Cut::Reconnect)),
            (_, Some(code @ (1000 | 1001 | 4000..=4999))) => Ok(Self(Cut::Close(code))),
            _ => Err("how is \"abrupt\", \"reconnect\" or a close code: 1000, 1001, 4000 to 4999"),
        }
    }
}

/// A [`RestFault`] with the requests that meet it.
#[derive(Deserialize)]
#[serde(try_from = "RestBody")]
pub(crate) struct RestFaultRequest {
    requests: Requests,
    fault: RestFault,
    span: FaultSpan,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RestBody {
    #[serde(default, deserialize_with = "method")]
    method: Option<Method>,
    #[serde(default)]
    path: String,
    user_id: Option<String>,
    #[serde(default)]
    skip: u32,
    fault: FaultBody,
    times: Option<u32>,
    for_ms: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum FaultBody {
    ResetBefore,
    ResetAfter,
    Fail {
        #[serde(deserialize_with = "status")]
        status: StatusCode,
        body: Option<Value>,
    },
    Limit {
        #[serde(deserialize_with = "seconds")]
        retry_after: Duration,
        #[serde(default)]
        global: bool,
        #[serde(default)]
        shared: bool,
    },
    First {
        user_id: String,
        #[serde(deserialize_with = "known_method")]
        method: Method,
        path: String,
        #[serde(default)]
        body: Value,
    },
}

impl From<FaultBody> for RestFault {
    fn from(fault: FaultBody) -> Self {
        match fault {
            FaultBody::ResetBefore => Self::ResetBefore,
            FaultBody::ResetAfter => Self::ResetAfter,
            FaultBody::Fail { status, body } => Self::Fail {
                status,
                body: body.unwrap_or_else(|| json!({ "message": status.to_string(), "code": 0 })),
            },
            FaultBody::Limit {
                retry_after,
                shared: true,
                ..
            } => Self::SharedLimit { retry_after },
            FaultBody::Limit {
                retry_after,
                global,
                ..
            } => Self::Limit {
                retry_after,
                global,
            },
            FaultBody::First {
                user_id,
                method,
                path,
                body,
            } => Self::First(PrecedingRequest {
                user_id,
                method,
                path,
                body,
            }),
        }
    }
}

impl TryFrom<RestBody> for RestFaultRequest {
    type Error = &'static str;

    fn try_from(body: RestBody) -> Result<Self, Self::Error> {
        let span = match (body.times, body.for_ms) {
            (Some(times), None) => FaultSpan::Next(times),
            (None, Some(ms)) => FaultSpan::For(Duration::from_millis(u64::from(ms))),
            _ => return Err("either `times` or `for_ms` says how long the fault lasts"),
        };
        Ok(Self {
            requests: Requests {
                method: body.method,
                path_part: body.path,
                user_id: body.user_id,
                skip: body.skip,
            },
            fault: body.fault.into(),
            span,
        })
    }
}

fn method<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Method>, D::Error> {
    known_method(from).map(Some)
}

fn known_method<'de, D: Deserializer<'de>>(from: D) -> Result<Method, D::Error> {
    let name = String::deserialize(from)?;
    match name.as_str() {
        "GET" | "POST" | "PUT" | "PATCH" | "DELETE" => name.parse(),
        _ => return Err(de::Error::custom("GET, POST, PUT, PATCH or DELETE")),
    }
    .map_err(de::Error::custom)
}

fn status<'de, D: Deserializer<'de>>(from: D) -> Result<StatusCode, D::Error> {
    match StatusCode::from_u16(u16::deserialize(from)?) {
        Ok(status) if status.is_client_error() || status.is_server_error() => Ok(status),
        _ => Err(de::Error::custom("a status from 400 to 599")),
    }
}

fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    Duration::try_from_secs_f64(f64::deserialize(from)?).map_err(de::Error::custom)
}

pub(crate) async fn ask(State(emulator): State<Emulator>, Json(ask): Json<Ask>) -> Json<Value> {
    let faults = emulator.faults();
    let cut = match ask {
        Ask::CutGateway(CutGateway { user_id, how }) => faults.cut_gateway(&user_id, how.0),
        Ask::DeafenGateway(DeafenGateway { user_id, shard }) => match shard {
            Some(shard) => faults.deafen_shard(&user_id, shard),
            None => faults.deafen_gateway(&user_id),
        },
        Ask::UndeafenGateway(UserReference { user_id }) => faults.undeafen_gateway(&user_id),
        Ask::StallGateway(UserReference { user_id }) => faults.stall_gateway(&user_id),
        Ask::UnstallGateway(UserReference { user_id }) => faults.unstall_gateway(&user_id),
        Ask::DuplicateEvents(EventCount { user_id, times }) => {
            faults.duplicate_events(&user_id, times)
        }
        Ask::ReorderEvents(EventCount { user_id, times }) => faults.reorder_events(&user_id, times),
        Ask::DelayEvents(EventDelay { user_id, ms }) => {
            faults.delay_events(&user_id, Duration::from_millis(u64::from(ms)))
        }
        Ask::UseSessionStarts(EventCount { user_id, times }) => {
            faults.use_session_starts(&user_id, times);
            0
        }
        Ask::RefuseResumes(times) => {
            faults.refuse_resumes(times);
            0
        }
        Ask::PostponeResumes(times) => {
            faults.postpone_resumes(times);
            0
        }
        Ask::ExpireInteractions(Nothing {}) => {
            faults.expire_interactions();
            0
        }
        Ask::DropSessions(Nothing {}) => {
            faults.drop_sessions();
            0
        }
        Ask::Rest(RestFaultRequest {
            requests,
            fault,
            span,
        }) => {
            faults.rest(requests, fault, span);
            0
        }
        Ask::Clear(Nothing {}) => {
            faults.clear();
            0
        }
    };
    Json(json!({ "cut": cut }))
}

/// `GET /emulator/faults`
pub(crate) async fn list(State(emulator): State<Emulator>) -> Json<Value> {
    Json(json!({ "faults": emulator.faults().list() }))
}

/// `DELETE /emulator/faults`
pub(crate) async fn clear(State(emulator): State<Emulator>) -> StatusCode {
    emulator.faults().clear();
    StatusCode::NO_CONTENT
}

/// `DELETE /emulator/faults/{id}`
pub(crate) async fn end(State(emulator): State<Emulator>, Path(id): Path<String>) -> StatusCode {
    match emulator.faults().end(&id) {
        true => StatusCode::NO_CONTENT,
        false => StatusCode::NOT_FOUND,
    }
}
