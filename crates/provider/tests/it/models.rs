//! Lists of models.

use std::time::Duration;

use axum::body::Body;
use kaiwa_domain::ModelError;
use kaiwa_provider::{Vendor, list_models, local_servers};
use secrecy::SecretString;

use crate::stage::{KEY, Stage, reply};

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
        let mut stage = Stage::new(Some(reply(status, "application/json", body))).await;
        let key = SecretString::from(KEY);
        let list = list_models(Vendor::at(&stage.base), &stage.base, Some(&key), PATIENCE).await;
        assert_eq!(list, expect);
        let (head, _) = stage.request().await;
        assert_eq!(head.uri().path(), "/v1/models");
        assert_eq!(head.headers()["authorization"], format!("Bearer {KEY}"));
    }
}

#[tokio::test]
async fn every_vendor_is_asked_in_its_own_way() {
    async fn check(vendor: &str, body: &'static str, uri: &str, header: &str, expect: &[&str]) {
        let vendor = Vendor::named(vendor).unwrap();
        let mut stage = Stage::new([reply(200, "application/json", body)]).await;
        let key = SecretString::from(KEY);
        let list = list_models(vendor, &stage.base, Some(&key), PATIENCE).await;
        assert_eq!(list.unwrap(), expect, "{}", vendor.name);
        let (head, _) = stage.request().await;
        assert_eq!(head.uri(), uri);
        assert!(head.headers().contains_key(header), "{}", vendor.name);
    }
    let anthropic =
        r#"{"data":[{"type":"model","id":"claude-b"},{"id":"claude-a"}],"has_more":false}"#;
    let found = ["claude-b", "claude-a"];
    let uri = "/v1/models?limit=1000";
    check("anthropic", anthropic, uri, "x-api-key", &found).await;
    check("anthropic", anthropic, uri, "anthropic-version", &found).await;
    let gemini = r#"{"models":[
        {"name":"models/gemini-a","supportedGenerationMethods":["generateContent","countTokens"]},
        {"name":"models/embedding","supportedGenerationMethods":["embedContent"]}]}"#;
    let uri = "/v1/models?pageSize=1000";
    check("google", gemini, uri, "x-goog-api-key", &["gemini-a"]).await;
    let ollama = r#"{"models":[{"name":"qwen3:8b","model":"qwen3:8b","size":1}]}"#;
    check(
        "ollama",
        ollama,
        "/v1/api/tags",
        "authorization",
        &["qwen3:8b"],
    )
    .await;
    check(
        "ollama",
        r#"{"models":null}"#,
        "/v1/api/tags",
        "authorization",
        &[],
    )
    .await;
    check("openai", anthropic, "/v1/models", "authorization", &found).await;
    let openrouter = r#"{"data":[{"id":"a/b","name":"A: B"},{"name":"c"},{"object":"model"}]}"#;
    let uri = "/v1/models";
    check(
        "openrouter",
        openrouter,
        uri,
        "authorization",
        &["a/b", "c"],
    )
    .await;
}

#[tokio::test]
async fn a_silent_server_is_given_up() {
    let stage = Stage::new(None).await;
    let waited = Duration::from_millis(1);
    let list = list_models(Vendor::at(&stage.base), &stage.base, None, waited).await;
    assert_eq!(list, Err(ModelError::Silent { waited }));

    let endless = Body::from_stream(futures_util::stream::pending::<Result<String, String>>());
    let stage = Stage::new(Some(reply(500, "text/plain", endless))).await;
    let list = list_models(Vendor::at(&stage.base), &stage.base, None, waited).await;
    assert!(list.is_err(), "{list:?}");
}

#[test]
fn local_servers_have_addresses() {
    let servers = local_servers().map(|(name, base)| format!("{name} {base}"));
    assert_eq!(
        servers,
        [
            "Ollama http://127.0.0.1:11434/v1",
            "llama.cpp http://127.0.0.1:8080/v1",
            "LM Studio http://127.0.0.1:1234/v1",
        ]
    );
}
