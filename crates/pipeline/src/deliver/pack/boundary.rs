//! Where one message ends and the next begins.

use super::super::Degree;
use super::super::explain::Reason;
use super::super::segment::{
    Edge, EdgeKind, Follows, LineEnd, Outline, Rank, Segmenter, is_blank, is_orphan,
};
use super::{Break, CodeEnds, Joint, Packer, Point};

impl<'t> Packer<'t> {
    pub(super) fn take_text(&mut self, end: usize, text: &mut Segmenter<'t>) {
        self.end_sentences(end, false, text);
        self.advance(end, false, text);
    }

    /// No message begins with blanks.
    fn skip_blanks(&mut self, to: usize, outline: &Outline<'_>) {
        let written = outline.text.slice(self.start.at, to);
        let at = to - written.trim_start_matches(is_blank).len();
        if at > self.start.at {
            self.begin_at(self.point(at, outline), outline);
        }
    }

    pub(super) fn take_atom(&mut self, end: usize, text: &mut Segmenter<'t>) {
        self.end_sentences(self.end.at, true, text);
        self.end = self.point(end, &text.outline);
        self.searched = end;
        self.settle(text);
        self.overflow(text);
    }

    /// Finds the sentences that end up to `to`, if each is a message.
    fn end_sentences(&mut self, to: usize, follows: bool, text: &mut Segmenter<'t>) {
        if self.shape.degree != Degree::Sentences {
            return;
        }
        loop {
            self.searched = self.searched.max(self.start.at);
            match text.outline.find_sentence(self.searched, to, follows) {
                Err(at) => {
                    self.searched = at;
                    return;
                }
                Ok(found) => {
                    self.advance(found.next.min(to), false, text);
                    let end = self.point(found.end, &text.outline);
                    let next = self.point(found.next, &text.outline);
                    self.searched = found.next;
                    self.push_boundary(Break::inline(end, next, found.rank), text);
                }
            }
        }
    }

    /// Goes on to byte `to`, and does what is due on the way.
    #[inline]
    pub(super) fn advance(&mut self, to: usize, code: bool, text: &mut Segmenter<'t>) {
        while self.end.at < to {
            let outline = &mut text.outline;
            if self.end.at == self.start.at && !code {
                self.skip_blanks(to, outline);
                if self.end.at == to {
                    return;
                }
            }
            let room = self.room(outline);
            let mut at = to;
            if room < to - self.end.at {
                at = outline.text.ceil(self.end.at + room.max(1));
            }
            if !self.held.is_empty() {
                let patience = outline.spans.patience().clamp(self.end.at + 1, to);
                at = at.min(outline.text.ceil(patience));
            }
            let width = outline.text.units(self.end.at, at);
            self.end = Point::new(at, self.end.units + width);
            if !self.held.is_empty() || width >= room {
                outline.spans.expire(at);
                self.settle(text);
                self.overflow(text);
            }
        }
    }

    pub(super) fn take_line_end(&mut self, line: &LineEnd, text: &mut Segmenter<'t>) {
        let outline = &text.outline;
        let end = self.point(line.end, outline);
        let whole = self.shape.degree == Degree::Whole;
        let apart = line.paragraph || line.plain && whole && end.at > self.start.at;
        let with = if apart { "\n\n" } else { "\n" };
        let indent = outline.text.units(line.line_start, line.next);
        let next = Point::new(line.next, end.units + with.len() + indent);
        let (rank, reason) = match line.paragraph {
            true => (Rank::Paragraph, Reason::Paragraph),
            false => (Rank::Line, Reason::Line),
        };
        let place = Break::new(end, next, rank, reason);
        self.end = next;
        self.searched = next.at;
        if end.at <= self.start.at {
            self.begin_at(next, outline);
            return;
        }
        self.joints.push_back(Joint {
            place: Break::new(
                end,
                next,
                if line.carried { Rank::Never } else { rank },
                reason,
            ),
            resume: line.line_start,
            with: with.into(),
            reason: Reason::Spacing,
        });
        let apart = match line.follows {
            Follows::No => true,
            Follows::Block => self.shape.degree == Degree::Sentences,
            Follows::Row => false,
        };
        let lifted = self.shape.tables && line.table_edge;
        if lifted || apart && !whole && !line.carried {
            self.push_boundary(place, text);
        }
        self.overflow(text);
    }

    pub(super) fn take_edge(&mut self, edge: Edge, text: &mut Segmenter<'t>) {
        let wanted = match edge.kind {
            EdgeKind::MaybeEmoji => {
                self.note_hold(edge.end, Reason::HeldEmoji);
                return;
            }
            EdgeKind::Emoji => true,
            EdgeKind::Code | EdgeKind::Carried(Follows::No) => self.shape.degree != Degree::Whole,
            EdgeKind::Carried(_) => self.shape.degree == Degree::Sentences,
        };
        // Text up to the edge may be told only after it.
        self.end_sentences(edge.next.max(self.end.at), true, text);
        if edge.end < self.start.at || !wanted {
            return;
        }
        let reason = match edge.kind {
            EdgeKind::Code => Reason::Code,
            EdgeKind::Carried(_) => Reason::Line,
            _ => Reason::Emoji,
        };
        let end = self.point(edge.end, &text.outline);
        let next = self.point(edge.next, &text.outline);
        self.push_boundary(Break::new(end, next, Rank::Line, reason), text);
    }

    /// Asks for a new message at `place`.
    fn push_boundary(&mut self, place: Break, text: &mut Segmenter<'t>) {
        let begin = self.held.back().map_or(self.start.at, |last| last.next.at);
        if place.end.at <= begin {
            return;
        }
        if is_orphan(text.outline.text.slice(begin, place.end.at)) {
            self.note_hold(place.end.at, Reason::HeldPunctuation);
            return;
        }
        text.outline.spans.expire(self.end.at);
        if self.is_held(&place, &text.outline) {
            self.note_hold(place.end.at, Reason::HeldPair);
        }
        self.held.push_back(place);
        self.settle(text);
    }

    /// Whether something that is open keeps a boundary from taking effect.
    fn is_held(&self, boundary: &Break, outline: &Outline<'_>) -> bool {
        let open = outline.spans.outermost();
        open.is_some_and(|at| at < boundary.end.at)
    }

    /// Gives out the messages whose boundaries nothing holds back.
    pub(super) fn settle(&mut self, text: &mut Segmenter<'t>) {
        while let Some(first) = self.held.front().copied() {
            let over = first.end.at <= self.start.at || text.outline.spans.is_inside(first.end.at);
            if !over && self.is_held(&first, &text.outline) {
                return;
            }
            self.held.pop_front();
            if !over {
                self.flush(&first, text);
            }
        }
    }

    /// Gives out everything up to the last line that is complete.
    pub(super) fn flush_lines(&mut self, text: &mut Segmenter<'t>) {
        let mut places = self.joints.iter().rev().map(|joint| joint.place);
        let last = places.find(|place| place.rank >= Rank::Line);
        if let Some(last) = last.filter(|last| last.end.at > self.start.at) {
            self.flush(&last, text);
        }
    }

    /// The message that is being gathered begins here.
    fn begin_at(&mut self, at: Point, outline: &Outline<'_>) {
        let blank = outline.text.slice(self.start.at, at.at);
        if !blank.is_empty() {
            self.output.note(self.start.at, Reason::Spacing, blank, "");
        }
        self.start = at;
        self.end = at;
    }

    /// The text is over.
    pub(super) fn close(&mut self, text: &mut Segmenter<'t>) {
        text.outline.spans.expire(self.end.at);
        text.outline.spans.finish();
        self.settle(text);
        if text.outline.open_block().is_some() {
            self.lift_code(CodeEnds::Text, text);
        }
        self.finish_last(text);
    }
}
