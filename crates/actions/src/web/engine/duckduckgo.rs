//! DuckDuckGo's page for browsers without scripts. It is made for people, so
//! what is looked for in it is little: links of the class `result__a`, each
//! followed by an element of the class `result__snippet`.

use kaiwa_egress::WebRequest;
use url::Url;

use super::{EngineError, TEXT_BYTES};
use crate::web::found::{FoundItem, RESULTS};
use crate::web::markup::{HtmlPiece, HtmlPieces, TagName, attribute};

/// What is being read.
enum ResultPart {
    Title,
    Snippet,
}

/// A result that is being read.
#[derive(Default)]
struct OpenResult {
    url: String,
    title: String,
    snippet: String,
}

pub(super) fn request(base: &Url, query: &str) -> WebRequest {
    WebRequest::form(base.clone(), &[("q", query), ("kl", "")]).accepting("text/html")
}

pub(in crate::web) fn read(body: &[u8]) -> Result<Vec<FoundItem>, EngineError> {
    let page = String::from_utf8_lossy(body);
    if page.contains("anomaly-modal") {
        return Err(EngineError::Challenge);
    }
    let mut found = Vec::new();
    let mut open = OpenResult::default();
    let mut part: Option<(ResultPart, TagName)> = None;
    for piece in HtmlPieces::new(&page) {
        match piece {
            HtmlPiece::Open { name, attributes } => {
                let classes = attribute(attributes, "class").unwrap_or_default();
                let is = |class: &str| classes.split_ascii_whitespace().any(|it| it == class);
                if is("result__a") {
                    found.extend(finished(&mut open));
                    if found.len() >= RESULTS {
                        break;
                    }
                    open.url = target(&attribute(attributes, "href").unwrap_or_default());
                    part = Some((ResultPart::Title, name));
                } else if is("result__snippet") {
                    part = Some((ResultPart::Snippet, name));
                }
            }
            HtmlPiece::Close { name } => {
                if part.as_ref().is_some_and(|(_, it)| *it == name) {
                    part = None;
                }
            }
            HtmlPiece::Text(text) => {
                let to = match &part {
                    Some((ResultPart::Title, _)) => &mut open.title,
                    Some((ResultPart::Snippet, _)) => &mut open.snippet,
                    None => continue,
                };
                if to.len() + text.len() <= TEXT_BYTES {
                    to.push_str(text);
                }
            }
            HtmlPiece::Raw { .. } => {}
        }
    }
    if found.len() < RESULTS {
        found.extend(finished(&mut open));
    }
    Ok(found)
}

fn finished(open: &mut OpenResult) -> Option<FoundItem> {
    let OpenResult {
        url,
        title,
        snippet,
    } = std::mem::take(open);
    let item = FoundItem::new(&url, &title, &snippet)?;
    // Advertisements lead through their own server.
    let host = item.url.host_str().unwrap_or_default();
    let theirs = host == "duckduckgo.com" || host.ends_with(".duckduckgo.com");
    (!theirs).then_some(item)
}

/// Where a link leads, past the page that counts clicks.
fn target(href: &str) -> String {
    let whole = match href.strip_prefix("//") {
        Some(rest) => format!("https://{rest}"),
        None => href.to_owned(),
    };
    let Ok(url) = Url::parse(&whole) else {
        return whole;
    };
    if !url.path().starts_with("/l/") {
        return whole;
    }
    let mut pairs = url.query_pairs();
    pairs
        .find(|(name, _)| name == "uddg")
        .map_or(whole, |(_, target)| target.into_owned())
}
