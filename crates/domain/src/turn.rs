//! The life of a turn.
//!
//! ```text
//! admitted → thinking(attempt) → speaking → done | stopped | failed(kind)
//! ```
//!
//! A turn may be re-run until it speaks. Once its first post is queued it is
//! never run again: only its outbox is finished.

use crate::{ChannelId, Notice, Scope, Timestamp, TurnId, UserId};

/// One trip of a message through the pipeline.
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
    /// At least one post is in the outbox.
    Speaking,
    /// Over.
    Ended(Ending),
}

/// How a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The whole answer was given.
    Done,
    /// Cut short on purpose: shutdown, the asker said stop, or said more before
    /// we spoke, which the next turn answers.
    Stopped,
    /// Something went wrong, and this is what the user was told.
    Failed(Notice),
    /// Dropped: too old to answer, or the question is gone.
    Stale,
}
