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

mod tag;

use kaiwa_domain::Miss;
use memchr::memchr;

use super::explain::{Change, Reason};
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
#[derive(Clone, Debug, Default)]
pub(super) struct Capture {
    /// What is not decided yet, or the block that is being captured.
    held: String,
    inside: Option<Inside>,
    /// Where `held` begins in the stream.
    at: usize,
    removals: Vec<Change>,
    /// What was captured.
    pub(super) thoughts: Vec<String>,
    pub(super) details: Vec<String>,
}

/// The block that is being captured, mark included.
#[derive(Clone, Copy, Debug)]
struct Inside {
    /// What takes it out.
    rule: Reason,
    /// The length of the opening mark.
    opening: usize,
    /// How far its end was looked for.
    searched: usize,
    /// Open brackets, for notes; none once the note is closed.
    depth: usize,
}

impl Capture {
    /// Takes the next piece and passes on what is visible.
    pub(super) fn push(&mut self, delta: &str, out: &mut impl Visible) {
        let mut held = std::mem::take(&mut self.held);
        feed_held(&mut held, delta, |text| self.feed(text, false, out));
        self.held = held;
    }

    /// The text is over: decides on what is held. An open block is captured.
    pub(super) fn finish(&mut self, out: &mut impl Visible) {
        let held = std::mem::take(&mut self.held);
        self.feed(&held, true, out);
    }

    /// Whether the model went on to speak for somebody else, in its own
    /// template: nothing more will be visible, so it may be stopped.
    pub(super) fn ended(&self) -> bool {
        (self.inside).is_some_and(|inside| inside.rule == Reason::ControlToken)
    }

    /// What was taken out of the text, which is over.
    pub(super) fn take_removals(&mut self) -> Vec<Change> {
        self.at = 0;
        std::mem::take(&mut self.removals)
    }

    /// Takes as much of `text` as can be decided on; says how much that is.
    fn feed(&mut self, text: &str, last: bool, out: &mut impl Visible) -> usize {
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let taken = match self.inside {
                None => self.pass(rest, last, out),
                Some(inside) if inside.rule == Reason::SystemNote => {
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
                Ok(mark) => Some(mark),
                Err(Miss::Ended) => None,
                Err(Miss::Differs) => continue,
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
                if rule == Reason::Thought
                    && let Some(thought) = out.take_back()
                {
                    keep(&mut self.thoughts, thought.trim());
                }
                self.remove(Reason::StrayTag, &text[..length])
            }
            TagMark::Token(length) => self.remove(Reason::ControlToken, &text[..length]),
        }
    }

    /// Takes `text` out of the stream.
    fn remove(&mut self, rule: Reason, text: &str) -> usize {
        self.removals.push(Change::new(self.at, rule, text, ""));
        self.at += text.len();
        text.len()
    }

    /// A tagged block ends with its closing tag.
    fn enclose(&mut self, inside: Inside, text: &str, last: bool) -> usize {
        let mut from = inside.searched.max(inside.opening);
        while let Some(at) = memchr(b'<', &text.as_bytes()[from..]) {
            from += at;
            match tag::read(&text[from..], last) {
                Ok(TagMark::Close(rule, length)) if rule == inside.rule => {
                    return self.close(inside, text, from, from + length);
                }
                Err(Miss::Ended) => break,
                _ => from += 1,
            }
        }
        let found = text.as_bytes().get(from) == Some(&b'<');
        let searched = if found { from } else { text.len() };
        self.go_on(Inside { searched, ..inside }, text, last)
    }

    /// A note ends with its bracket, at a blank line, or when it is too long.
    /// A bracket that an address follows made it a link, which is shown.
    fn note(
        &mut self,
        mut inside: Inside,
        text: &str,
        last: bool,
        out: &mut impl Visible,
    ) -> usize {
        let bytes = text.as_bytes();
        for at in inside.searched.max(inside.opening)..bytes.len() {
            let blank = bytes[at - 1..=at] == *b"\n\n";
            let full = at >= LONGEST_NOTE && text.is_char_boundary(at);
            match bytes[at] {
                b'(' if inside.depth == 0 => {
                    self.inside = None;
                    self.show(&text[..1], out);
                    return 1;
                }
                _ if inside.depth == 0 || blank || full => {
                    return self.close(inside, text, at, at);
                }
                b'[' => inside.depth += 1,
                b']' => inside.depth -= 1,
                _ => {}
            }
        }
        inside.searched = text.len();
        self.go_on(inside, text, last)
    }

    /// The end of the block was looked for in vain.
    fn go_on(&mut self, inside: Inside, text: &str, last: bool) -> usize {
        if last {
            return self.close(inside, text, text.len(), text.len());
        }
        self.inside = Some(inside);
        0
    }

    /// Ends the block whose body goes up to `body`, and which is over at `end`.
    fn close(&mut self, inside: Inside, text: &str, body: usize, end: usize) -> usize {
        let said = &text[inside.opening..body];
        match inside.rule {
            Reason::Thought => keep(&mut self.thoughts, said.trim()),
            Reason::Details => keep(&mut self.details, without_summary(said).trim()),
            _ => {}
        }
        self.inside = None;
        self.remove(inside.rule, &text[..end])
    }
}

/// Feeds what was held and the next piece; what cannot be decided on is held.
pub(super) fn feed_held(held: &mut String, delta: &str, feed: impl FnOnce(&str) -> usize) {
    if held.is_empty() {
        let taken = feed(delta);
        held.push_str(&delta[taken..]);
    } else {
        held.push_str(delta);
        let taken = feed(held);
        held.drain(..taken);
    }
}

fn keep(list: &mut Vec<String>, body: &str) {
    if !body.is_empty() {
        list.push(body.to_owned());
    }
}

/// The body without its first `<summary>`.
fn without_summary(body: &str) -> String {
    let lower = body.to_ascii_lowercase();
    let found = lower.find("<summary").and_then(|start| {
        let open = lower[start..].find('>')? + start + 1;
        let close = lower[open..].find("</summary")? + open;
        let end = lower[close..].find('>')? + close + 1;
        Some(start..end)
    });
    match found {
        Some(summary) => [&body[..summary.start], &body[summary.end..]].concat(),
        None => body.to_owned(),
    }
}

#[cfg(test)]
mod tests;
