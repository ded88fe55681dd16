//! The layer that notes requests, and the feed that shows them.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, Method, header},
    middleware::Next,
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use base64::{Engine, prelude::BASE64_STANDARD};
use futures_util::stream;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;

use super::{left_out, path_without_token, without_tokens};
use crate::{Emulator, limits, rest};

/// The beginning of a body that went by, and how long it was.
#[derive(Debug, Default)]
struct BodyCopy {
    bytes: Vec<u8>,
    length: usize,
}

impl BodyCopy {
    fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len();
        let room = limits::TRAFFIC_BODY.saturating_sub(self.bytes.len());
        self.bytes
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn shown(&self, headers: &HeaderMap) -> Value {
        if self.length > limits::TRAFFIC_BODY {
            return left_out(self.length);
        }
        if self.bytes.is_empty() {
            return Value::Null;
        }
        if let Ok(json) = serde_json::from_slice(&self.bytes) {
            return without_tokens(json);
        }
        let content_type = headers.get(header::CONTENT_TYPE);
        json!({
            "content_type": content_type.and_then(|value| value.to_str().ok()),
            "base64": BASE64_STANDARD.encode(&self.bytes),
        })
    }
}

/// Notes a request and its answer, when somebody looks and it is REST's or
/// changes the emulator.
pub(crate) async fn observe(
    State(emulator): State<Emulator>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let rest = path.starts_with("/api/");
    let control = path.starts_with("/emulator/") && request.method() != Method::GET;
    if !emulator.traffic().on() || !(rest || control) {
        return next.run(request).await;
    }
    let method = request.method().to_string();
    let path = request
        .uri()
        .path_and_query()
        .map_or(path, |it| it.as_str());
    let path = path_without_token(path);
    let user = rest::user_of(&emulator, request.headers());
    let headers = request.headers().clone();
    let begun = emulator.clock().moment();
    let asked = Arc::new(Mutex::new(BodyCopy::default()));
    let copy = Arc::clone(&asked);
    let request = request.map(|body| {
        Body::new(body.map_frame(move |frame| {
            if let Some(bytes) = frame.data_ref() {
                copy.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .add(bytes);
            }
            frame
        }))
    });
    let response = next.run(request).await;
    let (parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let mut answered = BodyCopy::default();
    answered.add(&bytes);
    let took = emulator.clock().moment().saturating_duration_since(begun);
    let asked = asked
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .shown(&headers);
    emulator.note(json!({
        "kind": if rest { "rest" } else { "control" },
        "method": method,
        "path": path,
        "user_id": user,
        "body": asked,
        "status": parts.status.as_u16(),
        "answer": answered.shown(&parts.headers),
        "since_start_ms": emulator.elapsed_ms(),
        "took_ms": took.as_secs_f64() * 1000.0,
    }));
    Response::from_parts(parts, Body::from(bytes))
}

/// `GET /emulator/traffic`: server-sent events, what was kept first. A reader
/// who lags is told how many entries it missed.
pub(crate) async fn feed(State(emulator): State<Emulator>) -> Response {
    emulator.keep_traffic();
    let (history, live) = emulator.traffic().subscribe();
    let stop = emulator.stop().clone();
    let events = stream::unfold(
        (history.into_iter(), live, stop),
        |(mut history, mut live, stop)| async move {
            let line = match history.next() {
                Some(line) => line,
                None => match stop.run_until_cancelled(live.recv()).await? {
                    Ok(line) => line,
                    Err(RecvError::Lagged(missed)) => {
                        json!({ "kind": "missed", "entries": missed })
                            .to_string()
                            .into()
                    }
                    Err(RecvError::Closed) => return None,
                },
            };
            let event = Ok::<_, Infallible>(Event::default().data(&*line));
            Some((event, (history, live, stop)))
        },
    );
    Sse::new(events)
        .keep_alive(KeepAlive::default())
        .into_response()
}
