//! One voice: labels of our own name go, lines of others end the answer.

use kaiwa_domain::Miss;

use crate::deliver::capture::feed_held;
use crate::deliver::explain::{Change, Reason};
use crate::deliver::pack::Packer;
use crate::deliver::settings::Speech;

use super::label::{Label, Names, Speaker};
use place::{Spot, VoicePlace};
use wardrobe::Wardrobe;

mod place;
mod wardrobe;

/// Whether a byte may change anything in the middle of a line: what ends a
/// line, a sentence or a tag. Of the longer characters, only those that may end
/// a sentence are looked at.
const fn matters(byte: u8) -> bool {
    matches!(byte, b'\n' | b'.' | b'!' | b'?' | b'>' | 0xe2 | 0xe3 | 0xef)
}

/// Keeps the answer in one voice, as it streams.
///
/// - Our own name in front of a line is removed. In the middle of a line, after
///   the end of a sentence or an emoji, it becomes a new line.
/// - Somebody else's name in front of a line ends the answer: the rest is
///   removed, and [`Voice::ended`] says that the model may be stopped. In front
///   of the whole answer only the name is removed, since there is nothing
///   better to show. Words that label what follows, like "Note", are nobody's
///   name, whatever members call themselves.
/// - A remark after our own name, as in `Mia (smiling):`, puts on the look of
///   that name, which lasts until our name comes again, or ends with the line.
///
/// Code, list items, quotes and headings are left alone.
#[derive(Clone, Debug)]
pub(in crate::deliver) struct Voice {
    names: Names,
    place: VoicePlace,
    mode: Mode,
    /// What may be a label.
    pub(in crate::deliver) held: String,
    /// Where `held` begins in the stream.
    at: usize,
    removals: Vec<Change>,
    wardrobe: Wardrobe,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Text passes through; nothing is held.
    Open,
    /// Held text may be a label.
    Label,
    /// A label was removed; the spaces after it go too.
    Space,
    /// Somebody else speaks.
    Over,
}

impl Voice {
    /// For an answer of a speaker among others.
    pub(in crate::deliver) fn new(speech: &Speech) -> Self {
        Self {
            names: Names::new(speech),
            wardrobe: Wardrobe::new(&speech.looks),
            place: VoicePlace::start(),
            mode: Mode::Open,
            held: String::new(),
            at: 0,
            removals: Vec::new(),
        }
    }

    /// Takes the next piece and hands on what may be shown.
    pub(in crate::deliver) fn push(&mut self, delta: &str, out: &mut Packer<'_>) {
        let mut held = std::mem::take(&mut self.held);
        feed_held(&mut held, delta, |text| self.feed(text, false, out));
        self.held = held;
    }

    /// The text is over: decides on what is held.
    pub(in crate::deliver) fn finish(&mut self, out: &mut Packer<'_>) {
        let held = std::mem::take(&mut self.held);
        self.feed(&held, true, out);
        self.wardrobe.take_off(out);
    }

    /// What went before was no part of the answer: it begins here. Nothing may
    /// be held.
    pub(in crate::deliver) fn restart(&mut self) {
        self.place = VoicePlace::start();
        self.mode = Mode::Open;
        self.wardrobe.restart();
    }

    /// Whether somebody else began to speak: nothing more will be shown.
    pub(in crate::deliver) fn ended(&self) -> bool {
        self.mode == Mode::Over
    }

    /// What was taken out of the text, which is over.
    pub(in crate::deliver) fn take_removals(&mut self) -> Vec<Change> {
        self.at = 0;
        std::mem::take(&mut self.removals)
    }

    /// Takes as much of `text` as can be decided on; says how much that is.
    fn feed(&mut self, text: &str, last: bool, out: &mut Packer<'_>) -> usize {
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            at += match self.mode {
                Mode::Open => self.pass(rest, out),
                Mode::Label => match self.decide(rest, last, out) {
                    0 => break,
                    taken => taken,
                },
                Mode::Space => {
                    let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
                    if spaces < rest.len() {
                        self.mode = Mode::Open;
                    }
                    self.extend_removal(&rest[..spaces])
                }
                Mode::Over => self.extend_removal(rest),
            };
        }
        at
    }

    /// Passes text through up to a place where a label may begin; says how
    /// much was taken.
    fn pass(&mut self, text: &str, out: &mut Packer<'_>) -> usize {
        let bytes = text.as_bytes();
        let (mut at, mut shown) = (0, 0);
        while let Some(&byte) = bytes.get(at) {
            if self.place.spot == Spot::None && !matters(byte) {
                at += 1;
                continue;
            }
            if at > 0 {
                self.place.last = bytes[at - 1];
            }
            let Some(c) = text[at..].chars().next() else {
                break;
            };
            let begins_line = self.place.spot == Spot::Line && !c.is_whitespace();
            if begins_line && self.wardrobe.is_over() {
                self.show(&text[shown..at], out);
                shown = at;
                if !out.text.may_be_code(byte) {
                    self.wardrobe.take_off(out);
                }
            }
            if self.may_label(c) {
                self.show(&text[shown..at], out);
                shown = at;
                if !out.text.may_be_code(byte) {
                    self.mode = Mode::Label;
                    return at;
                }
            }
            if c == '\n' {
                self.wardrobe.end_line();
            }
            self.place.read(c);
            at += c.len_utf8();
        }
        self.show(&text[shown..], out);
        text.len()
    }

    fn show(&mut self, text: &str, out: &mut Packer<'_>) {
        if text.is_empty() {
            return;
        }
        out.push(text);
        self.at += text.len();
        self.place.last = text.bytes().next_back().unwrap_or(self.place.last);
    }

    /// Whether a label may begin with `c`, unless it is code.
    fn may_label(&self, c: char) -> bool {
        match self.place.spot {
            Spot::Line => self.names.may_begin(c, true),
            Spot::Sentence => self.place.plain && self.names.may_begin(c, false),
            Spot::None => false,
        }
    }

    /// Decides on the label that `text` may begin with, if possible; says how
    /// much was taken.
    fn decide(&mut self, text: &str, last: bool, out: &mut Packer<'_>) -> usize {
        let in_front = self.place.spot == Spot::Line;
        match self.names.read(text, last, in_front) {
            Ok(label) => self.remove(&text[..label.2], label, out),
            Err(Miss::Ended) => 0,
            Err(Miss::Differs) => self.release(text, out),
        }
    }

    /// `text` begins with no label: shows its first character.
    fn release(&mut self, text: &str, out: &mut Packer<'_>) -> usize {
        self.mode = Mode::Open;
        let mut rest = text.chars();
        let first = rest.next().unwrap_or_default();
        if first == '*' && self.place.spot == Spot::Line && rest.as_str().starts_with(' ') {
            self.place.plain = false;
        }
        self.place.read(first);
        self.show(&text[..first.len_utf8()], out);
        if self.place.spot == Spot::Line {
            self.place.spot = Spot::None;
        }
        first.len_utf8()
    }

    /// Takes a label out of the stream.
    fn remove(&mut self, text: &str, (speaker, look, _): Label, out: &mut Packer<'_>) -> usize {
        let rule = match speaker {
            Speaker::Own => Reason::OwnLabel,
            Speaker::Other if self.place.begun => Reason::Speaker,
            Speaker::Other => Reason::OpeningLabel,
        };
        let ends = rule == Reason::Speaker;
        let in_front = ends || self.place.spot == Spot::Line;
        let with = if in_front { "" } else { "\n" };
        out.push(with);
        if rule == Reason::OwnLabel {
            self.wardrobe.wear(look, out);
        }
        self.place.plain |= !in_front;
        self.place.spot = Spot::Line;
        self.mode = if ends { Mode::Over } else { Mode::Space };
        self.removals.push(Change::new(self.at, rule, "", with));
        self.extend_removal(text)
    }

    /// The answer goes on in a look.
    pub(in crate::deliver) fn resume_in(&mut self, look: usize, out: &mut Packer<'_>) {
        self.wardrobe.wear(Some(look), out);
    }

    /// The removal goes on with `text`; says how much that is.
    fn extend_removal(&mut self, text: &str) -> usize {
        if let Some(removal) = self.removals.last_mut() {
            removal.removed.push_str(text);
        } else if !text.is_empty() {
            // What it goes on with was taken already.
            let rule = match self.mode {
                Mode::Over => Reason::Speaker,
                _ => Reason::OwnLabel,
            };
            self.removals.push(Change::new(self.at, rule, text, ""));
        }
        self.at += text.len();
        text.len()
    }
}

#[cfg(test)]
mod tests;
