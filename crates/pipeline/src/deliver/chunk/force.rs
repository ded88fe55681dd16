//! Cutting where there is no good place.
//!
//! What is put into the text counts: a place is measured in the text as it
//! will be sent.

use unicode_segmentation::UnicodeSegmentation;

use super::super::explain::Reason;
use super::message::Edit;
use super::punctuation::is_closer;
use super::{Break, Chunker, Rank, units};

impl Chunker<'_> {
    /// A cut between two graphemes, where there is no better place. With
    /// `whole`, an atom at the beginning is not cut.
    pub(super) fn force(&self, limit: usize, known: usize, whole: bool) -> Option<Break> {
        let tail = self
            .keeps
            .iter()
            .filter(|keep| keep.start_units < limit)
            .filter_map(|keep| keep.code.as_ref().and_then(|code| self.shell(code)))
            .map(|(_, shut)| units(shut) + 1)
            .max()
            .unwrap_or(0);
        let limit = limit.saturating_sub(tail);
        let anchor = self
            .breaks
            .back_from(limit, &self.text)
            .find(|place| place.next > self.start && place.next_units < limit)
            .map_or((self.start, self.start_units), |place| {
                (place.next, place.next_units)
            });
        let mut at = self.walk(anchor, known, limit).0;
        let atom = self
            .atoms
            .iter()
            .find(|&&(begin, end)| begin < at && at < end);
        // What was cut once is too long to be kept together.
        let fits = |&(begin, end): &(usize, usize)| {
            begin >= self.start && units(self.text.slice(begin, end)) <= self.shape.max
        };
        if let Some(&(begin, _)) = atom.filter(|&atom| whole || fits(atom)) {
            at = begin;
        } else {
            at = self.step_back(anchor.0, at);
        }
        (at > self.start).then(|| self.break_forced(at, known))
    }

    /// A break where there is neither a blank nor a sign, or at line ends that
    /// are no break of their own.
    fn break_forced(&self, at: usize, known: usize) -> Break {
        let within = |edit: &&Edit| edit.start < at && at <= edit.end && edit.start > self.start;
        let end = self.edits.iter().find(within).map_or(at, |edit| edit.start);
        let in_code = self.keeps.iter().any(|keep| keep.code_at(end).is_some());
        let rest = self.text.slice(end, known.max(end));
        let blanks = rest.len() - rest.trim_start().len();
        let next = if in_code { end } else { end + blanks };
        Break {
            end,
            end_units: self.units_at(end),
            next,
            next_units: self.units_at(next),
            rank: Rank::Word,
            reason: Reason::Limit,
            marker: None,
        }
    }

    /// What stands before `at` in units of the text as it will be sent.
    fn units_at(&self, at: usize) -> usize {
        let edits = self.edits.iter();
        let edits = edits.filter(|edit| edit.start >= self.start && edit.end <= at);
        let changed: isize = edits
            .map(|edit| {
                let removed = self.text.slice(edit.start, edit.end);
                units(&edit.with) as isize - units(removed) as isize
            })
            .sum();
        (self.start_units + units(self.text.slice(self.start, at))).saturating_add_signed(changed)
    }

    /// The last place between two graphemes from `anchor` to `known`, up to
    /// `limit`, as the text will be sent.
    fn walk(&self, anchor: (usize, usize), known: usize, limit: usize) -> (usize, usize) {
        let (mut at, mut at_units) = anchor;
        let edits = self.edits.iter();
        for edit in edits.filter(|edit| edit.start >= anchor.0 && edit.end <= known) {
            let (end, end_units) = walk(self.text.slice(at, edit.start), (at, at_units), limit);
            let changed = end_units + units(&edit.with);
            if end < edit.start || changed > limit {
                return (end, end_units);
            }
            (at, at_units) = (edit.end, changed);
        }
        walk(self.text.slice(at, known.max(at)), (at, at_units), limit)
    }

    /// Moves a cut out of a short word and away from a closing sign.
    fn step_back(&self, from: usize, at: usize) -> usize {
        let text = self.text.slice(from, at);
        let next = self.text.char_at(at);
        let mut steps = text.grapheme_indices(true).rev();
        let joined = |before: &str, after: Option<char>| {
            let letter = |c: char| c.is_alphabetic() && !is_unspaced(c);
            after.is_some_and(|c| {
                is_closer(c) || letter(c) && before.chars().next_back().is_some_and(letter)
            })
        };
        let mut after = next;
        let mut end = at;
        for _ in 0..48 {
            let Some((index, grapheme)) = steps.next() else {
                return at;
            };
            if !joined(grapheme, after) {
                return end;
            }
            after = grapheme.chars().next();
            end = from + index;
        }
        at
    }

    /// The last resort: at least one character.
    pub(super) fn force_char(&self, limit: usize, known: usize) -> Break {
        let start = (self.start, self.start_units);
        let (mut at, mut at_units) = self.walk(start, known, limit);
        if at == self.start {
            for c in self.text.rest(self.start).chars() {
                at_units += c.len_utf16();
                if at > self.start && at_units > limit {
                    break;
                }
                at += c.len_utf8();
            }
        }
        self.break_forced(at, known)
    }
}

/// The last grapheme boundary of `text`, which begins at `from`, up to `limit`.
fn walk(text: &str, from: (usize, usize), limit: usize) -> (usize, usize) {
    let (mut at, mut at_units) = from;
    if text.is_ascii() {
        // A character each, but for one kind of line end.
        let room = text.len().min(limit.saturating_sub(at_units));
        let apart = text[..room].ends_with('\r') && text[room..].starts_with('\n');
        let room = room - usize::from(apart);
        return (at + room, at_units + room);
    }
    for grapheme in text.graphemes(true) {
        let width = units(grapheme);
        if at_units + width > limit {
            break;
        }
        at += grapheme.len();
        at_units += width;
    }
    (at, at_units)
}

/// Whether the script of `c` puts no blanks between words.
const fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{1100}'..='\u{11FF}' | '\u{F900}'..='\u{FAFF}')
}
