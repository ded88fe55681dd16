//! A server that says exactly what the test tells it to, when it is told to.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use kaiwa_domain::port::{Answer, ChatModel};
use kaiwa_domain::{Brief, Delta, Line, ModelError};
use kaiwa_provider::{Endpoint, Format, Model, Vendor};
use secrecy::SecretString;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use url::Url;

use crate::hand_clock::HandClock;

pub(crate) const FIRST_TOKEN: Duration = Duration::from_secs(30);
pub(crate) const IDLE: Duration = Duration::from_secs(10);
pub(crate) const KEY: &str = "sk-test-0123456789";

/// The body of a reply, released piece by piece. Dropping it ends the body.
pub(crate) struct ReplyBody(mpsc::Sender<io::Result<Bytes>>);

impl ReplyBody {
    pub(crate) async fn say(&self, piece: impl Into<Bytes>) {
        self.0.send(Ok(piece.into())).await.unwrap();
    }

    /// Breaks the connection.
    pub(crate) async fn break_off(self) {
        let broken = io::Error::other("scripted");
        self.0.send(Err(broken)).await.unwrap();
    }

    /// Completes when the client has left.
    pub(crate) async fn client_left(&self) {
        self.0.closed().await;
    }
}

/// Replies to requests, and keeps them for the test to look at.
pub(crate) struct TestServer {
    pub(crate) base: Url,
    pub(crate) clock: Arc<HandClock>,
    asked: mpsc::Receiver<(Request<()>, Bytes)>,
    waiting: watch::Receiver<usize>,
    _server: JoinSet<()>,
}

impl TestServer {
    /// A server that gives these replies, one to each request, and keeps
    /// clients waiting for the status line after them.
    pub(crate) async fn new(replies: impl IntoIterator<Item = Response>) -> Self {
        let (tell, asked) = mpsc::channel(8);
        let (count, waiting) = watch::channel(0);
        let told = Told {
            tell,
            replies: Arc::new(Mutex::new(replies.into_iter().collect())),
            waiting: Waiting(count),
        };
        let router = Router::new().fallback(perform).with_state(told);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/v1/", listener.local_addr().unwrap());
        let mut server = JoinSet::new();
        server.spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            base: base.parse().unwrap(),
            clock: Arc::new(HandClock::new()),
            asked,
            waiting,
            _server: server,
        }
    }

    /// A server with a stream of events that the test releases.
    pub(crate) async fn streaming() -> (Self, ReplyBody) {
        let (script, pieces) = mpsc::channel(1);
        let pieces = stream::unfold(pieces, |mut pieces| async {
            Some((pieces.recv().await?, pieces))
        });
        let reply = Response::builder()
            .header("content-type", "text/event-stream; charset=utf-8")
            .body(Body::from_stream(pieces))
            .unwrap();
        (Self::new(Some(reply)).await, ReplyBody(script))
    }

    pub(crate) fn endpoint(&self) -> Endpoint {
        Endpoint {
            key: Some(SecretString::from(KEY)),
            first_token_timeout: FIRST_TOKEN,
            idle_timeout: IDLE,
            ..Endpoint::at(Vendor::at(&self.base), self.base.clone(), "tea".to_owned())
        }
    }

    /// As a vendor's model in its format.
    pub(crate) fn endpoint_of(&self, format: Format) -> Endpoint {
        let mut vendors = kaiwa_provider::VENDORS.iter();
        let vendor = vendors.find(|vendor| vendor.format == format).unwrap();
        Endpoint {
            format,
            auth: vendor.auth,
            quirks: vendor.quirks,
            ..self.endpoint()
        }
    }

    pub(crate) fn ask(&self) -> Answer {
        ask(self.endpoint(), &self.clock)
    }

    /// The request that arrived.
    pub(crate) async fn request(&mut self) -> (Request<()>, Bytes) {
        self.asked.recv().await.unwrap()
    }

    /// The body of the request that arrived.
    pub(crate) async fn body(&mut self) -> Value {
        serde_json::from_slice(&self.request().await.1).unwrap()
    }

    /// Whether no further request has arrived.
    pub(crate) fn no_request(&mut self) -> bool {
        self.asked.try_recv().is_err()
    }

    /// Completes when no client waits for a status line any more.
    pub(crate) async fn client_left(&mut self) {
        self.waiting.wait_for(|count| *count == 0).await.unwrap();
    }
}

#[derive(Clone)]
struct Told {
    tell: mpsc::Sender<(Request<()>, Bytes)>,
    replies: Arc<Mutex<VecDeque<Response>>>,
    waiting: Waiting,
}

#[derive(Clone)]
struct Waiting(watch::Sender<usize>);

/// One client that waits; gone with the request.
struct Waiter(watch::Sender<usize>);

impl Waiting {
    fn enter(&self) -> Waiter {
        self.0.send_modify(|count| *count += 1);
        Waiter(self.0.clone())
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

async fn perform(State(told): State<Told>, request: Request) -> Response {
    let _waiter = told.waiting.enter();
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let request = (Request::from_parts(head, ()), body);
    told.tell.send(request).await.unwrap();
    let reply = told.replies.lock().unwrap().pop_front();
    match reply {
        Some(reply) => reply,
        None => std::future::pending().await,
    }
}

pub(crate) fn ask(endpoint: Endpoint, clock: &Arc<HandClock>) -> Answer {
    let mut brief = brief();
    brief.manner.max_output_tokens = Some(64);
    ask_with(endpoint, clock, brief)
}

pub(crate) fn ask_with(endpoint: Endpoint, clock: &Arc<HandClock>, brief: Brief) -> Answer {
    Model::new(endpoint, clock.clone()).unwrap().answer(brief)
}

pub(crate) fn brief() -> Brief {
    Brief {
        system: "You pour tea.".to_owned(),
        lines: vec![
            Line::user("Ada: hi".to_owned()),
            Line::assistant("Hello".to_owned()),
            Line::user("Ada: tea?".to_owned()),
        ],
        ..Brief::default()
    }
}

/// A reply with a status, a content type and a whole body.
pub(crate) fn reply(status: u16, content_type: &str, body: impl Into<Body>) -> Response {
    Response::builder()
        .status(status)
        .header("content-type", content_type)
        .body(body.into())
        .unwrap()
}

pub(crate) async fn collect(answer: Answer) -> Vec<Result<Delta, ModelError>> {
    answer.collect().await
}

/// One delta or error per line, for tables; tool calls only when whole.
pub(crate) fn show(answer: &[Result<Delta, ModelError>]) -> String {
    let line = |item: &Result<Delta, ModelError>| match item {
        Ok(Delta::Text(text)) => format!("text {text}"),
        Ok(Delta::Thought(thought)) => format!("thought {}", thought.text),
        Ok(Delta::Signature(opaque)) => format!("signature {opaque}"),
        Ok(Delta::Heartbeat) => "heartbeat".to_owned(),
        Ok(Delta::Refusal(text)) => format!("refusal {text}"),
        Ok(Delta::ToolCall(call)) => format!("tool {} {} {}", call.id, call.name, call.arguments),
        Ok(Delta::Usage(usage)) => format!("usage {} {}", usage.input, usage.output),
        Ok(Delta::Finish { finish, .. }) => format!("finish {finish:?}"),
        Ok(Delta::Anew) => "anew".to_owned(),
        Ok(Delta::Spent(_) | Delta::ToolPiece(_)) => String::new(),
        Err(error) => format!("error {error:?}"),
    };
    let lines = answer.iter().map(line).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}
