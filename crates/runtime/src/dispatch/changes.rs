//! Edits, deletions and reactions: what people do to messages that are there.

use std::time::Duration;

use kaiwa_domain::{
    ChannelId, Message, MessageId, PersonaId, Question, Reaction, Scope, StoreError, TakeRequest,
    Turn, TurnId, TurnState, UserId,
};
use kaiwa_pipeline::admit::{Admitted, admit_again};

use super::{Asked, Dispatch, ignored};
use crate::settings::EditedQuestion;
use crate::turn;

/// How long after a question an edit is one to be answered.
const EDITED_WITHIN: Duration = Duration::from_secs(60);

/// Asks for silence.
const STOP: &str = "🛑";

/// Asks for another take.
const AGAIN: &str = "🔁";

impl Dispatch {
    /// A question that nobody wants answered any more: before we spoke there
    /// will be no word, and after that no more. Who deletes a part of an answer
    /// wants no more of it either.
    pub(super) async fn deleted(
        &mut self,
        scope: Scope,
        channel: ChannelId,
        messages: &[MessageId],
    ) -> bool {
        for message in messages {
            if self.bot.waiting.stop_question(channel, *message) {
                tracing::info!(%channel, "a question was deleted");
            }
        }
        if !self.bot.waiting.anybody(channel) {
            return true;
        }
        let said = self.bot.store.speakers(scope, messages).await;
        let said = said.unwrap_or_default().into_iter();
        for (message, _) in said.filter(|(_, record)| !record.is_notice) {
            let Ok(Some(turn)) = self.bot.store.latest_turn(scope, message).await else {
                continue;
            };
            if let Some(question) = turn.id.trigger.message()
                && self.bot.waiting.stop_question(channel, question)
                && !self
                    .record_stop(scope, channel, &[turn.asker], question)
                    .await
            {
                return false;
            }
        }
        true
    }

    /// A message says something else now. If it was a question and is edited
    /// soon, it is answered again, or that is offered.
    pub(super) async fn edited(&mut self, message: Message) -> bool {
        let bot = self.bot.clone();
        let Some(edited_at) = message.edited_at else {
            return true;
        };
        // However late we hear of it.
        let age = edited_at.since(message.id.created_at());
        if bot.me.is(message.author.id) || age > EDITED_WITHIN {
            return true;
        }
        if bot.window.is_outdated(&message) {
            ignored("outdated");
            return true;
        }
        let Ok(Some(turn)) = bot.store.latest_turn(message.scope, message.id).await else {
            return true;
        };
        if turn.asker != message.author.id || turn.id.trigger.message() != Some(message.id) {
            return true;
        }
        let request = request_of(&message);
        match self.is_new(&turn, &request).await {
            Ok(true) => {}
            known => return known.is_ok(),
        }
        if bot.waiting.stop_question(message.channel, message.id) {
            // Nothing is lost: what is being answered is out of date.
            return self.again(&turn, message, None).await;
        }
        let settings = bot.settings_of(&turn).await;
        if bot.clock.now().since(edited_at) > settings.answer_within {
            ignored("stale");
            return true;
        }
        match settings.edited_question {
            EditedQuestion::Regenerate => self.again(&turn, message, None).await,
            EditedQuestion::Offer => {
                self.offer(&turn);
                true
            }
            EditedQuestion::Ignore => true,
        }
    }

    /// Puts the sign for another take on the question, as a turn of its own.
    fn offer(&self, answered: &Turn) {
        let Some(take) = answered.id.take.checked_add(1) else {
            return;
        };
        let turn = Turn {
            id: TurnId {
                take,
                ..answered.id
            },
            state: TurnState::Admitted,
            admitted_at: self.bot.clock.now(),
            ..answered.clone()
        };
        let bot = self.bot.clone();
        self.tasks.spawn("offer", async move {
            let arguments = format!("{{\"emoji\":\"{AGAIN}\"}}");
            if let Err(error) = turn::act(&bot, &turn, "react", arguments).await {
                tracing::info!(%error, "another answer could not be offered");
            }
        });
    }

    /// A sign on a message may stop an answer, or ask for another.
    pub(super) async fn reacted(&mut self, reaction: Reaction) -> bool {
        if reaction.by_bot {
            return true;
        }
        match sign(&reaction.emoji) {
            STOP => self.reacted_stop(&reaction).await,
            AGAIN => self.reacted_again(&reaction).await,
            _ => true,
        }
    }

    async fn reacted_stop(&mut self, reaction: &Reaction) -> bool {
        let Reaction { scope, channel, .. } = *reaction;
        if !self.bot.waiting.anybody(channel) {
            return true;
        }
        let Some(turn) = self.turn_for(reaction).await else {
            // What we are just saying may not be written down yet.
            let ours = reaction.message_author.is_some_and(|id| self.bot.me.is(id));
            if ours
                && self
                    .bot
                    .waiting
                    .stop(channel, reaction.user, reaction.message)
            {
                let asker = &[reaction.user];
                let event = reaction.message;
                return self.record_stop(scope, channel, asker, event).await;
            }
            return true;
        };
        let Some(question) = turn.id.trigger.message() else {
            return true;
        };
        if !self.bot.waiting.stop_question(channel, question) {
            return true;
        }
        let asked = asked(scope, channel, reaction.user, &turn);
        self.note(&asked, "stop", "reaction");
        self.record_stop(scope, channel, &[turn.asker], question)
            .await
    }

    async fn reacted_again(&mut self, reaction: &Reaction) -> bool {
        let Some(turn) = self.turn_for(reaction).await else {
            return true;
        };
        let (scope, message) = (reaction.scope, reaction.message);
        let records = self.bot.store.speakers(scope, &[message]).await;
        let said_by = records.ok().and_then(|it| Some(it.get(&message)?.persona));
        let turn = Turn {
            // Of several who answered, the one whose answer it is.
            persona: said_by.unwrap_or(turn.persona),
            ..turn
        };
        let request = TakeRequest {
            scope,
            message,
            user: reaction.user,
            edited_at: None,
        };
        self.answer_again(&turn, Some(request)).await
    }

    /// Who takes a sign off may put it there anew.
    pub(super) async fn unreacted(
        &self,
        scope: Scope,
        message: MessageId,
        user: Option<UserId>,
        emoji: Option<String>,
    ) -> bool {
        if emoji.is_some_and(|emoji| sign(&emoji) != AGAIN) {
            return true;
        }
        let bot = &self.bot;
        if let Ok(None) = bot.store.latest_turn(scope, message).await {
            // Nothing was asked there.
            return true;
        }
        let withdrawn = bot.persist(|| bot.store.withdraw_take(scope, message, user));
        match withdrawn.await {
            Ok(()) => true,
            Err(error) => {
                tracing::error!(%error, "what was taken back could not be journalled");
                false
            }
        }
    }

    /// Notes which edit of a question a take answers, so that the edit asks for
    /// no other when it comes. False if that could not be written down.
    pub(super) async fn note_edit(&self, admitted: &Admitted) -> bool {
        let Question::Message(message) = admitted.question() else {
            return true;
        };
        if message.edited_at.is_none() {
            return true;
        }
        let (bot, request) = (&self.bot, request_of(message));
        let (take, now) = (admitted.turn().id.take, bot.clock.now());
        let latest = bot.store.latest_turn(message.scope, message.id);
        if take == 0 && matches!(latest.await, Ok(Some(_))) {
            // It was asked before, as it was then.
            return true;
        }
        let noted = bot.persist(|| bot.store.request_take(&request, take, now));
        match noted.await {
            Ok(_) => true,
            Err(error) => {
                tracing::error!(%error, message = %message.id, "an edit could not be journalled");
                false
            }
        }
    }

    /// Whether a request for the take after `turn` did not come before, or came
    /// to nothing when it did.
    async fn is_new(&self, turn: &Turn, request: &TakeRequest) -> Result<bool, StoreError> {
        let Some(next) = turn.id.take.checked_add(1) else {
            return Ok(false);
        };
        let (bot, now) = (&self.bot, self.bot.clock.now());
        let take = bot.persist(|| bot.store.request_take(request, next, now));
        match take.await {
            Ok(take) if take >= next => Ok(true),
            Ok(_) => {
                ignored("duplicate");
                Ok(false)
            }
            Err(error) => {
                tracing::error!(%error, turn = %turn.id, "a request could not be journalled");
                Err(error)
            }
        }
    }

    /// Answers the question of a turn once more, if it is still there and the
    /// request, where it can come twice, is new.
    pub(super) async fn answer_again(&mut self, turn: &Turn, request: Option<TakeRequest>) -> bool {
        let Some(question) = turn.id.trigger.message() else {
            return true;
        };
        let fetched = self.bot.chat.message(turn.scope, turn.channel, question);
        match fetched.await {
            Ok(Some(message)) => {
                if let Some(request) = request {
                    match self.is_new(turn, &request).await {
                        Ok(true) => {}
                        known => return known.is_ok(),
                    }
                }
                self.again(turn, message, Some(turn.persona)).await
            }
            Ok(None) => true,
            Err(error) => {
                tracing::warn!(%error, "the question cannot be read again");
                true
            }
        }
    }

    /// The turn whose question or answer bears a reaction, if who put it there
    /// asked or is a moderator.
    async fn turn_for(&self, reaction: &Reaction) -> Option<Turn> {
        let turn = self
            .bot
            .store
            .latest_turn(reaction.scope, reaction.message)
            .await;
        let turn = turn.ok().flatten()?;
        let may = turn.asker == reaction.user
            || self
                .moderates(reaction.scope, reaction.channel, reaction.user)
                .await;
        may.then_some(turn)
    }

    /// Answers a question once more, as a persona or as whomever it is for by then.
    async fn again(&mut self, turn: &Turn, message: Message, persona: Option<PersonaId>) -> bool {
        let Some(take) = turn.id.take.checked_add(1) else {
            return true;
        };
        let question = Question::Message(message.clone());
        let facts = self.bot.gate_facts(&question).await;
        let bot = self.bot.clone();
        let decision = admit_again(&facts.gate(&bot), bot.clock.now(), message, take, persona);
        self.follow(decision, &Asked::of(&question)).await
    }
}

/// What the newest edit of a message asks for.
const fn request_of(message: &Message) -> TakeRequest {
    TakeRequest {
        scope: message.scope,
        message: message.id,
        user: message.author.id,
        edited_at: message.edited_at,
    }
}

/// A sign, however it is to be shown.
fn sign(emoji: &str) -> &str {
    emoji.trim_end_matches('\u{fe0f}')
}

const fn asked(scope: Scope, channel: ChannelId, user: UserId, turn: &Turn) -> Asked {
    Asked {
        scope,
        channel,
        user,
        trigger: turn.id.trigger,
    }
}
