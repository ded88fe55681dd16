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

use super::edit::Rule;
use super::explain::{Change, Reason};
use super::segment::{Outline, Part, Segmenter};
use super::window::units;
use super::{Degree, LongCode};
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

/// Packs parts into messages.
#[derive(Clone, Debug)]
struct Packer<'t> {
    shape: Shape,
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
    /// The length of the message before.
    last_units: usize,
    output: Output<'t>,
}

/// Makes messages of a text that is still arriving, or that is there.
#[derive(Clone, Debug)]
pub(super) struct Chunker<'t> {
    segmenter: Segmenter<'t>,
    packer: Packer<'t>,
    /// Where the text begins in the whole.
    begin: usize,
    /// What was said in other looks, as long as nothing was given out.
    unsaid: String,
    /// The look that the text is said in.
    look: Option<usize>,
}

impl<'t> Chunker<'t> {
    /// For a text that arrives bit by bit; what is done to it is told if
    /// `explain` asks for it.
    pub(super) fn new(shape: Shape, explain: bool) -> Self {
        let output = Output {
            changes: explain.then(Vec::new),
            ..Output::default()
        };
        Self {
            segmenter: Segmenter::default(),
            packer: Packer::new(shape, 0, output),
            begin: 0,
            unsaid: String::new(),
            look: None,
        }
    }

    /// Makes messages of a text that is there.
    pub(super) fn whole(shape: Shape, explain: bool, text: &'t str) -> Self {
        let mut chunker = Self::new(shape, explain);
        chunker.segmenter = Segmenter::whole(text);
        chunker.finish();
        chunker
    }

    /// Takes the next piece of text.
    pub(super) fn push(&mut self, text: &str) {
        self.segmenter.push(text);
        self.pack();
    }

    /// The text is over: everything becomes messages, and the next text begins
    /// afresh.
    pub(super) fn finish(&mut self) {
        self.segmenter.finish();
        self.pack();
        self.packer.close(&mut self.segmenter);
        self.restart();
    }

    /// What follows is said in another look, so a message ends here. Nothing
    /// may be open that it would tear apart.
    pub(super) fn turn(&mut self, look: Option<usize>) {
        if look == self.look {
            return;
        }
        let begin = self.begin;
        let mut unsaid = std::mem::take(&mut self.unsaid);
        unsaid.push_str(self.segmenter.outline.text.rest(begin));
        self.finish();
        if self.packer.shape.degree == Degree::Whole || !self.has_messages() {
            (self.begin, self.unsaid) = (begin, unsaid);
        }
        self.look = look;
        self.packer.output.ready.push(Packed::Turn(look));
    }

    /// The text so far, if none of it was given out.
    pub(super) fn text(&self) -> Cow<'_, str> {
        let text = self.segmenter.outline.text.rest(self.begin);
        match self.unsaid.is_empty() {
            true => Cow::Borrowed(text),
            false => Cow::Owned(format!("{}{text}", self.unsaid)),
        }
    }

    /// Whether what follows may be code, if it begins with `next`.
    pub(super) fn may_be_code(&self, next: u8) -> bool {
        self.segmenter.may_be_code(next)
    }

    /// Forgets the text so far, of which nothing was given out: it was a
    /// thought.
    pub(super) fn take_back(&mut self) -> Change {
        let thought = Change::removal(self.begin, Rule::Thought, &self.text());
        self.look = None;
        self.packer.output.ready.clear();
        self.take_changes();
        self.restart();
        thought
    }

    /// Gives up every hold: what waits for a closing sign or for the end of a
    /// list is given out up to the last complete line or sentence.
    pub(super) fn release(&mut self) {
        self.segmenter.outline.spans.give_up();
        self.packer.settle(&mut self.segmenter);
        let open = self.segmenter.outline.open_block().is_some();
        if self.packer.shape.degree == Degree::Whole || open {
            return;
        }
        self.segmenter.end_line();
        self.pack();
        self.packer.flush_lines(&mut self.segmenter);
    }

    /// Whether code may become a file.
    pub(super) fn attaches_code(&self) -> bool {
        self.packer.shape.long_code != LongCode::Split
    }

    /// The text that is in no message yet.
    pub(super) fn pending(&self) -> &str {
        self.segmenter.outline.text.rest(self.packer.start.at)
    }

    /// Whether a message is complete.
    pub(super) fn has_messages(&self) -> bool {
        let mut ready = self.packer.output.ready.iter();
        ready.any(|packed| !matches!(packed, Packed::Turn(_)))
    }

    /// Whether anything is to be given out.
    #[inline]
    pub(super) fn has_ready(&self) -> bool {
        !self.packer.output.ready.is_empty()
    }

    /// The messages that are complete, and where the look changes.
    pub(super) fn ready(&mut self) -> std::vec::Drain<'_, Packed<'t>> {
        self.packer.output.ready.drain(..)
    }

    /// What was done since the last call.
    pub(super) fn take_changes(&mut self) -> Vec<Change> {
        let changes = self.packer.output.changes.as_mut();
        changes.map(std::mem::take).unwrap_or_default()
    }

    fn pack(&mut self) {
        while let Some(part) = self.segmenter.next() {
            self.packer.take(part, &mut self.segmenter);
        }
    }

    fn restart(&mut self) {
        self.segmenter.restart();
        self.begin = self.segmenter.outline.text.end();
        self.unsaid.clear();
        let output = std::mem::take(&mut self.packer.output);
        self.packer = Packer::new(self.packer.shape, self.begin, output);
    }
}

impl<'t> Packer<'t> {
    /// For a text that begins at `begin`.
    fn new(shape: Shape, begin: usize, output: Output<'t>) -> Self {
        Self {
            shape,
            start: Point::new(begin, 0),
            prefix: String::new(),
            end: Point::new(begin, 0),
            joints: VecDeque::new(),
            held: VecDeque::new(),
            searched: begin,
            tried: 0,
            last_units: usize::MAX,
            output,
        }
    }

    /// Takes the next part.
    #[inline]
    fn take(&mut self, part: Part, text: &mut Segmenter<'t>) {
        match part {
            Part::Text(end) => self.take_text(end, text),
            Part::Code(end) => {
                self.advance(end, true, text);
                self.searched = end;
            }
            Part::Atom(end) => self.take_atom(end, text),
            Part::LineEnd(line) => self.take_line_end(&line, text),
            Part::Edge(edge) => self.take_edge(edge, text),
            Part::BlockStart(at) => self.begin_block(at, text),
            Part::CodeLineEnd {
                end,
                next,
                after_content,
            } => self.take_code_line_end(end, next, after_content, text),
            Part::CodeEnd { content } => {
                self.end_code(content);
                self.lift_code(CodeEnds::Fence, text);
            }
            Part::CodeEndMissing(end) => self.close_code(end, &text.outline),
        }
    }

    /// The place at byte `at`.
    #[inline]
    fn point(&self, at: usize, outline: &Outline<'_>) -> Point {
        match at >= self.end.at {
            true => Point::new(at, self.end.units + outline.text.units(self.end.at, at)),
            false => self.point_back(at, outline),
        }
    }

    fn point_back(&self, at: usize, outline: &Outline<'_>) -> Point {
        let after = self.joints.partition_point(|joint| joint.resume <= at);
        let anchor = match after.checked_sub(1) {
            Some(last) => {
                let joint = &self.joints[last];
                let units = joint.place.end.units + units(&joint.with);
                Point::new(joint.resume, units)
            }
            None => self.start,
        };
        let to = match self.joints.get(after) {
            Some(joint) => at.min(joint.place.end.at),
            None => at,
        };
        Point::new(at, anchor.units + outline.text.units(anchor.at, to))
    }

    /// A message is held back at `at`.
    fn note_hold(&mut self, at: usize, hold: Reason) {
        self.output.note(at, hold, "", "");
    }
}

#[cfg(test)]
mod tests;
