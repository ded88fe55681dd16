//! What block a line belongs to, and whether the next one goes on with it.

use std::ops::Range;

use super::super::scan::{BlockKind, Kind};
use super::{Follows, Part, Segmenter};

/// What is known of the line that is being read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineState {
    pub(super) kind: BlockKind,
    /// Where it begins, indentation included.
    pub(super) start: usize,
    /// Whether anything but emoji has been seen.
    pub(super) text: bool,
    /// Whether a `|` was seen outside code.
    pub(super) piped: bool,
    /// Whether it goes on after a code block.
    pub(super) after_code: bool,
}

impl LineState {
    /// Whether a line that begins so goes on with what this line is.
    pub(super) fn continues(&self, kind: Kind, indented: bool) -> Follows {
        let goes_on = match (self.kind, kind) {
            (BlockKind::Table, Kind::Row) => return Follows::Row,
            (_, Kind::Row) if self.piped => return Follows::Row,
            (BlockKind::Table | BlockKind::Code, _) | (_, Kind::Row | Kind::FenceOpen) => false,
            (BlockKind::Heading, _)
            | (BlockKind::Quote, Kind::Marker(BlockKind::Quote))
            | (BlockKind::List, Kind::Marker(BlockKind::List)) => true,
            (BlockKind::List, kind) => indented && !matches!(kind, Kind::Marker(_)),
            _ => false,
        };
        if goes_on { Follows::Block } else { Follows::No }
    }
}

/// What lies between the last text and the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gap {
    pub(super) end: usize,
    pub(super) newlines: usize,
    /// Where the last line of it begins.
    pub(super) line_start: usize,
    /// Punctuation was carried over to here from a line that has this to do
    /// with the one before.
    pub(super) carried: Option<Follows>,
}

impl Gap {
    /// Nothing yet, after text that ends at `end`.
    pub(super) fn after(end: usize) -> Self {
        Self {
            end,
            ..Self::default()
        }
    }
}

/// Whether a line that begins so is ordinary text.
pub(super) const fn is_plain(kind: Kind) -> bool {
    let other = matches!(
        kind,
        Kind::Marker(_) | Kind::Formula | Kind::Row | Kind::Rule
    );
    !other && !kind.is_fenced()
}

/// A block of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextBlock {
    /// What it is.
    pub kind: BlockKind,
    /// Its bytes, without the line ends around it.
    pub range: Range<usize>,
}

/// The blocks of a whole text, in order, for people who want to see them.
pub fn blocks(text: &str) -> Vec<TextBlock> {
    let mut segmenter = Segmenter::whole(text);
    let mut blocks: Vec<TextBlock> = Vec::new();
    let mut start = Some(0);
    while let Some(part) = segmenter.next() {
        let end = match part {
            Part::Text(end) | Part::Atom(end) | Part::Code(end) => end,
            Part::LineEnd(line) if line.follows == Follows::No => {
                start = Some(line.next);
                continue;
            }
            Part::Edge { next, .. } => {
                start = Some(next);
                continue;
            }
            _ => continue,
        };
        let emoji = matches!(part, Part::Atom(_)) && start.is_some() && segmenter.run.is_some();
        let kind = match emoji {
            true => BlockKind::Emoji,
            false => segmenter.line.kind,
        };
        match (start.take(), blocks.last_mut()) {
            (Some(start), _) => blocks.push(TextBlock {
                kind,
                range: start..end,
            }),
            (None, Some(last)) => last.range.end = end,
            (None, None) => {}
        }
        // The marker tells, not the blanks before it.
        if let Some(last) = blocks.last_mut()
            && last.kind == BlockKind::Paragraph
        {
            last.kind = kind;
        }
    }
    blocks.retain(|block| !text[block.range.clone()].trim().is_empty());
    blocks
}
