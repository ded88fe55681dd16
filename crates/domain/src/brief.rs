//! What the model is told.

/// Everything the model needs to know for one turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Brief {
    /// Who the model is and the rules it follows.
    pub system: String,
    /// The conversation, oldest first; the message to answer is last.
    pub lines: Vec<Line>,
}

/// One message of the conversation as the model sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Who speaks.
    pub role: Role,
    /// What was said, with the speaker's name in front where that matters.
    pub text: String,
}

/// Who speaks in a [`Line`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Somebody in the channel.
    User,
    /// Ourselves.
    Assistant,
}
