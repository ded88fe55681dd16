//! Lists of models.

use std::time::Duration;

use axum::body::Body;
use kaiwa_domain::ModelError;
use kaiwa_provider::{Format, list_models, local_vendors, seems_to_chat};

use crate::test_server::{KEY, TestServer, reply};

const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn lists_are_read() {
    let garbled = |reason: &str| {
        Err(ModelError::Garbled {
            reason: reason.to_owned(),
        })
    };
    let no_list = "no list of models at /models";
    for (status, body, expect) in [
        (
            200,
            r#"{"object":"list","data":[{"id":"b","object":"model"},{"id":"a"}]}"#.to_owned(),
            Ok(vec!["b".to_owned(), "a".to_owned()]),
        ),
        (200, r#"{"data":null}"#.to_owned(), Ok(Vec::new())),
        (200, "<html>".to_owned(), garbled(no_list)),
        (200, r#"["a"]"#.to_owned(), garbled(no_list)),
        (
            200,
            " ".repeat((1 << 20) + 1),
            garbled("the list of models exceeds 1 MiB"),
        ),
        (
            401,
            String::new(),
            Err(ModelError::Unauthorized { status: 401 }),
        ),
        (
            404,
            format!("no {KEY}"),
            Err(ModelError::Rejected {
                status: 404,
                message: "no [key]".to_owned(),
            }),
        ),
    ] {
        let mut server = TestServer::new(Some(reply(status, "application/json", body))).await;
        let list = list_models(&server.endpoint(), PATIENCE).await;
        assert_eq!(list, expect);
        let (head, _) = server.request().await;
        assert_eq!(head.uri().path(), "/v1/models");
        assert_eq!(head.headers()["authorization"], format!("Bearer {KEY}"));
    }
}

#[tokio::test]
async fn a_silent_server_is_given_up() {
    let server = TestServer::new(None).await;
    let waited = Duration::from_millis(1);
    let list = list_models(&server.endpoint(), waited).await;
    assert_eq!(list, Err(ModelError::Silent { waited }));

    let endless = Body::from_stream(futures_util::stream::pending::<Result<String, String>>());
    let server = TestServer::new(Some(reply(500, "text/plain", endless))).await;
    let list = list_models(&server.endpoint(), waited).await;
    assert!(list.is_err(), "{list:?}");
}

#[tokio::test]
async fn every_format_has_its_list() {
    let openai = r#"{"data":[{"id":"tea"}]}"#;
    for (format, body, path, header) in [
        (Format::OpenAiChat, openai, "/v1/models", "authorization"),
        (
            Format::OpenAiResponses,
            openai,
            "/v1/models",
            "authorization",
        ),
        (Format::AnthropicMessages, openai, "/v1/models", "x-api-key"),
        (
            Format::GeminiGenerateContent,
            r#"{"models":[{"name":"models/tea","supportedGenerationMethods":["generateContent"]},{"name":"models/embedding","supportedGenerationMethods":["embedContent"]}]}"#,
            "/v1/models",
            "x-goog-api-key",
        ),
        (
            Format::OllamaChat,
            r#"{"models":[{"name":"tea","model":"tea"}]}"#,
            "/v1/api/tags",
            "authorization",
        ),
    ] {
        let mut server = TestServer::new(Some(reply(200, "application/json", body))).await;
        let list = list_models(&server.endpoint_of(format), PATIENCE).await;
        assert_eq!(list, Ok(vec!["tea".to_owned()]), "{format}");
        let (head, _) = server.request().await;
        assert_eq!(head.uri().path(), path, "{format}");
        let key = head.headers()[header].to_str().unwrap();
        assert!(key.ends_with(KEY), "{format}");
    }
}

#[test]
fn local_vendors_have_addresses() {
    let vendors: Vec<String> = local_vendors()
        .map(|(vendor, base)| format!("{} {base}", vendor.name))
        .collect();
    assert_eq!(
        vendors,
        [
            "ollama http://127.0.0.1:11434/",
            "llama.cpp http://127.0.0.1:8080/v1",
            "lmstudio http://127.0.0.1:1234/v1",
            "vllm http://127.0.0.1:8000/v1",
        ]
    );
}

#[test]
fn names_tell_who_does_not_chat() {
    for (name, expect) in [
        ("llama3.2:latest", true),
        ("qwen3-8b-instruct", true),
        ("gemma-3n-e4b-it", true),
        ("hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M", true),
        ("nomic-embed-text:latest", false),
        ("text-embedding-nomic-embed-text-v1.5", false),
        ("jina-embeddings-v3", false),
        ("BAAI/bge-m3", false),
        ("intfloat/multilingual-e5-large", false),
        ("all-minilm:33m", false),
        ("openai/whisper-large-v3", false),
        ("bge-reranker-v2-m3", false),
        ("llama-guard3:8b", false),
    ] {
        assert_eq!(seems_to_chat(name), expect, "{name}");
    }
}
