//! `GET /inspect/turns/{turn}` and `GET /inspect/channels/{channel}`: what a
//! model was told for a turn, and why the last messages of a channel were
//! answered or not.
//!
//! It shows what people wrote, so it is served to this machine alone: whoever
//! mounts it listens on a loopback address.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use axum::{
    Json, Router,
    body::Body,
    extract::{Path, State},
    http::{Request, StatusCode, header::CACHE_CONTROL, header::HOST},
    response::{IntoResponse, Response},
    routing::get,
};
use http_body_util::{BodyExt, Limited};
use hyper::client::conn::http1::handshake;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;

/// The longest answer that is read.
const MOST_BYTES: usize = 8 << 20;

/// A boxed future with a value of JSON.
pub type Inspection<'a> = Pin<Box<dyn Future<Output = Option<Value>> + Send + 'a>>;

/// Who knows what was told and decided.
pub trait Inspector: Send + Sync {
    /// What a model was told for a turn, if that is known.
    fn turn<'a>(&'a self, turn: &'a str) -> Inspection<'a>;

    /// What was decided in a channel, newest first, if that is a channel.
    fn channel<'a>(&'a self, channel: &'a str) -> Inspection<'a>;
}

/// The two routes.
pub fn inspection(inspector: Arc<dyn Inspector>) -> Router {
    Router::new()
        .route("/inspect/turns/{turn}", get(turn))
        .route("/inspect/channels/{channel}", get(channel))
        .with_state(inspector)
}

async fn turn(State(inspector): State<Arc<dyn Inspector>>, Path(name): Path<String>) -> Response {
    answer(inspector.turn(&name).await)
}

async fn channel(
    State(inspector): State<Arc<dyn Inspector>>,
    Path(name): Path<String>,
) -> Response {
    answer(inspector.channel(&name).await)
}

fn answer(found: Option<Value>) -> Response {
    let (status, body) = match found {
        Some(body) => (StatusCode::OK, body),
        None => (
            StatusCode::NOT_FOUND,
            json!({"message": "nothing is known of that"}),
        ),
    };
    (status, [(CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

/// Why a running process was not asked.
#[derive(Debug, thiserror::Error)]
pub enum InspectError {
    /// Nobody listens there, or somebody else.
    #[error("nobody answers at http://{address}: is web.listen the one of the running bot?")]
    Unreachable {
        /// Where it was looked for.
        address: SocketAddr,
    },
    /// It knows nothing of that, or does not serve this.
    #[error("the running bot at http://{address} knows nothing of that")]
    Unknown {
        /// Where it listens.
        address: SocketAddr,
    },
}

/// Asks the process that listens at `address` for one of the routes.
pub async fn inspect_at(address: SocketAddr, path: &str) -> Result<Value, InspectError> {
    let asked = async {
        let stream = TcpStream::connect(address).await.ok()?;
        let (mut sender, connection) = handshake(TokioIo::new(stream)).await.ok()?;
        let request = Request::get(path)
            .header(HOST, address.to_string())
            .body(Body::empty())
            .ok()?;
        let asking = async {
            let response = sender.send_request(request).await.ok()?;
            let status = response.status();
            let body = Limited::new(response.into_body(), MOST_BYTES);
            let bytes = body.collect().await.ok()?.to_bytes();
            Some((status, bytes))
        };
        let (answer, _) = tokio::join!(asking, connection);
        answer
    };
    let (status, bytes) = asked.await.ok_or(InspectError::Unreachable { address })?;
    let known = status.is_success().then(|| serde_json::from_slice(&bytes));
    match known {
        Some(Ok(value)) => Ok(value),
        _ => Err(InspectError::Unknown { address }),
    }
}
