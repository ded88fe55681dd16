//! Custom emoji stand in a message of their own, where Discord shows them big.
//!
//! Not in a list item, not within an open span, and not in mid-sentence.
//! Emoji of one family (the first three letters of their names) stay together.

use super::super::explain::{Hold, Reason};
use super::super::scan::{Kind, Marker, Tag, Token};
use super::{Break, Chunker, Gap, LineKind, Rank, bound};

/// How many letters of a name make a family.
const FAMILY: usize = 3;

/// Emoji in a row, up to the end of the text so far.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// Where the last one stands.
    last: (usize, usize),
    /// Where the first one begins.
    begin: usize,
    /// Whether it stands alone for sure; otherwise text on its right would
    /// make it part of the sentence.
    alone: bool,
    /// The boundaries it would make.
    boundaries: Vec<Break>,
}

impl Chunker<'_> {
    /// Decides what the next token does to the emoji before it.
    pub(super) fn meet_run(&mut self, mut run: Run, gap: Option<&Gap>, token: Token) {
        let next_line = gap.is_some_and(|gap| gap.newlines > 0);
        let emoji = token.kind == Kind::Tag(Tag::Emoji);
        if next_line || token.end - run.begin > bound::HOLD {
            self.set_apart(&mut run);
        }
        if !run.alone && !emoji {
            return;
        }
        if run.alone && !emoji && !next_line && self.is_trailing(token) {
            self.run = Some(run);
            return;
        }
        let related = emoji && self.is_family(run.last, (token.start, token.end));
        if !related {
            let boundary = self.break_at(gap, token, Rank::Line, Reason::Emoji);
            if run.alone {
                self.push_boundary(boundary);
            } else {
                run.boundaries.push(boundary);
            }
        }
        if emoji && (!next_line || related) {
            run.last = (token.start, token.end);
            self.run = Some(run);
        }
    }

    /// Takes an emoji in, once what precedes it has been dealt with.
    pub(super) fn take_emoji(&mut self, token: Token) {
        self.sentence = None;
        let in_item = self.line.kind == LineKind::Marked(Marker::Item);
        if self.run.is_some() {
            return;
        }
        if in_item || self.spans.is_open() {
            self.line.text = true;
            self.line.ended = false;
            return;
        }
        let alone = !self.line.text || self.line.ended;
        let mut run = Run {
            last: (token.start, token.end),
            begin: token.start,
            alone,
            boundaries: Vec::new(),
        };
        let boundary = self.break_before(token);
        if boundary.end > self.start {
            run.boundaries.push(boundary);
        }
        if alone {
            self.set_apart(&mut run);
        } else {
            self.journal.held(token.start, Hold::Emoji);
        }
        self.run = Some(run);
    }

    /// The run stands alone.
    pub(super) fn set_apart(&mut self, run: &mut Run) {
        run.alone = true;
        for boundary in run.boundaries.drain(..) {
            self.push_boundary(boundary);
        }
    }

    /// Whether the token is punctuation that stays with the emoji before it.
    fn is_trailing(&self, token: Token) -> bool {
        match token.kind {
            Kind::Ender | Kind::Clause => true,
            Kind::Word => {
                let text = self.text.slice(token.start, token.end);
                text.bytes().all(|byte| matches!(byte, b',' | b';' | b':'))
                    && self.text.char_at(token.end).is_none_or(char::is_whitespace)
            }
            _ => false,
        }
    }

    /// The break right before a token whose gap has been crossed already.
    fn break_before(&self, token: Token) -> Break {
        match self.breaks.noted().next_back() {
            Some(last) if last.next == token.start => Break {
                rank: Rank::Line,
                reason: Reason::Emoji,
                marker: None,
                ..*last
            },
            _ => Break {
                end: self.end,
                end_units: self.end_units,
                next: token.start,
                next_units: self.end_units,
                rank: Rank::Line,
                reason: Reason::Emoji,
                marker: None,
            },
        }
    }

    fn is_family(&self, a: (usize, usize), b: (usize, usize)) -> bool {
        let (a, b) = (self.emoji_name(a), self.emoji_name(b));
        if a == b {
            return true;
        }
        let letters = |name: &str| {
            let mut head = [0; FAMILY];
            let mut found = 0;
            for byte in name.bytes().filter(u8::is_ascii_alphanumeric).take(FAMILY) {
                head[found] = byte.to_ascii_lowercase();
                found += 1;
            }
            (found == FAMILY).then_some(head)
        };
        letters(a).is_some() && letters(a) == letters(b)
    }

    fn emoji_name(&self, at: (usize, usize)) -> &str {
        self.text.slice(at.0, at.1).split(':').nth(1).unwrap_or("")
    }
}
