//! Text as people type it in a hurry.
//!
//! Sentences begin in lower case, semicolons and some commas go, and now and
//! then a comma, `!` or `?` becomes the end of a message. Chance decides, and
//! [`Dice`] decide about chance. Code, addresses, tags, numbers, names, quoted
//! and marked-up passages, lists, headings and tables stay as they are.

mod typist;

use std::collections::HashSet;

use kaiwa_domain::port::Dice;

use super::edit::{Edited, Editor};
use super::scan::{Kind, Lexeme, lexemes};
use super::segment::{Segmenter, is_blank, is_clause, is_ender};
use typist::{Typist, begins_sentence, core_of, name_of};

/// So many names are remembered.
const MOST_MET: usize = 1000;

/// Makes text look typed.
#[derive(Clone, Debug)]
pub struct Humanizer {
    /// The words of names, in lower case.
    names: HashSet<String>,
    /// Words with a capital in mid-sentence, of all messages so far.
    met: HashSet<String>,
}

impl Humanizer {
    /// A humanizer that leaves `names` alone.
    pub fn new(names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let mut words = HashSet::new();
        for name in names {
            let name = name.as_ref().split_whitespace();
            words.extend(name.flat_map(|word| [word, core_of(word)].map(str::to_lowercase)));
        }
        Self {
            names: words,
            met: HashSet::new(),
        }
    }

    /// Humanizes one message, the next of an answer, which may become several.
    pub fn humanize(&mut self, text: &str, dice: &mut dyn Dice) -> Edited {
        let words = words(text);
        self.meet(text, &words);
        let mut typist = Typist {
            text,
            of: self,
            segmenter: Segmenter::read(text),
            words,
            dice,
            editor: Editor::new(text),
            fresh: true,
            formal: false,
            said: false,
        };
        for at in 0..typist.words.len() {
            typist.take(at);
        }
        typist.editor.finish()
    }

    /// Learns the words with a capital that begin no sentence: names, as far
    /// as one can tell.
    fn meet(&mut self, text: &str, words: &[Word]) {
        let mut fresh = true;
        for word in words {
            match word.kind {
                WordKind::Other(Kind::Newline | Kind::Marker(_)) => fresh = true,
                WordKind::Ender => fresh = begins_sentence(text, *word),
                WordKind::Word => {
                    let name = name_of(&text[word.range()]);
                    if !fresh && name.starts_with(char::is_uppercase) && self.met.len() < MOST_MET {
                        self.met.insert(name.to_owned());
                    }
                    fresh = false;
                }
                _ => {}
            }
        }
    }
}

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
type Word = Lexeme<WordKind>;

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

#[cfg(test)]
mod tests;
