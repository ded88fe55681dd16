//! Passing over what decides nothing.
//!
//! A word after a blank does nothing but make the message longer, unless
//! something waits for it: a boundary, an emoji, the limit. So whole stretches
//! of words are passed over at once, with the signs among them (`flow`), as far
//! as none of them would do more, and so are plain lines and lines of code.
//! While a text arrives, plain deltas are not even looked at until something
//! else comes. Neither changes what is decided.

use super::super::Degree;
use super::super::explain::Reason;
use super::super::scan::{Kind, Marker, Words, is_plain, is_plain_byte, plain_from};
use super::breaks::{self, Stretch};
use super::flow::Flow;
use super::keep::Keep;
use super::sign::{Sign, is_start};
use super::{Break, Chunker, Gap, LineKind, Rank, SentenceEnd, bound, units};

impl Chunker<'_> {
    /// Whether the end of a sentence is of no importance.
    pub(super) fn enders_are_plain(&self) -> bool {
        self.shape.degree != Degree::Sentences
    }

    /// How far plain text is sure to complete no message: nothing waits for
    /// the next token, and there is room.
    pub(super) fn find_calm(&self) -> usize {
        let waits = !matches!(self.line.kind, LineKind::Text | LineKind::Marked(_))
            || !self.boundaries.is_empty()
            || self.carry.is_some()
            || self.run.is_some()
            || self.gap.as_ref().is_some_and(Gap::matters)
            || self.keeps.back().is_some_and(Keep::is_open)
            || (self.sentence.is_some() && !self.enders_are_plain());
        let unread = self.text.rest(self.scanner.position());
        if waits
            || !self.scanner.is_inline()
            || !is_plain(unread.as_bytes(), self.enders_are_plain())
        {
            return 0;
        }
        self.end + self.room()
    }

    /// Passes over plain text after a token of the kind `last`, and over the
    /// plain lines that follow.
    pub(super) fn glide(&mut self, last: Kind) {
        let mut last = last;
        while self.glide_once(last) {
            last = Kind::Space;
        }
    }

    /// Passes over one thing; says whether there was one.
    fn glide_once(&mut self, last: Kind) -> bool {
        let rest = self.scanner.rest(self.text.text(), self.text.base());
        let may_glide = |&first: &u8| GLIDES[usize::from(first)];
        let busy = !rest.first().is_some_and(may_glide)
            || self.gap.is_some()
            || self.run.is_some()
            || self.clause == self.end
            || !self.scanner.is_inline()
            || self.is_due();
        let is_text = matches!(self.line.kind, LineKind::Text | LineKind::Marked(_));
        if busy || !is_text {
            return false;
        }
        match *rest {
            [b'\n', ..] => self.glide_over_line_ends(),
            [b' ', next, after, ..] if self.sentence.is_some() => {
                is_start(next, after) && self.glide_over_blank()
            }
            [b'(' | b')' | b'"' | b'*', _, ..] => {
                self.sentence.is_none() && self.glide_over_words() || self.glide_over_sign()
            }
            [b'[', ..] => self.glide_over_sign(),
            [first, ..] if self.sentence.is_none() => {
                // What follows a word at once is the rest of a long one.
                let goes_on =
                    last == Kind::Word && !matches!(first, b' ' | b'\t' | b'.' | b'!' | b'?');
                !goes_on && self.glide_over_words()
            }
            _ => false,
        }
    }

    /// Passes over a blank after the end of a sentence.
    fn glide_over_blank(&mut self) -> bool {
        if !self.boundaries.is_empty() {
            return false;
        }
        self.scanner.skip(1);
        let start = self.scanner.position();
        self.gap = Some(Gap::within_line(self.end, self.end_units));
        self.arrive_early(start);
        self.end = start;
        true
    }

    /// Passes over a sign, or several of a kind.
    fn glide_over_sign(&mut self) -> bool {
        if !self.boundaries.is_empty() || self.ends_wide() {
            return false;
        }
        let begin = self.scanner.position();
        let mut start = begin;
        while self.room() > 0
            && let Some(sign) = Sign::at(start, &self.text)
            && (!sign.is_square() || self.scanner.faces_no_link())
        {
            self.scanner.skip(sign.length);
            self.spans.expire(start);
            self.read(sign.token(start, &self.text));
            self.end += sign.length;
            self.end_units += sign.length;
            start = self.scanner.position();
            if !sign.is_repeated() {
                break;
            }
        }
        start > begin
    }

    /// Passes over line ends before a line of text.
    fn glide_over_line_ends(&mut self) -> bool {
        let (text, base) = (self.text.text(), self.text.base());
        let Some(newlines) = self.scanner.skip_line_ends(text, base) else {
            return false;
        };
        let start = self.scanner.position();
        self.gap = Some(Gap {
            newlines,
            line_start: start,
            ..Gap::within_line(self.end, self.end_units)
        });
        if self.scanner.is_inline() {
            self.arrive_early(start);
            self.end = start;
        }
        true
    }

    /// Passes over whole lines of code.
    pub(super) fn glide_over_code(&mut self) {
        if !self.boundaries.is_empty() || self.spans.is_open() {
            return;
        }
        let width = self.width(self.end_units);
        let room = (self.shape.max + bound::HOLD).saturating_sub(width);
        let Self {
            text,
            scanner,
            keeps,
            breaks,
            end: at,
            end_units: at_units,
            ..
        } = self;
        let Some(code) = keeps.back_mut().and_then(Keep::open_code_mut) else {
            return;
        };
        scanner.skip_code(text.text(), text.base(), room, |end, ascii| {
            let line = || text.slice(*at, end);
            let last = text.byte_before(end).filter(|_| end > *at);
            if last.is_some_and(|last| last.is_ascii_graphic()) || !line().trim().is_empty() {
                code.content = end;
            }
            let end_units = match ascii {
                true => *at_units + end - *at,
                false => *at_units + units(line()),
            };
            code.line_end = (end, end_units);
            (*at, *at_units) = (end + 1, end_units + 1);
            if code.content > 0 {
                breaks.push(Break {
                    end,
                    end_units,
                    next: *at,
                    next_units: *at_units,
                    rank: Rank::Line,
                    reason: Reason::Limit,
                    marker: None,
                });
            }
        });
    }

    /// Passes over words within a line; says whether there were any.
    fn glide_over_words(&mut self) -> bool {
        let held = !self.boundaries.is_empty();
        let most = self.room().min(self.spans.patience(self.end, held));
        let enders = self.enders_are_plain();
        let begin = self.scanner.position();
        let limit = begin.saturating_add(most);
        let (text, base) = (self.text.text(), self.text.base());
        let mut flow = Flow {
            text: &self.text,
            scanner: &mut self.scanner,
            spans: &mut self.spans,
            atoms: &mut self.atoms,
            breaks: &mut self.breaks,
            message: self.start,
            limit,
            max: self.shape.max,
            held,
            taken: begin,
        };
        let plain = plain_from(text, base, begin, limit, enders, |at| flow.pass(at));
        let taken = flow.taken;
        let Some(Words { end, next }) = self.scanner.skip_words(text, base, taken, plain.end)
        else {
            return false;
        };
        let width = match plain.ascii {
            true => end - self.end,
            false => units(self.text.slice(self.end, end)),
        };
        let marker = match self.line.kind {
            LineKind::Marked(marker) if marker != Marker::Item => Some(marker),
            _ => None,
        };
        let stretch = Stretch {
            start: self.end,
            start_units: self.end_units,
            end,
            end_units: self.end_units + width,
            marker,
        };
        self.breaks.push_stretch(stretch);
        self.end = end;
        self.end_units = stretch.end_units;
        let closing = self.breaks.closing_at(end);
        let run_end = closing.map_or(end, |closing| closing.enders);
        let start = breaks::enders_before(run_end, &self.text);
        self.line.text = true;
        self.line.ended = start < run_end;
        self.sentence = self.line.ended.then(|| SentenceEnd::at(start, run_end));
        if let (Some(closing), Some(sentence)) = (closing, &mut self.sentence) {
            sentence.extend(closing.end);
        }
        if next > end {
            self.gap = Some(Gap::within_line(end, self.end_units));
        }
        true
    }
}

/// Whether a byte may begin something to be passed over.
const GLIDES: [bool; 256] = {
    let mut glides = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let signs = matches!(byte as u8, b'\n' | b'(' | b')' | b'"' | b'*' | b'[');
        glides[byte] = signs || is_plain_byte(byte as u8);
        byte += 1;
    }
    glides
};
