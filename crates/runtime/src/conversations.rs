//! The conversations, as an action may change them.

use std::sync::Arc;

use kaiwa_domain::port::{
    Ack, BotStatus, Clock, Conversations, Inbound, Pending, StopRequest, Store,
};
use kaiwa_domain::{
    ChannelId, DecisionRecord, Event, InteractionId, MessageId, Scope, StoreError, Turn, TurnId,
    UserId,
};
use tokio::sync::mpsc;

use crate::{BotHealth, Decisions, WaitingList};

/// What actions use to end answers, to ask for others, and to look.
pub struct ConversationControl {
    /// Who waits for which answer.
    pub waiting: WaitingList,
    /// What was decided lately.
    pub decisions: Decisions,
    /// What is up and what is down.
    pub health: BotHealth,
    /// The journals.
    pub store: Arc<dyn Store>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Where events come in.
    pub events: mpsc::Sender<Inbound>,
}

impl ConversationControl {
    async fn stop_answers(
        &self,
        scope: Scope,
        channel: ChannelId,
        asker: Option<UserId>,
        event: InteractionId,
    ) -> Result<bool, StoreError> {
        // The ids of messages and interactions are of one sequence.
        let event = MessageId::new(event.get());
        let askers = match asker {
            Some(asker) => match self.waiting.stop(channel, asker, event) {
                true => vec![asker],
                false => Vec::new(),
            },
            None => self.waiting.stop_all(channel, event),
        };
        for asker in &askers {
            let stop = StopRequest {
                scope,
                channel,
                asker: *asker,
                event,
                at: event.created_at(),
            };
            self.store.stop(&stop).await?;
        }
        Ok(!askers.is_empty())
    }

    async fn answer_last_again(
        &self,
        scope: Scope,
        channel: ChannelId,
        asker: Option<UserId>,
    ) -> Result<bool, StoreError> {
        let Some(turn) = self.store.last_turn(scope, channel, asker).await? else {
            return Ok(false);
        };
        Ok(self.ask_again(turn))
    }
}

impl ConversationControl {
    async fn answer_once_more(&self, scope: Scope, message: MessageId) -> Result<bool, StoreError> {
        let Some(turn) = self.store.latest_turn(scope, message).await? else {
            return Ok(false);
        };
        let said_by = self.store.speakers(scope, &[message]).await?;
        let said_by = said_by.get(&message).map(|record| record.persona);
        let turn = Turn {
            // Of several who answered, the one whose answer it is.
            persona: said_by.unwrap_or(turn.persona),
            ..turn
        };
        Ok(self.ask_again(turn))
    }

    fn ask_again(&self, turn: Turn) -> bool {
        let inbound = Inbound {
            event: Event::Again(Box::new(turn)),
            ack: Ack::none(),
        };
        self.events.try_send(inbound).is_ok()
    }
}

impl Conversations for ConversationControl {
    fn asker_of(&self, channel: ChannelId, turn: TurnId) -> Option<UserId> {
        self.waiting.asker_of(channel, turn)
    }

    fn answer_again(
        &self,
        scope: Scope,
        message: MessageId,
    ) -> Pending<'_, Result<bool, StoreError>> {
        Box::pin(self.answer_once_more(scope, message))
    }

    fn stop(
        &self,
        scope: Scope,
        channel: ChannelId,
        asker: Option<UserId>,
        event: InteractionId,
    ) -> Pending<'_, Result<bool, StoreError>> {
        Box::pin(self.stop_answers(scope, channel, asker, event))
    }

    fn regenerate(
        &self,
        scope: Scope,
        channel: ChannelId,
        asker: Option<UserId>,
    ) -> Pending<'_, Result<bool, StoreError>> {
        Box::pin(self.answer_last_again(scope, channel, asker))
    }

    fn decisions(&self, channel: ChannelId, most: usize) -> Vec<DecisionRecord> {
        self.decisions.of_channel(channel, most)
    }

    fn status(&self, channel: ChannelId) -> BotStatus {
        BotStatus {
            waiting: self.waiting.questions(channel).len(),
            model_down: self.health.condition().model,
            first_words: self.health.first_words(),
        }
    }
}
