//! Explanations in the order of the text, with offsets in what the model wrote.

use super::edit::{Edit, Removal};
use super::explain::{Explanation, Reason};

/// A stage that takes text out before it is cut into messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    Capture,
    Prefill,
    Voice,
}

/// How offsets in a stage's output lead back to its input.
#[derive(Clone, Debug, Default)]
struct Shift {
    /// From this place in the output on, add so many bytes.
    steps: Vec<(usize, usize)>,
}

impl Shift {
    fn removed(&mut self, removal: &Removal) {
        let before = self.steps.last().map_or(0, |&(_, by)| by);
        let at = removal.range.start.saturating_sub(before);
        let by = before + removal.range.len().saturating_sub(removal.with.len());
        self.steps.push((at + removal.with.len(), by));
    }

    fn back(&self, at: usize) -> usize {
        let index = self.steps.partition_point(|&(from, _)| from <= at);
        at + index.checked_sub(1).map_or(0, |last| self.steps[last].1)
    }
}

/// Collects explanations.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    shifts: [Shift; 3],
    entries: Vec<Explanation>,
}

impl Trace {
    /// The place in what the model wrote, of a place before `stage`.
    fn origin(&self, stage: usize, at: usize) -> usize {
        self.shifts[..stage]
            .iter()
            .rev()
            .fold(at, |at, shift| shift.back(at))
    }

    pub(super) fn removed(&mut self, stage: Stage, removal: &Removal) {
        let entry = Explanation {
            at: self.origin(stage as usize, removal.range.start),
            reason: Reason::Rule(removal.rule),
            removed: removal.text.clone(),
            inserted: removal.with.to_owned(),
        };
        self.shifts[stage as usize].removed(removal);
        self.entries.push(entry);
    }

    pub(super) fn chunked(&mut self, explained: Vec<Explanation>) {
        for mut entry in explained {
            entry.at = self.origin(self.shifts.len(), entry.at);
            self.entries.push(entry);
        }
    }

    pub(super) fn edited(&mut self, at: usize, edits: &[Edit], text: &str) {
        let begin = self.origin(self.shifts.len(), at);
        for edit in edits {
            self.entries.push(Explanation {
                at: begin + edit.range.start,
                reason: Reason::Rule(edit.rule),
                removed: text.get(edit.range.clone()).unwrap_or("").to_owned(),
                inserted: edit.with.clone(),
            });
        }
    }

    pub(super) fn take(&mut self) -> Vec<Explanation> {
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_by_key(|entry| entry.at);
        entries
    }
}
