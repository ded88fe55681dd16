//! What Discord's chat has besides messages.

use std::time::Duration;

use super::Pending;
use crate::{ChannelId, ChatError, GuildId, GuildSticker, MessageId, Nonce};

/// Pins, threads, polls and stickers.
pub trait ChatFeatures: Send + Sync {
    /// Pins a message, or takes it down. Repeating the call changes nothing.
    fn pin(
        &self,
        channel: ChannelId,
        message: MessageId,
        pinned: bool,
    ) -> Pending<'_, Result<(), ChatError>>;

    /// Begins a thread that everybody may read, at a message or at none. At a
    /// message, repeating the call returns the thread that is there.
    fn begin_thread<'a>(
        &'a self,
        channel: ChannelId,
        message: Option<MessageId>,
        name: &'a str,
    ) -> Pending<'a, Result<ChannelId, ChatError>>;

    /// Posts a poll. Repeating the call with the same nonce posts once, while
    /// Discord remembers nonces.
    fn post_poll<'a>(
        &'a self,
        channel: ChannelId,
        nonce: &'a Nonce,
        poll: &'a NewPoll,
    ) -> Pending<'a, Result<MessageId, ChatError>>;

    /// Posts a sticker, as [`post_poll`](Self::post_poll) posts a poll.
    fn post_sticker<'a>(
        &'a self,
        channel: ChannelId,
        nonce: &'a Nonce,
        sticker: &'a GuildSticker,
    ) -> Pending<'a, Result<MessageId, ChatError>>;

    /// The stickers of a guild.
    fn stickers(&self, guild: GuildId) -> Pending<'_, Result<Vec<GuildSticker>, ChatError>>;
}

/// A poll that is to be held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewPoll {
    /// What is asked.
    pub question: String,
    /// What may be answered.
    pub answers: Vec<String>,
    /// How long it runs, in whole hours.
    pub runs: Duration,
    /// Whether people may choose several answers.
    pub multiple: bool,
}
