//! What is asked for, places in the text, and what is complete.

use std::borrow::Cow;
use std::ops::Range;

use kaiwa_domain::Outgoing;

use super::super::explain::{Change, Reason};
use super::super::segment::Rank;
use super::super::window::{TextWindow, units};
use super::super::{Degree, DeliverySettings};

/// How text becomes messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::deliver) struct Shape {
    pub(in crate::deliver) degree: Degree,
    /// The most UTF-16 units of a message.
    pub(in crate::deliver) max: usize,
    /// The text arrives bit by bit: long lines are given out in parts, and a
    /// full stop that stands alone at the end is dropped.
    pub(in crate::deliver) live: bool,
    /// Tables are lifted out.
    pub(in crate::deliver) tables: bool,
    /// Code with more UTF-16 units than this becomes a file.
    pub(in crate::deliver) attach_code_above: Option<usize>,
}

impl Shape {
    /// For a text that is there, all of which becomes messages.
    pub(in crate::deliver) const fn of(settings: &DeliverySettings) -> Self {
        Self {
            degree: settings.degree,
            max: settings.max,
            live: false,
            tables: false,
            attach_code_above: None,
        }
    }
}

/// Something to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::deliver) enum Packed<'t> {
    /// A message: a part of the text, unless something was changed.
    Say(Cow<'t, str>),
    /// Anything else.
    Other(Box<Outgoing>),
}

/// A place in the text: in bytes of what was written, and in UTF-16 units of
/// what will be sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Point {
    pub(super) at: usize,
    pub(super) units: usize,
}

impl Point {
    #[inline]
    pub(super) const fn new(at: usize, units: usize) -> Self {
        Self { at, units }
    }
}

/// A place where the text may be cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Break {
    /// Where the message before it ends.
    pub(super) end: Point,
    /// Where the message after it begins.
    pub(super) next: Point,
    pub(super) rank: Rank,
    /// Why a message ends here, if it does.
    pub(super) reason: Reason,
}

impl Break {
    pub(super) const fn new(end: Point, next: Point, rank: Rank) -> Self {
        let reason = match rank {
            Rank::Never | Rank::Word => Reason::Limit,
            Rank::Sentence => Reason::Sentence,
            Rank::Line => Reason::Line,
            Rank::Paragraph => Reason::Paragraph,
        };
        Self {
            end,
            next,
            rank,
            reason,
        }
    }

    /// The same place, for another reason.
    pub(super) const fn because(self, reason: Reason) -> Self {
        Self { reason, ..self }
    }
}

/// What lies between two lines.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub(super) place: Break,
    /// From where on the text is as it was written.
    pub(super) resume: usize,
    /// What is sent between the end and that.
    pub(super) with: Cow<'static, str>,
    /// Why that differs from what was written.
    pub(super) reason: Reason,
}

impl Joint {
    /// The place from where on the text is as it was written.
    pub(super) fn resumed(&self) -> Point {
        Point::new(self.resume, self.place.end.units + units(&self.with))
    }

    /// Whether it lies in a message that ends at `end`.
    pub(super) fn is_within(&self, end: usize) -> bool {
        let at = self.place.end.at;
        at < end || at == end && self.resume == end && !self.with.is_empty()
    }
}

/// What is complete.
#[derive(Clone, Debug, Default)]
pub(super) struct Output<'t> {
    /// With the look that each is said in.
    pub(super) ready: Vec<(Packed<'t>, Option<usize>)>,
    /// The look of what comes next.
    pub(super) look: Option<usize>,
    /// The length of the message before, if there was one.
    pub(super) last_units: Option<usize>,
    /// How many files were made.
    pub(super) files: usize,
    /// What was done, if that is wanted.
    pub(super) changes: Option<Vec<Change>>,
}

impl<'t> Output<'t> {
    /// Something is complete: a message, if its length is told.
    pub(super) fn push(&mut self, packed: Packed<'t>, units: Option<usize>) {
        self.ready.push((packed, self.look));
        self.last_units = units;
    }

    /// What stands in a range of `text` became `inserted`.
    #[inline]
    pub(super) fn note(
        &mut self,
        text: &TextWindow<'_>,
        range: Range<usize>,
        reason: Reason,
        inserted: &str,
    ) {
        let Some(changes) = &mut self.changes else {
            return;
        };
        let (at, removed) = (range.start, text.slice(range.start, range.end));
        // Blanks are told at once, in however many pieces they come.
        match changes.last_mut() {
            _ if removed == inserted && !reason.tells() => {}
            Some(last)
                if (last.reason, reason) == (Reason::Spacing, Reason::Spacing)
                    && last.inserted.is_empty()
                    && inserted.is_empty()
                    && last.end() == at =>
            {
                last.removed.push_str(removed);
            }
            _ => changes.push(Change::new(at, reason, removed, inserted)),
        }
    }

    /// The last message goes on after all, with a line end in between.
    pub(super) fn rejoin(&mut self) {
        let changes = self.changes.iter_mut().flatten();
        if let Some(last) = changes.rev().find(|change| change.reason.ends_message()) {
            last.reason = Reason::Spacing;
            last.inserted = "\n".to_owned();
        }
    }
}
