//! A conversation that a model's template refuses is put as it wants it, once
//! the server says so.

use axum::response::Response;
use kaiwa_domain::port::ChatModel;
use kaiwa_domain::{Brief, Line, ToolCall, ToolResult};
use kaiwa_provider::{Endpoint, Format, Model, Vendor};
use serde_json::{Value, json};

use crate::test_server::{TestServer, brief, collect, reply, show};

fn refusal(status: u16, message: &str) -> Response {
    let body = json!({"error": {"message": message, "type": "BadRequestError", "code": status}});
    reply(status, "application/json", body.to_string())
}

fn answer() -> Response {
    let body = json!({"choices": [{"message": {"content": "Tea."}}]});
    reply(200, "application/json", body.to_string())
}

fn user(text: &str) -> Line {
    Line::user(text.to_owned())
}

fn assistant(text: &str) -> Line {
    Line::assistant(text.to_owned())
}

/// Our call of a tool, and what it returned.
fn looked_up(text: &str) -> [Line; 2] {
    let call = ToolCall {
        id: "abcdefghi".to_owned(),
        name: "brew".to_owned(),
        arguments: "{}".to_owned(),
        signature: None,
    };
    let result = ToolResult {
        call: "abcdefghi".to_owned(),
        name: "brew".to_owned(),
        text: "hot".to_owned(),
        failed: false,
    };
    let asked = Line::Assistant {
        text: text.to_owned(),
        thoughts: Vec::new(),
        calls: vec![call],
    };
    [asked, Line::Tool(result)]
}

async fn ask(model: &Model, lines: &[Line]) -> String {
    let lines = lines.to_vec();
    show(&collect(model.answer(Brief { lines, ..brief() })).await)
}

/// The roles and words of the request that arrived, a message to a line.
async fn asked(server: &mut TestServer) -> String {
    let body = server.body().await;
    let messages = body["messages"].as_array().unwrap().iter();
    let shown = messages.map(|message| {
        let text = |name: &str| message[name].as_str().unwrap_or_default().to_owned();
        format!("{}| {}", text("role"), text("content").replace('\n', "⏎"))
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// Checks that the refusals lead to a request of the `expected` shape, which
/// is answered, and that the next question is put so at once.
async fn check(refusals: &[(u16, &str)], lines: &[Line], expected: &str) {
    let refused = refusals.iter().map(|(status, said)| refusal(*status, said));
    let mut server = TestServer::new(refused.chain([answer(), answer()])).await;
    let model = Model::new(server.endpoint(), server.clock.clone()).unwrap();
    assert_eq!(
        ask(&model, lines).await,
        "text Tea.\nfinish Stop",
        "{refusals:?}"
    );
    assert_eq!(
        ask(&model, lines).await,
        "text Tea.\nfinish Stop",
        "{refusals:?}"
    );
    for _ in refusals {
        assert_ne!(asked(&mut server).await, expected, "{refusals:?}");
    }
    for _ in 0..2 {
        assert_eq!(asked(&mut server).await, expected, "{refusals:?}");
    }
    assert!(server.no_request());
}

const ALTERNATE: &str = "Conversation roles must alternate user/assistant/user/assistant/...";

#[tokio::test]
async fn sides_that_must_take_turns_do() {
    let lines = [
        assistant("Welcome!"),
        user("Ada: hi"),
        user("Ben: hello"),
        assistant("Hello."),
        assistant("Tea?"),
        user("Ada: yes"),
    ];
    let expected = "system| You pour tea.\nuser| (earlier)\nassistant| Welcome!\n\
        user| Ada: hi⏎Ben: hello\nassistant| Hello.⏎Tea?\nuser| Ada: yes";
    let said = [
        // vLLM, which says it twice by now.
        (400, format!("{ALTERNATE} {ALTERNATE}")),
        // Hugging Face's TGI.
        (
            422,
            format!("Template error: invalid operation: {ALTERNATE} (in <string>:1)"),
        ),
        // llama.cpp.
        (
            500,
            "\n------------\nWhile executing CallExpression at line 46, column 32 in source:\n\
             ...== 0) %}↵            {{- raise_exception('After the optional system message, con...\n\
             ^\nError: Jinja Exception: After the optional system message, conversation roles must \
             alternate user and assistant roles except for tool calls and results."
                .to_owned(),
        ),
        (
            400,
            "After the (optional) system message(s), user and assistant roles should be alternating."
                .to_owned(),
        ),
        (
            400,
            "After the (optional) system message(s), user or tool message(s) should alternate with \
             assistant message(s)."
                .to_owned(),
        ),
        (
            400,
            "ValidationException: A conversation must alternate between user and assistant roles. \
             Make sure the conversation alternates between user and assistant roles and try again."
                .to_owned(),
        ),
    ];
    for (status, said) in said {
        check(&[(status, &said)], &lines, expected).await;
    }
}

#[tokio::test]
async fn a_system_text_goes_before_what_the_user_says() {
    let lines = [user("Ada: hi"), assistant("Hello."), user("Ada: tea?")];
    let expected = "user| You pour tea.⏎⏎Ada: hi\nassistant| Hello.\nuser| Ada: tea?";
    for said in [
        "System role not supported",
        "Only user and assistant roles are supported!",
        "Developer instruction is not enabled for models/gemma-3-27b-it",
        // Old templates know no system text and take it for a side.
        ALTERNATE,
    ] {
        check(&[(400, said)], &lines, expected).await;
    }
    let beginning = [assistant("Welcome!"), user("Ada: hi")];
    let expected = "user| You pour tea.\nassistant| Welcome!\nuser| Ada: hi";
    check(&[(400, "System role not supported")], &beginning, expected).await;
}

#[tokio::test]
async fn one_refusal_after_the_other_is_learnt() {
    let lines = [user("Ada: hi"), user("Ben: hello")];
    let expected = "user| You pour tea.⏎⏎Ada: hi⏎Ben: hello";
    check(&[(400, ALTERNATE), (400, ALTERNATE)], &lines, expected).await;
    let said = [(400, "System role not supported"), (400, ALTERNATE)];
    check(&said, &lines, expected).await;
}

#[tokio::test]
async fn the_user_speaks_after_a_tool_once_we_have_spoken() {
    let [call, result] = looked_up("Let me see.");
    let lines = [user("Ada: tea?"), call, result, user("Ada: now!")];
    let expected = "system| You pour tea.\nuser| Ada: tea?\nassistant| Let me see.\ntool| hot\n\
        assistant| (I have the result.)\nuser| Ada: now!";
    let said = "Unexpected role 'user' after role 'tool'";
    check(&[(400, said)], &lines, expected).await;
    // Templates count such a line as the user's second in a row.
    let said = "After the optional system message, conversation roles must alternate \
        user/assistant/user/assistant/...";
    check(&[(500, said)], &lines, expected).await;
}

#[tokio::test]
async fn a_template_without_tools_reads_what_they_found() {
    let [call, result] = looked_up("");
    let lines = [user("Ada: tea?"), call, result];
    let expected = "system| You pour tea.\nuser| Ada: tea?⏎(What brew found: hot)";
    let said = "Jinja Exception: Only user, system and assistant roles are supported!";
    check(&[(500, said), (500, ALTERNATE)], &lines, expected).await;
}

#[tokio::test]
async fn what_the_table_knows_needs_no_refusal() {
    let [call, result] = looked_up("Let me see.");
    let lines = [user("Ada: tea?"), call, result, user("Ada: now!")];
    let mut server = TestServer::new([answer()]).await;
    let mistral = Vendor::named("mistral").unwrap();
    let endpoint = Endpoint {
        quirks: mistral.quirks_of("mistral-large-2512"),
        ..server.endpoint()
    };
    let model = Model::new(endpoint, server.clock.clone()).unwrap();
    assert_eq!(ask(&model, &lines).await, "text Tea.\nfinish Stop");
    let asked = asked(&mut server).await;
    assert!(
        asked.contains("assistant| (I have the result.)\nuser| Ada: now!"),
        "{asked}"
    );

    let body =
        json!({"candidates": [{"finishReason": "STOP", "content": {"parts": [{"text": "Tea."}]}}]});
    let mut server = TestServer::new([reply(200, "application/json", body.to_string())]).await;
    let google = Vendor::named("google").unwrap();
    let endpoint = Endpoint {
        quirks: google.quirks_of("gemma-3-27b-it"),
        ..server.endpoint_of(Format::GeminiGenerateContent)
    };
    let model = Model::new(endpoint, server.clock.clone()).unwrap();
    assert_eq!(
        ask(&model, &[user("Ada: hi")]).await,
        "text Tea.\nfinish Stop"
    );
    let body = server.body().await;
    assert_eq!(body.get("systemInstruction"), None::<&Value>);
    let said = json!([{"role": "user", "parts": [{"text": "You pour tea.\n\nAda: hi"}]}]);
    assert_eq!(body["contents"], said);
}

#[tokio::test]
async fn what_somebody_wrote_is_no_refusal_of_the_server() {
    let echo = "bad input: Ada: System role not supported, roles must alternate";
    let lines = [user("Ada: System role not supported, roles must alternate")];
    let mut server = TestServer::new([refusal(400, echo), answer(), answer()]).await;
    let model = Model::new(server.endpoint(), server.clock.clone()).unwrap();
    assert_eq!(ask(&model, &lines).await, "text Tea.\nfinish Stop");
    ask(&model, &[user("Ben: hi")]).await;
    asked(&mut server).await;
    asked(&mut server).await;
    // Nothing is learnt for others.
    assert_eq!(
        asked(&mut server).await,
        "system| You pour tea.\nuser| Ben: hi"
    );
}

#[tokio::test]
async fn what_is_already_so_is_not_asked_again() {
    // Nothing to merge, nothing to move.
    let mut server = TestServer::new([refusal(400, ALTERNATE)]).await;
    let model = Model::new(server.endpoint(), server.clock.clone()).unwrap();
    let brief = Brief {
        system: String::new(),
        lines: vec![user("Ada: hi")],
        ..brief()
    };
    let said = show(&collect(model.answer(brief)).await);
    assert!(said.starts_with("error Rejected"), "{said}");
    server.request().await;
    assert!(server.no_request());
}
