//! The lines of a brief in a shape that no vendor rejects.
//!
//! Every call has its result and every result its call, every name of a call
//! is there once, nothing is blank, and only signatures of the model that is
//! asked are left.

use std::borrow::Cow;
use std::collections::HashSet;

use kaiwa_domain::{Brief, Image, Line, SealedThought, ToolCall, ToolResult};
use serde_json::Value;

use crate::Endpoint;
use crate::seal::Maker;

/// Stands where a vendor insists on words and there are none.
const SILENCE: &str = "…";

/// The result of a call that nobody answered.
const NO_RESULT: &str = "(no result)";

/// What somebody said before a conversation whose beginning is cut off.
const BEGINNING: &str = "(earlier)";

/// The vendors' word for the user's side, on which they agree.
pub(super) const USER: &str = "user";

/// The longest name of a call that every vendor takes.
const MAX_ID: usize = 40;

/// Said by one side.
#[derive(Debug)]
pub(super) enum DialogueTurn<'a> {
    User {
        /// Empty only beside images.
        text: &'a str,
        images: &'a [Image],
    },
    Assistant {
        /// Empty only beside calls.
        text: &'a str,
        /// What the asked model wants back of its thoughts.
        thoughts: Vec<&'a str>,
        calls: Vec<AnsweredCall<'a>>,
    },
}

/// A call with its result.
#[derive(Debug)]
pub(super) struct AnsweredCall<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) name: &'a str,
    /// The text of a JSON object.
    pub(super) arguments: &'a str,
    /// What the asked model wants back with it.
    pub(super) signature: Option<&'a str>,
    pub(super) result: &'a str,
    pub(super) failed: bool,
    answered: bool,
}

impl AnsweredCall<'_> {
    /// The arguments as a JSON object.
    pub(super) fn object(&self) -> Value {
        serde_json::from_str(self.arguments).unwrap_or_default()
    }
}

/// The turns of a conversation with the model at `endpoint`.
pub(super) fn turns<'a>(endpoint: &Endpoint, brief: &'a Brief) -> Vec<DialogueTurn<'a>> {
    let mut reading = DialogueBuilder {
        maker: Maker::at(endpoint),
        short_ids: endpoint.quirks.short_ids,
        ids: HashSet::new(),
        turns: Vec::with_capacity(brief.lines.len()),
        asking: None,
        asked: Vec::new(),
    };
    for line in &brief.lines {
        match line {
            Line::User { text, images } => reading.user(text, images),
            Line::Assistant {
                text,
                thoughts,
                calls,
            } => reading.assistant(text, thoughts, calls),
            Line::Tool(result) => reading.result(result),
        }
    }
    reading.turns
}

/// Where the model began to work on what was said last: everything from here
/// on is its own.
pub(super) fn current(turns: &[DialogueTurn<'_>]) -> usize {
    let last = |turn: &DialogueTurn<'_>| matches!(turn, DialogueTurn::User { .. });
    turns.iter().rposition(last).map_or(0, |place| place + 1)
}

struct DialogueBuilder<'a> {
    maker: Maker,
    short_ids: bool,
    ids: HashSet<Cow<'a, str>>,
    turns: Vec<DialogueTurn<'a>>,
    /// The turn that asked for tools last.
    asking: Option<usize>,
    /// The names that its calls had before they were changed.
    asked: Vec<&'a str>,
}

impl<'a> DialogueBuilder<'a> {
    fn user(&mut self, text: &'a str, images: &'a [Image]) {
        let text = match (text.trim().is_empty(), images.is_empty()) {
            (false, _) => text,
            (true, false) => "",
            (true, true) => SILENCE,
        };
        self.turns.push(DialogueTurn::User { text, images });
    }

    fn assistant(&mut self, text: &'a str, thoughts: &'a [SealedThought], calls: &'a [ToolCall]) {
        // Vendors refuse blanks at the end of what the model is to continue.
        let text = text.trim_end();
        if text.is_empty() && calls.is_empty() {
            return;
        }
        if !calls.is_empty() {
            self.asking = Some(self.turns.len());
            self.asked = calls.iter().map(|call| call.id.as_str()).collect();
        }
        let thoughts = thoughts
            .iter()
            .filter_map(|thought| self.maker.open(&thought.signature))
            .collect();
        let calls = calls.iter().map(|call| self.call(call)).collect();
        self.turns.push(DialogueTurn::Assistant {
            text,
            thoughts,
            calls,
        });
    }

    fn call(&mut self, call: &'a ToolCall) -> AnsweredCall<'a> {
        let is_object = serde_json::from_str::<Value>(&call.arguments)
            .is_ok_and(|arguments| arguments.is_object());
        let signature = call.signature.as_deref();
        AnsweredCall {
            id: self.id(&call.id),
            name: &call.name,
            arguments: match is_object {
                true => &call.arguments,
                false => "{}",
            },
            signature: signature.and_then(|sealed| self.maker.open(sealed)),
            result: NO_RESULT,
            failed: true,
            answered: false,
        }
    }

    /// The call's own name, unless the vendor would not have it.
    fn id(&mut self, own: &'a str) -> Cow<'a, str> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric();
        let fits = match self.short_ids {
            true => own.len() == 9 && own.bytes().all(plain),
            false => {
                (1..=MAX_ID).contains(&own.len())
                    && own
                        .bytes()
                        .all(|byte| plain(byte) || matches!(byte, b'_' | b'-'))
            }
        };
        let mut id = Cow::Borrowed(own);
        let mut number = self.ids.len();
        while !fits && matches!(id, Cow::Borrowed(_)) || self.ids.contains(&id) {
            id = Cow::Owned(format!("call{number:05}"));
            number += 1;
        }
        self.ids.insert(id.clone());
        id
    }

    fn result(&mut self, result: &'a ToolResult) {
        let asking = self.asking.and_then(|place| self.turns.get_mut(place));
        // A result that nobody asked for is left out.
        let Some(DialogueTurn::Assistant { calls, .. }) = asking else {
            return;
        };
        let mut pairs = self.asked.iter().zip(calls);
        if let Some((_, call)) = pairs.find(|(id, call)| **id == result.call && !call.answered) {
            call.answered = true;
            call.failed = result.failed;
            call.result = match result.text.trim().is_empty() {
                true => NO_RESULT,
                false => &result.text,
            };
        }
    }
}

/// How a vendor that wants the sides to take turns writes what they say.
pub(super) trait Wording {
    /// Its word for the model's side.
    const MODEL: &'static str;

    fn text(words: &str) -> Value;

    fn image(image: &Image) -> Value;

    /// What the model said in the turn at a place: words, thoughts and calls.
    fn said(
        &self,
        place: usize,
        words: &str,
        thoughts: &[&str],
        calls: &[AnsweredCall<'_>],
    ) -> Vec<Value>;

    fn result(call: &AnsweredCall<'_>) -> Value;
}

/// Messages, each of a side and its parts. The user begins, and the sides take
/// turns: what one says in a row is one message.
pub(super) fn dialogue<W: Wording>(
    turns: &[DialogueTurn<'_>],
    wording: &W,
) -> Vec<(&'static str, Vec<Value>)> {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    let mut say = |side, parts: Vec<Value>| match messages.last_mut() {
        _ if parts.is_empty() => {}
        Some((last, said)) if *last == side => said.extend(parts),
        _ => messages.push((side, parts)),
    };
    if !matches!(turns.first(), Some(DialogueTurn::User { .. })) {
        say(USER, vec![W::text(BEGINNING)]);
    }
    for (place, turn) in turns.iter().enumerate() {
        match turn {
            DialogueTurn::User { text, images } => {
                let words = (!text.is_empty()).then(|| W::text(text));
                say(USER, images.iter().map(W::image).chain(words).collect());
            }
            DialogueTurn::Assistant {
                text,
                thoughts,
                calls,
            } => {
                say(W::MODEL, wording.said(place, text, thoughts, calls));
                say(USER, calls.iter().map(W::result).collect());
            }
        }
    }
    messages
}

#[cfg(test)]
mod tests;
