//! What the model did not mean for the reader.
//!
//! [`Capture`] stands first in the stream. Visible text passes through at once
//! and in order; `<think>` and `<details>` blocks, notes that pretend to come
//! from the system and tokens of the model's template are taken out where they
//! stand. Code is left alone.
//!
//! - A block ends at its first closing tag, or with the text. Blocks do not
//!   nest: a thought that talks about `<think>` must not swallow the answer.
//! - A closing tag that closes nothing is removed, and nothing else: what was
//!   passed on stays passed on. [`Capture::take_strays`] says where, so that
//!   what was not yet shown to anybody can be taken back as a
//!   [thought](Capture::think).
//! - Text is held back only while it may be the beginning of a tag, or while it
//!   is not yet clear whether a tag stands in inline code; both are bounded.

mod block;
mod tag;

use kaiwa_domain::Miss;

use super::edit::{Rule, Rules};
use super::explain::Change;
use super::verbatim::Verbatim;
use tag::{Block, TagMark};

/// How far inline code is waited for, in bytes, once a tag was seen in it.
const LONGEST_WAIT: usize = 512;
/// A made-up system note that is not closed within this many bytes ends there.
const LONGEST_NOTE: usize = 2000;

/// Takes out of a stream what the reader must not see.
#[derive(Clone, Debug)]
pub struct Capture {
    rules: Rules,
    /// The code in what was passed on.
    code: Verbatim,
    /// What is not decided yet, or the block that is being captured.
    held: String,
    inside: Option<Inside>,
    /// Where `held` begins in the stream.
    at: usize,
    removals: Vec<Change>,
    /// What was captured: thoughts and details.
    kept: [Vec<String>; 2],
    /// How much this push has shown.
    shown: usize,
    /// Where in that a thought was closed that was never opened.
    strays: Vec<usize>,
}

/// The block that is being captured, mark included.
#[derive(Clone, Copy, Debug)]
struct Inside {
    block: Block,
    /// The length of the opening mark.
    opening: usize,
    /// How far its end was looked for.
    searched: usize,
    /// Open brackets, for notes; none once the note is closed.
    depth: usize,
}

impl Capture {
    /// For a new answer.
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            code: Verbatim::default(),
            held: String::new(),
            inside: None,
            at: 0,
            removals: Vec::new(),
            kept: [Vec::new(), Vec::new()],
            shown: 0,
            strays: Vec::new(),
        }
    }

    /// Takes the next piece and appends what is visible to `out`.
    pub fn push(&mut self, delta: &str, out: &mut String) {
        if self.held.is_empty() {
            let rest = self.feed(delta, false, out);
            if rest < delta.len() {
                self.held.push_str(&delta[rest..]);
            }
        } else {
            self.held.push_str(delta);
            self.go_on(false, out);
        }
    }

    /// The text is over: decides on what is held. An open block is captured.
    pub fn finish(&mut self, out: &mut String) {
        self.go_on(true, out);
    }

    /// Whether the model went on to speak for somebody else, in its own
    /// template: nothing more will be visible, so it may be stopped.
    pub fn ended(&self) -> bool {
        (self.inside).is_some_and(|inside| inside.block == Block::Turn)
    }

    /// What was taken out since the last call.
    pub fn take_removals(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.removals)
    }

    /// Where thoughts were closed that were never opened, in bytes of what the
    /// last push appended.
    pub fn take_strays(&mut self) -> Vec<usize> {
        self.shown = 0;
        std::mem::take(&mut self.strays)
    }

    /// Adds a thought that was taken back.
    pub fn think(&mut self, thought: &str) {
        block::keep(&mut self.kept[0], thought.trim());
    }

    /// The thoughts captured since the last call.
    pub fn take_thoughts(&mut self) -> Vec<String> {
        std::mem::take(&mut self.kept[0])
    }

    /// The details captured since the last call.
    pub fn take_details(&mut self) -> Vec<String> {
        std::mem::take(&mut self.kept[1])
    }

    fn go_on(&mut self, last: bool, out: &mut String) {
        let mut held = std::mem::take(&mut self.held);
        let rest = self.feed(&held, last, out);
        held.drain(..rest);
        self.held = held;
    }

    /// Takes as much of `text` as can be decided on; says how much that is.
    fn feed(&mut self, text: &str, last: bool, out: &mut String) -> usize {
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let taken = match self.inside {
                None => self.pass(rest, last, out),
                Some(inside) if inside.block == Block::Note => self.note(inside, rest, last, out),
                Some(inside) => self.enclose(inside, rest, last),
            };
            if taken == 0 && self.inside.is_none_or(|inside| inside.searched > 0) {
                break;
            }
            at += taken;
        }
        at
    }

    /// Passes text through up to what is held or begins a block; says how much
    /// was taken.
    fn pass(&mut self, text: &str, last: bool, out: &mut String) -> usize {
        let bytes = text.as_bytes();
        let (mut from, mut shown) = (0, 0);
        while let Some(at) = bytes[from..]
            .iter()
            .position(|byte| matches!(byte, b'<' | b'['))
        {
            let at = from + at;
            from = at + 1;
            if !tag::may_go_on(&bytes[at..]) {
                continue;
            }
            let near = text.floor_char_boundary(at + tag::LONGEST + 4);
            let mark = match tag::read(&text[at..near], last) {
                Ok(mark) if self.rule_for(mark).is_some() => Some(mark),
                Err(Miss::Ended) => None,
                _ => continue,
            };
            self.show(&text[shown..at], out);
            shown = at;
            let Some(mark) = mark else {
                return at;
            };
            if self.code.may_hold(bytes[at]) {
                let near = text.floor_char_boundary(at + LONGEST_WAIT);
                let known = last || near < text.len();
                match self.code.holds(&text[at..near], known) {
                    Some(true) => continue,
                    Some(false) => {}
                    None => return at,
                }
            }
            return at + self.begin(mark, &text[at..]);
        }
        self.show(&text[shown..], out);
        text.len()
    }

    fn show(&mut self, text: &str, out: &mut String) {
        out.push_str(text);
        self.code.show(text);
        self.at += text.len();
        self.shown += text.len();
    }

    /// The rule in force that acts on a mark.
    fn rule_for(&self, mark: TagMark) -> Option<Rule> {
        let rule = match mark {
            TagMark::Open(block, _) => rule_of(block),
            TagMark::Close(block, _) if self.rules.has(rule_of(block)) => Rule::StrayTag,
            TagMark::Close(..) => return None,
            TagMark::Token(_) => Rule::ControlToken,
        };
        self.rules.has(rule).then_some(rule)
    }

    /// Acts on the mark that `text` begins with; says how much was taken.
    fn begin(&mut self, mark: TagMark, text: &str) -> usize {
        match mark {
            TagMark::Open(block, opening) => {
                self.inside = Some(Inside {
                    block,
                    opening,
                    searched: 0,
                    depth: 1,
                });
                0
            }
            TagMark::Close(block, length) => {
                if block == Block::Thought {
                    self.strays.push(self.shown);
                }
                self.remove(Rule::StrayTag, &text[..length])
            }
            TagMark::Token(length) => self.remove(Rule::ControlToken, &text[..length]),
        }
    }

    /// Takes `text` out of the stream.
    fn remove(&mut self, rule: Rule, text: &str) -> usize {
        self.removals.push(Change::removal(self.at, rule, text));
        self.at += text.len();
        text.len()
    }
}

const fn rule_of(block: Block) -> Rule {
    match block {
        Block::Thought => Rule::Thought,
        Block::Details => Rule::Details,
        Block::Note => Rule::SystemNote,
        Block::Turn => Rule::ControlToken,
    }
}

#[cfg(test)]
mod tests;
