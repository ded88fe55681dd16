//! Text and signs within a line.

use super::plain::plain_length;
use super::{Kind, Miss, Read, Scanner, TextWindow, bound};

/// What a search beyond the current lexeme has found out so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Probe {
    /// How far has been searched.
    pub(super) at: usize,
    /// Round brackets that are open there.
    pub(super) depth: usize,
    /// Where the label of a link ends, once found.
    pub(super) label: usize,
    /// No `]` stands before this; it outlives the lexeme.
    pub(super) bare: usize,
}

impl Probe {
    #[inline]
    pub(super) const fn reset(&mut self) {
        self.at = 0;
        self.depth = 0;
        self.label = 0;
    }
}

/// Brackets and quotation marks beyond ASCII.
const WIDE_PAIRS: &str = "“”„‟‘’‚«»‹›「」『』｢｣〈〉《》【】〔〕（）［］｛｝〝〞〟";

/// Whether `c`, which is not ASCII, is a bracket or a quotation mark.
pub(super) fn is_wide_pair(c: char) -> bool {
    WIDE_PAIRS.contains(c)
}

impl Scanner {
    pub(super) fn read_inline(&mut self, text: &TextWindow<'_>, first: u8) -> Read<Kind> {
        self.at = self.start;
        match self.read_sign(text, first) {
            Err(Miss::Differs) => {
                self.probe.reset();
                self.read_text(text)
            }
            read => read,
        }
    }

    fn read_sign(&mut self, text: &TextWindow<'_>, first: u8) -> Read<Kind> {
        let start = self.start;
        match first {
            b'`' => self.read_backticks(text),
            b'<' => self.read_angle(text),
            b'[' => match self.read_link(text, start, Kind::Link) {
                Err(Miss::Differs) => self.up_to(start + 1, Kind::Pair('[')),
                link => link,
            },
            b'!' if text.peek(start + 1)? == Some(b'[') => {
                self.read_link(text, start + 1, Kind::Image)
            }
            b'\\'
                if text
                    .peek(start + 1)?
                    .is_some_and(|c| c.is_ascii_punctuation()) =>
            {
                self.up_to(start + 2, Kind::Escape)
            }
            b'_' if joins_letters(text, start, 1)? => Err(Miss::Differs),
            b'*' | b'_' | b'~' | b'|' => self.read_delimiter(text, first),
            b'(' | b')' | b']' | b'{' | b'}' | b'"' => {
                // Which side of a pair it is may depend on what follows.
                text.peek(start + 1)?;
                self.up_to(start + 1, Kind::Pair(char::from(first)))
            }
            b':' => self.read_shortcode(text),
            b'h' | b'H' => self.read_url(text),
            0x80.. => match text.char_at(start) {
                Some('’') if joins_letters(text, start, '’'.len_utf8())? => Err(Miss::Differs),
                Some(c) if is_wide_pair(c) => self.up_to(start + c.len_utf8(), Kind::Pair(c)),
                _ => Err(Miss::Differs),
            },
            _ => Err(Miss::Differs),
        }
    }

    /// The lexeme ends at `end`.
    pub(super) const fn up_to(&mut self, end: usize, kind: Kind) -> Read<Kind> {
        self.at = end;
        Ok(kind)
    }

    /// Reads text up to the next sign; what it begins with is no sign here.
    fn read_text(&mut self, text: &TextWindow<'_>) -> Read<Kind> {
        let mut at = text.ceil(self.at.max(self.start + 1));
        loop {
            at += plain_length(text.bytes(at));
            let Some(byte) = text.byte(at) else {
                if !text.over {
                    at -= may_go_on(&text.bytes(self.start)[..at - self.start]);
                }
                break;
            };
            match self.plain_at(text, at, byte) {
                Next::Plain(length) => at += length,
                Next::Begins(back) => {
                    at -= back;
                    break;
                }
            }
        }
        match at > self.start {
            true => self.up_to(at, Kind::Text),
            false => Err(Miss::Ended),
        }
    }

    /// Whether text goes on with the sign at `at`.
    fn plain_at(&self, text: &TextWindow<'_>, at: usize, byte: u8) -> Next {
        let joins = |length: usize| joins_letters(text, at, length) == Ok(true);
        match byte {
            b'_' if joins(1) => Next::Plain(1),
            b':' => {
                let scheme = scheme_length(text.slice(self.start, at).as_bytes());
                let after = &text.bytes(at + 1)[..text.bytes(at + 1).len().min(2)];
                let known = text.over || after.len() == 2;
                if scheme > 0 && scheme < at - self.start && (after == b"//" || !known) {
                    Next::Begins(scheme)
                } else if text.char_before(at).is_some_and(char::is_alphanumeric) {
                    Next::Plain(1)
                } else {
                    Next::Begins(0)
                }
            }
            b'[' if text.byte(at - 1) == Some(b'!') && at > self.start + 1 => Next::Begins(1),
            0x80.. => match text.char_at(at) {
                Some('’') if joins('’'.len_utf8()) => Next::Plain('’'.len_utf8()),
                Some(c) if !is_wide_pair(c) => Next::Plain(c.len_utf8()),
                _ => Next::Begins(0),
            },
            _ => Next::Begins(0),
        }
    }

    fn read_delimiter(&mut self, text: &TextWindow<'_>, mark: u8) -> Read<Kind> {
        let length = text.run(self.start, mark)?.min(bound::RUN);
        self.at = self.start + length;
        let before = text.char_before(self.start);
        let before = before.filter(|c| !c.is_whitespace());
        let after = text.peek_char(self.at)?.filter(|c| !c.is_whitespace());
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let in_word = |c: Option<char>| mark == b'_' && letter(c);
        // Stars that end a word censor it.
        let censors = mark == b'*' && letter(before) && !letter(after);
        Ok(Kind::Delimiter {
            mark,
            opens: after.is_some() && !in_word(before) && !censors,
            closes: before.is_some() && !in_word(after),
        })
    }
}

/// Whether a sign of so many bytes stands between two letters or digits.
fn joins_letters(text: &TextWindow<'_>, at: usize, length: usize) -> Read<bool> {
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    Ok(letter(text.char_before(at)) && letter(text.peek_char(at + length)?))
}

/// What a sign does to the text before it.
enum Next {
    /// The text goes on with so many bytes.
    Plain(usize),
    /// Something may begin here, or so many bytes before.
    Begins(usize),
}

/// The length of the scheme that `text` ends with, or 0.
fn scheme_length(text: &[u8]) -> usize {
    let ends = |scheme: &&&str| {
        let from = text.len().checked_sub(scheme.len());
        from.is_some_and(|from| text[from..].eq_ignore_ascii_case(scheme.as_bytes()))
    };
    ["https", "http"].iter().find(ends).map_or(0, |it| it.len())
}

/// How many bytes at the end of `text` may begin an address or a picture.
fn may_go_on(text: &[u8]) -> usize {
    let begins = |length: &usize| {
        let end = &text[text.len() - length..];
        end.eq_ignore_ascii_case(&b"https"[..*length])
    };
    match text.last() {
        Some(b'!') => 1,
        Some(b'h' | b't' | b'p' | b's' | b'H' | b'T' | b'P' | b'S') => {
            (1..=text.len().min(5)).rev().find(begins).unwrap_or(0)
        }
        _ => 0,
    }
}
