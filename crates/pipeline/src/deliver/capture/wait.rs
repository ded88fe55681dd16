//! Waiting for what decides: the rest of a mark, or the end of inline code, in
//! which marks mean nothing.

use super::super::verbatim::Verbatim;
use super::tag::{self, Reading};
use super::{Capture, LONGEST_WAIT, Mode};

impl Capture {
    /// Waits for the end of inline code; says how much was taken.
    pub(super) fn wait(&mut self, text: &str, mut code: Verbatim, out: &mut String) -> usize {
        for (at, byte) in text.bytes().enumerate() {
            code.settle(byte);
            let ends = byte == b'\n' || self.held.len() + at >= LONGEST_WAIT;
            if !code.in_inline() {
                return self.is_code(&text[..at], code, out);
            }
            if ends && text.is_char_boundary(at) {
                let mut after = code;
                after.byte(byte);
                if after.in_fence() {
                    return self.is_code(&text[..at], code, out);
                }
                self.held.push_str(&text[..at]);
                self.no_code(false, out);
                return at;
            }
            code.byte(byte);
        }
        self.held.push_str(text);
        self.mode = Mode::Wait(code);
        text.len()
    }

    /// The mark and what follows is code: it passes.
    pub(super) fn is_code(&mut self, text: &str, code: Verbatim, out: &mut String) -> usize {
        let held = std::mem::take(&mut self.held);
        self.show(&held, out);
        self.show(text, out);
        self.code = code;
        self.mode = Mode::Open;
        text.len()
    }

    /// The backtick before the mark closes nowhere, so the mark counts.
    pub(super) fn no_code(&mut self, last: bool, out: &mut String) {
        self.code.give_up_inline();
        self.mode = Mode::Open;
        let held = std::mem::take(&mut self.held);
        self.feed(&held, last, out);
    }

    /// Adds `text` to what may be a mark, and decides if possible.
    pub(super) fn decide(&mut self, text: &str, last: bool, out: &mut String) {
        self.held.push_str(text);
        match tag::read(&self.held, last) {
            Reading::Partial => {}
            Reading::Yes(mark) if self.wanted(mark).is_some() => {
                let length = self.wanted(mark).unwrap_or(0);
                let rest = self.held.split_off(length);
                self.begin(mark);
                self.feed(&rest, last, out);
            }
            Reading::No | Reading::Yes(_) => self.release(last, out),
        }
    }

    /// What is held begins with no mark: shows its first byte, which is ASCII,
    /// and looks at the rest again.
    pub(super) fn release(&mut self, last: bool, out: &mut String) {
        let mut held = std::mem::replace(&mut self.held, std::mem::take(&mut self.spare));
        self.mode = Mode::Open;
        let first = held.bytes().next().unwrap_or(0);
        self.code.byte(first);
        self.show(&held[..1], out);
        self.feed(&held[1..], last, out);
        held.clear();
        self.spare = held;
    }
}
