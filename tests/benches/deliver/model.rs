//! The model that is asked: it says a word now and then, and notes when.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::json;
use tokio::sync::Barrier;

use crate::watch::Seen;

/// One word every 50 ms.
const BEAT: Duration = Duration::from_millis(50);

/// What an answer is made of.
#[derive(Clone, Copy)]
pub(crate) struct Script {
    pub(crate) lines: usize,
    /// In each line.
    pub(crate) words: usize,
}

impl Script {
    /// How long the model takes for a line.
    fn line(self) -> Duration {
        BEAT * u32::try_from(self.words).unwrap_or(u32::MAX)
    }
}

/// Stands before the number of a question, and nowhere else in a request.
pub(crate) const NUMBER: &str = "question-number-";

/// What the model knows.
pub(crate) struct BenchModel {
    pub(crate) seen: Arc<Mutex<Seen>>,
    pub(crate) script: Script,
    pub(crate) channels: usize,
    /// Where streams are measured, none begins before all were asked for, and
    /// their lines end evenly: how a crowd is admitted is another question.
    pub(crate) together: Option<Arc<Barrier>>,
}

/// The model: says which word it is at, and notes when a line has begun.
pub(crate) async fn answer(State(model): State<Arc<BenchModel>>, body: Bytes) -> Response {
    let script = model.script;
    let body = String::from_utf8_lossy(&body).into_owned();
    let asked = body.rsplit(NUMBER).next().unwrap_or_default();
    let number: usize = asked
        .split(|sign: char| !sign.is_ascii_digit())
        .next()
        .and_then(|digits| digits.parse().ok())
        .expect("a question with a number");
    if let Some(together) = &model.together {
        together.wait().await;
    }
    let first = match model.together {
        Some(_) => {
            script.line() * u32::try_from(number).unwrap_or(u32::MAX)
                / u32::try_from(model.channels).unwrap_or(u32::MAX)
        }
        None => Duration::ZERO,
    };
    let mut beat = tokio::time::interval_at(tokio::time::Instant::now() + first, BEAT);
    beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Burst);
    let words = stream::unfold((0, beat), move |(word, mut beat)| {
        let model = Arc::clone(&model);
        async move {
            let all = script.lines * script.words;
            if word > all {
                return None;
            }
            beat.tick().await;
            if word % script.words == 0 {
                let mut seen = model.seen.lock().expect("not poisoned");
                seen.said.insert((number, word), Instant::now());
            }
            let chunk = if word == all {
                let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
                format!("data: {end}\n\ndata: [DONE]\n\n")
            } else {
                let ends = word % script.words == script.words - 1;
                let text = format!("w{word}{}", if ends { "\n" } else { " " });
                let delta = json!({"choices": [{"index": 0, "delta": {"content": text}}]});
                format!("data: {delta}\n\n")
            };
            Some((Ok::<_, Infallible>(chunk), (word + 1, beat)))
        }
    });
    let body = Body::from_stream(words);
    ([("content-type", "text/event-stream")], body).into_response()
}
