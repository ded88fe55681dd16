//! From the parts of a text to messages.
//!
//! [`Packer`] takes the [parts](Part) that a [segmenter](super::segment) tells
//! and keeps what is not yet a message. A *boundary* is a place where the
//! degree wants a new message; it takes effect once no bracket, quotation or
//! emphasis around it is open. A *break* is a place where a message that is
//! too long may be cut. Markdown is known only by what the outline says of it.
//!
//! Every decision is made at a place in the text, never at the end of what has
//! arrived, so it depends on the text alone.

mod block;
mod boundary;
mod cut;
mod message;
mod overflow;
mod place;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use super::Degree;
use super::explain::{Change, Reason};
use super::segment::{Part, Rank, Segmenter};
use super::window::units;
use block::CodeEnds;
use place::{Break, Joint, Output, Point};
pub(super) use place::{Packed, Shape};

/// Where a long line is cut.
mod bound {
    /// A line that arrives is cut at about this many UTF-16 units …
    pub(super) const OVERFLOW: usize = 1000;
    /// … at the first sentence end up to this much further …
    pub(super) const AHEAD: usize = 200;
    /// … or the last one up to this much earlier.
    pub(super) const BACK: usize = 300;
    /// A message is not cut below this many UTF-16 units unless it must be.
    pub(super) const PIECE: usize = 200;
    /// After so many more units, what could not be cut is tried again.
    pub(super) const AGAIN: usize = 64;
}

/// Packs a text that is still arriving, or that is there, into messages.
#[derive(Clone, Debug)]
pub(super) struct Packer<'t> {
    shape: Shape,
    pub(super) text: Segmenter<'t>,
    /// Where the message that is being gathered begins.
    start: Point,
    /// What is put before it: markers that a cut reopened.
    prefix: String,
    /// How far the text was gathered.
    end: Point,
    joints: VecDeque<Joint>,
    /// Boundaries that something open holds back.
    held: VecDeque<Break>,
    /// How far sentences were looked for.
    searched: usize,
    /// A cut was tried in vain: not again below so many units.
    tried: usize,
    output: Output<'t>,
}

/// Packs a text that is there: its messages, and what was done to it, if that
/// is wanted.
pub(super) fn pack_whole(
    text: &str,
    shape: Shape,
    explain: bool,
) -> (Vec<Cow<'_, str>>, Vec<Change>) {
    let mut packer = Packer::new(shape, explain);
    packer.text = Segmenter::whole(text);
    packer.finish();
    let changes = packer.take_changes();
    let said = packer.ready().filter_map(|(packed, _)| match packed {
        Packed::Say(text) => Some(text),
        Packed::Other(_) => None,
    });
    (said.collect(), changes)
}

impl<'t> Packer<'t> {
    /// For a text that arrives bit by bit; what is done to it is told if
    /// `explain` asks for it.
    pub(super) fn new(shape: Shape, explain: bool) -> Self {
        let output = Output {
            changes: explain.then(Vec::new),
            ..Output::default()
        };
        Self::after(shape, Segmenter::default(), output)
    }

    /// For what comes after `text`.
    fn after(shape: Shape, text: Segmenter<'t>, output: Output<'t>) -> Self {
        let begin = text.outline.text.end();
        Self {
            shape,
            text,
            start: Point::new(begin, 0),
            prefix: String::new(),
            end: Point::new(begin, 0),
            joints: VecDeque::new(),
            held: VecDeque::new(),
            searched: begin,
            tried: 0,
            output,
        }
    }

    /// Takes the next piece of text.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push(text);
        self.pack();
    }

    /// The text is over: everything becomes messages, and the next text begins
    /// afresh.
    pub(super) fn finish(&mut self) {
        self.end_text();
        let output = std::mem::take(&mut self.output);
        *self = Self::after(self.shape, Segmenter::default(), output);
    }

    /// What follows is said in another look, so a message ends here. Nothing
    /// may be open that it would tear apart.
    pub(super) fn turn(&mut self, look: Option<usize>) {
        if look != self.output.look {
            self.end_text();
            self.output.look = look;
        }
    }

    /// The look that the text is said in.
    pub(super) const fn look(&self) -> Option<usize> {
        self.output.look
    }

    /// Forgets the text so far, of which nothing was given out: it was a
    /// thought.
    pub(super) fn take_back(&mut self) -> String {
        let (begin, thought) = self.text.outline.text.kept();
        let thought = thought.to_owned();
        self.restart();
        self.text.outline.text.clear();
        self.output.look = None;
        self.output.ready.clear();
        if let Some(changes) = &mut self.output.changes {
            changes.retain(|change| change.at < begin);
            changes.push(Change::new(begin, Reason::Thought, &thought, ""));
        }
        thought
    }

    /// Gives up every hold: what waits for a closing sign or for the end of a
    /// list is given out up to the last complete line or sentence.
    pub(super) fn release(&mut self) {
        self.text.outline.spans.give_up();
        self.settle();
        let open = self.text.outline.open_block().is_some();
        if self.shape.degree != Degree::Whole && !open {
            self.text.end_line();
            self.pack();
            self.flush_lines();
        }
    }

    /// Whether code may become a file.
    pub(super) const fn attaches_code(&self) -> bool {
        self.shape.attach_code_above.is_some()
    }

    /// The text that is in no message yet.
    pub(super) fn pending(&self) -> &str {
        self.text.outline.text.rest(self.start.at)
    }

    /// Whether a message is complete.
    #[inline]
    pub(super) fn has_ready(&self) -> bool {
        !self.output.ready.is_empty()
    }

    /// What is complete, each with the look that it is said in.
    pub(super) fn ready(&mut self) -> std::vec::Drain<'_, (Packed<'t>, Option<usize>)> {
        self.output.ready.drain(..)
    }

    /// What was done since the last call, in the order of the text.
    pub(super) fn take_changes(&mut self) -> Vec<Change> {
        let changes = self.output.changes.as_mut();
        let mut changes = changes.map(std::mem::take).unwrap_or_default();
        changes.sort_by_key(|change| change.at);
        changes
    }

    /// Packs what has arrived.
    fn pack(&mut self) {
        while let Some(part) = self.text.next() {
            self.take(part);
        }
    }

    /// Everything so far becomes messages.
    fn end_text(&mut self) {
        self.text.outline.text.over = true;
        self.pack();
        self.close();
        self.restart();
    }

    /// Begins afresh after what has arrived.
    fn restart(&mut self) {
        self.text.restart();
        self.output.last_units = None;
        let text = std::mem::take(&mut self.text);
        let output = std::mem::take(&mut self.output);
        *self = Self::after(self.shape, text, output);
    }

    /// Takes the next part.
    #[inline]
    fn take(&mut self, part: Part) {
        match part {
            Part::Text(end) => self.take_text(end),
            Part::Code(end) => {
                self.advance(end, true);
                self.searched = end;
            }
            Part::Atom(end) => self.take_atom(end),
            Part::LineEnd(line) => self.take_line_end(&line),
            Part::Edge { end, next, kind } => self.take_edge(end, next, kind),
            Part::BlockStart(at) => self.begin_block(at),
            Part::CodeLineEnd {
                end,
                next,
                after_content,
            } => self.take_code_line_end(end, next, after_content),
            Part::CodeEnd { content } => {
                self.end_code(content);
                self.lift_code(CodeEnds::Fence);
            }
            Part::CodeEndMissing(end) => self.close_code(end),
        }
    }

    /// The place at byte `at`.
    #[inline]
    fn point(&self, at: usize) -> Point {
        match at >= self.end.at {
            true => self.onward(self.end, at),
            false => self.point_back(at),
        }
    }

    /// The place at byte `at`, with the text between `from` and that as it was
    /// written.
    #[inline(always)]
    fn onward(&self, from: Point, at: usize) -> Point {
        Point::new(at, from.units + self.text.outline.text.units(from.at, at))
    }

    /// The place to cut at, from byte `end` to byte `next`.
    fn place(&self, end: usize, next: usize, rank: Rank) -> Break {
        Break::new(self.point(end), self.point(next), rank)
    }

    fn point_back(&self, at: usize) -> Point {
        let after = self.joints.partition_point(|joint| joint.resume <= at);
        let anchor = match after.checked_sub(1) {
            Some(last) => self.joints[last].resumed(),
            None => self.start,
        };
        let to = match self.joints.get(after) {
            Some(joint) => at.min(joint.place.end.at),
            None => at,
        };
        Point::new(at, self.onward(anchor, to).units)
    }

    /// What stands in a range of the text became `inserted`.
    fn note(&mut self, range: Range<usize>, reason: Reason, inserted: &str) {
        let text = &self.text.outline.text;
        self.output.note(text, range, reason, inserted);
    }
}

#[cfg(test)]
mod tests;
