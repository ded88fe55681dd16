//! What servers say, and what we make of it.

use axum::body::Body;
use futures_util::StreamExt;
use kaiwa_domain::Delta;
use metrics_exporter_prometheus::PrometheusBuilder;

use crate::test_server::{KEY, TestServer, ask_with, brief, collect, reply, show};

/// Checks a stream of events, given as one JSON text per line.
async fn check(events: &str, expect: &str) {
    let lines = events.lines().map(str::trim).filter(|l| !l.is_empty());
    let body: String = lines.map(|line| format!("data: {line}\n\n")).collect();
    check_reply("text/event-stream", body, expect).await;
}

async fn check_reply(content_type: &str, body: String, expect: &str) {
    let server = TestServer::new(Some(reply(200, content_type, body.clone()))).await;
    let answer = show(&collect(server.ask()).await);
    let expect: Vec<&str> = expect.lines().map(str::trim).collect();
    assert_eq!(answer, expect.join("\n").trim(), "{body}");
}

#[tokio::test]
async fn the_request_is_what_the_format_asks_for() {
    let mut server = TestServer::new(Some(reply(200, "application/json", "{}"))).await;
    collect(server.ask()).await;
    let (head, body) = server.request().await;
    assert_eq!(head.method(), "POST");
    assert_eq!(head.uri().path(), "/v1/chat/completions");
    assert_eq!(head.headers()["authorization"], format!("Bearer {KEY}"));
    assert_eq!(head.headers()["content-type"], "application/json");
    let expect = serde_json::json!({
        "model": "tea",
        "messages": [
            {"role": "system", "content": "You pour tea."},
            {"role": "user", "content": "Ada: hi"},
            {"role": "assistant", "content": "Hello"},
            {"role": "user", "content": "Ada: tea?"},
        ],
        "stream": true,
        "stream_options": {"include_usage": true},
        "max_tokens": 64,
    });
    let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(body, expect);
}

#[tokio::test]
async fn a_request_without_key_or_limit_names_neither() {
    let mut server = TestServer::new(Some(reply(200, "application/json", "{}"))).await;
    let mut endpoint = server.endpoint();
    endpoint.key = None;
    collect(ask_with(endpoint, &server.clock, brief())).await;
    let (head, body) = server.request().await;
    assert!(!head.headers().contains_key("authorization"));
    let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(body.get("max_tokens"), None);
}

#[tokio::test]
async fn text_thoughts_and_refusals() {
    check(
        r#"
        {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}
        {"choices":[{"index":0,"delta":{"content":"Gre"},"finish_reason":null}],"usage":null}
        {"choices":[{"index":0,"delta":{"content":"en 🍵","unknown":{}}}]}
        {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}
        {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}
        [DONE]
        {"choices":[{"delta":{"content":"never read"}}]}
        "#,
        "text Gre
        text en 🍵
        usage 9 2
        finish Stop",
    )
    .await;
    check(
        r#"
        {"choices":[{"delta":{"reasoning_content":"a"}}]}
        {"choices":[{"delta":{"reasoning":"b","reasoning_content":"b"}}]}
        {"choices":[{"delta":{"thinking":"c","content":"d"}}]}
        {"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"e"}]},{"type":"text","text":"f"},{"type":"new"}]}}]}
        {"choices":[{"delta":{},"finish_reason":"stop"}]}
        [DONE]
        "#,
        "thought a
        thought b
        thought c
        text d
        thought e
        text f
        finish Stop",
    )
    .await;
    check(
        r#"
        {"choices":[{"delta":{"refusal":"I won't","content":null}}]}
        {"choices":[{"delta":{},"finish_reason":"stop"}]}
        [DONE]
        "#,
        "refusal I won't
        finish Refused",
    )
    .await;
    check(
        r#"
        {"choices":[{"index":1,"delta":{"content":"other"},"finish_reason":"length"}]}
        {"choices":[{"index":0,"delta":{"content":"ours"},"finish_reason":"stop"}]}
        [DONE]
        "#,
        "text ours
        finish Stop",
    )
    .await;
}

#[tokio::test]
async fn tool_calls_are_put_together() {
    check(
        r#"
        {"choices":[{"delta":{"content":"Let me see."}}]}
        {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"brew","arguments":""}}]}}]}
        {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"min"}}]}}]}
        {"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"pour","arguments":"{}"}}]}}]}
        {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"utes\":3}"}}]}}]}
        {"choices":[{"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}
        [DONE]
        "#,
        r#"text Let me see.
        tool a brew {"minutes":3}
        tool b pour {}
        usage 1 2
        finish Tool"#,
    )
    .await;
    // Every call numbered 0, arguments as JSON, the name repeated, "stop".
    check(
        r#"
        {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"brew","arguments":{"minutes":3}}}]}}]}
        {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"pour","arguments":"{"}}]}}]}
        {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"pour","arguments":"}"}}]}}]}
        {"choices":[{"delta":{},"finish_reason":"stop"}]}
        [DONE]
        "#,
        r#"tool a brew {"minutes":3}
        tool b pour {}
        finish Tool"#,
    )
    .await;
    check(
        r#"
        {"choices":[{"delta":{"tool_calls":[{"function":{"name":"brew","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}
        "#,
        "tool call_0 brew {}
        finish Tool",
    )
    .await;
    check(
        r#"
        {"choices":[{"delta":{"function_call":{"name":"brew","arguments":"{"}}}]}
        {"choices":[{"delta":{"function_call":{"arguments":"}"}}}]}
        {"choices":[{"delta":{},"finish_reason":"function_call"}]}
        "#,
        "tool call_0 brew {}
        finish Tool",
    )
    .await;
    check(
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a"}]},"finish_reason":"tool_calls"}]}"#,
        r#"error Garbled { reason: "a tool call without a name" }"#,
    )
    .await;
}

#[tokio::test]
async fn the_reason_to_finish_is_translated() {
    for (reason, expect) in [
        ("stop", "Stop"),
        ("eos", "Stop"),
        ("STOP", "Stop"),
        ("length", "Length"),
        ("tool_calls", "Tool"),
        ("function_call", "Tool"),
        ("content_filter", "Refused"),
        ("who knows", "Stop"),
    ] {
        check(
            &format!(r#"{{"choices":[{{"delta":{{"content":"a"}},"finish_reason":"{reason}"}}]}}"#),
            &format!("text a\nfinish {expect}"),
        )
        .await;
    }
}

#[tokio::test]
async fn usage_is_told_once_wherever_it_comes() {
    let finish = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    let usage = r#"{"usage":{"prompt_tokens":1,"completion_tokens":2}}"#;
    let late = r#"{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":3}}"#;
    let groq = r#"{"x_groq":{"usage":{"prompt_tokens":4,"completion_tokens":5}}}"#;
    for (events, expect) in [
        ([usage, finish, "[DONE]"], "usage 1 2\nfinish Stop"),
        ([finish, usage, "[DONE]"], "usage 1 2\nfinish Stop"),
        ([finish, usage, ""], "usage 1 2\nfinish Stop"),
        ([usage, finish, late], "usage 1 3\nfinish Stop"),
        ([groq, finish, "[DONE]"], "usage 4 5\nfinish Stop"),
        ([finish, "[DONE]", usage], "finish Stop"),
    ] {
        check(&events.join("\n"), expect).await;
    }
}

#[tokio::test]
async fn answers_that_end_early_are_cut() {
    let closed = "the connection closed before the answer was whole";
    check("", &format!("error Cut {{ reason: {closed:?} }}")).await;
    check(
        r#"{"choices":[{"delta":{"content":"a"}}]}"#,
        &format!("text a\nerror Cut {{ reason: {closed:?} }}"),
    )
    .await;
    check(
        "[DONE]",
        r#"error Cut { reason: "the stream ended without an answer" }"#,
    )
    .await;
    check(
        "{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n[DONE]",
        "text a\nfinish Stop",
    )
    .await;
}

#[tokio::test]
async fn errors_inside_a_stream_keep_their_meaning() {
    for (error, expect) in [
        (r#"{"message":"it broke"}"#, r#"Cut { reason: "it broke" }"#),
        (r#""it broke""#, r#"Cut { reason: "it broke" }"#),
        ("{}", r#"Cut { reason: "the server reported an error" }"#),
        (
            r#"{"code":503,"message":"full"}"#,
            r#"Failed { status: 503, message: "full" }"#,
        ),
        (
            r#"{"code":"400","message":"too long"}"#,
            r#"Rejected { status: 400, message: "too long" }"#,
        ),
        (r#"{"code":429}"#, "Busy { retry_after: None }"),
        (
            r#"{"type":"rate_limit_exceeded"}"#,
            "Busy { retry_after: None }",
        ),
        (r#"{"code":"insufficient_quota"}"#, "OutOfCredit"),
        (
            r#"{"status_code":401,"message":"no"}"#,
            "Unauthorized { status: 401 }",
        ),
    ] {
        check(
            &format!(r#"{{"error":{error}}}"#),
            &format!("error {expect}"),
        )
        .await;
    }
    check(
        r#"
        {"choices":[{"delta":{"content":"a"}}]}
        {"error":{"code":503,"message":"full"}}
        "#,
        r#"text a
        error Cut { reason: "the model's server failed (HTTP 503): full" }"#,
    )
    .await;
    check(
        r#"{"choices":[{"delta":{},"finish_reason":"error"}]}"#,
        r#"error Cut { reason: "the server reported an error" }"#,
    )
    .await;
}

#[tokio::test]
async fn a_little_nonsense_is_forgiven() {
    let garbled = r#"error Garbled { reason: "it sent something else" }"#;
    let good = r#"{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}"#;
    check(&format!("nonsense\n{{\n{good}"), "text a\nfinish Stop").await;
    check("nonsense\n{\n[1]", garbled).await;
    check("nonsense", garbled).await;
    check(
        &format!("{good}\nnonsense\n{{\n[1]\n"),
        "text a\nfinish Stop",
    )
    .await;
    let endless = "nonsense\n".repeat(32);
    check(
        &endless,
        r#"error Garbled { reason: "it sends something else" }"#,
    )
    .await;
    check(
        &format!("{good}\n{endless}"),
        r#"text a
        error Cut { reason: "the model's server does not speak the expected format: it sends something else" }"#,
    )
    .await;
    let empty = "data:\n\n".repeat(9);
    check_reply(
        "text/event-stream",
        format!("{empty}data: {good}\n\n"),
        "text a\nfinish Stop",
    )
    .await;
}

#[tokio::test]
async fn whole_answers_are_taken_too() {
    let json = "application/json; charset=utf-8";
    let check = |body: &'static str, expect| check_reply(json, body.to_owned(), expect);
    check(
        r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"Tea.","reasoning_content":"Hm."},
            "finish_reason":"length"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#,
        "thought Hm.
        text Tea.
        usage 1 2
        finish Length",
    )
    .await;
    check(
        r#"{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"brew","arguments":"{}"}}]},"finish_reason":null}]}"#,
        "tool a brew {}
        finish Tool",
    )
    .await;
    check(
        r#"{"error":{"message":"no","code":401}}"#,
        "error Unauthorized { status: 401 }",
    )
    .await;
    check(
        "{}",
        r#"error Garbled { reason: "the body holds no answer" }"#,
    )
    .await;
    check("{", r#"error Garbled { reason: "it sent something else" }"#).await;
    check_reply(
        json,
        format!("{{{}", " ".repeat(4 << 20)),
        r#"error Garbled { reason: "it sent an event of more than 4 MiB" }"#,
    )
    .await;
}

#[tokio::test]
async fn other_things_are_not_taken_for_answers() {
    check_reply(
        "text/html",
        "<html>Sign in</html>".to_owned(),
        r#"error Garbled { reason: "it sent text/html instead of an event stream" }"#,
    )
    .await;
    let endless = r#"error Garbled { reason: "it sent an event of more than 4 MiB" }"#;
    let line = format!("data: {}", "x".repeat(4 << 20));
    check_reply("text/event-stream", line.clone(), endless).await;
    let good = r#"data: {"choices":[{"delta":{"content":"a"}}]}"#;
    check_reply(
        "text/event-stream",
        format!("{good}\n\n{line}"),
        r#"text a
        error Cut { reason: "the model's server does not speak the expected format: it sent an event of more than 4 MiB" }"#,
    )
    .await;
}

#[tokio::test]
async fn deltas_come_as_they_are_said() {
    let (server, script) = TestServer::streaming().await;
    let mut answer = server.ask();
    for (piece, expect) in [("🍵", "🍵"), ("é", "é")] {
        let event =
            format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{piece}\"}}}}]}}\n\n");
        // Cut inside the character.
        let (head, tail) = event.as_bytes().split_at(event.find(piece).unwrap() + 1);
        let (head, tail) = (head.to_vec(), tail.to_vec());
        let say = async {
            script.say(head).await;
            script.say(tail).await;
        };
        let (delta, ()) = tokio::join!(answer.next(), say);
        assert_eq!(delta, Some(Ok(Delta::Text(expect.to_owned()))));
    }
}

#[tokio::test]
async fn the_metrics_tell_what_happened() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let handle = recorder.handle();
    let _guard = metrics::set_default_local_recorder(&recorder);
    let good = r#"data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":7}}

"#;
    let server = TestServer::new(Some(reply(200, "text/event-stream", good))).await;
    collect(server.ask()).await;
    let server = TestServer::new(Some(reply(500, "text/plain", Body::empty()))).await;
    collect(server.ask()).await;
    drop(server.ask());
    let mut server = TestServer::new(None).await;
    let mut answer = server.ask();
    tokio::select! {
        _ = answer.next() => panic!("the server said nothing"),
        _ = server.request() => {}
    }
    drop(answer);
    let text = handle.render();
    for line in [
        r#"provider_requests_total{outcome="ok"} 1"#,
        r#"provider_requests_total{outcome="failed"} 1"#,
        r#"provider_requests_total{outcome="dropped"} 1"#,
        r#"provider_tokens_total{direction="input"} 5"#,
        r#"provider_tokens_total{direction="output"} 7"#,
        "provider_first_token_seconds_count 1",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}
