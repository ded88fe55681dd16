//! What was changed, where, and why.

use std::ops::Range;

use super::explain::{Change, Reason};

/// A changed text and its changes, in order and apart.
///
/// Applying the changes to the input yields exactly the text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edited {
    /// What the text is now.
    pub text: String,
    /// What was changed.
    pub changes: Vec<Change>,
}

impl Edited {
    /// The messages that the text is, where changes end them.
    pub(super) fn messages(&self) -> Vec<&str> {
        let (mut messages, mut rest) = (Vec::new(), &*self.text);
        let (mut at, mut width) = (0, 0);
        for change in &self.changes {
            width += change.at - at + change.inserted.len();
            at = change.end();
            if change.reason.ends_message() {
                let (message, after) = rest.split_at(std::mem::take(&mut width));
                messages.push(message);
                rest = after;
            }
        }
        messages.push(rest);
        messages
    }

    /// These, and the changes.
    pub(super) fn split(self) -> (Vec<String>, Vec<Change>) {
        let messages = self.messages().into_iter().map(str::to_owned);
        (messages.collect(), self.changes)
    }
}

/// Applies edits to a text, front to back.
#[derive(Debug)]
pub(super) struct Editor<'a> {
    input: &'a str,
    /// How much of the input is dealt with.
    at: usize,
    done: Edited,
}

impl<'a> Editor<'a> {
    pub(super) fn new(input: &'a str) -> Self {
        Self {
            input,
            at: 0,
            done: Edited::default(),
        }
    }

    /// Puts `with` in the place of `range`. A change that reaches back behind
    /// an earlier one, or changes nothing, is not made.
    pub(super) fn replace(&mut self, range: Range<usize>, with: &str, rule: Reason) -> bool {
        let Some(before) = self.input.get(self.at..range.start) else {
            return false;
        };
        let removed = &self.input[range.clone()];
        if removed == with && rule != Reason::Break {
            return false;
        }
        self.done.text.push_str(before);
        self.done.text.push_str(with);
        self.at = range.end;
        let change = Change::new(range.start, rule, removed, with);
        self.done.changes.push(change);
        true
    }

    /// How much of the input is dealt with.
    pub(super) const fn position(&self) -> usize {
        self.at
    }

    pub(super) fn finish(mut self) -> Edited {
        self.done.text.push_str(&self.input[self.at..]);
        self.done
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What the law of conservation says the output must be.
    pub(in crate::deliver) fn apply(input: &str, changes: &[Change]) -> String {
        let mut text = String::new();
        let mut at = 0;
        for change in changes {
            text.push_str(&input[at..change.at]);
            text.push_str(&change.inserted);
            at = change.end();
        }
        text.push_str(&input[at..]);
        text
    }

    #[test]
    fn overlapping_edits_lose_to_the_first() {
        let mut editor = Editor::new("one two three");
        assert!(editor.replace(0..3, "1", Reason::Comma));
        assert!(!editor.replace(2..5, "x", Reason::Comma));
        assert!(!editor.replace(4..7, "two", Reason::Comma));
        assert!(editor.replace(8..13, "3", Reason::Comma));
        let edited = editor.finish();
        assert_eq!(edited.text, "1 two 3");
        assert_eq!(apply("one two three", &edited.changes), edited.text);
    }
}
