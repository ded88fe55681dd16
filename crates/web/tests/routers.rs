//! Both routers over real sockets, read as a browser or a scraper reads them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeSet;

use axum::Router;
use kaiwa_web::{
    Dependencies, Dependency, Health, ProcessPhase, install_metrics, observability, page,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }
}

/// Serves `router` for as long as `visit` runs.
async fn with_server<T>(router: Router, visit: impl AsyncFnOnce(Browser) -> T) -> T {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let browser = Browser(listener.local_addr().unwrap());
    tokio::select! {
        ended = axum::serve(listener, router) => panic!("the server ended: {ended:?}"),
        outcome = visit(browser) => outcome,
    }
}

struct Browser(std::net::SocketAddr);

impl Browser {
    async fn get(&self, path: &str) -> Answer {
        self.get_with(path, "").await
    }

    async fn get_with(&self, path: &str, headers: &str) -> Answer {
        self.ask("localhost", path, headers).await
    }

    async fn get_at(&self, host: &str, path: &str) -> Answer {
        self.ask(host, path, "").await
    }

    async fn ask(&self, host: &str, path: &str, headers: &str) -> Answer {
        let mut stream = TcpStream::connect(self.0).await.unwrap();
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{headers}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).await.unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap();
        Answer {
            status: status.parse().unwrap(),
            headers: lines
                .filter_map(|line| line.split_once(": "))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            body: body.to_owned(),
        }
    }

    /// Every path the page reaches by links and imports, with what it answers.
    async fn crawl(&self) -> Vec<(String, Answer)> {
        let mut seen = BTreeSet::from(["/".to_owned()]);
        let mut queue = vec!["/".to_owned()];
        let mut answers = Vec::new();
        while let Some(path) = queue.pop() {
            let answer = self.get(&path).await;
            for reference in references(&answer.body) {
                let target = match reference.strip_prefix("./") {
                    Some(file) => format!("/assets/{file}"),
                    None => reference,
                };
                if seen.insert(target.clone()) {
                    queue.push(target);
                }
            }
            answers.push((path, answer));
        }
        answers
    }
}

/// What a document loads: `href`, `src`, `@import`, `url(…)` and `from "…"`.
fn references(text: &str) -> Vec<String> {
    let openings = ["href=\"", "src=\"", "from \"", "import \"", "url(\""];
    openings
        .iter()
        .flat_map(|opening| text.split(opening).skip(1))
        .filter_map(|rest| rest.split('"').next())
        .filter(|reference| !reference.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

fn embedded_files() -> BTreeSet<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .map(|name| match name.as_str() {
            "index.html" => "/".to_owned(),
            _ => format!("/assets/{name}"),
        })
        .collect()
}

#[tokio::test]
async fn every_file_is_reached_from_the_page_and_served_with_its_type() {
    let answers = with_server(page(), async |browser| browser.crawl().await).await;
    for (path, answer) in &answers {
        assert_eq!(answer.status, 200, "{path}");
        let expect = match path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "text/html; charset=utf-8",
        };
        assert_eq!(answer.header("content-type"), expect, "{path}");
    }
    let reached: BTreeSet<String> = answers.into_iter().map(|(path, _)| path).collect();
    assert_eq!(reached, embedded_files());
}

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    let answers = with_server(page(), async |browser| browser.crawl().await).await;
    for (path, answer) in &answers {
        let policy = answer.header("content-security-policy");
        for directive in ["default-src 'self'", "base-uri 'none'", "object-src 'none'"] {
            assert!(policy.contains(directive), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        let check = |name, expect| assert_eq!(answer.header(name), expect, "{path}: {name}");
        check("x-content-type-options", "nosniff");
        check("referrer-policy", "no-referrer");
        check("cache-control", "no-cache");
    }
}

#[tokio::test]
async fn the_page_may_connect_to_its_own_origin_only() {
    with_server(page(), async |browser| {
        for (host, expect) in [
            ("127.0.0.1:7575", "'self' ws://127.0.0.1:7575"),
            ("localhost", "'self' ws://localhost"),
            ("[::1]:7575", "'self' ws://[::1]:7575"),
            ("x ws:", "'self'"),
            ("x;script-src *", "'self'"),
            ("", "'self'"),
        ] {
            let answer = browser.get_at(host, "/").await;
            let policy = answer.header("content-security-policy");
            let mut directives = policy.split(';').map(str::trim);
            let connect = directives.find_map(|it| it.strip_prefix("connect-src "));
            assert_eq!(connect, Some(expect), "{host}");
            assert_eq!(policy.matches("script-src").count(), 0, "{policy}");
        }
    })
    .await;
}

/// The policy would refuse these at run time; the page must not even try.
#[tokio::test]
async fn nothing_is_inline_or_from_another_origin() {
    let answers = with_server(page(), async |browser| browser.crawl().await).await;
    for (path, answer) in &answers {
        for reference in references(&answer.body) {
            let ours = reference.starts_with("/assets/") || reference.starts_with("./");
            assert!(ours, "{path} refers to {reference}");
        }
        for banned in [
            "<style",
            " style=",
            " onclick=",
            " onload=",
            "innerHTML",
            "eval(",
        ] {
            assert!(!answer.body.contains(banned), "{path} holds {banned}");
        }
        for script in answer.body.split("<script").skip(1) {
            assert!(
                script.starts_with(" type=\"module\" src="),
                "{path}: inline script"
            );
        }
    }
}

#[tokio::test]
async fn an_unchanged_file_is_not_sent_again() {
    with_server(page(), async |browser| {
        let etag = browser.get("/").await.header("etag").to_owned();
        let check = async |known: String, expect: u16| {
            let header = format!("if-none-match: {known}\r\n");
            let answer = browser.get_with("/", &header).await;
            assert_eq!(answer.status, expect, "{known}");
            assert_eq!(answer.body.is_empty(), expect == 304, "{known}");
            assert_eq!(answer.header("etag"), etag);
        };
        check(etag.clone(), 304).await;
        check(format!("W/{etag}"), 304).await;
        check(format!("\"other\", {etag}"), 304).await;
        check("\"other\"".to_owned(), 200).await;
    })
    .await;
}

#[tokio::test]
async fn an_unknown_path_is_not_found() {
    with_server(page(), async |browser| {
        for path in [
            "/assets/",
            "/assets/../Cargo.toml",
            "/assets/main.js/x",
            "/x",
        ] {
            assert_eq!(browser.get(path).await.status, 404, "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn health_follows_its_reporter() {
    let (reporter, health) = Health::new();
    let router = observability(health, install_metrics().unwrap());
    with_server(router, async |browser| {
        let check = async |code: u16, status: &str| {
            let answer = browser.get("/healthz").await;
            let body: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
            let expect = serde_json::json!({
                "status": status,
                "version": env!("CARGO_PKG_VERSION"),
            });
            assert_eq!((answer.status, body), (code, expect));
            assert_eq!(answer.header("cache-control"), "no-store");
        };
        check(503, "starting").await;
        reporter.phase(ProcessPhase::Serving);
        check(200, "ok").await;
        reporter.phase(ProcessPhase::Stopping);
        check(503, "stopping").await;
        reporter.phase(ProcessPhase::Serving);
        check(200, "ok").await;
        drop(reporter);
        check(503, "stopping").await;
    })
    .await;
}

#[tokio::test]
async fn health_says_which_part_is_down_and_whether_anybody_is_answered() {
    let (reporter, health) = Health::new();
    let router = observability(health, install_metrics().unwrap());
    let down = || Dependency::down("why".to_owned());
    let part = |works| match works {
        true => Dependency::WORKS,
        false => down(),
    };
    // The gateway, the journal, its file and the model.
    let table = [
        ([true, true, true, true], 200, "ok"),
        ([true, true, true, false], 200, "degraded"),
        ([true, true, false, true], 200, "degraded"),
        ([false, true, true, true], 503, "degraded"),
        ([true, false, true, true], 503, "degraded"),
        ([false, false, false, false], 503, "degraded"),
    ];
    with_server(router, async |browser| {
        for (works, code, status) in table {
            let [gateway, journal, storage, model] = works.map(part);
            let shown = |part: &Dependency| match part.ok {
                true => serde_json::json!({"ok": true}),
                false => serde_json::json!({"ok": false, "reason": "why"}),
            };
            let expect = serde_json::json!({
                "status": status,
                "version": env!("CARGO_PKG_VERSION"),
                "gateway": shown(&gateway),
                "journal": shown(&journal),
                "storage": shown(&storage),
                "model": shown(&model),
            });
            reporter.parts(Dependencies {
                gateway,
                journal,
                storage,
                model,
            });
            reporter.phase(ProcessPhase::Serving);
            let answer = browser.get("/healthz").await;
            let body: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
            assert_eq!((answer.status, body), (code, expect));
            reporter.phase(ProcessPhase::Starting);
            assert_eq!(browser.get("/healthz").await.status, 503);
        }
    })
    .await;
}

#[tokio::test]
async fn metrics_show_what_was_counted_and_the_process_itself() {
    let (_reporter, health) = Health::new();
    let first = install_metrics().unwrap();
    let second = install_metrics().unwrap();
    metrics::counter!("routers_test_total").increment(3);
    metrics::histogram!("routers_test_seconds").record(0.012);
    first.upkeep();
    with_server(observability(health, second), async |browser| {
        let answer = browser.get("/metrics").await;
        assert_eq!(answer.status, 200);
        assert!(
            answer
                .header("content-type")
                .starts_with("text/plain; version=0.0.4")
        );
        let value = |name: &str| {
            let line = answer.body.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|rest| rest.trim().parse::<f64>().ok())
        };
        assert_eq!(value("routers_test_total"), Some(3.0));
        assert_eq!(value("routers_test_seconds_bucket{le=\"0.01\"}"), Some(0.0));
        assert_eq!(
            value("routers_test_seconds_bucket{le=\"0.015\"}"),
            Some(1.0)
        );
        if cfg!(target_os = "linux") {
            assert!(value("process_resident_memory_bytes").unwrap() > 1_000_000.0);
            assert!(value("process_start_time_seconds").unwrap() > 1_600_000_000.0);
        }
    })
    .await;
}
