//! Punctuation at the beginning of a line that belongs to the line before.

use super::super::scan::{Kind, Lexeme, bound};
use super::Part;
use super::line::Segmenter;
use super::punctuation::{is_blank, is_carried};
use super::state::Gap;

impl Segmenter<'_> {
    /// Whether text is punctuation, so far, that may belong to the line before.
    pub(super) fn is_carried(&mut self, lexeme: Lexeme) -> bool {
        if self.carry.is_none() && self.gap.is_some_and(|gap| gap.newlines > 0) {
            let text = self.outline.text.slice(lexeme.start, lexeme.end);
            let content = text.trim_start_matches(is_blank);
            let begins = content.starts_with(is_carried);
            self.carry = begins.then_some(lexeme.end - content.len());
        }
        let waits = self
            .carry
            .is_some_and(|from| self.may_carry(from, lexeme.end));
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
