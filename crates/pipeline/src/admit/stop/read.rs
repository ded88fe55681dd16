//! Reads an utterance into words that compare alike however they were typed.
//!
//! Compatibility forms (full width, half-width kana), case and diacritics go,
//! stretched letters shrink, katakana reads as hiragana, traditional characters
//! as simplified ones. A word of an alphabet is a word; of Han, kana and Hangul,
//! which are written without spaces or with any, each character is one.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use super::NoStop;
use super::letters::{
    bare, hash, is_hangul, is_normal, is_stretched, is_wide, merge, normalise, once, shrink,
};
use super::words;

/// What is longer than this is not looked at at all.
pub(super) const MOST_BYTES: usize = 400;
/// The most different words in a row.
const MOST_WORDS: usize = 14;
/// The most characters of a script without spaces.
const MOST_WIDE: usize = 36;
/// The most words among which misspellings are looked for.
const BRIEF: usize = 4;
/// The longest tag of Discord, as in `<a:name:id>`.
const LONGEST_TAG: usize = 64;

/// A word, as hashes of its spellings.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// As written, in lower case.
    pub(super) exact: u64,
    /// Without diacritics.
    pub(super) bare: u64,
    /// Without diacritics, if letters are stretched: with two where `bare` has
    /// one. Otherwise the same as `bare`.
    pub(super) double: u64,
    /// Whether it is a character of a script without spaces.
    pub(super) wide: bool,
    /// Whether it is a character of Han or kana after a space, which people
    /// set where others set a comma.
    pub(super) spaced: bool,
    /// Where its bare spelling stands in the reading.
    at: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum StopToken {
    Word(Word),
    /// The end of a clause.
    Break(ClauseEnd),
}

/// How a clause ends.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct ClauseEnd {
    /// With a question mark.
    pub(super) asks: bool,
    /// With a colon: what follows is cited.
    pub(super) introduces: bool,
}

/// An utterance, read.
#[derive(Debug, Default)]
pub(super) struct StopReading {
    tokens: Vec<StopToken>,
    spellings: String,
    words: usize,
    wide: usize,
    spaced: bool,
    mentions: bool,
}

impl StopReading {
    /// Reads what somebody said.
    pub(super) fn of(text: &str) -> Result<Self, NoStop> {
        let mut reading = Self {
            tokens: Vec::with_capacity(16),
            spellings: String::with_capacity(text.len().min(LONGEST_TAG)),
            ..Self::default()
        };
        let normal;
        let text = if is_normal(text) {
            text
        } else {
            normal = normalise(text);
            &normal
        };
        Scan::new(&mut reading).all(text)?;
        reading.join_letters();
        Ok(reading)
    }

    /// Reads a phrase of the lexicon.
    pub(super) fn phrase(text: &str) -> Vec<Word> {
        let tokens = Self::of(text).map(|reading| reading.tokens);
        let words = tokens
            .into_iter()
            .flatten()
            .filter_map(|token| match token {
                StopToken::Word(word) => Some(word),
                StopToken::Break(_) => None,
            });
        words.collect()
    }

    pub(super) fn tokens(&self) -> &[StopToken] {
        &self.tokens
    }

    pub(super) fn words(&self) -> impl Iterator<Item = &Word> {
        self.tokens.iter().filter_map(|token| match token {
            StopToken::Word(word) => Some(word),
            StopToken::Break(_) => None,
        })
    }

    /// Whether it is short enough to look for misspellings.
    pub(super) fn is_brief(&self) -> bool {
        self.words <= BRIEF
    }

    /// Whether it mentions anybody.
    pub(super) fn tells_somebody(&self) -> bool {
        self.mentions
    }

    /// Whether spaces may stand for commas in it.
    pub(super) fn is_spaced(&self) -> bool {
        self.spaced
    }

    /// A word without diacritics and stretched letters.
    pub(super) fn spelling(&self, word: &Word) -> &str {
        &self.spellings[word.at.clone()]
    }

    /// Lets `mend` replace the words of alphabets.
    pub(super) fn mend(&mut self, mend: impl Fn(&str, u64) -> Option<u64>) {
        for token in &mut self.tokens {
            if let StopToken::Word(word) = token
                && !word.wide
                && let Some(right) = mend(&self.spellings[word.at.clone()], word.bare)
            {
                (word.exact, word.bare, word.double) = (right, right, right);
            }
        }
    }

    /// "s t o p" and "S.T.O.P." are one word.
    fn join_letters(&mut self) {
        let single =
            |word: &Word| !word.wide && self.spellings[word.at.clone()].chars().count() == 1;
        if self.words < 3 || !self.words().all(single) {
            return;
        }
        let joined: String = self
            .words()
            .map(|word| &self.spellings[word.at.clone()])
            .collect();
        self.tokens.clear();
        self.words = 0;
        self.push_word(&joined);
    }

    fn push_word(&mut self, word: &str) {
        let word = once(word);
        let at = self.spellings.len();
        if word.is_ascii() {
            self.spellings.push_str(word);
        } else {
            self.spellings.extend(word.chars().flat_map(bare));
        }
        let bare = &self.spellings[at..];
        let made = if is_stretched(bare) {
            let (single, double) = (shrink(bare, 1), shrink(bare, 2));
            self.spellings.truncate(at);
            self.spellings.push_str(&single);
            let exact = hash(&shrink(word, 1));
            (exact, hash(&single), hash(&double))
        } else if word.is_ascii() {
            let hashed = hash(word);
            (hashed, hashed, hashed)
        } else {
            let hashed = hash(bare);
            (hash(word), hashed, hashed)
        };
        let word = Word {
            exact: made.0,
            bare: made.1,
            double: made.2,
            wide: false,
            spaced: false,
            at: at..self.spellings.len(),
        };
        // "stop stop stop" and "stop. stop. stop." say it twice.
        let mut before = self.tokens.iter().rev().filter_map(|token| match token {
            StopToken::Word(word) => Some(word.exact),
            StopToken::Break(_) => None,
        });
        let again = Some(word.exact);
        if before.next() == again && before.next() == again {
            return;
        }
        self.words += 1;
        self.tokens.push(StopToken::Word(word));
    }

    fn push_wide(&mut self, c: char, spaced: bool) {
        let hashed = hash(c.encode_utf8(&mut [0; 4]));
        let mut run = self.tokens.iter().rev();
        let same = |token: Option<&StopToken>| matches!(token, Some(StopToken::Word(word)) if word.exact == hashed);
        if same(run.next()) && same(run.next()) {
            return;
        }
        self.wide += 1;
        self.spaced |= spaced;
        let at = self.spellings.len();
        self.spellings.push(c);
        self.tokens.push(StopToken::Word(Word {
            exact: hashed,
            bare: hashed,
            double: hashed,
            wide: true,
            spaced,
            at: at..self.spellings.len(),
        }));
    }

    fn push_break(&mut self, end: ClauseEnd) {
        match self.tokens.last_mut() {
            Some(StopToken::Break(before)) => {
                before.asks |= end.asks;
                before.introduces |= end.introduces;
            }
            Some(StopToken::Word(_)) => self.tokens.push(StopToken::Break(end)),
            None => {}
        }
    }

    fn is_too_long(&self) -> bool {
        self.words > MOST_WORDS || self.wide > MOST_WIDE
    }
}

/// What has been read so far.
struct Scan<'r> {
    reading: &'r mut StopReading,
    word: String,
    syllable: Option<char>,
    space: bool,
}

impl<'r> Scan<'r> {
    fn new(reading: &'r mut StopReading) -> Self {
        Self {
            reading,
            word: String::new(),
            syllable: None,
            space: false,
        }
    }

    fn all(&mut self, text: &str) -> Result<(), NoStop> {
        let trimmed = text.trim_start();
        if trimmed.starts_with(['\'', '‘', '’']) {
            return Err(NoStop::Quoted);
        }
        let mut rest = trimmed;
        let mut line_begins = true;
        while let Some(c) = rest.chars().next() {
            let next = &rest[c.len_utf8()..];
            if line_begins && c == '>' {
                return Err(NoStop::Quoted);
            }
            line_begins = c == '\n' || line_begins && c == ' ';
            rest = match c {
                '<' => self.tag(next),
                '@' if self.word.is_empty() => {
                    self.reading.mentions = true;
                    let end = next.find(|c: char| !c.is_alphanumeric() && c != '_');
                    &next[end.unwrap_or(next.len())..]
                }
                ':' | ';' | '=' => self.face(c, next),
                _ => {
                    self.character(c, next)?;
                    next
                }
            };
            if self.reading.is_too_long() {
                return Err(NoStop::TooLong);
            }
        }
        self.end_word();
        if self.reading.is_too_long() {
            return Err(NoStop::TooLong);
        }
        Ok(())
    }

    /// After `<`: a mention or an emoji, which say nothing, a heart, or
    /// something else, which says more than we know.
    fn tag<'t>(&mut self, next: &'t str) -> &'t str {
        self.end_word();
        if let Some(rest) = next.strip_prefix('3') {
            return rest;
        }
        let head = &next.as_bytes()[..next.len().min(LONGEST_TAG)];
        let Some(end) = head.iter().position(|byte| *byte == b'>') else {
            self.reading.push_break(ClauseEnd::default());
            return next;
        };
        match &next.as_bytes()[..end.min(2)] {
            [b'@', ..] => self.reading.mentions = true,
            [b':', ..] | [b'a', b':'] => {}
            _ => self.reading.push_word("<>"),
        }
        &next[end + 1..]
    }

    /// After `:`, `;` or `=`: a shortcode, a face, or the end of a clause.
    fn face<'t>(&mut self, eyes: char, next: &'t str) -> &'t str {
        self.end_word();
        let name = next.bytes().take(LONGEST_TAG);
        let name = name.take_while(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let name = &next[..name.count()];
        let after = &next[name.len()..];
        if name.len() > 1 && after.starts_with(':') {
            if let Some(sign) = words::any::sign_called(name) {
                self.reading.push_word(sign);
            }
            return &after[1..];
        }
        if name.len() == 1 && !name.eq_ignore_ascii_case("i") {
            return after;
        }
        self.reading.push_break(ClauseEnd {
            asks: false,
            introduces: eyes != ';',
        });
        next
    }

    fn character(&mut self, c: char, next: &str) -> Result<(), NoStop> {
        match c {
            '"' | '“' | '”' | '„' | '«' | '»' | '‹' | '›' | '「' | '」' | '『' | '』' | '《'
            | '》' | '`' => return Err(NoStop::Quoted),
            '\'' | '’' | '‘' | 'ʼ' | '´' | '*' | '_' | '|' | '#' | '\u{ad}' => {}
            '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe0f}' | '\u{feff}' => {}
            'ー' | '〜' | 'っ' | 'ぁ' | 'ぃ' | 'ぅ' | 'ぇ' | 'ぉ' => {}
            'ッ' | 'ァ' | 'ィ' | 'ゥ' | 'ェ' | 'ォ' => {}
            '?' | '؟' | '❓' | '❔' => self.end_clause(true),
            // "no - stop" ends a clause, "tais-toi" does not.
            '-' if !self.word.is_empty() && next.starts_with(char::is_alphanumeric) => {
                self.end_word();
            }
            '-' | ',' | '.' | '!' | '…' | '—' | '–' | '、' | '。' | '，' | '・' | '·' | '\n'
            | '(' | ')' | '[' | ']' | '{' | '}' | '/' | '\\' | '¿' | '¡' | '❗' | '❕' => {
                self.end_clause(false);
            }
            _ if is_wide(c) => {
                self.end_word();
                self.wide(c);
            }
            _ if c.is_alphanumeric() => {
                self.syllable = None;
                if c.is_ascii() {
                    self.word.push(c.to_ascii_lowercase());
                } else {
                    self.word.extend(c.to_lowercase());
                }
            }
            _ if is_combining_mark(c) => {}
            _ => {
                self.end_word();
                self.space |= c.is_whitespace();
                if words::any::is_sign(c) {
                    self.reading.push_word(c.encode_utf8(&mut [0; 4]));
                }
            }
        }
        Ok(())
    }

    fn wide(&mut self, c: char) {
        let c = match c {
            // Katakana stands in the order of hiragana.
            'ァ'..='ヶ' => char::from_u32(u32::from(c) - 0x60).unwrap_or(c),
            _ => words::any::simplified(c),
        };
        let spaced = std::mem::take(&mut self.space) && !is_hangul(c);
        if let Some(merged) = self.syllable.and_then(|before| merge(before, c)) {
            // 그마안 is 그만, 하지마아 is 하지마.
            self.reading.tokens.pop();
            self.reading.wide -= 1;
            self.reading.push_wide(merged, false);
            self.syllable = Some(merged);
        } else {
            self.reading.push_wide(c, spaced);
            self.syllable = Some(c);
        }
    }

    fn end_word(&mut self) {
        if !self.word.is_empty() {
            self.reading.push_word(&self.word);
            self.word.clear();
        }
    }

    fn end_clause(&mut self, asks: bool) {
        self.end_word();
        self.syllable = None;
        self.reading.push_break(ClauseEnd {
            asks,
            introduces: false,
        });
    }
}
