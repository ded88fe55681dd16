//! OpenAI's responses.

use kaiwa_domain::{Brief, Tool};
use serde_json::{Value, json};

use crate::format::openai_chat::effort;
use crate::format::{Request, decimal, put, schema, speaker};
use crate::{Endpoint, http};

mod decode;
mod wire;

pub(super) use decode::ResponsesDecoder;

/// `POST {base_url}/responses`. Stop strings do not exist here.
pub(super) fn request(endpoint: &Endpoint, brief: &Brief) -> Request {
    let manner = &brief.manner;
    let line = |line: &kaiwa_domain::Line| json!({"role": speaker(line, "assistant"), "content": line.text()});
    let mut body = json!({
        "model": endpoint.model,
        "instructions": brief.system,
        "input": brief.lines.iter().map(line).collect::<Vec<_>>(),
        "stream": true,
        // Conversations are kept by us and nobody else.
        "store": false,
    });
    put(&mut body, "max_output_tokens", endpoint.output_limit(brief));
    put(&mut body, "temperature", manner.temperature.map(decimal));
    put(&mut body, "top_p", manner.top_p.map(decimal));
    if let Some(thinking) = manner.thinking {
        let reasoning = json!({"effort": effort(thinking), "summary": "auto"});
        put(&mut body, "reasoning", Some(reasoning));
        put(
            &mut body,
            "include",
            Some(json!(["reasoning.encrypted_content"])),
        );
    }
    let tool = |tool: &Tool| {
        json!({
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": schema(tool),
            "strict": false,
        })
    };
    let tools: Vec<Value> = brief.tools.iter().map(tool).collect();
    put(&mut body, "tools", (!tools.is_empty()).then_some(tools));
    Request {
        url: http::under(&endpoint.base_url, "responses"),
        headers: &[],
        body,
    }
}
