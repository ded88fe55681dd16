//! The echo of the prefill.

use crate::deliver::explain::{Change, Reason};

/// Below this many characters, the echo must end where a word ends: the answer
/// "There" does not echo "The".
const SURE: usize = 8;

/// Removes the text the answer was made to begin with, should the model
/// repeat it, so that it is never shown twice. White space before the echo is
/// tolerated. What only began like the prefill is released.
#[derive(Clone, Debug, Default)]
pub struct Prefill {
    /// What to look for; empty once the matter is settled.
    expected: String,
    /// The text so far, all of it still like the prefill.
    pub(in crate::deliver) held: String,
}

impl Prefill {
    /// For an answer that was begun with `prefill`.
    pub fn new(prefill: &str) -> Self {
        Self {
            expected: prefill.trim().to_owned(),
            held: String::new(),
        }
    }

    /// Whether nothing is left to look for: text passes through unchanged.
    pub const fn is_settled(&self) -> bool {
        self.expected.is_empty()
    }

    /// Takes the next piece, or the `last` one, and appends what may be shown to
    /// `out`.
    pub fn push(&mut self, delta: &str, last: bool, out: &mut String) -> Option<Change> {
        self.held.push_str(delta);
        let seen = self.held.trim_start();
        let echoed = match seen.strip_prefix(&self.expected) {
            _ if self.is_settled() => None,
            Some("") if !last => return None,
            None if !last && self.expected.starts_with(seen) => return None,
            rest => rest.filter(|rest| !self.is_in_word(rest)),
        };
        let end = echoed.map_or(0, |rest| self.held.len() - rest.len());
        let (echo, rest) = self.held.split_at(end);
        out.push_str(rest);
        let removal = echoed.map(|_| Change::new(0, Reason::Prefill, echo, ""));
        *self = Self::default();
        removal
    }

    /// Whether the word that the prefill ends with goes on with `rest`.
    fn is_in_word(&self, rest: &str) -> bool {
        self.expected.ends_with(char::is_alphanumeric)
            && rest.starts_with(char::is_alphanumeric)
            && self.expected.chars().count() < SURE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run<'a>(
        prefill: &str,
        deltas: impl IntoIterator<Item = &'a str>,
    ) -> (String, Option<Change>) {
        let mut stage = Prefill::new(prefill);
        let mut out = String::new();
        let mut removal = None;
        for delta in deltas {
            removal = removal.or(stage.push(delta, false, &mut out));
        }
        removal = removal.or(stage.push("", true, &mut out));
        (out, removal)
    }

    #[test]
    fn an_echo_is_removed_once() {
        for (prefill, text, shown) in [
            ("Sure, here", "Sure, here you go", " you go"),
            ("Sure, here", "\n Sure, here you go", " you go"),
            ("Sure, here ", "Sure, here you go", " you go"),
            ("Sure, here", "you go", "you go"),
            ("Sure, here", "Sure, you go", "Sure, you go"),
            ("Sure, here", "Sure", "Sure"),
            ("Sure, here", "Sure, here", ""),
            ("Sure, here", "Sure, hereSure, here", "Sure, here"),
            ("The", "There it is", "There it is"),
            ("The", "The end", " end"),
            ("The capital is Tok", "The capital is Tokyo", "yo"),
            ("", "text", "text"),
            ("  ", "text", "text"),
            ("ああ", "ああい", "ああい"),
            ("ああ", "ああ。", "。"),
        ] {
            assert_eq!(run(prefill, [text]).0, shown, "{prefill:?} {text:?}");
        }
    }

    proptest! {
        #[test]
        fn laws(prefill in "[ab ]{0,6}", text in "[ab \né]{0,12}") {
            let whole = run(&prefill, [text.as_str()]);
            let chars: Vec<String> = text.chars().map(String::from).collect();
            prop_assert_eq!(&run(&prefill, chars.iter().map(String::as_str)), &whole);
            let removed = whole.1.map_or(0, |removal| removal.end());
            prop_assert_eq!(&text[removed..], whole.0);
        }
    }
}
