//! Errors that say what to do.

use std::fmt;
use std::time::Duration;

use crate::{Notice, Rights, Standing};

/// Why the model gave no answer, or no whole one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ModelError {
    /// No connection, or it broke before an answer began.
    #[error("no connection to the model at {url}: {reason}")]
    Unreachable {
        /// Where we tried, without credentials.
        url: String,
        /// The innermost cause.
        reason: String,
    },
    /// The key was refused (401, 403, or another status that says so).
    #[error("the model's server refused the key (HTTP {status})")]
    Unauthorized {
        /// HTTP status.
        status: u16,
    },
    /// Credit or quota is used up (402, or 429 that says so).
    #[error("credit or quota at the model's vendor is used up")]
    OutOfCredit,
    /// Too many requests (429).
    #[error("the model's server is limiting us")]
    Busy {
        /// How long it asks us to wait.
        retry_after: Option<Duration>,
    },
    /// The server failed (5xx).
    #[error("the model's server failed (HTTP {status}): {message}")]
    Failed {
        /// HTTP status.
        status: u16,
        /// The server's words, shortened.
        message: String,
    },
    /// The request was rejected (other 4xx), as sent it will never work.
    #[error("the model's server rejected the request (HTTP {status}): {message}")]
    Rejected {
        /// HTTP status.
        status: u16,
        /// The server's words, shortened.
        message: String,
    },
    /// The conversation is longer than the model can see at once.
    #[error("the conversation is too long for the model: {message}")]
    TooLong {
        /// The server's words, shortened.
        message: String,
    },
    /// The vendor's filter would not have the question or the answer.
    #[error("the model's vendor censored it: {message}")]
    Censored {
        /// The server's words, shortened.
        message: String,
    },
    /// The asker, or everybody here, has spent what may be spent.
    #[error("the budget is spent: {limit}")]
    OverBudget {
        /// Which limit.
        limit: String,
    },
    /// The question alone is larger than what may be spent in a day.
    #[error("the question needs {needed}, and the budget is {limit}")]
    LargerThanBudget {
        /// How much it needs.
        needed: String,
        /// Which limit.
        limit: String,
    },
    /// Dollars are limited, and nobody knows what the model costs.
    #[error("the price of {model} is not known, and a limit in dollars is set")]
    Unpriced {
        /// Which model, as `vendor/model`.
        model: String,
    },
    /// Nothing arrived within the first-token or the idle timeout.
    #[error("the model was silent for {waited:?}")]
    Silent {
        /// How long we waited.
        waited: Duration,
    },
    /// The stream ended before the answer did, or reported an error in it.
    #[error("the model's answer broke off: {reason}")]
    Cut {
        /// What was seen.
        reason: String,
    },
    /// The model answered with more than can be taken: a question may lead it
    /// there, so nothing is wrong with its server.
    #[error("the model answered with more than can be taken: {reason}")]
    Excessive {
        /// What there was too much of.
        reason: String,
    },
    /// What arrived is not the wire format we speak.
    #[error("the model's server does not speak the expected format: {reason}")]
    Garbled {
        /// What was seen.
        reason: String,
    },
}

impl ModelError {
    /// What the user is told.
    pub const fn notice(&self) -> Notice {
        match self {
            Self::Unreachable { .. } | Self::Failed { .. } => Notice::ModelUnreachable,
            Self::Busy { .. } => Notice::ModelBusy,
            Self::Silent { .. } => Notice::ModelSilent,
            Self::Cut { .. } => Notice::AnswerCut,
            Self::Excessive { .. } => Notice::ModelEmpty,
            Self::Censored { .. } => Notice::ModelRefused,
            Self::OverBudget { .. } => Notice::OverBudget,
            Self::LargerThanBudget { .. } => Notice::QuestionTooLarge,
            Self::Unauthorized { .. }
            | Self::OutOfCredit
            | Self::Rejected { .. }
            | Self::TooLong { .. }
            | Self::Unpriced { .. }
            | Self::Garbled { .. } => Notice::ModelMisconfigured,
        }
    }

    /// What to do, as long as the user has seen nothing of the answer.
    pub const fn remedy(&self) -> Remedy {
        match self {
            Self::Unreachable { .. }
            | Self::Failed { .. }
            | Self::Silent { .. }
            | Self::Cut { .. }
            // A page of some proxy, as a rule, that is gone a moment later.
            | Self::Garbled { .. } => Remedy::Retry,
            Self::Busy { retry_after } => Remedy::Wait(*retry_after),
            Self::Unauthorized { .. } | Self::OutOfCredit => Remedy::NextKey,
            Self::Rejected { .. } | Self::Excessive { .. } | Self::Unpriced { .. } => {
                Remedy::NextModel
            }
            Self::TooLong { .. } => Remedy::Shrink,
            Self::Censored { .. } => Remedy::Uncensored,
            Self::OverBudget { .. } | Self::LargerThanBudget { .. } => Remedy::TellUser,
        }
    }
}

/// What to do about a [`ModelError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remedy {
    /// Ask the same model again after a short pause, then the next one.
    Retry,
    /// Wait as long as the server asks for, if that is short; else take the
    /// next key, then the next model.
    Wait(Option<Duration>),
    /// Put the key aside and take the next one, then the next model.
    NextKey,
    /// This model will never take it; the next one may.
    NextModel,
    /// Ask once more with less.
    Shrink,
    /// Ask a model that is less easily shocked.
    Uncensored,
    /// Nothing helps: tell the user.
    TellUser,
}

/// Why a tool did not do its work.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ToolError {
    /// There is no such tool here.
    #[error("there is no tool called {name:?}")]
    Unknown {
        /// The name.
        name: String,
    },
    /// The model has to ask in another way.
    #[error("the arguments do not fit: {problem}")]
    BadArguments {
        /// What is wrong, in words that help the model.
        problem: String,
    },
    /// The asker may not do this, or we may not.
    #[error("not allowed: {reason}")]
    Denied {
        /// Why.
        reason: String,
    },
    /// Whoever asked, or we, would need more rights.
    #[error("not allowed: {who} lacks the permission {missing}")]
    Lacking {
        /// Who.
        who: RightsHolder,
        /// What is missing.
        missing: Rights,
    },
    /// It is switched off where it was asked for.
    #[error("it is switched off here")]
    SwitchedOff,
    /// Another call of it has to end first.
    #[error("not now: it is under way in this channel already")]
    Running,
    /// Somebody cannot be acted on, by whoever asked or by us.
    #[error("not allowed: {}", protection(*who, *standing))]
    Protected {
        /// By whom.
        who: RightsHolder,
        /// How they stand to the other.
        standing: Standing,
    },
    /// An earlier process may have done it, or not.
    #[error("it is unknown whether it was done before the last restart")]
    Unsettled,
    /// Somebody else has to decide that.
    #[error("somebody else has to decide that")]
    NotYours,
    /// It was asked for too often.
    #[error("not now: asked for too often, wait {} s", wait.as_secs().max(1))]
    TooOften {
        /// How long to wait.
        wait: Duration,
    },
    /// It tried and failed.
    #[error("it failed: {reason}")]
    Failed {
        /// What happened.
        reason: String,
    },
}

impl ToolError {
    /// Whether it was not allowed, rather than tried in vain.
    pub const fn is_denial(&self) -> bool {
        matches!(
            self,
            Self::Denied { .. }
                | Self::SwitchedOff
                | Self::Running
                | Self::Protected { .. }
                | Self::Lacking { .. }
                | Self::NotYours
                | Self::TooOften { .. }
        )
    }
}

/// Why somebody cannot be acted on, for the model.
const fn protection(who: RightsHolder, standing: Standing) -> &'static str {
    match (who, standing) {
        (RightsHolder::Asker, Standing::Oneself) => "that is the asker",
        (RightsHolder::Bot, Standing::Oneself) => "that is the bot itself",
        (_, Standing::Owner) => "that is the owner of the server",
        (_, Standing::Absent) => "they are not on this server",
        (RightsHolder::Asker, _) => "their highest role is not below the asker's",
        (RightsHolder::Bot, _) => "their highest role is not below the bot's",
    }
}

/// Whose rights an action goes by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RightsHolder {
    /// Whoever asked.
    Asker,
    /// We.
    Bot,
}

impl fmt::Display for RightsHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Asker => "the asker",
            Self::Bot => "the bot",
        })
    }
}

/// Why Discord did not do what we asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChatError {
    /// Discord answered, and the answer was no.
    #[error("Discord refused (code {code}): {message}")]
    Refused {
        /// Discord's JSON error code, or the HTTP status where there is none.
        code: u32,
        /// Discord's words.
        message: String,
        /// What to do about it.
        disposition: Disposition,
    },
    /// No answer: the request may or may not have taken effect.
    #[error("no answer from Discord: {reason}")]
    Unknown {
        /// What happened instead.
        reason: String,
    },
    /// Nothing was sent: the caller no longer wanted it.
    #[error("the request was withdrawn")]
    Withdrawn,
    /// Nothing was sent, because Discord told us to stay quiet.
    #[error("Discord asked us to wait {retry_after:?}")]
    Limited {
        /// How long.
        retry_after: Duration,
    },
}

impl ChatError {
    /// What to do.
    pub const fn disposition(&self) -> Disposition {
        match self {
            Self::Refused { disposition, .. } => *disposition,
            Self::Unknown { .. } => Disposition::RetrySame,
            Self::Withdrawn => Disposition::Settled,
            Self::Limited { retry_after } => Disposition::Wait(*retry_after),
        }
    }
}

/// What to do about a [`ChatError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disposition {
    /// Try the same request again after a pause, with the same nonce.
    RetrySame,
    /// Wait this long, then try again.
    Wait(Duration),
    /// Try again without the reply reference.
    RetryWithoutReply,
    /// The interaction is gone: what it was to be told can be said in the
    /// channel.
    SayInChannel,
    /// Discord will never take this, though it may take something else.
    GiveUp,
    /// Give the turn up: nothing more of it can be shown here.
    StopTurn,
    /// The goal is met already, as when deleting what is gone.
    Settled,
    /// The token is dead: stop everything and tell the operator.
    Halt,
}

/// Why the store could not be read or written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreError {
    /// Locked, or the disk hiccuped: the same call may work in a moment.
    #[error("the database failed for the moment: {reason}")]
    Transient {
        /// What the engine said.
        reason: String,
    },
    /// Full, read-only or gone: the same call works once somebody has helped.
    #[error("the database cannot be written: {reason}")]
    Blocked {
        /// What to do, and what the engine said.
        reason: String,
    },
    /// Damaged: no call will work.
    #[error("the database is damaged: {reason}")]
    Damaged {
        /// What the engine said.
        reason: String,
    },
    /// Another process has taken it over: nothing may be begun any more.
    #[error("the database is no longer ours: {reason}")]
    Superseded {
        /// What the engine said.
        reason: String,
    },
    /// The call contradicts what is stored, and always will.
    #[error("the database refused: {reason}")]
    Conflict {
        /// What it contradicts.
        reason: String,
    },
}

impl StoreError {
    /// Whether the same call is worth repeating.
    pub const fn is_retryable(&self) -> bool {
        matches!(self, Self::Transient { .. } | Self::Blocked { .. })
    }

    /// What the engine said, or what the call contradicts.
    pub fn reason(&self) -> &str {
        match self {
            Self::Transient { reason }
            | Self::Blocked { reason }
            | Self::Damaged { reason }
            | Self::Superseded { reason }
            | Self::Conflict { reason } => reason,
        }
    }
}
