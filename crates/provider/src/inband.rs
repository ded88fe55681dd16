//! What models write into their text instead of saying it properly.
//!
//! Thoughts between think tags, and tool calls in the notation a model was
//! trained on (DeepSeek's DSML and its older tokens, Hermes's `<tool_call>`).
//! Whatever is not whole and well-formed stays text, and so does everything
//! inside code: a model may explain these notations to people. A block that is
//! whole but for its opening is neither a call nor text, and is left out.
//!
//! How the text is cut into pieces changes nothing but the cuts of what comes
//! out. Text is held back only while it may still become a tag.

mod arguments;
mod code;
mod hermes;
mod markup;
mod tag;

use arguments::Schemas;
use code::CodeTracker;
use hermes::Hermes;
use kaiwa_domain::Tool;
use markup::{Markup, MarkupProgress};
use tag::{InBandTag, TagMatch};

/// The longest tool call that is looked for, in bytes.
const MAX_CALL: usize = 1 << 20;

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum InBandPiece {
    Text(String),
    Thought(String),
    Call { name: String, arguments: String },
}

/// Reads one answer's text.
#[derive(Debug)]
pub(crate) struct InBand {
    schemas: Schemas,
    state: State,
    /// The beginning of what may be a tag.
    held: String,
    code: CodeTracker,
    /// Whether a call was found, so that its stray closers mean nothing.
    called: bool,
}

#[derive(Debug)]
enum State {
    Prose,
    Thinking,
    /// Thoughts or a call have ended: line breaks here only set them apart.
    Gap,
    Markup(Box<Markup>),
    Hermes(Hermes),
}

impl InBand {
    pub(crate) fn new(tools: &[Tool]) -> Self {
        Self {
            schemas: Schemas::new(tools),
            state: State::Prose,
            held: String::new(),
            code: CodeTracker::default(),
            called: false,
        }
    }

    /// Reads on.
    pub(crate) fn push(&mut self, text: &str) -> Vec<InBandPiece> {
        let mut out = Out::default();
        if self.held.is_empty() {
            let rest = self.read(text, &mut out);
            self.held = text[rest..].to_owned();
        } else {
            let mut all = std::mem::take(&mut self.held);
            all.push_str(text);
            let rest = self.read(&all, &mut out);
            all.drain(..rest);
            self.held = all;
        }
        out.0
    }

    /// Nothing more will come: what is unfinished is text after all.
    pub(crate) fn end(&mut self) -> Vec<InBandPiece> {
        let mut out = Out::default();
        let held = std::mem::take(&mut self.held);
        match std::mem::replace(&mut self.state, State::Prose) {
            State::Prose | State::Gap => out.text(&held),
            State::Thinking => out.thought(&held),
            State::Markup(markup) => {
                out.text(&markup.into_text());
                out.text(&held);
            }
            State::Hermes(hermes) => {
                out.text(&hermes.into_text());
                out.text(&held);
            }
        }
        out.0
    }

    /// Reads as far as it is clear; how far that is.
    fn read(&mut self, text: &str, out: &mut Out) -> usize {
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let step = match &mut self.state {
                State::Prose => self.prose(rest, out),
                State::Thinking => self.thinking(rest, out),
                State::Gap => Some(self.gap(rest)),
                State::Markup(_) => self.markup(rest, out),
                State::Hermes(_) => Some(self.hermes(rest, out)),
            };
            match step {
                Some(step) => at += step,
                None => break,
            }
        }
        at
    }

    fn gap(&mut self, rest: &str) -> usize {
        let blank = match self.code.is_line_begun() {
            true => 0,
            false => rest.len() - rest.trim_start_matches(['\r', '\n']).len(),
        };
        if blank < rest.len() {
            self.state = State::Prose;
        }
        blank
    }

    /// One step through text; `None` if more is needed for the next.
    fn prose(&mut self, rest: &str, out: &mut Out) -> Option<usize> {
        let start = tag::candidate(rest).unwrap_or(rest.len());
        if start > 0 {
            self.text(&rest[..start], out);
            return Some(start);
        }
        let (tag, length) = match self.code.is_open() {
            true => (None, 0),
            false => match tag::read(rest) {
                TagMatch::Partial => return None,
                TagMatch::No => (None, 0),
                TagMatch::Found(tag, length) => (Some(tag), length),
            },
        };
        match tag {
            Some(InBandTag::ThinkOpen) => self.state = State::Thinking,
            // Its opening was part of the prompt.
            Some(InBandTag::ThinkClose) => self.state = State::Gap,
            Some(InBandTag::HermesOpen) => self.state = State::Hermes(Hermes::new(&rest[..length])),
            Some(tag) if tag.opens_call() => {
                let mut markup = Markup::default();
                markup.tag(tag, &rest[..length], &self.schemas);
                self.state = State::Markup(Box::new(markup));
            }
            Some(tag) if self.called && tag.closes_call() => self.state = State::Gap,
            _ => {
                let first = rest.chars().next().map_or(0, char::len_utf8);
                self.text(&rest[..first], out);
                return Some(first);
            }
        }
        Some(length)
    }

    fn thinking(&mut self, rest: &str, out: &mut Out) -> Option<usize> {
        let start = tag::candidate(rest).unwrap_or(rest.len());
        if start > 0 {
            out.thought(&rest[..start]);
            return Some(start);
        }
        match tag::read(rest) {
            TagMatch::Partial => None,
            TagMatch::Found(InBandTag::ThinkClose, length) => {
                self.state = State::Gap;
                Some(length)
            }
            TagMatch::No | TagMatch::Found(..) => {
                let first = rest.chars().next().map_or(0, char::len_utf8);
                out.thought(&rest[..first]);
                Some(first)
            }
        }
    }

    fn markup(&mut self, rest: &str, out: &mut Out) -> Option<usize> {
        let State::Markup(markup) = &mut self.state else {
            return Some(0);
        };
        let start = tag::candidate(rest).unwrap_or(rest.len());
        let (outcome, step) = if start > 0 {
            markup.text(&rest[..start])
        } else {
            match tag::read(rest) {
                TagMatch::Partial => return None,
                TagMatch::Found(tag, length) if tag.is_markup() => {
                    (markup.tag(tag, &rest[..length], &self.schemas), length)
                }
                TagMatch::No | TagMatch::Found(..) => {
                    let first = rest.chars().next().map_or(0, char::len_utf8);
                    markup.text(&rest[..first])
                }
            }
        };
        match outcome {
            MarkupProgress::More => {}
            MarkupProgress::Call { name, arguments } => {
                self.called = true;
                out.call(name, arguments);
                if !markup.goes_on() {
                    self.state = State::Gap;
                }
            }
            MarkupProgress::Over => {
                self.called = true;
                self.state = State::Gap;
            }
            MarkupProgress::NoCall(text) => {
                self.state = State::Prose;
                self.text(&text, out);
            }
        }
        Some(step)
    }

    fn hermes(&mut self, rest: &str, out: &mut Out) -> usize {
        let State::Hermes(hermes) = &mut self.state else {
            return 0;
        };
        let (outcome, step) = hermes.read(rest);
        match outcome {
            hermes::HermesProgress::More => {}
            hermes::HermesProgress::Calls(calls) => {
                self.called = true;
                for (name, arguments) in calls {
                    out.call(name, arguments);
                }
                self.state = State::Gap;
            }
            hermes::HermesProgress::NoCall(text) => {
                self.state = State::Prose;
                self.text(&text, out);
            }
        }
        step
    }

    fn text(&mut self, text: &str, out: &mut Out) {
        self.code.pass(text);
        out.text(text);
    }
}

/// What comes out; neighbours of a kind are joined.
#[derive(Default)]
struct Out(Vec<InBandPiece>);

impl Out {
    fn text(&mut self, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some(InBandPiece::Text(last)) => last.push_str(text),
            _ => self.0.push(InBandPiece::Text(text.to_owned())),
        }
    }

    fn thought(&mut self, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some(InBandPiece::Thought(last)) => last.push_str(text),
            _ => self.0.push(InBandPiece::Thought(text.to_owned())),
        }
    }

    fn call(&mut self, name: String, arguments: String) {
        self.0.push(InBandPiece::Call { name, arguments });
    }
}

#[cfg(test)]
mod tests;
