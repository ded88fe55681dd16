//! The table of features that every client walks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::root;

pub(super) struct FeatureTable {
    features: BTreeSet<String>,
    /// By client and feature, why a client cannot have it.
    absent: BTreeMap<(String, String), String>,
}

impl FeatureTable {
    pub(super) fn read() -> Result<Self, String> {
        let path = root().join("conformance/features.json");
        let text = fs::read_to_string(&path)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        Self::parse(&text).ok_or_else(|| format!("{} is not a table", path.display()))
    }

    fn parse(text: &str) -> Option<Self> {
        let table: Value = serde_json::from_str(text).ok()?;
        let mut features = BTreeSet::new();
        for family in table["features"].as_object()?.values() {
            for feature in family.as_array()? {
                features.insert(feature.as_str()?.to_owned());
            }
        }
        let mut absent = BTreeMap::new();
        for (client, without) in table["absent"].as_object()? {
            for (feature, why) in without.as_object()? {
                absent.insert((client.clone(), feature.clone()), why.as_str()?.to_owned());
            }
        }
        Some(Self { features, absent })
    }

    /// What a client should walk but does not, with the reason if there is one,
    /// and what it walks without a place in the table.
    pub(super) fn compare(&self, client: &str, walked: &[String]) -> TableComparison {
        let walked: BTreeSet<&String> = walked.iter().collect();
        let mut comparison = TableComparison::default();
        for feature in &self.features {
            if walked.contains(feature) {
                continue;
            }
            match self.absent.get(&(client.to_owned(), feature.clone())) {
                Some(why) => comparison.absent.push((feature.clone(), why.clone())),
                None => comparison.missing.push(feature.clone()),
            }
        }
        let unknown = walked
            .into_iter()
            .filter(|feature| !self.features.contains(*feature));
        comparison.unknown = unknown.cloned().collect();
        comparison
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TableComparison {
    pub(super) absent: Vec<(String, String)>,
    pub(super) missing: Vec<String>,
    pub(super) unknown: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_answers_for_the_whole_table() {
        let table = FeatureTable::parse(
            r#"{"features": {"a": ["login", "zstd"], "b": ["pins"]}, "absent": {"js": {"zstd": "not offered"}}}"#,
        )
        .unwrap();
        let compared = table.compare("js", &["login".to_owned(), "more".to_owned()]);
        let expected = TableComparison {
            absent: vec![("zstd".to_owned(), "not offered".to_owned())],
            missing: vec!["pins".to_owned()],
            unknown: vec!["more".to_owned()],
        };
        assert_eq!(compared, expected);
        let everything = ["login", "zstd", "pins"].map(str::to_owned);
        assert_eq!(table.compare("py", &everything), TableComparison::default());
    }

    #[test]
    fn the_table_is_read() {
        let table = FeatureTable::read().unwrap();
        assert!(table.features.contains("login"));
        assert!(table.features.len() > 150, "{}", table.features.len());
        for (_, feature) in table.absent.keys() {
            assert!(table.features.contains(feature), "{feature}");
        }
    }
}
