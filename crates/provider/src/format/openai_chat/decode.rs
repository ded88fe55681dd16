//! From chunks of a chat completion to deltas.

use std::collections::VecDeque;

use kaiwa_domain::{Delta, Finish, ModelError, Usage};
use serde::Deserialize;
use serde_json::Value;

use super::tool_calls::{Fragment, Function, ToolCalls};
use crate::failure::Complaint;
use crate::format::{Decoder, Progress};

/// How many events may be nonsense before the stream is given up.
const MAX_NONSENSE: u32 = 3;

/// Reads one answer.
///
/// Usage may come before, with or after the finish reason, or in every chunk,
/// so both are kept until the stream is over.
#[derive(Default)]
pub(super) struct ChatDecoder {
    said: bool,
    refused: bool,
    tool_calls: ToolCalls,
    usage: Option<Usage>,
    finish: Option<Finish>,
    nonsense: u32,
}

#[derive(Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    usage: Option<WireUsage>,
    /// Where Groq puts the usage.
    x_groq: Option<GroqUsage>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct GroqUsage {
    usage: Option<WireUsage>,
}

#[derive(Deserialize)]
struct WireUsage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct Choice {
    index: Option<u64>,
    delta: Option<Said>,
    /// In place of `delta` when the answer is not streamed.
    message: Option<Said>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Said {
    /// A text, or a list of typed parts.
    content: Option<Value>,
    reasoning_content: Option<Value>,
    reasoning: Option<Value>,
    thinking: Option<Value>,
    refusal: Option<String>,
    tool_calls: Option<Vec<Fragment>>,
    function_call: Option<Function>,
}

impl Decoder for ChatDecoder {
    fn event(&mut self, data: &str, deltas: &mut VecDeque<Delta>) -> Result<Progress, ModelError> {
        if data.trim() == "[DONE]" {
            // Some servers never say why they finished.
            if self.finish.is_none() && (self.said || !self.tool_calls.is_empty()) {
                self.finish = Some(Finish::Stop);
            }
            let nothing = ModelError::Cut {
                reason: "the stream ended without an answer".to_owned(),
            };
            return self.end(nothing, deltas).map(|()| Progress::Over);
        }
        if data.trim().is_empty() {
            return Ok(Progress::Nothing);
        }
        match serde_json::from_str(data) {
            Ok(chunk) => self.chunk(chunk, deltas),
            Err(_) => {
                self.nonsense += 1;
                match self.nonsense < MAX_NONSENSE {
                    true => Ok(Progress::Nothing),
                    false => Err(nonsense("the stream holds events that are no chunks")),
                }
            }
        }
    }

    fn whole(&mut self, body: &[u8], deltas: &mut VecDeque<Delta>) -> Result<(), ModelError> {
        let chunk: Chunk =
            serde_json::from_slice(body).map_err(|_| nonsense("the body is no chat completion"))?;
        self.chunk(chunk, deltas)?;
        self.end(nonsense("the body holds no answer"), deltas)
    }

    fn end(&mut self, cause: ModelError, deltas: &mut VecDeque<Delta>) -> Result<(), ModelError> {
        let Some(finish) = self.finish else {
            return Err(match self.said || self.nonsense == 0 {
                true => cause,
                false => nonsense("the stream holds events that are no chunks"),
            });
        };
        let calls = std::mem::take(&mut self.tool_calls).complete()?;
        let finish = match finish {
            Finish::Stop if !calls.is_empty() => Finish::Tool,
            Finish::Stop if self.refused => Finish::Refused,
            finish => finish,
        };
        deltas.extend(calls.into_iter().map(Delta::ToolCall));
        deltas.extend(self.usage.map(Delta::Usage));
        deltas.push_back(Delta::Finish(finish));
        Ok(())
    }
}

impl ChatDecoder {
    fn chunk(
        &mut self,
        chunk: Chunk,
        deltas: &mut VecDeque<Delta>,
    ) -> Result<Progress, ModelError> {
        if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
            return Err(Complaint::from_error(&error).in_stream());
        }
        let usage = chunk.usage.or(chunk.x_groq.and_then(|groq| groq.usage));
        if let Some(usage) = usage {
            self.usage = Some(Usage {
                input: usage.prompt_tokens.unwrap_or(0),
                output: usage.completion_tokens.unwrap_or(0),
            });
        }
        let mut progress = Progress::Nothing;
        let choices = chunk.choices.into_iter().flatten();
        for choice in choices.filter(|choice| choice.index.unwrap_or(0) == 0) {
            let whole = choice.message.is_some();
            if let Some(said) = choice.delta.or(choice.message)
                && self.said(said, deltas)?
            {
                progress = Progress::Something;
            }
            let reason = choice.finish_reason.unwrap_or_default();
            if whole || !reason.is_empty() {
                self.finish = Some(finish(&reason)?);
                progress = Progress::Something;
            }
        }
        Ok(progress)
    }

    /// Whether anything was said.
    fn said(&mut self, said: Said, deltas: &mut VecDeque<Delta>) -> Result<bool, ModelError> {
        let before = deltas.len();
        // Servers that send two of these send the same text twice.
        let thoughts = [said.reasoning_content, said.reasoning, said.thinking];
        let thought = thoughts.iter().flatten().map(text).find(|t| !t.is_empty());
        deltas.extend(thought.map(Delta::Thought));
        match said.content {
            Some(Value::Array(parts)) => deltas.extend(parts.iter().filter_map(part)),
            Some(content) => push_text(&content, deltas),
            None => {}
        }
        if let Some(words) = said.refusal.filter(|words| !words.is_empty()) {
            self.refused = true;
            deltas.push_back(Delta::Refusal(words));
        }
        let mut called = false;
        let calls = said.tool_calls.into_iter().flatten();
        for fragment in calls.chain(said.function_call.map(Fragment::from)) {
            self.tool_calls.add(fragment)?;
            called = true;
        }
        let spoke = deltas.len() > before;
        self.said |= spoke;
        Ok(spoke || called)
    }
}

fn push_text(content: &Value, deltas: &mut VecDeque<Delta>) {
    let text = text(content);
    if !text.is_empty() {
        deltas.push_back(Delta::Text(text));
    }
}

/// A part of a content list.
fn part(part: &Value) -> Option<Delta> {
    let (text, delta): (_, fn(String) -> Delta) = match part.get("type")?.as_str()? {
        "text" => (text(part.get("text")?), Delta::Text),
        "thinking" => (text(part.get("thinking")?), Delta::Thought),
        _ => return None,
    };
    (!text.is_empty()).then(|| delta(text))
}

/// A text, or the texts of a list of parts.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part.get("text")?.as_str())
            .collect(),
        _ => String::new(),
    }
}

fn finish(reason: &str) -> Result<Finish, ModelError> {
    Ok(match reason.to_ascii_lowercase().as_str() {
        "length" | "max_tokens" => Finish::Length,
        "tool_calls" | "function_call" => Finish::Tool,
        "content_filter" => Finish::Refused,
        "error" => {
            return Err(ModelError::Cut {
                reason: "the server reported an error".to_owned(),
            });
        }
        // "stop", "eos", and what servers invent.
        _ => Finish::Stop,
    })
}

fn nonsense(reason: &str) -> ModelError {
    ModelError::Garbled {
        reason: reason.to_owned(),
    }
}
