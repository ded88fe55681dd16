//! What the model says, piece by piece.

use crate::Bill;

/// One piece of a streamed answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Delta {
    /// Text meant for the user.
    Text(String),
    /// The model thinking aloud; never shown.
    Thought(Thought),
    /// What the vendor wants back, unread, with the thoughts just before it
    /// when the conversation goes on.
    Signature(String),
    /// The model is writing a tool call; a [`ToolCall`](Self::ToolCall) with
    /// the whole of it follows.
    ToolPiece(ToolPiece),
    /// The model asks for a tool.
    ToolCall(ToolCall),
    /// The model declines, in its own words.
    Refusal(String),
    /// The tokens of the answer, in the vendor's count.
    Usage(Usage),
    /// The vendor says that it is still there.
    Heartbeat,
    /// The answer starts anew, perhaps with another model: thoughts,
    /// signatures and pieces of calls before this are void. Never comes after
    /// text, a refusal or a whole call.
    Anew,
    /// What one call to a model cost. An answer may take several.
    Spent(Bill),
    /// The answer is over. Always the last delta of a whole answer.
    Finish {
        /// Why, in our words.
        finish: Finish,
        /// Why, in the vendor's word; empty if it gave none.
        word: String,
    },
}

/// A piece of what the model thinks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// Who put it into words.
    pub kind: ThoughtKind,
    /// The words.
    pub text: String,
}

/// Who put a [`Thought`] into words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThoughtKind {
    /// The model itself.
    Raw,
    /// The vendor, which keeps the model's own words to itself.
    Summary,
}

/// A piece of a tool call that is being written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolPiece {
    /// Which call of this answer, counted from 0. Calls may take turns.
    pub call: usize,
    /// The tool's name, as far as it is known.
    pub name: String,
    /// What is added to the arguments; may be empty.
    pub arguments: String,
}

/// A complete request to run a tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolCall {
    /// The model's handle for this call.
    pub id: String,
    /// Which tool.
    pub name: String,
    /// Its arguments, as the JSON text the model wrote.
    pub arguments: String,
    /// What the vendor wants back, unread, with this call.
    pub signature: Option<String>,
}

/// Tokens spent on one answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Tokens read by the model.
    pub input: u64,
    /// Those of them that came from the vendor's cache.
    pub cached: u64,
    /// Tokens written by the model.
    pub output: u64,
    /// Those of them that were thoughts.
    pub thinking: u64,
}

/// Why an answer ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// It was complete.
    Stop,
    /// It hit the token limit.
    Length,
    /// The model waits for the result of a tool.
    Tool,
    /// The vendor's filter or the model itself declined.
    Refused,
}
