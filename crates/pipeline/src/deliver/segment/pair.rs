//! Brackets, quotation marks and emphasis: what they are, and what they open or
//! close.

use super::super::scan::{Kind, Lexeme};
use super::super::window::TextWindow;
use super::span::{Delimited, Spans, Style};

/// Brackets and quotations: what opens them, and what closes them.
const PAIRS: &str = "()[]{}「」『』｢｣〈〉《》【】〔〕（）［］｛｝〝〞„“‟“‚‘";

/// Quotation marks that open in some languages and close in others; the second
/// of each two closes what the first opens.
const EITHER: &str = "“”‘’«»»«‹››‹";

/// Which side of a pair a sign is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    /// Opens what this closes.
    Opens(char),
    /// Closes what is named by it.
    Closes(char),
    /// Closes what is named by the first if that is open, or else opens what
    /// the second closes.
    Either(char, char),
}

/// Which side of a pair `sign` is.
fn side(sign: char) -> Side {
    let second_of = |pairs: &str| {
        let mut signs = pairs.chars();
        std::iter::from_fn(|| Some((signs.next()?, signs.next()?)))
            .find(|(first, _)| *first == sign)
            .map(|(_, second)| second)
    };
    match sign {
        '"' => return Side::Either('"', '"'),
        ')' | ']' | '}' => return Side::Closes(sign),
        _ => {}
    }
    match second_of(PAIRS) {
        Some(closer) => Side::Opens(closer),
        None if sign == '〟' => Side::Closes('〞'),
        None => match second_of(EITHER) {
            Some(other) => Side::Either(sign, other),
            None => Side::Closes(sign),
        },
    }
}

impl Spans {
    /// Takes note of a bracket, a quotation mark or an emphasis.
    pub(super) fn meet(&mut self, lexeme: Lexeme, text: &TextWindow<'_>) {
        if let Kind::Pair(sign) = lexeme.kind {
            self.meet_pair(lexeme, sign, text);
        } else {
            self.meet_delimiter(lexeme);
        }
    }

    fn meet_pair(&mut self, lexeme: Lexeme, sign: char, text: &TextWindow<'_>) {
        let side = match side(sign) {
            // »so« and «so» are both in use, and “ closes „.
            Side::Either(own, _) if self.contains(Delimited::Pair(own)) => Side::Closes(own),
            Side::Either(_, other) => Side::Opens(other),
            side => side,
        };
        match side {
            Side::Opens(_) if sign == '(' && is_mouth(lexeme, text) => {}
            Side::Opens(_) if sign == '"' && !opens_quotation(lexeme, text) => {}
            Side::Opens(closer) => self.open(Delimited::Pair(closer), lexeme.start, true),
            Side::Closes(closer) | Side::Either(closer, _) => {
                self.close(Delimited::Pair(closer), lexeme.start, lexeme.end);
            }
        }
    }

    fn meet_delimiter(&mut self, lexeme: Lexeme) {
        let Kind::Delimiter {
            mark,
            opens,
            closes,
        } = lexeme.kind
        else {
            return;
        };
        let styles: &[Style] = match (mark, lexeme.end - lexeme.start) {
            (b'*', 1) => &[Style::Star],
            (b'*', 2) => &[Style::Stars],
            (b'*', 3) => &[Style::Stars, Style::Star],
            (b'_', 1) => &[Style::Line],
            (b'_', 2) => &[Style::Lines],
            (b'_', 3) => &[Style::Lines, Style::Line],
            (b'~', 2) => &[Style::Strike],
            (b'|', 2) => &[Style::Spoiler],
            _ => &[],
        };
        for &style in styles {
            let span = Delimited::Emphasis(style);
            if self.contains(span) {
                if closes || style.is_loose() {
                    self.close(span, lexeme.start, lexeme.end);
                }
            } else if opens || style.is_loose() {
                self.open(span, lexeme.start, opens);
            }
        }
    }
}

/// Whether a straight quotation mark may open a quotation.
fn opens_quotation(lexeme: Lexeme, text: &TextWindow<'_>) -> bool {
    let before = text.char_before(lexeme.start);
    let after = text.char_at(lexeme.end);
    before.is_none_or(|c| !c.is_ascii_alphanumeric()) && !after.is_none_or(char::is_whitespace)
}

/// Whether a bracket is the mouth of a face.
fn is_mouth(lexeme: Lexeme, text: &TextWindow<'_>) -> bool {
    let mut before = text.before(lexeme.start).chars().rev().take(3);
    let eyes = before.find(|c| !matches!(c, '-' | '\''));
    matches!(eyes, Some(':' | ';' | '='))
        && text.char_at(lexeme.end).is_none_or(char::is_whitespace)
}
