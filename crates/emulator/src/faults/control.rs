//! `POST /emulator/faults`: faults for clients in other processes.
//!
//! The body is one of
//!
//! ```json
//! { "cut_gateway": { "user_id": "…", "how": "abrupt" } }
//! { "cut_gateway": { "user_id": "…", "how": "reconnect" } }
//! { "cut_gateway": { "user_id": "…", "how": 4000 } }
//! { "deafen_gateway": { "user_id": "…" } }
//! { "undeafen_gateway": { "user_id": "…" } }
//! { "refuse_resumes": 1 }
//! { "drop_sessions": {} }
//! { "rest": { "fault": "reset_before", "times": 1 } }
//! { "clear": {} }
//! ```
//!
//! and the answer is `{ "cut": N }`, the number of connections that it met.
//!
//! `rest` names a fault, how long it lasts (`times` or `for_ms`), and which
//! requests meet it; without `method`, `path` (a part of it) and `user_id`
//! that is all of `/api`. The faults are
//!
//! ```json
//! "reset_before"
//! "reset_after"
//! { "fail": { "status": 503 } }
//! { "fail": { "status": 403, "body": { "code": 50001, "message": "Missing Access" } } }
//! { "limit": { "retry_after": 61.5, "global": false } }
//! ```

use std::time::Duration;

use axum::{
    Json,
    extract::State,
    http::{Method, StatusCode},
};
use serde::{Deserialize, Deserializer, de};
use serde_json::{Value, json};

use super::{Cut, FaultSpan, Requests, RestFault};
use crate::Emulator;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ask {
    CutGateway(CutGateway),
    DeafenGateway(UserReference),
    UndeafenGateway(UserReference),
    RefuseResumes(u32),
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
pub(crate) struct UserReference {
    user_id: String,
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
                global,
            } => Self::Limit {
                retry_after,
                global,
            },
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
            },
            fault: body.fault.into(),
            span,
        })
    }
}

fn method<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Method>, D::Error> {
    let name = String::deserialize(from)?;
    match name.as_str() {
        "GET" | "POST" | "PUT" | "PATCH" | "DELETE" => name.parse().map(Some),
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
        Ask::DeafenGateway(UserReference { user_id }) => faults.deafen_gateway(&user_id),
        Ask::UndeafenGateway(UserReference { user_id }) => faults.undeafen_gateway(&user_id),
        Ask::RefuseResumes(times) => {
            faults.refuse_resumes(times);
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
