//! What a token does to the message that is being gathered.

use super::super::scan::{Kind, Tag, Token};
use super::keep::Keep;
use super::{Chunker, LineKind, SentenceEnd, units};

impl Chunker<'_> {
    /// Reads what has arrived.
    pub(super) fn scan(&mut self, done: bool) {
        while let Some(token) = self.scanner.next(self.text.text(), self.text.base(), done) {
            self.take(token);
            match token.kind {
                Kind::Newline => self.glide_over_code(),
                last => self.glide(last),
            }
        }
        if self.gap.is_some() && !done {
            self.anticipate();
        }
    }

    /// The first letter of a word is enough to know what to do about the gap
    /// before it, so that a message need not wait for the whole word.
    fn anticipate(&mut self) {
        let start = self.scanner.position();
        if self.scanner.expects_row() || !self.text.char_at(start).is_some_and(char::is_alphabetic)
        {
            return;
        }
        self.arrive_early(start);
    }

    /// A word begins at `start`, whatever it is.
    pub(super) fn arrive_early(&mut self, start: usize) {
        self.spans.expire(start);
        self.settle();
        self.arrive(Token {
            kind: Kind::Word,
            start,
            end: start,
        });
    }

    fn take(&mut self, token: Token) {
        self.spans.expire(token.start);
        if !self.boundaries.is_empty() {
            self.settle();
        }
        match token.kind {
            Kind::Space => {
                // Within code, blanks are code.
                if self.keeps.back().is_some_and(Keep::is_open_code) {
                    self.end_code(token.start);
                }
                self.take_blank(token, false);
            }
            Kind::Newline => self.take_newline(token),
            _ => self.take_content(token),
        }
    }

    fn take_newline(&mut self, token: Token) {
        if self.keeps.back().is_some_and(Keep::is_open_code) {
            self.take_code_line_end(token);
        } else {
            self.take_blank(token, true);
        }
    }

    fn take_content(&mut self, token: Token) {
        let in_code = matches!(token.kind, Kind::CodeText | Kind::FenceClose);
        if !in_code && self.keeps.back().is_some_and(Keep::is_open_code) {
            self.end_code(token.start);
        }
        if in_code {
            self.take_code(token);
            return;
        }
        if !self.joins_quietly(token) {
            self.arrive(token);
        }
        self.overflow();
        self.read(token);
        self.end_units += units(self.text.slice(token.start, token.end));
        self.end = token.end;
    }

    /// Whether nothing lies between the last token and this one, and nothing is
    /// to be done about it.
    #[inline]
    fn joins_quietly(&self, token: Token) -> bool {
        self.gap.is_none()
            && self.run.is_none()
            && self.carry.is_none()
            && self.sentence.is_none()
            && self.clause != token.start
            && self.line.kind != LineKind::Fence
            && token.kind != Kind::FenceOpen
    }

    /// Deals with what lies between the last token and this one.
    pub(super) fn arrive(&mut self, token: Token) {
        if self.carry.is_some() {
            self.drop_carry();
        }
        let mut gap = self.gap.take();
        if let Some(gap) = &mut gap {
            self.measure(gap, token);
        }
        if let Some(run) = self.run.take() {
            self.meet_run(run, gap.as_ref(), token);
        }
        match gap {
            Some(gap) => self.cross(&gap, token),
            None => self.join(token),
        }
    }

    /// What must not be cut. Of a link that is too long, that is the address.
    fn take_atom(&mut self, token: Token) {
        let text = self.text.slice(token.start, token.end);
        let start = if text.len() > self.shape.max {
            token.start + text.rfind("](").map_or(0, |label| label + 2)
        } else {
            token.start
        };
        self.atoms.push_back((start, token.end));
    }

    /// Takes note of what the token does to the line, the spans and the atoms.
    pub(super) fn read(&mut self, token: Token) {
        let plain = match token.kind {
            Kind::Word => true,
            Kind::Clause => {
                self.clause = token.end;
                true
            }
            Kind::Ender => {
                self.sentence = Some(SentenceEnd::at(token.start, token.end));
                self.line.text = true;
                self.line.ended = true;
                return;
            }
            Kind::Pair(sign) => {
                self.take_pair(token, sign);
                self.line.text = true;
                return;
            }
            Kind::Delimiter {
                mark,
                opens,
                closes,
            } => {
                if mark == b'|' {
                    self.line.piped = true;
                }
                self.take_delimiter(token, mark, opens, closes);
                self.line.text = true;
                return;
            }
            Kind::Tag(Tag::Emoji) => {
                self.atoms.push_back((token.start, token.end));
                self.take_emoji(token);
                return;
            }
            Kind::Marker(marker) => {
                if self.line.kind == LineKind::Text {
                    self.line.kind = LineKind::Marked(marker);
                }
                return;
            }
            Kind::Row => {
                self.line.kind = LineKind::Row;
                self.take_row(token);
                true
            }
            Kind::Rule => {
                self.line.kind = LineKind::Rule;
                true
            }
            Kind::FenceOpen => {
                self.line.kind = LineKind::Fence;
                self.open_code(token);
                true
            }
            _ => {
                self.take_atom(token);
                true
            }
        };
        if plain {
            self.line.text = true;
            self.line.ended = false;
            self.sentence = None;
        }
    }
}
