//! Where one message ends and the next begins.

use super::super::Degree;
use super::super::explain::{Hold, Reason};
use super::super::scan::{Kind, Marker, Token};
use super::super::sentence;
use super::message::{Edit, LOOK_BACK};
use super::punctuation::{is_closer, is_orphan};
use super::{Break, Chunker, Gap, Line, LineKind, Rank, SentenceEnd};

/// Punctuation that opens a line may belong to the line before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carry {
    boundary: Break,
}

impl Chunker<'_> {
    pub(super) fn take_blank(&mut self, token: Token, newline: bool) {
        let firm = self.carry.take().is_some();
        let gap = self.gap.get_or_insert(Gap {
            firm,
            ..Gap::within_line(self.end, self.end_units)
        });
        if newline {
            gap.newlines += 1;
            gap.line_start = token.end;
        }
    }

    /// The punctuation at the line start belongs to what follows it.
    pub(super) fn drop_carry(&mut self) {
        if let Some(carry) = self.carry.take() {
            self.push_boundary(carry.boundary);
        }
    }

    /// Finds out how long the gap before `token` is, and evens its line ends.
    pub(super) fn measure(&mut self, gap: &mut Gap, token: Token) {
        if gap.newlines == 0 {
            gap.width = match token.start - gap.end {
                1 => 1,
                _ => super::units(self.text.slice(gap.end, token.start)),
            };
        } else {
            let plain = self.line.kind == LineKind::Text && is_plain(token.kind);
            let lines = match gap.newlines {
                1 if plain && self.shape.degree == Degree::Whole && gap.end > self.start => 2,
                1 => 1,
                _ => 2,
            };
            let is_even = match *self.text.slice(gap.end, gap.line_start).as_bytes() {
                [b'\n'] => lines == 1,
                [b'\n', b'\n'] => lines == 2,
                _ => false,
            };
            if !is_even {
                self.edits.push_back(Edit {
                    start: gap.end,
                    end: gap.line_start,
                    with: "\n\n"[..lines].into(),
                    reason: Reason::Spacing,
                });
            }
            gap.width = lines + token.start - gap.line_start;
        }
    }

    /// The break at the gap before `token`, or right before it.
    pub(super) fn break_at(
        &self,
        gap: Option<&Gap>,
        token: Token,
        rank: Rank,
        reason: Reason,
    ) -> Break {
        let (end, end_units, width) = gap.map_or((self.end, self.end_units, 0), |gap| {
            (gap.end, gap.end_units, gap.width)
        });
        Break {
            end,
            end_units,
            next: token.start,
            next_units: end_units + width,
            rank,
            reason,
            marker: None,
        }
    }

    /// Goes on to `token` after a gap.
    pub(super) fn cross(&mut self, gap: &Gap, token: Token) {
        let mut place = self.break_at(Some(gap), token, Rank::Word, Reason::Limit);
        self.end_units = place.next_units;
        if gap.newlines == 0 {
            self.cross_blank(gap, place, token);
            return;
        }
        let before = std::mem::replace(
            &mut self.line,
            Line {
                start: gap.line_start,
                ..Line::default()
            },
        );
        self.sentence = None;
        let empty_line = gap.newlines > 1;
        if empty_line {
            self.spans.end_paragraph();
        }
        let follows = self.continues(&before, token, gap);
        if follows && before.kind == LineKind::Marked(Marker::Item) {
            self.line.kind = before.kind;
        }
        (place.rank, place.reason) = if empty_line {
            (Rank::Paragraph, Reason::Paragraph)
        } else {
            (Rank::Line, Reason::Line)
        };
        self.close_table(token, &place);
        let carried = self.is_carried(token);
        if gap.end <= self.start {
            self.begin_at(place.next, place.next_units);
        } else if (self.shape.degree != Degree::Whole && (!follows || gap.firm))
            || (self.shape.tables
                && !follows
                && (before.kind == LineKind::Row || token.kind == Kind::Row))
        {
            if carried && !(before.kind == LineKind::Row && self.shape.tables) {
                self.carry = Some(Carry { boundary: place });
            } else {
                self.push_boundary(place);
            }
        }
        if !carried {
            self.push_break(place);
        }
    }

    fn cross_blank(&mut self, gap: &Gap, mut place: Break, token: Token) {
        let next = self.text.char_at(token.start);
        if gap.end <= self.start && self.start == self.end {
            // Blanks before the first word.
            if !matches!(token.kind, Kind::FenceOpen) {
                self.begin_at(place.next, place.next_units);
            }
            return;
        }
        if self.leaves_code() {
            self.leave_code(place);
            return;
        }
        if let LineKind::Marked(marker) = self.line.kind
            && marker != Marker::Item
        {
            place.marker = Some(marker);
        }
        let ended = self.sentence.take().is_some_and(|end| {
            end.end == gap.end
                && sentence::ends(
                    self.text.tail(end.start, LOOK_BACK),
                    self.text.slice(end.start, end.run_end),
                    end.closed,
                    next,
                )
        });
        if next.is_some_and(is_closer) && !gap.firm {
            return;
        }
        if ended {
            place.rank = Rank::Sentence;
            place.reason = Reason::Sentence;
        } else if next.is_some_and(|c| matches!(c, '#' | '>')) {
            return;
        }
        let fence = token.kind == Kind::FenceOpen && self.shape.degree != Degree::Whole;
        if (ended && self.shape.degree == Degree::Sentences) || gap.firm || fence {
            self.push_boundary(place);
        }
        self.push_break(place);
    }

    /// Goes on to `token` without a gap.
    pub(super) fn join(&mut self, token: Token) {
        if token.kind == Kind::FenceOpen && self.line.text && self.shape.degree != Degree::Whole {
            let place = self.break_at(None, token, Rank::Line, Reason::Code);
            self.push_break(place);
            self.push_boundary(place);
            return;
        }
        if self.leaves_code() {
            let place = self.break_at(None, token, Rank::Line, Reason::Code);
            self.leave_code(place);
            return;
        }
        if self.clause == token.start && !self.opens_with_closer(token) {
            let place = self.break_at(None, token, Rank::Word, Reason::Limit);
            self.push_break(place);
        }
        let Some(end) = self.sentence else {
            return;
        };
        if end.end != token.start
            || end.closed
            || self.opens_with_closer(token)
            || !self.ends_wide()
        {
            return;
        }
        self.sentence = None;
        if sentence::is_decimal_point(
            self.text.tail(end.start, LOOK_BACK),
            self.text.slice(end.start, end.run_end),
            self.text.char_at(token.start),
        ) {
            return;
        }
        let mut place = self.break_at(None, token, Rank::Sentence, Reason::Sentence);
        if let LineKind::Marked(marker) = self.line.kind
            && marker != Marker::Item
        {
            place.marker = Some(marker);
        }
        self.push_break(place);
        if self.shape.degree == Degree::Sentences {
            self.push_boundary(place);
        }
    }

    /// Whether a sentence may have ended that needs no blank after it.
    pub(super) fn ends_wide(&self) -> bool {
        let run = |end: &SentenceEnd| self.text.slice(end.start, end.run_end);
        self.sentence
            .as_ref()
            .map(run)
            .is_some_and(sentence::is_wide)
    }

    /// Whether text goes on in the line that closed a code block.
    fn leaves_code(&self) -> bool {
        self.line.kind == LineKind::Fence && self.shape.degree != Degree::Whole
    }

    /// What follows code in its last line is a message of its own.
    fn leave_code(&mut self, place: Break) {
        let place = Break {
            rank: Rank::Line,
            reason: Reason::Code,
            ..place
        };
        self.line.kind = LineKind::Text;
        self.push_break(place);
        self.push_boundary(place);
    }

    /// Whether the token cannot begin a message because it closes something.
    fn opens_with_closer(&self, token: Token) -> bool {
        self.text.char_at(token.start).is_some_and(is_closer)
            || matches!(token.kind, Kind::Delimiter { .. } | Kind::Ender)
    }

    /// Whether the line of `token` goes on with what the line before was.
    fn continues(&self, before: &Line, token: Token, gap: &Gap) -> bool {
        if gap.newlines > 1 {
            return false;
        }
        let indented = token.start - gap.line_start >= 2;
        if before.kind == LineKind::Row || token.kind == Kind::Row {
            return token.kind == Kind::Row && (before.kind == LineKind::Row || before.piped);
        }
        if self.shape.degree == Degree::Sentences {
            return false;
        }
        match (before.kind, token.kind) {
            (_, Kind::FenceOpen) | (LineKind::Fence, _) => false,
            (LineKind::Marked(Marker::Heading), _) => true,
            (LineKind::Marked(Marker::Quote), Kind::Marker(Marker::Quote))
            | (LineKind::Marked(Marker::Item), Kind::Marker(Marker::Item)) => true,
            (LineKind::Marked(Marker::Item), kind) => indented && !matches!(kind, Kind::Marker(_)),
            _ => false,
        }
    }

    /// Whether the token is punctuation that belongs to the line before, if
    /// nothing is glued to it.
    fn is_carried(&self, token: Token) -> bool {
        let first = self.text.byte_at(token.start);
        if first.is_some_and(|first| first.is_ascii_alphanumeric()) {
            return false;
        }
        let text = self.text.slice(token.start, token.end);
        !text.is_empty()
            && !text.starts_with("..")
            && text.chars().all(|c| {
                matches!(
                    c,
                    '.' | ',' | '!' | '?' | ';' | '。' | '！' | '？' | '、' | '，'
                )
            })
    }

    pub(super) fn push_break(&mut self, place: Break) {
        if place.end > self.start {
            self.breaks.push(place);
        }
    }

    /// Asks for a new message at `place`.
    pub(super) fn push_boundary(&mut self, place: Break) {
        let begin = self.boundaries.back().map_or(self.start, |last| last.next);
        if place.end <= begin {
            return;
        }
        let first = self.text.byte_at(begin);
        if !first.is_some_and(|first| first.is_ascii_alphanumeric())
            && is_orphan(self.text.slice(begin, place.end))
        {
            self.journal.held(place.end, Hold::Punctuation);
            return;
        }
        if self.is_held(&place) {
            self.journal.held(place.end, Hold::Pair);
        } else if self.boundaries.is_empty() {
            self.flush(&place);
            return;
        }
        self.boundaries.push_back(place);
        self.settle();
    }

    /// Whether something that is open keeps a boundary from taking effect.
    fn is_held(&self, boundary: &Break) -> bool {
        self.spans.outermost().is_some_and(|at| at < boundary.end)
    }

    /// Whether the next token completes a message, whatever it is.
    pub(super) fn is_due(&self) -> bool {
        let first = self.boundaries.front();
        self.carry.is_some() || first.is_some_and(|first| !self.is_held(first))
    }

    /// Gives out the messages whose boundaries nothing holds back.
    pub(super) fn settle(&mut self) {
        while let Some(first) = self.boundaries.front().copied() {
            if self.is_held(&first) {
                return;
            }
            self.boundaries.pop_front();
            self.flush(&first);
        }
    }

    /// The message that is being gathered begins here.
    fn begin_at(&mut self, at: usize, units: usize) {
        let blank = self.text.slice(self.start, at);
        if !blank.is_empty() {
            self.journal.note(self.start, Reason::Spacing, blank, "");
        }
        self.start = at;
        self.start_units = units;
        self.end = at;
        self.end_units = units;
    }

    /// The text is over.
    pub(super) fn close(&mut self) {
        self.carry = None;
        if let Some(mut run) = self.run.take() {
            self.set_apart(&mut run);
        }
        self.spans.finish();
        self.settle();
        self.finish_last();
    }
}

/// Whether a line that begins so is ordinary text.
const fn is_plain(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Marker(_)
            | Kind::Row
            | Kind::Rule
            | Kind::FenceOpen
            | Kind::CodeText
            | Kind::FenceClose
    )
}
