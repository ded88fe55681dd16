//! What the model is told.

/// Everything the model needs to know for one turn.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Brief {
    /// Who the model is and the rules it follows.
    pub system: String,
    /// The conversation, oldest first; the message to answer is last.
    pub lines: Vec<Line>,
    /// The tools the model may ask for, in an order that stays the same.
    pub tools: Vec<Tool>,
    /// How the model should answer.
    pub manner: Manner,
}

/// A tool as the model knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tool {
    /// What the model calls it.
    pub name: String,
    /// When and how to use it.
    pub description: String,
    /// Its arguments: the text of a JSON schema of an object.
    pub schema: String,
}

/// How the model should answer; what is absent is left to the vendor.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Manner {
    /// How much to think first.
    pub thinking: Option<Thinking>,
    /// How adventurous to be: 0 is not at all.
    pub temperature: Option<f32>,
    /// The share of likely words to choose from.
    pub top_p: Option<f32>,
    /// Texts before which the answer ends.
    pub stop: Vec<String>,
    /// The longest answer, thoughts included.
    pub max_output_tokens: Option<u32>,
}

/// How much to think before speaking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thinking {
    /// Not at all, where the model can help it.
    Off,
    /// A little.
    Low,
    /// As most questions deserve.
    Medium,
    /// As long as it takes.
    High,
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
