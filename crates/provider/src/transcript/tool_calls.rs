//! Tool calls, put together from fragments.

use kaiwa_domain::{ModelError, ToolCall, ToolPiece};

use crate::reader::Balance;

/// The most calls one answer may make, and the most they may hold in bytes.
const MAX_CALLS: usize = 128;
const MAX_BYTES: usize = 1 << 20;

/// The longest name of a tool. Vendors allow 64 or 128.
const MAX_NAME: usize = 256;

/// A piece of a tool call. Servers disagree on what may be missing; what is
/// missing is empty.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fragment<'a> {
    /// Which call of the answer it belongs to.
    pub(crate) index: Option<u64>,
    /// The call's id.
    pub(crate) id: &'a str,
    /// The tool's name.
    pub(crate) name: &'a str,
    /// What is added to the arguments.
    pub(crate) arguments: &'a str,
    /// What the vendor wants back with the call.
    pub(crate) signature: &'a str,
    /// Whether nothing of the call is missing now.
    pub(crate) whole: bool,
}

/// The calls of one answer so far.
#[derive(Debug, Default)]
pub(super) struct ToolCalls {
    calls: Vec<PartialCall>,
    bytes: usize,
}

#[derive(Debug)]
struct PartialCall {
    call: ToolCall,
    index: Option<u64>,
    /// Where the arguments stand, so that their end is known at once.
    balance: Balance,
    whole: bool,
}

impl ToolCalls {
    pub(super) const fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &ToolCall> {
        self.calls.iter().map(|part| &part.call)
    }

    pub(super) fn add(&mut self, fragment: Fragment<'_>) -> Result<ToolPiece, ModelError> {
        let Fragment {
            id,
            name,
            arguments,
            signature,
            ..
        } = fragment;
        self.bytes += arguments.len() + signature.len();
        let place = self.place(&fragment).unwrap_or(self.calls.len());
        if place >= MAX_CALLS || self.bytes > MAX_BYTES || id.len() > MAX_BYTES / MAX_CALLS {
            return Err(ModelError::Excessive {
                reason: "more than 128 tool calls, or 1 MiB of them".to_owned(),
            });
        }
        if place == self.calls.len() {
            self.calls.push(PartialCall::new(fragment.index));
        }
        let part = &mut self.calls[place];
        let call = &mut part.call;
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        // Some servers repeat the name in every fragment.
        if call.name != name {
            call.name.push_str(name);
        }
        if call.name.len() > MAX_NAME {
            return Err(ModelError::Excessive {
                reason: "the name of a tool of more than 256 bytes".to_owned(),
            });
        }
        call.arguments.push_str(arguments);
        for byte in arguments.bytes() {
            part.balance.closes(byte);
        }
        if !signature.is_empty() {
            call.signature = Some(signature.to_owned());
        }
        part.whole |= fragment.whole;
        Ok(ToolPiece {
            call: place,
            name: call.name.clone(),
            arguments: arguments.to_owned(),
        })
    }

    /// The call a fragment belongs to, or none if it begins one.
    fn place(&self, fragment: &Fragment<'_>) -> Option<usize> {
        let Fragment { index, id, .. } = *fragment;
        let same_index = |part: &PartialCall| index.is_none() || part.index == index;
        if !id.is_empty() {
            let known = |part: &PartialCall| part.call.id == id && same_index(part);
            if let Some(place) = self.calls.iter().rposition(known) {
                return Some(place);
            }
        }
        let place = self.calls.iter().rposition(same_index)?;
        let part = &self.calls[place];
        // Some servers give every call the same index, so an id that is new
        // begins a call; others give every fragment an id of its own, but
        // only the first has the name.
        let continues = match (id.is_empty(), part.call.id.is_empty()) {
            (false, false) => fragment.name.is_empty() && index.is_some(),
            _ => part.continues_with(fragment),
        };
        continues.then_some(place)
    }

    pub(super) fn forget_unfinished(&mut self) {
        self.calls.retain(|part| part.whole);
    }

    /// Nothing can be added any more: every call gets an id.
    pub(super) fn complete(&mut self) -> Result<(), ModelError> {
        for (number, part) in self.calls.iter_mut().enumerate() {
            if part.call.name.is_empty() {
                return Err(garbled("a tool call without a name"));
            }
            if part.call.id.is_empty() {
                part.call.id = format!("call_{number}");
            }
        }
        Ok(())
    }
}

impl PartialCall {
    const fn new(index: Option<u64>) -> Self {
        Self {
            call: ToolCall {
                id: String::new(),
                name: String::new(),
                arguments: String::new(),
                signature: None,
            },
            index,
            balance: Balance::new(),
            whole: false,
        }
    }

    /// Whether a fragment that names no other id can belong to this call.
    fn continues_with(&self, fragment: &Fragment<'_>) -> bool {
        let Fragment {
            index,
            name,
            arguments,
            ..
        } = *fragment;
        if self.whole {
            return false;
        }
        if name.is_empty() || self.call.name.is_empty() {
            return true;
        }
        match self.call.name == name {
            // The name again: more of the same call, unless that is complete.
            true => arguments.is_empty() || !self.balance.is_closed(),
            // More of the name, as long as nothing else has come.
            false => index.is_some() && self.call.arguments.is_empty(),
        }
    }
}

fn garbled(reason: &str) -> ModelError {
    ModelError::Garbled {
        reason: reason.to_owned(),
    }
}
