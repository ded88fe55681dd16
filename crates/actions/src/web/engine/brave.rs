//! Brave, see [its interface for
//! pages](https://api-dashboard.search.brave.com/app/documentation/web-search/get-started),
//! images and news.

use kaiwa_egress::WebRequest;
use serde::Deserialize;
use url::Url;

use super::{EngineError, json, under, with_query};
use crate::web::found::FoundItem;
use crate::web::search::SearchKind;

/// Pages come in a list of their own beside other things; images and news are
/// the only list.
#[derive(Deserialize)]
struct SearchAnswer {
    web: Option<ResultList>,
    #[serde(default)]
    results: Vec<ResultRow>,
}

#[derive(Deserialize)]
struct ResultList {
    #[serde(default)]
    results: Vec<ResultRow>,
}

#[derive(Deserialize)]
struct ResultRow {
    url: String,
    #[serde(default)]
    title: String,
    description: Option<String>,
    age: Option<String>,
    properties: Option<Properties>,
    thumbnail: Option<Thumbnail>,
}

#[derive(Deserialize)]
struct Properties {
    url: Option<String>,
}

#[derive(Deserialize)]
struct Thumbnail {
    src: Option<String>,
}

pub(super) fn request(base: &Url, query: &str, kind: SearchKind) -> WebRequest {
    let path = match kind {
        SearchKind::Web => "web/search",
        SearchKind::Images => "images/search",
        SearchKind::News => "news/search",
    };
    let safe = match kind {
        SearchKind::Images => "strict",
        SearchKind::Web | SearchKind::News => "moderate",
    };
    let pairs = [("q", query), ("count", "10"), ("safesearch", safe)];
    WebRequest::get(with_query(under(base, path), &pairs)).accepting("application/json")
}

pub(super) fn read(body: &[u8], kind: SearchKind) -> Result<Vec<FoundItem>, EngineError> {
    let answer: SearchAnswer = json(body)?;
    let rows = match kind {
        SearchKind::Web => answer.web.map(|list| list.results).unwrap_or_default(),
        SearchKind::Images | SearchKind::News => answer.results,
    };
    let found = rows.iter().filter_map(|row| {
        let snippet = row.description.as_deref().unwrap_or_default();
        let item = FoundItem::new(&row.url, &row.title, snippet)?;
        match kind {
            SearchKind::Images => {
                let whole = row.properties.as_ref().and_then(|it| it.url.as_deref());
                let small = row.thumbnail.as_ref().and_then(|it| it.src.as_deref());
                item.pictured(whole.or(small)?)
            }
            SearchKind::Web | SearchKind::News => Some(item.dated(row.age.as_deref())),
        }
    });
    Ok(found.collect())
}
