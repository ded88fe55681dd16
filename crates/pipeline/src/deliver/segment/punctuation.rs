//! Punctuation, by what it does to the text around it, and whose it is at the
//! beginning of a line.

use super::super::scan::{Kind, Lexeme, bound};
use super::block::Gap;
use super::{Part, Segmenter};

/// Signs that belong to what precedes them.
const CLOSERS: &str = ",.!?;:)]}%」』｣”’»›。、，！？．｡…）］】〉》〕；：؟";

/// Signs that may stand beside those where nothing is said.
const OTHERS: &str = "“„‘«‹「『（《【–—·¿¡";

/// Signs of which any number may stand alone.
const STOPS: &str = ".,!?;。！？、，…";

/// Signs that belong to the line before, where they stand alone at the
/// beginning of one.
const CARRIED: &str = ".,!?;。！？、，";

/// Signs that may end a sentence.
const ENDERS: &str = ".!?…。！？．｡‼⁇⁈⁉؟।";

/// Signs that may stand between the end of a sentence and a blank, and close
/// something.
const CLOSING: &str = ")]}\"”’“‘»«›‹」』｣〉》】〕）］｝〞〟";

/// Whether `c` belongs to what precedes it.
#[inline]
pub(in crate::deliver) fn is_closer(c: char) -> bool {
    !c.is_ascii_alphanumeric() && CLOSERS.contains(c)
}

/// Whether `c` may end a sentence.
#[inline]
pub(in crate::deliver) fn is_ender(c: char) -> bool {
    matches!(c, '.' | '!' | '?') || !c.is_ascii() && ENDERS.contains(c)
}

/// A full-width comma, colon or semicolon.
pub(in crate::deliver) const fn is_clause(c: char) -> bool {
    matches!(c, '、' | '，' | '､' | '；' | '：')
}

/// Whether `c` is a blank within a line.
pub(in crate::deliver) const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{3000}')
}

pub(super) fn is_closing(c: char) -> bool {
    !c.is_ascii_alphanumeric() && CLOSING.contains(c)
}

pub(super) const fn is_delimiter(c: char) -> bool {
    matches!(c, '*' | '_' | '~' | '|')
}

/// Whether `c` at the beginning of a line may belong to the line before.
fn is_carried(c: char) -> bool {
    CARRIED.contains(c)
}

/// Whether a text is punctuation only, so that it cannot stand alone.
pub(in crate::deliver) fn is_orphan(text: &str) -> bool {
    if text.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return false;
    }
    let text = text.trim();
    let punctuation = |c: char| is_closer(c) || c.is_ascii_punctuation() || OTHERS.contains(c);
    if text.is_empty() || text.len() > 64 || !text.chars().all(punctuation) {
        return false;
    }
    let short = text.chars().count() <= 3;
    let is_rule = |mark: &str| text.len() >= 3 && text.replace(mark, "").is_empty();
    (short || text.chars().all(|c| STOPS.contains(c)))
        && !["-", "*", "_"].into_iter().any(is_rule)
        && !is_face(text)
}

/// Whether a text is a face such as `:)`.
fn is_face(text: &str) -> bool {
    let mouth = text.trim_start_matches([':', ';', '=', '\'', '-']);
    (text.starts_with([':', ';', '='])
        && matches!(mouth, "(" | ")" | "[" | "]" | "|" | "/" | "\\" | "*"))
        || matches!(text, "^^" | "^_^" | "^.^" | "^-^")
}

impl Segmenter<'_> {
    /// Whether text is punctuation, so far, that may belong to the line before.
    pub(super) fn is_carried(&mut self, lexeme: Lexeme) -> bool {
        if self.carry.is_none() && self.gap.is_some_and(|gap| gap.newlines > 0) {
            let text = self.outline.text.slice(lexeme.start, lexeme.end);
            let content = text.trim_start_matches(is_blank);
            let begins = content.starts_with(is_carried);
            self.carry = begins.then_some(lexeme.end - content.len());
        }
        let carry = self.carry;
        let waits = carry.is_some_and(|from| self.may_carry(from, lexeme.end));
        if !waits {
            self.settle_carry(lexeme);
        }
        waits
    }

    /// Whether the line that begins at `from` is punctuation so far that may
    /// belong to the line before.
    fn may_carry(&self, from: usize, to: usize) -> bool {
        let line = self.outline.text.slice(from, to);
        line.len() <= bound::RUN && !line.starts_with("..") && line.chars().all(is_carried)
    }

    /// Decides whose the punctuation at the beginning of the line is: that of
    /// the line before, unless something is glued to it.
    pub(super) fn settle_carry(&mut self, lexeme: Lexeme) {
        let Some(start) = self.carry.take() else {
            return;
        };
        let line = self.outline.text.slice(start, lexeme.end);
        let punctuation = line.len() - line.trim_start_matches(is_carried).len();
        let (end, free) = match lexeme.kind {
            Kind::Newline => (lexeme.start, true),
            Kind::Text => {
                let next = self.outline.text.char_at(start + punctuation);
                (start + punctuation, next.is_some_and(is_blank))
            }
            _ => (lexeme.start, false),
        };
        if free && self.may_carry(start, end) {
            self.carry_over(start, end);
            return;
        }
        self.arrive(Kind::Text, start);
        self.line.text = true;
        self.end = end;
        self.tell(Part::Text(end));
    }

    /// The punctuation from `start` to `end` belongs to the line before.
    pub(super) fn carry_over(&mut self, start: usize, end: usize) {
        let gap = self.gap.take().unwrap_or_default();
        self.meet_run(true, Kind::Text, start);
        let follows = self.begin_line(&gap, Kind::Text, start, true);
        self.line.text = true;
        self.end = end;
        self.tell(Part::Text(end));
        self.gap = Some(Gap {
            carried: Some(follows),
            ..Gap::after(end)
        });
    }
}
