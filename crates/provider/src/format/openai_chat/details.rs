//! OpenRouter's account of the thoughts, which comes in pieces and goes back
//! whole.

use serde_json::{Map, Value};

use crate::transcript::MAX_SIGNED_BYTES;

/// The most entries of one account.
const MAX_ENTRIES: usize = 1024;

/// The fields that come in pieces; of the others the last word counts.
const GROWING: [&str; 3] = ["text", "summary", "data"];

/// The entries so far.
#[derive(Default)]
pub(super) struct Details {
    entries: Vec<Map<String, Value>>,
    bytes: usize,
    /// The account is too long to be handed back; a part of it would be
    /// refused.
    overflown: bool,
}

impl Details {
    /// Reads a list of entries or of pieces of them.
    pub(super) fn add(&mut self, json: &str) {
        self.bytes += json.len();
        self.overflown |= self.bytes > MAX_SIGNED_BYTES;
        if self.overflown {
            return;
        }
        let pieces: Vec<Value> = serde_json::from_str(json).unwrap_or_default();
        for piece in pieces {
            if let Value::Object(piece) = piece {
                self.piece(piece);
            }
        }
    }

    /// The whole account, if there is any.
    pub(super) fn into_json(self) -> Option<Value> {
        (!self.overflown && !self.entries.is_empty()).then(|| self.entries.into())
    }

    fn piece(&mut self, piece: Map<String, Value>) {
        let continued = self.entries.last_mut().filter(|last| goes_on(last, &piece));
        let Some(entry) = continued else {
            self.overflown |= self.entries.len() == MAX_ENTRIES;
            if !self.overflown {
                self.entries.push(piece);
            }
            return;
        };
        for (name, new) in piece {
            match (entry.get_mut(&name), new) {
                (_, Value::Null) => {}
                (Some(Value::String(known)), Value::String(more))
                    if GROWING.contains(&name.as_str()) =>
                {
                    known.push_str(&more);
                }
                (_, new) => {
                    entry.insert(name, new);
                }
            }
        }
    }
}

/// Whether a piece belongs to an entry: it is of the same kind and place, and
/// the entry was not signed or named otherwise before.
fn goes_on(entry: &Map<String, Value>, piece: &Map<String, Value>) -> bool {
    let same = |name: &str| entry.get(name) == piece.get(name);
    let told = |of: &Map<String, Value>, name: &str| of.get(name).is_some_and(|it| !it.is_null());
    let renamed = told(entry, "id") && told(piece, "id") && !same("id");
    same("type") && same("index") && !renamed && !told(entry, "signature")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(pieces: &[Value], expect: &Value) {
        let mut details = Details::default();
        for piece in pieces {
            details.add(&piece.to_string());
        }
        assert_eq!(details.into_json().unwrap_or_default(), *expect);
    }

    #[test]
    fn pieces_become_entries() {
        check(&[], &Value::Null);
        check(&[json!("text"), json!([1]), json!([])], &Value::Null);
        let text = |text: &str| json!({"type": "reasoning.text", "text": text, "index": 0});
        check(
            &[
                json!([text("Tea "), text("or ")]),
                json!([text("not.")]),
                json!([{"type": "reasoning.text", "text": null, "signature": "s", "index": 0}]),
                json!([text("More.")]),
                json!([{"type": "reasoning.encrypted", "data": "x", "id": "a", "index": 1}]),
                json!([{"type": "reasoning.encrypted", "data": "y", "id": "b", "index": 1}]),
            ],
            &json!([
                {"type": "reasoning.text", "text": "Tea or not.", "signature": "s", "index": 0},
                text("More."),
                {"type": "reasoning.encrypted", "data": "x", "id": "a", "index": 1},
                {"type": "reasoning.encrypted", "data": "y", "id": "b", "index": 1},
            ]),
        );
    }

    #[test]
    fn an_account_that_is_too_long_is_none() {
        let long = json!([{"text": "x".repeat(MAX_SIGNED_BYTES)}]);
        check(&[json!([{"text": "a"}]), long], &Value::Null);
        let many: Vec<Value> = (0..=MAX_ENTRIES)
            .map(|index| json!({"index": index}))
            .collect();
        check(&[many.into()], &Value::Null);
    }
}
