//! Requests that the emulator makes by itself, without the wire and the limits.

use serde_json::{Map, Value};

use super::{ApiError, ApiResponse, ParsedBody, QueryValues, RequestContext, Route, act, create};
use crate::{Emulator, faults::PrecedingRequest, snowflake::Snowflake};

/// Does what a fault wants done before a request.
pub(super) fn precede(emulator: &Emulator, first: &PrecedingRequest) {
    let path = format!("/api/v10{}", first.path);
    let (path, query) = path.split_once('?').unwrap_or((&path, ""));
    let done = first
        .user_id
        .parse()
        .map_err(|()| ApiError::UnknownUser)
        .and_then(|me| {
            let route = Route::find(&first.method, path)?;
            let mut state = emulator.state();
            let mut call = RequestContext {
                emulator,
                reason: None,
                github_event: None,
                state: &mut state,
                cdn_url: emulator.cdn_url(),
                gateway_url: emulator.gateway_url(),
                me,
                query: QueryValues::of(&format!("/?{query}").parse().unwrap_or_default()),
                body: ParsedBody {
                    json: first.body.as_object().cloned().unwrap_or_default(),
                    ..ParsedBody::default()
                },
            };
            act(&mut call, route)
        });
    if let Err(error) = done {
        tracing::warn!(path, code = error.code(), "a fault could not be prepared");
    }
}

/// Create Message without the wire and the limits.
pub(crate) fn post(
    emulator: &Emulator,
    author: Snowflake,
    channel: Snowflake,
    body: Map<String, Value>,
) -> Result<Value, ApiError> {
    let mut state = emulator.state();
    let mut call = RequestContext {
        emulator,
        reason: None,
        github_event: None,
        state: &mut state,
        cdn_url: emulator.cdn_url(),
        gateway_url: emulator.gateway_url(),
        me: author,
        query: QueryValues::default(),
        body: ParsedBody {
            json: body,
            ..ParsedBody::default()
        },
    };
    match create::create(&mut call, channel)? {
        ApiResponse::Json(message) => Ok(message),
        ApiResponse::Created(_)
        | ApiResponse::NoContent
        | ApiResponse::Text(_)
        | ApiResponse::Png(_) => Err(ApiError::Internal),
    }
}
