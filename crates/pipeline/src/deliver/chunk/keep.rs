//! Blocks that are not cut if they fit a message: code and tables.

use super::super::Degree;
use super::super::explain::{Hold, Reason};
use super::super::scan::{Kind, Token};
use super::message::Edit;
use super::{Break, Chunker, Gap, LineKind, Rank, units};

/// A block.
#[derive(Clone, Debug)]
pub(super) struct Keep {
    pub(super) start: usize,
    pub(super) start_units: usize,
    /// Where it is over, once known.
    pub(super) end: Option<(usize, usize)>,
    pub(super) code: Option<Code>,
}

/// What a code block needs to be cut in two.
#[derive(Clone, Debug)]
pub(super) struct Code {
    /// Where its opening line ends.
    pub(super) body: usize,
    /// The opening line.
    pub(super) opening: String,
    /// A line that closes it.
    pub(super) closing: String,
    /// Where the last line that is not empty ends.
    pub(super) content: usize,
    /// Where the last line ends, and in units.
    pub(super) line_end: (usize, usize),
}

impl Keep {
    pub(super) const fn is_open(&self) -> bool {
        self.end.is_none()
    }

    pub(super) const fn is_open_code(&self) -> bool {
        self.end.is_none() && self.code.is_some()
    }

    /// The code block, if it is open.
    pub(super) fn open_code_mut(&mut self) -> Option<&mut Code> {
        self.code.as_mut().filter(|_| self.end.is_none())
    }

    /// The code block, if `at` lies within its body.
    pub(super) fn code_at(&self, at: usize) -> Option<&Code> {
        let code = self.code.as_ref()?;
        let before_end = self.end.is_none_or(|(end, _)| at < end);
        (at >= code.body && before_end).then_some(code)
    }
}

impl Chunker<'_> {
    /// A line of a table.
    pub(super) fn take_row(&mut self, token: Token) {
        self.end_emphasis(token.start);
        self.atoms.push_back((token.start, token.end));
        if self.keeps.back().is_none_or(|keep| keep.end.is_some()) {
            self.journal.held(token.start, Hold::Table);
            self.keeps.push_back(Keep {
                start: token.start,
                start_units: self.end_units,
                end: None,
                code: None,
            });
        }
    }

    /// An emphasis that was cut does not go on before a block that begins a
    /// message at `begin`: it would be no block any more.
    fn end_emphasis(&mut self, begin: usize) {
        if begin == self.start && !self.prefix.is_empty() {
            self.prefix.clear();
            self.spans.end_at(begin);
        }
    }

    /// Anything but a further row ends a table.
    pub(super) fn close_table(&mut self, token: Token, place: &Break) {
        if let Some(keep) = self.keeps.back_mut()
            && keep.end.is_none()
            && keep.code.is_none()
            && (token.kind != Kind::Row || place.rank == Rank::Paragraph)
        {
            keep.end = Some((place.end, place.end_units));
        }
    }

    pub(super) fn open_code(&mut self, token: Token) {
        let begin = if self.line.text {
            token.start
        } else {
            self.line.start
        };
        // No emphasis goes on over code.
        self.spans.end_at(begin);
        if self.shape.degree != Degree::Whole {
            self.settle();
        }
        self.end_emphasis(begin);
        let opening = self.text.slice(begin, token.end).to_owned();
        let mark = opening.find(['`', '~']).unwrap_or(0);
        let length = opening[mark..]
            .bytes()
            .take_while(|&byte| byte == opening.as_bytes()[mark])
            .count();
        let closing = opening[..mark + length].to_owned();
        let lead = units(self.text.slice(begin, token.start));
        self.journal.held(begin, Hold::Code);
        self.keeps.push_back(Keep {
            start: begin,
            start_units: self.end_units - lead,
            end: None,
            code: Some(Code {
                body: token.end,
                opening,
                closing,
                content: 0,
                line_end: (
                    token.end,
                    self.end_units + units(self.text.slice(token.start, token.end)),
                ),
            }),
        });
    }

    /// A piece of a line of code, or the line that closes the block.
    pub(super) fn take_code(&mut self, token: Token) {
        self.overflow();
        let text = self.text.slice(token.start, token.end);
        let blank = !text.contains(|c: char| !c.is_whitespace());
        self.end_units += units(text);
        self.end = token.end;
        let Some(keep) = self.keeps.back_mut() else {
            return;
        };
        let Some(code) = &mut keep.code else {
            return;
        };
        code.line_end = (self.end, self.end_units);
        if token.kind == Kind::CodeText {
            if !blank {
                code.content = token.end;
            }
            return;
        }
        keep.end = Some((token.end, self.end_units));
        let content = code.content;
        // A block of empty lines would be left after these.
        self.breaks.take_back(content.max(code.body));
        self.line.kind = LineKind::Fence;
        self.line.text = true;
    }

    /// The end of a line of code.
    pub(super) fn take_code_line_end(&mut self, token: Token) {
        let end_units = self.end_units;
        self.end_units += token.end - token.start;
        self.end = token.end;
        let next_units = self.end_units;
        if let Some(code) = self.keeps.back_mut().and_then(|keep| keep.code.as_mut()) {
            code.line_end = (token.start, end_units);
            if code.content > 0 {
                self.breaks.push(Break {
                    end: token.start,
                    end_units,
                    next: token.end,
                    next_units,
                    rank: Rank::Line,
                    reason: Reason::Limit,
                    marker: None,
                });
            }
        }
        self.overflow();
    }

    /// A quoted block ended with its quote: it is closed here, if what closes
    /// it fits a message.
    pub(super) fn end_code(&mut self, line_start: usize) {
        let Some(code) = self.keeps.back().and_then(|keep| keep.code.as_ref()) else {
            return;
        };
        let (end, end_units) = code.line_end;
        let with = self.shell(code).map(|(_, shut)| format!("\n{shut}"));
        let width = with.as_deref().map_or(0, units);
        if let Some(keep) = self.keeps.back_mut() {
            keep.end = Some((end, end_units + width));
        }
        self.breaks.take_back(end);
        if let Some(with) = with {
            self.edits.push_back(Edit {
                start: end,
                end,
                with: with.into(),
                reason: Reason::Closed,
            });
        }
        self.end = end;
        self.end_units = end_units + width;
        self.line.kind = LineKind::Fence;
        self.gap = Some(Gap::after_code(end, self.end_units, line_start));
    }
}
