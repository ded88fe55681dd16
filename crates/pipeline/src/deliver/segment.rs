//! What does the text consist of?
//!
//! [`Segmenter`] reads a text as it arrives and tells its [parts](Part) in
//! order: text, what is not to be cut, and the places between lines and
//! blocks. What lies around each place is kept in the [`Outline`]: atoms,
//! brackets and emphasis that are open, blocks of code and tables, and the
//! markers of lines. It knows Discord's markdown, and nothing of limits,
//! degrees or messages.
//!
//! Every part depends on the text alone. [`Part::Text`] and [`Part::Code`]
//! come in pieces as they arrive: two in a row mean what one would.
//!
//! Where a line may be cut is not told but [found](Outline::rank) when
//! somebody asks: most blanks are never asked about.

mod block;
mod emoji;
mod line;
mod opportunity;
mod punctuation;
mod span;

use std::collections::VecDeque;

use super::scan::BlockKind;
use super::window::TextWindow;
pub use block::{TextBlock, blocks};
pub(super) use line::Segmenter;
pub(super) use opportunity::Rank;
pub(super) use punctuation::{is_blank, is_clause, is_closer, is_ender, is_orphan};
use span::Spans;

/// How long a hold may last.
pub(super) mod bound {
    /// Bytes within which an open bracket, quotation or emphasis keeps
    /// messages from being given out.
    pub(in crate::deliver) const HOLD: usize = 720;
    /// Bytes after which an emphasis that was never closed is plain text.
    pub(in crate::deliver) const EMPHASIS: usize = 8000;
}

/// How much of the text before a message is kept, in bytes, to tell how a
/// sentence ended.
const LOOK_BACK: usize = 128;

/// What comes next in the text. Offsets are in bytes of the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Text goes on up to here; it may be cut where there is an opportunity.
    Text(usize),
    /// Something up to here that is not to be cut.
    Atom(usize),
    /// The line ends.
    LineEnd(LineEnd),
    /// One kind of text ends and another begins in mid-line.
    Edge {
        end: usize,
        next: usize,
        kind: EdgeKind,
    },
    /// A block of code or a table begins here.
    BlockStart(usize),
    /// Code goes on up to here.
    Code(usize),
    /// A line of code ends; it may be cut there if something stands in the
    /// block already.
    CodeLineEnd {
        end: usize,
        next: usize,
        after_content: bool,
    },
    /// A code block is closed; nothing but empty lines and the fence stands
    /// after `content`.
    CodeEnd { content: usize },
    /// A quoted code block ended here with its quote, without a fence.
    CodeEndMissing(usize),
}

/// The end of a line, and what the next one has to do with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LineEnd {
    /// Where the text of the line ends, without blanks.
    pub(super) end: usize,
    /// Where the next line begins, and where its text does.
    pub(super) line_start: usize,
    pub(super) next: usize,
    /// Whether empty lines lie between them.
    pub(super) paragraph: bool,
    pub(super) follows: Follows,
    /// Whether a table begins or ends here.
    pub(super) table_edge: bool,
    /// Whether both are ordinary text.
    pub(super) plain: bool,
    /// Whether the next line begins with punctuation of this one.
    pub(super) carried: bool,
}

/// Whether a line goes on with the block of the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Follows {
    /// It begins another block.
    No,
    /// It goes on with a list, a quote, or what stands under a heading.
    Block,
    /// It is a further row of a table.
    Row,
}

/// What begins or ends in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EdgeKind {
    /// Code begins or ends.
    Code,
    /// Custom emoji that stand alone begin or end.
    Emoji,
    /// Punctuation that belongs to the line before ends; the line it stands in
    /// has this to do with that.
    Carried(Follows),
    /// Emoji begin, and what follows them tells whether they stand alone.
    MaybeEmoji,
}

/// A block that is not cut if it fits a message.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) start: usize,
    /// Where it is over, once known.
    pub(super) end: Option<usize>,
    /// A table has none.
    pub(super) code: Option<CodeBlock>,
}

/// What a code block needs to be cut in two.
#[derive(Clone, Debug)]
pub(super) struct CodeBlock {
    /// Where its opening line ends.
    pub(super) body: usize,
    /// Whether it stands on lines of its own, and not in a quote or a list.
    pub(super) apart: bool,
    /// The opening line.
    pub(super) opening: String,
    /// A line that closes it.
    pub(super) closing: String,
    /// Where the last line that is not empty ends; 0 if there is none yet.
    content: usize,
    /// Where the last line ends.
    line_end: usize,
}

/// What is known of the part of the text that is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline<'t> {
    pub(super) text: TextWindow<'t>,
    pub(super) spans: Spans,
    pub(super) blocks: VecDeque<Block>,
    /// What must not be cut, in order.
    atoms: VecDeque<(usize, usize)>,
    /// Where lines begin that have a marker to repeat after a cut, or follow
    /// one that has.
    markers: VecDeque<(usize, &'static str)>,
}

impl Outline<'_> {
    /// The block that is not over.
    pub(super) fn open_block(&self) -> Option<&Block> {
        self.blocks.back().filter(|block| block.end.is_none())
    }

    /// The block that is open, if any, is over.
    fn end_block(&mut self, end: usize) {
        if let Some(block) = self.blocks.back_mut() {
            block.end.get_or_insert(end);
        }
    }

    fn open_code(&mut self) -> Option<&mut CodeBlock> {
        let block = self.blocks.back_mut();
        block.filter(|block| block.end.is_none())?.code.as_mut()
    }

    /// The code that `at` lies in, and where its block begins.
    fn code_around(&self, at: usize) -> Option<(usize, &CodeBlock)> {
        let block = self.blocks.iter().rfind(|block| block.start < at)?;
        let before_end = block.end.is_none_or(|end| at < end);
        let code = block.code.as_ref().filter(|_| before_end)?;
        Some((block.start, code))
    }

    /// The code block whose body `at` lies in.
    pub(super) fn code_at(&self, at: usize) -> Option<&CodeBlock> {
        let (_, code) = self.code_around(at)?;
        (at >= code.body).then_some(code)
    }

    /// The atom that `at` lies in.
    pub(super) fn atom_at(&self, at: usize) -> Option<(usize, usize)> {
        let index = self.atoms.partition_point(|&(start, _)| start < at);
        let atom = self.atoms.get(index.checked_sub(1)?).copied()?;
        (at < atom.1).then_some(atom)
    }

    /// The marker that a cut at `at` repeats, if the line has one.
    pub(super) fn marker_at(&self, at: usize) -> &'static str {
        let index = self.markers.partition_point(|&(start, _)| start <= at);
        index.checked_sub(1).map_or("", |last| self.markers[last].1)
    }

    /// Forgets what lies before `start`.
    pub(super) fn forget(&mut self, start: usize) {
        forget_front(&mut self.atoms, |&(_, end)| end <= start);
        forget_front(&mut self.blocks, |block| {
            block.end.is_some_and(|end| end <= start)
        });
        while self.markers.get(1).is_some_and(|&(at, _)| at <= start) {
            self.markers.pop_front();
        }
        self.spans.forget(start);
    }
}

/// Drops what is over from the front of what is in order.
#[inline]
pub(super) fn forget_front<T>(kept: &mut VecDeque<T>, is_over: impl Fn(&T) -> bool) {
    match kept.back() {
        None => {}
        Some(last) if is_over(last) => kept.clear(),
        Some(_) => while kept.pop_front_if(|first| is_over(first)).is_some() {},
    }
}

#[cfg(test)]
mod tests;
