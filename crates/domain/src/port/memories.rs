//! What is remembered, and how it is found.

use super::Pending;
use crate::{
    ChannelId, Fact, FactId, MessageId, NewFact, Note, Scope, StoreError, Timestamp, UserId,
};

/// Facts about people and servers, and notes on conversations. Their texts are
/// for nobody but the scope, and never on disk as they are.
pub trait Memories: Send + Sync {
    /// Keeps a fact. It takes the place of the oldest one about the same person
    /// if there are [`FACTS_PER_PERSON`](crate::FACTS_PER_PERSON). A text longer
    /// than [`FACT_CHARS`](crate::FACT_CHARS), or one more than
    /// [`FACTS_PER_SCOPE`](crate::FACTS_PER_SCOPE), is a
    /// [`Conflict`](StoreError::Conflict).
    fn remember<'a>(&'a self, fact: &'a NewFact) -> Pending<'a, Result<FactId, StoreError>>;

    /// Every fact of a scope, oldest first, whomever it is for: for the
    /// operator and for whoever owns the scope, never for a brief.
    fn facts(&self, scope: Scope) -> Pending<'_, Result<Vec<Fact>, StoreError>>;

    /// Forgets a fact. False if there was none.
    fn forget(&self, scope: Scope, fact: FactId) -> Pending<'_, Result<bool, StoreError>>;

    /// The facts that a brief may hold, the most relevant first: what matches
    /// what was said, then what is known of the asker, then of the server. None
    /// that the readers of the channel [may not have](crate::Audience::admits).
    fn recall<'a>(&'a self, recall: &'a Recall<'a>) -> Pending<'a, Result<Vec<Fact>, StoreError>>;

    /// Keeps a note. It takes the place of its persona's oldest there if there are
    /// [`NOTES_PER_CHANNEL`](crate::NOTES_PER_CHANNEL). A text longer than
    /// [`NOTE_CHARS`](crate::NOTE_CHARS) is a [`Conflict`](StoreError::Conflict).
    fn take_note<'a>(&'a self, note: &'a Note) -> Pending<'a, Result<(), StoreError>>;

    /// The notes of all personas on a channel that have not expired, oldest first.
    fn notes(
        &self,
        scope: Scope,
        channel: ChannelId,
        now: Timestamp,
    ) -> Pending<'_, Result<Vec<Note>, StoreError>>;

    /// Puts `summary` in the place of the notes that its persona took on its
    /// channel no later than it, in one transaction.
    fn condense_notes<'a>(&'a self, summary: &'a Note) -> Pending<'a, Result<(), StoreError>>;

    /// Lets the conversation of a channel begin after this message, and forgets
    /// the channel's notes.
    fn reset_context(
        &self,
        scope: Scope,
        channel: ChannelId,
        message: MessageId,
        at: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>>;

    /// The message after which the conversation of a channel begins.
    fn context_start(
        &self,
        scope: Scope,
        channel: ChannelId,
    ) -> Pending<'_, Result<Option<MessageId>, StoreError>>;

    /// Seals everything that is sealed with a new key, and says how many rows
    /// that were. Cut short, it is finished at the next start.
    fn rotate_key(&self) -> Pending<'_, Result<u64, StoreError>>;
}

/// What to look for in the facts of a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recall<'a> {
    /// Whose facts.
    pub scope: Scope,
    /// Where the answer will be read.
    pub channel: ChannelId,
    /// Who asks.
    pub asker: UserId,
    /// What is being talked about.
    pub query: &'a str,
    /// How many facts at most.
    pub limit: u16,
    /// What time it is.
    pub now: Timestamp,
}
