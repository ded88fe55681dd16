//! The blocks of a whole text, for people who want to see them.

use std::ops::Range;

use super::{Follows, Part, Segmenter};

/// What a block is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockKind {
    /// Ordinary text.
    Paragraph,
    /// List items.
    List,
    /// Lines behind `>`.
    Quote,
    /// A heading, and the line under it.
    Heading,
    /// Small print.
    Subtext,
    /// Code between fences.
    Code,
    /// Rows of a table.
    Table,
    /// A rule across the page.
    Rule,
    /// A formula of several lines.
    Formula,
    /// Custom emoji that stand alone.
    Emoji,
}

/// A block of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextBlock {
    /// What it is.
    pub kind: BlockKind,
    /// Its bytes, without the line ends around it.
    pub range: Range<usize>,
}

/// The blocks of a whole text, in order.
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
            Part::Edge(edge) => {
                start = Some(edge.next);
                continue;
            }
            _ => continue,
        };
        let emoji = matches!(part, Part::Atom(_)) && start.is_some() && segmenter.run.is_some();
        let kind = match emoji {
            true => BlockKind::Emoji,
            false => segmenter.block(),
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
