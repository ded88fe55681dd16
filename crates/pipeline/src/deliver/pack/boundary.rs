//! Where one message ends and the next begins.

use super::super::Degree;
use super::super::explain::Reason;
use super::super::segment::{EdgeKind, Follows, LineEnd, Rank, is_blank, is_orphan};
use super::{Break, CodeEnds, Joint, Packer, Point};

impl Packer<'_> {
    pub(super) fn take_text(&mut self, end: usize) {
        self.end_sentences(end, false);
        self.advance(end, false);
    }

    /// No message begins with blanks.
    fn skip_blanks(&mut self, to: usize) {
        let written = self.text.outline.text.slice(self.start.at, to);
        let at = to - written.trim_start_matches(is_blank).len();
        if at > self.start.at {
            self.begin_at(self.point(at));
        }
    }

    pub(super) fn take_atom(&mut self, end: usize) {
        let start = self.end.at;
        self.end_sentences(start, true);
        if !self.held.is_empty() {
            self.text.outline.spans.expire(start);
        }
        self.end = self.onward(self.end, end);
        self.searched = end;
        self.settle();
        self.overflow(start);
    }

    /// Finds the sentences that end up to `to`, if each is a message.
    fn end_sentences(&mut self, to: usize, follows: bool) {
        if self.shape.degree != Degree::Sentences {
            return;
        }
        loop {
            self.searched = self.searched.max(self.start.at);
            match self.text.outline.find_sentence(self.searched, to, follows) {
                Err(at) => {
                    self.searched = at;
                    return;
                }
                Ok((end, next, rank)) => {
                    self.advance(next.min(to), false);
                    self.searched = next;
                    self.push_boundary(self.place(end, next, rank));
                }
            }
        }
    }

    /// Goes on to byte `to`, and does what is due on the way.
    #[inline]
    pub(super) fn advance(&mut self, to: usize, code: bool) {
        while self.end.at < to {
            if self.end.at == self.start.at && !code {
                self.skip_blanks(to);
                if self.end.at == to {
                    return;
                }
            }
            let room = self.room();
            let outline = &mut self.text.outline;
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
                self.settle();
                self.overflow(at);
            }
        }
    }

    pub(super) fn take_line_end(&mut self, line: &LineEnd) {
        let end = self.point(line.end);
        let whole = self.shape.degree == Degree::Whole;
        let apart = line.paragraph || line.plain && whole && end.at > self.start.at;
        let with = if apart { "\n\n" } else { "\n" };
        let indent = self.text.outline.text.units(line.line_start, line.next);
        let next = Point::new(line.next, end.units + with.len() + indent);
        let rank = if line.paragraph {
            Rank::Paragraph
        } else {
            Rank::Line
        };
        let place = Break::new(end, next, rank);
        self.end = next;
        self.searched = next.at;
        if end.at <= self.start.at {
            self.begin_at(next);
            return;
        }
        let rank = if line.carried { Rank::Never } else { rank };
        self.joints.push_back(Joint {
            place: Break { rank, ..place },
            resume: line.line_start,
            with: with.into(),
            reason: Reason::Spacing,
        });
        let lifted = self.shape.tables && line.table_edge;
        if lifted || self.is_boundary(line.follows) && !line.carried {
            self.push_boundary(place);
        }
        self.overflow(line.line_start);
    }

    /// Whether the degree wants a new message for a line that follows so.
    fn is_boundary(&self, follows: Follows) -> bool {
        match follows {
            Follows::No => self.shape.degree != Degree::Whole,
            Follows::Block => self.shape.degree == Degree::Sentences,
            Follows::Row => false,
        }
    }

    pub(super) fn take_edge(&mut self, end: usize, next: usize, kind: EdgeKind) {
        let (wanted, reason) = match kind {
            EdgeKind::MaybeEmoji => return self.note(end..end, Reason::HeldEmoji, ""),
            EdgeKind::Emoji => (true, Reason::Emoji),
            EdgeKind::Code => (self.is_boundary(Follows::No), Reason::Code),
            EdgeKind::Carried(follows) => (self.is_boundary(follows), Reason::Line),
        };
        // Text up to the edge may be told only after it.
        self.end_sentences(next.max(self.end.at), true);
        if end >= self.start.at && wanted {
            let place = self.place(end, next, Rank::Line);
            self.push_boundary(place.because(reason));
        }
    }

    /// Asks for a new message at `place`.
    fn push_boundary(&mut self, place: Break) {
        let begin = self.held.back().map_or(self.start.at, |last| last.next.at);
        let end = place.end.at;
        if end <= begin {
            return;
        }
        if is_orphan(self.text.outline.text.slice(begin, end)) {
            return self.note(end..end, Reason::HeldPunctuation, "");
        }
        self.text.outline.spans.expire(self.end.at);
        if self.is_held(end) {
            self.note(end..end, Reason::HeldPair, "");
        }
        self.held.push_back(place);
        self.settle();
    }

    /// Whether something that is open keeps a boundary from taking effect.
    fn is_held(&self, boundary: usize) -> bool {
        let open = self.text.outline.spans.outermost();
        open.is_some_and(|at| at < boundary)
    }

    /// Gives out the messages whose boundaries nothing holds back.
    #[inline(always)]
    pub(super) fn settle(&mut self) {
        while let Some(first) = self.held.front().copied() {
            let end = first.end.at;
            let over = end <= self.start.at || self.text.outline.spans.is_inside(end);
            if !over && self.is_held(end) {
                return;
            }
            self.held.pop_front();
            if !over {
                self.flush(&first);
            }
        }
    }

    /// Gives out everything up to the last line that is complete.
    pub(super) fn flush_lines(&mut self) {
        let mut places = self.joints.iter().rev().map(|joint| joint.place);
        let last = places.find(|place| place.rank >= Rank::Line);
        if let Some(last) = last.filter(|last| last.end.at > self.start.at) {
            self.flush(&last);
        }
    }

    /// The message that is being gathered begins here.
    fn begin_at(&mut self, at: Point) {
        self.note(self.start.at..at.at, Reason::Spacing, "");
        self.start = at;
        self.end = at;
    }

    /// The text is over.
    pub(super) fn close(&mut self) {
        let spans = &mut self.text.outline.spans;
        spans.expire(self.end.at);
        spans.finish();
        self.settle();
        if self.text.outline.open_block().is_some() {
            self.lift_code(CodeEnds::Text);
        }
        self.finish_last();
    }
}
