//! Calls with a tag for each part: DSML, and DeepSeek's older tokens.
//!
//! ```text
//! <｜DSML｜tool_calls>
//! <｜DSML｜invoke name="brew"><｜DSML｜parameter name="minutes" string="false">3</｜DSML｜parameter></｜DSML｜invoke>
//! </｜DSML｜tool_calls>
//!
//! <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>brew<｜tool▁sep｜>{"minutes":3}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
//! ```

use super::MAX_CALL;
use super::arguments::{Schemas, Written};
use super::tag::InBandTag;
use crate::lenient::compact;
use crate::reader::Balance;

/// The most arguments of one call.
const MAX_ARGUMENTS: usize = 256;

/// Calls whose end has not arrived.
#[derive(Debug, Default)]
pub(super) struct Markup {
    /// Everything since the last whole call, in case it is none.
    raw: String,
    /// Inside a wrapper further calls may follow.
    wrapped: bool,
    /// Whether a call was found.
    called: bool,
    call: Option<OpenCall>,
}

#[derive(Debug)]
enum OpenCall {
    Invoke {
        /// None if the opening was lost: then it cannot run, but it is no prose.
        name: Option<String>,
        arguments: Vec<Written>,
        /// The argument that is being written.
        open: Option<Written>,
        /// What stands between the arguments.
        body: String,
    },
    Token {
        /// Before the separator: the tool's name, or the word `function`.
        head: String,
        /// After it.
        tail: Option<String>,
    },
}

pub(super) enum MarkupProgress {
    More,
    Call {
        name: String,
        arguments: String,
    },
    /// The wrapper is closed, or a call without its opening.
    Over,
    /// It was text after all.
    NoCall(String),
}

impl OpenCall {
    const fn invoke(name: Option<String>) -> Self {
        Self::Invoke {
            name,
            arguments: Vec::new(),
            open: None,
            body: String::new(),
        }
    }
}

impl Markup {
    /// Whether more calls may follow.
    pub(super) const fn goes_on(&self) -> bool {
        self.wrapped || self.call.is_some()
    }

    pub(super) fn into_text(self) -> String {
        self.raw
    }

    /// Takes text between tags, and how much of it belongs here.
    pub(super) fn text(&mut self, text: &str) -> (MarkupProgress, usize) {
        let part = match &mut self.call {
            Some(OpenCall::Invoke {
                open: Some(open), ..
            }) => &mut open.value,
            Some(OpenCall::Invoke { name: None, .. }) if !text.trim_start().is_empty() => {
                // Between its parameters there is only space.
                let blank = text.len() - text.trim_start().len();
                self.raw.push_str(&text[..blank]);
                self.call = None;
                return (self.give_up(), blank);
            }
            Some(OpenCall::Invoke { body, .. }) => body,
            Some(OpenCall::Token {
                tail: Some(tail), ..
            }) => tail,
            Some(OpenCall::Token { head, .. }) => head,
            None => {
                // Between calls there is only space; words end the wrapper.
                let blank = text.len() - text.trim_start().len();
                self.raw.push_str(&text[..blank]);
                return match blank < text.len() || self.raw.len() > MAX_CALL {
                    true => (self.close(), blank),
                    false => (MarkupProgress::More, blank),
                };
            }
        };
        part.push_str(text);
        self.raw.push_str(text);
        match self.raw.len() > MAX_CALL {
            true => (self.give_up(), text.len()),
            false => (MarkupProgress::More, text.len()),
        }
    }

    pub(super) fn tag(&mut self, tag: InBandTag, raw: &str, schemas: &Schemas) -> MarkupProgress {
        self.raw.push_str(raw);
        if self.raw.len() > MAX_CALL {
            return self.give_up();
        }
        match tag {
            InBandTag::Invoke {
                closes: false,
                name: Some(name),
            } => {
                let outcome = self.finish(schemas);
                self.call = Some(OpenCall::invoke(Some(name)));
                if self.raw.is_empty() {
                    raw.clone_into(&mut self.raw);
                }
                match outcome {
                    MarkupProgress::Over => MarkupProgress::More,
                    outcome => outcome,
                }
            }
            InBandTag::Invoke { .. } | InBandTag::CallEnd => self.finish(schemas),
            InBandTag::Parameter {
                closes: false,
                name: Some(name),
                is_string,
            } => self.argument(Some(Written {
                name,
                is_string,
                value: String::new(),
            })),
            InBandTag::Parameter { .. } => self.argument(None),
            InBandTag::CallBegin => {
                self.call = Some(OpenCall::Token {
                    head: String::new(),
                    tail: None,
                });
                MarkupProgress::More
            }
            InBandTag::Separator => {
                if let Some(OpenCall::Token { tail, .. }) = &mut self.call {
                    tail.get_or_insert_default();
                }
                MarkupProgress::More
            }
            InBandTag::Wrapper { closes: false } | InBandTag::CallsBegin if !self.called => {
                self.wrapped = true;
                MarkupProgress::More
            }
            // A closing tag, with or without its slash.
            _ => {
                self.wrapped = false;
                let last = self.finish(schemas);
                match last {
                    MarkupProgress::More => self.close(),
                    last => last,
                }
            }
        }
    }

    /// An argument ends, and another may begin.
    fn argument(&mut self, next: Option<Written>) -> MarkupProgress {
        if self.call.is_none() && next.is_some() {
            self.call = Some(OpenCall::invoke(None));
        }
        let Some(OpenCall::Invoke {
            arguments, open, ..
        }) = &mut self.call
        else {
            return MarkupProgress::More;
        };
        arguments.extend(std::mem::replace(open, next));
        match arguments.len() > MAX_ARGUMENTS {
            true => self.give_up(),
            false => MarkupProgress::More,
        }
    }

    /// The call is whole, if there is one.
    fn finish(&mut self, schemas: &Schemas) -> MarkupProgress {
        let found = match self.call.take() {
            None => return MarkupProgress::More,
            Some(OpenCall::Invoke { name: None, .. }) => {
                self.called = true;
                self.raw.clear();
                return match self.wrapped {
                    true => MarkupProgress::More,
                    false => MarkupProgress::Over,
                };
            }
            Some(OpenCall::Invoke {
                name: Some(name),
                mut arguments,
                open,
                body,
            }) => {
                arguments.extend(open);
                // Some write the arguments as one object.
                let object = arguments.is_empty().then(|| object(&body)).flatten();
                let text = object.unwrap_or_else(|| schemas.object(&name, &arguments));
                Some((name, text))
            }
            Some(OpenCall::Token { head, tail }) => token(&head, tail.as_deref()),
        };
        match found {
            Some((name, arguments)) if !name.is_empty() => {
                self.called = true;
                self.raw.clear();
                MarkupProgress::Call { name, arguments }
            }
            _ => self.give_up(),
        }
    }

    fn close(&mut self) -> MarkupProgress {
        match self.called {
            true => MarkupProgress::Over,
            false => self.give_up(),
        }
    }

    fn give_up(&mut self) -> MarkupProgress {
        MarkupProgress::NoCall(std::mem::take(&mut self.raw))
    }
}

/// The parts of a call in tokens: `name` and its object, or the word
/// `function`, the name, and its object in a fence.
fn token(head: &str, tail: Option<&str>) -> Option<(String, String)> {
    let tail = tail?.trim();
    if let Some(arguments) = object(tail) {
        return Some((head.trim().to_owned(), arguments));
    }
    let (name, rest) = tail.split_once('\n')?;
    let rest = rest.trim().trim_matches('`');
    let arguments = object(rest.strip_prefix("json").unwrap_or(rest))?;
    Some((name.trim().to_owned(), arguments))
}

/// The text of a JSON object, if that is what it is.
fn object(text: &str) -> Option<String> {
    let text = text.trim();
    let mut balance = Balance::new();
    let whole = text.starts_with('{')
        && text.bytes().position(|byte| balance.closes(byte)) == Some(text.len() - 1);
    let valid = whole && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    valid.then(|| compact(text).into_owned())
}
