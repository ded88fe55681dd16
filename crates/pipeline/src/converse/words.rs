//! What the conversation is told, and what it says.

use std::time::Duration;

use kaiwa_domain::{
    Abilities, Brief, Delta, Ending, ModelError, Notice, Role, ToolCall, ToolError,
};

/// What an earlier process has said and kept of an answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Earlier {
    /// The text that was shown.
    pub text: String,
    /// In how many messages.
    pub messages: u32,
    /// The calls that were [kept](Act::Keep).
    pub actions: Vec<ToolCall>,
}

/// How far a conversation may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Rounds of tools before the model has to answer. It is told.
    pub rounds: u32,
    /// Calls that run, all in all.
    pub calls: usize,
    /// Calls that may fail in a row.
    pub failures: u32,
    /// The longest answer, in bytes of text.
    pub bytes: usize,
    /// The most messages.
    pub messages: u32,
    /// After how long the caller has to say [`News::TimeUp`].
    pub wall: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rounds: 3,
            calls: 12,
            failures: 3,
            bytes: 32 * 1024,
            messages: 64,
            wall: Duration::from_secs(15 * 60),
        }
    }
}

/// Who there is to ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ModelAbilities {
    /// What the model that talks can do.
    pub chat: Abilities,
    /// What the model that thinks hard can do, if there is one.
    pub reasoner: Option<Abilities>,
    /// What the model that looks at images can do, if there is one.
    pub vision: Option<Abilities>,
}

/// What to do next.
#[derive(Clone, PartialEq, Debug)]
pub enum Act {
    /// Ask a model, and tell what it says. Whoever was asked before is asked
    /// no more.
    Ask {
        /// As whom.
        role: Role,
        /// What it is told.
        brief: Brief,
        /// When to give up and tell that it was silent.
        within: Option<Duration>,
    },
    /// Show this text.
    Say(String),
    /// Forget the text since the last pause: nobody has seen it.
    Unsay,
    /// The text so far is a whole: show all of it.
    Pause,
    /// Run these calls at the same time, and tell the outcomes.
    Run(Vec<ToolCall>),
    /// Write this call down: it runs after the reply, whatever happens.
    Keep(ToolCall),
    /// Run the calls that were kept one after the other, once everything that
    /// was said is posted, and tell the outcomes.
    Perform(Vec<ToolCall>),
    /// It is over.
    End(Conclusion),
}

/// What has happened.
#[derive(Clone, PartialEq, Debug)]
pub enum News {
    /// The model that was asked last said something, or failed.
    Heard(Result<Delta, ModelError>),
    /// Its answer stopped without an end.
    HungUp,
    /// The calls have run.
    Ran(Vec<Outcome>),
    /// A message is about to be shown.
    Shown,
    /// Nothing more of the answer will be shown: it speaks for somebody else.
    Enough,
    /// The time is up.
    TimeUp,
}

/// What became of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The call's id.
    pub call: String,
    /// What the tool returned.
    pub result: Result<String, ToolError>,
}

/// How the conversation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conclusion {
    /// What goes into the journal.
    pub ending: Ending,
    /// What the user is told beside the answer.
    pub notice: Option<Notice>,
}

impl Conclusion {
    /// The whole answer was given.
    pub const DONE: Self = Self {
        ending: Ending::Done,
        notice: None,
    };

    /// It failed, and the user is told.
    pub const fn failed(notice: Notice) -> Self {
        Self {
            ending: Ending::Failed(notice),
            notice: Some(notice),
        }
    }
}
