//! What the model did not mean for the reader.
//!
//! [`Capture`] stands first in the stream. Visible text passes through at once
//! and in order; `<think>` and `<details>` blocks, notes that pretend to come
//! from the system and tokens of the model's template are taken out where they
//! stand. Code is left alone.
//!
//! - A block ends at its first closing tag, or with the text. Blocks do not
//!   nest: a thought that talks about `<think>` must not swallow the answer.
//! - A closing tag that closes nothing is removed. What was passed on before it
//!   is [taken back](Visible::take_back) as a thought, if nobody has seen it.
//! - Text is held back only while it may be the beginning of a tag, or while it
//!   is not yet clear whether a tag stands in inline code; both are bounded.

mod block;
mod tag;

use kaiwa_domain::Miss;

use super::edit::{Rule, Rules};
use super::explain::Change;
use tag::TagMark;

/// How far inline code is waited for, in bytes, once a tag was seen in it.
const LONGEST_WAIT: usize = 512;
/// A made-up system note that is not closed within this many bytes ends there.
const LONGEST_NOTE: usize = 2000;

/// Takes what is visible of a text.
pub(super) trait Visible {
    /// The text goes on.
    fn show(&mut self, text: &str);

    /// A thought was closed that was never opened: the text so far was that
    /// thought, if nobody has seen any of it.
    fn take_back(&mut self) -> Option<String>;

    /// Whether `next`, which follows, begins in code; unknown if that depends
    /// on what follows it, unless it is `last`.
    fn is_code(&mut self, next: &str, last: bool) -> Option<bool>;
}

/// Takes out of a stream what the reader must not see.
#[derive(Clone, Debug)]
pub(super) struct Capture {
    rules: Rules,
    /// What is not decided yet, or the block that is being captured.
    held: String,
    inside: Option<Inside>,
    /// Where `held` begins in the stream.
    at: usize,
    removals: Vec<Change>,
    /// What was captured: thoughts and details.
    kept: [Vec<String>; 2],
}

/// The block that is being captured, mark included.
#[derive(Clone, Copy, Debug)]
struct Inside {
    /// What takes it out.
    rule: Rule,
    /// The length of the opening mark.
    opening: usize,
    /// How far its end was looked for.
    searched: usize,
    /// Open brackets, for notes; none once the note is closed.
    depth: usize,
}

impl Capture {
    /// For a new answer.
    pub(super) fn new(rules: Rules) -> Self {
        Self {
            rules,
            held: String::new(),
            inside: None,
            at: 0,
            removals: Vec::new(),
            kept: [Vec::new(), Vec::new()],
        }
    }

    /// Takes the next piece and passes on what is visible.
    pub(super) fn push(&mut self, delta: &str, out: &mut impl Visible) {
        if self.held.is_empty() {
            let taken = self.feed(delta, false, out);
            self.held.push_str(&delta[taken..]);
        } else {
            self.held.push_str(delta);
            self.go_on(false, out);
        }
    }

    /// The text is over: decides on what is held. An open block is captured.
    pub(super) fn finish(&mut self, out: &mut impl Visible) {
        self.go_on(true, out);
    }

    /// Whether the model went on to speak for somebody else, in its own
    /// template: nothing more will be visible, so it may be stopped.
    pub(super) fn ended(&self) -> bool {
        (self.inside).is_some_and(|inside| inside.rule == Rule::ControlToken)
    }

    /// What was taken out since the last call.
    pub(super) fn take_removals(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.removals)
    }

    /// The thoughts captured since the last call.
    pub(super) fn take_thoughts(&mut self) -> Vec<String> {
        std::mem::take(&mut self.kept[0])
    }

    /// The details captured since the last call.
    pub(super) fn take_details(&mut self) -> Vec<String> {
        std::mem::take(&mut self.kept[1])
    }

    fn go_on(&mut self, last: bool, out: &mut impl Visible) {
        let mut held = std::mem::take(&mut self.held);
        let rest = self.feed(&held, last, out);
        held.drain(..rest);
        self.held = held;
    }

    /// Takes as much of `text` as can be decided on; says how much that is.
    fn feed(&mut self, text: &str, last: bool, out: &mut impl Visible) -> usize {
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let taken = match self.inside {
                None => self.pass(rest, last, out),
                Some(inside) if inside.rule == Rule::SystemNote => {
                    self.note(inside, rest, last, out)
                }
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
    fn pass(&mut self, text: &str, last: bool, out: &mut impl Visible) -> usize {
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
            let near = text.floor_char_boundary(at + LONGEST_WAIT);
            let known = last || near < text.len();
            match out.is_code(&text[at..near], known) {
                Some(true) => {}
                Some(false) => return at + self.begin(mark, &text[at..], out),
                None => return at,
            }
        }
        self.show(&text[shown..], out);
        text.len()
    }

    fn show(&mut self, text: &str, out: &mut impl Visible) {
        if !text.is_empty() {
            out.show(text);
            self.at += text.len();
        }
    }

    /// The rule in force that acts on a mark.
    fn rule_for(&self, mark: TagMark) -> Option<Rule> {
        let rule = match mark {
            TagMark::Open(rule, _) => rule,
            TagMark::Close(rule, _) if self.rules.has(rule) => Rule::StrayTag,
            TagMark::Close(..) => return None,
            TagMark::Token(_) => Rule::ControlToken,
        };
        self.rules.has(rule).then_some(rule)
    }

    /// Acts on the mark that `text` begins with; says how much was taken.
    fn begin(&mut self, mark: TagMark, text: &str, out: &mut impl Visible) -> usize {
        match mark {
            TagMark::Open(rule, opening) => {
                self.inside = Some(Inside {
                    rule,
                    opening,
                    searched: 0,
                    depth: 1,
                });
                0
            }
            TagMark::Close(rule, length) => {
                if rule == Rule::Thought
                    && let Some(thought) = out.take_back()
                {
                    block::keep(&mut self.kept[0], thought.trim());
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

#[cfg(test)]
mod tests;
