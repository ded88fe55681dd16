//! A model that says what the test says, when the test says it.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use futures_util::stream;
use kaiwa_pipeline::brief::SEPARATOR;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::{mpsc, oneshot};

use crate::soon;

/// A server with the OpenAI wire format behind which the test sits.
pub struct GatedModel {
    base_url: String,
    calls: mpsc::Receiver<ModelRequest>,
    /// The bodies of all requests.
    told: ToldSoFar,
    /// A port where nobody listens.
    _reserved: Option<TcpSocket>,
}

/// Everything that models were told.
pub(crate) type ToldSoFar = Arc<Mutex<Vec<u8>>>;

/// One request that the bot made, and the line on which to answer it.
pub struct ModelRequest {
    key: Option<String>,
    request: Value,
    begin: Option<oneshot::Sender<Begin>>,
    line: Option<mpsc::Sender<String>>,
}

enum Begin {
    Stream(mpsc::Receiver<String>),
    Reply(Response),
}

impl GatedModel {
    /// Starts the server on a free port.
    pub async fn start() -> Self {
        let (sender, calls) = mpsc::channel(16);
        let told = ToldSoFar::default();
        let router = axum::Router::new()
            .route("/v1/chat/completions", post(take))
            .with_state((sender, told.clone()));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        kaiwa_runtime::Tasks::new().spawn("gated model", async move {
            let _ = axum::serve(listener, router).await;
        });
        Self {
            base_url: format!("http://{address}/v1"),
            calls,
            told,
            _reserved: None,
        }
    }

    /// Where no server is.
    pub fn nowhere() -> Self {
        // Bound and not listening, so that nobody else gets the port.
        let socket = TcpSocket::new_v4().expect("a socket");
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        socket.bind(any).expect("a free port");
        let address = socket.local_addr().expect("an address");
        Self {
            _reserved: Some(socket),
            ..Self::at(address)
        }
    }

    /// Another server, of which the test sees nothing.
    pub fn at(address: SocketAddr) -> Self {
        Self {
            base_url: format!("http://{address}/v1"),
            calls: mpsc::channel(1).1,
            told: ToldSoFar::default(),
            _reserved: None,
        }
    }

    /// A key for it that can be told from everything else.
    pub(crate) fn key(&self) -> String {
        let port = self.base_url.rsplit(':').next().unwrap_or_default();
        let port: String = port.chars().filter(char::is_ascii_digit).collect();
        format!("sk-canary-{port}-5be1f0c7a94d42638e")
    }

    /// What it was told so far, as it was sent.
    pub(crate) fn told_so_far(&self) -> Vec<u8> {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.clone()
    }

    /// Where the server is.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Waits for the bot to ask; the last line of what it tells the model must
    /// be `question`.
    pub async fn is_asked(&mut self, question: &str) -> ModelRequest {
        let call = self.is_told(question).await;
        assert_eq!(call.last(), question);
        call
    }

    /// Waits for the bot to ask; the last line of what it tells the model must
    /// contain `words`.
    pub async fn is_told(&mut self, words: &str) -> ModelRequest {
        let what = format!("the model to be told {words:?}");
        let call = soon(&what, self.calls.recv())
            .await
            .expect("a running server");
        let last = call.last();
        assert!(last.contains(words), "told {last:?} and not {words:?}");
        call
    }
}

async fn take(
    State((calls, told)): State<(mpsc::Sender<ModelRequest>, ToldSoFar)>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Ok(request) = serde_json::from_slice(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    told.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .extend_from_slice(&body);
    let (begin, begun) = oneshot::channel();
    let key = headers.get(header::AUTHORIZATION);
    let call = ModelRequest {
        key: key.map(|key| String::from_utf8_lossy(key.as_bytes()).into_owned()),
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
        Ok(Begin::Reply(response)) => response,
        // Dropped without a word: hold the connection, say nothing.
        Err(_) => std::future::pending().await,
    }
}

impl ModelRequest {
    /// What the bot told the model, one line for each message after the system
    /// prompt, without the line between what is over and what is not.
    pub fn told(&self) -> Vec<String> {
        let messages = self.request["messages"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        messages
            .iter()
            .filter(|message| message["role"] != "system")
            .map(|message| {
                // With images, the words are one part among others.
                let parts = message["content"].as_array().into_iter().flatten();
                let mut words = parts.filter_map(|part| part["text"].as_str());
                let text = message["content"].as_str().or_else(|| words.next());
                text.unwrap_or_default().to_owned()
            })
            .filter(|line| line != SEPARATOR)
            .collect()
    }

    /// The last line that the bot told the model.
    pub fn last(&self) -> String {
        self.told().pop().unwrap_or_default()
    }

    /// The names of the tools that the model may use.
    pub fn tools(&self) -> Vec<&str> {
        let tools = self.request["tools"].as_array();
        let names = tools.into_iter().flatten();
        names
            .filter_map(|tool| tool["function"]["name"].as_str())
            .collect()
    }

    /// The request itself.
    pub const fn request(&self) -> &Value {
        &self.request
    }

    /// The key it was asked with.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()?.strip_prefix("Bearer ")
    }

    /// The images of the last message, as the addresses they were sent as.
    pub fn images(&self) -> Vec<&str> {
        let messages = self.request["messages"].as_array();
        let last = messages.and_then(|messages| messages.last());
        let parts = last.and_then(|last| last["content"].as_array());
        let images = parts.into_iter().flatten();
        images
            .filter_map(|part| part["image_url"]["url"].as_str())
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

    /// Releases one delta of thought.
    pub async fn thinks(&mut self, text: &str) -> &mut Self {
        let delta = json!({"choices": [{"index": 0, "delta": {"reasoning_content": text}}]});
        self.send(format!("data: {delta}\n\n")).await;
        self
    }

    /// Releases raw bytes.
    pub async fn sends(&mut self, raw: &str) -> &mut Self {
        self.send(raw.to_owned()).await;
        self
    }

    /// Asks for tools, each with its arguments.
    pub async fn uses(&mut self, calls: &[(&str, &str)]) -> &mut Self {
        for (index, (name, arguments)) in calls.iter().enumerate() {
            let call = json!({
                "index": index, "id": format!("call_{index}"), "type": "function",
                "function": {"name": name, "arguments": arguments},
            });
            let delta = json!({"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]});
            self.send(format!("data: {delta}\n\n")).await;
        }
        self
    }

    /// Tells how many tokens the answer took.
    pub async fn spends(&mut self, input: u64, output: u64) -> &mut Self {
        let usage = json!({"prompt_tokens": input, "completion_tokens": output});
        let chunk = json!({"choices": [], "usage": usage});
        self.send(format!("data: {chunk}\n\n")).await;
        self
    }

    /// Ends the answer well.
    pub async fn ends(self) {
        self.ends_with("stop").await;
    }

    /// Ends the answer with the vendor's word for the reason.
    pub async fn ends_with(mut self, reason: &str) {
        let last = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]});
        self.send(format!("data: {last}\n\ndata: [DONE]\n\n")).await;
    }

    /// Asks for tools and waits for them.
    pub async fn waits_for(mut self, calls: &[(&str, &str)]) {
        self.uses(calls).await;
        self.ends_with("tool_calls").await;
    }

    /// Says something and ends.
    pub async fn answers(mut self, text: &str) {
        self.says(text).await;
        self.ends().await;
    }

    /// Answers with an HTTP error.
    pub fn fails(self, status: u16) {
        self.fails_saying(status, "the test says no");
    }

    /// Answers with an HTTP error in these words.
    pub fn fails_saying(self, status: u16, message: &str) {
        let status = StatusCode::from_u16(status).expect("a status");
        let body = json!({"error": {"message": message, "type": "test"}});
        self.replies((status, Json(body)));
    }

    /// Answers with something else than a stream.
    pub fn replies(mut self, response: impl IntoResponse) {
        if let Some(begin) = self.begin.take() {
            let _ = begin.send(Begin::Reply(response.into_response()));
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
