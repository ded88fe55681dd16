//! What every stage did, told by places in what the model wrote.

use super::{Change, Lineage};

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
    lineage: Lineage,
    /// Whether anything of it was sent.
    sent: bool,
}

/// Notes what the stages do, if that is wanted, and explains it once the text
/// is over.
#[derive(Debug, Default)]
pub(in crate::deliver) struct Trace {
    on: bool,
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
    pub(in crate::deliver) fn new(on: bool) -> Self {
        Self {
            on,
            ..Self::default()
        }
    }

    pub(in crate::deliver) const fn is_on(&self) -> bool {
        self.on
    }

    pub(in crate::deliver) fn wrote(&mut self, text: &str) {
        if self.on {
            self.written.push_str(text);
        }
    }

    pub(in crate::deliver) fn changed(
        &mut self,
        stage: Stage,
        changes: impl IntoIterator<Item = Change>,
    ) {
        if self.on {
            self.stages[stage as usize].1.extend(changes);
        }
    }

    /// A message was finished: what was done to it, and whether it was sent.
    pub(in crate::deliver) fn touched(&mut self, text: &str, lineage: Lineage, sent: bool) {
        if self.on {
            let text = text.to_owned();
            self.touched.push(Touched {
                text,
                lineage,
                sent,
            });
        }
    }

    /// The text is over: explains how it became what was sent.
    pub(in crate::deliver) fn finish(&mut self) {
        let written = std::mem::take(&mut self.written);
        let mut lineage = Lineage::written(self.start, &written);
        self.start += written.len();
        let stages = self.stages.each_mut().map(|(start, changes)| {
            let mut changes = std::mem::take(changes);
            for change in &mut changes {
                change.at = change.at.saturating_sub(*start);
            }
            changes.sort_by_key(|change| change.at);
            changes
        });
        let [before @ .., cuts] = stages;
        for ((start, _), changes) in self.stages.iter_mut().zip(before) {
            *start += lineage.text().len();
            lineage.apply(&changes);
        }
        self.stages[Stage::Pack as usize].0 += lineage.text().len();
        let touched = std::mem::take(&mut self.touched);
        let (messages, mut done): (Vec<String>, Vec<_>) = touched
            .into_iter()
            .map(|it| (it.text, Some((it.lineage, it.sent))))
            .unzip();
        for (mut lineage, message) in lineage.cut(&cuts, &messages) {
            if let Some((changes, sent)) = message.and_then(|at| done[at].take()) {
                let end = lineage.take_end();
                lineage.apply(&changes.into_changes().collect::<Vec<_>>());
                lineage.put_end(end);
                if !sent {
                    lineage.void();
                }
            }
            self.explained.extend(lineage.into_changes());
        }
    }

    /// What was explained since the last call.
    pub(in crate::deliver) fn take(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.explained)
    }
}
