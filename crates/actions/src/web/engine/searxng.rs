//! SearXNG, see [its search interface](https://docs.searxng.org/dev/search_api.html).

use kaiwa_egress::WebRequest;
use serde::Deserialize;
use url::Url;

use super::{EngineError, json, under, with_query};
use crate::web::found::FoundItem;
use crate::web::search::SearchKind;

#[derive(Deserialize)]
struct SearchAnswer {
    results: Vec<ResultRow>,
}

#[derive(Deserialize)]
struct ResultRow {
    url: String,
    #[serde(default)]
    title: String,
    content: Option<String>,
    #[serde(rename = "publishedDate")]
    published: Option<String>,
    img_src: Option<String>,
}

pub(super) fn request(base: &Url, query: &str, kind: SearchKind) -> WebRequest {
    let category = match kind {
        SearchKind::Web => "general",
        SearchKind::Images => "images",
        SearchKind::News => "news",
    };
    let pairs = [
        ("q", query),
        ("format", "json"),
        ("categories", category),
        ("safesearch", "1"),
    ];
    WebRequest::get(with_query(under(base, "search"), &pairs)).accepting("application/json")
}

pub(super) fn read(body: &[u8], kind: SearchKind) -> Result<Vec<FoundItem>, EngineError> {
    let answer: SearchAnswer = json(body)?;
    let found = answer.results.iter().filter_map(|row| {
        let snippet = row.content.as_deref().unwrap_or_default();
        let item = FoundItem::new(&row.url, &row.title, snippet)?;
        match kind {
            SearchKind::Images => item.pictured(row.img_src.as_deref()?),
            SearchKind::Web | SearchKind::News => Some(item.dated(row.published.as_deref())),
        }
    });
    Ok(found.collect())
}
