//! The buttons below an answer: to stop it, to have another, and to read the
//! text of a table.
//!
//! The one that stops names a turn, and works for as long as that is being
//! answered. The others name an offer, which stands for a while, whoever has
//! clicked before.

#[cfg(test)]
mod tests;

use kaiwa_domain::port::{ActionReply, SaidMessage};
use kaiwa_domain::{
    Button, ButtonLook, Offer, OfferId, OfferKind, OfferState, PersonalFile, RateClass, Rights,
    RightsHolder, StoreError, Timestamp, ToolCall, ToolError, Turn, TurnId,
};
use serde::{Deserialize, Serialize};

use super::clicks::Click;
use super::offers::{digest_of, not_kept, told};
use super::{Door, unknown};
use crate::phrase::Phrase;
use crate::session::interaction;

/// The longest text of a table that is shown as a message; a longer one is a
/// file.
const SHOWN_CHARS: usize = 1800;

/// What somebody wants of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AnswerClick {
    Stop,
    Again,
    Source,
}

/// What comes back with a button: the turn that is stopped, or the offer.
#[derive(Serialize, Deserialize)]
struct AnswerArguments {
    of: String,
}

/// The button that ends the answer of a turn.
pub(super) fn stop_button(turn: &Turn) -> Option<Button> {
    button(AnswerClick::Stop, turn.id.to_string())
}

impl Door {
    /// Keeps what can be done with a message of an answer, and gives the
    /// buttons for it.
    pub(super) async fn offer_more(
        &self,
        turn: &Turn,
        said: &SaidMessage,
        again: bool,
        until: Timestamp,
    ) -> Result<Vec<Button>, StoreError> {
        let again = again.then(|| (AnswerClick::Again, OfferKind::Again, String::new()));
        let source = said.source.clone();
        let source = source.map(|text| (AnswerClick::Source, OfferKind::Source, text));
        let mut buttons = Vec::new();
        for (click, kind, text) in again.into_iter().chain(source) {
            let mut offer = Offer {
                id: OfferId::new(0),
                kind,
                scope: turn.scope,
                channel: turn.channel,
                turn: turn.id,
                asker: turn.asker,
                action: format!("{}/{}", Click::Answer(click).names().0, said.message),
                arguments: text,
                made_at: self.ports.clock.now(),
                until,
                message: Some(said.message),
            };
            offer.id = digest_of(&offer);
            self.ports.offers.make_offer(&offer).await?;
            buttons.extend(button(click, offer.id.to_string()));
        }
        Ok(buttons)
    }

    /// Does what a click below an answer says.
    pub(super) async fn answer_clicked(
        &self,
        turn: &Turn,
        click: AnswerClick,
        call: &ToolCall,
        locale: &str,
    ) -> Result<ActionReply, ToolError> {
        let AnswerArguments { of } =
            serde_json::from_str(&call.arguments).map_err(|_| unknown(call))?;
        if click == AnswerClick::Stop {
            let answer: TurnId = of.parse().map_err(|_| unknown(call))?;
            return self.stop_answer(turn, answer, locale).await;
        }
        let id: OfferId = of.parse().map_err(|_| unknown(call))?;
        let found = self.ports.offers.offer(turn.scope, id).await;
        let found = found.map_err(|error| not_kept(&error))?;
        let now = self.ports.clock.now();
        let standing = found.filter(|(it, state)| *state == OfferState::Open && now < it.until);
        let Some((offer, _)) = standing else {
            return Ok(told(&Phrase::new("control-over"), locale));
        };
        if offer.channel != turn.channel || offer.id != digest_of(&offer) {
            return Err(unknown(call));
        }
        match click {
            AnswerClick::Stop => Err(unknown(call)),
            AnswerClick::Again => self.answer_once_more(turn, &offer, locale).await,
            AnswerClick::Source => Ok(source(&offer, locale)),
        }
    }

    /// Ends an answer, for who asked or may stop the answers of others.
    async fn stop_answer(
        &self,
        turn: &Turn,
        answer: TurnId,
        locale: &str,
    ) -> Result<ActionReply, ToolError> {
        let conversations = &self.ports.conversations;
        let Some(asker) = conversations.asker_of(turn.channel, answer) else {
            return Ok(told(&Phrase::new("stop-over"), locale));
        };
        if asker != turn.asker {
            let needed = Rights::MANAGE_MESSAGES;
            let lacks = self.check(turn, turn.asker, RightsHolder::Asker, needed);
            lacks.await.map_err(|error| match error {
                ToolError::Lacking { .. } => ToolError::NotYours,
                other => other,
            })?;
        }
        let event = interaction(turn)?;
        let stopped = conversations.stop(turn.scope, turn.channel, Some(asker), event);
        Ok(match stopped.await.map_err(|error| not_kept(&error))? {
            true => told(&Phrase::new("stop-done"), locale),
            false => told(&Phrase::new("stop-over"), locale),
        })
    }

    async fn answer_once_more(
        &self,
        turn: &Turn,
        offer: &Offer,
        locale: &str,
    ) -> Result<ActionReply, ToolError> {
        if offer.asker != turn.asker {
            return Err(ToolError::NotYours);
        }
        self.count_class(turn, RateClass::Ai)?;
        let message = offer.message.ok_or(ToolError::NotYours)?;
        let again = self.ports.conversations.answer_again(turn.scope, message);
        Ok(match again.await.map_err(|error| not_kept(&error))? {
            true => told(&Phrase::new("regenerate-done"), locale),
            false => told(&Phrase::new("control-over"), locale),
        })
    }
}

/// What a table was made from, so that it can be copied.
fn source(offer: &Offer, locale: &str) -> ActionReply {
    let text = &offer.arguments;
    if text.chars().count() <= SHOWN_CHARS && !text.contains("```") {
        let shown = format!("```md\n{}\n```", text.trim_end());
        return ActionReply {
            shown,
            ..told(&Phrase::new("source-attached"), locale)
        };
    }
    ActionReply {
        file: Some(PersonalFile::Source(offer.id)),
        ..told(&Phrase::new("source-attached"), locale)
    }
}

/// People read it whoever they are, so it is in English.
fn button(click: AnswerClick, of: String) -> Option<Button> {
    Click::Answer(click).button(&AnswerArguments { of }, ButtonLook::Secondary, "")
}
