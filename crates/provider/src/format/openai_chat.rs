//! OpenAI's chat completions, which most servers speak.

use kaiwa_domain::{Brief, Image, Thinking, Tool};
use serde_json::{Map, Value, json};

use crate::format::conversation::{AnsweredCall, DialogueTurn, turns};
use crate::format::{self, Request, data_url, decimal, listed, put, schema};
use crate::vendor::Effort;
use crate::{Endpoint, http};

mod decode;
mod details;

pub(super) use decode::{ChatDecoder, WireCall};

/// `POST {base_url}/chat/completions`.
pub(super) fn request(endpoint: &Endpoint, brief: &Brief) -> Request {
    let manner = &brief.manner;
    let quirks = endpoint.quirks;
    let mut body = json!({
        "model": endpoint.model,
        "messages": messages(endpoint, brief),
        "stream": true,
    });
    if quirks.stream_options {
        put(
            &mut body,
            "stream_options",
            Some(json!({"include_usage": true})),
        );
    }
    let limit = match quirks.max_completion_tokens {
        true => "max_completion_tokens",
        false => "max_tokens",
    };
    put(&mut body, limit, brief.manner.max_output_tokens);
    put(&mut body, "temperature", manner.temperature.map(decimal));
    put(&mut body, "top_p", manner.top_p.map(decimal));
    put(&mut body, "stop", format::stop(brief));
    put(&mut body, "tools", format::tools(brief, tool));
    if let Some(thinking) = manner.thinking {
        let effort = effort(thinking);
        match quirks.effort {
            Effort::None => {}
            Effort::Name => put(&mut body, "reasoning_effort", Some(effort)),
            Effort::Object => {
                let reasoning = match thinking {
                    Thinking::Off => json!({"enabled": false}),
                    _ => json!({"effort": effort}),
                };
                put(&mut body, "reasoning", Some(reasoning));
            }
            Effort::Switch => {
                let kind = match thinking {
                    Thinking::Off => "disabled",
                    _ => "enabled",
                };
                put(&mut body, "thinking", Some(json!({"type": kind})));
            }
        }
    }
    Request {
        url: http::under(&endpoint.base_url, "chat/completions"),
        body,
    }
}

fn messages(endpoint: &Endpoint, brief: &Brief) -> Vec<Value> {
    let mut messages = Vec::new();
    messages.extend(system(brief));
    for turn in turns(endpoint, brief) {
        match turn {
            DialogueTurn::User { text, images } => {
                messages.push(json!({"role": "user", "content": content(text, images)}));
            }
            DialogueTurn::Assistant {
                text,
                thoughts,
                calls,
            } => {
                let mut message = json!({"role": "assistant", "content": text});
                hand_back(&mut message, &thoughts, endpoint, !calls.is_empty());
                let asked = calls.iter().map(call).collect();
                put(&mut message, "tool_calls", listed(asked));
                messages.push(message);
                messages.extend(calls.iter().map(
                    |call| json!({"role": "tool", "tool_call_id": call.id, "content": call.result}),
                ));
            }
        }
    }
    messages
}

/// The system text, if there is any. Ollama takes it in the same shape.
pub(super) fn system(brief: &Brief) -> Option<Value> {
    let system = &brief.system;
    (!system.is_empty()).then(|| json!({"role": "system", "content": system}))
}

fn content(text: &str, images: &[Image]) -> Value {
    if images.is_empty() {
        return text.into();
    }
    let image = |image| json!({"type": "image_url", "image_url": {"url": data_url(image)}});
    let words = (!text.is_empty()).then(|| json!({"type": "text", "text": text}));
    images.iter().map(image).chain(words).collect()
}

/// Thoughts are fields of the message that they came with.
fn hand_back(message: &mut Value, thoughts: &[&str], endpoint: &Endpoint, calls: bool) {
    let fields = thoughts
        .iter()
        .filter_map(|opaque| serde_json::from_str::<Map<String, Value>>(opaque).ok());
    for (name, value) in fields.flatten() {
        put(message, &name, Some(value));
    }
    // Where thoughts belong to every call, those of another model are none.
    if calls && endpoint.quirks.wants_thoughts && message.get(THOUGHTS).is_none() {
        put(message, THOUGHTS, Some(""));
    }
}

/// Where unsigned thoughts stand, which are wanted back only beside calls.
const THOUGHTS: &str = "reasoning_content";

fn call(call: &AnsweredCall<'_>) -> Value {
    let function = json!({"name": call.name, "arguments": call.arguments});
    let mut asked = json!({"id": call.id, "type": "function", "function": function});
    let extra = call.signature.map(serde_json::from_str::<Value>);
    put(&mut asked, "extra_content", extra.and_then(Result::ok));
    asked
}

/// A tool. Ollama takes it in the same shape.
pub(super) fn tool(tool: &Tool) -> Value {
    let function = json!({
        "name": tool.name,
        "description": tool.description,
        "parameters": schema(tool),
    });
    json!({"type": "function", "function": function})
}

/// OpenAI's word for how much to think.
pub(super) const fn effort(thinking: Thinking) -> &'static str {
    match thinking {
        Thinking::Off => "none",
        Thinking::Low => "low",
        Thinking::Medium => "medium",
        Thinking::High => "high",
    }
}
