//! Brackets, quotations and emphasis that are open, and those that were closed.

use std::collections::VecDeque;

use super::{bound, forget_front};

/// How many openers are kept; the oldest gives way.
const DEPTH: usize = 24;

/// How many emphases may be carried over a cut.
const CARRIED: usize = 4;

/// What is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Delimited {
    /// A bracket or a quotation, named by what closes it.
    Pair(char),
    Emphasis(Style),
}

/// A kind of emphasis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    Star,
    Stars,
    Line,
    Lines,
    Strike,
    Spoiler,
}

impl Style {
    const fn marker(self) -> &'static str {
        match self {
            Self::Star => "*",
            Self::Stars => "**",
            Self::Line => "_",
            Self::Lines => "__",
            Self::Strike => "~~",
            Self::Spoiler => "||",
        }
    }

    /// Whether Discord does not mind blanks around it.
    pub(super) const fn is_loose(self) -> bool {
        matches!(self, Self::Stars | Self::Strike | Self::Spoiler)
    }
}

impl Delimited {
    /// Whether it may go on over an empty line.
    fn spans_paragraphs(self) -> bool {
        matches!(self, Self::Emphasis(style) if style.marker().len() == 2)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Opener {
    span: Delimited,
    at: usize,
    /// Whether it reads as an opener by itself, so that it may be reopened.
    firm: bool,
}

/// An emphasis that a cut may have to close and open again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Emphasis {
    style: Style,
    at: usize,
}

/// The stack of what is open, and what was closed in the part that is kept.
#[derive(Clone, Debug, Default)]
pub(in crate::deliver) struct Spans {
    open: Vec<Opener>,
    /// Short spans that were closed, outermost ones only, in order.
    closed: VecDeque<(usize, usize)>,
    /// Emphases that are open for too long to be held.
    carried: Vec<Emphasis>,
    /// Emphases that were closed, with where, in the order of that.
    past: VecDeque<(Emphasis, usize)>,
}

impl Spans {
    /// Where the outermost open span begins.
    #[inline]
    pub(in crate::deliver) fn outermost(&self) -> Option<usize> {
        self.open.first().map(|opener| opener.at)
    }

    /// Whether anything is open.
    pub(in crate::deliver) fn is_open(&self) -> bool {
        !self.open.is_empty() || !self.carried.is_empty()
    }

    pub(super) fn contains(&self, span: Delimited) -> bool {
        let carried = |long: &Emphasis| span == Delimited::Emphasis(long.style);
        self.open.iter().any(|opener| opener.span == span) || self.carried.iter().any(carried)
    }

    /// Opens `span` at `at`; `firm` if it reads as an opener by itself.
    #[inline]
    pub(super) fn open(&mut self, span: Delimited, at: usize, firm: bool) {
        if self.open.len() == DEPTH {
            self.let_go();
        }
        self.open.push(Opener { span, at, firm });
    }

    /// The outermost opener is held no longer.
    fn let_go(&mut self) {
        let opener = self.open.remove(0);
        if let Delimited::Emphasis(style) = opener.span
            && opener.firm
            && self.carried.len() < CARRIED
        {
            let at = opener.at;
            self.carried.push(Emphasis { style, at });
        }
    }

    /// Lets go of what has been open for too long at `at`.
    #[inline(always)]
    pub(in crate::deliver) fn expire(&mut self, at: usize) {
        while at >= self.patience() {
            self.let_go();
        }
        if !self.carried.is_empty() {
            self.carried.retain(|long| at < long.at + bound::EMPHASIS);
        }
    }

    /// From which byte on [`expire`](Self::expire) lets go of what is open
    /// outermost.
    #[inline]
    pub(in crate::deliver) fn patience(&self) -> usize {
        self.outermost()
            .map_or(usize::MAX, |at| at + bound::HOLD + 1)
    }

    /// An empty line ends what does not go on over one.
    pub(super) fn end_paragraph(&mut self) {
        self.open.retain(|opener| opener.span.spans_paragraphs());
    }

    /// Everything that is open ends at `at`.
    pub(in crate::deliver) fn end_at(&mut self, at: usize) {
        self.finish();
        let ended = self.carried.drain(..).map(|long| (long, at));
        self.past.extend(ended);
    }

    /// The text is over: what was not closed is plain text.
    pub(in crate::deliver) fn finish(&mut self) {
        self.open.clear();
    }

    /// Everything that is open counts as plain text, or is carried on.
    pub(in crate::deliver) fn give_up(&mut self) {
        while !self.open.is_empty() {
            self.let_go();
        }
    }

    /// Closes `span` with a token that ends at `end`. Returns where it began,
    /// unless it was let go.
    pub(super) fn close(&mut self, span: Delimited, start: usize, end: usize) -> Option<usize> {
        if let Some(index) = self.open.iter().rposition(|opener| opener.span == span) {
            let at = self.open[index].at;
            self.open.truncate(index);
            if let Delimited::Emphasis(style) = span {
                self.past.push_back((Emphasis { style, at }, start));
            }
            while self.closed.back().is_some_and(|&(begin, _)| begin > at) {
                self.closed.pop_back();
            }
            self.closed.push_back((at, end));
            return Some(at);
        }
        if let Delimited::Emphasis(style) = span
            && let Some(index) = self.carried.iter().rposition(|long| long.style == style)
        {
            self.past.push_back((self.carried.remove(index), start));
        }
        None
    }

    /// Forgets what lies before `start`.
    pub(in crate::deliver) fn forget(&mut self, start: usize) {
        forget_front(&mut self.closed, |&(_, end)| end <= start);
        forget_front(&mut self.past, |&(_, close)| close < start);
    }

    /// Whether `at` lies within a short span.
    pub(in crate::deliver) fn is_inside(&self, at: usize) -> bool {
        let index = self.closed.partition_point(|&(begin, _)| begin < at);
        index > 0 && self.closed[index - 1].1 > at
    }

    /// Whether an emphasis may be open at `at` that must be carried over a cut.
    #[inline]
    pub(in crate::deliver) fn has_emphasis_at(&self, at: usize) -> bool {
        !self.carried.is_empty() || self.past.back().is_some_and(|&(_, close)| close > at)
    }

    /// The markers of the emphases that are open at `at`, outermost first.
    pub(in crate::deliver) fn markers_at(&self, at: usize) -> Vec<&'static str> {
        if !self.has_emphasis_at(at) {
            return Vec::new();
        }
        let closed_later = self.past.partition_point(|&(_, close)| close <= at);
        let past = self
            .past
            .range(closed_later..)
            .map(|(emphasis, _)| emphasis);
        let open = past.chain(&self.carried);
        let mut open: Vec<_> = open.filter(|emphasis| emphasis.at < at).collect();
        open.sort_by_key(|emphasis| emphasis.at);
        let styles = open.iter().map(|emphasis| emphasis.style);
        styles.map(Style::marker).collect()
    }
}
