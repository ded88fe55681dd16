//! One voice: labels of our own name go, lines of others end the answer.

use kaiwa_domain::Miss;

use crate::deliver::edit::{Rule, Rules};
use crate::deliver::explain::{Change, Reason};
use crate::deliver::pack::Packer;
use crate::deliver::settings::Speech;

use super::label::{Names, Speaker};
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
///
/// - A remark after our own name, as in `Mia (smiling):`, puts on the look of
///   that name, which lasts until our name comes again, or ends with the line.
///
/// Code, list items, quotes and headings are left alone.
#[derive(Clone, Debug)]
pub(in crate::deliver) struct Voice {
    rules: Rules,
    names: Names,
    place: VoicePlace,
    mode: Mode,
    /// What may be a label.
    held: String,
    /// Where `held` begins in the stream.
    at: usize,
    removals: Vec<Change>,
    /// The rule of the last removal.
    removing: Rule,
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
    pub(in crate::deliver) fn new(rules: Rules, speech: &Speech) -> Self {
        Self {
            rules,
            names: Names::new(speech, rules),
            wardrobe: Wardrobe::new(&speech.looks),
            place: VoicePlace::start(),
            mode: Mode::Open,
            held: String::new(),
            at: 0,
            removals: Vec::new(),
            removing: Rule::OwnLabel,
        }
    }

    /// Takes the next piece and hands on what may be shown.
    pub(in crate::deliver) fn push(&mut self, delta: &str, out: &mut Packer<'_>) {
        self.feed(delta, false, out);
    }

    /// The text is over: decides on what is held.
    pub(in crate::deliver) fn finish(&mut self, out: &mut Packer<'_>) {
        while !self.held.is_empty() {
            self.decide(true, out);
        }
        self.wardrobe.take_off(out);
    }

    /// What went before was no part of the answer: it begins here. Nothing may
    /// be held.
    pub(in crate::deliver) fn restart(&mut self) {
        self.place = VoicePlace::start();
        self.mode = Mode::Open;
        self.wardrobe.restart();
    }

    /// What may be a label.
    pub(in crate::deliver) fn held(&self) -> &str {
        &self.held
    }

    /// Whether somebody else began to speak: nothing more will be shown.
    pub(in crate::deliver) fn ended(&self) -> bool {
        self.mode == Mode::Over
    }

    /// What was taken out since the last call.
    pub(in crate::deliver) fn take_removals(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.removals)
    }

    fn feed(&mut self, mut text: &str, last: bool, out: &mut Packer<'_>) {
        while !text.is_empty() {
            let taken = match self.mode {
                Mode::Open => self.pass(text, out),
                Mode::Label => {
                    let room = self.names.longest().saturating_sub(self.held.len());
                    let room = text.ceil_char_boundary(room.clamp(1, text.len()));
                    self.held.push_str(&text[..room]);
                    self.decide(last, out);
                    room
                }
                Mode::Space => {
                    let spaces = text.len() - text.trim_start_matches([' ', '\t']).len();
                    self.extend_removal(&text[..spaces]);
                    if spaces < text.len() {
                        self.mode = Mode::Open;
                    }
                    spaces
                }
                Mode::Over => {
                    self.extend_removal(text);
                    text.len()
                }
            };
            text = &text[taken..];
        }
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
                if !out.may_be_code(byte) {
                    self.wardrobe.take_off(out);
                }
            }
            if self.may_label(c) {
                self.show(&text[shown..at], out);
                shown = at;
                if !out.may_be_code(byte) {
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

    /// Decides on what is held, if possible.
    fn decide(&mut self, last: bool, out: &mut Packer<'_>) {
        let in_front = self.place.spot == Spot::Line;
        let label = match self.names.read(&self.held, last, in_front) {
            Err(Miss::Ended) => return,
            label => label.ok(),
        };
        match label.and_then(|(speaker, length)| Some((self.verdict(speaker)?, length))) {
            Some((rule, length)) => self.remove(length, rule, last, out),
            None => self.release(last, out),
        }
    }

    /// The rule that acts on a label of `speaker` here.
    fn verdict(&self, speaker: Speaker) -> Option<Rule> {
        let rule = match speaker {
            Speaker::Own => Rule::OwnLabel,
            Speaker::Known if !self.place.begun => Rule::OpeningLabel,
            Speaker::Known => Rule::Speaker,
            Speaker::Anyone if !self.place.begun => return None,
            Speaker::Anyone => Rule::AnySpeaker,
        };
        self.rules.has(rule).then_some(rule)
    }

    /// What is held begins with no label: shows its first character and looks
    /// at the rest again.
    fn release(&mut self, last: bool, out: &mut Packer<'_>) {
        let held = std::mem::take(&mut self.held);
        self.mode = Mode::Open;
        let mut rest = held.chars();
        if let Some(first) = rest.next() {
            if first == '*' && self.place.spot == Spot::Line && rest.as_str().starts_with(' ') {
                self.place.plain = false;
            }
            self.place.read(first);
            self.show(&held[..first.len_utf8()], out);
            if self.place.spot == Spot::Line {
                self.place.spot = Spot::None;
            }
        }
        self.feed(rest.as_str(), last, out);
    }

    /// Takes the label, the first `length` bytes of `held`, out of the stream.
    fn remove(&mut self, length: usize, rule: Rule, last: bool, out: &mut Packer<'_>) {
        let ends = matches!(rule, Rule::Speaker | Rule::AnySpeaker);
        let held = std::mem::take(&mut self.held);
        let (label, rest) = held.split_at(length);
        let in_front = ends || self.place.spot == Spot::Line;
        let with = if in_front { "" } else { "\n" };
        out.push(with);
        if rule == Rule::OwnLabel {
            self.wardrobe.put_on(label, out);
        }
        self.place.plain |= !in_front;
        self.place.spot = Spot::Line;
        self.removing = rule;
        self.removals
            .push(Change::new(self.at, Reason::Rule(rule), "", with));
        self.extend_removal(label);
        self.mode = if ends { Mode::Over } else { Mode::Space };
        self.feed(rest, last, out);
    }

    /// The answer goes on in a look.
    pub(in crate::deliver) fn resume_in(&mut self, look: usize, out: &mut Packer<'_>) {
        self.wardrobe.wear(Some(look), out);
    }

    fn extend_removal(&mut self, text: &str) {
        if let Some(removal) = self.removals.last_mut() {
            removal.removed.push_str(text);
        } else if !text.is_empty() {
            // What it goes on with was taken already.
            self.removals
                .push(Change::removal(self.at, self.removing, text));
        }
        self.at += text.len();
    }
}

#[cfg(test)]
mod tests;
