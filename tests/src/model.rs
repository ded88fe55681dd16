//! A model that says what the test says, when the test says it.

use std::convert::Infallible;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use futures_util::stream;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

use crate::soon;

/// A server with the OpenAI wire format behind which the test sits.
pub struct GatedModel {
    base_url: String,
    calls: mpsc::Receiver<Call>,
}

/// One request that the bot made, and the line on which to answer it.
pub struct Call {
    request: Value,
    begin: Option<oneshot::Sender<Begin>>,
    line: Option<mpsc::Sender<String>>,
}

enum Begin {
    Stream(mpsc::Receiver<String>),
    Refuse(StatusCode),
}

impl GatedModel {
    /// Starts the server on a free port.
    pub async fn start() -> Self {
        let (sender, calls) = mpsc::channel(16);
        let router = axum::Router::new()
            .route("/v1/chat/completions", post(take))
            .with_state(sender);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        kaiwa_runtime::Tasks::new().spawn("gated model", async move {
            let _ = axum::serve(listener, router).await;
        });
        Self {
            base_url: format!("http://{address}/v1"),
            calls,
        }
    }

    /// Where the server is.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Waits for the bot to ask; the last line of what it tells the model must
    /// be `question`.
    pub async fn is_asked(&mut self, question: &str) -> Call {
        let what = format!("the model to be asked {question:?}");
        let call = soon(&what, self.calls.recv())
            .await
            .expect("a running server");
        assert_eq!(call.told().last().map(String::as_str), Some(question));
        call
    }
}

async fn take(State(calls): State<mpsc::Sender<Call>>, Json(request): Json<Value>) -> Response {
    let (begin, begun) = oneshot::channel();
    let call = Call {
        request,
        begin: Some(begin),
        line: None,
    };
    if calls.send(call).await.is_err() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    match begun.await {
        Ok(Begin::Stream(line)) => {
            let chunks = stream::unfold(line, |mut line| async move {
                let chunk = line.recv().await?;
                Some((Ok::<_, Infallible>(Bytes::from(chunk)), line))
            });
            let kind = (header::CONTENT_TYPE, "text/event-stream");
            ([kind], Body::from_stream(chunks)).into_response()
        }
        Ok(Begin::Refuse(status)) => {
            let body = json!({"error": {"message": "the test says no", "type": "test"}});
            (status, Json(body)).into_response()
        }
        // Dropped without a word: hold the connection, say nothing.
        Err(_) => std::future::pending().await,
    }
}

impl Call {
    /// What the bot told the model, one line for each message after the system
    /// prompt.
    pub fn told(&self) -> Vec<String> {
        let messages = self.request["messages"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        messages
            .iter()
            .filter(|message| message["role"] != "system")
            .map(|message| message["content"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// The system prompt.
    pub fn system(&self) -> &str {
        self.request["messages"][0]["content"]
            .as_str()
            .unwrap_or_default()
    }

    /// Releases one delta of text.
    pub async fn says(&mut self, text: &str) -> &mut Self {
        let delta = json!({"choices": [{"index": 0, "delta": {"content": text}}]});
        self.send(format!("data: {delta}\n\n")).await;
        self
    }

    /// Ends the answer well.
    pub async fn ends(mut self) {
        let last = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
        self.send(format!("data: {last}\n\ndata: [DONE]\n\n")).await;
    }

    /// Answers with an HTTP error.
    pub fn fails(mut self, status: u16) {
        let status = StatusCode::from_u16(status).expect("a status");
        if let Some(begin) = self.begin.take() {
            let _ = begin.send(Begin::Refuse(status));
        }
    }

    /// Takes the question and never answers.
    pub fn stays_silent(self) {}

    /// Hangs up in the middle.
    pub fn hangs_up(self) {}

    /// Waits until the bot has closed the connection.
    pub async fn is_cancelled(mut self) {
        let line = self.line().clone();
        soon("the bot to cancel the request", line.closed()).await;
    }

    async fn send(&mut self, chunk: String) {
        let _ = self.line().send(chunk).await;
    }

    fn line(&mut self) -> &mpsc::Sender<String> {
        if let Some(begin) = self.begin.take() {
            let (line, chunks) = mpsc::channel(16);
            let _ = begin.send(Begin::Stream(chunks));
            self.line = Some(line);
        }
        self.line.as_ref().expect("an answer was begun")
    }
}
