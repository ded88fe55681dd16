//! Answers that are said to be under way.

use std::sync::{Arc, Mutex};

use kaiwa_domain::port::{BotStatus, Conversations, Pending};
use kaiwa_domain::{
    ChannelId, DecisionRecord, InteractionId, MessageId, Scope, StoreError, TurnId, UserId,
};

use crate::lock;

/// Conversations that write down what is asked of them. Clones share them.
#[derive(Clone, Default)]
pub struct StagedConversations {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    awaited: Vec<(ChannelId, TurnId, UserId)>,
    stopped: Vec<Option<UserId>>,
    again: Vec<MessageId>,
}

impl StagedConversations {
    /// Somebody waits for the answer of a turn.
    pub fn waits(&self, channel: ChannelId, turn: TurnId, asker: UserId) {
        lock(&self.state).awaited.push((channel, turn, asker));
    }

    /// Whose answers were stopped, in order; everybody's for none.
    pub fn stopped(&self) -> Vec<Option<UserId>> {
        lock(&self.state).stopped.clone()
    }

    /// The messages whose questions were answered again, in order.
    pub fn answered_again(&self) -> Vec<MessageId> {
        lock(&self.state).again.clone()
    }
}

impl Conversations for StagedConversations {
    fn stop(
        &self,
        _: Scope,
        channel: ChannelId,
        asker: Option<UserId>,
        _: InteractionId,
    ) -> Pending<'_, Result<bool, StoreError>> {
        let mut state = lock(&self.state);
        state.stopped.push(asker);
        let before = state.awaited.len();
        let theirs = |user: UserId| asker.is_none_or(|asker| asker == user);
        state
            .awaited
            .retain(|(place, _, user)| *place != channel || !theirs(*user));
        let stopped = state.awaited.len() < before;
        Box::pin(std::future::ready(Ok(stopped)))
    }

    fn asker_of(&self, channel: ChannelId, turn: TurnId) -> Option<UserId> {
        let state = lock(&self.state);
        let mut awaited = state.awaited.iter();
        let found = awaited.find(|(place, id, _)| *place == channel && *id == turn);
        found.map(|(_, _, asker)| *asker)
    }

    fn answer_again(&self, _: Scope, message: MessageId) -> Pending<'_, Result<bool, StoreError>> {
        lock(&self.state).again.push(message);
        Box::pin(std::future::ready(Ok(true)))
    }

    fn regenerate(
        &self,
        _: Scope,
        _: ChannelId,
        _: Option<UserId>,
    ) -> Pending<'_, Result<bool, StoreError>> {
        Box::pin(std::future::ready(Ok(false)))
    }

    fn decisions(&self, _: ChannelId, _: usize) -> Vec<DecisionRecord> {
        Vec::new()
    }

    fn status(&self, _: ChannelId) -> BotStatus {
        BotStatus::default()
    }
}
