//! The query of a request.

use axum::{extract::Query, http::Uri};

/// Its keys and values in order; a key may stand there more than once.
#[derive(Debug, Default)]
pub(super) struct QueryValues(Vec<(String, String)>);

impl QueryValues {
    pub(super) fn of(uri: &Uri) -> Self {
        let read = Query::try_from_uri(uri).map(|Query(pairs)| Self(pairs));
        read.unwrap_or_default()
    }

    /// The last value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&String> {
        let mut pairs = self.0.iter().rev();
        pairs
            .find(|(known, _)| known == key)
            .map(|(_, value)| value)
    }

    /// Every value of a key.
    pub(super) fn all(&self, key: &str) -> impl Iterator<Item = &str> {
        let pairs = self.0.iter();
        pairs
            .filter(move |(known, _)| known == key)
            .map(|(_, value)| value.as_str())
    }
}
