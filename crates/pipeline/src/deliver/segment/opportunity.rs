//! Where a line may be cut, and how well.

use super::super::sentence;
use super::punctuation::{is_blank, is_clause, is_closer, is_closing, is_delimiter, is_ender};
use super::{LOOK_BACK, Outline};

/// How good a place is to cut at; better ones are greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::deliver) enum Rank {
    /// Only what must be cut is cut here.
    Never,
    Word,
    Sentence,
    Line,
    Paragraph,
}

/// A break opportunity within a line: from where the text before it ends to
/// where the text after it begins.
type Opportunity = (usize, usize, Rank);

impl Outline<'_> {
    /// The last opportunity whose text before it ends after `floor` and whose
    /// text after it begins at `from` at the latest.
    pub(in crate::deliver) fn find_back(&self, from: usize, floor: usize) -> Option<Opportunity> {
        let mut at = from;
        while at > floor {
            let before = self.text.slice(floor, at);
            let sign = before
                .bytes()
                .rposition(|byte| byte <= b' ' || byte >= 0x80)?;
            // Past the character that the byte belongs to.
            at = floor + before.ceil_char_boundary(sign + 1);
            let Some((end, next)) = self.place_before(at, floor) else {
                at -= self.text.char_before(at).map_or(1, char::len_utf8);
                continue;
            };
            let atom = self.atom_at(next).or_else(|| self.atom_at(end));
            let code = || self.code_around(end).map(|(start, _)| start);
            if let Some(start) = atom.map(|(start, _)| start).or_else(code) {
                at = start;
                continue;
            }
            match self.rank(end, next) {
                Some(rank) if end > floor => return Some((end, next, rank)),
                _ if end < next => at = end,
                _ => at -= self.text.char_before(at).map_or(1, char::len_utf8),
            }
        }
        None
    }

    /// The first place from `from` on where a sentence ends and another one
    /// begins before `to`, or right there if something `follows`; or where to go
    /// on looking.
    pub(in crate::deliver) fn find_sentence(
        &self,
        from: usize,
        to: usize,
        follows: bool,
    ) -> Result<Opportunity, usize> {
        let mut at = from;
        while at < to {
            let rest = self.text.slice(at, to);
            let sign = rest.bytes().position(|byte| byte <= b' ' || byte >= 0x80);
            let Some(sign) = sign else {
                return Err(to);
            };
            at += sign;
            let c = self.text.char_at(at).unwrap_or(' ');
            let end = if is_blank(c) { at } else { at + c.len_utf8() };
            let blanks = self.text.slice(end, to);
            let next = to - blanks.trim_start_matches(is_blank).len();
            if next == to && !follows {
                return Err(at);
            }
            let may_end = is_blank(c) || is_ender(c) && next == end;
            if may_end && self.rank(end, next) == Some(Rank::Sentence) {
                return Ok((end, next, Rank::Sentence));
            }
            at = if is_blank(c) { next } else { end };
        }
        Err(at)
    }

    /// The place at `at`, if blanks or a sign that needs none stand before it.
    fn place_before(&self, at: usize, floor: usize) -> Option<(usize, usize)> {
        let before = self.text.slice(floor, at);
        let blank = before.trim_end_matches(is_blank);
        let last = before.chars().next_back()?;
        let wide = |c: char| !c.is_ascii() && (is_clause(c) || is_ender(c));
        match blank.len() < before.len() {
            true => Some((floor + blank.len(), at)),
            false if wide(last) && !self.text.char_at(at).is_none_or(is_blank) => Some((at, at)),
            false => None,
        }
    }

    /// How good a cut is that ends a message at `end` and begins the next one
    /// at `next` in the same line, if there may be one.
    pub(in crate::deliver) fn rank(&self, end: usize, next: usize) -> Option<Rank> {
        let next_char = self.text.char_at(next);
        if next_char.is_some_and(|c| is_closer(c) || matches!(c, '\n' | '\r')) {
            return None;
        }
        if end < next {
            return match next_char {
                _ if self.ends_sentence(end, next_char) => Some(Rank::Sentence),
                Some('#' | '>') => None,
                _ => Some(Rank::Word),
            };
        }
        let last = self.text.char_before(end)?;
        if next_char.is_some_and(|c| is_delimiter(c) || is_ender(c)) {
            return None;
        }
        if is_clause(last) {
            return Some(Rank::Word);
        }
        let (before, run) = enders_at_end(self.tail(end));
        let ends = sentence::is_wide(run) && !sentence::is_decimal_point(before, run, next_char);
        ends.then_some(Rank::Sentence)
    }

    /// Whether a sentence ends at `end`, which `next` follows after a blank.
    fn ends_sentence(&self, end: usize, next: Option<char>) -> bool {
        let last = self.text.char_before(end);
        if !last.is_some_and(|c| is_ender(c) || is_closing(c) || is_delimiter(c)) {
            return false;
        }
        let said = self.tail(end);
        let signs = said.trim_end_matches(|c: char| is_closing(c) || is_delimiter(c));
        let closed = said[signs.len()..].contains(is_closing);
        let (before, run) = enders_at_end(signs);
        !run.is_empty() && sentence::ends(before, run, closed, next)
    }

    /// Whether what stands between `from` and `at` ends like a sentence.
    pub(super) fn ends_like_sentence(&self, from: usize, at: usize) -> bool {
        let said = self.text.slice(from, at);
        let signs = |c: char| is_blank(c) || is_closing(c) || is_delimiter(c) || "([{".contains(c);
        !enders_at_end(said.trim_end_matches(signs)).1.is_empty()
    }

    /// The text before `at`, as far as it matters for a sentence.
    fn tail(&self, at: usize) -> &str {
        let text = self.text.before(at);
        &text[text.ceil_char_boundary(text.len().saturating_sub(LOOK_BACK))..]
    }
}

/// The signs that may end a sentence at the end of `text`, and what stands
/// before them. An escaped sign is none.
fn enders_at_end(text: &str) -> (&str, &str) {
    let before = text.trim_end_matches(is_ender);
    let slashes = before.len() - before.trim_end_matches('\\').len();
    let first = text[before.len()..].chars().next();
    let escaped = first.filter(|_| slashes % 2 == 1).map_or(0, char::len_utf8);
    text.split_at(before.len() + escaped)
}
