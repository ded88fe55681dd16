//! The words of a text.

use std::ops::Range;

use crate::deliver::scan::{Kind, Lexeme, lexemes};
use crate::deliver::segment::{is_blank, is_clause, is_ender};

/// What a piece of the text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WordKind {
    Word,
    Blank,
    /// Signs that may end a sentence.
    Ender,
    /// A full-width comma, colon or semicolon.
    Clause,
    /// Anything but text.
    Other(Kind),
}

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) kind: WordKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Word {
    pub(super) const fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// The words of `text`, and what stands between them.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for lexeme in lexemes(text) {
        match lexeme.kind {
            Kind::Text => split(text, lexeme, &mut words),
            kind => {
                let Lexeme { start, end, .. } = lexeme;
                let kind = WordKind::Other(kind);
                words.push(Word { kind, start, end });
            }
        }
    }
    words
}

fn split(text: &str, lexeme: Lexeme, words: &mut Vec<Word>) {
    let begin = words.len();
    for (at, c) in text[lexeme.range()].char_indices() {
        let start = lexeme.start + at;
        let end = start + c.len_utf8();
        // The point of `1.5` and `example.com` ends nothing.
        let inner = || c == '.' && text[end..].starts_with(char::is_alphanumeric);
        let kind = match c {
            _ if is_blank(c) => WordKind::Blank,
            _ if is_ender(c) && !inner() => WordKind::Ender,
            _ if is_clause(c) => WordKind::Clause,
            _ => WordKind::Word,
        };
        match words[begin..].last_mut() {
            Some(last) if last.kind == kind && kind != WordKind::Clause => last.end = end,
            _ => words.push(Word { kind, start, end }),
        }
    }
}
