//! What is sent: one conversation with everything in it, in every format.

use std::sync::Arc;

use kaiwa_domain::{
    Brief, Image, Line, Manner, SealedThought, Thinking, Thought, ThoughtKind, Tool, ToolCall,
    ToolResult, When,
};
use kaiwa_provider::{Endpoint, Format, Vendor};
use serde_json::{Value, json};

use crate::test_server::{TestServer, ask_with, brief, collect, reply};

pub(crate) async fn sent(endpoint: impl FnOnce(&TestServer) -> Endpoint, brief: Brief) -> Value {
    let mut server = TestServer::new([reply(200, "application/json", "{}")]).await;
    collect(ask_with(endpoint(&server), &server.clock, brief)).await;
    server.body().await
}

async fn sent_in(format: Format, lines: Vec<Line>) -> Value {
    let lines = Brief { lines, ..brief() };
    let body = sent(|server| server.endpoint_of(format), lines).await;
    let names = ["messages", "input", "contents"];
    names
        .iter()
        .find_map(|name| body.get(name))
        .unwrap()
        .clone()
}

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
        signature: Some("somebody else's".to_owned()),
    }
}

fn asked(text: &str, calls: Vec<ToolCall>) -> Line {
    Line::Assistant {
        text: text.to_owned(),
        thoughts: vec![SealedThought {
            thought: Thought {
                kind: ThoughtKind::Raw,
                text: "Hm.".to_owned(),
            },
            signature: "somebody else's".to_owned(),
        }],
        calls,
    }
}

fn found(call: &str, text: &str, failed: bool) -> Line {
    Line::Tool(ToolResult {
        call: call.to_owned(),
        name: "whatever".to_owned(),
        text: text.to_owned(),
        failed,
    })
}

fn shown(text: &str) -> Line {
    Line::User {
        text: text.to_owned(),
        images: vec![Image {
            media_type: "image/jpeg",
            bytes: Arc::from(*b"tea?"),
        }],
    }
}

/// An image, parallel calls whose results come in another order, one that
/// failed, one that nobody answered, and two people in a row.
fn conversation() -> Vec<Line> {
    vec![
        shown("Ada: look"),
        asked(
            "Let me see. ",
            vec![
                call("a", "brew", r#"{"minutes":3}"#),
                call("b", "pour", "{}"),
                call("c", "pour", "{"),
            ],
        ),
        found("b", "spilt", true),
        found("a", "hot", false),
        found("z", "nobody asked", false),
        Line::user("Ada: and?".to_owned()),
        Line::user("Bob: me too".to_owned()),
    ]
}

#[tokio::test]
async fn everything_has_its_place() {
    let base64 = "dGVhPw==";
    let url = "data:image/jpeg;base64,dGVhPw==";
    let cached = json!({"type": "ephemeral"});
    for (format, expect) in [
        (
            Format::OpenAiChat,
            json!([
                {"role": "system", "content": "You pour tea."},
                {"role": "user", "content": [
                    {"type": "image_url", "image_url": {"url": url}},
                    {"type": "text", "text": "Ada: look"},
                ]},
                {"role": "assistant", "content": "Let me see.", "reasoning_content": "", "tool_calls": [
                    {"id": "a", "type": "function",
                        "function": {"name": "brew", "arguments": "{\"minutes\":3}"}},
                    {"id": "b", "type": "function", "function": {"name": "pour", "arguments": "{}"}},
                    {"id": "c", "type": "function", "function": {"name": "pour", "arguments": "{}"}},
                ]},
                {"role": "tool", "tool_call_id": "a", "content": "hot"},
                {"role": "tool", "tool_call_id": "b", "content": "spilt"},
                {"role": "tool", "tool_call_id": "c", "content": "(no result)"},
                {"role": "user", "content": "Ada: and?"},
                {"role": "user", "content": "Bob: me too"},
            ]),
        ),
        (
            Format::OpenAiResponses,
            json!([
                {"role": "user", "content": [
                    {"type": "input_image", "image_url": url},
                    {"type": "input_text", "text": "Ada: look"},
                ]},
                {"role": "assistant", "content": "Let me see."},
                {"type": "function_call", "call_id": "a", "name": "brew", "arguments": "{\"minutes\":3}"},
                {"type": "function_call", "call_id": "b", "name": "pour", "arguments": "{}"},
                {"type": "function_call", "call_id": "c", "name": "pour", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "a", "output": "hot"},
                {"type": "function_call_output", "call_id": "b", "output": "spilt"},
                {"type": "function_call_output", "call_id": "c", "output": "(no result)"},
                {"role": "user", "content": "Ada: and?"},
                {"role": "user", "content": "Bob: me too"},
            ]),
        ),
        (
            Format::AnthropicMessages,
            json!([
                {"role": "user", "content": [
                    {"type": "image", "source":
                        {"type": "base64", "media_type": "image/jpeg", "data": base64}},
                    {"type": "text", "text": "Ada: look", "cache_control": cached},
                ]},
                {"role": "assistant", "content": [
                    {"type": "text", "text": "Let me see."},
                    {"type": "tool_use", "id": "a", "name": "brew", "input": {"minutes": 3}},
                    {"type": "tool_use", "id": "b", "name": "pour", "input": {}},
                    {"type": "tool_use", "id": "c", "name": "pour", "input": {}},
                ]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "a", "content": "hot", "is_error": false},
                    {"type": "tool_result", "tool_use_id": "b", "content": "spilt", "is_error": true},
                    {"type": "tool_result", "tool_use_id": "c", "content": "(no result)",
                        "is_error": true},
                    {"type": "text", "text": "Ada: and?"},
                    {"type": "text", "text": "Bob: me too", "cache_control": cached},
                ]},
            ]),
        ),
        (
            Format::GeminiGenerateContent,
            json!([
                {"role": "user", "parts": [
                    {"inlineData": {"mimeType": "image/jpeg", "data": base64}},
                    {"text": "Ada: look"},
                ]},
                {"role": "model", "parts": [
                    {"text": "Let me see."},
                    {"functionCall": {"id": "a", "name": "brew", "args": {"minutes": 3}}},
                    {"functionCall": {"id": "b", "name": "pour", "args": {}}},
                    {"functionCall": {"id": "c", "name": "pour", "args": {}}},
                ]},
                {"role": "user", "parts": [
                    {"functionResponse": {"id": "a", "name": "brew", "response": {"result": "hot"}}},
                    {"functionResponse": {"id": "b", "name": "pour", "response": {"error": "spilt"}}},
                    {"functionResponse": {"id": "c", "name": "pour",
                        "response": {"error": "(no result)"}}},
                    {"text": "Ada: and?"},
                    {"text": "Bob: me too"},
                ]},
            ]),
        ),
        (
            Format::OllamaChat,
            json!([
                {"role": "system", "content": "You pour tea."},
                {"role": "user", "content": "Ada: look", "images": [base64]},
                {"role": "assistant", "content": "Let me see.", "tool_calls": [
                    {"function": {"name": "brew", "arguments": {"minutes": 3}}},
                    {"function": {"name": "pour", "arguments": {}}},
                    {"function": {"name": "pour", "arguments": {}}},
                ]},
                {"role": "tool", "tool_name": "brew", "content": "hot"},
                {"role": "tool", "tool_name": "pour", "content": "spilt"},
                {"role": "tool", "tool_name": "pour", "content": "(no result)"},
                {"role": "user", "content": "Ada: and?"},
                {"role": "user", "content": "Bob: me too"},
            ]),
        ),
    ] {
        assert_eq!(sent_in(format, conversation()).await, expect, "{format}");
    }
}

#[tokio::test]
async fn the_user_begins_and_nothing_is_blank() {
    let lines = vec![
        found("a", "left over from what was cut off", false),
        Line::assistant("Hello".to_owned()),
        Line::assistant(" \n".to_owned()),
        asked("", Vec::new()),
        Line::assistant("there".to_owned()),
        Line::user(" ".to_owned()),
        shown(""),
    ];
    let cached = json!({"type": "ephemeral"});
    let image = json!({"type": "base64", "media_type": "image/jpeg", "data": "dGVhPw=="});
    assert_eq!(
        sent_in(Format::AnthropicMessages, lines.clone()).await,
        json!([
            {"role": "user", "content": [{"type": "text", "text": "(earlier)", "cache_control": cached}]},
            {"role": "assistant", "content": [
                {"type": "text", "text": "Hello"}, {"type": "text", "text": "there"},
            ]},
            {"role": "user", "content": [
                {"type": "text", "text": "…"},
                {"type": "image", "source": image, "cache_control": cached},
            ]},
        ])
    );
    assert_eq!(
        sent_in(Format::GeminiGenerateContent, lines.clone()).await,
        json!([
            {"role": "user", "parts": [{"text": "(earlier)"}]},
            {"role": "model", "parts": [{"text": "Hello"}, {"text": "there"}]},
            {"role": "user", "parts": [
                {"text": "…"},
                {"inlineData": {"mimeType": "image/jpeg", "data": "dGVhPw=="}},
            ]},
        ])
    );
    assert_eq!(
        sent_in(Format::OllamaChat, lines).await,
        json!([
            {"role": "system", "content": "You pour tea."},
            {"role": "assistant", "content": "Hello"},
            {"role": "assistant", "content": "there"},
            {"role": "user", "content": "…"},
            {"role": "user", "content": "", "images": ["dGVhPw=="]},
        ])
    );
}

#[tokio::test]
async fn calls_go_by_names_that_the_vendor_takes() {
    async fn check(vendor: &str, ids: [&str; 3], expect: [&str; 3]) {
        let vendor = Vendor::named(vendor).unwrap();
        let turn = |id: &str| {
            [
                asked("", vec![call(id, "brew", "{}")]),
                found(id, &format!("of {id}"), false),
            ]
        };
        let lines = ids.iter().flat_map(|id| turn(id)).collect();
        let endpoint =
            |server: &TestServer| Endpoint::at(vendor, server.base.clone(), "tea".to_owned());
        let body = sent(endpoint, Brief { lines, ..brief() }).await;
        for (number, (own, sent)) in ids.iter().zip(expect).enumerate() {
            let [asked, found] = [1, 2].map(|place| &body["messages"][2 * number + place]);
            assert_eq!(asked["tool_calls"][0]["id"], sent, "{ids:?}");
            assert_eq!(found["tool_call_id"], sent, "{ids:?}");
            assert_eq!(found["content"], format!("of {own}"), "{ids:?}");
        }
    }
    check("groq", ["a", "b-_2", "Z"], ["a", "b-_2", "Z"]).await;
    let long = "x".repeat(41);
    check(
        "groq",
        ["call_0", "call_0", &long],
        ["call_0", "call00001", "call00002"],
    )
    .await;
    check(
        "groq",
        ["", "a.b", "茶"],
        ["call00000", "call00001", "call00002"],
    )
    .await;
    check(
        "mistral",
        ["abcdefgh9", "call_0", "abcdefgh-"],
        ["abcdefgh9", "call00001", "call00002"],
    )
    .await;
}

#[tokio::test]
async fn a_request_has_at_most_four_cache_marks() {
    let tool = |name: &str| Tool {
        name: name.into(),
        description: "".into(),
        schema: "{}".into(),
        when: When::InLoop,
    };
    let mut lines = conversation();
    lines.extend([Line::assistant("Here.".to_owned()), shown("Ada: thanks")]);
    let brief = Brief {
        lines,
        tools: vec![tool("brew"), tool("pour")],
        ..brief()
    };
    let body = sent(
        |server| server.endpoint_of(Format::AnthropicMessages),
        brief,
    )
    .await;
    assert_eq!(body.to_string().matches("cache_control").count(), 4);
    for place in [
        "/tools/1",
        "/system/0",
        "/messages/2/content/4",
        "/messages/4/content/1",
    ] {
        assert!(
            body.pointer(place).unwrap().get("cache_control").is_some(),
            "{place} of {body}"
        );
    }
}

#[tokio::test]
async fn tools_that_are_off_are_named_where_calls_need_them() {
    let asking = |lines| Brief { lines, ..brief() };
    let endpoint = |server: &TestServer| server.endpoint_of(Format::AnthropicMessages);
    let body = sent(endpoint, asking(conversation())).await;
    let tool = |name: &str| json!({"name": name, "input_schema": {"type": "object"}});
    let mut last = tool("pour");
    last["cache_control"] = json!({"type": "ephemeral"});
    assert_eq!(body["tools"], json!([tool("brew"), last]));
    assert_eq!(body["tool_choice"], json!({"type": "none"}));
    let body = sent(endpoint, brief()).await;
    assert_eq!((body.get("tools"), body.get("tool_choice")), (None, None));
}

#[tokio::test]
async fn thoughts_are_asked_for_as_the_model_wants_it() {
    async fn check(format: Format, model: &str, thinking: Thinking, expect: [(&str, Value); 2]) {
        let brief = Brief {
            manner: Manner {
                thinking: Some(thinking),
                max_output_tokens: Some(64),
                ..Manner::default()
            },
            ..brief()
        };
        let endpoint = |server: &TestServer| Endpoint {
            model: model.to_owned(),
            ..server.endpoint_of(format)
        };
        let body = sent(endpoint, brief).await;
        for (place, expect) in expect {
            let found = body.pointer(place).cloned().unwrap_or_default();
            assert_eq!(found, expect, "{model} {place}");
        }
    }
    let messages = Format::AnthropicMessages;
    let budget = json!({"type": "enabled", "budget_tokens": 1024});
    let disabled = json!({"type": "disabled"});
    for (model, thinking, expect, limit) in [
        (
            "claude-haiku-4-5-20251001",
            Thinking::Low,
            budget.clone(),
            64 + 1024,
        ),
        (
            "claude-opus-4-20250514",
            Thinking::Low,
            budget.clone(),
            64 + 1024,
        ),
        ("kimi-7", Thinking::Low, budget, 64 + 1024),
        (
            "claude-opus-4-6",
            Thinking::Low,
            json!({"type": "adaptive"}),
            64 + 1024,
        ),
        (
            "claude-sonnet-5",
            Thinking::High,
            json!({"type": "adaptive"}),
            64 + 16_384,
        ),
        ("claude-sonnet-5", Thinking::Off, disabled, 64),
        ("claude-haiku-4-5", Thinking::Off, Value::Null, 64),
    ] {
        let expect = [("/thinking", expect), ("/max_tokens", json!(limit))];
        check(messages, model, thinking, expect).await;
    }
    let level = "/generationConfig/thinkingConfig/thinkingLevel";
    let budget = "/generationConfig/thinkingConfig/thinkingBudget";
    for (model, thinking, words, number) in [
        ("gemini-2.5-flash", Thinking::Off, Value::Null, json!(0)),
        (
            "models/gemini-3.8-flash",
            Thinking::Off,
            json!("low"),
            Value::Null,
        ),
        (
            "gemini-flash-latest",
            Thinking::High,
            json!("high"),
            Value::Null,
        ),
    ] {
        let expect = [(level, words), (budget, number)];
        check(Format::GeminiGenerateContent, model, thinking, expect).await;
    }
    let none = || ("/options/think", Value::Null);
    for (model, thinking, expect) in [
        ("qwen3", Thinking::High, json!(true)),
        ("qwen3", Thinking::Off, json!(false)),
        ("gpt-oss:20b", Thinking::High, json!("high")),
    ] {
        check(
            Format::OllamaChat,
            model,
            thinking,
            [("/think", expect), none()],
        )
        .await;
    }
}
