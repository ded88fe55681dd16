//! One question from the terminal.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::server::{Reply, Request, Server};
use crate::terminal::{Running, assert_failure, kaiwa};

/// A folder whose `kaiwa.toml` names servers as vendors `a`, `b`, ….
fn folder(servers: &[&Server], more: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let vendors = servers
        .iter()
        .zip('a'..)
        .map(|(server, name)| format!("[vendors.{name}]\nbase_url = \"{}\"\n", server.base_url));
    let config = vendors.collect::<String>() + more;
    fs::write(folder.path().join("kaiwa.toml"), config).unwrap();
    folder
}

fn ask(folder: &Path, args: &[&str]) -> Command {
    kaiwa(folder, &[&["ask"], args].concat())
}

/// The answer, and the last line about it.
fn answer(output: &Output) -> (String, String) {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{stderr}");
    let last = stderr.lines().last().unwrap_or_default().to_owned();
    (String::from_utf8(output.stdout.clone()).unwrap(), last)
}

#[test]
fn every_format_is_spoken() {
    let openai_chat = r#"data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}

data: {"choices":[{"delta":{"content":"緑"}}]}

data: {"choices":[{"delta":{"content":"茶\n"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":5}}

data: [DONE]

"#;
    let openai_responses = r#"event: response.output_text.delta
data: {"type":"response.output_text.delta","output_index":0,"delta":"緑茶"}

event: response.completed
data: {"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":10,"output_tokens":5}}}

"#;
    let anthropic = r#"event: message_start
data: {"type":"message_start","message":{"role":"assistant","content":[],"usage":{"input_tokens":10,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"緑茶"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}

event: message_stop
data: {"type":"message_stop"}

"#;
    let gemini = r#"data: {"candidates":[{"content":{"role":"model","parts":[{"text":"緑茶"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5}}

"#;
    let ollama = concat!(
        r#"{"model":"m","message":{"role":"assistant","content":"緑"},"done":false}"#,
        "\n",
        r#"{"model":"m","message":{"role":"assistant","content":"茶"},"done":true,"done_reason":"stop","prompt_eval_count":10,"eval_count":5}"#,
        "\n",
    );
    let sse = "text/event-stream";
    for (format, content_type, body, line, key) in [
        (
            "openai-chat",
            sse,
            openai_chat,
            "POST /v1/chat/completions",
            "authorization",
        ),
        (
            "openai-responses",
            sse,
            openai_responses,
            "POST /v1/responses",
            "authorization",
        ),
        (
            "anthropic-messages",
            sse,
            anthropic,
            "POST /v1/messages",
            "x-api-key",
        ),
        (
            "gemini-generateContent",
            sse,
            gemini,
            "POST /v1/models/m:streamGenerateContent?alt=sse",
            "x-goog-api-key",
        ),
        (
            "ollama-chat",
            "application/x-ndjson",
            ollama,
            "POST /v1/api/chat",
            "authorization",
        ),
    ] {
        let server = Server::start(move |_| Reply::new(200, content_type, body));
        let more = format!(
            "format = \"{format}\"\nkey_env = \"KEY\"\n[vendors.a.models.m]\ninput_price = 1\noutput_price = 2.5\n[models]\nchat = \"a/m\"\n"
        );
        let folder = folder(&[&server], &more);
        let output = ask(folder.path(), &["Which tea?"])
            .env("KEY", "sk-1")
            .output();
        let (said, about) = answer(&output.unwrap());
        assert_eq!(said, "緑茶\n", "{format}");
        let expect = "a/m: 10 tokens in, 5 out, $0.000023, ";
        assert!(about.starts_with(expect), "{format}: {about}");
        let request = server.request();
        assert_eq!(request.line, line);
        assert!(request.body.contains("Which tea?"), "{format}");
        assert!(request.header(key).unwrap().ends_with("sk-1"), "{format}");
    }
}

#[test]
fn the_understudy_answers() {
    let folder = TempDir::new().unwrap();
    let args = ["understudy", "--port", "0", "--pace", "0"];
    let mut understudy = Running::start(kaiwa(folder.path(), &args));
    let base_url = understudy.prints("http://");
    let config = format!("[vendors.mine]\nbase_url = \"{base_url}\"\n");
    fs::write(folder.path().join("other.toml"), config).unwrap();
    let args = [
        "hello",
        "--model",
        "mine/understudy",
        "--config",
        "other.toml",
    ];
    let (said, about) = answer(&ask(folder.path(), &args).output().unwrap());
    assert!(said.contains("understudy"), "{said}");
    assert!(about.starts_with("mine/understudy: "), "{about}");
}

#[test]
fn a_question_may_come_from_standard_input() {
    let server = Server::start(|_| Reply::chat("yes"));
    let folder = folder(&[&server], "[models]\nchat = \"a/m\"");
    let mut child = ask(folder.path(), &["-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"Is it tea?\n")
        .unwrap();
    let (said, _) = answer(&child.wait_with_output().unwrap());
    assert_eq!(said, "yes\n");
    assert!(server.request().body.contains("Is it tea?"));
}

/// A picture of one red pixel.
const RED: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\xdac\xf8\xcf\xc0\0\0\x03\x01\x01\0\xf7\x03AC\0\0\0\0IEND\xaeB`\x82";

#[test]
fn images_go_to_a_model_that_sees() {
    let blind = Server::start(|_| Reply::chat("blind"));
    let seeing = Server::start(|_| Reply::chat("a cat"));
    let more = "[vendors.b.models.m]\nvision = true\n[models]\nchat = [\"a/m\", \"b/m\"]";
    let folder = folder(&[&blind, &seeing], more);
    fs::write(folder.path().join("cat.png"), RED).unwrap();
    let output = ask(folder.path(), &["What is it?", "--image", "cat.png"]).output();
    assert_eq!(answer(&output.unwrap()).0, "a cat\n");
    assert!(blind.requests().is_empty());
    let body = seeing.request().body;
    assert!(body.contains("What is it?"));
    assert!(body.contains("data:image/jpeg;base64,"), "{body}");
}

#[test]
fn the_next_model_is_asked() {
    let first = Server::start(|_| Reply::json(404, r#"{"error":{"message":"gone"}}"#));
    let second = Server::start(|_| Reply::chat("here"));
    let folder = folder(&[&first, &second], "[models]\nchat = [\"a/m\", \"b/n\"]");
    let (said, about) = answer(&ask(folder.path(), &["hello"]).output().unwrap());
    assert_eq!(said, "here\n");
    assert!(about.contains("b/n: 10 tokens in"), "{about}");
    assert_eq!(first.requests().len(), 1);
}

#[test]
fn the_next_key_is_used() {
    let server = Server::start(|request| match request.header("authorization") {
        Some("Bearer sk-good") => Reply::chat("hello"),
        _ => Reply::json(401, "{}"),
    });
    let folder = folder(
        &[&server],
        "key_env = [\"ONE\", \"TWO\"]\n[models]\nchat = \"a/m\"",
    );
    let mut command = ask(folder.path(), &["hello"]);
    command.env("ONE", "sk-bad").env("TWO", "sk-good");
    assert_eq!(answer(&command.output().unwrap()).0, "hello\n");
    let keys: Vec<String> = server
        .requests()
        .iter()
        .map(|request| request.header("authorization").unwrap().to_owned())
        .collect();
    assert_eq!(keys, ["Bearer sk-bad", "Bearer sk-good"]);
}

#[test]
fn what_goes_wrong_is_one_sentence() {
    let picky = |request: &Request| match request.line.as_str() {
        "GET /v1/models" => Reply::json(200, r#"{"data":[{"id":"tea"},{"id":"coffee"}]}"#),
        _ => Reply::json(404, r#"{"error":{"message":"no such model sk-secret"}}"#),
    };
    let picky = Server::start(picky);
    let locked = Server::start(|_| Reply::json(401, r#"{"error":{"message":"bad sk-secret"}}"#));
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let more = format!(
        "key_env = \"KEY\"\n[vendors.gone]\nbase_url = \"http://{free}/v1\"\n[models]\nchat = [\"a/m\", \"b/m\"]\n"
    );
    let folder = folder(&[&picky, &locked], &more);
    let here = folder.path();
    fs::write(here.join("big.png"), vec![0; 10_000_001]).unwrap();
    fs::write(here.join("page.html"), b"<html>").unwrap();
    fs::create_dir(here.join("folder")).unwrap();
    let check = |args: &[&str], expect: &str| {
        let mut command = ask(here, args);
        let output = command.env("KEY", "sk-secret").output().unwrap();
        assert_failure(&output, expect);
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(printed.lines().count(), 1, "{printed}");
        assert!(!printed.contains("sk-secret"), "{printed}");
    };
    check(
        &["hi", "--model", "b/m"],
        "kaiwa: b at http://…/v1 refused the key (HTTP 401): check KEY",
    );
    check(
        &["hi", "--model", "a/m"],
        "kaiwa: a at http://…/v1 has no model \"m\"; it has: tea, coffee",
    );
    check(
        &["hi", "--model", "gone/m"],
        "kaiwa: no connection to the model at http://…/v1: …; start the server, or correct base_url in [vendors.gone]",
    );
    check(
        &["hi", "--model", "opnai/m"],
        "kaiwa: --model: there is no vendor \"opnai\"; did you mean `openai`? known vendors are …",
    );
    check(
        &["hi", "--model", "openai/gpt-5"],
        "kaiwa: --model: no key for openai: set OPENAI_API_KEY in the environment, …",
    );
    check(
        &["hi"],
        "kaiwa: none of a/m, b/m answered, the last because the model's server …",
    );
    check(&[" "], "kaiwa: the question is empty");
    let many = [["--image", "cat.gif"]; 11].concat();
    check(
        &[&["hi"], &many[..]].concat(),
        "kaiwa: 11 images are too many: show 10 at most",
    );
    check(
        &["hi", "--model", "a/tea", "--image", "no.png"],
        "kaiwa: cannot read the image no.png: …",
    );
    check(
        &["hi", "--model", "a/tea", "--image", "folder"],
        "kaiwa: the image folder is not a file",
    );
    check(
        &["hi", "--model", "a/tea", "--image", "big.png"],
        "kaiwa: the image big.png is larger than 10 MB: make it smaller first",
    );
    check(
        &["hi", "--model", "a/tea", "--image", "page.html"],
        "kaiwa: the image page.html is no PNG, JPEG, WEBP or GIF: convert it first",
    );
    fs::write(here.join("cat.gif"), RED).unwrap();
    check(
        &["hi", "--model", "a/tea", "--image", "cat.gif"],
        "kaiwa: a/tea is not known to see images: name a model that does with --model or [models] vision, or set vision = true in its section …",
    );
}

#[test]
fn without_a_model_it_says_how_to_get_one() {
    let folder = TempDir::new().unwrap();
    // Whatever runs on this machine is kept out.
    let config: String = ["ollama", "\"llama.cpp\"", "lmstudio", "vllm"]
        .map(|vendor| format!("[vendors.{vendor}]\nbase_url = \"http://127.0.0.1:9/v1\"\n"))
        .concat();
    fs::write(folder.path().join("kaiwa.toml"), config).unwrap();
    let output = ask(folder.path(), &["hi"]).output().unwrap();
    assert_failure(
        &output,
        "kaiwa: no model: write [models] with chat = \"vendor/model\" into kaiwa.toml …, name one with --model, or start Ollama, llama.cpp, LM Studio or vLLM",
    );
}

#[test]
fn a_model_on_this_machine_is_found() {
    let server = Server::start(|request| match request.line.as_str() {
        "GET /v1/models" => Reply::json(200, r#"{"data":[{"id":"found"}]}"#),
        _ => Reply::chat("it is me"),
    });
    let folder = TempDir::new().unwrap();
    let config = format!(
        "[vendors.ollama]\nbase_url = \"{}\"\nformat = \"openai-chat\"\n",
        server.base_url
    );
    fs::write(folder.path().join("kaiwa.toml"), config).unwrap();
    let (said, about) = answer(&ask(folder.path(), &["hi"]).output().unwrap());
    assert_eq!(said, "it is me\n");
    assert!(about.starts_with("ollama/found: "), "{about}");
}

#[test]
fn an_empty_answer_is_a_failure() {
    let server = Server::start(|_| Reply::chat(""));
    let folder = folder(&[&server], "[models]\nchat = \"a/m\"");
    assert_failure(
        &ask(folder.path(), &["hi"]).output().unwrap(),
        "kaiwa: the answer is empty: ask in other words, or ask another model",
    );
}

#[test]
fn wrong_usage_is_told_apart() {
    let folder = TempDir::new().unwrap();
    for (args, expect) in [
        (&[][..], "<QUESTION>"),
        (&["hi", "--model", "gpt-5"], "not vendor/model"),
    ] {
        let output = ask(folder.path(), args).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{printed}");
        assert!(printed.contains(expect), "{printed}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_closes_the_connection() {
    let server = Server::start(|_| Reply::endless("one line\n"));
    let folder = folder(&[&server], "[models]\nchat = \"a/m\"");
    let mut asking = Running::start(ask(folder.path(), &["talk"]));
    asking.prints("one line");
    asking.signal("INT");
    server.client_left();
    assert_eq!(asking.child.wait().unwrap().code(), Some(130));
}
