//! The door's own buttons: a click on one calls no action, but decides about an
//! [offer](super::offers) or an [answer](super::answers).

use kaiwa_domain::port::{ActionReply, ControlRequest, Entrance};
use kaiwa_domain::{
    Acknowledgement, Button, ButtonLook, Interaction, Settlement, ToolCall, ToolError, Turn,
};
use serde::Serialize;

use super::answers::AnswerClick;
use super::offers::{self, OfferClick};
use super::{Door, unknown};
use crate::command::control;
use crate::phrase::Phrase;

/// What somebody says with a click.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Click {
    Offer(OfferClick),
    Answer(AnswerClick),
}

/// All of them: what they are called by and what is written on the button.
const CLICKS: [(Click, &str, &str); 6] = [
    (
        Click::Offer(OfferClick::Approve),
        "approve",
        "button-approve",
    ),
    (Click::Offer(OfferClick::Cancel), "cancel", "button-cancel"),
    (Click::Offer(OfferClick::Undo), "undo", "button-undo"),
    (
        Click::Answer(AnswerClick::Stop),
        "stop_answer",
        "button-stop",
    ),
    (
        Click::Answer(AnswerClick::Again),
        "answer_again",
        "button-again",
    ),
    (
        Click::Answer(AnswerClick::Source),
        "table_source",
        "button-source",
    ),
];

impl Click {
    pub(super) fn of(name: &str) -> Option<Self> {
        let found = CLICKS.iter().find(|(_, it, _)| *it == name);
        found.map(|(click, ..)| *click)
    }

    /// What it is called by, and what is written on its button.
    pub(super) fn names(self) -> (&'static str, Phrase) {
        let found = CLICKS.iter().find(|(it, ..)| *it == self);
        let (name, label) = found.map_or(("", ""), |(_, name, label)| (*name, *label));
        (name, Phrase::new(label))
    }

    /// An offer is taken once, and knows what became of it. Nobody wants two
    /// more answers for one click.
    pub(super) const fn settlement(self) -> Settlement {
        match self {
            Self::Answer(AnswerClick::Again) => Settlement::AtMostOnce,
            Self::Offer(_) | Self::Answer(_) => Settlement::Idempotent,
        }
    }

    /// The click as a call. Where it decides about an offer, the message with
    /// the button shows what came of it; anything else is told to whoever
    /// clicked alone.
    pub(super) fn request(self, interaction: &Interaction, arguments: &str) -> ControlRequest {
        let theirs = match self {
            Self::Offer(_) => offers::is_for(arguments, interaction.user.id),
            Self::Answer(_) => false,
        };
        ControlRequest::Call {
            call: called(interaction, self.names().0, arguments.to_owned()),
            acknowledgement: match theirs {
                true => Acknowledgement::Unchanged,
                false => Acknowledgement::Deferred { ephemeral: true },
            },
        }
    }

    /// A button for it; `None` if what comes back with it is too long.
    pub(super) fn button(
        self,
        arguments: &impl Serialize,
        look: ButtonLook,
        locale: &str,
    ) -> Option<Button> {
        let (name, label) = self.names();
        let arguments = serde_json::to_string(arguments).ok()?;
        Some(Button {
            control: control(name, &arguments)?,
            label: label.text(locale),
            look,
        })
    }
}

/// What somebody does with a control, as a call.
pub(super) fn called(interaction: &Interaction, name: &str, arguments: String) -> ToolCall {
    ToolCall {
        id: interaction.id.to_string(),
        name: name.to_owned(),
        arguments,
        signature: None,
    }
}

impl Door {
    /// Does what a click says. The model cannot press a button.
    pub(super) async fn clicked(
        &self,
        turn: &Turn,
        click: Click,
        call: &ToolCall,
        entrance: Entrance<'_>,
    ) -> Result<ActionReply, ToolError> {
        let Entrance::Control { locale } = entrance else {
            return Err(unknown(call));
        };
        match click {
            Click::Offer(click) => self.decide_offer(turn, click, call, locale).await,
            Click::Answer(click) => self.answer_clicked(turn, click, call, locale).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_click_has_a_name_of_its_own() {
        let names: BTreeSet<&str> = CLICKS.iter().map(|(_, name, _)| *name).collect();
        assert_eq!(names.len(), CLICKS.len());
        for (click, name, label) in CLICKS {
            assert_eq!(Click::of(name), Some(click));
            assert_eq!(click.names(), (name, Phrase::new(label)));
        }
        assert_eq!(Click::of("stop"), None);
    }
}
