//! What block a line belongs to, whether the next one goes on with it, and
//! blocks of code and tables.

use std::ops::Range;

use kaiwa_domain::CodeFence;

use super::super::scan::{BlockKind, Kind, Lexeme};
use super::{Block, CodeBlock, Follows, Part, Segmenter};

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

impl Segmenter<'_> {
    pub(super) fn take_marker(&mut self, kind: BlockKind) {
        if self.line.kind == BlockKind::Paragraph {
            self.line.kind = kind;
            self.mark_line(match kind {
                BlockKind::Quote => "> ",
                BlockKind::Heading => "# ",
                BlockKind::Subtext => "-# ",
                _ => "",
            });
        }
    }

    pub(super) fn mark_line(&mut self, marker: &'static str) {
        let markers = &mut self.outline.markers;
        if !marker.is_empty() || markers.back().is_some_and(|(_, last)| !last.is_empty()) {
            markers.push_back((self.line.start, marker));
        }
    }

    /// Whether what follows may be code, if it begins with `next`.
    pub(in crate::deliver) fn may_be_code(&self, next: u8) -> bool {
        self.scanner.may_be_code(&self.outline.text, next)
    }

    /// Whether `next`, which follows after `held`, begins in code; unknown if
    /// that depends on what follows it, unless it is `last`.
    pub(in crate::deliver) fn is_code(
        &mut self,
        held: &str,
        next: &str,
        last: bool,
    ) -> Option<bool> {
        let first = next.bytes().next()?;
        let text = &mut self.outline.text;
        let end = text.end();
        text.push(held);
        let mut found = Some(false);
        if self.scanner.may_be_code(text, first) {
            text.push(next);
            text.over = last;
            found = self.scanner.find_code(text, end + held.len());
            text.over = false;
        }
        text.truncate(end);
        found
    }

    /// A line of a table.
    pub(super) fn take_row(&mut self, start: usize) {
        self.line.kind = BlockKind::Table;
        if self.outline.open_block().is_none() {
            self.outline.blocks.push_back(Block {
                start,
                end: None,
                code: None,
            });
            self.tell(Part::BlockStart(start));
        }
    }

    pub(super) fn open_code(&mut self, lexeme: Lexeme) {
        let in_line = self.line.text;
        let start = if in_line {
            lexeme.start
        } else {
            self.line.start
        };
        self.line.kind = BlockKind::Code;
        // No emphasis goes on over code.
        self.outline.spans.end_at(start);
        let opening = self.outline.text.slice(start, lexeme.end).to_owned();
        let closing = opening[..CodeFence::marks(&opening).end].to_owned();
        self.outline.blocks.push_back(Block {
            start,
            end: None,
            code: Some(CodeBlock {
                body: lexeme.end,
                apart: !self.line.text && opening.trim_start().starts_with(['`', '~']),
                opening,
                closing,
                content: 0,
                line_end: lexeme.end,
            }),
        });
        self.tell(Part::BlockStart(start));
    }

    /// Code, or the line that closes the block.
    pub(super) fn take_code(&mut self, lexeme: Lexeme) {
        let text = self.outline.text.slice(lexeme.start, lexeme.end);
        let blank = !text.contains(|c: char| !c.is_whitespace());
        let end = lexeme.end;
        let Some(code) = self.outline.open_code() else {
            return;
        };
        code.line_end = end;
        if lexeme.kind == Kind::CodeText && !blank {
            code.content = end;
        }
        let content = code.content.max(code.body);
        self.end = end;
        self.tell(Part::Code(end));
        if lexeme.kind == Kind::FenceClose {
            self.outline.end_block(end);
            self.line.kind = BlockKind::Code;
            self.line.text = true;
            self.tell(Part::CodeEnd { content });
        }
    }

    pub(super) fn take_code_line_end(&mut self, lexeme: Lexeme) {
        if let Some(code) = self.outline.open_code() {
            code.line_end = lexeme.start;
            let after_content = code.content > 0;
            self.end = lexeme.end;
            self.tell(Part::CodeLineEnd {
                end: lexeme.start,
                next: lexeme.end,
                after_content,
            });
        }
    }

    /// A quoted block ended with its quote, and something begins at
    /// `line_start`.
    pub(super) fn end_quoted_code(&mut self, line_start: usize) {
        let Some(end) = self.outline.open_code().map(|code| code.line_end) else {
            return;
        };
        self.outline.end_block(end);
        self.line.kind = BlockKind::Code;
        self.end = end;
        self.tell(Part::CodeEndMissing(end));
        self.gap = Some(Gap {
            newlines: 1,
            line_start,
            ..Gap::after(end)
        });
    }
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
        if let Some(start) = start.take() {
            let range = start..end;
            blocks.push(TextBlock { kind, range });
        } else if let Some(last) = blocks.last_mut() {
            last.range.end = end;
            // The marker tells, not the blanks before it.
            if last.kind == BlockKind::Paragraph {
                last.kind = kind;
            }
        }
    }
    blocks.retain(|block| !text[block.range.clone()].trim().is_empty());
    blocks
}
