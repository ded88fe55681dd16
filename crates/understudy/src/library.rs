//! A library: a few pages and pictures of our own, and a search over them.
//!
//! It stands in where there is no web, so that searching and reading can be
//! seen and tested. It answers at `/search` as
//! [SearXNG](https://docs.searxng.org/dev/search_api.html) does if asked for
//! JSON, and serves what it finds.

use std::collections::HashMap;
use std::io;

use axum::Json;
use axum::Router;
use axum::extract::{Path, Query};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// The longest question that is looked for, in words.
const QUERY_WORDS: usize = 16;

/// Something on the shelves.
struct LibraryItem {
    /// Where it is: a page, a picture or a PDF.
    name: &'static str,
    title: &'static str,
    summary: &'static str,
    content_type: &'static str,
    content: &'static [u8],
    category: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";

const fn item(
    category: &'static str,
    name: &'static str,
    content_type: &'static str,
    content: &'static [u8],
    [title, summary]: [&'static str; 2],
) -> LibraryItem {
    LibraryItem {
        name,
        title,
        summary,
        content_type,
        content,
        category,
    }
}

const ITEMS: &[LibraryItem] = &[
    item(
        "general",
        "green-tea.html",
        HTML,
        include_bytes!("library/green-tea.html"),
        [
            "Green tea, and how to brew it",
            "Green tea likes water of 70 to 80 °C and one or two minutes. Hotter water makes it bitter.",
        ],
    ),
    item(
        "general",
        "black-tea.html",
        HTML,
        include_bytes!("library/black-tea.html"),
        [
            "Black tea for a rainy day",
            "Black tea takes boiling water and three to five minutes. Milk goes in last, or first.",
        ],
    ),
    item(
        "general",
        "matcha.html",
        HTML,
        include_bytes!("library/matcha.html"),
        [
            "Matcha: tea that is drunk whole",
            "Matcha is powdered green tea, whisked with a little water until it foams.",
        ],
    ),
    item(
        "general",
        "kettle.html",
        HTML,
        include_bytes!("library/kettle.html"),
        [
            "How to choose a kettle",
            "A kettle that tells the temperature is worth it for green tea, and for nothing else.",
        ],
    ),
    item(
        "general",
        "menu.pdf",
        "application/pdf",
        include_bytes!("library/menu.pdf"),
        [
            "The menu of the Tea House (PDF)",
            "What the Tea House serves, and what it costs.",
        ],
    ),
    item(
        "news",
        "harvest.html",
        HTML,
        include_bytes!("library/harvest.html"),
        [
            "A good year for tea",
            "The first harvest of green tea came early this year, says everybody who likes tea.",
        ],
    ),
    item(
        "images",
        "cup.png",
        "image/png",
        include_bytes!("library/cup.png"),
        ["A cup of green tea", "A picture of a cup of green tea."],
    ),
    item(
        "images",
        "pot.png",
        "image/png",
        include_bytes!("library/pot.png"),
        ["A pot of black tea", "A picture of a pot of black tea."],
    ),
];

/// Serves the library until `shutdown`.
///
/// # Errors
/// If the listener fails.
pub fn serve_library(
    listener: TcpListener,
    shutdown: CancellationToken,
) -> BoxFuture<'static, io::Result<()>> {
    Box::pin(async move {
        axum::serve(listener, router())
            .with_graceful_shutdown(shutdown.cancelled_owned())
            .await
    })
}

fn router() -> Router {
    Router::new()
        .route("/search", get(search))
        .route("/pages/{name}", get(page))
}

async fn search(headers: HeaderMap, Query(query): Query<HashMap<String, String>>) -> Response {
    let field = |name: &str| query.get(name).map_or("", String::as_str);
    if field("format") != "json" {
        return StatusCode::FORBIDDEN.into_response();
    }
    let category = match field("categories") {
        "" => "general",
        category => category,
    };
    let host = headers.get(header::HOST).and_then(|it| it.to_str().ok());
    let home = format!("http://{}", host.unwrap_or("127.0.0.1"));
    let results = found(field("q"), category);
    let results: Vec<Value> = results.iter().map(|item| row(item, &home)).collect();
    Json(json!({
        "query": field("q"),
        "number_of_results": results.len(),
        "results": results,
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": [],
    }))
    .into_response()
}

fn row(item: &LibraryItem, home: &str) -> Value {
    let url = format!("{home}/pages/{}", item.name);
    let picture = (item.category == "images").then(|| url.clone());
    json!({
        "url": url,
        "title": item.title,
        "content": item.summary,
        "img_src": picture,
        "publishedDate": (item.category == "news").then_some("2026-05-01T00:00:00"),
        "engine": "library",
        "category": item.category,
    })
}

/// What has the words of `query` in it, that with the most of them first.
fn found(query: &str, category: &str) -> Vec<&'static LibraryItem> {
    let query = query.to_lowercase();
    let words = query.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|it| it.len() > 2).take(QUERY_WORDS).collect();
    let count = |item: &LibraryItem| {
        let title = item.title.to_lowercase();
        let summary = item.summary.to_lowercase();
        let counted = words.iter().map(|word| {
            2 * usize::from(title.contains(word)) + usize::from(summary.contains(word))
        });
        counted.sum::<usize>()
    };
    let items = ITEMS.iter().filter(|item| item.category == category);
    let counted = items.map(|item| (count(item), item));
    let mut found: Vec<_> = counted.filter(|(count, _)| *count > 0).collect();
    found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    found.into_iter().map(|(_, item)| item).collect()
}

async fn page(Path(name): Path<String>) -> Response {
    match ITEMS.iter().find(|item| item.name == name) {
        Some(item) => ([(header::CONTENT_TYPE, item.content_type)], item.content).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_best_comes_first() {
        for (query, category, expected) in [
            ("green tea", "general", Some("green-tea.html")),
            ("how to choose a KETTLE", "general", Some("kettle.html")),
            ("the menu", "general", Some("menu.pdf")),
            ("tea", "news", Some("harvest.html")),
            ("black tea", "images", Some("pot.png")),
            ("coffee", "general", None),
            ("", "general", None),
            ("tea", "music", None),
        ] {
            let first = found(query, category).first().map(|item| item.name);
            assert_eq!(first, expected, "{query}");
        }
    }
}
