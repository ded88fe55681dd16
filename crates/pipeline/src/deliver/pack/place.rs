//! What is asked for, places in the text, and what is complete.

use std::borrow::Cow;

use kaiwa_domain::Outgoing;

use super::super::explain::{Change, Reason};
use super::super::segment::Rank;
use super::super::{Degree, DeliverySettings, LongCode};

/// How text becomes messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::deliver) struct Shape {
    pub(in crate::deliver) degree: Degree,
    /// The most UTF-16 units of a message.
    pub(in crate::deliver) max: usize,
    /// The text arrives bit by bit: long lines are given out in parts.
    pub(in crate::deliver) live: bool,
    /// A full stop that stands alone at the end is dropped.
    pub(in crate::deliver) drops_stops: bool,
    /// Tables are lifted out.
    pub(in crate::deliver) tables: bool,
    pub(in crate::deliver) long_code: LongCode,
}

impl Shape {
    /// For a text that is there, all of which becomes messages.
    pub(in crate::deliver) const fn of(settings: &DeliverySettings) -> Self {
        Self {
            degree: settings.degree,
            max: settings.max,
            live: false,
            drops_stops: false,
            tables: false,
            long_code: LongCode::Split,
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
    /// What follows is said in this look.
    Turn(Option<usize>),
}

impl<'t> Packed<'t> {
    /// The message, if it is one.
    pub(in crate::deliver) fn into_said(self) -> Option<Cow<'t, str>> {
        match self {
            Self::Say(text) => Some(text),
            Self::Other(_) | Self::Turn(_) => None,
        }
    }
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
    pub(super) const fn new(end: Point, next: Point, rank: Rank, reason: Reason) -> Self {
        Self {
            end,
            next,
            rank,
            reason,
        }
    }

    /// At an opportunity within a line.
    pub(super) const fn inline(end: Point, next: Point, rank: Rank) -> Self {
        let reason = match rank {
            Rank::Sentence => Reason::Sentence,
            _ => Reason::Limit,
        };
        Self::new(end, next, rank, reason)
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

/// What is complete.
#[derive(Clone, Debug, Default)]
pub(super) struct Output<'t> {
    pub(super) ready: Vec<Packed<'t>>,
    /// How many files were made.
    pub(super) files: usize,
    /// What was done, if that is wanted.
    pub(super) changes: Option<Vec<Change>>,
}

impl Output<'_> {
    #[inline]
    pub(super) fn note(&mut self, at: usize, reason: Reason, removed: &str, inserted: &str) {
        let Some(changes) = &mut self.changes else {
            return;
        };
        // Blanks are told at once, in however many pieces they come.
        match changes.last_mut() {
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
