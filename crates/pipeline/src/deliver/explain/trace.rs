//! What every stage did, told by places in what the model wrote.

use super::{Change, Lineage, Reason};

/// A stage that changes the text, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::deliver) enum Stage {
    Capture,
    Prefill,
    Voice,
    Dialect,
    /// Cuts it into messages.
    Pack,
}

const STAGES: usize = Stage::Pack as usize + 1;

/// A message as it was cut, and what the last touches did to it.
#[derive(Debug)]
struct Touched {
    text: String,
    changes: Vec<Change>,
    /// Whether anything of it was sent.
    sent: bool,
}

/// Notes what the stages do, and explains it once the text is over.
#[derive(Debug, Default)]
pub(in crate::deliver) struct Trace {
    /// What the model wrote since the text began, and where it began.
    written: String,
    start: usize,
    /// What each stage did, by places in its own input, and where in that
    /// input the text began.
    stages: [(usize, Vec<Change>); STAGES],
    touched: Vec<Touched>,
    explained: Vec<Change>,
}

impl Trace {
    pub(in crate::deliver) fn wrote(&mut self, text: &str) {
        self.written.push_str(text);
    }

    pub(in crate::deliver) fn changed(&mut self, stage: Stage, changes: &[Change]) {
        self.stages[stage as usize].1.extend_from_slice(changes);
    }

    /// Code became a file, at `at` of what is cut into messages.
    pub(in crate::deliver) fn attached(&mut self, at: usize, [opening, text, closing]: [&str; 3]) {
        // What stands before the code ends with it, not with the text.
        let cuts = self.stages[Stage::Pack as usize].1.iter_mut().rev();
        let mut ends = cuts.filter(|change| change.reason.ends_message());
        if let Some(last) = ends.next().filter(|last| last.reason == Reason::End) {
            last.reason = Reason::Code;
        }
        let end = at + opening.len() + text.len();
        let changes = [
            Change::new(at, Reason::Unfenced, opening, ""),
            Change::new(end, Reason::File, closing, ""),
        ];
        self.changed(Stage::Pack, &changes);
    }

    /// A message was finished: what was done to it, and whether it was sent.
    pub(in crate::deliver) fn touched(&mut self, text: &str, lineage: Lineage, sent: bool) {
        self.touched.push(Touched {
            text: text.to_owned(),
            changes: lineage.into_changes().collect(),
            sent,
        });
    }

    /// The text is over: explains how it became what was sent.
    pub(in crate::deliver) fn finish(&mut self) {
        let written = std::mem::take(&mut self.written);
        let mut lineage = Lineage::written(self.start, &written);
        self.start += written.len();
        for stage in 0..Stage::Pack as usize {
            let changes = self.take_stage(stage, lineage.text().len());
            lineage.apply(&changes);
        }
        let cuts = self.take_stage(Stage::Pack as usize, lineage.text().len());
        let touched = std::mem::take(&mut self.touched);
        let messages: Vec<String> = touched.iter().map(|it| it.text.clone()).collect();
        for mut strand in lineage.cut(&cuts, &messages) {
            if let Some(touched) = strand.message.and_then(|at| touched.get(at)) {
                let end = strand.lineage.take_end();
                strand.lineage.apply(&touched.changes);
                strand.lineage.put_end(end);
                if !touched.sent {
                    strand.lineage.void();
                }
            }
            self.explained.extend(strand.lineage.into_changes());
        }
    }

    /// What was explained since the last call.
    pub(in crate::deliver) fn take(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.explained)
    }

    /// The changes of a stage, by places in the text, in order; the next text
    /// begins `length` bytes further.
    fn take_stage(&mut self, stage: usize, length: usize) -> Vec<Change> {
        let (start, changes) = &mut self.stages[stage];
        let mut changes = std::mem::take(changes);
        for change in &mut changes {
            change.at = change.at.saturating_sub(*start);
        }
        *start += length;
        changes.sort_by_key(|change| change.at);
        changes
    }
}
