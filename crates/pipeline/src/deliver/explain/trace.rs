//! What every stage did, told by places in what the model wrote.

use super::{Change, Lineage, Reason};

/// A stage that changes the text, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::deliver) enum Stage {
    Capture,
    Prefill,
    Voice,
    Dialect,
    /// Cuts it into messages. What follows changes one message at a time.
    Pack,
    Clean,
    Rewrite,
    Fit,
    Humanize,
    FitAgain,
}

impl Stage {
    /// Those that change one message at a time.
    const TOUCHES: [Self; 5] = [
        Self::Clean,
        Self::Rewrite,
        Self::Fit,
        Self::Humanize,
        Self::FitAgain,
    ];
}

/// What a stage did, by places in its own input.
#[derive(Debug, Default)]
struct Notes {
    /// Where in the input the text began.
    start: usize,
    /// Where the message begins that is next.
    next: usize,
    changes: Vec<Change>,
}

/// Notes what the stages do, if that is wanted, and explains it once the text
/// is over.
#[derive(Debug, Default)]
pub(in crate::deliver) struct Trace {
    on: bool,
    /// What the model wrote since the text began, and where it began.
    written: String,
    start: usize,
    stages: [Notes; Stage::FitAgain as usize + 1],
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

    /// A stage did this, by places in all of its input.
    pub(in crate::deliver) fn changed(
        &mut self,
        stage: Stage,
        changes: impl IntoIterator<Item = Change>,
    ) {
        if self.on {
            self.stages[stage as usize].changes.extend(changes);
        }
    }

    /// A stage did this to the next message, of which nothing is left unless it
    /// was `sent`.
    pub(in crate::deliver) fn touched(
        &mut self,
        stage: Stage,
        message: &str,
        mut changes: Vec<Change>,
        sent: bool,
    ) {
        if !sent {
            changes.push(Change::new(message.len(), Reason::Spacing, "\n", ""));
        }
        let notes = &mut self.stages[stage as usize];
        for change in &mut changes {
            change.at += notes.next;
        }
        notes.next += message.len() + 1;
        self.changed(stage, changes);
    }

    /// Nothing is done to the next message.
    pub(in crate::deliver) fn passed(&mut self, message: &str) {
        for stage in Stage::TOUCHES {
            self.touched(stage, message, Vec::new(), true);
        }
    }

    /// The text is over: explains how it became what was sent.
    pub(in crate::deliver) fn finish(&mut self) {
        let written = std::mem::take(&mut self.written);
        let mut lineage = Lineage::written(self.start, &written);
        self.start += written.len();
        for notes in &mut self.stages {
            let mut changes = std::mem::take(&mut notes.changes);
            for change in &mut changes {
                change.at = change.at.saturating_sub(notes.start);
            }
            changes.sort_by_key(|change| change.at);
            notes.start += lineage.width();
            notes.next = notes.start;
            lineage.apply(&changes);
        }
        self.explained.extend(lineage.into_changes());
    }

    /// What was explained since the last call.
    pub(in crate::deliver) fn take(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.explained)
    }
}
