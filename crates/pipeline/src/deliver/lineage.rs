//! How a text came about from what the model wrote.

use super::edit::Edit;
use super::explain::{Explanation, Reason};

/// A text with its history: what is left of the original, in order, and what
/// was changed in between.
///
/// Each stage describes what it did to its own input. [`apply`](Self::apply)
/// adds that to the history, so that in the end every change is known by its
/// place in the original. Text that one stage put in and a later one took out
/// leaves no trace: it was never written and never sent.
#[derive(Clone, Debug)]
pub(super) struct Lineage {
    /// Where it begins in the original.
    start: usize,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    /// Text that stands as it was written, and where.
    Kept(usize, String),
    Changed(Explanation),
}

impl Part {
    fn shown(&self) -> &str {
        match self {
            Self::Kept(_, text) => text,
            Self::Changed(change) => &change.inserted,
        }
    }

    const fn origin_end(&self) -> usize {
        match self {
            Self::Kept(at, text) => *at + text.len(),
            Self::Changed(change) => change.at + change.removed.len(),
        }
    }

    const fn ends_message(&self) -> bool {
        matches!(self, Self::Changed(change) if change.reason.ends_message())
    }

    /// Splits off what is shown beyond `width` bytes.
    fn split_off(&mut self, width: usize) -> Self {
        match self {
            Self::Kept(at, text) => Self::Kept(*at + width, text.split_off(width)),
            Self::Changed(change) => Self::Changed(Explanation {
                at: change.at + change.removed.len(),
                reason: change.reason,
                removed: String::new(),
                inserted: change.inserted.split_off(width),
            }),
        }
    }
}

/// A part of a text that was cut, and the message it became, if any.
pub(super) struct Strand {
    pub(super) lineage: Lineage,
    /// The place of the message in the list of messages.
    pub(super) message: Option<usize>,
}

impl Lineage {
    /// Of a text that nothing was done to, which begins at `start`.
    pub(super) fn written(start: usize, text: String) -> Self {
        Self {
            start,
            parts: vec![Part::Kept(start, text)],
        }
    }

    pub(super) const fn empty() -> Self {
        Self {
            start: 0,
            parts: Vec::new(),
        }
    }

    /// What the text has become.
    pub(super) fn text(&self) -> String {
        self.parts.iter().map(Part::shown).collect()
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.parts.append(&mut other.parts);
    }

    /// Adds what was done to the text, in its order.
    pub(super) fn apply(&mut self, changes: &[Explanation]) {
        let mut rest = Rest {
            parts: std::mem::take(&mut self.parts).into_iter(),
            front: None,
        };
        let mut position = 0;
        for change in changes {
            let mut ahead = change.at.saturating_sub(position);
            position += ahead;
            while let Some(part) = rest.up_to(ahead) {
                ahead -= part.shown().len();
                self.parts.push(part);
            }
            position += change.removed.len();
            self.change(change, &mut rest);
        }
        self.parts.extend(rest.front);
        self.parts.extend(rest.parts);
    }

    /// Makes one change to what comes next in `rest`.
    fn change(&mut self, change: &Explanation, rest: &mut Rest) {
        let mut left = change.removed.len();
        let mut made = None;
        while left > 0
            && let Some(part) = rest.up_to(left)
        {
            left -= part.shown().len();
            match part {
                Part::Kept(at, removed) => {
                    let ends = change.reason.ends_message();
                    made = Some(self.parts.len());
                    self.parts.push(Part::Changed(Explanation {
                        at,
                        reason: if ends { Reason::Spacing } else { change.reason },
                        removed,
                        inserted: String::new(),
                    }));
                }
                Part::Changed(mut earlier) => {
                    earlier.inserted.clear();
                    self.push_change(earlier);
                }
            }
        }
        match made.and_then(|at| self.parts.get_mut(at)) {
            Some(Part::Changed(last)) => {
                last.reason = change.reason;
                last.inserted.clone_from(&change.inserted);
            }
            _ => {
                let at = self.parts.last().map_or(self.start, Part::origin_end);
                self.push_change(Explanation {
                    at,
                    removed: String::new(),
                    ..change.clone()
                });
            }
        }
    }

    /// Keeps a change, unless nothing is left of it.
    fn push_change(&mut self, change: Explanation) {
        let tells = change.reason.ends_message() || change.reason.is_hold();
        if tells || !change.removed.is_empty() || !change.inserted.is_empty() {
            self.parts.push(Part::Changed(change));
        }
    }

    /// Cuts the text where `changes` end messages. What became none of
    /// `messages` was not sent, so it is taken out.
    pub(super) fn cut<S: AsRef<str>>(
        mut self,
        changes: &[Explanation],
        messages: &[S],
    ) -> Vec<Strand> {
        self.apply(changes);
        let mut strands = Vec::new();
        let mut next = 0;
        while !self.parts.is_empty() {
            let end = self.parts.iter().position(Part::ends_message);
            let after = self
                .parts
                .split_off(end.map_or(self.parts.len(), |end| end + 1));
            let start = after.first().map_or(0, |part| match part {
                Part::Kept(at, _) => *at,
                Part::Changed(change) => change.at,
            });
            let mut lineage = std::mem::replace(
                &mut self,
                Self {
                    start,
                    parts: after,
                },
            );
            let sent = messages.get(next).map(AsRef::as_ref);
            let message = (sent.is_some_and(|sent| lineage.become_of(sent))).then_some(next);
            if message.is_some() {
                next += 1;
            } else {
                lineage.void();
            }
            strands.push(Strand { lineage, message });
        }
        strands
    }

    /// Takes out what `message` does not have around it; says whether it is
    /// this text at all.
    fn become_of(&mut self, message: &str) -> bool {
        let text = self.text();
        let Some((before, after)) = (text.trim() == message.trim())
            .then(|| text.find(message))
            .flatten()
            .map(|at| (&text[..at], &text[at + message.len()..]))
        else {
            return false;
        };
        let end = self.take_end();
        let spacing = |at: usize, blank: &str| Explanation {
            at,
            reason: Reason::Spacing,
            removed: blank.to_owned(),
            inserted: String::new(),
        };
        if !after.is_empty() {
            self.apply(&[spacing(before.len() + message.len(), after)]);
        }
        if !before.is_empty() {
            self.apply(&[spacing(0, before)]);
        }
        self.parts.extend(end.map(Part::Changed));
        true
    }

    /// Takes off the end of the message.
    pub(super) fn take_end(&mut self) -> Option<Explanation> {
        match self.parts.pop() {
            Some(Part::Changed(change)) if change.reason.ends_message() => Some(change),
            Some(part) => {
                self.parts.push(part);
                None
            }
            None => None,
        }
    }

    pub(super) fn put_end(&mut self, end: Option<Explanation>) {
        self.parts.extend(end.map(Part::Changed));
    }

    pub(super) fn ends(&self) -> usize {
        self.parts.iter().filter(|part| part.ends_message()).count()
    }

    /// The last message goes on with what follows this text.
    pub(super) fn open_end(&mut self) {
        if let Some(at) = self.parts.iter().rposition(Part::ends_message)
            && let Part::Changed(mut end) = self.parts.remove(at)
            && !(end.removed.is_empty() && end.inserted.is_empty())
        {
            end.reason = Reason::Spacing;
            self.parts.insert(at, Part::Changed(end));
        }
    }

    /// Nothing of it was sent: everything is taken out.
    pub(super) fn void(&mut self) {
        for part in std::mem::take(&mut self.parts) {
            let change = match part {
                Part::Kept(at, removed) => Explanation {
                    at,
                    reason: Reason::Spacing,
                    removed,
                    inserted: String::new(),
                },
                Part::Changed(mut change) => {
                    change.inserted.clear();
                    if change.reason.ends_message() {
                        change.reason = Reason::Spacing;
                    }
                    change
                }
            };
            self.push_change(change);
        }
    }

    /// Everything that was done.
    pub(super) fn explained(self) -> impl Iterator<Item = Explanation> {
        self.parts.into_iter().filter_map(|part| match part {
            Part::Changed(change) => {
                let tells = change.reason.ends_message() || change.reason.is_hold();
                (tells || change.removed != change.inserted).then_some(change)
            }
            Part::Kept(..) => None,
        })
    }
}

/// What a change has not reached yet.
struct Rest {
    parts: std::vec::IntoIter<Part>,
    front: Option<Part>,
}

impl Rest {
    /// The next part, or as much of it as shows `width` bytes; with no width
    /// left, only a part that shows nothing.
    fn up_to(&mut self, width: usize) -> Option<Part> {
        let mut part = self.front.take().or_else(|| self.parts.next())?;
        let shown = part.shown().len();
        if width == 0 && shown > 0 {
            self.front = Some(part);
            return None;
        }
        if shown > width {
            self.front = Some(part.split_off(width));
        }
        Some(part)
    }
}

/// Edits of `text` as explanations.
pub(super) fn changes(edits: &[Edit], text: &str) -> Vec<Explanation> {
    edits
        .iter()
        .map(|edit| Explanation {
            at: edit.range.start,
            reason: Reason::Rule(edit.rule),
            removed: text.get(edit.range.clone()).unwrap_or("").to_owned(),
            inserted: edit.with.clone(),
        })
        .collect()
}
