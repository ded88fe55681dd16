//! Requests that are refused or never arrive.

use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use kaiwa_domain::ModelError;
use kaiwa_provider::{EndpointError, Model};
use secrecy::SecretString;
use tokio::net::TcpListener;

use crate::test_server::{KEY, TestServer, ask, collect, reply, show};

async fn check(reply: Response, expect: ModelError) {
    let server = TestServer::new(Some(reply)).await;
    assert_eq!(collect(server.ask()).await, [Err(expect)]);
}

#[tokio::test]
async fn a_status_has_a_meaning() {
    let json = |status, body: &'static str| reply(status, "application/json", body);
    let failed = |status, message: &str| ModelError::Failed {
        status,
        message: message.to_owned(),
    };
    let rejected = |status, message: &str| ModelError::Rejected {
        status,
        message: message.to_owned(),
    };
    let busy = |retry_after| ModelError::Busy { retry_after };
    let quota = r#"{"error":{"code":"insufficient_quota","message":"pay"}}"#;
    for (reply, expect) in [
        (json(401, "{}"), ModelError::Unauthorized { status: 401 }),
        (json(403, ""), ModelError::Unauthorized { status: 403 }),
        (json(402, ""), ModelError::OutOfCredit),
        (json(429, quota), ModelError::OutOfCredit),
        (json(429, "{}"), busy(None)),
        (
            json(400, r#"{"error":{"message":"too\nlong"}}"#),
            rejected(400, "too long"),
        ),
        (
            json(404, r#"[{"error":{"message":"no model"}}]"#),
            rejected(404, "no model"),
        ),
        (
            json(404, r#"{"error":"no model"}"#),
            rejected(404, "no model"),
        ),
        (
            json(422, r#"{"detail":"bad field"}"#),
            rejected(422, "bad field"),
        ),
        (
            json(500, r#"{"message":"out of memory"}"#),
            failed(500, "out of memory"),
        ),
        (
            reply(502, "text/html", "<h1>Bad gateway</h1>"),
            failed(502, "(a web page)"),
        ),
        (
            reply(503, "text/plain", "try later"),
            failed(503, "try later"),
        ),
        (json(529, ""), failed(529, "(no reason given)")),
    ] {
        check(reply, expect).await;
    }
}

#[tokio::test]
async fn a_busy_server_is_believed() {
    for (header, seconds) in [
        ("20", Some(20)),
        // The clock of the server stands at 08:49:00.
        ("Sun, 06 Nov 1994 08:49:37 GMT", Some(37)),
        ("soon", None),
    ] {
        let mut reply = reply(429, "application/json", "{}");
        let header = header.parse().unwrap();
        reply.headers_mut().insert("retry-after", header);
        let retry_after = seconds.map(Duration::from_secs);
        check(reply, ModelError::Busy { retry_after }).await;
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let mut reply = reply(302, "text/plain", Body::empty());
    let elsewhere = "http://127.0.0.1:1/".parse().unwrap();
    reply.headers_mut().insert("location", elsewhere);
    let message = "the server redirects elsewhere; use the final address".to_owned();
    check(
        reply,
        ModelError::Rejected {
            status: 302,
            message,
        },
    )
    .await;
}

#[tokio::test]
async fn the_words_of_a_refusal_are_few_and_hold_no_key() {
    let body = format!("{KEY} is wrong. {}", "x".repeat(1 << 20));
    let server = TestServer::new(Some(reply(400, "text/plain", body))).await;
    let answer = show(&collect(server.ask()).await);
    assert!(answer.contains("[key] is wrong. xxx"), "{answer}");
    assert!(answer.len() < 400, "{answer}");
}

#[tokio::test]
async fn nobody_there() {
    // A port that was free a moment ago.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let server = TestServer::new(None).await;
    let mut endpoint = server.endpoint();
    endpoint.base_url = format!("http://user:secret@{address}/v1?token=secret")
        .parse()
        .unwrap();
    let answer = collect(ask(endpoint, &server.clock)).await;
    let [Err(ModelError::Unreachable { url, reason })] = answer.as_slice() else {
        panic!("{answer:?}");
    };
    assert_eq!(*url, format!("http://{address}/v1"));
    assert!(reason.starts_with("Connection refused"), "{reason}");
}

#[tokio::test]
async fn a_connection_closed_before_the_status() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = TestServer::new(None).await;
    let mut endpoint = server.endpoint();
    let address = listener.local_addr().unwrap();
    endpoint.base_url = format!("http://{address}/v1").parse().unwrap();
    let hang_up = async { drop(listener.accept().await.unwrap()) };
    let (answer, ()) = tokio::join!(collect(ask(endpoint, &server.clock)), hang_up);
    let [Err(ModelError::Unreachable { .. })] = answer.as_slice() else {
        panic!("{answer:?}");
    };
}

#[tokio::test]
async fn endpoints_that_can_never_work_are_refused() {
    let server = TestServer::new(None).await;
    let check = |base_url: &str, model: &str, key: &str, expect| {
        let mut endpoint = server.endpoint();
        endpoint.base_url = base_url.parse().unwrap();
        endpoint.model = model.to_owned();
        endpoint.key = Some(SecretString::from(key));
        let made = Model::new(endpoint, server.clock.clone());
        assert_eq!(made.err(), expect);
    };
    check("http://h/v1", "tea", "k", None);
    check("https://h/v1", "tea", "", None);
    check("http://h/v1", " ", "k", Some(EndpointError::NoModel));
    check("http://h/v1", "tea", "k\n", Some(EndpointError::BadKey));
    let scheme = "localhost".to_owned();
    check(
        "localhost:11434",
        "tea",
        "k",
        Some(EndpointError::Scheme { scheme }),
    );
}
