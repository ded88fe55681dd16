//! Google's `generateContent`.

use kaiwa_domain::{Brief, Image, Thinking, Tool};
use serde_json::{Value, json};

use crate::format::conversation::{
    BEGINNING, Call, Dialogue, Turn, current, lacks_beginning, turns,
};
use crate::format::{self, Request, base64, decimal, put, schema, version};
use crate::{Endpoint, http};

mod decode;
mod partial;

pub(super) use decode::GeminiDecoder;

/// Stands for the signature of a call that another model made. The vendor
/// insists on one, and takes this for it.
const UNSIGNED: &str = "skip_thought_signature_validator";

/// `POST {base_url}/models/{model}:streamGenerateContent`.
pub(super) fn request(endpoint: &Endpoint, brief: &Brief) -> Request {
    let manner = &brief.manner;
    let model = endpoint.model.as_str();
    let model = model.strip_prefix("models/").unwrap_or(model);
    let limit = endpoint.output_limit(brief);
    let mut settings = json!({});
    put(&mut settings, "maxOutputTokens", limit);
    let temperature = manner.temperature.map(decimal);
    put(&mut settings, "temperature", temperature);
    put(&mut settings, "topP", manner.top_p.map(decimal));
    put(&mut settings, "stopSequences", format::stop(brief));
    let thinking = manner.thinking.map(|thinking| match is_third(model) {
        true => level(thinking),
        false => budget(thinking),
    });
    put(&mut settings, "thinkingConfig", thinking);
    let mut body = json!({
        "contents": contents(&turns(endpoint, brief), is_third(model)),
        "generationConfig": settings,
    });
    let system = (!brief.system.is_empty()).then(|| json!({"parts": [text(&brief.system)]}));
    put(&mut body, "systemInstruction", system);
    let tools = format::tools(brief, tool);
    let tools = tools.map(|tools| json!([{"functionDeclarations": tools}]));
    put(&mut body, "tools", tools);
    let mut url = http::under(&endpoint.base_url, "models");
    if let Ok(mut path) = url.path_segments_mut() {
        path.push(&format!("{model}:streamGenerateContent"));
    }
    url.query_pairs_mut().append_pair("alt", "sse");
    Request { url, body }
}

fn contents(turns: &[Turn<'_>], insists: bool) -> Vec<Value> {
    let current = current(turns);
    let mut dialogue = Dialogue::default();
    if lacks_beginning(turns) {
        dialogue.say("user", [text(BEGINNING)]);
    }
    for (place, turn) in turns.iter().enumerate() {
        match turn {
            Turn::User {
                text: words,
                images,
            } => {
                let words = (!words.is_empty()).then(|| text(words));
                dialogue.say("user", images.iter().map(image).chain(words));
            }
            Turn::Assistant {
                text: words,
                thoughts,
                calls,
            } => {
                let words = (!words.is_empty()).then(|| said(words, thoughts));
                let mut asked: Vec<Value> = calls.iter().map(call).collect();
                // Parallel calls are signed together, by the first of them.
                if let Some(first) = asked.first_mut()
                    && first.get("thoughtSignature").is_none()
                    && insists
                    && place >= current
                {
                    put(first, "thoughtSignature", Some(UNSIGNED));
                }
                dialogue.say("model", words.into_iter().chain(asked));
                dialogue.say("user", calls.iter().map(response));
            }
        }
    }
    dialogue.messages(|side, parts| json!({"role": side, "parts": parts}))
}

fn text(words: &str) -> Value {
    json!({"text": words})
}

/// Words of the model with the last signature that came with them.
fn said(words: &str, signatures: &[&str]) -> Value {
    let mut part = text(words);
    put(&mut part, "thoughtSignature", signatures.last().copied());
    part
}

fn image(image: &Image) -> Value {
    json!({"inlineData": {"mimeType": image.media_type, "data": base64(image)}})
}

fn call(call: &Call<'_>) -> Value {
    let function = json!({"id": call.id, "name": call.name, "args": call.object()});
    let mut part = json!({"functionCall": function});
    put(&mut part, "thoughtSignature", call.signature);
    part
}

fn response(call: &Call<'_>) -> Value {
    let key = if call.failed { "error" } else { "result" };
    let response = json!({"id": call.id, "name": call.name, "response": {key: call.result}});
    json!({"functionResponse": response})
}

fn tool(tool: &Tool) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "parametersJsonSchema": schema(tool),
    })
}

/// Whether the model is of the third generation or later, which thinks in
/// levels and insists on its signatures. A name without a number is that of
/// the latest.
fn is_third(model: &str) -> bool {
    let version = version(model);
    model.contains("gemini") && (version >= (3, 0) || version == (0, 0))
}

fn level(thinking: Thinking) -> Value {
    let level = match thinking {
        // The least that every model has.
        Thinking::Off | Thinking::Low => "low",
        Thinking::Medium => "medium",
        Thinking::High => "high",
    };
    json!({"includeThoughts": thinking != Thinking::Off, "thinkingLevel": level})
}

fn budget(thinking: Thinking) -> Value {
    let budget = match thinking {
        Thinking::Off => 0,
        Thinking::Low => 1024,
        Thinking::Medium => 8192,
        Thinking::High => 24_576,
    };
    json!({"includeThoughts": budget > 0, "thinkingBudget": budget})
}
