//! `web_search`: what the web has to say about something.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{Pending, SentAbroad};
use kaiwa_domain::{Outgoing, RateClass, ToolError, Turn};
use kaiwa_egress::Egress;
use schemars::JsonSchema;
use serde::Deserialize;

use super::engine::SearchEngine;
use super::found::{self, FoundItem};
use crate::phrase::{Phrase, plain};
use crate::{Action, CommandEntrance, Declaration, Description, Done, Grant};

/// The longest question, in characters.
const QUERY_CHARS: usize = 300;

/// The most of it that people read while it is looked for.
const PROGRESS_CHARS: usize = 80;

/// Searches the web.
pub struct WebSearch {
    egress: Egress,
    /// Asked in this order, until one has found something.
    engines: Arc<[SearchEngine]>,
}

impl WebSearch {
    /// With these engines, the first choice first.
    pub fn new(egress: Egress, engines: Vec<SearchEngine>) -> Self {
        Self {
            egress,
            engines: engines.into(),
        }
    }

    /// `None` if no engine answered, and nothing if those that did found
    /// nothing.
    async fn search(&self, query: &str, kind: SearchKind) -> Option<Vec<FoundItem>> {
        let mut answered = false;
        for engine in self.engines.iter().filter(|it| it.knows(kind)) {
            match engine.search(&self.egress, query, kind).await {
                Ok(found) if found.is_empty() => answered = true,
                Ok(found) => return Some(found),
                Err(error) => {
                    tracing::warn!(engine = engine.name(), %error, "a search engine failed");
                }
            }
        }
        answered.then(Vec::new)
    }
}

/// What to look for.
#[derive(Deserialize, JsonSchema)]
pub struct WebSearchArguments {
    /// What to look for, in the words that one would type into a search engine.
    #[schemars(with = "String", length(min = 1, max = QUERY_CHARS))]
    query: SearchQuery,
    /// Pages if absent; or images, or news.
    #[serde(default)]
    kind: SearchKind,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct SearchQuery(String);

impl TryFrom<String> for SearchQuery {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let query = words.join(" ");
        match query.chars().count() {
            0 => Err("there is nothing to look for".to_owned()),
            n if n > QUERY_CHARS => Err(format!("{QUERY_CHARS} characters are enough")),
            _ => Ok(Self(query)),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum SearchKind {
    #[default]
    Web,
    Images,
    News,
}

impl Action for WebSearch {
    type Arguments = WebSearchArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance::public("search")),
            rate: Some(RateClass::Web),
            taints: true,
            timeout: Duration::from_secs(25),
            ..Declaration::reading(
                "web_search",
                "Searches the web. Use it for what you cannot know: news, prices, weather, \
                 anything recent, or whatever you are asked to look up. With the kind \"images\" \
                 pictures are found, and posted after your reply.",
            )
        }
    }

    fn sends(&self, arguments: &WebSearchArguments) -> Option<SentAbroad> {
        Some(SentAbroad::Words(arguments.query.0.clone()))
    }

    fn progress(&self, arguments: &WebSearchArguments) -> Phrase {
        let query = super::clean::line(&arguments.query.0, PROGRESS_CHARS);
        Phrase::new("progress-search").with("query", super::clean::escaped(&query))
    }

    fn describe<'a>(
        &'a self,
        _: &'a Turn,
        arguments: &'a WebSearchArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            let phrase = Phrase::new("describe-search").with("query", plain(&arguments.query.0));
            Ok(Some(Description::new(phrase)))
        })
    }

    fn run<'a>(
        &'a self,
        _: Grant<'a>,
        WebSearchArguments { query, kind }: WebSearchArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let query = query.0;
            let Some(found) = self.search(&query, kind).await else {
                let failed = Done::new("Search failed.");
                return Ok(failed.showing(Phrase::new("search-failed")));
            };
            if found.is_empty() {
                let nothing = Phrase::new("search-nothing").with("query", query);
                return Ok(Done::new("No results found.").showing(nothing));
            }
            let images = kind == SearchKind::Images;
            let shown = Phrase::new("search-done")
                .with("query", super::clean::escaped(&query))
                .with("lines", found::shown(&found));
            let done = Done::new(found::told(&found, images)).showing(shown);
            Ok(match found::pictures(&found) {
                Some(pictures) => done.followed_by(Outgoing::Say(pictures)),
                None => done,
            })
        })
    }
}
