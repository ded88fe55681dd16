//! Answers to interactions, and the commands that lead to them.

mod commands;

use kaiwa_domain::port::{OnWire, ResponseFile};
use kaiwa_domain::{
    Acknowledgement, Button, ButtonLook, ChatError, Disposition, Effect, EffectBody, Form,
    InteractionId, MessageId, Pings, ResponseHandle,
};
use serde_json::{Value, json};

use super::body::{AllowedMentions, RequestBody};
use super::plain::plain;
use super::route::Route;
use super::{Rest, codes, parse, shows_nothing};

/// The kinds of answers, see
/// [Discord Docs/Interactions](https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-interaction-callback-type).
const DEFERRED_MESSAGE: u8 = 5;
const DEFERRED_UPDATE: u8 = 6;
const CHOICES: u8 = 8;
const MODAL: u8 = 9;

/// Only who asked sees it, see
/// [Discord Docs/Message Flags](https://docs.discord.com/developers/resources/message#message-object-message-flags).
const EPHEMERAL: u32 = 1 << 6;

impl Rest {
    pub(super) async fn acknowledge_interaction(
        &self,
        interaction: InteractionId,
        handle: &ResponseHandle,
        acknowledgement: &Acknowledgement,
    ) -> Result<(), ChatError> {
        let route = Route::Acknowledge {
            interaction,
            handle,
        };
        let body = RequestBody::of(&callback(acknowledgement));
        match self.wire.call(route, Some(&body), &OnWire::new()).await {
            // It arrived the first time.
            Err(ChatError::Refused { code, .. }) if code == codes::ALREADY_ACKNOWLEDGED => Ok(()),
            outcome => outcome.map(drop),
        }
    }

    pub(super) async fn edit_response(
        &self,
        handle: &ResponseHandle,
        effect: &Effect,
        file: Option<&ResponseFile>,
    ) -> Result<MessageId, ChatError> {
        #[derive(serde::Deserialize)]
        struct Edited {
            id: twilight_model::id::Id<twilight_model::id::marker::MessageMarker>,
        }
        let body = match &effect.body {
            EffectBody::Respond { text, buttons, .. } => match file {
                Some(file) => {
                    let mut message = message(text, buttons);
                    message["attachments"] = json!([{ "id": 0, "filename": file.name }]);
                    let nonce = effect.nonce();
                    RequestBody::with_file(&message, nonce.as_str(), &file.name, &file.bytes)
                }
                None => changed(text, buttons),
            },
            EffectBody::Retire { text, .. } => changed(text, &[]),
            _ => return Err(shows_nothing()),
        };
        let route = Route::EditResponse(handle);
        let answer = match self.wire.call(route, Some(&body), &OnWire::new()).await {
            // Words alone may pass.
            Err(error) if codes::is_bad_body(&error) => {
                let body = changed(&plain(text_of(effect)), &[]);
                self.wire.call(route, Some(&body), &OnWire::new()).await
            }
            answer => answer,
        };
        let answer = answer.map_err(gone)?;
        let edited: Edited = parse(&answer)?;
        Ok(MessageId::new(edited.id.get()))
    }
}

/// A token that no longer works is an interaction that is gone.
fn gone(error: ChatError) -> ChatError {
    match error {
        ChatError::Refused { code, message, .. } if codes::is_dead_token(code) => {
            ChatError::Refused {
                code,
                message,
                disposition: Disposition::SayInChannel,
            }
        }
        error => error,
    }
}

fn text_of(effect: &Effect) -> &str {
    match &effect.body {
        EffectBody::Respond { text, .. } | EffectBody::Retire { text, .. } => text,
        _ => "",
    }
}

/// What the answer to an interaction says from here on.
pub(super) fn changed(text: &str, buttons: &[Button]) -> RequestBody {
    RequestBody::of(&message(text, buttons))
}

fn message(text: &str, buttons: &[Button]) -> Value {
    json!({
        "content": text,
        "components": rows(buttons),
        "allowed_mentions": AllowedMentions::of(text, &Pings::default()),
    })
}

fn callback(acknowledgement: &Acknowledgement) -> Value {
    match acknowledgement {
        Acknowledgement::Deferred { ephemeral } => {
            let flags = if *ephemeral { EPHEMERAL } else { 0 };
            json!({ "type": DEFERRED_MESSAGE, "data": { "flags": flags } })
        }
        Acknowledgement::Unchanged => json!({ "type": DEFERRED_UPDATE }),
        Acknowledgement::Choices(choices) => {
            let choices: Vec<Value> = choices
                .iter()
                .map(|it| json!({ "name": it.name, "value": it.value }))
                .collect();
            json!({ "type": CHOICES, "data": { "choices": choices } })
        }
        Acknowledgement::Form(form) => json!({ "type": MODAL, "data": modal(form) }),
    }
}

/// The longest title of a form and label of a field.
///
/// See [Discord Docs/Modal](https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-modal)
/// and [Discord Docs/Components](https://docs.discord.com/developers/components/reference#label).
const TITLE_CHARS: usize = 45;

fn modal(form: &Form) -> Value {
    let fields: Vec<Value> = form
        .fields
        .iter()
        .map(|field| {
            let style = if field.long { 2 } else { 1 };
            let mut component = json!({
                "type": 4,
                "custom_id": field.name,
                "style": style,
                "max_length": field.most,
                "required": field.required,
            });
            if !field.value.is_empty() {
                component["value"] = json!(field.value);
            }
            json!({
                "type": 18,
                "label": shortened(&field.label, TITLE_CHARS),
                "component": component,
            })
        })
        .collect();
    json!({
        "custom_id": form.control,
        "title": shortened(&form.title, TITLE_CHARS),
        "components": fields,
    })
}

pub(super) fn rows(buttons: &[Button]) -> Vec<Value> {
    buttons
        .chunks(kaiwa_domain::limits::BUTTONS)
        .map(|row| {
            let row: Vec<Value> = row.iter().map(button).collect();
            json!({ "type": 1, "components": row })
        })
        .collect()
}

fn button(button: &Button) -> Value {
    let style = match button.look {
        ButtonLook::Primary => 1,
        ButtonLook::Secondary => 2,
        ButtonLook::Danger => 4,
    };
    json!({
        "type": 2,
        "style": style,
        "label": button.label,
        "custom_id": button.control,
    })
}

fn shortened(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
