//! Tool calls, put together from fragments.

use kaiwa_domain::{ModelError, ToolCall};
use serde::Deserialize;
use serde_json::Value;

/// The most calls one answer may make, and the most they may hold in bytes.
const MAX_CALLS: usize = 128;
const MAX_BYTES: usize = 1 << 20;

/// A piece of a tool call as it comes over the wire. Servers disagree on what
/// may be missing.
#[derive(Deserialize)]
pub(super) struct Fragment {
    index: Option<u64>,
    id: Option<String>,
    function: Option<Function>,
}

/// The part of a [`Fragment`] that names the tool.
#[derive(Deserialize)]
pub(super) struct Function {
    name: Option<String>,
    /// A text of JSON by the format's rules, JSON itself from some servers.
    arguments: Option<Value>,
}

impl From<Function> for Fragment {
    /// The format's older way to call one tool.
    fn from(function: Function) -> Self {
        Self {
            index: None,
            id: None,
            function: Some(function),
        }
    }
}

/// The calls of one answer so far.
#[derive(Default)]
pub(super) struct ToolCalls {
    calls: Vec<(Option<u64>, ToolCall)>,
    bytes: usize,
}

impl ToolCalls {
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    pub(super) fn add(&mut self, fragment: Fragment) -> Result<(), ModelError> {
        let id = fragment.id.unwrap_or_default();
        let (name, arguments) = match fragment.function {
            Some(function) => (
                function.name.unwrap_or_default(),
                match function.arguments {
                    Some(Value::String(text)) => text,
                    None | Some(Value::Null) => String::new(),
                    Some(json) => json.to_string(),
                },
            ),
            None => Default::default(),
        };
        self.bytes += id.len() + name.len() + arguments.len();
        let call = self.call(fragment.index, id);
        // Some servers repeat the name in every fragment.
        if call.name != name {
            call.name.push_str(&name);
        }
        call.arguments.push_str(&arguments);
        if self.calls.len() > MAX_CALLS || self.bytes > MAX_BYTES {
            return Err(ModelError::Garbled {
                reason: "the tool calls exceed 128 or 1 MiB".to_owned(),
            });
        }
        Ok(())
    }

    /// The call a fragment belongs to: the last with its index and no other
    /// id, because some servers number every call 0.
    fn call(&mut self, index: Option<u64>, id: String) -> &mut ToolCall {
        let place = self.calls.iter().rposition(|(known, call)| {
            (index.is_none() || *known == index)
                && (id.is_empty() || call.id.is_empty() || call.id == id)
        });
        let place = place.unwrap_or_else(|| {
            let call = ToolCall {
                id: String::new(),
                name: String::new(),
                arguments: String::new(),
            };
            self.calls.push((index, call));
            self.calls.len() - 1
        });
        let call = &mut self.calls[place].1;
        if call.id.is_empty() {
            call.id = id;
        }
        call
    }

    /// The calls, now that nothing can be added; every one has an id.
    pub(super) fn complete(self) -> Result<Vec<ToolCall>, ModelError> {
        let number = |(number, (_, mut call)): (usize, (_, ToolCall))| {
            if call.name.is_empty() {
                return Err(ModelError::Garbled {
                    reason: "a tool call without a name".to_owned(),
                });
            }
            if call.id.is_empty() {
                call.id = format!("call_{number}");
            }
            Ok(call)
        };
        self.calls.into_iter().enumerate().map(number).collect()
    }
}
