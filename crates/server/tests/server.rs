//! The server under those who mean it no good.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::StatusCode;
use axum::routing::{get, post};
use kaiwa_server::{ServerLimits, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// What takes longer than this never comes.
const PATIENCE: Duration = Duration::from_secs(20);

/// No connection has this long to wait in a test.
const FOREVER: Duration = Duration::from_secs(3_600);

fn limits(connections: usize, header_timeout: Duration) -> ServerLimits {
    ServerLimits {
        connections,
        header_timeout,
        body_bytes: 1_000,
        ..ServerLimits::default()
    }
}

/// A permit for each request that is stuck.
static STUCK: Semaphore = Semaphore::const_new(0);

async fn stuck() {
    STUCK.add_permits(1);
    std::future::pending::<()>().await;
}

fn router() -> Router {
    let length = |body: Body| async {
        let bytes = to_bytes(body, usize::MAX).await;
        bytes.map_or(StatusCode::PAYLOAD_TOO_LARGE, |_| StatusCode::OK)
    };
    Router::new()
        .route("/", get(|| async { "here" }))
        .route("/stuck", get(stuck))
        .route("/length", post(length))
}

/// Serves for as long as `visit` runs, then ends well and soon.
async fn with_server(limits: ServerLimits, visit: impl AsyncFnOnce(SocketAddr)) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = CancellationToken::new();
    let serving = serve(listener, router(), limits, shutdown.clone());
    let visiting = async {
        visit(address).await;
        shutdown.cancel();
    };
    let both = async { tokio::join!(serving, visiting) };
    let (served, ()) = timeout(PATIENCE * 3, both).await.unwrap();
    served.unwrap();
}

async fn send(address: SocketAddr, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // A server that has closed already shows when it is read.
    let _ = stream.write_all(request.as_bytes()).await;
    stream
}

/// All that is answered until the server closes the connection.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset ends the answer as well.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut bytes))
        .await
        .unwrap();
    String::from_utf8(bytes).unwrap()
}

async fn ask(address: SocketAddr, request: &str) -> String {
    rest(&mut send(address, request).await).await
}

fn request(host: &str) -> String {
    format!("GET / HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")
}

async fn check_served(address: SocketAddr) {
    let answer = ask(address, &request("localhost")).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(answer.ends_with("\r\n\r\nhere"), "{answer}");
}

#[tokio::test]
async fn thousands_of_half_open_requests_keep_nobody_out() {
    const CAP: usize = 16;
    with_server(limits(CAP, FOREVER), async |address| {
        let mut open = VecDeque::new();
        for round in 0..2_000 {
            open.push_back(send(address, "GET / HTTP/1.1\r\nhost:").await);
            if open.len() > 4 * CAP {
                // Long pushed out by newer ones.
                let mut oldest: TcpStream = open.pop_front().unwrap();
                assert_eq!(rest(&mut oldest).await, "");
            }
            if round % 500 == 499 {
                check_served(address).await;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_request_that_does_not_come_is_not_waited_for() {
    with_server(limits(100, Duration::from_millis(50)), async |address| {
        for beginning in [
            "",
            "GET / HT",
            "GET / HTTP/1.1\r\nhost: localhost\r\nx: ",
            // Answered, and then idle.
            "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n",
        ] {
            let answer = ask(address, beginning).await;
            assert_eq!(answer.ends_with("here"), beginning.ends_with("\r\n\r\n"));
        }
        check_served(address).await;
    })
    .await;
}

#[tokio::test]
async fn whoever_is_being_answered_is_not_pushed_out() {
    with_server(limits(2, FOREVER), async |address| {
        let stuck = "GET /stuck HTTP/1.1\r\nhost: localhost\r\n\r\n";
        let mut first = send(address, stuck).await;
        STUCK.acquire().await.unwrap().forget();
        // One place is left, for which these compete.
        let _idle = send(address, "").await;
        for _ in 0..10 {
            check_served(address).await;
        }
        let mut byte = [0];
        let early = timeout(Duration::from_millis(1), first.read(&mut byte)).await;
        assert!(early.is_err(), "{early:?}");
        // None is left, and nobody waits who could make way.
        let _second = send(address, stuck).await;
        STUCK.acquire().await.unwrap().forget();
        assert_eq!(ask(address, &request("localhost")).await, "");
    })
    .await;
}

/// A page from elsewhere whose name leads to this machine gets nothing.
#[tokio::test]
async fn on_this_machine_only_its_own_names_are_served() {
    with_server(limits(10, FOREVER), async |address| {
        for (host, expect) in [
            ("localhost", 200),
            ("LOCALHOST:1", 200),
            ("127.0.0.1", 200),
            (&address.to_string(), 200),
            ("[::1]:7577", 200),
            ("127.0.0.2", 403),
            ("evil.example", 403),
            ("localhost.evil.example", 403),
            ("127.0.0.1.evil.example:7577", 403),
            ("localhost@evil.example", 403),
            ("", 403),
        ] {
            let answer = ask(address, &request(host)).await;
            let status = format!("HTTP/1.1 {expect} ");
            assert!(answer.starts_with(&status), "{host:?}: {answer}");
        }
        let nameless = ask(address, "GET / HTTP/1.0\r\n\r\n").await;
        assert!(nameless.contains(" 403 "), "{nameless}");
    })
    .await;
}

#[tokio::test]
async fn too_much_is_not_read() {
    with_server(limits(10, FOREVER), async |address| {
        let check = async |request: String, expect: &str| {
            let answer = ask(address, &request).await;
            let begins = answer.split("\r\n").next().unwrap().to_owned();
            assert!(begins.contains(expect), "{begins} for {} bytes", request.len());
        };
        let post = |length: usize, body: &str| {
            format!("POST /length HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}")
        };
        check(post(1_000, &"a".repeat(1_000)), " 200 ").await;
        check(post(1_001, &"a".repeat(1_001)), " 413 ").await;
        let chunk = format!("3e9\r\n{}\r\n0\r\n\r\n", "a".repeat(1_001));
        check(
            format!("POST /length HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n{chunk}"),
            " 413 ",
        )
        .await;
        let head = format!("GET / HTTP/1.1\r\nhost: localhost\r\nx: {}\r\n\r\n", "a".repeat(20_000));
        check(head, " 431 ").await;
    })
    .await;
}

#[tokio::test]
async fn a_shutdown_does_not_wait_for_those_who_say_nothing() {
    let mut silent = None;
    with_server(limits(10, FOREVER), async |address| {
        silent = Some(send(address, "GET /").await);
        check_served(address).await;
    })
    .await;
    assert_eq!(rest(&mut silent.unwrap()).await, "");
}
