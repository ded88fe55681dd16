//! OpenAI's responses.

use kaiwa_domain::{Brief, Image, Tool};
use serde_json::{Value, json};

use crate::format::conversation::{DialogueTurn, turns};
use crate::format::openai_chat::effort;
use crate::format::{self, Request, data_url, decimal, put, schema};
use crate::{Endpoint, http};

mod decode;
mod wire;

pub(super) use decode::ResponsesDecoder;

/// `POST {base_url}/responses`. Stop strings do not exist here.
pub(super) fn request(endpoint: &Endpoint, brief: &Brief) -> Request {
    let manner = &brief.manner;
    let mut body = json!({
        "model": endpoint.model,
        "input": input(endpoint, brief),
        "stream": true,
        // Conversations are kept by us and nobody else.
        "store": false,
    });
    let system = (!brief.system.is_empty()).then_some(brief.system.as_str());
    put(&mut body, "instructions", system);
    put(
        &mut body,
        "max_output_tokens",
        brief.manner.max_output_tokens,
    );
    put(&mut body, "temperature", manner.temperature.map(decimal));
    put(&mut body, "top_p", manner.top_p.map(decimal));
    if let Some(thinking) = manner.thinking {
        let mut reasoning = json!({"effort": effort(thinking)});
        let summary = endpoint.quirks.summaries.then_some("auto");
        put(&mut reasoning, "summary", summary);
        put(&mut body, "reasoning", Some(reasoning));
    }
    if manner.thinking.is_some() || endpoint.abilities.thinking {
        let thoughts = json!(["reasoning.encrypted_content"]);
        put(&mut body, "include", Some(thoughts));
    }
    put(&mut body, "tools", format::tools(brief, tool));
    Request {
        url: http::under(&endpoint.base_url, "responses"),
        body,
    }
}

/// The conversation: what is said, thought, asked for and found are items of
/// the same rank.
fn input(endpoint: &Endpoint, brief: &Brief) -> Vec<Value> {
    let mut items = Vec::new();
    for turn in turns(endpoint, brief) {
        match turn {
            DialogueTurn::User { text, images } => {
                items.push(json!({"role": "user", "content": content(text, images)}));
            }
            DialogueTurn::Assistant {
                text,
                thoughts,
                calls,
            } => {
                let thoughts = thoughts.iter().map(|opaque| serde_json::from_str(opaque));
                items.extend(thoughts.filter_map(Result::ok));
                if !text.is_empty() {
                    items.push(json!({"role": "assistant", "content": text}));
                }
                items.extend(calls.iter().map(|call| {
                    json!({
                        "type": "function_call",
                        "call_id": call.id,
                        "name": call.name,
                        "arguments": call.arguments,
                    })
                }));
                items.extend(calls.iter().map(|call| {
                    json!({
                        "type": "function_call_output",
                        "call_id": call.id,
                        "output": call.result,
                    })
                }));
            }
        }
    }
    items
}

fn content(text: &str, images: &[Image]) -> Value {
    if images.is_empty() {
        return text.into();
    }
    let image = |image| json!({"type": "input_image", "image_url": data_url(image)});
    let words = (!text.is_empty()).then(|| json!({"type": "input_text", "text": text}));
    images.iter().map(image).chain(words).collect()
}

fn tool(tool: &Tool) -> Value {
    json!({
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": schema(tool),
        "strict": false,
    })
}
