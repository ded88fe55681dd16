//! The requests of a recording, made again.

use std::time::Duration;

use axum::{
    body::{Body, to_bytes},
    extract::{Path, Request, State},
    http::{Method, header},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{TOKEN, without_tokens};
use crate::{Emulator, World, bots, faults::control, rest, snowflake::Snowflake};

/// A recording that was read.
#[derive(Clone, Debug)]
pub struct Recording {
    requests: Vec<RecordedRequest>,
}

#[derive(Clone, Debug, Deserialize)]
struct RecordedRequest {
    n: u64,
    kind: String,
    method: String,
    path: String,
    user_id: Option<String>,
    body: Value,
    status: u16,
    answer: Value,
    since_start_ms: u64,
}

/// Why a recording cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordingError {
    /// It does not begin as one.
    #[error("this is no recording of `kaiwa emulate --record`")]
    NotOne,
    /// Without a seed, no id is the same again.
    #[error("it was recorded without --seed: ids would differ, so record with one")]
    NoSeed,
    /// A line cannot be read.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, counted from one.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}

/// What a replay found.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// How many requests were made again.
    pub requests: usize,
    /// How many could not be: their body was too long, or they need a token
    /// that a recording does not hold.
    pub left_out: usize,
    /// The answers that were not as before.
    pub differences: Vec<Difference>,
}

/// An answer that was not as before.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The number of the request in the recording.
    pub n: u64,
    /// The method and path.
    pub request: String,
    /// Status and body as they were.
    pub recorded: Value,
    /// Status and body as they are.
    pub replayed: Value,
}

impl Recording {
    /// Reads the lines of a recording.
    ///
    /// # Errors
    ///
    /// When it is none, or was made without a seed.
    pub fn read(text: &str) -> Result<Self, RecordingError> {
        let mut lines = text.lines();
        let begin = lines
            .next()
            .and_then(|line| serde_json::from_str(line).ok());
        let begin: Value = begin.ok_or(RecordingError::NotOne)?;
        if begin["kind"] != "begin" || begin["version"] != 1 {
            return Err(RecordingError::NotOne);
        }
        if begin["seed"].is_null() {
            return Err(RecordingError::NoSeed);
        }
        let mut requests = Vec::new();
        for (line, text) in lines.enumerate() {
            let failed = |error: serde_json::Error| RecordingError::Line {
                line: line + 2,
                problem: error.to_string(),
            };
            let entry: Value = serde_json::from_str(text).map_err(failed)?;
            if matches!(entry["kind"].as_str(), Some("rest" | "control")) {
                requests.push(serde_json::from_value(entry).map_err(failed)?);
            }
        }
        Ok(Self { requests })
    }

    /// Makes the requests again, in a realm of the same world and seed, and
    /// compares status and body of the answers.
    pub async fn replay(&self, world: World) -> Replayed {
        let emulator = Emulator::new(world);
        let mut replayed = Replayed {
            requests: 0,
            left_out: 0,
            differences: Vec::new(),
        };
        for recorded in &self.requests {
            // Rate limits see the pauses that there were.
            let since_start = Duration::from_millis(recorded.since_start_ms);
            emulator.clock().pass_until(since_start);
            let Some((status, answer)) = recorded.again(&emulator).await else {
                replayed.left_out += 1;
                continue;
            };
            replayed.requests += 1;
            let same = status == recorded.status && alike(&answer, &recorded.answer);
            if !same {
                replayed.differences.push(Difference {
                    n: recorded.n,
                    request: format!("{} {}", recorded.method, recorded.path),
                    recorded: json!({ "status": recorded.status, "body": recorded.answer }),
                    replayed: json!({ "status": status, "body": answer }),
                });
            }
        }
        replayed
    }
}

impl RecordedRequest {
    async fn again(&self, emulator: &Emulator) -> Option<(u16, Value)> {
        if self.path.contains(TOKEN) || self.body.get("left_out").is_some() {
            return None;
        }
        if self.kind == "control" {
            self.control(emulator).await?;
            return Some((self.status, self.answer.clone()));
        }
        let method: Method = self.method.parse().ok()?;
        let mut request = Request::builder().method(method).uri(&self.path);
        if let Some(user) = &self.user_id {
            let token = rest::authorization_of(emulator, user.parse::<Snowflake>().ok()?)?;
            request = request.header(header::AUTHORIZATION, token);
        }
        let body = match (self.body["base64"].as_str(), &self.body) {
            (Some(base64), body) => {
                if let Some(content_type) = body["content_type"].as_str() {
                    request = request.header(header::CONTENT_TYPE, content_type);
                }
                Body::from(BASE64_STANDARD.decode(base64).ok()?)
            }
            (None, Value::Null) => Body::empty(),
            (None, body) => {
                request = request.header(header::CONTENT_TYPE, "application/json");
                Body::from(body.to_string())
            }
        };
        let response = rest::answer(State(emulator.clone()), request.body(body).ok()?).await;
        let status = response.status().as_u16();
        let bytes = to_bytes(response.into_body(), usize::MAX).await.ok()?;
        let answer = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Some((status, without_tokens(answer)))
    }

    /// Faults, the clock and new bots change what comes after.
    async fn control(&self, emulator: &Emulator) -> Option<()> {
        let state = State(emulator.clone());
        let path = self.path.strip_prefix("/emulator/")?;
        match (self.method.as_str(), path) {
            ("POST", "clock") => {
                let by = self.body["advance_ms"].as_u64()?;
                emulator.advance(Duration::from_millis(by));
            }
            ("POST", "faults") => {
                let ask = serde_json::from_value(self.body.clone()).ok()?;
                let _ = control::ask(state, axum::Json(ask)).await;
            }
            ("DELETE", "faults") => emulator.faults().clear(),
            ("POST", "bots") => {
                let ask = serde_json::from_value(self.body.clone()).ok()?;
                bots::create(state, axum::Json(ask)).await;
            }
            ("PUT" | "DELETE", path) => {
                let (bot, guild) = path.strip_prefix("bots/")?.split_once("/guilds/")?;
                let place = Path((bot.to_owned(), guild.to_owned()));
                let ask = serde_json::from_value(self.body.clone()).ok();
                match self.method.as_str() {
                    "PUT" => bots::join(state, place, ask.map(axum::Json)).await,
                    _ => bots::leave(state, place).await,
                };
            }
            _ => return None,
        }
        Some(())
    }
}

/// Whether an answer is as before. The port is another, and how long to wait
/// is not told to the millisecond.
fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| {
                    let theirs = other.get(key);
                    match key.as_str() {
                        "url" | "proxy_url" | "retry_after" => theirs.is_some(),
                        _ => theirs.is_some_and(|theirs| alike(value, theirs)),
                    }
                })
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| alike(a, b))
        }
        (one, other) => one == other,
    }
}
