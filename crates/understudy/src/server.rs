//! The HTTP server.

use std::convert::Infallible;
use std::future;
use std::io;
use std::time::Duration;

use axum::body::Body;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::StreamPace;
use crate::script::ReplyKind;
use crate::wire::{self, ChatRequest, MODEL, ScriptedReply};

/// The longest request that is read.
const MAX_REQUEST_BYTES: usize = 4 << 20;

/// How long connections may take to close once the curtain has fallen.
const CLOSING_TIME: Duration = Duration::from_secs(2);

/// The scripted model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Understudy {
    /// How fast it speaks.
    pub pace: StreamPace,
}

impl Understudy {
    /// `POST /v1/chat/completions`, streamed or not, and `GET /v1/models`.
    pub fn router(self) -> Router {
        router(self.pace, CancellationToken::new())
    }
}

/// Serves the understudy until `shutdown`, which ends replies in mid-word.
///
/// # Errors
/// If the listener fails.
pub fn serve(
    listener: TcpListener,
    pace: StreamPace,
    shutdown: CancellationToken,
) -> BoxFuture<'static, io::Result<()>> {
    // Boxed, so that it is compiled here and not with the binary, which comes
    // last and alone.
    Box::pin(serve_until(listener, pace, shutdown))
}

async fn serve_until(
    listener: TcpListener,
    pace: StreamPace,
    shutdown: CancellationToken,
) -> io::Result<()> {
    let serving = axum::serve(listener, router(pace, shutdown.clone()))
        .with_graceful_shutdown(shutdown.clone().cancelled_owned());
    let closed = async {
        shutdown.cancelled().await;
        tokio::time::sleep(CLOSING_TIME).await;
    };
    tokio::select! {
        served = serving => served,
        () = closed => Ok(()),
    }
}

fn router(pace: StreamPace, shutdown: CancellationToken) -> Router {
    Router::new()
        .route("/v1/chat/completions", post(chat))
        .route("/v1/models", get(models))
        .fallback(async || refuse(StatusCode::NOT_FOUND, "there is nothing at this address"))
        .method_not_allowed_fallback(async || {
            refuse(
                StatusCode::METHOD_NOT_ALLOWED,
                "this address takes another method",
            )
        })
        .layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES))
        .with_state(ServerState { pace, shutdown })
}

#[derive(Clone)]
struct ServerState {
    pace: StreamPace,
    shutdown: CancellationToken,
}

async fn models() -> Json<Value> {
    let model = json!({"id": MODEL, "object": "model", "created": 0, "owned_by": "kaiwa"});
    Json(json!({"object": "list", "data": [model]}))
}

async fn chat(State(server): State<ServerState>, body: Result<Bytes, BytesRejection>) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(rejection) => return refuse(rejection.status(), &rejection.body_text()),
    };
    let request = match ChatRequest::read(&body) {
        Ok(request) => request,
        Err(reason) => return refuse(StatusCode::BAD_REQUEST, &reason),
    };
    let reply_kind = request.reply_kind();
    if let ReplyKind::Fail(words) = reply_kind {
        let body = wire::error("server_error", words);
        return (StatusCode::SERVICE_UNAVAILABLE, Json(body)).into_response();
    }
    match (ScriptedReply::new(&request, reply_kind), request.stream) {
        (Some(reply), true) => server.stream(reply.chunks()),
        (Some(reply), false) => Json(reply.whole()).into_response(),
        (None, true) => server.events(stream::pending()),
        (None, false) => {
            server.shutdown.cancelled().await;
            refuse(StatusCode::SERVICE_UNAVAILABLE, "the understudy leaves")
        }
    }
}

impl ServerState {
    /// Speaks at the given pace; the last `[DONE]` comes without a pause.
    fn stream(self, chunks: Vec<Value>) -> Response {
        let pace = self.pace;
        let spoken = stream::iter(chunks).then(move |chunk| async move {
            pace.pause().await;
            format!("data: {chunk}\n\n")
        });
        let done = stream::once(future::ready("data: [DONE]\n\n".to_owned()));
        self.events(spoken.chain(done))
    }

    fn events(self, events: impl stream::Stream<Item = String> + Send + 'static) -> Response {
        let events = events
            .map(Ok::<_, Infallible>)
            .take_until(self.shutdown.cancelled_owned());
        let headers = [
            (header::CONTENT_TYPE, "text/event-stream"),
            (header::CACHE_CONTROL, "no-cache"),
        ];
        (headers, Body::from_stream(events)).into_response()
    }
}

fn refuse(status: StatusCode, reason: &str) -> Response {
    (status, Json(wire::error("invalid_request_error", reason))).into_response()
}
