//! What may stand among words without being worth a token of its own.
//!
//! Brackets, quotation marks and emphasis within a sentence or at its end, and
//! addresses, links and code without blanks: each does what its token would
//! do, and the words go on after it.

use std::collections::VecDeque;

use memchr::memchr2;

use super::super::scan::{Kind, Scanner, Tag};
use super::breaks::{Breaks, Closing};
use super::sign::{Met, Sign};
use super::span::Spans;
use super::window::Window;

/// Words that are being passed over, and all that signs among them change.
pub(super) struct Flow<'a, 't> {
    pub(super) text: &'a Window<'t>,
    pub(super) scanner: &'a mut Scanner,
    pub(super) spans: &'a mut Spans,
    pub(super) atoms: &'a mut VecDeque<(usize, usize)>,
    pub(super) breaks: &'a mut Breaks,
    /// Where the message begins.
    pub(super) message: usize,
    /// How far the words may go.
    pub(super) limit: usize,
    /// The most units of a message.
    pub(super) max: usize,
    /// Boundaries wait for something to be closed.
    pub(super) held: bool,
    /// Up to here, everything was taken note of.
    pub(super) taken: usize,
}

impl Flow<'_, '_> {
    /// Takes note of what stands at `at` and returns its length; or 0, if it is
    /// worth a token.
    #[inline]
    pub(super) fn pass(&mut self, at: usize) -> usize {
        let length = match self.text.byte_at(at) {
            _ if self.held => 0,
            Some(b'(' | b')' | b'"' | b'*') => self.pass_sign(at),
            Some(b'[' | b'`') => self.pass_atom(at, at),
            Some(b'<') if !self.faces_emoji(at) => self.pass_atom(at, at),
            Some(b':') => self.pass_colon(at),
            _ => 0,
        };
        if length > 0 {
            self.taken = at + length;
        }
        length
    }

    #[inline]
    fn pass_sign(&mut self, at: usize) -> usize {
        let Some(sign) = Sign::at(at, self.text).filter(|sign| at + sign.length <= self.limit)
        else {
            return 0;
        };
        if sign.is_in_words() {
            self.meet(&sign, at);
            return sign.length;
        }
        if !sign.ends_sentence(at, self.text) || self.meet(&sign, at) == Met::Nothing {
            return 0;
        }
        self.breaks.push_closing(Closing {
            enders: at,
            end: at + sign.length,
        });
        sign.length
    }

    fn meet(&mut self, sign: &Sign, at: usize) -> Met {
        self.spans.expire(at);
        let token = sign.token(at, self.text);
        match token.kind {
            Kind::Delimiter {
                mark,
                opens,
                closes,
            } => self.spans.meet_delimiter(token, mark, opens, closes),
            _ => {
                let sign = char::from(sign.byte);
                self.spans.meet_pair(token, sign, self.text, self.message)
            }
        }
    }

    /// Whether what begins at `at` may be a custom emoji, worth a token.
    fn faces_emoji(&self, at: usize) -> bool {
        matches!(self.text.byte_at(at + 1), Some(b':' | b'a'))
    }

    /// A colon may be that of an address.
    fn pass_colon(&mut self, at: usize) -> usize {
        let before = self.text.slice(self.taken, at).as_bytes();
        let scheme = [&b"https"[..], b"http"]
            .into_iter()
            .find(|scheme| before.ends_with(scheme));
        match scheme {
            Some(scheme) => self.pass_atom(at - scheme.len(), at),
            None => 0,
        }
    }

    /// Something at `start` must not be cut; the words end at `at`.
    fn pass_atom(&mut self, start: usize, at: usize) -> usize {
        // What looks like the end of a sentence may begin an image.
        if self.text.byte_before(at) == Some(b'!') {
            return 0;
        }
        let (text, base) = (self.text.text(), self.text.base());
        let Some(atom) = self.scanner.peek(text, base, start) else {
            return 0;
        };
        let is_kept = match atom.kind {
            Kind::Tag(tag) => tag != Tag::Emoji,
            Kind::Url | Kind::Link | Kind::Code | Kind::AngleUrl => true,
            _ => false,
        };
        let blank = |atom: &str| memchr2(b' ', b'\t', atom.as_bytes());
        if !is_kept
            || atom.end > self.limit
            || atom.end - start > self.max
            || blank(self.text.slice(start, atom.end)).is_some()
        {
            return 0;
        }
        self.atoms.push_back((start, atom.end));
        atom.end - at
    }
}
