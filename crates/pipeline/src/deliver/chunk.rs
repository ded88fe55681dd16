//! From text to messages.
//!
//! [`Chunker`] reads the tokens of a text as it arrives and keeps the part
//! that is not yet a message, with the places where it may be cut. A *boundary*
//! is a place where the degree wants a new message; it takes effect once no
//! bracket, quotation or emphasis around it is open. A *break* is a place where
//! a message that is too long may be cut.
//!
//! Every decision is made at a token, so it depends on the text alone. Of plain
//! text the tokens decide nothing: it is passed over at once (`glide`), and the
//! breaks in it are found when a cut is due (`breaks`).

mod boundary;
mod breaks;
mod cut;
mod emoji;
mod flow;
mod force;
mod glide;
mod keep;
mod message;
mod place;
mod punctuation;
mod sign;
mod span;
mod take;
mod window;

use std::borrow::Cow;
use std::collections::VecDeque;

use kaiwa_domain::Outgoing;

use super::Degree;
use super::explain::{Explanation, Journal};
use super::scan::{Kind, Scanner, Token, is_plain};
use boundary::Carry;
use breaks::Breaks;
use emoji::Run;
use keep::Keep;
use place::{Break, Gap, Line, LineKind, Rank, SentenceEnd};
use span::Spans;
use window::Window;

/// How long a hold may last, and where a long line is cut; in one place.
pub(super) mod bound {
    /// Bytes within which an open bracket, quotation or emphasis keeps
    /// messages from being given out.
    pub(in crate::deliver) const HOLD: usize = 720;
    /// Bytes after which an emphasis that was never closed is plain text.
    pub(in crate::deliver) const EMPHASIS: usize = 8000;
    /// A line that arrives is cut at about this many UTF-16 units …
    pub(in crate::deliver) const OVERFLOW: usize = 1000;
    /// … at the first sentence end up to this much further …
    pub(in crate::deliver) const AHEAD: usize = 200;
    /// … or the last one up to this much earlier.
    pub(in crate::deliver) const BACK: usize = 300;
    /// A message is not cut below this many UTF-16 units unless it must be.
    pub(in crate::deliver) const PIECE: usize = 200;
}

/// How text becomes messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) degree: Degree,
    /// The most UTF-16 units of a message.
    pub(super) max: usize,
    /// The text arrives bit by bit: long lines are given out in parts.
    pub(super) live: bool,
    /// A full stop that stands alone at the end is dropped.
    pub(super) drops_stops: bool,
    /// Tables are lifted out.
    pub(super) tables: bool,
}

/// Something to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Piece<'t> {
    /// A message: a part of the text, unless something was changed.
    Say(Cow<'t, str>),
    /// Anything else.
    Other(Box<Outgoing>),
}

impl<'t> Piece<'t> {
    /// The message, if it is one.
    pub(super) fn into_said(self) -> Option<Cow<'t, str>> {
        match self {
            Self::Say(text) => Some(text),
            Self::Other(_) => None,
        }
    }
}

/// Makes messages of a text that is still arriving, or that is there.
#[derive(Clone, Debug)]
pub(super) struct Chunker<'t> {
    shape: Shape,
    text: Window<'t>,
    scanner: Scanner,
    /// Up to here, plain text can wait to be read: it cannot complete a message.
    calm: usize,
    /// Where the message that is being gathered begins.
    start: usize,
    start_units: usize,
    /// What is put before it: markers that a cut reopened.
    prefix: String,
    /// The end of the last token that is not a blank.
    end: usize,
    end_units: usize,
    /// The blanks since then.
    gap: Option<Gap>,
    breaks: Breaks,
    boundaries: VecDeque<Break>,
    spans: Spans,
    keeps: VecDeque<Keep>,
    atoms: VecDeque<(usize, usize)>,
    edits: VecDeque<message::Edit>,
    line: Line,
    sentence: Option<SentenceEnd>,
    carry: Option<Carry>,
    /// Where the last full-width comma ends.
    clause: usize,
    run: Option<Run>,
    /// The length of the message before.
    last_units: usize,
    /// Messages that are complete.
    ready: Vec<Piece<'t>>,
    /// The full stop that was dropped at the end.
    dropped: Option<String>,
    journal: Journal,
}

impl<'t> Chunker<'t> {
    /// Makes messages of a text that is there.
    pub(super) fn whole(shape: Shape, journal: Journal, text: &'t str) -> Self {
        Self {
            text: Window::whole(text),
            breaks: Breaks::with_room(),
            ..Self::new(shape, journal)
        }
    }

    pub(super) fn new(shape: Shape, journal: Journal) -> Self {
        Self {
            shape,
            text: Window::default(),
            scanner: Scanner::default(),
            calm: 0,
            start: 0,
            start_units: 0,
            prefix: String::new(),
            end: 0,
            end_units: 0,
            gap: None,
            breaks: Breaks::default(),
            boundaries: VecDeque::new(),
            spans: Spans::default(),
            keeps: VecDeque::new(),
            atoms: VecDeque::new(),
            edits: VecDeque::new(),
            line: Line::default(),
            sentence: None,
            carry: None,
            clause: usize::MAX,
            run: None,
            last_units: usize::MAX,
            ready: Vec::new(),
            dropped: None,
            journal,
        }
    }

    /// Takes the next piece of text.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push(text);
        if self.text.end() > self.calm || !is_plain(text.as_bytes(), self.enders_are_plain()) {
            self.scan(false);
            self.calm = self.find_calm();
        }
    }

    /// The text is over: everything becomes messages, and the next text begins
    /// afresh.
    pub(super) fn finish(&mut self) {
        self.scan(true);
        self.close();
        let total = self.text.end();
        let fresh = Self {
            ready: std::mem::take(&mut self.ready),
            dropped: self.dropped.take(),
            journal: std::mem::take(&mut self.journal).moved(total),
            ..Self::new(self.shape, Journal::default())
        };
        *self = fresh;
    }

    /// How much text there is, from the last [`finish`](Self::finish) on.
    pub(super) fn length(&self) -> usize {
        self.text.end()
    }

    /// Forgets the text so far, of which nothing was given out; `more` bytes
    /// after it are passed over. Returns where it began in the whole.
    pub(super) fn skip(&mut self, more: usize) -> usize {
        let at = self.journal.base();
        let total = self.length() + more;
        self.journal.take();
        let journal = std::mem::take(&mut self.journal).moved(total);
        *self = Self::new(self.shape, journal);
        at
    }

    /// Gives up every hold: what waits for a closing sign or for the end of a
    /// list is given out up to the last complete line or sentence.
    pub(super) fn release(&mut self) {
        self.scan(false);
        self.calm = 0;
        self.spans.give_up();
        self.settle();
        if self.shape.degree == Degree::Whole || self.keeps.back().is_some_and(Keep::is_open) {
            return;
        }
        self.begin_line();
        let last = self.breaks.noted().rfind(|b| b.rank >= Rank::Line);
        if let Some(last) = last.copied()
            && last.end > self.start
        {
            self.flush(&last);
        }
    }

    /// A line that has ended is complete, though nothing of the next is there.
    fn begin_line(&mut self) {
        let start = self.scanner.position();
        let ended = self.gap.as_ref().is_some_and(|gap| gap.newlines > 0);
        if ended && start == self.text.end() {
            self.arrive(Token {
                kind: Kind::Word,
                start,
                end: start,
            });
        }
    }

    /// Whether a message is complete.
    #[inline]
    pub(super) fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// The messages that are complete.
    pub(super) fn ready(&mut self) -> std::vec::Drain<'_, Piece<'t>> {
        self.ready.drain(..)
    }

    /// The full stop that was dropped, since it stood alone at the end.
    pub(super) const fn take_dropped(&mut self) -> Option<String> {
        self.dropped.take()
    }

    /// What was explained since the last call.
    pub(super) fn explained(&mut self) -> Vec<Explanation> {
        self.journal.take()
    }
}

/// Drops what is over from the front of what is in order.
#[inline]
fn forget_front<T>(kept: &mut VecDeque<T>, is_over: impl Fn(&T) -> bool) {
    match kept.back() {
        None => {}
        Some(last) if is_over(last) => kept.clear(),
        Some(_) => {
            while kept.front().is_some_and(&is_over) {
                kept.pop_front();
            }
        }
    }
}

/// The length of `text` in UTF-16 units, as Discord's clients count it.
#[inline]
pub(super) fn units(text: &str) -> usize {
    if is_ascii(text.as_bytes()) {
        return text.len();
    }
    text.bytes()
        .map(|byte| usize::from((byte as i8) >= -0x40) + usize::from(byte >= 0xF0))
        .sum()
}

/// The same as the method of slices, but quicker for short ones.
#[inline]
fn is_ascii(text: &[u8]) -> bool {
    let (words, rest) = text.as_chunks::<8>();
    let words = words
        .iter()
        .fold(0, |all, &word| all | u64::from_ne_bytes(word));
    let rest = rest.iter().fold(0, |all, byte| all | byte);
    words & 0x8080_8080_8080_8080 == 0 && rest < 0x80
}

#[cfg(test)]
mod tests;
