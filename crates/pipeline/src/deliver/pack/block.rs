//! Blocks of code and tables.

use super::super::Degree;
use super::super::explain::{Hold, Reason};
use super::super::segment::{Outline, Rank, Segmenter};
use super::{Break, Joint, Packer, Point, units};

impl<'t> Packer<'t> {
    pub(super) fn begin_block(&mut self, at: usize, text: &mut Segmenter<'t>) {
        let code = text
            .outline
            .open_block()
            .is_some_and(|block| block.code.is_some());
        if code && self.shape.degree != Degree::Whole {
            self.settle(text);
        }
        self.note_hold(at, if code { Hold::Code } else { Hold::Table });
        // An emphasis that was cut does not go on before a block that begins a
        // message: it would be no block any more.
        if at == self.start.at && !self.prefix.is_empty() {
            self.prefix.clear();
            text.outline.spans.end_at(at);
        }
    }

    pub(super) fn take_code_line_end(
        &mut self,
        end: usize,
        next: usize,
        after_content: bool,
        text: &mut Segmenter<'t>,
    ) {
        let place = Break {
            end: self.point(end, &text.outline),
            next: self.point(next, &text.outline),
            rank: Rank::Line,
            reason: Reason::Limit,
            marker: None,
        };
        self.end = place.next;
        self.searched = next;
        if after_content {
            self.joints.push_back(Joint {
                place,
                resume: end,
                with: "".into(),
                reason: Reason::Limit,
            });
        }
        self.overflow(text);
    }

    /// A quoted block ended with its quote: it is closed here, if what closes
    /// it fits a message.
    pub(super) fn close_code(&mut self, end: usize, outline: &Outline<'_>) {
        while self
            .joints
            .pop_back_if(|last| last.place.end.at >= end)
            .is_some()
        {}
        self.end = self.point(end, outline);
        let code = outline.blocks.back().and_then(|block| block.code.as_ref());
        if let Some((_, shut)) = code.and_then(|code| self.shell(code)) {
            let with = format!("\n{shut}");
            let next = Point {
                at: end,
                units: self.end.units + units(&with),
            };
            let place = Break {
                end: self.end,
                next,
                rank: Rank::Never,
                reason: Reason::Limit,
                marker: None,
            };
            self.joints.push_back(Joint {
                place,
                resume: end,
                with: with.into(),
                reason: Reason::Closed,
            });
            self.end = next;
        }
    }
}
