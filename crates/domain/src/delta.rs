//! What the model says, piece by piece.

/// One piece of a streamed answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Delta {
    /// Text meant for the user.
    Text(String),
    /// The model thinking aloud; never shown.
    Thought(String),
    /// The model asks for a tool.
    ToolCall(ToolCall),
    /// The model declines, in its own words.
    Refusal(String),
    /// What the answer cost.
    Usage(Usage),
    /// The answer is over. Always the last delta of a whole answer.
    Finish(Finish),
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
}

/// Tokens spent on one answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Tokens read by the model.
    pub input: u64,
    /// Tokens written by the model.
    pub output: u64,
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
