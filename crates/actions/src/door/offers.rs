//! What waits for a click: a call that has to be confirmed, and what can be
//! taken back.
//!
//! An offer is a row before anybody sees its buttons, and a button names
//! nothing but the row. So what runs after a click is what was described above
//! the button, to whom was named there, by whoever was asked, once, and with the
//! rights that they have then.

#[cfg(test)]
mod questions;
#[cfg(test)]
mod tests;

use std::time::Duration;

use kaiwa_domain::limits::MESSAGE_UTF16;
use kaiwa_domain::port::{ActionReply, Entrance};
use kaiwa_domain::{
    Button, ButtonLook, Offer, OfferId, OfferKind, OfferState, Rights, Settlement, StoreError,
    Timestamp, ToolCall, ToolError, Turn, UserId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::clicks::Click;
use super::{Door, unknown};
use crate::action::{Description, UndoCall};
use crate::phrase::{Phrase, plain};

/// How long a call waits to be confirmed.
pub(crate) const CONFIRMED_WITHIN: Duration = Duration::from_secs(30);

/// How long something can be taken back.
const UNDONE_WITHIN: Duration = Duration::from_secs(24 * 3600);

/// What somebody wants done with an offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OfferClick {
    Approve,
    Cancel,
    Undo,
}

/// What comes back with a button.
#[derive(Serialize, Deserialize)]
struct ClickArguments {
    offer: String,
    /// Who may click. It only decides where the answer is shown: who really may
    /// is told by the row.
    by: String,
}

/// Whether a button with these arguments is for `user`.
pub(super) fn is_for(arguments: &str, user: UserId) -> bool {
    let clicked: Option<ClickArguments> = serde_json::from_str(arguments).ok();
    clicked.is_some_and(|it| it.by == user.to_string())
}

impl Door {
    /// Lets a call wait for the click of whoever asked.
    pub(super) async fn ask_first(
        &self,
        turn: &Turn,
        call: &ToolCall,
        described: Option<Description>,
        locale: &str,
    ) -> Result<ActionReply, ToolError> {
        let question = question(call, described.as_ref(), locale);
        if question.encode_utf16().count() > MESSAGE_UTF16 {
            // Nobody says yes to what they cannot read.
            return Err(ToolError::BadArguments {
                problem: "it is too long to be shown to whoever has to confirm it; shorten it"
                    .to_owned(),
            });
        }
        let settled = described.as_ref().map_or(&[][..], |it| &it.settled);
        let offer = self.offer_of(
            turn,
            OfferKind::Confirm,
            &call.name,
            &as_settled(&call.arguments, settled),
            CONFIRMED_WITHIN,
        );
        let kept = self.ports.offers.make_offer(&offer).await;
        kept.map_err(|error| not_kept(&error))?;
        let buttons = [
            button(&offer, OfferClick::Approve, ButtonLook::Danger, locale),
            button(&offer, OfferClick::Cancel, ButtonLook::Secondary, locale),
        ];
        Ok(ActionReply {
            told: "Not done yet: the person who asked has to confirm it with a button that they \
                   are shown now. Do not say that it is done, and do not call it again."
                .to_owned(),
            shown: question,
            buttons: buttons.into_iter().flatten().collect(),
            waits: Some(offer.id),
            ..ActionReply::default()
        })
    }

    /// The button that takes back what was done, and what it stands for.
    pub(super) async fn offer_undo(
        &self,
        turn: &Turn,
        undo: &UndoCall,
        locale: &str,
    ) -> Option<(Button, OfferId)> {
        let (action, arguments) = (undo.action, &undo.arguments);
        let offer = self.offer_of(turn, OfferKind::Undo, action, arguments, UNDONE_WITHIN);
        match self.ports.offers.make_offer(&offer).await {
            Ok(()) => {
                let undo = button(&offer, OfferClick::Undo, ButtonLook::Secondary, locale);
                undo.map(|button| (button, offer.id))
            }
            // It was done, and that is what people have to hear.
            Err(error) => {
                tracing::error!(%error, turn = %turn.id, "something cannot be taken back");
                None
            }
        }
    }

    /// Does what a click says, if it is for them to decide.
    pub(super) async fn decide_offer(
        &self,
        turn: &Turn,
        click: OfferClick,
        call: &ToolCall,
        locale: &str,
    ) -> Result<ActionReply, ToolError> {
        let id = serde_json::from_str(&call.arguments)
            .ok()
            .and_then(|it: ClickArguments| it.offer.parse::<OfferId>().ok())
            .ok_or_else(|| unknown(call))?;
        let found = self.ports.offers.offer(turn.scope, id).await;
        let found = found.map_err(|error| not_kept(&error))?;
        let Some((offer, state)) = found else {
            return Ok(told(&Phrase::new("offer-gone"), locale));
        };
        if offer.channel != turn.channel || offer.id != digest_of(&offer) {
            return Err(unknown(call));
        }
        if offer.asker != turn.asker && !self.decides_for_others(turn).await? {
            return Err(ToolError::NotYours);
        }
        let now = self.ports.clock.now();
        let open = state == OfferState::Open && now < offer.until;
        let mine = state == OfferState::Taken { by: turn.id };
        match (click, open || mine) {
            (OfferClick::Cancel, true) => {
                let cancelled = self.settle(&offer, OfferState::Cancelled).await?;
                match cancelled {
                    OfferState::Cancelled => Ok(told(&Phrase::new("offer-cancelled"), locale)),
                    _ => Ok(nothing_new()),
                }
            }
            (OfferClick::Approve | OfferClick::Undo, true) => {
                let by = turn.id;
                let taken = self.settle(&offer, OfferState::Taken { by }).await?;
                if taken != (OfferState::Taken { by }) {
                    return Ok(nothing_new());
                }
                self.call_offered(turn, &offer, locale, mine).await
            }
            (_, false) if matches!(state, OfferState::Open | OfferState::Expired) => {
                self.settle(&offer, OfferState::Expired).await?;
                Ok(told(&late(offer.kind), locale))
            }
            // The first click is being answered.
            (_, false) => Ok(nothing_new()),
        }
    }

    /// Makes the call of an offer that was taken; `again` if an earlier process
    /// may have made it.
    async fn call_offered(
        &self,
        turn: &Turn,
        offer: &Offer,
        locale: &str,
        again: bool,
    ) -> Result<ActionReply, ToolError> {
        let call = ToolCall {
            id: offer.id.to_string(),
            name: offer.action.clone(),
            arguments: offer.arguments.clone(),
            signature: None,
        };
        // Whoever confirms lends nobody their rights.
        let turn = &Turn {
            asker: offer.asker,
            ..turn.clone()
        };
        let entry = self.registry.find(&call.name);
        let entry = entry.filter(|it| it.declaration.place.includes(turn.scope));
        let entry = entry.ok_or_else(|| unknown(&call))?;
        if self.is_off(turn, &entry.declaration).await {
            return Err(ToolError::SwitchedOff);
        }
        if again && entry.declaration.settlement == Settlement::AtMostOnce {
            return Ok(told(&Phrase::new("offer-unknown"), locale));
        }
        let entrance = Entrance::Control { locale };
        Box::pin(self.enter(turn, entry, &call, entrance, Some(offer.turn))).await
    }

    /// Whether somebody may confirm what others asked for.
    async fn decides_for_others(&self, turn: &Turn) -> Result<bool, ToolError> {
        if !self.policy(turn).await.moderators_confirm {
            return Ok(false);
        }
        let held = self
            .ports
            .permissions
            .of(turn.scope, turn.channel, turn.asker);
        match held.await {
            Ok(held) => Ok(Rights::MANAGE_MESSAGES.without(held).is_empty()),
            Err(error) => Err(ToolError::Failed {
                reason: error.to_string(),
            }),
        }
    }

    async fn settle(&self, offer: &Offer, state: OfferState) -> Result<OfferState, ToolError> {
        let offers = &self.ports.offers;
        let settled = offers.settle_offer(offer.scope, offer.id, state).await;
        settled.map_err(|error| not_kept(&error))
    }

    fn offer_of(
        &self,
        turn: &Turn,
        kind: OfferKind,
        action: &str,
        arguments: &str,
        lasts: Duration,
    ) -> Offer {
        let now = self.ports.clock.now();
        let lasts = i64::try_from(lasts.as_millis()).unwrap_or(i64::MAX);
        let mut offer = Offer {
            id: OfferId::new(0),
            kind,
            scope: turn.scope,
            channel: turn.channel,
            turn: turn.id,
            asker: turn.asker,
            action: action.to_owned(),
            arguments: arguments.to_owned(),
            made_at: now,
            until: Timestamp::from_millis(now.as_millis().saturating_add(lasts)),
            message: None,
        };
        offer.id = digest_of(&offer);
        offer
    }
}

/// What somebody is asked, with all that they would say yes to.
fn question(call: &ToolCall, described: Option<&Description>, locale: &str) -> String {
    let described = match described {
        Some(it) => it.phrase.text(locale),
        None => format!("{} {}", call.name, plain(&call.arguments)),
    };
    let seconds = usize::try_from(CONFIRMED_WITHIN.as_secs()).unwrap_or_default();
    Phrase::new("confirm")
        .with("described", described)
        .with("seconds", seconds)
        .text(locale)
}

/// Arguments as they were understood when they were described.
fn as_settled(arguments: &str, settled: &[(&'static str, String)]) -> String {
    let read: Result<Map<String, Value>, _> = serde_json::from_str(arguments);
    let Ok(mut read) = read else {
        return arguments.to_owned();
    };
    for (name, value) in settled {
        read.insert((*name).to_owned(), value.as_str().into());
    }
    Value::Object(read).to_string()
}

/// The name of an offer: a digest of everything that it is about.
pub(super) fn digest_of(offer: &Offer) -> OfferId {
    let mut digest = Sha256::new();
    let kind = offer.kind.name();
    let scope = offer.scope.to_string();
    let turn = offer.turn.to_string();
    let asker = offer.asker.to_string();
    for part in [kind, &scope, &turn, &asker, &offer.action, &offer.arguments] {
        digest.update(part.len().to_be_bytes());
        digest.update(part.as_bytes());
    }
    let mut first = [0; 8];
    first.copy_from_slice(&digest.finalize()[..8]);
    OfferId::new(u64::from_be_bytes(first))
}

fn button(offer: &Offer, click: OfferClick, look: ButtonLook, locale: &str) -> Option<Button> {
    let arguments = ClickArguments {
        offer: offer.id.to_string(),
        by: offer.asker.to_string(),
    };
    Click::Offer(click).button(&arguments, look, locale)
}

pub(super) fn told(phrase: &Phrase, locale: &str) -> ActionReply {
    let shown = phrase.text(locale);
    ActionReply {
        told: shown.clone(),
        shown,
        ..ActionReply::default()
    }
}

/// What is told to whoever comes too late. What can be taken back was done.
const fn late(kind: OfferKind) -> Phrase {
    Phrase::new(match kind {
        OfferKind::Undo => "offer-gone",
        OfferKind::Confirm | OfferKind::Again | OfferKind::Source => "offer-expired",
    })
}

/// What people see stays as it is.
fn nothing_new() -> ActionReply {
    ActionReply::default()
}

pub(super) fn not_kept(error: &StoreError) -> ToolError {
    ToolError::Failed {
        reason: error.to_string(),
    }
}
