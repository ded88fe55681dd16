//! Google's `generateContent`.

use kaiwa_domain::{Brief, Thinking, Tool};
use serde_json::{Value, json};

use crate::format::{Request, decimal, put, schema, speaker};
use crate::{Endpoint, http};

mod decode;
mod partial;

pub(super) use decode::GeminiDecoder;

/// `POST {base_url}/models/{model}:streamGenerateContent`.
pub(super) fn request(endpoint: &Endpoint, brief: &Brief) -> Request {
    let manner = &brief.manner;
    let line = |line: &kaiwa_domain::Line| json!({"role": speaker(line, "model"), "parts": [{"text": line.text()}]});
    let mut settings = json!({});
    put(
        &mut settings,
        "maxOutputTokens",
        endpoint.output_limit(brief),
    );
    put(
        &mut settings,
        "temperature",
        manner.temperature.map(decimal),
    );
    put(&mut settings, "topP", manner.top_p.map(decimal));
    let stop = (!manner.stop.is_empty()).then(|| manner.stop.clone());
    put(&mut settings, "stopSequences", stop);
    put(
        &mut settings,
        "thinkingConfig",
        manner.thinking.map(thinking),
    );
    let mut body = json!({
        "systemInstruction": {"parts": [{"text": brief.system}]},
        "contents": brief.lines.iter().map(line).collect::<Vec<_>>(),
        "generationConfig": settings,
    });
    let tool = |tool: &Tool| {
        json!({
            "name": tool.name,
            "description": tool.description,
            "parametersJsonSchema": schema(tool),
        })
    };
    let tools: Vec<Value> = brief.tools.iter().map(tool).collect();
    let tools = (!tools.is_empty()).then(|| json!([{"functionDeclarations": tools}]));
    put(&mut body, "tools", tools);
    let model = endpoint
        .model
        .strip_prefix("models/")
        .unwrap_or(&endpoint.model);
    let mut url = http::under(&endpoint.base_url, "models");
    if let Ok(mut path) = url.path_segments_mut() {
        path.push(&format!("{model}:streamGenerateContent"));
    }
    url.query_pairs_mut().append_pair("alt", "sse");
    Request {
        url,
        headers: &[],
        body,
    }
}

fn thinking(thinking: Thinking) -> Value {
    let budget = match thinking {
        Thinking::Off => 0,
        Thinking::Low => 1024,
        Thinking::Medium => 8192,
        Thinking::High => 24_576,
    };
    json!({"includeThoughts": budget > 0, "thinkingBudget": budget})
}
