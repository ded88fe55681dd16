//! What people write about time, in pieces: numbers in digits or in words,
//! words, and signs.
//!
//! English and Japanese come out alike: 「明日の朝九時」 is "tomorrow", "morning",
//! 9 and "時".

mod words;

use words::{JAPANESE, KANJI_DIGITS, NUMBERS, ORDINALS};

/// A piece of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SpokenPiece {
    pub(crate) said: Said,
    /// Nothing stands between it and the piece before.
    pub(crate) glued: bool,
}

/// What a piece says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    /// A number of so many digits; none, if it was said in words.
    Number {
        value: u32,
        digits: usize,
    },
    /// "first", "2nd".
    Ordinal(u32),
    Word(String),
    Sign(char),
}

impl SpokenPiece {
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.said {
            Said::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(crate) fn number(&self) -> Option<u32> {
        match self.said {
            Said::Number { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Whether this sign stands right behind the piece before.
    pub(crate) fn is_glued(&self, sign: char) -> bool {
        self.glued && self.said == Said::Sign(sign)
    }
}

/// The word at a place.
pub(crate) fn word_at(pieces: &[SpokenPiece], at: usize) -> Option<&str> {
    pieces.get(at)?.word()
}

/// The meaning of a word in a table.
pub(crate) fn find<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    let found = table.iter().find(|(name, _)| *name == word);
    found.map(|(_, meaning)| *meaning)
}

/// The pieces of a text; none, if it has a number that nobody means.
pub(crate) fn pieces(text: &str) -> Option<Vec<SpokenPiece>> {
    let text = text
        .replace('½', ".5")
        .replace('¼', ".25")
        .replace('¾', ".75");
    let text: String = text
        .chars()
        .map(narrow)
        .flat_map(char::to_lowercase)
        .collect();
    let mut pieces = Vec::new();
    let mut rest = text.as_str();
    let mut glued = false;
    while let Some(first) = rest.chars().next() {
        let (said, length) = next_piece(rest, first)?;
        match said {
            FoundPiece::Nothing => glued = false,
            FoundPiece::One(said) => {
                pieces.push(SpokenPiece { said, glued });
                glued = true;
            }
            FoundPiece::Meaning(english) => {
                for word in english.split(' ').filter(|it| !it.is_empty()) {
                    let said = match word.parse() {
                        Ok(value) => Said::Number { value, digits: 0 },
                        Err(_) => Said::Word(word.to_owned()),
                    };
                    pieces.push(SpokenPiece { said, glued });
                    glued = true;
                }
            }
        }
        rest = rest.get(length..)?;
    }
    Some(together(&pieces))
}

enum FoundPiece {
    Nothing,
    One(Said),
    /// English words for Japanese ones.
    Meaning(&'static str),
}

/// What the text begins with, and how many bytes that takes.
fn next_piece(text: &str, first: char) -> Option<(FoundPiece, usize)> {
    let run = |fits: fn(char) -> bool| text.find(|c| !fits(c)).unwrap_or(text.len());
    if first == '@' {
        return Some((FoundPiece::Meaning("at"), 1));
    }
    if first.is_whitespace() {
        return Some((FoundPiece::Nothing, first.len_utf8()));
    }
    if first.is_ascii_digit() {
        let digits = run(|c| c.is_ascii_digit());
        let value: u32 = text.get(..digits)?.parse().ok()?;
        let after = text.get(digits..)?;
        let letters = after.find(|c: char| !c.is_ascii_alphabetic());
        let end = after.get(..letters.unwrap_or(after.len()))?;
        return Some(match end {
            "st" | "nd" | "rd" | "th" => (FoundPiece::One(Said::Ordinal(value)), digits + 2),
            _ => (FoundPiece::One(Said::Number { value, digits }), digits),
        });
    }
    for (dotted, plain) in [("a.m", "am"), ("p.m", "pm")] {
        if let Some(after) = text.strip_prefix(dotted) {
            let end = if after.starts_with('.') { 4 } else { 3 };
            return Some((FoundPiece::One(Said::Word(plain.to_owned())), end));
        }
    }
    if first.is_ascii_alphabetic() {
        let length = run(|c| c.is_ascii_alphabetic() || c == '\'');
        let word = text.get(..length)?;
        let word = word
            .strip_suffix("'s")
            .unwrap_or(word)
            .trim_end_matches('\'');
        let number = find(&NUMBERS, word).map(|value| Said::Number { value, digits: 0 });
        let said = number
            .or_else(|| find(&ORDINALS, word).map(Said::Ordinal))
            .unwrap_or_else(|| Said::Word(word.to_owned()));
        return Some((FoundPiece::One(said), length));
    }
    let japanese = JAPANESE.iter().filter(|(word, _)| text.starts_with(word));
    if let Some((word, english)) = japanese.max_by_key(|(word, _)| word.len()) {
        return Some((FoundPiece::Meaning(english), word.len()));
    }
    if find_digit(first).is_some() {
        let length = run(|c| find_digit(c).is_some());
        let value = kanji_number(text.get(..length)?)?;
        return Some((FoundPiece::One(Said::Number { value, digits: 0 }), length));
    }
    Some((FoundPiece::One(Said::Sign(first)), first.len_utf8()))
}

fn find_digit(c: char) -> Option<u32> {
    KANJI_DIGITS
        .iter()
        .find(|(digit, _)| *digit == c)
        .map(|(_, value)| *value)
}

/// 二十五, 百二十, 二〇.
fn kanji_number(run: &str) -> Option<u32> {
    let (mut sum, mut ones) = (0u32, None::<u32>);
    for digit in run.chars().map(find_digit) {
        match digit? {
            power @ (10 | 100 | 1000) => {
                sum = sum.checked_add(ones.take().unwrap_or(1).checked_mul(power)?)?;
            }
            digit => ones = Some(ones.unwrap_or(0).checked_mul(10)?.checked_add(digit)?),
        }
    }
    sum.checked_add(ones.unwrap_or(0))
}

/// Puts together the numbers that were said in several words: "twenty-five",
/// "a hundred and five", "twenty-first".
fn together(pieces: &[SpokenPiece]) -> Vec<SpokenPiece> {
    let mut whole: Vec<SpokenPiece> = Vec::with_capacity(pieces.len());
    let worded = |at: usize| match pieces.get(at).map(|it| &it.said) {
        Some(Said::Number { value, digits: 0 }) => Some(*value),
        _ => None,
    };
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        let mut used = 1;
        let hundreds = match (&piece.said, worded(at + 1)) {
            (Said::Word(word), Some(100)) if word == "a" => Some(100),
            (
                Said::Number {
                    value: many @ 1..=9,
                    ..
                },
                Some(100),
            ) => Some(many * 100),
            _ => None,
        };
        let mut value = worded(at);
        if let Some(hundreds) = hundreds {
            used = 2;
            value = Some(hundreds);
        }
        if value.is_some_and(|it| it >= 100 && it % 100 == 0) {
            let and = usize::from(word_at(pieces, at + used) == Some("and"));
            if let Some(more @ 1..=99) = worded(at + used + and) {
                used += and + 1;
                value = value.map(|it| it + more);
            }
        }
        let mut said = match value {
            Some(value) => Said::Number { value, digits: 0 },
            None => piece.said.clone(),
        };
        if let Some(tens @ 20..) = value.filter(|it| it % 10 == 0 && it % 100 >= 20) {
            let dash = pieces.get(at + used).is_some_and(|it| it.is_glued('-'));
            let next = at + used + usize::from(dash);
            let ones = match pieces.get(next).map(|it| &it.said) {
                Some(Said::Number {
                    value: ones @ 1..=9,
                    digits: 0,
                }) => Some(Said::Number {
                    value: tens + ones,
                    digits: 0,
                }),
                Some(Said::Ordinal(ones @ 1..=9)) => Some(Said::Ordinal(tens + ones)),
                Some(Said::Word(word)) if dash && word == "second" => Some(Said::Ordinal(tens + 2)),
                _ => None,
            };
            if let Some(ones) = ones {
                said = ones;
                used = next + 1 - at;
            }
        }
        whole.push(SpokenPiece {
            said,
            glued: piece.glued,
        });
        at += used;
    }
    whole
}

/// The plain form of a character: half-width, and one of those for each sign.
fn narrow(c: char) -> char {
    match c {
        '！'..='～' => match char::from_u32(u32::from(c) - u32::from('！') + u32::from('!')) {
            Some('~') | None => '-',
            Some(narrow) => narrow,
        },
        '–' | '—' | '‐' | '‑' | '−' | '〜' | '~' => '-',
        '’' | '‘' => '\'',
        '、' | '・' => ',',
        '。' => '.',
        '\u{200b}'..='\u{200f}' | '\u{feff}' => ' ',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let read = pieces(text).map(|pieces| {
            let shown = pieces.iter().map(|piece| match &piece.said {
                Said::Number { value, .. } => value.to_string(),
                Said::Ordinal(value) => format!("{value}th"),
                Said::Word(word) => word.clone(),
                Said::Sign(sign) => sign.to_string(),
            });
            shown.collect::<Vec<_>>().join(" ")
        });
        assert_eq!(read.as_deref(), Some(expected), "{text:?}");
    }

    #[test]
    fn numbers_are_said_in_many_ways() {
        for (text, expected) in [
            ("twenty-five minutes", "25 minutes"),
            ("forty five", "45"),
            ("ninety", "90"),
            ("a hundred and five days", "105 days"),
            ("one hundred twenty", "120"),
            ("two hundred and forty-one", "241"),
            ("the twenty-first", "the 21th"),
            ("thirty first", "31th"),
            ("december the twenty-second", "december the 22th"),
            ("twenty twenty", "20 20"),
            ("nine thirty", "9 30"),
            ("２０分", "20 分"),
            ("二十五分", "25 分"),
            ("百二十分", "120 分"),
            ("二〇分", "20 分"),
            ("十二月二十四日", "12 月 24 日"),
            ("7 p.m.", "7 pm"),
            ("明日の朝9時半", "tomorrow morning 9 時 半"),
        ] {
            check(text, expected);
        }
        assert_eq!(pieces("99999999999"), None);
    }
}
