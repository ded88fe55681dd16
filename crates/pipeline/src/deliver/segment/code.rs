//! Code and tables.

use kaiwa_domain::CodeFence;

use super::super::scan::{Kind, Lexeme};
use super::block::Gap;
use super::line::Segmenter;
use super::{Block, BlockKind, CodeBlock, Part};

impl Segmenter<'_> {
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
            text.set_over(last);
            found = self.scanner.find_code(text, end + held.len());
            text.set_over(false);
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
