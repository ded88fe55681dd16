//! A REST server that plays back what the test wrote, and remembers what it got.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use kaiwa_discord::{Access, Rest};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio_util::task::TaskTracker;

use super::clock::ManualClock;

pub const TOKEN: &str = "canary-token-Zm9v.YmFy.YmF6";

/// An answer of the server.
pub enum Reply {
    /// A status, headers and a body.
    Now(u16, Vec<(&'static str, &'static str)>, String),
    /// None, for ever.
    Never,
}

impl Reply {
    pub fn json(status: u16, body: &Value) -> Self {
        Self::Now(status, Vec::new(), body.to_string())
    }
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: Method,
    pub path: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Request {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

#[derive(Clone, Default)]
pub struct Fake(Arc<Mutex<Script>>);

#[derive(Default)]
struct Script {
    replies: VecDeque<Reply>,
    requests: Vec<Request>,
}

impl Fake {
    /// A server with these replies, and a client that talks to it.
    pub async fn start(replies: impl IntoIterator<Item = Reply>) -> (Self, Rest, Arc<ManualClock>) {
        let fake = Self::default();
        fake.0.lock().unwrap().replies.extend(replies);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let app = Router::new().fallback(answer).with_state(fake.clone());
        TaskTracker::new().spawn(async move { axum::serve(listener, app).await });
        let clock = Arc::new(ManualClock::new());
        let mut access = Access::discord(TOKEN.into());
        access.api_url = format!("http://127.0.0.1:{port}/api/v10").parse().unwrap();
        let rest = Rest::new(&access, clock.clone()).unwrap();
        (fake, rest, clock)
    }

    pub fn requests(&self) -> Vec<Request> {
        self.0.lock().unwrap().requests.clone()
    }
}

async fn answer(
    State(fake): State<Fake>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let reply = {
        let mut script = fake.0.lock().unwrap();
        script.requests.push(Request {
            method,
            path: uri.to_string(),
            headers,
            body: body.to_vec(),
        });
        script.replies.pop_front()
    };
    match reply {
        Some(Reply::Now(status, headers, body)) => {
            let mut response = (StatusCode::from_u16(status).unwrap(), body).into_response();
            for (name, value) in headers {
                response.headers_mut().insert(name, value.parse().unwrap());
            }
            response
        }
        Some(Reply::Never) => std::future::pending().await,
        None => (StatusCode::IM_A_TEAPOT, "the script is over").into_response(),
    }
}
