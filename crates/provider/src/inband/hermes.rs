//! `<tool_call>{"name": …, "arguments": …}</tool_call>`.

use serde::Deserialize;

use super::MAX_CALL;
use crate::lenient::{List, Object, Raw, Text};
use crate::reader::Balance;

/// A call whose end has not arrived.
#[derive(Debug)]
pub(super) struct Hermes {
    /// The opening tag and what follows it.
    raw: String,
    /// Where the JSON begins in `raw`.
    json: Option<usize>,
    balance: Balance,
}

pub(super) enum HermesProgress {
    More,
    /// Names and arguments.
    Calls(Vec<(String, String)>),
    /// It was text after all.
    NoCall(String),
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct HermesCall<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    arguments: Raw<'a>,
    /// What Llama calls them.
    #[serde(borrow)]
    parameters: Raw<'a>,
}

impl Hermes {
    pub(super) fn new(tag: &str) -> Self {
        Self {
            raw: tag.to_owned(),
            json: None,
            balance: Balance::new(),
        }
    }

    /// Reads on, and how far it came. The closing tag is left: on its own it
    /// means nothing, and some servers swallow it.
    pub(super) fn read(&mut self, text: &str) -> (HermesProgress, usize) {
        if self.json.is_none() {
            let blank = text.len() - text.trim_start().len();
            self.raw.push_str(&text[..blank]);
            if self.raw.len() > MAX_CALL {
                return (HermesProgress::NoCall(std::mem::take(&mut self.raw)), blank);
            }
            match text.as_bytes().get(blank) {
                None => return (HermesProgress::More, blank),
                Some(b'{' | b'[') => self.json = Some(self.raw.len()),
                Some(_) => return (HermesProgress::NoCall(std::mem::take(&mut self.raw)), blank),
            }
            return (HermesProgress::More, blank);
        }
        let end = text.bytes().position(|byte| self.balance.closes(byte));
        let step = end.map_or(text.len(), |end| end + 1);
        self.raw.push_str(&text[..step]);
        if end.is_none() && self.raw.len() <= MAX_CALL {
            return (HermesProgress::More, step);
        }
        let outcome = match end.and_then(|_| self.calls()) {
            Some(calls) => HermesProgress::Calls(calls),
            None => HermesProgress::NoCall(std::mem::take(&mut self.raw)),
        };
        (outcome, step)
    }

    pub(super) fn into_text(self) -> String {
        self.raw
    }

    fn calls(&self) -> Option<Vec<(String, String)>> {
        let json = self.raw.get(self.json?..)?;
        let calls = match json.starts_with('[') {
            true => serde_json::from_str::<List<HermesCall<'_>>>(json).ok()?.0,
            false => vec![
                serde_json::from_str::<Object<HermesCall<'_>>>(json)
                    .ok()?
                    .0?,
            ],
        };
        let call = |call: HermesCall<'_>| {
            let arguments = call.arguments.arguments().or(call.parameters.arguments());
            let arguments = arguments.map_or_else(|| "{}".to_owned(), |text| text.into_owned());
            Some((call.name.some()?.to_owned(), arguments))
        };
        let calls: Option<Vec<_>> = calls.into_iter().map(call).collect();
        calls.filter(|calls| !calls.is_empty())
    }
}
