//! The life of a turn.
//!
//! ```text
//! admitted → thinking(attempt) → speaking → settling → done | stopped | failed(kind)
//! ```
//!
//! A turn may be re-run until it speaks. Once an effect of it is queued it is
//! *continued*: the model is told what was said and goes on. Once everything is
//! said, only its effects are settled.

use crate::{ChannelId, MessageId, Notice, PersonaId, Scope, Timestamp, TurnId, UserId};

/// One trip through the pipeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Its name.
    pub id: TurnId,
    /// Whose data it touches.
    pub scope: Scope,
    /// Where it answers.
    pub channel: ChannelId,
    /// Who asked; what the turn may do is bounded by what they may do.
    pub asker: UserId,
    /// Who answers.
    pub persona: PersonaId,
    /// How far it has come.
    pub state: TurnState,
    /// When it was admitted.
    pub admitted_at: Timestamp,
}

/// How far a turn has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnState {
    /// Accepted, no work done.
    Admitted,
    /// Talking to the model, nothing to show yet.
    Thinking {
        /// 1 for the first try.
        attempt: u32,
    },
    /// At least one effect is in the outbox, and the model may have more to say.
    Speaking,
    /// Everything is said; what is queued is being done.
    Settling,
    /// Over.
    Ended(Ending),
}

/// How a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The whole answer was given.
    Done,
    /// Cut short on purpose: the asker said stop, or said more before we spoke,
    /// which the next turn answers.
    Stopped,
    /// Something went wrong, and this is what the user was told.
    Failed(Notice),
    /// Dropped: the question is gone, or nobody remembers asking it.
    Stale,
}

/// What somebody did that asks for another take of an answer. Doing the same to
/// another message, or editing one again, is another request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TakeRequest {
    /// Whose data it is.
    pub scope: Scope,
    /// The message that was edited, or bears the reaction.
    pub message: MessageId,
    /// Who did it.
    pub user: UserId,
    /// When it was edited. A reaction is there or not, and has no time.
    pub edited_at: Option<Timestamp>,
}
