//! What we write into a conversation ourselves, in brackets.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::fold::folded;
use super::line_start::{Words, is_role_in_brackets};
use super::{QUOTED, SanitizeReason};

/// How much after a bracket is looked at, in characters.
const LOOKED_AT: usize = 48;

/// The words by which our notations begin; `*` is any word.
const NOTATIONS: [&str; 24] = [
    "already completed action",
    "replying to",
    "old message",
    "already answered",
    "everything above",
    "an image came with this",
    "there is an image here",
    "nobody wrote this",
    "what * found",
    "gathered for your answer",
    "the rest is left out",
    "there are no more tools",
    "your answer was empty",
    "somebody asked you",
    "somebody else will write",
    "i have the result",
    "tool result",
    "tool results",
    "tool output",
    "tool call",
    "tool response",
    "function result",
    "function call",
    "end of history",
];

/// The line with [`QUOTED`] before every notation.
pub(super) fn quoted<'a>(line: &'a str, changed: &mut BTreeSet<SanitizeReason>) -> Cow<'a, str> {
    let mut quoted = String::new();
    let mut shown = 0;
    let mut after_bracket = false;
    for (at, c) in line.char_indices() {
        let is_bracket = is_bracket(c);
        if is_bracket
            && !after_bracket
            && is_notation(&line[at + c.len_utf8()..])
            && !line[..at].ends_with(QUOTED)
        {
            quoted.push_str(&line[shown..at]);
            quoted.push_str(QUOTED);
            shown = at;
            changed.insert(SanitizeReason::Notation);
        }
        after_bracket = is_bracket;
    }
    if quoted.is_empty() {
        return Cow::Borrowed(line);
    }
    quoted.push_str(&line[shown..]);
    Cow::Owned(quoted)
}

pub(super) const fn is_bracket(c: char) -> bool {
    matches!(c, '[' | '(' | '{' | '［' | '（' | '【' | '〔' | '「' | '⟦')
}

/// Whether what stands after a bracket is one of ours.
pub(super) fn is_notation(after: &str) -> bool {
    let head = folded(after, LOOKED_AT);
    let mut gap = head.iter().take_while(|c| !c.is_alphanumeric());
    if gap.any(|c| matches!(c, ']' | ')' | '}' | '<' | '>')) {
        return false;
    }
    let begins = |notation: &str| {
        let mut words = Words(&head);
        notation.split(' ').all(|expected| {
            let word = words.next();
            word.is_some_and(|word| expected == "*" || word.iter().copied().eq(expected.chars()))
        })
    };
    NOTATIONS.iter().any(|notation| begins(notation)) || is_role_in_brackets(&head)
}
