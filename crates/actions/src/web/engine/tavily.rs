//! Tavily, see [its interface](https://docs.tavily.com/documentation/api-reference/endpoint/search).

use kaiwa_egress::WebRequest;
use serde::Deserialize;
use serde_json::json as object;
use url::Url;

use super::{EngineError, json, under};
use crate::web::found::FoundItem;
use crate::web::search::SearchKind;

#[derive(Deserialize)]
struct SearchAnswer {
    #[serde(default)]
    results: Vec<ResultRow>,
    #[serde(default)]
    images: Vec<ImageEntry>,
}

#[derive(Deserialize)]
struct ResultRow {
    url: String,
    #[serde(default)]
    title: String,
    content: Option<String>,
    published_date: Option<String>,
}

/// An address, or one with a description.
#[derive(Deserialize)]
#[serde(untagged)]
enum ImageEntry {
    Plain(String),
    Described {
        url: String,
        description: Option<String>,
    },
}

pub(super) fn request(base: &Url, query: &str, kind: SearchKind) -> WebRequest {
    let images = kind == SearchKind::Images;
    let body = object!({
        "query": query,
        "topic": if kind == SearchKind::News { "news" } else { "general" },
        "max_results": 10,
        "include_images": images,
        "include_image_descriptions": images,
    });
    WebRequest::json(under(base, "search"), body.to_string()).accepting("application/json")
}

pub(super) fn read(body: &[u8], kind: SearchKind) -> Result<Vec<FoundItem>, EngineError> {
    let answer: SearchAnswer = json(body)?;
    if kind == SearchKind::Images {
        let found = answer.images.iter().filter_map(|image| {
            let (url, title) = match image {
                ImageEntry::Plain(url) => (url, ""),
                ImageEntry::Described { url, description } => {
                    (url, description.as_deref().unwrap_or_default())
                }
            };
            FoundItem::new(url, title, "")?.pictured(url)
        });
        return Ok(found.collect());
    }
    let found = answer.results.iter().filter_map(|row| {
        let snippet = row.content.as_deref().unwrap_or_default();
        let item = FoundItem::new(&row.url, &row.title, snippet)?;
        Some(item.dated(row.published_date.as_deref()))
    });
    Ok(found.collect())
}
