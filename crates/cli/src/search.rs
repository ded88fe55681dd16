//! What the bot may do on the open web, as the operator wants it.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, Result};
use kaiwa_actions::{FetchPage, PdfReader, Registry, SearchEngine, WebSearch};
use kaiwa_domain::port::Clock;
use kaiwa_egress::{Egress, SystemResolver};
use url::Url;

use crate::config::{Config, EngineName, SecretError, environment};

/// The command under which this program reads PDFs for another.
pub(crate) const READ_PDF: &str = "read-pdf";

/// The engines of a configuration, with their keys.
pub(crate) fn engines(config: &Config) -> Result<Vec<SearchEngine>, SecretError> {
    let search = &config.search;
    let key = |engine, variable: &str| config.search_key(engine, variable, &environment);
    let engines = search.engines().iter().filter_map(|name| {
        Some(match name {
            EngineName::Searxng => Ok(SearchEngine::searxng(search.searxng_url.clone()?)),
            EngineName::Brave => key("brave", &search.brave_key_env)
                .map(|key| SearchEngine::brave(search.brave_url.clone(), key)),
            EngineName::Tavily => key("tavily", &search.tavily_key_env)
                .map(|key| SearchEngine::tavily(search.tavily_url.clone(), key)),
            EngineName::DuckDuckGo => Ok(SearchEngine::duckduckgo(search.duckduckgo_url.clone())),
        })
    });
    engines.collect()
}

/// The actions that go to the open web.
pub(crate) fn actions(config: &Config, clock: &Arc<dyn Clock>) -> Result<Registry> {
    let engines = engines(config)?;
    let egress = Egress::new(Arc::new(SystemResolver), clock.clone())?;
    let mut actions = Registry::new();
    if config.search.reads_pages() {
        actions = actions.with(FetchPage::new(egress.clone(), pdf_reader(clock)?));
    }
    if !engines.is_empty() {
        actions = actions.with(WebSearch::new(egress, engines));
    }
    Ok(actions)
}

/// The same with nothing but the library at this address, which is the one
/// place inside this machine that may be gone to.
pub(crate) fn offline(library: SocketAddr, clock: &Arc<dyn Clock>) -> Result<Registry> {
    let base: Url = format!("http://{library}").parse()?;
    let egress = Egress::new(Arc::new(SystemResolver), clock.clone())?.allowing(library);
    Ok(Registry::new()
        .with(FetchPage::new(egress.clone(), pdf_reader(clock)?))
        .with(WebSearch::new(egress, vec![SearchEngine::searxng(base)])))
}

fn pdf_reader(clock: &Arc<dyn Clock>) -> Result<PdfReader> {
    let program = std::env::current_exe().context("this program was not found")?;
    Ok(PdfReader::new(program, vec![READ_PDF], clock.clone()))
}
