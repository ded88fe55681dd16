//! What every stage did, told by places in what the model wrote.

use super::edit::{Edit, Removal, Rule};
use super::explain::{Explanation, Reason};
use super::lineage::{Lineage, changes};

/// A stage that changes the text before it is cut into messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    Capture,
    Prefill,
    Voice,
    Dialect,
}

const STAGES: usize = 4;

/// A message as it was cut, and what the last touches did to it.
#[derive(Debug)]
struct Touched {
    text: String,
    changes: Vec<Explanation>,
    /// How many messages it became.
    sent: usize,
}

/// Notes what the stages do, and explains it once the text is over.
#[derive(Debug, Default)]
pub(super) struct Trace {
    /// What the model wrote since the text began, and where it began.
    written: String,
    start: usize,
    /// What each stage did, by places in its own input, and where in that
    /// input the text began.
    stages: [(usize, Vec<Explanation>); STAGES],
    chunked: (usize, Vec<Explanation>),
    touched: Vec<Touched>,
    explained: Vec<Explanation>,
}

impl Trace {
    pub(super) fn wrote(&mut self, text: &str) {
        self.written.push_str(text);
    }

    pub(super) fn removed(&mut self, stage: Stage, removal: &Removal) {
        self.stages[stage as usize].1.push(Explanation {
            at: removal.range.start,
            reason: Reason::Rule(removal.rule),
            removed: removal.text.clone(),
            inserted: removal.with.to_owned(),
        });
    }

    pub(super) fn edited(&mut self, stage: Stage, edits: &[Edit], text: &str) {
        self.stages[stage as usize].1.extend(changes(edits, text));
    }

    pub(super) fn rewritten(&mut self, at: usize, source: &str, shown: &str, rule: Rule) {
        self.stages[Stage::Dialect as usize].1.push(Explanation {
            at,
            reason: Reason::Rule(rule),
            removed: source.to_owned(),
            inserted: shown.to_owned(),
        });
    }

    pub(super) fn chunked(&mut self, explained: impl IntoIterator<Item = Explanation>) {
        self.chunked.1.extend(explained);
    }

    /// Code became a file, at `at` of what is cut into messages.
    pub(super) fn attached(&mut self, at: usize, opening: String, text: &str, closing: String) {
        // What stands before the code ends with it, not with the text.
        if let Some(last) = self
            .chunked
            .1
            .iter_mut()
            .rev()
            .find(|last| last.reason.ends_message())
            && last.reason == Reason::End
        {
            last.reason = Reason::Code;
        }
        let end = at + opening.len() + text.len();
        self.unfenced(at, opening);
        self.chunked([Explanation {
            at: end,
            reason: Reason::File,
            removed: closing,
            inserted: String::new(),
        }]);
    }

    pub(super) fn unfenced(&mut self, at: usize, removed: String) {
        self.chunked([Explanation {
            at,
            reason: Reason::Unfenced,
            removed,
            inserted: String::new(),
        }]);
    }

    /// What was to be cut into messages was a thought.
    pub(super) fn taken_back(&mut self, at: usize, thought: &Removal) {
        self.chunked([Explanation {
            at,
            reason: Reason::Rule(thought.rule),
            removed: thought.text.clone(),
            inserted: String::new(),
        }]);
    }

    /// A message was finished: what was done to it, and how many it became.
    pub(super) fn touched(&mut self, text: String, lineage: Lineage, sent: usize) {
        self.touched.push(Touched {
            text,
            changes: lineage.explained().collect(),
            sent,
        });
    }

    /// The text is over: explains how it became what was sent.
    pub(super) fn finish(&mut self) {
        let written = std::mem::take(&mut self.written);
        let length = written.len();
        let mut lineage = Lineage::written(self.start, written);
        self.start += length;
        for stage in &mut self.stages {
            let length = lineage.text().len();
            lineage.apply(&from(stage, length));
        }
        let length = lineage.text().len();
        let chunked = from(&mut self.chunked, length);
        let touched = std::mem::take(&mut self.touched);
        let messages: Vec<&str> = touched.iter().map(|touched| &*touched.text).collect();
        for mut strand in lineage.cut(&chunked, &messages) {
            if let Some(touched) = strand.message.and_then(|at| touched.get(at)) {
                let end = strand.lineage.take_end();
                strand.lineage.apply(&touched.changes);
                strand.lineage.put_end(end);
                if touched.sent == 0 {
                    strand.lineage.void();
                }
            }
            self.explained.extend(strand.lineage.explained());
        }
    }

    /// Explains a text that is over.
    pub(super) fn explained(mut self) -> Vec<Explanation> {
        self.finish();
        self.take()
    }

    /// What was explained since the last call.
    pub(super) fn take(&mut self) -> Vec<Explanation> {
        std::mem::take(&mut self.explained)
    }
}

/// The changes of a stage, by places in the text, in order; the next text
/// begins `length` bytes further.
fn from(stage: &mut (usize, Vec<Explanation>), length: usize) -> Vec<Explanation> {
    let start = stage.0;
    stage.0 += length;
    let mut changes = std::mem::take(&mut stage.1);
    for change in &mut changes {
        change.at = change.at.saturating_sub(start);
    }
    changes.sort_by_key(|change| change.at);
    changes
}
