//! What the model is told.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::{ChannelId, Scope, Thought, ToolCall, TurnId, UserId};

/// Everything the model needs to know for one turn.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Brief {
    /// Who the model is and the rules it follows.
    pub system: String,
    /// Where in `system` the rules of the tools stand, in bytes: they are left
    /// out where the tools are.
    pub tool_rules: Option<Range<usize>>,
    /// The conversation, oldest first; the message to answer is last.
    pub lines: Vec<Line>,
    /// The tools the model may ask for, in an order that stays the same.
    pub tools: Vec<Tool>,
    /// How the model should answer.
    pub manner: Manner,
    /// On whose account; absent if nobody keeps accounts.
    pub payer: Option<Payer>,
}

impl Brief {
    /// The system prompt without the rules of the tools.
    pub fn system_without_tools(&self) -> String {
        let rules = self.tool_rules.clone().unwrap_or(0..0);
        match (self.system.get(..rules.start), self.system.get(rules.end..)) {
            (Some(before), Some(after)) => [before, after].concat(),
            _ => self.system.clone(),
        }
    }
}

/// A tool as the model knows it. All turns share its texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tool {
    /// What the model calls it.
    pub name: Arc<str>,
    /// When and how to use it.
    pub description: Arc<str>,
    /// Its arguments: the text of a JSON schema of an object.
    pub schema: Arc<str>,
    /// When it runs.
    pub when: When,
}

/// When a tool runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// While the model waits: it goes on with the result.
    InLoop,
    /// After the reply was posted: it acts, and the model has had its say.
    AfterReply,
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

/// One entry of the conversation as the model sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// Somebody in the channel.
    User {
        /// What they said, with their name in front where that matters.
        text: String,
        /// What they showed.
        images: Vec<Image>,
    },
    /// Ourselves.
    Assistant {
        /// What we said.
        text: String,
        /// What we thought first, as far as the vendor wants it back.
        thoughts: Vec<SealedThought>,
        /// The tools we asked for after it.
        calls: Vec<ToolCall>,
    },
    /// What a tool that we asked for answered.
    Tool(ToolResult),
}

impl Line {
    /// Words of somebody in the channel.
    pub const fn user(text: String) -> Self {
        Self::User {
            text,
            images: Vec::new(),
        }
    }

    /// Words of ours.
    pub const fn assistant(text: String) -> Self {
        Self::Assistant {
            text,
            thoughts: Vec::new(),
            calls: Vec::new(),
        }
    }

    /// Whether something is shown with it.
    pub const fn has_images(&self) -> bool {
        matches!(self, Self::User { images, .. } if !images.is_empty())
    }

    /// The words.
    pub fn text(&self) -> &str {
        match self {
            Self::User { text, .. } | Self::Assistant { text, .. } => text,
            Self::Tool(result) => &result.text,
        }
    }
}

/// A picture for the model.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    /// What kind of file it is, like `image/jpeg`.
    pub media_type: &'static str,
    /// The file.
    pub bytes: Arc<[u8]>,
}

impl fmt::Debug for Image {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} of {} bytes",
            self.media_type,
            self.bytes.len()
        )
    }
}

/// A thought that goes back to the vendor it came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SealedThought {
    /// The thought.
    pub thought: Thought,
    /// What the vendor wants back with it, unread.
    pub signature: String,
}

/// What a tool answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolResult {
    /// The [`ToolCall::id`] it answers.
    pub call: String,
    /// The tool's name.
    pub name: String,
    /// What it found or did, or what went wrong. Nobody vouches for it.
    pub text: String,
    /// Whether it went wrong.
    pub failed: bool,
}

/// In whose name and on whose account the model is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Payer {
    /// The turn.
    pub turn: TurnId,
    /// Whose data it touches.
    pub scope: Scope,
    /// Where it answers.
    pub channel: ChannelId,
    /// Who asked.
    pub user: UserId,
}

/// What a model is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// To talk.
    Chat,
    /// To think hard.
    Reasoner,
    /// To look at images.
    Vision,
    /// To sort questions, in one word.
    Classifier,
    /// To make long things short.
    Summarizer,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 5] = [
        Self::Chat,
        Self::Reasoner,
        Self::Vision,
        Self::Classifier,
        Self::Summarizer,
    ];

    /// Its name in configuration, logs and the ledger.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Reasoner => "reasoner",
            Self::Vision => "vision",
            Self::Classifier => "classifier",
            Self::Summarizer => "summarizer",
        }
    }
}

/// What a model can do beside reading and writing text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Abilities {
    /// Ask for tools.
    pub tools: bool,
    /// See images.
    pub vision: bool,
    /// Think before it speaks.
    pub thinking: bool,
}
