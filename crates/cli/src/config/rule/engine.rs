//! Which search engines there are.

use std::path::Path;

use toml::de::DeValue;

use super::{ValueRule, choose, words};

/// A search engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineName {
    /// A SearXNG of the operator's.
    Searxng,
    /// Brave.
    Brave,
    /// Tavily.
    Tavily,
    /// DuckDuckGo.
    DuckDuckGo,
}

const ENGINES: [(&str, EngineName); 4] = [
    ("searxng", EngineName::Searxng),
    ("brave", EngineName::Brave),
    ("tavily", EngineName::Tavily),
    ("duckduckgo", EngineName::DuckDuckGo),
];

/// Engines in the order in which they are asked.
pub struct EngineList;

impl ValueRule for EngineList {
    type Value = Vec<EngineName>;

    fn allowed() -> String {
        format!("one of {}, or a list of them", words(&ENGINES))
    }

    fn read(value: &DeValue<'_>, _: &Path) -> Result<Vec<EngineName>, String> {
        let mut engines: Vec<EngineName> = Vec::new();
        let named = match value {
            DeValue::Array(list) => list
                .iter()
                .map(|it| choose(it.get_ref(), &ENGINES))
                .collect(),
            one => vec![choose(one, &ENGINES)],
        };
        for engine in named {
            let engine = engine?;
            // Whoever is asked again would say the same.
            if !engines.contains(&engine) {
                engines.push(engine);
            }
        }
        Ok(engines)
    }
}
