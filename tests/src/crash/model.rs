//! A model that writes numbered lines, and goes on where it was when asked to.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::{StreamExt, stream};
use kaiwa_runtime::Tasks;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::plan::RunPlan;

/// How long each piece of a line takes.
const PACE: Duration = Duration::from_millis(6);

/// … of an answer that takes its time.
const SLOW_PACE: Duration = Duration::from_millis(70);

/// The server.
#[derive(Clone)]
pub(super) struct LineModel {
    base_url: String,
    requests: CountRequests,
}

/// What the model was asked for, by run.
#[derive(Clone, Default)]
struct CountRequests(Arc<Mutex<CountedRuns>>);

#[derive(Default)]
struct CountedRuns {
    begun: HashSet<String>,
    /// CountedRuns for again in the middle.
    continued: HashSet<String>,
}

impl CountRequests {
    fn lock(&self) -> MutexGuard<'_, CountedRuns> {
        self.0.lock().expect("no panic")
    }
}

impl LineModel {
    pub(super) async fn start() -> Self {
        let requests = CountRequests::default();
        let router = Router::new()
            .route("/v1/models", get(models))
            .route("/v1/chat/completions", post(complete))
            .with_state(requests.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        Tasks::new().spawn("line model", async move {
            let _ = axum::serve(listener, router).await;
        });
        Self {
            base_url: format!("http://{address}/v1"),
            requests,
        }
    }

    pub(super) fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Whether the answer of a run was asked for.
    pub(super) fn was_asked(&self, run: &str) -> bool {
        self.requests.lock().begun.contains(run)
    }

    /// Whether the answer of a run was asked for again in the middle.
    pub(super) fn was_continued(&self, run: &str) -> bool {
        self.requests.lock().continued.contains(run)
    }
}

async fn models() -> Json<Value> {
    Json(json!({"object": "list", "data": [{"id": "lines", "object": "model"}]}))
}

async fn complete(State(requests): State<CountRequests>, Json(request): Json<Value>) -> Response {
    let (events, pace) = answer(&request, &requests);
    let chunks = stream::iter(events).then(move |delta| async move {
        tokio::time::sleep(pace).await;
        Ok::<_, Infallible>(Bytes::from(delta))
    });
    let kind = (header::CONTENT_TYPE, "text/event-stream");
    ([kind], Body::from_stream(chunks)).into_response()
}

/// What the model streams back, event by event, and how fast.
fn answer(request: &Value, requests: &CountRequests) -> (Vec<String>, Duration) {
    let empty = Vec::new();
    let messages = request["messages"].as_array().unwrap_or(&empty);
    let text = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    let asked = messages
        .iter()
        .rev()
        .filter(|message| message["role"] == "user")
        .find_map(|message| CountQuestion::read(&text(message)));
    let Some(asked) = asked else {
        return (events("I only count.", false), PACE);
    };
    let goes_on = messages
        .last()
        .is_some_and(|last| text(last).contains("Continue your answer exactly after"));
    let said = match goes_on {
        true => messages
            .iter()
            .rev()
            .find(|message| message["role"] == "assistant")
            .map_or_else(String::new, text),
        false => String::new(),
    };
    let done = (1..=asked.lines)
        .take_while(|number| said.contains(&RunPlan::line(&asked.run, *number)))
        .count() as u32;
    let mut noted = requests.lock();
    noted.begun.insert(asked.run.clone());
    if done > 0 && done < asked.lines {
        noted.continued.insert(asked.run.clone());
    }
    drop(noted);
    let rest: Vec<String> = (done + 1..=asked.lines)
        .map(|number| RunPlan::line(&asked.run, number))
        .collect();
    let pace = if asked.slowly { SLOW_PACE } else { PACE };
    (events(&rest.join("\n"), asked.reacts), pace)
}

/// A question as [`RunPlan::question`] writes it.
struct CountQuestion {
    run: String,
    lines: u32,
    reacts: bool,
    slowly: bool,
}

impl CountQuestion {
    fn read(text: &str) -> Option<Self> {
        let mut words = text.split("count ").nth(1)?.split_whitespace();
        let (run, lines) = (words.next()?, words.next()?);
        let how: Vec<&str> = words.collect();
        Some(Self {
            run: run.to_owned(),
            lines: lines.parse().ok()?,
            reacts: how.contains(&"react"),
            slowly: how.contains(&"slowly"),
        })
    }
}

fn events(text: &str, reacts: bool) -> Vec<String> {
    let event = |body: Value| format!("data: {body}\n\n");
    let delta = |delta: Value, finish: Value| {
        event(json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}))
    };
    let mut events = Vec::new();
    for piece in text.split_inclusive(' ') {
        events.push(delta(json!({"content": piece}), Value::Null));
    }
    if reacts {
        let call = json!({
            "index": 0, "id": "call_0", "type": "function",
            "function": {"name": "react", "arguments": "{\"emoji\":\"👍\"}"},
        });
        events.push(delta(json!({"tool_calls": [call]}), Value::Null));
    }
    let finish = if reacts { "tool_calls" } else { "stop" };
    events.push(delta(json!({}), finish.into()));
    events.push("data: [DONE]\n\n".to_owned());
    events
}
