//! What is done to each word.

use kaiwa_domain::port::Dice;

use super::super::edit::Editor;
use super::super::explain::Reason;
use super::super::scan::Kind;
use super::super::segment::Segmenter;
use super::super::sentence;
use super::{Humanizer, Word, WordKind};

/// Out of a hundred commas, this many go …
const COMMAS_DROPPED: u32 = 40;
/// … and this many end the message.
const COMMAS_BROKEN: u32 = 20;
/// Out of a hundred `!` and `?`, this many end the message.
const ENDERS_BROKEN: u32 = 50;
/// No abbreviation is longer than this many bytes.
const LONGEST_WORD: usize = 64;

pub(super) struct Typist<'a> {
    pub(super) text: &'a str,
    pub(super) words: Vec<Word>,
    pub(super) of: &'a Humanizer,
    /// Knows what stands in quotes, brackets or markup.
    pub(super) segmenter: Segmenter<'a>,
    pub(super) dice: &'a mut dyn Dice,
    pub(super) editor: Editor<'a>,
    /// A sentence begins here.
    pub(super) fresh: bool,
    /// The line is a list item, a heading or the like.
    pub(super) formal: bool,
    /// The message under way says something.
    pub(super) said: bool,
}

impl Typist<'_> {
    pub(super) fn take(&mut self, at: usize) {
        let token = self.words[at];
        match token.kind {
            WordKind::Other(Kind::Newline) => {
                self.fresh = true;
                self.formal = false;
            }
            WordKind::Other(Kind::Marker(_)) => self.formal = true,
            WordKind::Word if !self.formal => self.word(at),
            WordKind::Clause if !self.formal => self.clause(at),
            WordKind::Ender => {
                self.fresh = begins_sentence(self.text, token);
                if !self.formal {
                    self.ender(at);
                }
            }
            WordKind::Other(Kind::Pair(_) | Kind::Delimiter { .. } | Kind::Shortcode) => {}
            WordKind::Other(kind) => {
                self.fresh = false;
                self.said |= kind.is_atom();
            }
            WordKind::Clause => self.fresh = false,
            WordKind::Word | WordKind::Blank => {}
        }
    }

    fn word(&mut self, at: usize) {
        let token = self.words[at];
        let word = &self.text[token.range()];
        if std::mem::take(&mut self.fresh) {
            self.begin_lower(at);
        }
        self.said |= word.contains(char::is_alphanumeric);
        if self.is_enclosed(at) || !self.ends_before_blank(at) {
            return;
        }
        if let Some(before) = word.strip_suffix(',') {
            self.comma(at, token.end - 1, before.chars().next_back());
        } else if let Some(before) = word.strip_suffix(';') {
            // Not that of an entity, nor half a smile.
            let plain = !before.contains('&') && before.ends_with(char::is_alphanumeric);
            if plain {
                let sign = token.end - 1..token.end;
                self.editor.replace(sign, "", Reason::Semicolon);
            }
        }
    }

    /// Takes the capital of the sentence's first word.
    fn begin_lower(&mut self, at: usize) {
        let token = self.words[at];
        let word = &self.text[token.range()];
        let Some(first) = word.chars().next() else {
            return;
        };
        let core = core_of(word);
        let after = &word[core.len()..];
        let only = core.chars().nth(1).is_none_or(|c| matches!(c, '\'' | '’'));
        let kept = only
            || self.is_enclosed(at)
            || core.chars().skip(1).any(char::is_uppercase)
            || after.starts_with(':')
            || after.contains(char::is_alphanumeric)
            || self.of.met.contains(name_of(core))
            || self.of.names.contains(&name_of(core).to_lowercase())
            || self.of.names.contains(&core.to_lowercase());
        let mut lower = first.to_lowercase();
        // Some capitals have no lower case of the same length.
        let Some(small) = lower.next().filter(|c| c.len_utf16() == first.len_utf16()) else {
            return;
        };
        if !kept && lower.next().is_none() && first.is_uppercase() {
            let capital = token.start..token.start + first.len_utf8();
            let small = small.to_string();
            self.editor.replace(capital, &small, Reason::LowerCase);
        }
    }

    fn clause(&mut self, at: usize) {
        let token = self.words[at];
        let before = self.text[..token.start].chars().next_back();
        let after = self.text[token.end..].chars().next();
        match &self.text[token.range()] {
            "；" if !self.is_enclosed(at) && before.is_some_and(char::is_alphanumeric) => {
                self.editor.replace(token.range(), "", Reason::Semicolon);
            }
            "、" | "，" | "､" if !self.is_enclosed(at) && !after.is_some_and(char::is_numeric) =>
            {
                self.comma(at, token.start, before);
            }
            _ => {}
        }
    }

    /// Decides about the comma at byte `comma`, the end of token `at`.
    fn comma(&mut self, at: usize, comma: usize, before: Option<char>) {
        // The comma between two numbers is needed.
        if before.is_none_or(|c| c.is_numeric() || !c.is_alphanumeric()) {
            return;
        }
        let end = self.words[at].end;
        let roll = self.dice.roll(100);
        if roll < COMMAS_DROPPED {
            if end < self.text.len() {
                // Full-width commas leave no blank behind.
                let with = if end - comma == 1 { "" } else { " " };
                self.editor.replace(comma..end, with, Reason::Comma);
            }
        } else if roll < COMMAS_DROPPED + COMMAS_BROKEN {
            self.break_at(at, comma);
        }
    }

    fn ender(&mut self, at: usize) {
        let token = self.words[at];
        let signs = &self.text[token.range()];
        let wide = signs.contains(['！', '？']);
        if self.is_enclosed(at)
            || !(wide || signs.contains(['!', '?']) && self.ends_before_blank(at))
            || self.dice.roll(100) >= ENDERS_BROKEN
        {
            return;
        }
        self.break_at(at, token.end);
    }

    /// Ends the message at byte `from` within or after token `at`, if the next
    /// one would say something.
    fn break_at(&mut self, at: usize, from: usize) {
        let next = self.words.get(at + 1);
        let blank = next.filter(|token| token.kind == WordKind::Blank);
        let next = self.words.get(at + 1 + usize::from(blank.is_some()));
        let next = next.filter(|token| token.kind == WordKind::Word);
        let said = next.map_or("", |token| &self.text[token.start..]);
        let goes_on = said.starts_with(char::is_alphanumeric);
        if !self.said || !goes_on {
            return;
        }
        let end = blank.map_or(self.words[at].end, |token| token.end);
        if self.editor.replace(from..end, "", Reason::Break) {
            self.said = false;
        }
    }

    /// Whether the word stands in quotes, brackets or markup.
    fn is_enclosed(&self, at: usize) -> bool {
        let spans = &self.segmenter.outline.spans;
        spans.is_inside(self.words[at].start)
    }

    fn ends_before_blank(&self, at: usize) -> bool {
        let next = self.words.get(at + 1).map(|token| token.kind);
        next.is_none_or(|kind| matches!(kind, WordKind::Blank | WordKind::Other(Kind::Newline)))
    }
}

/// The letters a word begins with.
pub(super) fn core_of(word: &str) -> &str {
    let end = word.find(|c: char| !c.is_alphabetic() && !matches!(c, '\'' | '’' | '-'));
    word[..end.unwrap_or(word.len())].trim_end_matches(['\'', '’', '-'])
}

/// The name in a word such as `Ada's` or `Ada-chan`.
pub(super) fn name_of(word: &str) -> &str {
    let core = core_of(word);
    core.split(['\'', '’', '-']).next().unwrap_or(core)
}

/// Whether a sentence begins after these signs, or an abbreviation ended.
pub(super) fn begins_sentence(text: &str, signs: Word) -> bool {
    let run = &text[signs.range()];
    let begin = text.floor_char_boundary(signs.start.saturating_sub(LONGEST_WORD));
    let (before, after) = (&text[begin..signs.start], &text[signs.end..]);
    if sentence::is_decimal_point(before, run, after.chars().next()) {
        return false;
    }
    let next = after.trim_start().chars().next();
    run != "." || sentence::ends(before, run, false, next)
}
