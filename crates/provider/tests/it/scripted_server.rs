//! A server of several models that act by a script, call after call, and a
//! model pool in front of it.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use kaiwa_domain::Role;
use kaiwa_domain::port::Ledger;
use kaiwa_provider::{Budget, Candidate, Endpoint, ModelPool, ModelRoute, Router, Vendor};
use secrecy::SecretString;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use url::Url;

use crate::hand_clock::HandClock;
use crate::test_server::{FIRST_TOKEN, IDLE, reply};

/// Nobody waits for sleeps up to this length: the pauses before retries.
const PAUSES: Duration = Duration::from_secs(9);

/// What a model does when it is asked.
#[derive(Clone, Debug)]
pub(crate) enum Behaviour {
    /// Says something and finishes.
    Say(&'static str),
    /// Answers with a status and a body.
    Status(u16, &'static str),
    /// Answers with a status and a wish to be left alone.
    Later(u16, &'static str),
    /// Answers with a web page.
    Page,
    /// Answers with these events.
    Events(String),
    /// Answers with these events, and breaks the connection.
    Break(String),
    /// Does not answer in time.
    Silence,
    /// Does not answer in time, which passes in two halves.
    SlowSilence,
    /// Falls silent after these events.
    Stall(String),
    /// Repeats an event without end.
    Endless(&'static str),
}

pub(crate) fn text(words: &str) -> String {
    format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{words}\"}}}}]}}\n\n")
}

pub(crate) fn thought(words: &str) -> String {
    format!("data: {{\"choices\":[{{\"delta\":{{\"reasoning_content\":\"{words}\"}}}}]}}\n\n")
}

pub(crate) fn finish(reason: &str) -> String {
    format!(
        "data: {{\"choices\":[{{\"delta\":{{}},\"finish_reason\":\"{reason}\"}}]}}\n\ndata: [DONE]\n\n"
    )
}

/// The server, and the pool that asks it.
pub(crate) struct ScriptedServer {
    pub(crate) clock: Arc<HandClock>,
    pub(crate) pool: ModelPool,
    base: Url,
    script: Arc<ServerScript>,
    _server: JoinSet<()>,
}

struct ServerScript {
    clock: Arc<HandClock>,
    acts: Mutex<HashMap<String, VecDeque<Behaviour>>>,
    asked: Mutex<Vec<Asked>>,
    silences: Mutex<VecDeque<Duration>>,
}

/// A request that arrived.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) model: String,
    pub(crate) key: String,
    pub(crate) body: Value,
}

impl ScriptedServer {
    /// A server whose models act as the script says, each in its order.
    pub(crate) async fn new(script: &[(&str, &[Behaviour])]) -> Self {
        Self::with_ledger(script, None).await
    }

    pub(crate) async fn with_ledger(
        script: &[(&str, &[Behaviour])],
        ledger: Option<Arc<dyn Ledger>>,
    ) -> Self {
        let clock = Arc::new(HandClock::eager(PAUSES));
        let acts = script
            .iter()
            .map(|(model, acts)| ((*model).to_owned(), acts.iter().cloned().collect()));
        let script = Arc::new(ServerScript {
            clock: clock.clone(),
            acts: Mutex::new(acts.collect()),
            asked: Mutex::default(),
            silences: Mutex::default(),
        });
        let router = axum::Router::new()
            .fallback(perform)
            .with_state(script.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/v1/", listener.local_addr().unwrap());
        let mut server = JoinSet::new();
        server.spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            pool: ModelPool::new(clock.clone(), ledger),
            clock,
            base: base.parse().unwrap(),
            script,
            _server: server,
        }
    }

    pub(crate) fn candidate(&self, model: &str, keys: &[&str]) -> Candidate {
        let endpoint = Endpoint::at(Vendor::at(&self.base), self.base.clone(), model.to_owned());
        Candidate {
            name: format!("test/{model}"),
            endpoint: Endpoint {
                first_token_timeout: FIRST_TOKEN,
                idle_timeout: IDLE,
                ..endpoint
            },
            keys: keys.iter().copied().map(SecretString::from).collect(),
            price: None,
            context: None,
        }
    }

    /// A route over models with their keys, as `model:key,key`.
    pub(crate) fn route(&self, usual: &[&str], on_censored: &[&str]) -> ModelRoute {
        let candidates = |names: &[&str]| {
            let candidate = |name: &&str| {
                let (model, keys) = name.split_once(':').unwrap_or((name, ""));
                let keys: Vec<_> = keys.split(',').filter(|key| !key.is_empty()).collect();
                self.candidate(model, &keys)
            };
            names.iter().map(candidate).collect()
        };
        ModelRoute {
            role: Role::Chat,
            candidates: candidates(usual),
            on_censored: candidates(on_censored),
            budget: Budget::default(),
            // Time is not the matter, as a rule.
            first_word_within: FIRST_TOKEN * 20,
        }
    }

    pub(crate) fn router(&self, usual: &[&str], on_censored: &[&str]) -> Router {
        self.pool.route(self.route(usual, on_censored)).unwrap()
    }

    /// What a model does from now on.
    pub(crate) fn act(&self, model: &str, acts: &[Behaviour]) {
        let acts = acts.iter().cloned().collect();
        self.script
            .acts
            .lock()
            .unwrap()
            .insert(model.to_owned(), acts);
    }

    /// How many seconds the next silences last.
    pub(crate) fn silences(&self, seconds: &[u64]) {
        let silences = seconds.iter().copied().map(Duration::from_secs);
        *self.script.silences.lock().unwrap() = silences.collect();
    }

    /// The requests since the last time this was asked.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.script.asked.lock().unwrap())
    }

    /// The same, as `model:key` one after the other.
    pub(crate) fn log(&self) -> String {
        let name = |asked: Asked| match asked.key.as_str() {
            "" => asked.model,
            key => format!("{}:{key}", asked.model),
        };
        self.asked()
            .into_iter()
            .map(name)
            .collect::<Vec<_>>()
            .join(" ")
    }
}

async fn perform(State(script): State<Arc<ServerScript>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap();
    let model = body["model"].as_str().unwrap().to_owned();
    let key = head.headers.get("authorization").map_or("", |header| {
        header.to_str().unwrap().strip_prefix("Bearer ").unwrap()
    });
    let asked = Asked {
        model: model.clone(),
        key: key.to_owned(),
        body,
    };
    script.asked.lock().unwrap().push(asked);
    let act = script
        .acts
        .lock()
        .unwrap()
        .get_mut(&model)
        .and_then(VecDeque::pop_front);
    match act.unwrap_or(Behaviour::Status(418, "the script has ended")) {
        Behaviour::Say(words) => events(text(words) + &finish("stop")),
        Behaviour::Status(status, body) => reply(status, "application/json", body),
        Behaviour::Later(status, wait) => {
            let mut reply = reply(status, "application/json", "{}");
            let wait = wait.parse().unwrap();
            reply.headers_mut().insert("retry-after", wait);
            reply
        }
        Behaviour::Page => reply(200, "text/html", "<h1>Welcome</h1>"),
        Behaviour::Events(body) => events(body),
        Behaviour::Break(body) => {
            let before = script.clock.count(IDLE);
            let is_empty = body.is_empty();
            let broken = stream::once(async move {
                // Once the client has read the body, it waits for more.
                if !is_empty {
                    script.clock.slept(IDLE, before + 1).await;
                }
                Err(io::Error::other("scripted"))
            });
            streamed(stream::iter([Ok(Bytes::from(body))]).chain(broken))
        }
        Behaviour::Silence => {
            // The client has begun to wait, since it has asked.
            let silence = script.silences.lock().unwrap().pop_front();
            script.clock.advance(silence.unwrap_or(FIRST_TOKEN));
            std::future::pending().await
        }
        Behaviour::SlowSilence => {
            let half = FIRST_TOKEN / 2;
            let before = script.clock.count(half);
            script.clock.advance(half);
            // Somebody has noticed.
            script.clock.slept(half, before + 1).await;
            script.clock.advance(half);
            std::future::pending().await
        }
        Behaviour::Stall(body) => {
            let before = script.clock.count(IDLE);
            let silence = stream::once(async move {
                script.clock.slept(IDLE, before + 1).await;
                script.clock.advance(IDLE);
                std::future::pending().await
            });
            streamed(stream::iter([Ok(Bytes::from(body))]).chain(silence))
        }
        Behaviour::Endless(event) => {
            let many = Bytes::from(event.repeat(100));
            streamed(stream::repeat_with(move || Ok(many.clone())))
        }
    }
}

fn events(body: String) -> Response {
    reply(200, "text/event-stream", body)
}

fn streamed(body: impl stream::Stream<Item = io::Result<Bytes>> + Send + 'static) -> Response {
    reply(200, "text/event-stream", Body::from_stream(body))
}
