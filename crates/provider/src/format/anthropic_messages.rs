//! Anthropic's messages.

use kaiwa_domain::{Brief, Line, Thinking, Tool};
use serde_json::{Value, json};

use crate::format::{Request, decimal, put, schema, speaker};
use crate::{Endpoint, http};

mod decode;

pub(super) use decode::MessagesDecoder;

/// The format insists on a limit.
const MAX_TOKENS: u32 = 8192;

/// `POST {base_url}/messages`.
///
/// The parts that stay the same from turn to turn come first and are marked
/// for the vendor's cache: tools, system text, then the conversation.
pub(super) fn request(endpoint: &Endpoint, brief: &Brief) -> Request {
    let manner = &brief.manner;
    let limit = endpoint.output_limit(brief).unwrap_or(MAX_TOKENS);
    let mut body = json!({
        "model": endpoint.model,
        "system": [cached(json!({"type": "text", "text": brief.system}))],
        "messages": messages(brief),
        "stream": true,
        "max_tokens": limit,
    });
    match budget(manner.thinking) {
        // Thoughts count as output, and leave no choice of sampling.
        Some(budget) => {
            put(&mut body, "max_tokens", Some(limit.saturating_add(budget)));
            let thinking = json!({"type": "enabled", "budget_tokens": budget});
            put(&mut body, "thinking", Some(thinking));
        }
        None => {
            put(&mut body, "temperature", manner.temperature.map(decimal));
            put(&mut body, "top_p", manner.top_p.map(decimal));
        }
    }
    let stop = (!manner.stop.is_empty()).then(|| manner.stop.clone());
    put(&mut body, "stop_sequences", stop);
    let tool = |tool: &Tool| json!({"name": tool.name, "description": tool.description, "input_schema": schema(tool)});
    let tools: Vec<Value> = brief.tools.iter().map(tool).collect();
    put(&mut body, "tools", (!tools.is_empty()).then_some(tools));
    Request {
        url: http::under(&endpoint.base_url, "messages"),
        headers: &[("anthropic-version", "2023-06-01")],
        body,
    }
}

fn messages(brief: &Brief) -> Vec<Value> {
    let block = |text: &str| json!({"type": "text", "text": text});
    let mut messages = Vec::new();
    // A conversation has to begin with the user.
    if brief
        .lines
        .first()
        .is_none_or(|line| matches!(line, Line::Assistant { .. }))
    {
        messages.push(json!({"role": "user", "content": [block("(earlier)")]}));
    }
    for (place, line) in brief.lines.iter().enumerate() {
        // Empty texts are refused.
        let text = match line.text().trim().is_empty() {
            true => "…",
            false => line.text(),
        };
        let content = match place + 1 == brief.lines.len() {
            true => cached(block(text)),
            false => block(text),
        };
        messages.push(json!({"role": speaker(line, "assistant"), "content": [content]}));
    }
    messages
}

/// Marks the end of what the vendor may keep.
fn cached(mut block: Value) -> Value {
    put(
        &mut block,
        "cache_control",
        Some(json!({"type": "ephemeral"})),
    );
    block
}

/// How many tokens of thought to allow.
const fn budget(thinking: Option<Thinking>) -> Option<u32> {
    match thinking {
        None | Some(Thinking::Off) => None,
        Some(Thinking::Low) => Some(1024),
        Some(Thinking::Medium) => Some(4096),
        Some(Thinking::High) => Some(16_384),
    }
}
