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
mod cursor;
mod tag;
mod wait;

use super::edit::{Rule, Rules};
use super::explain::Change;
use super::verbatim::Verbatim;
use tag::{Block, Reading, TagMark};

/// How far inline code is waited for, in bytes, once a tag was seen in it.
const LONGEST_WAIT: usize = 512;
/// A made-up system note that is not closed within this many bytes ends there.
const LONGEST_NOTE: usize = 2000;

/// The bytes that may begin a mark, or change what is code.
const MATTERS: [bool; 256] = {
    let mut matters = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        matters[byte] = tag::may_begin(byte as u8) || Verbatim::matters(byte as u8);
        byte += 1;
    }
    matters
};

/// Takes out of a stream what the reader must not see.
#[derive(Clone, Debug)]
pub struct Capture {
    rules: Rules,
    mode: Mode,
    /// The code around what was passed on.
    code: Verbatim,
    /// What is not decided yet, or the block that is being captured.
    held: String,
    /// An empty one to take its place.
    spare: String,
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

#[derive(Clone, Copy, Debug)]
enum Mode {
    /// Text passes through; nothing is held.
    Open,
    /// Held text may be the beginning of a mark.
    Mark,
    /// Held text begins with a mark behind an open run of backticks. It is
    /// code if the run closes on its line.
    Wait(Verbatim),
    /// Held text is a block, mark included.
    Inside {
        block: Block,
        /// The length of the opening mark.
        opening: usize,
        /// The last `<` that may begin the closing tag.
        last: Option<usize>,
        /// Open brackets, for notes; none once the note is closed.
        depth: usize,
    },
}

impl Capture {
    /// For a new answer.
    pub const fn new(rules: Rules) -> Self {
        Self {
            rules,
            mode: Mode::Open,
            code: Verbatim::new(),
            held: String::new(),
            spare: String::new(),
            at: 0,
            removals: Vec::new(),
            kept: [Vec::new(), Vec::new()],
            shown: 0,
            strays: Vec::new(),
        }
    }

    /// Takes the next piece and appends what is visible to `out`.
    pub fn push(&mut self, delta: &str, out: &mut String) {
        self.feed(delta, false, out);
    }

    /// The text is over: decides on what is held. An open block is captured.
    pub fn finish(&mut self, out: &mut String) {
        while !self.held.is_empty() {
            match self.mode {
                Mode::Open | Mode::Mark => self.decide("", true, out),
                Mode::Wait(mut code) => {
                    code.settle(b'\n');
                    let mut after = code;
                    after.byte(b'\n');
                    if !code.in_inline() || after.in_fence() {
                        self.is_code("", code, out);
                    } else {
                        self.no_code(true, out);
                    }
                }
                Mode::Inside { .. } => self.close(0),
            }
        }
    }

    /// Whether the model went on to speak for somebody else, in its own
    /// template: nothing more will be visible, so it may be stopped.
    pub const fn ended(&self) -> bool {
        matches!(
            self.mode,
            Mode::Inside {
                block: Block::Turn,
                ..
            }
        )
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

    fn feed(&mut self, mut text: &str, last: bool, out: &mut String) {
        while !text.is_empty() {
            let taken = match self.mode {
                Mode::Open => self.pass(text, last, out),
                Mode::Mark => {
                    let room = text
                        .floor_char_boundary(tag::LONGEST + 4 - self.held.len().min(tag::LONGEST));
                    self.decide(&text[..room], last, out);
                    room
                }
                Mode::Wait(code) => self.wait(text, code, out),
                Mode::Inside { .. } => self.enclose(text, out),
            };
            text = &text[taken..];
        }
    }

    /// Passes text through up to the next mark; says how much was taken.
    fn pass(&mut self, text: &str, last: bool, out: &mut String) -> usize {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let begins = match MATTERS[usize::from(byte)] {
                true => tag::may_begin(byte) && tag::may_go_on(&bytes[at..]),
                false => false,
            };
            if self.code.is_idle() && !begins && !Verbatim::matters(byte) {
                at += 1;
                continue;
            }
            self.code.settle(byte);
            if begins && !self.code.in_fence() {
                let window = text.floor_char_boundary(at + tag::LONGEST + 4);
                match tag::read(&text[at..window], last) {
                    Reading::No => {}
                    Reading::Partial => {
                        self.show(&text[..at], out);
                        self.held.push_str(&text[at..window]);
                        self.mode = Mode::Mark;
                        return window;
                    }
                    Reading::Yes(mark) => {
                        if let Some(length) = self.wanted(mark) {
                            self.show(&text[..at], out);
                            self.held.push_str(&text[at..at + length]);
                            self.begin(mark);
                            return at + length;
                        }
                    }
                }
            }
            self.code.byte(byte);
            at += 1;
        }
        self.show(text, out);
        text.len()
    }

    fn show(&mut self, text: &str, out: &mut String) {
        out.push_str(text);
        self.at += text.len();
        self.shown += text.len();
    }

    /// The length of the mark, if a rule in force acts on it.
    fn wanted(&self, mark: TagMark) -> Option<usize> {
        let (rule, length) = match mark {
            TagMark::Open(block, length) => (rule_of(block), length),
            TagMark::Close(Block::Thought, length) if self.rules.has(Rule::Thought) => {
                (Rule::StrayTag, length)
            }
            TagMark::Close(Block::Details, length) if self.rules.has(Rule::Details) => {
                (Rule::StrayTag, length)
            }
            TagMark::Close(..) => return None,
            TagMark::Token(length) => (Rule::ControlToken, length),
        };
        self.rules.has(rule).then_some(length)
    }

    /// Acts on the mark that is all of `held`.
    fn begin(&mut self, mark: TagMark) {
        if self.code.in_inline() {
            let mut code = self.code;
            self.held.bytes().for_each(|byte| code.byte(byte));
            self.mode = Mode::Wait(code);
            return;
        }
        match mark {
            TagMark::Open(block, opening) => {
                self.mode = Mode::Inside {
                    block,
                    opening,
                    last: None,
                    depth: 1,
                };
            }
            TagMark::Close(block, _) => {
                if block == Block::Thought {
                    self.strays.push(self.shown);
                }
                self.remove(Rule::StrayTag);
            }
            TagMark::Token(_) => self.remove(Rule::ControlToken),
        }
    }

    /// Takes what is held out of the stream.
    fn remove(&mut self, rule: Rule) {
        let text = std::mem::take(&mut self.held);
        self.removals.push(Change::removal(self.at, rule, &text));
        self.at += text.len();
        self.mode = Mode::Open;
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
