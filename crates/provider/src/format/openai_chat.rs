//! OpenAI's chat completions, which most servers speak.

use kaiwa_domain::{Brief, Thinking, Tool};
use serde_json::{Value, json};

use crate::format::{Request, decimal, put, schema, speaker};
use crate::vendor::Effort;
use crate::{Endpoint, http};

mod decode;

pub(super) use decode::ChatDecoder;

/// `POST {base_url}/chat/completions`.
pub(super) fn request(endpoint: &Endpoint, brief: &Brief) -> Request {
    let manner = &brief.manner;
    let quirks = endpoint.quirks;
    let mut body = json!({
        "model": endpoint.model,
        "messages": messages(brief),
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
    put(&mut body, limit, endpoint.output_limit(brief));
    put(&mut body, "temperature", manner.temperature.map(decimal));
    put(&mut body, "top_p", manner.top_p.map(decimal));
    put(
        &mut body,
        "stop",
        (!manner.stop.is_empty()).then(|| manner.stop.clone()),
    );
    put(&mut body, "tools", tools(brief));
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
        headers: &[],
        body,
    }
}

/// The system text and the lines. Ollama takes them in the same shape.
pub(super) fn messages(brief: &Brief) -> Vec<Value> {
    let system = json!({"role": "system", "content": brief.system});
    let lines = brief
        .lines
        .iter()
        .map(|line| json!({"role": speaker(line, "assistant"), "content": line.text()}));
    std::iter::once(system).chain(lines).collect()
}

/// The tools, if there are any. Ollama takes them in the same shape.
pub(super) fn tools(brief: &Brief) -> Option<Value> {
    let tool = |tool: &Tool| {
        let function = json!({
            "name": tool.name,
            "description": tool.description,
            "parameters": schema(tool),
        });
        json!({"type": "function", "function": function})
    };
    let tools: Vec<Value> = brief.tools.iter().map(tool).collect();
    (!tools.is_empty()).then(|| tools.into())
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
