//! The understudy over real sockets, at full speed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::time::Duration;

use kaiwa_understudy::{StreamPace, serve};
use reqwest::{Client, Response};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

struct Theatre {
    address: String,
    client: Client,
    shutdown: CancellationToken,
    server: JoinSet<std::io::Result<()>>,
}

impl Theatre {
    async fn open(pace: StreamPace) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let shutdown = CancellationToken::new();
        let mut server = JoinSet::new();
        server.spawn(serve(listener, pace, shutdown.clone()));
        let provider = rustls::crypto::ring::default_provider().into();
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth();
        let client = Client::builder()
            .no_proxy()
            .tls_backend_preconfigured(tls)
            .build()
            .unwrap();
        Self {
            address,
            client,
            shutdown,
            server,
        }
    }

    async fn post(&self, body: impl Into<reqwest::Body>) -> Response {
        let url = format!("http://{}/v1/chat/completions", self.address);
        self.client.post(url).body(body).send().await.unwrap()
    }

    async fn ask(&self, message: &str, stream: bool) -> Response {
        self.post(request(message, stream).to_string()).await
    }

    /// The answer in one piece, and the same answer put together from a
    /// stream.
    async fn both(&self, message: &str) -> [Reply; 2] {
        let whole = self.ask(message, false).await;
        assert_eq!(whole.status(), 200, "{message}");
        let whole: Value = whole.json().await.unwrap();
        let streamed = self.ask(message, true).await;
        assert_eq!(streamed.headers()["content-type"], "text/event-stream");
        let streamed = streamed.text().await.unwrap();
        [Reply::whole(&whole), Reply::streamed(&streamed)]
    }
}

fn request(message: &str, stream: bool) -> Value {
    json!({
        "model": "anything",
        "messages": [
            {"role": "system", "content": "You pour tea."},
            {"role": "user", "content": message},
        ],
        "tools": [{"type": "function", "function": {"name": "now"}}],
        "stream": stream,
        "stream_options": {"include_usage": true},
    })
}

#[derive(PartialEq, Debug, Default)]
struct Reply {
    text: String,
    thought: String,
    refusal: String,
    tool: String,
    arguments: String,
    finish: String,
    usage: Value,
}

impl Reply {
    fn add(&mut self, said: &Value) {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        self.text += &text(&said["content"]);
        self.thought += &text(&said["reasoning_content"]);
        self.refusal += &text(&said["refusal"]);
        let function = &said["tool_calls"][0]["function"];
        self.tool += &text(&function["name"]);
        self.arguments += &text(&function["arguments"]);
    }

    fn whole(body: &Value) -> Self {
        let mut reply = Self::default();
        let choice = &body["choices"][0];
        reply.add(&choice["message"]);
        reply.finish = choice["finish_reason"].as_str().unwrap().to_owned();
        reply.usage = body["usage"].clone();
        reply
    }

    fn streamed(body: &str) -> Self {
        let mut reply = Self::default();
        let events = body.strip_suffix("data: [DONE]\n\n").unwrap();
        for event in events.split_terminator("\n\n") {
            let chunk: Value = serde_json::from_str(event.strip_prefix("data: ").unwrap()).unwrap();
            assert_eq!(reply.usage, Value::Null, "usage comes last");
            let choice = &chunk["choices"][0];
            reply.add(&choice["delta"]);
            if let Some(reason) = choice["finish_reason"].as_str() {
                assert_eq!(reply.finish, "", "one reason to finish");
                reply.finish = reason.to_owned();
            }
            reply.usage = chunk["usage"].clone();
        }
        reply
    }
}

#[tokio::test]
async fn every_word_of_the_menu_shows_its_kind_of_answer() {
    let theatre = Theatre::open(StreamPace::ZERO).await;
    type Kind = fn(&Reply) -> bool;
    let menu: [(&str, Kind); 17] = [
        ("Ada: hello", |r| {
            r.text.contains("script") && r.text.contains("[models]") && r.text.contains("Ollama")
        }),
        ("what can you do?", |r| {
            r.text.contains("script") && r.text.contains("[models]") && r.text.contains("Ollama")
        }),
        ("a list", |r| {
            r.text.contains("\n1. ") && r.text.contains("\n5. ")
        }),
        ("some code", |r| {
            r.text.contains("\n```rust\n") && r.text.matches("```").count() == 2
        }),
        ("a table", |r| {
            r.text.contains("\n|:--|") && r.text.contains("| Sencha |")
        }),
        ("markdown", |r| {
            r.text.contains("# ") && r.text.contains("||secret||")
        }),
        ("a long answer", |r| {
            r.text.chars().count() > 4000
                && r.text.matches("\n\n").count() > 10
                && r.text.matches("\n```").count() == 2
        }),
        ("thinking", |r| !r.thought.is_empty() && !r.text.is_empty()),
        ("a tool", |r| {
            let arguments = serde_json::from_str::<Value>(&r.arguments);
            r.tool == "now" && r.finish == "tool_calls" && arguments.is_ok()
        }),
        ("a refusal", |r| !r.refusal.is_empty() && r.text.is_empty()),
        ("thanks", |r| r.text.contains("welcome")),
        ("bye", |r| r.text.contains("Goodbye")),
        ("count to 50", |r| {
            r.text.lines().count() == 50 && r.text.ends_with("\n50")
        }),
        ("say 会話 🍵 to me", |r| r.text == "会話 🍵 to me"),
        ("Ada: <@1> who am I", |r| r.text.contains("**Ada**")),
        ("what is the meaning of life", |r| {
            r.text.contains("script") && r.text.contains("`help`")
        }),
        ("", |r| r.text.contains("`help`")),
    ];
    for (message, is_right) in menu {
        let [whole, streamed] = theatre.both(message).await;
        assert!(is_right(&whole), "{message}: {whole:?}");
        assert_eq!(whole, streamed, "{message}");
        if whole.tool.is_empty() {
            assert_eq!(whole.finish, "stop");
        }
    }
}

#[tokio::test]
async fn words_are_counted() {
    let theatre = Theatre::open(StreamPace::ZERO).await;
    let [reply, _] = theatre.both("say one two three").await;
    // Three words of the system's, four of the user's.
    let expect = json!({"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10});
    assert_eq!(reply.usage, expect);
    let mut request = request("hello", true);
    request["stream_options"] = Value::Null;
    let reply = theatre.post(request.to_string()).await;
    assert!(!reply.text().await.unwrap().contains("usage"));
}

#[tokio::test]
async fn the_same_request_gets_the_same_bytes() {
    let theatre = Theatre::open(StreamPace::ZERO).await;
    for message in ["hello", "thinking", "tool", "something else", "long"] {
        let first = theatre.ask(message, true).await.text().await.unwrap();
        let second = theatre.ask(message, true).await.text().await.unwrap();
        assert_eq!(first, second, "{message}");
        assert!(first.matches("data: ").count() > 5, "{message}");
    }
}

#[tokio::test]
async fn a_tools_result_is_read_back() {
    let theatre = Theatre::open(StreamPace::ZERO).await;
    let mut request = request("use a tool", false);
    request["messages"].as_array_mut().unwrap().extend([
        json!({"role": "assistant", "content": null, "tool_calls": []}),
        json!({"role": "tool", "content": [{"type": "text", "text": "tea is ready"}]}),
    ]);
    let reply: Value = theatre
        .post(request.to_string())
        .await
        .json()
        .await
        .unwrap();
    assert!(
        Reply::whole(&reply).text.ends_with("> tea is ready"),
        "{reply}"
    );
}

#[tokio::test]
async fn a_tool_that_is_not_offered_is_not_asked_for() {
    let theatre = Theatre::open(StreamPace::ZERO).await;
    for tools in [
        json!(null),
        json!([]),
        json!([{"function": {"name": "kettle"}}]),
    ] {
        let mut request = request("use a tool", false);
        request["tools"] = tools;
        let reply = theatre.post(request.to_string()).await;
        let reply = Reply::whole(&reply.json().await.unwrap());
        assert!(reply.text.contains("`now`"), "{reply:?}");
        assert_eq!((&*reply.tool, &*reply.finish), ("", "stop"));
    }
}

#[tokio::test]
async fn an_error_is_an_error() {
    let theatre = Theatre::open(StreamPace::ZERO).await;
    for stream in [false, true] {
        let reply = theatre.ask("error", stream).await;
        assert_eq!(reply.status(), 503);
        let body: Value = reply.json().await.unwrap();
        assert_eq!(body["error"]["type"], "server_error");
    }
}

#[tokio::test]
async fn bad_requests_are_refused_with_a_reason() {
    let theatre = Theatre::open(StreamPace::ZERO).await;
    for (body, status, reason) in [
        ("{".to_owned(), 400, "no chat request"),
        ("{}".to_owned(), 400, "missing field `messages`"),
        (r#"{"messages":[]}"#.to_owned(), 400, "`messages` is empty"),
        (r#"{"messages":["hi"]}"#.to_owned(), 400, "no chat request"),
        (" ".repeat((4 << 20) + 1), 413, "length limit"),
    ] {
        let reply = theatre.post(body).await;
        assert_eq!(reply.status(), status, "{reason}");
        let body: Value = reply.json().await.unwrap();
        let message = body["error"]["message"].as_str().unwrap();
        assert!(message.contains(reason), "{message}");
    }
    let mut largest = request("hello", false).to_string();
    largest += &" ".repeat((4 << 20) - largest.len());
    assert_eq!(theatre.post(largest).await.status(), 200);
    for (path, status) in [("/", 404), ("/v1/chat/completions", 405)] {
        let url = format!("http://{}{path}", theatre.address);
        let reply = theatre.client.get(url).send().await.unwrap();
        assert_eq!(reply.status(), status);
        let body: Value = reply.json().await.unwrap();
        assert_eq!(body["error"]["type"], "invalid_request_error");
    }
}

#[tokio::test]
async fn it_lists_itself() {
    let theatre = Theatre::open(StreamPace::ZERO).await;
    let url = format!("http://{}/v1/models", theatre.address);
    let list: Value = theatre
        .client
        .get(url)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(list["data"][0]["id"], "understudy");
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
}

/// Asks on a bare connection, half of which is then closed: the client has
/// left, but can still see what the server does about it.
async fn leave(theatre: &Theatre, message: &str) {
    let mut connection = TcpStream::connect(&theatre.address).await.unwrap();
    let body = request(message, true).to_string();
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    connection.write_all(head.as_bytes()).await.unwrap();
    connection.write_all(body.as_bytes()).await.unwrap();
    let mut status = [0; 15];
    connection.read_exact(&mut status).await.unwrap();
    assert_eq!(&status, b"HTTP/1.1 200 OK");
    connection.shutdown().await.unwrap();
    let mut rest = Vec::new();
    let ended = connection.read_to_end(&mut rest).await;
    assert!(ended.is_ok(), "{ended:?}");
    let rest = String::from_utf8_lossy(&rest);
    assert!(!rest.contains("[DONE]"), "{rest}");
}

#[tokio::test]
async fn silence_lasts_until_the_client_leaves() {
    let theatre = Theatre::open(StreamPace::ZERO).await;
    leave(&theatre, "silence").await;
}

#[tokio::test]
async fn a_scene_ends_when_the_client_leaves() {
    let theatre = Theatre::open(StreamPace::new(Duration::from_secs(3600))).await;
    leave(&theatre, "long").await;
}

#[tokio::test]
async fn shutdown_ends_every_scene() {
    let mut theatre = Theatre::open(StreamPace::ZERO).await;
    let mut silent = theatre.ask("silence", true).await;
    theatre.shutdown.cancel();
    assert!(matches!(silent.chunk().await, Ok(None)));
    theatre.server.join_next().await.unwrap().unwrap().unwrap();
}
