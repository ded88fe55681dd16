//! How a text came about from what the model wrote.

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
    fn shown(&self) -> usize {
        self.change.inserted.len()
    }

    const fn ends_message(&self) -> bool {
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

    /// What the text has become.
    pub(super) fn text(&self) -> String {
        let shown = self.runs.iter().map(|run| &*run.change.inserted);
        shown.collect()
    }

    pub(in crate::deliver) fn append(&mut self, mut other: Self) {
        self.runs.append(&mut other.runs);
    }

    /// Adds what was done to the text, in its order.
    pub(in crate::deliver) fn apply(&mut self, changes: &[Change]) {
        let mut ahead = Ahead {
            runs: std::mem::take(&mut self.runs).into_iter(),
            front: None,
        };
        let mut position = 0;
        for change in changes {
            let mut width = change.at.saturating_sub(position);
            position += width + change.removed.len();
            while let Some(run) = ahead.up_to(width) {
                width -= run.shown();
                self.runs.push(run);
            }
            self.change(change, &mut ahead);
        }
        self.runs.extend(ahead.front);
        self.runs.extend(ahead.runs);
    }

    /// Makes one change to what comes next.
    fn change(&mut self, change: &Change, ahead: &mut Ahead) {
        let mut left = change.removed.len();
        let mut made = None;
        while left > 0
            && let Some(mut run) = ahead.up_to(left)
        {
            left -= run.shown();
            run.change.inserted.clear();
            if run.kept {
                run.kept = false;
                made = Some(self.runs.len());
                run.change.reason = match change.reason.ends_message() {
                    true => Reason::Spacing,
                    false => change.reason,
                };
                self.runs.push(run);
            } else {
                self.push(run.change);
            }
        }
        match made.and_then(|at| self.runs.get_mut(at)) {
            Some(last) => {
                last.change.reason = change.reason;
                last.change.inserted.clone_from(&change.inserted);
            }
            None => {
                let at = self.runs.last().map_or(self.start, |run| run.change.end());
                self.push(Change::new(at, change.reason, "", &change.inserted));
            }
        }
    }

    /// Keeps a change, unless nothing is left of it.
    fn push(&mut self, change: Change) {
        if change.reason.tells() || !change.removed.is_empty() || !change.inserted.is_empty() {
            let kept = false;
            self.runs.push(Run { change, kept });
        }
    }

    /// Cuts the text where `changes` end messages, and tells which of
    /// `messages` each part became. What became none was not sent, so it is
    /// taken out.
    pub(in crate::deliver) fn cut(
        mut self,
        changes: &[Change],
        messages: &[String],
    ) -> Vec<(Self, Option<usize>)> {
        self.apply(changes);
        let mut strands = Vec::new();
        let mut next = 0;
        while !self.runs.is_empty() {
            let end = self.runs.iter().position(Run::ends_message);
            let end = end.map_or(self.runs.len(), |end| end + 1);
            let after = self.runs.split_off(end);
            let rest = Self {
                start: after.first().map_or(0, |run| run.change.at),
                runs: after,
            };
            let mut lineage = std::mem::replace(&mut self, rest);
            let message = messages.get(next);
            let sent = message.is_some_and(|sent| lineage.become_of(sent));
            if !sent {
                lineage.void();
            }
            strands.push((lineage, sent.then_some(next)));
            next += usize::from(sent);
        }
        strands
    }

    /// Takes out what `message` does not have around it; says whether it is
    /// this text at all.
    fn become_of(&mut self, message: &str) -> bool {
        let text = self.text();
        let same = text.trim() == message.trim();
        let Some(at) = text.find(message).filter(|_| same) else {
            return false;
        };
        let (before, after) = (&text[..at], &text[at + message.len()..]);
        let end = self.take_end();
        let mut blanks = Vec::new();
        for (at, blank) in [(0, before), (at + message.len(), after)] {
            if !blank.is_empty() {
                blanks.push(Change::new(at, Reason::Spacing, blank, ""));
            }
        }
        self.apply(&blanks);
        self.put_end(end);
        true
    }

    /// Takes off the end of the message.
    pub(in crate::deliver) fn take_end(&mut self) -> Option<Change> {
        let end = self.runs.pop_if(|run| run.ends_message());
        end.map(|run| run.change)
    }

    pub(in crate::deliver) fn put_end(&mut self, end: Option<Change>) {
        end.into_iter().for_each(|end| self.push(end));
    }

    pub(in crate::deliver) fn ends(&self) -> usize {
        self.runs.iter().filter(|run| run.ends_message()).count()
    }

    /// The last message goes on with what follows this text.
    pub(in crate::deliver) fn open_end(&mut self) {
        if let Some(at) = self.runs.iter().rposition(Run::ends_message) {
            let end = &mut self.runs[at].change;
            end.reason = Reason::Spacing;
            if end.removed.is_empty() && end.inserted.is_empty() {
                self.runs.remove(at);
            }
        }
    }

    /// Nothing of it was sent: everything is taken out.
    pub(in crate::deliver) fn void(&mut self) {
        for mut run in std::mem::take(&mut self.runs) {
            if run.kept || run.ends_message() {
                run.change.reason = Reason::Spacing;
            }
            run.change.inserted.clear();
            self.push(run.change);
        }
    }

    /// Everything that was done.
    pub(in crate::deliver) fn into_changes(self) -> impl Iterator<Item = Change> {
        let changed = self.runs.into_iter().filter(|run| !run.kept);
        let changes = changed.map(|run| run.change);
        changes.filter(|change| change.reason.tells() || change.removed != change.inserted)
    }
}

/// What a change has not reached yet.
struct Ahead {
    runs: std::vec::IntoIter<Run>,
    front: Option<Run>,
}

impl Ahead {
    /// The next run, or as much of it as shows `width` bytes; with no width
    /// left, only a run that shows nothing.
    fn up_to(&mut self, width: usize) -> Option<Run> {
        let mut run = self.front.take().or_else(|| self.runs.next())?;
        if width == 0 && run.shown() > 0 {
            self.front = Some(run);
            return None;
        }
        if run.shown() > width {
            self.front = Some(run.split_off(width));
        }
        Some(run)
    }
}
