//! The words of a text, and which of them stand in quotes, brackets or markup.

use std::collections::HashMap;
use std::ops::Range;

use crate::deliver::scan::{Kind, Lexeme, lexemes};
use crate::deliver::segment::{Side, is_blank, is_clause, is_ender, side};

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
            kind => words.push(Word {
                kind: WordKind::Other(kind),
                start: lexeme.start,
                end: lexeme.end,
            }),
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

/// For each word, whether it lies between two signs that belong together.
pub(super) fn enclosed(words: &[Word]) -> Vec<bool> {
    // Each span adds one where it opens and takes one where it closes.
    let mut steps = vec![0_i64; words.len() + 1];
    let mut open: HashMap<(char, usize), Vec<usize>> = HashMap::new();
    for (at, word) in words.iter().enumerate() {
        let (sign, opens, closes) = match word.kind {
            WordKind::Other(Kind::Pair(sign)) => match side(sign) {
                Side::Opens(closer) => (closer, true, false),
                Side::Closes(closer) => (closer, false, true),
                Side::Either(..) => (sign, true, true),
            },
            WordKind::Other(Kind::Delimiter {
                mark,
                opens,
                closes,
            }) => (char::from(mark), opens, closes),
            _ => continue,
        };
        let width = match word.kind {
            WordKind::Other(Kind::Pair(_)) => 0,
            _ => word.end - word.start,
        };
        let waiting = open.entry((sign, width)).or_default();
        match waiting.pop().filter(|_| closes) {
            Some(start) => {
                steps[start] += 1;
                steps[at + 1] -= 1;
            }
            None if opens => waiting.push(at),
            None => {}
        }
    }
    let depths = steps.iter().take(words.len()).scan(0, |depth, step| {
        *depth += step;
        Some(*depth > 0)
    });
    depths.collect()
}
