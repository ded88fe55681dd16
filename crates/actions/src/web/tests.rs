//! The engines and pages, against a server that answers as they are documented
//! to.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use kaiwa_domain::port::{ActionHost, ActionReply, Entrance, SentAbroad};
use kaiwa_domain::{Rights, Scope, ToolError, UserId};
use kaiwa_egress::{Egress, SystemResolver};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use url::Url;

use super::*;
use crate::door::tests::{Held, Impatient, call, door_to, turn};
use crate::{Door, Registry};

/// What was asked, and what is answered.
#[derive(Clone, Default)]
struct Script {
    requests: Arc<Mutex<Vec<Asked>>>,
    answers: Arc<Mutex<Vec<Served>>>,
}

/// What stands at a path.
struct Served {
    path: String,
    status: StatusCode,
    content_type: &'static str,
    body: Vec<u8>,
}

#[derive(Clone, Debug)]
struct Asked {
    method: Method,
    address: String,
    headers: HeaderMap,
    body: String,
}

impl Script {
    /// What stands at a path, as a server would send it.
    fn at(self, path: &str, content_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        self.with(path, StatusCode::OK, content_type, body)
    }

    fn with(
        self,
        path: &str,
        status: StatusCode,
        content_type: &'static str,
        body: impl Into<Vec<u8>>,
    ) -> Self {
        self.answers.lock().unwrap().push(Served {
            path: path.to_owned(),
            status,
            content_type,
            body: body.into(),
        });
        self
    }

    async fn serve(&self) -> SocketAddr {
        let script = self.clone();
        let router = Router::new().fallback(
            async move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
                script.answer(method, &uri, headers, &body)
            },
        );
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        #[expect(clippy::disallowed_methods, reason = "there is no runtime here")]
        tokio::spawn(async move { axum::serve(listener, router).await });
        address
    }

    fn answer(&self, method: Method, uri: &Uri, headers: HeaderMap, body: &[u8]) -> Response {
        self.requests.lock().unwrap().push(Asked {
            method,
            address: uri.to_string(),
            headers,
            body: String::from_utf8_lossy(body).into_owned(),
        });
        let answers = self.answers.lock().unwrap();
        match answers.iter().find(|it| it.path == uri.path()) {
            Some(it) => {
                let head = [("content-type", it.content_type)];
                (it.status, head, it.body.clone()).into_response()
            }
            None => StatusCode::NOT_FOUND.into_response(),
        }
    }

    fn asked(&self) -> Vec<Asked> {
        self.requests.lock().unwrap().clone()
    }
}

fn egress() -> Egress {
    let clock = Arc::new(Impatient(Duration::ZERO));
    Egress::new(Arc::new(SystemResolver), clock).unwrap()
}

fn at(address: SocketAddr, path: &str) -> Url {
    format!("http://{address}{path}").parse().unwrap()
}

fn door(registry: Registry) -> Door {
    let held = Held::new(Rights::NONE, Rights::NONE);
    door_to(registry, held, Impatient(Duration::ZERO))
}

async fn run(door: &Door, name: &str, arguments: Value) -> Result<ActionReply, ToolError> {
    let turn = turn(Scope::Dm(UserId::new(1)));
    let entrance = Entrance::Control { locale: "en-US" };
    door.run(&turn, &call(name, &arguments.to_string()), entrance)
        .await
}

async fn search(engines: Vec<SearchEngine>, arguments: Value) -> ActionReply {
    let door = door(Registry::new().with(WebSearch::new(egress(), engines)));
    run(&door, "web_search", arguments).await.unwrap()
}

fn tea() -> Value {
    json!({"query": "green  tea"})
}

fn key() -> secrecy::SecretString {
    "brave-key".to_owned().into()
}

#[tokio::test]
async fn searxng_is_asked_as_it_wants_and_understood() {
    let pages = json!({
        "query": "green tea", "number_of_results": 0,
        "results": [
            {"url": "https://tea.example/green", "title": "Green <b>tea</b>", "content": "Leaves &amp; water.",
             "engine": "wikipedia", "score": 1.0, "category": "general", "publishedDate": "2026-11-01T00:00:00"},
            {"url": "javascript:alert(1)", "title": "no", "content": null},
            {"url": "https://tea.example/black", "title": "Black tea", "content": null, "publishedDate": null},
        ],
        "answers": [], "corrections": [], "infoboxes": [], "suggestions": [], "unresponsive_engines": []
    });
    let script = Script::default().at("/s/search", "application/json", pages.to_string());
    let address = script.serve().await;
    let reply = search(vec![SearchEngine::searxng(at(address, "/s/"))], tea()).await;
    assert_eq!(
        reply.told,
        "Name the link of whatever you use.\n\n\
         1. Green tea\nhttps://tea.example/green\n2026-11-01T00:00:00\nLeaves & water.\n\n\
         2. Black tea\nhttps://tea.example/black"
    );
    assert_eq!(
        reply.shown,
        "Found for \"green tea\":\n1. **Green tea**\n<https://tea.example/green>\nLeaves & water.\n\
         2. **Black tea**\n<https://tea.example/black>"
    );
    assert_eq!(reply.afterwards, None);
    // Strangers wrote it.
    assert!(reply.untrusted);
    let asked = &script.asked()[0];
    assert_eq!(
        asked.address,
        "/s/search?q=green+tea&format=json&categories=general&safesearch=1"
    );
    assert_eq!(asked.method, Method::GET);
}

/// The words that follow the answer.
fn follows(reply: &ActionReply) -> Option<String> {
    let follows = reply.afterwards.as_ref();
    follows.map(|it| it.source().into_owned())
}

#[tokio::test]
async fn pictures_follow_the_answer() {
    let images = json!({"results": [
        {"url": "https://tea.example/a", "title": "A cup", "content": "", "img_src": "https://tea.example/a.jpg"},
        {"url": "https://tea.example/b", "title": "A pot", "content": "", "img_src": "//tea.example/b.png"},
        {"url": "https://tea.example/c", "title": "No picture", "content": ""},
        {"url": "https://tea.example/d", "title": "d", "img_src": "data:image/png;base64,AAAA"},
    ]});
    let script = Script::default().at("/search", "application/json", images.to_string());
    let address = script.serve().await;
    let engine = SearchEngine::searxng(at(address, ""));
    let reply = search(vec![engine], json!({"query": "tea", "kind": "images"})).await;
    assert_eq!(
        follows(&reply).as_deref(),
        Some("https://tea.example/a.jpg\nhttps://tea.example/b.png")
    );
    assert!(
        reply.told.starts_with("These pictures were found."),
        "{}",
        reply.told
    );
    assert!(
        reply.shown.contains("1. A cup\nhttps://tea.example/a.jpg"),
        "{}",
        reply.shown
    );
    assert!(script.asked()[0].address.contains("categories=images"));
}

#[tokio::test]
async fn brave_is_asked_as_it_wants_and_understood() {
    let pages = json!({
        "type": "search", "query": {"original": "green tea"},
        "web": {"type": "search", "results": [
            {"title": "Green tea", "url": "https://tea.example/", "description": "A <strong>tea</strong>.", "age": "3 days ago"},
        ]},
        "videos": {"results": []}
    });
    let images = json!({"type": "images", "results": [
        {"title": "A cup", "url": "https://tea.example/cup", "source": "tea.example",
         "thumbnail": {"src": "https://imgs.example/small.jpg"}, "properties": {"url": "https://tea.example/cup.jpg"}},
        {"title": "A pot", "url": "https://tea.example/pot", "thumbnail": {"src": "https://imgs.example/pot.jpg"}, "properties": {}},
    ]});
    let news = json!({"type": "news", "results": [
        {"title": "Tea is up", "url": "https://news.example/", "description": "Prices.", "age": "1 hour ago"},
    ]});
    let script = Script::default()
        .at("/v1/web/search", "application/json", pages.to_string())
        .at("/v1/images/search", "application/json", images.to_string())
        .at("/v1/news/search", "application/json", news.to_string());
    let address = script.serve().await;
    let engine = || vec![SearchEngine::brave(at(address, "/v1"), key())];
    let reply = search(engine(), tea()).await;
    assert!(
        reply
            .told
            .ends_with("1. Green tea\nhttps://tea.example/\n3 days ago\nA tea."),
        "{}",
        reply.told
    );
    let reply = search(engine(), json!({"query": "tea", "kind": "images"})).await;
    assert_eq!(
        follows(&reply).as_deref(),
        Some("https://tea.example/cup.jpg\nhttps://imgs.example/pot.jpg")
    );
    let reply = search(engine(), json!({"query": "tea", "kind": "news"})).await;
    assert!(
        reply
            .told
            .ends_with("https://news.example/\n1 hour ago\nPrices.")
    );
    for asked in script.asked() {
        assert_eq!(asked.headers["x-subscription-token"], "brave-key");
    }
}

#[tokio::test]
async fn tavily_is_asked_as_it_wants_and_understood() {
    let answer = json!({
        "query": "green tea", "answer": null, "response_time": "1.2",
        "images": [
            {"url": "https://tea.example/cup.jpg", "description": "A cup"},
            "https://tea.example/pot.jpg",
        ],
        "results": [
            {"title": "Green tea", "url": "https://tea.example/", "content": "Leaves.", "score": 0.9,
             "published_date": "Mon, 02 Nov 2026 08:00:00 GMT", "raw_content": null},
        ],
    });
    let script = Script::default().at("/search", "application/json", answer.to_string());
    let address = script.serve().await;
    let engine = || vec![SearchEngine::tavily(at(address, "/"), key())];
    let reply = search(engine(), json!({"query": "green tea", "kind": "news"})).await;
    assert!(
        reply.told.ends_with(
            "1. Green tea\nhttps://tea.example/\nMon, 02 Nov 2026 08:00:00 GMT\nLeaves."
        ),
        "{}",
        reply.told
    );
    let reply = search(engine(), json!({"query": "tea", "kind": "images"})).await;
    assert_eq!(
        follows(&reply).as_deref(),
        Some("https://tea.example/cup.jpg\nhttps://tea.example/pot.jpg")
    );
    let asked = script.asked();
    assert_eq!(asked[0].method, Method::POST);
    assert_eq!(asked[0].headers["authorization"], "Bearer brave-key");
    let body: Value = serde_json::from_str(&asked[0].body).unwrap();
    assert_eq!(body["query"], "green tea");
    assert_eq!(body["topic"], "news");
    assert_eq!(body["include_images"], false);
}

const DUCKDUCKGO: &str = r#"<html><body><div id="links" class="results">
<div class="result results_links web-result"><div class="links_main result__body">
<h2 class="result__title"><a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Ftea.example%2Fgreen%3Fa%3D1%26b&amp;rut=0f">Green <b>tea</b> &amp; more</a></h2>
<a class="result__url" href="//duckduckgo.com/l/?uddg=x">tea.example/green</a>
<a class="result__snippet" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Ftea.example">Made from <b>leaves</b>.</a></div></div>
<div class="result result--ad"><h2><a class="result__a" href="https://duckduckgo.com/y.js?ad_domain=shop.example">Buy tea</a></h2>
<a class="result__snippet">An advertisement.</a></div>
<div class="result"><h2><a class="big result__a" href="https://tea.example/black">Black tea</a></h2></div>
</div></body></html>"#;

#[tokio::test]
async fn duckduckgo_is_asked_as_it_wants_and_understood() {
    let script = Script::default().at("/html/", "text/html", DUCKDUCKGO);
    let address = script.serve().await;
    let engine = || SearchEngine::duckduckgo(at(address, "/html/"));
    let reply = search(vec![engine()], tea()).await;
    assert_eq!(
        reply.told,
        "Name the link of whatever you use.\n\n\
         1. Green tea & more\nhttps://tea.example/green?a=1&b\nMade from leaves.\n\n\
         2. Black tea\nhttps://tea.example/black"
    );
    let asked = &script.asked()[0];
    assert_eq!(asked.method, Method::POST);
    assert_eq!(asked.body, "q=green+tea&kl=");
    assert!(
        asked.headers["user-agent"]
            .to_str()
            .unwrap()
            .starts_with("Mozilla/5.0")
    );
    // It has no pictures.
    let reply = search(vec![engine()], json!({"query": "tea", "kind": "images"})).await;
    assert_eq!(reply.told, "Search failed.");
    assert_eq!(script.asked().len(), 1);
}

#[tokio::test]
async fn engines_are_tried_in_order_until_one_has_found_something() {
    let empty = json!({"results": []}).to_string();
    let found = json!({"results": [{"url": "https://tea.example/", "title": "Tea"}]}).to_string();
    let challenge = "<form class=\"anomaly-modal__modal\"></form>";
    let script = Script::default()
        .with("/broken/search", StatusCode::FORBIDDEN, "text/html", "")
        .at("/garbage/search", "application/json", "{\"results\": 5}")
        .at("/empty/search", "application/json", empty)
        .at("/found/search", "application/json", found)
        .with("/ddg/", StatusCode::ACCEPTED, "text/html", challenge)
        .at("/ddg2/", "text/html", challenge);
    let address = script.serve().await;
    let searxng = |path: &str| SearchEngine::searxng(at(address, path));
    let nowhere = SearchEngine::searxng("http://127.0.0.1:1/".parse().unwrap());
    let duckduckgo = |path: &str| SearchEngine::duckduckgo(at(address, path));
    for (engines, expected) in [
        (vec![searxng("/found")], "tea.example"),
        (
            vec![
                searxng("/broken"),
                searxng("/garbage"),
                nowhere.clone(),
                searxng("/found"),
            ],
            "tea.example",
        ),
        (vec![searxng("/empty"), searxng("/found")], "tea.example"),
        (vec![duckduckgo("/ddg/"), searxng("/found")], "tea.example"),
        (vec![searxng("/empty")], "No results found."),
        (
            vec![searxng("/broken"), searxng("/empty")],
            "No results found.",
        ),
        (
            vec![duckduckgo("/ddg/"), duckduckgo("/ddg2/")],
            "Search failed.",
        ),
        (vec![nowhere, searxng("/broken")], "Search failed."),
        (vec![], "Search failed."),
    ] {
        let told = search(engines, tea()).await.told;
        assert!(told.contains(expected), "{told}");
    }
}

#[tokio::test]
async fn a_bad_question_is_not_asked() {
    let door = door(Registry::new().with(WebSearch::new(egress(), Vec::new())));
    for bad in [
        json!({}),
        json!({"query": "  "}),
        json!({"query": "x".repeat(301)}),
        json!({"query": "tea", "kind": "music"}),
    ] {
        let outcome = run(&door, "web_search", bad).await;
        assert!(matches!(outcome, Err(ToolError::BadArguments { .. })));
    }
}

/// A model that may have been talked into it, and knows what is private.
#[tokio::test]
async fn what_could_carry_something_away_waits_for_a_click() {
    let registry = Registry::new()
        .with(WebSearch::new(egress(), Vec::new()))
        .with(FetchPage::new(egress(), no_pdf()));
    let door = door(registry);
    let turn = turn(Scope::Dm(UserId::new(1)));
    for (name, arguments, sent) in [
        (
            "web_search",
            json!({"query": " my  secret "}),
            SentAbroad::Words("my secret".into()),
        ),
        (
            "fetch_page",
            json!({"url": "e.example/?q=my secret"}),
            SentAbroad::Address("https://e.example/?q=my%20secret".into()),
        ),
    ] {
        let call = call(name, &arguments.to_string());
        assert_eq!(door.sends(&call), Some(sent), "{name}");
        let carrying = Entrance::Model {
            tainted: true,
            carries: true,
        };
        let reply = door.run(&turn, &call, carrying).await.unwrap();
        assert!(reply.waits.is_some(), "{name}");
        let tainted = Entrance::Model {
            tainted: true,
            carries: false,
        };
        let reply = door.run(&turn, &call, tainted).await.unwrap();
        assert_eq!(reply.waits, None, "{name}");
    }
}

/// Nobody reads PDFs here.
fn no_pdf() -> PdfReader {
    let clock = Arc::new(Impatient(Duration::ZERO));
    PdfReader::new("/nonexistent/program".into(), Vec::new(), clock)
}

#[tokio::test]
async fn pages_are_read_or_it_is_said_why_not() {
    let long = format!("<p>{}", "tea ".repeat(4000));
    let script = Script::default()
        .at(
            "/page",
            "text/html; charset=utf-8",
            "<title>Tea *time*</title><p>Leaves.<p>@everyone",
        )
        .at("/plain", "text/plain", "just\ntext")
        .at("/picture", "image/png", "PNG")
        .at("/empty", "text/html", "<script>1</script>")
        .at("/pdf", "application/pdf", "%PDF-1.4")
        .at("/long", "text/html", long)
        .with(
            "/broken",
            StatusCode::INTERNAL_SERVER_ERROR,
            "text/html",
            "no",
        );
    let address = script.serve().await;
    let fetch = FetchPage::new(egress().allowing(address), no_pdf());
    let door = door(Registry::new().with(fetch));
    let base = format!("http://{address}");
    let fetched = async |url: &str| {
        let reply = run(&door, "fetch_page", json!({"url": url})).await.unwrap();
        (reply.told, reply.shown)
    };
    let (told, shown) = fetched(&format!("<{base}/page>")).await;
    assert_eq!(
        told,
        format!("Tea *time*\n{base}/page (part 1 of 1)\n\nLeaves.\n\n@everyone")
    );
    assert_eq!(
        shown,
        format!("**Tea \\*time\\***\n<{base}/page>\n> Leaves.\n> \\@everyone")
    );
    let (told, _) = fetched(&format!("{base}/plain")).await;
    assert!(told.ends_with("\n\njust\ntext"), "{told}");
    for (url, expected, expected_for_people) in [
        (format!("{base}/picture"), "no text", "no text"),
        (format!("{base}/empty"), "no text", "no text"),
        (format!("{base}/pdf"), "PDF cannot be read", "no text"),
        (
            format!("{base}/broken"),
            "status 500",
            "could not be reached",
        ),
        (format!("{base}/missing"), "no such page", "no such page"),
        (
            "http://127.0.0.1:1/".to_owned(),
            "private or reserved",
            "not on the open web",
        ),
        (
            "http://2130706433/".to_owned(),
            "private or reserved",
            "not on the open web",
        ),
        (
            "http://169.254.169.254/latest".to_owned(),
            "private or reserved",
            "not on the open web",
        ),
        (
            "file:///etc/passwd".to_owned(),
            "only http and https",
            "not on the open web",
        ),
        (
            "https://a:b@tea.example/".to_owned(),
            "user name",
            "not on the open web",
        ),
        (
            "http://93.184.216.34:22/".to_owned(),
            "port 22",
            "not on the open web",
        ),
    ] {
        let (told, shown) = fetched(&url).await;
        assert!(told.contains(expected), "{url}: {told}");
        assert!(shown.contains(expected_for_people), "{url}: {shown}");
    }
    let part = json!({"url": format!("{base}/long"), "part": 3});
    let reply = run(&door, "fetch_page", part).await.unwrap();
    assert!(reply.told.contains("(part 3 of 3)"), "{}", reply.told);
    for bad in [json!({"url": "tea"}), json!({"url": ""}), json!({})] {
        let outcome = run(&door, "fetch_page", bad).await;
        assert!(matches!(outcome, Err(ToolError::BadArguments { .. })));
    }
}
