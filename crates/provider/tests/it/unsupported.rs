//! What a model does not support is left out, once the server says so.

use std::sync::Arc;

use axum::response::Response;
use kaiwa_domain::port::ChatModel;
use kaiwa_domain::{Brief, Image, Line, Manner, Thinking, Tool, ToolCall, ToolResult, When};
use kaiwa_provider::{Format, Model};
use serde_json::{Value, json};

use crate::test_server::{TestServer, brief, collect, reply, show};

fn refusal(status: u16, body: &Value) -> Response {
    reply(status, "application/json", body.to_string())
}

fn said(message: &str) -> Value {
    json!({"error": {"message": message, "type": "invalid_request_error"}})
}

/// An answer in the format, or one that the format's server might give.
fn answer(format: Format) -> Response {
    let body = match format {
        Format::OpenAiChat => json!({"choices": [{"message": {"content": "Tea."}}]}),
        Format::OpenAiResponses => json!({"object": "response", "status": "completed", "output":
            [{"type": "message", "content": [{"type": "output_text", "text": "Tea."}]}]}),
        Format::AnthropicMessages => json!({"type": "message", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": "Tea."}]}),
        Format::GeminiGenerateContent => json!({"candidates": [{"finishReason": "STOP",
            "content": {"parts": [{"text": "Tea."}]}}]}),
        Format::OllamaChat => json!({"model": "tea", "message": {"content": "Tea."}, "done": true}),
    };
    reply(200, "application/json", body.to_string())
}

/// A question with everything in it.
fn question() -> Brief {
    Brief {
        lines: vec![Line::User {
            text: "Ada: tea?".to_owned(),
            images: vec![Image {
                media_type: "image/png",
                bytes: Arc::from(*b"png"),
            }],
        }],
        tools: vec![Tool {
            name: "brew".into(),
            description: "".into(),
            schema: "{}".into(),
            when: When::InLoop,
        }],
        manner: Manner {
            thinking: Some(Thinking::Low),
            temperature: Some(0.5),
            top_p: Some(0.9),
            stop: vec!["END".to_owned()],
            max_output_tokens: Some(64),
        },
        ..brief()
    }
}

async fn ask(model: &Model) -> String {
    show(&collect(model.answer(question())).await)
}

/// Checks that a refusal makes `gone` disappear from the request, that the
/// question is answered all the same, and that the next one is put without it.
async fn check(format: Format, status: u16, refused: Value, gone: &str) {
    let replies = [refusal(status, &refused), answer(format), answer(format)];
    let mut server = TestServer::new(replies).await;
    let model = Model::new(server.endpoint_of(format), server.clock.clone()).unwrap();
    assert_eq!(ask(&model).await, "text Tea.\nfinish Stop", "{refused}");
    assert_eq!(ask(&model).await, "text Tea.\nfinish Stop", "{refused}");
    let full = server.body().await;
    assert!(full.pointer(gone).is_some(), "{gone} is not in {full}");
    for _ in 0..2 {
        let mut expect = full.clone();
        let (parent, name) = gone.rsplit_once('/').unwrap();
        let parent = expect.pointer_mut(parent).unwrap();
        parent.as_object_mut().unwrap().remove(name);
        assert_eq!(server.body().await, expect, "{refused}");
    }
    assert!(server.no_request());
}

#[tokio::test]
async fn a_named_parameter_is_dropped_and_stays_so() {
    let openai = |param: &str, message: &str| json!({"error": {"message": message, "param": param, "code": "unsupported_value"}});
    let chat = Format::OpenAiChat;
    check(
        chat,
        400,
        openai("temperature", "Only the default is supported."),
        "/temperature",
    )
    .await;
    check(
        chat,
        400,
        said("Unsupported parameter: 'top_p' is not supported with this model."),
        "/top_p",
    )
    .await;
    check(
        chat,
        400,
        said("'stop' is not supported with this model"),
        "/stop",
    )
    .await;
    let extra = json!({"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"],
        "msg": "Extra inputs are not permitted"}]});
    check(chat, 422, extra.clone(), "/stream_options").await;
    let nested = json!({"object": "error", "message": extra});
    check(chat, 422, nested, "/stream_options").await;
    check(
        chat,
        400,
        said("`thinking` is not supported by this model"),
        "/thinking",
    )
    .await;
    check(
        chat,
        404,
        said("No endpoints found that support tool use."),
        "/tools",
    )
    .await;

    let responses = Format::OpenAiResponses;
    let verify = "Your organization must be verified to generate reasoning summaries.";
    check(
        responses,
        400,
        openai("reasoning.summary", verify),
        "/reasoning/summary",
    )
    .await;
    check(
        responses,
        400,
        said("Unknown parameter: 'max_output_tokens'."),
        "/max_output_tokens",
    )
    .await;

    let messages = Format::AnthropicMessages;
    let thinking = "\"thinking.type.enabled\" is not supported for this model.";
    let mut server = TestServer::new([refusal(400, &said(thinking)), answer(messages)]).await;
    let model = Model::new(server.endpoint_of(messages), server.clock.clone()).unwrap();
    assert_eq!(ask(&model).await, "text Tea.\nfinish Stop");
    assert!(server.body().await.get("thinking").is_some());
    let second = server.body().await;
    assert!(second.get("thinking").is_none(), "{second}");
    assert_eq!(second["max_tokens"], 64);

    let gemini = Format::GeminiGenerateContent;
    let budget = "Budget 0 is invalid. This model only works in thinking mode.";
    check(
        gemini,
        400,
        said(budget),
        "/generationConfig/thinkingConfig",
    )
    .await;
    let unknown =
        "Invalid JSON payload received. Unknown name \"stopSequences\" at 'generation_config'";
    check(
        gemini,
        400,
        said(unknown),
        "/generationConfig/stopSequences",
    )
    .await;

    let ollama = Format::OllamaChat;
    let error = |message: &str| json!({"error": message});
    check(
        ollama,
        400,
        error("\"tea:latest\" does not support thinking"),
        "/think",
    )
    .await;
    check(
        ollama,
        400,
        error("library/tea:latest does not support tools"),
        "/tools",
    )
    .await;
}

#[tokio::test]
async fn a_limit_goes_by_its_other_name_before_it_is_dropped() {
    let chat = Format::OpenAiChat;
    let replies = [
        refusal(
            400,
            &said(
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            ),
        ),
        refusal(
            400,
            &said("Unsupported value: 'temperature' does not support 0.5 with this model."),
        ),
        answer(chat),
        refusal(
            400,
            &said("Unrecognized request argument supplied: max_completion_tokens"),
        ),
        answer(chat),
    ];
    let mut server = TestServer::new(replies).await;
    let model = Model::new(server.endpoint_of(chat), server.clock.clone()).unwrap();
    assert_eq!(ask(&model).await, "text Tea.\nfinish Stop");
    assert_eq!(ask(&model).await, "text Tea.\nfinish Stop");
    for (old, new, temperature) in [
        (Some(64), None, true),
        (None, Some(64), true),
        (None, Some(64), false),
        (None, Some(64), false),
        (None, None, false),
    ] {
        let body = server.body().await;
        let limit = |name| body.get(name).and_then(Value::as_u64);
        assert_eq!(limit("max_tokens"), old, "{body}");
        assert_eq!(limit("max_completion_tokens"), new, "{body}");
        assert_eq!(body.get("temperature").is_some(), temperature, "{body}");
    }
}

#[tokio::test]
async fn a_model_without_eyes_is_told_of_the_image() {
    let chat = Format::OpenAiChat;
    for (status, blind) in [
        (400, "unknown variant `image_url`, expected `text`"),
        (
            500,
            "image input is not supported - hint: you may need the mmproj",
        ),
    ] {
        let mut server = TestServer::new([refusal(status, &said(blind)), answer(chat)]).await;
        let model = Model::new(server.endpoint_of(chat), server.clock.clone()).unwrap();
        assert_eq!(ask(&model).await, "text Tea.\nfinish Stop");
        let [first, second] = [server.body().await, server.body().await];
        assert_eq!(first["messages"][1]["content"][0]["type"], "image_url");
        let told = "Ada: tea?\n(There is an image here that you cannot see.)";
        assert_eq!(second["messages"][1]["content"], told);
    }
}

#[tokio::test]
async fn a_model_without_tools_reads_what_they_found() {
    let chat = Format::OpenAiChat;
    let refused = said("tool calling is not supported with this model");
    let mut server = TestServer::new([refusal(400, &refused), answer(chat)]).await;
    let model = Model::new(server.endpoint_of(chat), server.clock.clone()).unwrap();
    let call = ToolCall {
        id: "a".to_owned(),
        name: "brew".to_owned(),
        arguments: "{}".to_owned(),
        signature: None,
    };
    let result = ToolResult {
        call: "a".to_owned(),
        name: "brew".to_owned(),
        text: "hot".to_owned(),
        failed: false,
    };
    let asked = Line::Assistant {
        text: "Let me see.".to_owned(),
        thoughts: Vec::new(),
        calls: vec![call],
    };
    let lines = vec![
        Line::user("Ada: tea?".to_owned()),
        asked,
        Line::Tool(result),
    ];
    collect(model.answer(Brief { lines, ..brief() })).await;
    assert_eq!(server.body().await["messages"][3]["role"], "tool");
    assert_eq!(
        server.body().await["messages"],
        json!([
            {"role": "system", "content": "You pour tea."},
            {"role": "user", "content": "Ada: tea?"},
            {"role": "assistant", "content": "Let me see."},
            {"role": "user", "content": "(What brew found: hot)"},
        ])
    );
}

#[tokio::test]
async fn other_refusals_are_final() {
    for (status, message) in [
        (400, "messages: text content blocks must be non-empty"),
        (400, "this model does not support assistant message prefill"),
        // Named, but known.
        (400, "temperature: range: 0..1"),
        (400, "tools.0.input_schema: JSON schema is invalid"),
        (400, "image exceeds 5 MB maximum"),
        // Not supported, but not sent.
        (400, "parallel_tool_calls is not supported"),
        (400, "max_tokens_to_sample is not supported"),
        (404, "unknown model tea"),
        (500, "out of memory"),
        (503, "temperature is not supported"),
    ] {
        let replies = [refusal(status, &said(message)), answer(Format::OpenAiChat)];
        let mut server = TestServer::new(replies).await;
        let model = Model::new(server.endpoint(), server.clock.clone()).unwrap();
        let answer = ask(&model).await;
        assert!(answer.starts_with("error "), "{message}: {answer}");
        assert!(answer.contains(message), "{answer}");
        server.request().await;
        assert!(server.no_request(), "{message}");
    }
}

#[tokio::test]
async fn only_what_helped_is_remembered() {
    let chat = Format::OpenAiChat;
    let replies = [
        refusal(400, &said("'temperature' is not supported")),
        refusal(400, &said("'temperature' is not supported")),
        answer(chat),
    ];
    let mut server = TestServer::new(replies).await;
    let model = Model::new(server.endpoint_of(chat), server.clock.clone()).unwrap();
    let refused = "error Rejected { status: 400, message: \"'temperature' is not supported\" }";
    assert_eq!(ask(&model).await, refused);
    assert_eq!(ask(&model).await, "text Tea.\nfinish Stop");
    for sent in [true, false, true] {
        assert_eq!(server.body().await.get("temperature").is_some(), sent);
    }
    assert!(server.no_request());
}
