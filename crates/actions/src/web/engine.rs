//! Search engines, each behind the same two questions: what to send, and what
//! came back.

pub(super) mod brave;
pub(super) mod duckduckgo;
pub(super) mod searxng;
pub(super) mod tavily;

use std::time::Duration;

use kaiwa_egress::{Egress, EgressError, WebRequest};
use secrecy::SecretString;
use serde::Deserialize;
use url::Url;

use super::found::{FoundItem, RESULTS};
use super::search::SearchKind;

/// How long one engine may take, so that there is time for the next.
const WITHIN: Duration = Duration::from_secs(5);

/// The largest answer that is read.
const MOST_BYTES: usize = 2 * 1024 * 1024;

/// The longest title that is read out of a page, in bytes.
const TEXT_BYTES: usize = 4096;

/// Where to search.
#[derive(Clone, Debug)]
pub struct SearchEngine {
    vendor: EngineVendor,
    /// Where its interface is.
    base: Url,
    key: Option<SecretString>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum EngineVendor {
    Searxng,
    Brave,
    Tavily,
    DuckDuckGo,
}

/// Why an engine found nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum EngineError {
    #[error(transparent)]
    Egress(#[from] EgressError),
    #[error("it answered with the status {0}")]
    Status(u16),
    #[error("its answer could not be read")]
    Unreadable,
    #[error("it wants to know whether we are human")]
    Challenge,
}

impl SearchEngine {
    /// A [SearXNG](https://docs.searxng.org) at `base`, which needs the format
    /// `json` in its settings.
    pub const fn searxng(base: Url) -> Self {
        Self::new(EngineVendor::Searxng, base, None)
    }

    /// [Brave](https://api-dashboard.search.brave.com), whose interface is at
    /// `base`.
    pub const fn brave(base: Url, key: SecretString) -> Self {
        Self::new(EngineVendor::Brave, base, Some(key))
    }

    /// [Tavily](https://docs.tavily.com), whose interface is at `base`.
    pub const fn tavily(base: Url, key: SecretString) -> Self {
        Self::new(EngineVendor::Tavily, base, Some(key))
    }

    /// The page that [DuckDuckGo](https://html.duckduckgo.com/html/) has for
    /// browsers without scripts, at `base`. It knows neither pictures nor news.
    pub const fn duckduckgo(base: Url) -> Self {
        Self::new(EngineVendor::DuckDuckGo, base, None)
    }

    const fn new(vendor: EngineVendor, base: Url, key: Option<SecretString>) -> Self {
        Self { vendor, base, key }
    }

    /// Its name in logs.
    pub const fn name(&self) -> &'static str {
        match self.vendor {
            EngineVendor::Searxng => "SearXNG",
            EngineVendor::Brave => "Brave",
            EngineVendor::Tavily => "Tavily",
            EngineVendor::DuckDuckGo => "DuckDuckGo",
        }
    }

    /// Whether it can look for such things.
    pub(super) fn knows(&self, kind: SearchKind) -> bool {
        self.vendor != EngineVendor::DuckDuckGo || kind == SearchKind::Web
    }

    /// Asks it.
    pub(super) async fn search(
        &self,
        egress: &Egress,
        query: &str,
        kind: SearchKind,
    ) -> Result<Vec<FoundItem>, EngineError> {
        let request = self
            .request(query, kind)
            .to_own_server()
            .within(WITHIN)
            .at_most(MOST_BYTES);
        let response = egress.fetch(request).await?;
        // DuckDuckGo has a page for those whom it takes for machines.
        if response.status == 202 {
            return Err(EngineError::Challenge);
        }
        if response.status != 200 {
            return Err(EngineError::Status(response.status));
        }
        let body = &response.body;
        let mut found = match self.vendor {
            EngineVendor::Searxng => searxng::read(body, kind),
            EngineVendor::Brave => brave::read(body, kind),
            EngineVendor::Tavily => tavily::read(body, kind),
            EngineVendor::DuckDuckGo => duckduckgo::read(body),
        }?;
        found.truncate(RESULTS);
        Ok(found)
    }

    fn request(&self, query: &str, kind: SearchKind) -> WebRequest {
        match self.vendor {
            EngineVendor::Searxng => searxng::request(&self.base, query, kind),
            EngineVendor::Brave => {
                let request = brave::request(&self.base, query, kind);
                self.keyed(request, "x-subscription-token", "")
            }
            EngineVendor::Tavily => {
                let request = tavily::request(&self.base, query, kind);
                self.keyed(request, "authorization", "Bearer ")
            }
            EngineVendor::DuckDuckGo => duckduckgo::request(&self.base, query),
        }
    }

    fn keyed(&self, request: WebRequest, header: &'static str, scheme: &str) -> WebRequest {
        match &self.key {
            Some(key) => request.with_key(header, scheme, key),
            None => request,
        }
    }
}

/// The address of `path` under `base`.
fn under(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}/{path}", base.path().trim_end_matches('/')));
    url
}

/// What is asked of an engine, as a query.
fn with_query(mut url: Url, pairs: &[(&str, &str)]) -> Url {
    url.query_pairs_mut().extend_pairs(pairs);
    url
}

fn json<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, EngineError> {
    serde_json::from_slice(body).map_err(|_| EngineError::Unreadable)
}
