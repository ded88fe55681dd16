//! Anthropic's messages.

use std::collections::BTreeSet;

use kaiwa_domain::{Brief, Image, Thinking, Tool};
use serde_json::{Value, json};

use crate::format::conversation::{
    AnsweredCall, DialogueTurn, USER, Wording, current, dialogue, turns,
};
use crate::format::openai_chat::effort;
use crate::format::{self, Request, base64, decimal, listed, put, schema, version};
use crate::{Endpoint, http};

mod decode;

pub(super) use decode::MessagesDecoder;

/// The format insists on a limit.
const MAX_TOKENS: u32 = 8192;

/// How many messages of the user are marked: the last, and the one before,
/// whose mark the vendor knows from the request before.
const MARKED: usize = 2;

/// `POST {base_url}/messages`.
///
/// The parts that stay the same from turn to turn come first and are marked
/// for the vendor's cache: tools, system text, then the conversation. Four
/// marks are allowed.
pub(super) fn request(endpoint: &Endpoint, brief: &Brief) -> Request {
    let manner = &brief.manner;
    let turns = turns(endpoint, brief);
    let mut limit = brief.manner.max_output_tokens.unwrap_or(MAX_TOKENS);
    let mut body = json!({
        "model": endpoint.model,
        "messages": messages(&turns),
        "stream": true,
    });
    let thoughts = thoughts(endpoint, manner.thinking, &turns);
    for (name, value) in thoughts.fields {
        put(&mut body, name, Some(value));
    }
    // Thoughts count as output, and leave no choice of sampling.
    limit = limit.saturating_add(thoughts.tokens);
    if thoughts.tokens == 0 {
        put(&mut body, "temperature", manner.temperature.map(decimal));
        put(&mut body, "top_p", manner.top_p.map(decimal));
    }
    put(&mut body, "max_tokens", Some(limit));
    put(&mut body, "stop_sequences", format::stop(brief));
    if !brief.system.is_empty() {
        let mut system = vec![Blocks::text(&brief.system)];
        mark(system.last_mut());
        put(&mut body, "system", Some(system));
    }
    let mut tools = format::tools(brief, tool).unwrap_or_default();
    if tools.is_empty() {
        // Calls in the conversation are refused where there are no tools.
        tools = bygone(&turns);
        let none = (!tools.is_empty()).then(|| json!({"type": "none"}));
        put(&mut body, "tool_choice", none);
    }
    mark(tools.last_mut());
    put(&mut body, "tools", listed(tools));
    Request {
        url: http::under(&endpoint.base_url, "messages"),
        body,
    }
}

fn messages(turns: &[DialogueTurn<'_>]) -> Vec<Value> {
    let mut messages = dialogue(turns, &Blocks);
    let users = messages.iter_mut().rev().filter(|(side, _)| *side == USER);
    for (_, blocks) in users.take(MARKED) {
        mark(blocks.last_mut());
    }
    let message = |(side, blocks)| json!({"role": side, "content": blocks});
    messages.into_iter().map(message).collect()
}

/// The vendor's word for parts.
struct Blocks;

impl Wording for Blocks {
    const MODEL: &'static str = "assistant";

    fn text(words: &str) -> Value {
        json!({"type": "text", "text": words})
    }

    fn image(image: &Image) -> Value {
        let source = json!({
            "type": "base64",
            "media_type": image.media_type,
            "data": base64(image),
        });
        json!({"type": "image", "source": source})
    }

    fn said(
        &self,
        _: usize,
        words: &str,
        thoughts: &[&str],
        calls: &[AnsweredCall<'_>],
    ) -> Vec<Value> {
        let thoughts = thoughts.iter().map(|opaque| serde_json::from_str(opaque));
        let words = (!words.is_empty()).then(|| Self::text(words));
        let asked = calls.iter().map(|call| {
            json!({
                "type": "tool_use",
                "id": call.id,
                "name": call.name,
                "input": call.object(),
            })
        });
        let thoughts = thoughts.filter_map(Result::ok);
        thoughts.chain(words).chain(asked).collect()
    }

    fn result(call: &AnsweredCall<'_>) -> Value {
        json!({
            "type": "tool_result",
            "tool_use_id": call.id,
            "content": call.result,
            "is_error": call.failed,
        })
    }
}

fn tool(tool: &Tool) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "input_schema": schema(tool),
    })
}

/// The tools that were asked for, as far as it can be told from the calls.
fn bygone(turns: &[DialogueTurn<'_>]) -> Vec<Value> {
    let calls = turns.iter().flat_map(|turn| match turn {
        DialogueTurn::Assistant { calls, .. } => calls.as_slice(),
        DialogueTurn::User { .. } => &[],
    });
    let names: BTreeSet<&str> = calls.map(|call| call.name).collect();
    let tool = |name| json!({"name": name, "input_schema": {"type": "object"}});
    names.into_iter().map(tool).collect()
}

/// Marks the end of what the vendor may keep.
fn mark(block: Option<&mut Value>) {
    if let Some(block) = block {
        put(block, "cache_control", Some(json!({"type": "ephemeral"})));
    }
}

/// How thoughts are asked for, and how many tokens they may take.
#[derive(Default)]
struct Thoughts {
    fields: Vec<(&'static str, Value)>,
    tokens: u32,
}

fn thoughts(
    endpoint: &Endpoint,
    thinking: Option<Thinking>,
    turns: &[DialogueTurn<'_>],
) -> Thoughts {
    let Some(thinking) = thinking else {
        return Thoughts::default();
    };
    let tokens = match thinking {
        Thinking::Off => 0,
        Thinking::Low => 1024,
        Thinking::Medium => 4096,
        Thinking::High => 16_384,
    };
    let fields = match (is_adaptive(&endpoint.model), tokens) {
        // These think unless they are told not to.
        (true, 0) => vec![("thinking", json!({"type": "disabled"}))],
        (true, _) => vec![
            ("thinking", json!({"type": "adaptive"})),
            ("output_config", json!({"effort": effort(thinking)})),
        ],
        (false, tokens) if tokens > 0 && may_think(turns) => {
            let budget = json!({"type": "enabled", "budget_tokens": tokens});
            vec![("thinking", budget)]
        }
        (false, _) => return Thoughts::default(),
    };
    Thoughts { fields, tokens }
}

/// Whether the model itself decides how much to think, and takes no budget.
fn is_adaptive(model: &str) -> bool {
    model.contains("claude") && version(model) >= (4, 6)
}

/// Whether thoughts can be asked for. A model that is about to go on after its
/// tools must have begun with a thought, which it has not if another model
/// asked for them.
fn may_think(turns: &[DialogueTurn<'_>]) -> bool {
    match turns.get(current(turns)) {
        Some(DialogueTurn::Assistant { thoughts, .. }) => !thoughts.is_empty(),
        _ => true,
    }
}
