//! Brackets, quotation marks and emphasis: what they are, and what they open or
//! close.

use super::super::scan::{Kind, Token, delimiter};
use super::Chunker;
use super::span::{Span, Spans, Style};
use super::window::Window;

/// A bracket, a quotation mark or an emphasis in the text.
pub(super) struct Sign {
    before: u8,
    pub(super) byte: u8,
    pub(super) length: usize,
    after: u8,
}

impl Sign {
    /// The sign at `at`, if it can be nothing else; a `[` must begin no link.
    #[inline]
    pub(super) fn at(at: usize, text: &Window<'_>) -> Option<Self> {
        let byte = text.byte_at(at)?;
        let next = text.byte_at(at + 1)?;
        let (length, after) = match byte {
            b'(' | b')' | b'"' | b'[' => (1, next),
            b'*' if next == b'*' => (2, text.byte_at(at + 2)?),
            b'*' => (1, next),
            _ => return None,
        };
        if length == 2 && after == b'*' {
            return None;
        }
        Some(Self {
            before: text.byte_before(at)?,
            byte,
            length,
            after,
        })
    }

    /// Whether it may begin a link.
    pub(super) const fn is_square(&self) -> bool {
        self.byte == b'['
    }

    /// Whether another one follows at once.
    pub(super) const fn is_repeated(&self) -> bool {
        self.after == self.byte
    }

    /// Whether it stands within a sentence, after other text.
    #[inline]
    pub(super) const fn is_in_words(&self) -> bool {
        match self.before {
            b' ' => self.after.is_ascii_alphanumeric(),
            b'\t' | b'.' | b'!' | b'?' | b'(' | b')' | b'"' | b'*' => false,
            _ => true,
        }
    }

    /// Whether it stands after the end of a sentence, and another may begin
    /// after it.
    pub(super) fn ends_sentence(&self, at: usize, text: &Window<'_>) -> bool {
        let after = at + self.length;
        let next = (text.byte_at(after + 1), text.byte_at(after + 2));
        matches!(self.before, b'.' | b'!' | b'?')
            && matches!(self.byte, b')' | b'"')
            && self.after == b' '
            && matches!(next, (Some(first), Some(second)) if is_start(first, second))
    }

    /// As a token at `at`.
    #[inline]
    pub(super) fn token(&self, at: usize, text: &Window<'_>) -> Token {
        let end = at + self.length;
        let kind = match self.byte {
            b'*' if self.before.is_ascii() && self.after.is_ascii() => {
                let (before, after) = (char::from(self.before), char::from(self.after));
                delimiter(self.byte, Some(before), Some(after))
            }
            b'*' => delimiter(self.byte, text.char_before(at), text.char_at(end)),
            sign => Kind::Pair(char::from(sign)),
        };
        Token {
            kind,
            start: at,
            end,
        }
    }
}

/// Whether a word begins with these, or a bracket or a quotation mark before
/// one.
pub(super) const fn is_start(first: u8, second: u8) -> bool {
    first.is_ascii_alphanumeric() || matches!(first, b'(' | b'"') && second.is_ascii_alphanumeric()
}

/// What a sign did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Met {
    /// It is plain text.
    Nothing,
    Opened,
    /// It closed what began here, unless that was let go or never open.
    Closed(Option<usize>),
}

impl Spans {
    /// Takes note of a bracket or a quotation mark in a message that begins at
    /// `start`.
    #[inline]
    pub(super) fn meet_pair(
        &mut self,
        token: Token,
        sign: char,
        text: &Window<'_>,
        start: usize,
    ) -> Met {
        match self.read_pair(token, sign, text, start) {
            None => Met::Nothing,
            Some(Side::Opens(closer)) => {
                self.open(Span::Pair(closer), token.start, true);
                Met::Opened
            }
            Some(Side::Closes(closer)) => {
                Met::Closed(self.close(Span::Pair(closer), token.start, token.end))
            }
        }
    }

    /// Which side of a pair a sign is.
    #[inline]
    fn read_pair(&self, token: Token, sign: char, text: &Window<'_>, start: usize) -> Option<Side> {
        let open = |closer: char| self.contains(Span::Pair(closer));
        let symmetric = |closer: char, other: char| {
            // »so« and «so» are both in use, and “ closes „.
            if open(closer) {
                Side::Closes(closer)
            } else {
                Side::Opens(other)
            }
        };
        Some(match sign {
            '(' if is_mouth(token, text, start) => return None,
            '(' => Side::Opens(')'),
            '[' => Side::Opens(']'),
            '{' => Side::Opens('}'),
            '「' => Side::Opens('」'),
            '『' => Side::Opens('』'),
            '｢' => Side::Opens('｣'),
            '〈' => Side::Opens('〉'),
            '《' => Side::Opens('》'),
            '【' => Side::Opens('】'),
            '〔' => Side::Opens('〕'),
            '（' => Side::Opens('）'),
            '［' => Side::Opens('］'),
            '｛' => Side::Opens('｝'),
            '〝' => Side::Opens('〞'),
            '„' | '‟' => Side::Opens('“'),
            '‚' => Side::Opens('‘'),
            '“' => symmetric('“', '”'),
            '‘' => symmetric('‘', '’'),
            '«' => symmetric('«', '»'),
            '»' => symmetric('»', '«'),
            '‹' => symmetric('‹', '›'),
            '›' => symmetric('›', '‹'),
            '〟' => Side::Closes('〞'),
            '"' if open('"') => Side::Closes('"'),
            '"' => {
                let before = text.char_before(token.start);
                let after = text.char_at(token.end);
                let free = before.is_none_or(|c| !c.is_ascii_alphanumeric());
                if !free || after.is_none_or(char::is_whitespace) {
                    return None;
                }
                Side::Opens('"')
            }
            closer => Side::Closes(closer),
        })
    }

    /// Takes note of a run of `mark`.
    pub(super) fn meet_delimiter(
        &mut self,
        token: Token,
        mark: u8,
        opens: bool,
        closes: bool,
    ) -> Met {
        let styles: &[Style] = match (mark, token.end - token.start) {
            (b'*', 1) => &[Style::Star],
            (b'*', 2) => &[Style::Stars],
            (b'*', 3) => &[Style::Stars, Style::Star],
            (b'_', 1) => &[Style::Line],
            (b'_', 2) => &[Style::Lines],
            (b'_', 3) => &[Style::Lines, Style::Line],
            (b'~', 2) => &[Style::Strike],
            (b'|', 2) => &[Style::Spoiler],
            _ => return Met::Closed(None),
        };
        let mut met = Met::Nothing;
        for &style in styles {
            let span = Span::Emphasis(style);
            if self.contains(span) {
                if closes || style.is_loose() {
                    let at = self.close(span, token.start, token.end);
                    met = match met {
                        Met::Closed(Some(other)) => {
                            Met::Closed(Some(at.unwrap_or(other).min(other)))
                        }
                        _ => Met::Closed(at),
                    };
                }
            } else if opens || style.is_loose() {
                self.open(span, token.start, opens);
            }
        }
        met
    }
}

/// Whether a bracket is the mouth of a face.
fn is_mouth(token: Token, text: &Window<'_>, start: usize) -> bool {
    let last = text.byte_before(token.start);
    if !matches!(last, Some(b':' | b';' | b'=' | b'-' | b'\'')) {
        return false;
    }
    let before = text.slice(start.max(token.start.saturating_sub(3)), token.start);
    let eyes = before.trim_end_matches(['-', '\'']);
    eyes.ends_with([':', ';', '=']) && text.char_at(token.end).is_none_or(char::is_whitespace)
}

impl Chunker<'_> {
    pub(super) fn take_pair(&mut self, token: Token, sign: char) {
        let met = self.spans.meet_pair(token, sign, &self.text, self.start);
        self.forget_inside(met);
        match met {
            Met::Nothing => {}
            // A sentence may end with the quotation.
            Met::Closed(_) => {
                if let Some(sentence) = &mut self.sentence {
                    sentence.extend(token.end);
                }
            }
            Met::Opened => self.sentence = None,
        }
    }

    pub(super) fn take_delimiter(&mut self, token: Token, mark: u8, opens: bool, closes: bool) {
        let met = self.spans.meet_delimiter(token, mark, opens, closes);
        self.forget_inside(met);
        match &mut self.sentence {
            Some(sentence) if matches!(met, Met::Closed(_)) => sentence.stretch(token.end),
            _ => self.sentence = None,
        }
    }

    /// No message ends in what was closed.
    fn forget_inside(&mut self, met: Met) {
        if let Met::Closed(Some(at)) = met {
            while self.boundaries.back().is_some_and(|b| b.end > at) {
                self.boundaries.pop_back();
            }
        }
    }
}

/// Which side of a pair a sign is, and what closes it.
enum Side {
    Opens(char),
    Closes(char),
}
