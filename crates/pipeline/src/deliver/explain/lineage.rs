//! How a text came about from what the model wrote.

use std::collections::VecDeque;

use super::{Change, Reason};

/// A text with its history: what is left of the original, in order, and what
/// was changed in between.
///
/// Text that one stage put in and a later one took out leaves no trace: it was
/// never written and never sent.
#[derive(Clone, Debug, Default)]
pub(in crate::deliver) struct Lineage {
    /// Where it begins in the original.
    start: usize,
    runs: Vec<Run>,
}

/// A run of the text: what was written, and what became of it.
#[derive(Clone, Debug)]
struct Run {
    change: Change,
    /// It stands as it was written.
    kept: bool,
}

impl Run {
    /// How much of the text it is. The end of a message counts like a line end.
    fn width(&self) -> usize {
        self.change.inserted.len() + usize::from(self.ends_message())
    }

    fn ends_message(&self) -> bool {
        !self.kept && self.change.reason.ends_message()
    }

    /// Splits off what is shown beyond `width` bytes.
    fn split_off(&mut self, width: usize) -> Self {
        let removed = match self.kept {
            true => self.change.removed.split_off(width),
            false => String::new(),
        };
        Self {
            change: Change {
                at: self.change.end(),
                reason: self.change.reason,
                removed,
                inserted: self.change.inserted.split_off(width),
            },
            kept: self.kept,
        }
    }
}

impl Lineage {
    /// Of a text that nothing was done to, which begins at `start`.
    pub(in crate::deliver) fn written(start: usize, text: &str) -> Self {
        let run = Run {
            change: Change::new(start, Reason::Spacing, text, text),
            kept: true,
        };
        Self {
            start,
            runs: vec![run],
        }
    }

    /// Adds what was done to the text, in its order.
    pub(in crate::deliver) fn apply(&mut self, changes: &[Change]) {
        let mut ahead = VecDeque::from(std::mem::take(&mut self.runs));
        let mut position = 0;
        for change in changes {
            let mut width = change.at.saturating_sub(position);
            position += width + change.removed.len();
            while let Some(run) = next_run(&mut ahead, width) {
                width -= run.width();
                self.runs.push(run);
            }
            self.change(change, &mut ahead);
        }
        self.runs.extend(ahead);
    }

    /// Makes one change to what comes next.
    fn change(&mut self, change: &Change, ahead: &mut VecDeque<Run>) {
        let mut left = change.removed.len();
        let mut made = None;
        while left > 0
            && let Some(mut run) = next_run(ahead, left)
        {
            left -= run.width();
            run.change.inserted.clear();
            if run.kept {
                run.kept = false;
                made = Some(self.runs.len());
                run.change.reason = change.reason;
            }
            // No message ends any more in what is gone.
            if run.ends_message() {
                run.change.reason = Reason::Spacing;
            }
            self.runs.push(run);
        }
        match made.and_then(|at| self.runs.get_mut(at)) {
            Some(last) => {
                last.change.reason = change.reason;
                last.change.inserted.clone_from(&change.inserted);
            }
            None => {
                let at = self.runs.last().map_or(self.start, |run| run.change.end());
                self.runs.push(Run {
                    change: Change::new(at, change.reason, "", &change.inserted),
                    kept: false,
                });
            }
        }
    }

    /// Everything that was done, unless nothing is left of it.
    pub(in crate::deliver) fn into_changes(self) -> impl Iterator<Item = Change> {
        let changed = self.runs.into_iter().filter(|run| !run.kept);
        let changes = changed.map(|run| run.change);
        changes.filter(|change| change.reason.tells() || change.removed != change.inserted)
    }
}

/// The next run of those that a change has not reached, or as much of it as
/// shows `width` bytes; with no width left, only a run that shows nothing.
fn next_run(ahead: &mut VecDeque<Run>, width: usize) -> Option<Run> {
    let first = ahead.front_mut()?;
    match first.width() {
        0 => ahead.pop_front(),
        _ if width == 0 => None,
        whole if whole <= width => ahead.pop_front(),
        _ => {
            let rest = first.split_off(width);
            Some(std::mem::replace(first, rest))
        }
    }
}
