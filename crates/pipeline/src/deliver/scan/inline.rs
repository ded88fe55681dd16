//! Text and signs within a line.

use super::plain::plain_length;
use super::{Kind, More, Read, Scanner, View, bound};

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
    pub(super) fn read_inline(&mut self, view: &View<'_>, first: u8) -> Read<Kind> {
        self.at = self.start;
        let read = match first {
            b'`' => self.read_backticks(view)?,
            b'<' => self.read_angle(view)?,
            b'[' => match self.read_link(view, self.start, Kind::Link)? {
                None => self.sign(1, Kind::Pair('[')),
                link => link,
            },
            b'!' if view.peek(self.start + 1)? == Some(b'[') => {
                self.read_link(view, self.start + 1, Kind::Image)?
            }
            b'\\' => match view.peek(self.start + 1)? {
                Some(next) if next.is_ascii_punctuation() => self.sign(2, Kind::Escape),
                _ => None,
            },
            b'_' if joins_letters(view, self.start, 1)? => None,
            b'*' | b'_' | b'~' | b'|' => return self.read_delimiter(view, first),
            b'(' | b')' | b']' | b'{' | b'}' | b'"' => {
                // Which side of a pair it is may depend on what follows.
                view.peek_char(self.start + 1)?;
                self.sign(1, Kind::Pair(char::from(first)))
            }
            b':' => self.read_shortcode(view)?,
            b'h' | b'H' => self.read_url(view)?,
            0x80.. => match view.rest(self.start).chars().next() {
                Some('’') if joins_letters(view, self.start, '’'.len_utf8())? => None,
                Some(c) if is_wide_pair(c) => self.sign(c.len_utf8(), Kind::Pair(c)),
                _ => None,
            },
            _ => None,
        };
        if let Some(kind) = read {
            return Ok(kind);
        }
        self.probe.reset();
        self.read_text(view)
    }

    /// Takes so many bytes.
    const fn sign(&mut self, length: usize, kind: Kind) -> Option<Kind> {
        self.at = self.start + length;
        Some(kind)
    }

    /// Reads text up to the next sign; what it begins with is no sign here.
    fn read_text(&mut self, view: &View<'_>) -> Read<Kind> {
        let first = view.rest(self.start).chars().next().ok_or(More)?;
        let mut at = self.at.max(self.start + first.len_utf8());
        loop {
            at += plain_length(view.bytes(at));
            let Some(byte) = view.byte(at) else {
                let open = match view.done {
                    true => 0,
                    false => may_go_on(&view.bytes(self.start)[..at - self.start]),
                };
                at -= open;
                break;
            };
            match self.plain_at(view, at, byte) {
                Next::Plain(length) => at += length,
                Next::Begins(back) => {
                    at -= back;
                    break;
                }
            }
        }
        self.at = at;
        (at > self.start).then_some(Kind::Text).ok_or(More)
    }

    /// Whether text goes on with the sign at `at`.
    fn plain_at(&self, view: &View<'_>, at: usize, byte: u8) -> Next {
        let joins = |length: usize| joins_letters(view, at, length) == Ok(true);
        match byte {
            b'_' if joins(1) => Next::Plain(1),
            b':' => {
                let scheme = scheme_length(view.slice(self.start, at).as_bytes());
                let after = &view.bytes(at + 1)[..view.bytes(at + 1).len().min(2)];
                let known = view.done || after.len() == 2;
                if scheme > 0 && scheme < at - self.start && (after == b"//" || !known) {
                    Next::Begins(scheme)
                } else if view.char_before(at).is_some_and(char::is_alphanumeric) {
                    Next::Plain(1)
                } else {
                    Next::Begins(0)
                }
            }
            b'[' if view.byte(at - 1) == Some(b'!') && at > self.start + 1 => Next::Begins(1),
            0x80.. => match view.rest(at).chars().next() {
                Some('’') if joins('’'.len_utf8()) => Next::Plain('’'.len_utf8()),
                Some(c) if !is_wide_pair(c) => Next::Plain(c.len_utf8()),
                _ => Next::Begins(0),
            },
            _ => Next::Begins(0),
        }
    }

    fn read_delimiter(&mut self, view: &View<'_>, mark: u8) -> Read<Kind> {
        let length = view.run(self.start, mark)?.min(bound::RUN);
        self.at = self.start + length;
        let before = view.char_before(self.start);
        let before = before.filter(|c| !c.is_whitespace());
        let after = view.peek_char(self.at)?.filter(|c| !c.is_whitespace());
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
fn joins_letters(view: &View<'_>, at: usize, length: usize) -> Read<bool> {
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    Ok(letter(view.char_before(at)) && letter(view.peek_char(at + length)?))
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
