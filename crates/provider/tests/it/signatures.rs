//! What a vendor wants back, it gets back; nobody else gets it.

use kaiwa_domain::{
    Brief, Delta, Line, Manner, ModelError, SealedThought, Thinking, Thought, ThoughtKind,
    ToolResult,
};
use kaiwa_provider::{Endpoint, Vendor};
use serde_json::{Value, json};

use crate::requests::sent;
use crate::test_server::{TestServer, ask_with, brief, collect, reply};

/// An answer, and what of it stands in the next request.
struct Case {
    vendor: &'static str,
    model: &'static str,
    answer: Vec<Value>,
    /// Where in the request to look.
    place: &'static str,
    /// What stands there if the same model is asked.
    own: Value,
    /// And another model of the same vendor.
    other: (&'static str, Value),
}

impl Case {
    fn endpoint(&self, server: &TestServer, model: &str) -> Endpoint {
        let vendor = Vendor::named(self.vendor).unwrap();
        Endpoint::at(vendor, server.base.clone(), model.to_owned())
    }

    async fn check(self) {
        let events = self.answer.iter().map(|event| format!("data: {event}\n\n"));
        let events: String = events.collect();
        let server = TestServer::new([reply(200, "text/event-stream", events)]).await;
        let endpoint = self.endpoint(&server, self.model);
        let answer = collect(ask_with(endpoint, &server.clock, asking(Vec::new()))).await;
        let said = lines(answer);
        for (model, expect) in [(self.model, &self.own), (self.other.0, &self.other.1)] {
            let endpoint = |server: &TestServer| self.endpoint(server, model);
            let body = sent(endpoint, asking(said.clone())).await;
            let found = body.pointer(self.place).cloned().unwrap_or_default();
            assert_eq!(found, *expect, "{}/{model}: {body}", self.vendor);
        }
    }
}

fn asking(more: Vec<Line>) -> Brief {
    let lines = [Line::user("Ada: tea?".to_owned())].into_iter().chain(more);
    Brief {
        lines: lines.collect(),
        manner: Manner {
            thinking: Some(Thinking::Low),
            ..Manner::default()
        },
        ..brief()
    }
}

/// What the conversation keeps of an answer, with a result for every call.
fn lines(answer: Vec<Result<Delta, ModelError>>) -> Vec<Line> {
    let (mut text, mut thoughts, mut calls) = (String::new(), Vec::new(), Vec::new());
    let mut thought = String::new();
    for delta in answer {
        match delta.unwrap() {
            Delta::Text(more) => text.push_str(&more),
            Delta::Thought(more) => thought.push_str(&more.text),
            Delta::Signature(signature) => thoughts.push(SealedThought {
                thought: Thought {
                    kind: ThoughtKind::Raw,
                    text: std::mem::take(&mut thought),
                },
                signature,
            }),
            Delta::ToolCall(call) => calls.push(call),
            _ => {}
        }
    }
    let results: Vec<Line> = calls
        .iter()
        .map(|call| {
            Line::Tool(ToolResult {
                call: call.id.clone(),
                name: call.name.clone(),
                text: "hot".to_owned(),
                failed: false,
            })
        })
        .collect();
    let said = Line::Assistant {
        text,
        thoughts,
        calls,
    };
    std::iter::once(said).chain(results).collect()
}

#[tokio::test]
async fn anthropic_gets_its_thoughts_before_the_calls() {
    let start = |index: u64, block: Value| json!({"type": "content_block_start", "index": index, "content_block": block});
    let delta = |delta: Value| json!({"type": "content_block_delta", "index": 0, "delta": delta});
    let stop = |index: u64| json!({"type": "content_block_stop", "index": index});
    let answer = vec![
        start(
            0,
            json!({"type": "thinking", "thinking": "", "signature": ""}),
        ),
        delta(json!({"type": "thinking_delta", "thinking": "Green"})),
        delta(json!({"type": "thinking_delta", "thinking": " or black?"})),
        delta(json!({"type": "signature_delta", "signature": "c2ln"})),
        stop(0),
        start(1, json!({"type": "redacted_thinking", "data": "eHh4"})),
        stop(1),
        start(2, json!({"type": "text", "text": "Let me see."})),
        stop(2),
        start(
            3,
            json!({"type": "tool_use", "id": "toolu_1", "name": "brew", "input": {"minutes": 3}}),
        ),
        stop(3),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
        json!({"type": "message_stop"}),
    ];
    let rest = [
        json!({"type": "text", "text": "Let me see."}),
        json!({"type": "tool_use", "id": "toolu_1", "name": "brew", "input": {"minutes": 3}}),
    ];
    let mut own = vec![
        json!({"type": "thinking", "thinking": "Green or black?", "signature": "c2ln"}),
        json!({"type": "redacted_thinking", "data": "eHh4"}),
    ];
    own.extend(rest.clone());
    let case = |place, own, other| Case {
        vendor: "anthropic",
        model: "claude-haiku-4-5",
        answer: answer.clone(),
        place,
        own,
        other,
    };
    let other = "claude-sonnet-4-5";
    case("/messages/1/content", own.into(), (other, json!(rest)))
        .check()
        .await;
    // Without a thought to begin with, more must not be asked for.
    let thinking = json!({"type": "enabled", "budget_tokens": 1024});
    case("/thinking", thinking, (other, Value::Null))
        .check()
        .await;
}

#[tokio::test]
async fn gemini_gets_signatures_on_their_parts() {
    let chunk = |parts: Value| json!({"candidates": [{"content": {"parts": parts}}]});
    let finish = json!({"candidates": [{"finishReason": "STOP"}]});
    let function = |id: &str| json!({"id": id, "name": "brew", "args": {}});
    let called = vec![
        chunk(json!([{"text": "Hm.", "thought": true}])),
        chunk(json!([
            {"functionCall": function("a"), "thoughtSignature": "c2ln"},
            {"functionCall": function("b")},
        ])),
        finish.clone(),
    ];
    let parts = |signature: Value| {
        let mut first = json!({"functionCall": function("a")});
        if !signature.is_null() {
            first["thoughtSignature"] = signature;
        }
        json!([first, {"functionCall": function("b")}])
    };
    let case = |model, other| Case {
        vendor: "google",
        model,
        answer: called.clone(),
        place: "/contents/1/parts",
        own: parts(json!("c2ln")),
        other,
    };
    let placeholder = json!("skip_thought_signature_validator");
    case("gemini-3.8-flash", ("gemini-2.5-pro", parts(Value::Null)))
        .check()
        .await;
    case("gemini-2.5-pro", ("gemini-3.8-flash", parts(placeholder)))
        .check()
        .await;
    Case {
        answer: vec![
            chunk(json!([{"text": "Green"}])),
            chunk(json!([{"text": "", "thoughtSignature": "c2ln"}])),
            finish,
        ],
        own: json!([{"text": "Green", "thoughtSignature": "c2ln"}]),
        ..case(
            "gemini-3.8-flash",
            ("gemini-3.9-pro", json!([{"text": "Green"}])),
        )
    }
    .check()
    .await;
}

#[tokio::test]
async fn openai_gets_its_reasoning_items() {
    let reasoning = json!({"type": "reasoning", "id": "rs_1", "encrypted_content": "eHh4",
        "summary": [{"type": "summary_text", "text": "Hm."}]});
    let call =
        json!({"type": "function_call", "call_id": "call_1", "name": "brew", "arguments": "{}"});
    let mut item = call.clone();
    item["id"] = json!("fc_1");
    let done = |index: u64, item: &Value| json!({"type": "response.output_item.done", "output_index": index, "item": item});
    let output = json!({"type": "function_call_output", "call_id": "call_1", "output": "hot"});
    let user = json!({"role": "user", "content": "Ada: tea?"});
    Case {
        vendor: "openai",
        model: "gpt-5",
        answer: vec![
            json!({"type": "response.reasoning_summary_text.delta", "output_index": 0, "item_id": "rs_1", "delta": "Hm."}),
            done(0, &reasoning),
            done(1, &item),
            json!({"type": "response.completed", "response": {"status": "completed", "output": [reasoning, item]}}),
        ],
        place: "/input",
        own: json!([user, reasoning, call, output]),
        other: ("gpt-5-mini", json!([user, call, output])),
    }
    .check()
    .await;
}

fn chat(delta: &Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta}]})
}

fn chat_call(extra: Option<Value>) -> Value {
    let mut call =
        json!({"id": "a", "type": "function", "function": {"name": "brew", "arguments": "{}"}});
    if let Some(extra) = extra {
        call["extra_content"] = extra;
    }
    call
}

#[tokio::test]
async fn chat_servers_get_the_fields_that_they_sent() {
    let detail = |more: Value| {
        let mut detail =
            json!({"type": "reasoning.text", "format": "anthropic-claude-v1", "index": 0});
        detail
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        chat(&json!({"reasoning_details": [detail], "reasoning": more.get("text")}))
    };
    let called = |call: Value| {
        [
            chat(&json!({"tool_calls": [call]})),
            json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}),
        ]
    };
    let message = |more: Value, call: Value| {
        let mut message = json!({"role": "assistant", "content": "", "tool_calls": [call]});
        message
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        message
    };
    let mut answer = vec![
        detail(json!({"text": "Green"})),
        detail(json!({"text": " or black?"})),
        detail(json!({"signature": "c2ln"})),
    ];
    answer.extend(called(chat_call(None)));
    let merged = json!([{"type": "reasoning.text", "format": "anthropic-claude-v1", "index": 0,
        "text": "Green or black?", "signature": "c2ln"}]);
    let place = "/messages/2";
    Case {
        vendor: "openrouter",
        model: "anthropic/claude",
        answer,
        place,
        own: message(json!({"reasoning_details": merged}), chat_call(None)),
        other: ("openai/gpt", message(json!({}), chat_call(None))),
    }
    .check()
    .await;

    let mut answer = vec![
        chat(&json!({"reasoning_content": "Green"})),
        chat(&json!({"reasoning_content": " or black?"})),
    ];
    answer.extend(called(chat_call(None)));
    Case {
        vendor: "deepseek",
        model: "deepseek-flash",
        answer,
        place,
        own: message(
            json!({"reasoning_content": "Green or black?"}),
            chat_call(None),
        ),
        other: (
            "deepseek-v4-pro",
            message(json!({"reasoning_content": ""}), chat_call(None)),
        ),
    }
    .check()
    .await;

    // Thoughts that led to no call are not wanted back.
    let plain = json!({"role": "assistant", "content": "Green"});
    Case {
        vendor: "deepseek",
        model: "deepseek-flash",
        answer: vec![
            chat(&json!({"reasoning_content": "Hm."})),
            chat(&json!({"content": "Green"})),
            json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}),
        ],
        place,
        own: plain.clone(),
        other: ("deepseek-v4-pro", plain),
    }
    .check()
    .await;

    let extra = Some(json!({"google": {"thought_signature": "c2ln"}}));
    Case {
        vendor: "together",
        model: "gemini",
        answer: called(chat_call(extra.clone())).to_vec(),
        place,
        own: message(json!({}), chat_call(extra)),
        other: ("gemma", message(json!({}), chat_call(None))),
    }
    .check()
    .await;
}
