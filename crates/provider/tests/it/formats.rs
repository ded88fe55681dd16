//! One suite that every wire format passes: the same conversation, asked and
//! answered in each.

use kaiwa_domain::{Brief, Manner, Thinking, Tool, When};
use kaiwa_provider::Format;
use serde_json::{Value, json};

use crate::test_server::{KEY, TestServer, ask_with, brief, collect, reply, show};

/// The parts of an answer as each server would send them.
struct Dialect {
    format: Format,
    path: &'static str,
    key_header: &'static str,
    text: fn(&str) -> Value,
    thought: fn(&str) -> Value,
    /// A call to `brew` with its arguments, in as many messages as it takes.
    call: fn(Value) -> Vec<Value>,
    /// The last messages: finish, and 5 tokens read, 7 written.
    finish: fn(Ending) -> Vec<Value>,
    error: Value,
}

#[derive(Clone, Copy)]
enum Ending {
    Stop,
    Length,
    Tool,
    Refused,
}

fn dialects() -> [Dialect; 5] {
    [
        openai_chat(),
        openai_responses(),
        anthropic(),
        gemini(),
        ollama(),
    ]
}

fn openai_chat() -> Dialect {
    fn delta(delta: &Value) -> Value {
        json!({"choices": [{"index": 0, "delta": delta}]})
    }
    Dialect {
        format: Format::OpenAiChat,
        path: "/v1/chat/completions",
        key_header: "authorization",
        text: |text| delta(&json!({"content": text})),
        thought: |text| delta(&json!({"reasoning_content": text})),
        call: |arguments| {
            let function = json!({"name": "brew", "arguments": arguments.to_string()});
            vec![delta(
                &json!({"tool_calls": [{"index": 0, "id": "a", "function": function}]}),
            )]
        },
        finish: |ending| {
            let reason = match ending {
                Ending::Stop => "stop",
                Ending::Length => "length",
                Ending::Tool => "tool_calls",
                Ending::Refused => "content_filter",
            };
            vec![
                json!({"choices": [{"delta": {}, "finish_reason": reason}]}),
                json!({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 7}}),
            ]
        },
        error: json!({"error": {"message": "no", "code": 503}}),
    }
}

fn openai_responses() -> Dialect {
    Dialect {
        format: Format::OpenAiResponses,
        path: "/v1/responses",
        key_header: "authorization",
        text: |text| json!({"type": "response.output_text.delta", "delta": text}),
        thought: |text| json!({"type": "response.reasoning_summary_text.delta", "delta": text}),
        call: |arguments| {
            let item = json!({"type": "function_call", "id": "fc", "call_id": "a", "name": "brew"});
            vec![
                json!({"type": "response.output_item.added", "output_index": 1, "item": item}),
                json!({"type": "response.function_call_arguments.delta", "output_index": 1,
                    "item_id": "fc", "delta": arguments.to_string()}),
                json!({"type": "response.function_call_arguments.done", "output_index": 1,
                    "item_id": "fc", "arguments": arguments.to_string()}),
            ]
        },
        finish: |ending| {
            let (kind, reason) = match ending {
                Ending::Stop | Ending::Tool => ("completed", Value::Null),
                Ending::Length => ("incomplete", json!({"reason": "max_output_tokens"})),
                Ending::Refused => ("incomplete", json!({"reason": "content_filter"})),
            };
            let response = json!({"status": kind, "incomplete_details": reason,
                "usage": {"input_tokens": 5, "output_tokens": 7}});
            vec![json!({"type": format!("response.{kind}"), "response": response})]
        },
        error: json!({"type": "error", "error": {"message": "no", "code": "server_error", "status_code": 503}}),
    }
}

fn anthropic() -> Dialect {
    fn delta(delta: &Value) -> Value {
        json!({"type": "content_block_delta", "index": 0, "delta": delta})
    }
    Dialect {
        format: Format::AnthropicMessages,
        path: "/v1/messages",
        key_header: "x-api-key",
        text: |text| delta(&json!({"type": "text_delta", "text": text})),
        thought: |text| delta(&json!({"type": "thinking_delta", "thinking": text})),
        call: |arguments| {
            let block = json!({"type": "tool_use", "id": "a", "name": "brew", "input": {}});
            let json = arguments.to_string();
            vec![
                json!({"type": "content_block_start", "index": 0, "content_block": block}),
                delta(&json!({"type": "input_json_delta", "partial_json": json})),
                json!({"type": "content_block_stop", "index": 0}),
            ]
        },
        finish: |ending| {
            let reason = match ending {
                Ending::Stop => "end_turn",
                Ending::Length => "max_tokens",
                Ending::Tool => "tool_use",
                Ending::Refused => "refusal",
            };
            vec![
                json!({"type": "message_delta", "delta": {"stop_reason": reason},
                    "usage": {"input_tokens": 5, "output_tokens": 7}}),
                json!({"type": "message_stop"}),
            ]
        },
        error: json!({"type": "error", "error": {"type": "api_error", "message": "no", "code": 503}}),
    }
}

fn gemini() -> Dialect {
    fn part(part: &Value) -> Value {
        json!({"candidates": [{"content": {"parts": [part]}}]})
    }
    Dialect {
        format: Format::GeminiGenerateContent,
        path: "/v1/models/tea:streamGenerateContent",
        key_header: "x-goog-api-key",
        text: |text| part(&json!({"text": text})),
        thought: |text| part(&json!({"text": text, "thought": true})),
        call: |arguments| {
            vec![part(
                &json!({"functionCall": {"id": "a", "name": "brew", "args": arguments}}),
            )]
        },
        finish: |ending| {
            let reason = match ending {
                Ending::Stop | Ending::Tool => "STOP",
                Ending::Length => "MAX_TOKENS",
                Ending::Refused => "SAFETY",
            };
            vec![json!({"candidates": [{"finishReason": reason}],
                "usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 7}})]
        },
        error: json!({"error": {"code": 503, "message": "no", "status": "UNAVAILABLE"}}),
    }
}

fn ollama() -> Dialect {
    fn message(message: &Value) -> Value {
        json!({"model": "tea", "message": message, "done": false})
    }
    Dialect {
        format: Format::OllamaChat,
        path: "/v1/api/chat",
        key_header: "authorization",
        text: |text| message(&json!({"role": "assistant", "content": text})),
        thought: |text| message(&json!({"content": "", "thinking": text})),
        call: |arguments| {
            let call = json!({"id": "a", "function": {"name": "brew", "arguments": arguments}});
            vec![message(&json!({"content": "", "tool_calls": [call]}))]
        },
        finish: |ending| {
            let reason = match ending {
                Ending::Length => "length",
                Ending::Stop | Ending::Tool | Ending::Refused => "stop",
            };
            vec![
                json!({"model": "tea", "message": {"content": ""}, "done": true,
                "done_reason": reason, "prompt_eval_count": 5, "eval_count": 7}),
            ]
        },
        error: json!({"error": {"message": "no", "code": 503}}),
    }
}

impl Dialect {
    fn body(&self, messages: &[Value]) -> (&'static str, String) {
        let lines = messages.iter();
        match self.format {
            Format::OllamaChat => (
                "application/x-ndjson",
                lines.map(|message| format!("{message}\n")).collect(),
            ),
            _ => (
                "text/event-stream",
                lines
                    .map(|message| format!("data: {message}\n\n"))
                    .collect(),
            ),
        }
    }

    async fn check(&self, messages: &[Value], expect: &str) {
        let (content_type, body) = self.body(messages);
        let server = TestServer::new(Some(reply(200, content_type, body.clone()))).await;
        let endpoint = server.endpoint_of(self.format);
        let answer = show(&collect(ask_with(endpoint, &server.clock, brief())).await);
        let expect: Vec<&str> = expect.lines().map(str::trim).collect();
        assert_eq!(answer, expect.join("\n").trim(), "{}: {body}", self.format);
    }
}

#[tokio::test]
async fn an_answer_is_the_same_in_every_format() {
    for dialect in dialects() {
        let mut messages = vec![
            (dialect.thought)("Hm."),
            (dialect.text)("Green"),
            (dialect.text)(" 🍵"),
        ];
        messages.extend((dialect.finish)(Ending::Stop));
        let expect = "thought Hm.\ntext Green\ntext  🍵\nusage 5 7\nfinish Stop";
        dialect.check(&messages, expect).await;

        let mut messages = vec![(dialect.text)("a")];
        messages.extend((dialect.finish)(Ending::Length));
        dialect
            .check(&messages, "text a\nusage 5 7\nfinish Length")
            .await;

        let mut messages = (dialect.call)(json!({"minutes": 3}));
        messages.extend((dialect.finish)(Ending::Tool));
        let expect = "tool a brew {\"minutes\":3}\nusage 5 7\nfinish Tool";
        dialect.check(&messages, expect).await;

        // Ollama has no filter to refuse with.
        if dialect.format != Format::OllamaChat {
            let messages = (dialect.finish)(Ending::Refused);
            dialect.check(&messages, "usage 5 7\nfinish Refused").await;
        }
    }
}

#[tokio::test]
async fn failures_are_the_same_in_every_format() {
    for dialect in dialects() {
        let error = dialect.error.clone();
        let failed = "error Failed { status: 503, message: \"no\" }";
        dialect.check(std::slice::from_ref(&error), failed).await;
        let spoken = [(dialect.text)("a"), error];
        let cut = "text a\nerror Cut { reason: \"the model's server failed (HTTP 503): no\" }";
        dialect.check(&spoken, cut).await;
        let closed = "error Cut { reason: \"the connection closed before the answer was whole\" }";
        dialect.check(&[], closed).await;
        dialect
            .check(&[(dialect.text)("a")], &format!("text a\n{closed}"))
            .await;
        let garbled = "error Garbled { reason: \"it sent something else\" }";
        dialect
            .check(&[json!("nonsense"), json!({"no": "answer"})], garbled)
            .await;
        let mut forgiven = vec![json!(["nonsense"]), (dialect.text)("a"), json!(7)];
        forgiven.extend((dialect.finish)(Ending::Stop));
        dialect
            .check(&forgiven, "text a\nusage 5 7\nfinish Stop")
            .await;
    }
}

#[tokio::test]
async fn requests_are_what_each_format_asks_for() {
    let manner = Manner {
        thinking: Some(Thinking::Low),
        temperature: Some(0.7),
        top_p: None,
        stop: vec!["END".to_owned()],
        max_output_tokens: Some(64),
    };
    let tool = Tool {
        name: "brew".into(),
        description: "Makes tea.".into(),
        schema: r#"{"type":"object","properties":{}}"#.into(),
        when: When::InLoop,
    };
    for dialect in dialects() {
        let mut server = TestServer::new(Some(reply(200, "application/json", "{}"))).await;
        let endpoint = server.endpoint_of(dialect.format);
        let brief = Brief {
            tools: vec![tool.clone()],
            manner: manner.clone(),
            ..brief()
        };
        collect(ask_with(endpoint, &server.clock, brief)).await;
        let (head, body) = server.request().await;
        assert_eq!(head.uri().path(), dialect.path);
        let key = head.headers()[dialect.key_header].to_str().unwrap();
        assert_eq!(
            key.strip_prefix("Bearer ").unwrap_or(key),
            KEY,
            "{}",
            dialect.format
        );
        let body: Value = serde_json::from_slice(&body).unwrap();
        for (pointer, expect) in expected_request(dialect.format) {
            assert_eq!(
                body.pointer(pointer),
                Some(&expect),
                "{} {pointer} in {body}",
                dialect.format
            );
        }
    }
}

fn expected_request(format: Format) -> Vec<(&'static str, Value)> {
    let schema = json!({"type": "object", "properties": {}});
    match format {
        Format::OpenAiChat => vec![
            (
                "/messages/0",
                json!({"role": "system", "content": "You pour tea."}),
            ),
            (
                "/messages/2",
                json!({"role": "assistant", "content": "Hello"}),
            ),
            ("/max_tokens", json!(64)),
            ("/temperature", json!(0.7)),
            ("/stop", json!(["END"])),
            ("/tools/0/function/parameters", schema),
            ("/thinking", json!({"type": "enabled"})),
        ],
        Format::OpenAiResponses => vec![
            ("/instructions", json!("You pour tea.")),
            ("/input/1", json!({"role": "assistant", "content": "Hello"})),
            ("/store", json!(false)),
            ("/max_output_tokens", json!(64)),
            ("/reasoning/effort", json!("low")),
            ("/include", json!(["reasoning.encrypted_content"])),
            ("/tools/0/parameters", schema),
        ],
        Format::AnthropicMessages => vec![
            ("/system/0/text", json!("You pour tea.")),
            ("/system/0/cache_control/type", json!("ephemeral")),
            ("/messages/1/role", json!("assistant")),
            (
                "/messages/2/content/0/cache_control/type",
                json!("ephemeral"),
            ),
            ("/thinking/budget_tokens", json!(1024)),
            ("/max_tokens", json!(64 + 1024)),
            ("/stop_sequences", json!(["END"])),
            ("/tools/0/input_schema", schema),
        ],
        Format::GeminiGenerateContent => vec![
            ("/systemInstruction/parts/0/text", json!("You pour tea.")),
            (
                "/contents/1",
                json!({"role": "model", "parts": [{"text": "Hello"}]}),
            ),
            ("/generationConfig/maxOutputTokens", json!(64)),
            ("/generationConfig/stopSequences", json!(["END"])),
            (
                "/generationConfig/thinkingConfig/thinkingBudget",
                json!(1024),
            ),
            (
                "/tools/0/functionDeclarations/0/parametersJsonSchema",
                schema,
            ),
        ],
        Format::OllamaChat => vec![
            (
                "/messages/0",
                json!({"role": "system", "content": "You pour tea."}),
            ),
            ("/options/num_predict", json!(64)),
            ("/options/temperature", json!(0.7)),
            ("/think", json!(true)),
            ("/tools/0/function/name", json!("brew")),
        ],
    }
}
