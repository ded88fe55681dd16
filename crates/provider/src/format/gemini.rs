//! Google's `generateContent`.

use kaiwa_domain::{Brief, Image, Thinking, Tool};
use serde_json::{Value, json};

use crate::format::conversation::{AnsweredCall, DialogueTurn, Wording, current, dialogue, turns};
use crate::format::{self, Request, base64, decimal, put, schema, version};
use crate::{Endpoint, http};

mod decode;
mod partial;

pub(super) use decode::GeminiDecoder;

/// The field that every part may have.
const SIGNATURE: &str = "thoughtSignature";

/// Stands for the signature of a call that another model made. The vendor
/// insists on one, and takes this for it.
const UNSIGNED: &str = "skip_thought_signature_validator";

/// `POST {base_url}/models/{model}:streamGenerateContent`.
pub(super) fn request(endpoint: &Endpoint, brief: &Brief) -> Request {
    let manner = &brief.manner;
    let model = endpoint.model.as_str();
    let model = model.strip_prefix("models/").unwrap_or(model);
    let limit = brief.manner.max_output_tokens;
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
    let system =
        (!brief.system.is_empty()).then(|| json!({"parts": [GeminiWording::text(&brief.system)]}));
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

fn contents(turns: &[DialogueTurn<'_>], insists: bool) -> Vec<Value> {
    let parts = GeminiWording {
        insists_from: if insists { current(turns) } else { turns.len() },
    };
    let content = |(side, parts)| json!({"role": side, "parts": parts});
    dialogue(turns, &parts).into_iter().map(content).collect()
}

struct GeminiWording {
    /// From this turn on every call must be signed.
    insists_from: usize,
}

impl Wording for GeminiWording {
    const MODEL: &'static str = "model";

    fn text(words: &str) -> Value {
        json!({"text": words})
    }

    fn image(image: &Image) -> Value {
        json!({"inlineData": {"mimeType": image.media_type, "data": base64(image)}})
    }

    fn said(
        &self,
        place: usize,
        words: &str,
        signatures: &[&str],
        calls: &[AnsweredCall<'_>],
    ) -> Vec<Value> {
        let mut parts = Vec::new();
        if !words.is_empty() {
            let mut part = Self::text(words);
            put(&mut part, SIGNATURE, signatures.last().copied());
            parts.push(part);
        }
        for (number, call) in calls.iter().enumerate() {
            let function = json!({"id": call.id, "name": call.name, "args": call.object()});
            let mut part = json!({"functionCall": function});
            // Parallel calls are signed together, by the first of them.
            let insists = number == 0 && place >= self.insists_from;
            let signature = call.signature.or(insists.then_some(UNSIGNED));
            put(&mut part, SIGNATURE, signature);
            parts.push(part);
        }
        parts
    }

    fn result(call: &AnsweredCall<'_>) -> Value {
        let key = if call.failed { "error" } else { "result" };
        let response = json!({"id": call.id, "name": call.name, "response": {key: call.result}});
        json!({"functionResponse": response})
    }
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
