//! The bodies of effects as versioned JSON.
//!
//! A body that an older version wrote is read for ever; a change of shape gets
//! a new version, and a new kind a new arm here and nothing else.

use kaiwa_domain::{Button, ButtonLook, EffectBody, File, MessageId, Notice, Outgoing, Table};
use serde::{Deserialize, Serialize};

/// The version that is written.
pub(super) const VERSION: i64 = 1;

/// The kind of notices.
const NOTICE: &str = "notify";

/// The kind of answers to interactions.
const RESPONSE: &str = "respond";

/// Whether something of this kind is not a persona's own words.
pub(super) fn is_notice(kind: &str) -> bool {
    kind == NOTICE || kind == RESPONSE
}

/// The body of what is shown: text, the source of a table or file, or the name
/// of a notice.
#[derive(Serialize, Deserialize)]
struct Shown {
    source: String,
    reply_to: Option<String>,
}

/// The body of an action.
#[derive(Serialize, Deserialize)]
struct Act {
    name: String,
    arguments: String,
}

/// The body of an answer to an interaction.
#[derive(Serialize, Deserialize)]
struct Respond {
    text: String,
    buttons: Vec<StoredButton>,
}

#[derive(Serialize, Deserialize)]
struct StoredButton {
    control: String,
    label: String,
    look: String,
}

const fn look_name(look: ButtonLook) -> &'static str {
    match look {
        ButtonLook::Primary => "primary",
        ButtonLook::Secondary => "secondary",
        ButtonLook::Danger => "danger",
    }
}

fn read_look(name: &str) -> Option<ButtonLook> {
    [
        ButtonLook::Primary,
        ButtonLook::Secondary,
        ButtonLook::Danger,
    ]
    .into_iter()
    .find(|look| look_name(*look) == name)
}

fn read_respond(text: &str) -> Option<EffectBody> {
    let Respond { text, buttons } = serde_json::from_str(text).ok()?;
    let buttons = buttons.into_iter().map(|button| {
        Some(Button {
            look: read_look(&button.look)?,
            control: button.control,
            label: button.label,
        })
    });
    Some(EffectBody::Respond {
        text,
        buttons: buttons.collect::<Option<_>>()?,
    })
}

/// The kind and the JSON of a body.
pub(super) fn write(body: &EffectBody) -> (&'static str, String) {
    match body {
        EffectBody::Say { outgoing, reply_to } => {
            let (kind, source) = match outgoing {
                Outgoing::Say(text) => ("say", text.as_str()),
                Outgoing::Table(table) => ("table", table.source()),
                Outgoing::File(file) => ("file", file.source()),
            };
            let body = Shown {
                source: source.to_owned(),
                reply_to: reply_to.map(|id| id.to_string()),
            };
            (kind, json(&body))
        }
        EffectBody::Notify { notice, reply_to } => {
            let body = Shown {
                source: notice.stored(),
                reply_to: reply_to.map(|id| id.to_string()),
            };
            (NOTICE, json(&body))
        }
        EffectBody::Act { name, arguments } => {
            let body = Act {
                name: name.clone(),
                arguments: arguments.clone(),
            };
            ("act", json(&body))
        }
        EffectBody::Respond { text, buttons } => {
            let buttons = buttons.iter().map(|button| StoredButton {
                control: button.control.clone(),
                label: button.label.clone(),
                look: look_name(button.look).to_owned(),
            });
            let body = Respond {
                text: text.clone(),
                buttons: buttons.collect(),
            };
            (RESPONSE, json(&body))
        }
    }
}

/// The body with this kind, version and JSON, if we know such.
pub(super) fn read(kind: &str, version: i64, text: &str) -> Option<EffectBody> {
    if version != VERSION {
        return None;
    }
    if kind == "act" {
        let Act { name, arguments } = serde_json::from_str(text).ok()?;
        return Some(EffectBody::Act { name, arguments });
    }
    if kind == RESPONSE {
        return read_respond(text);
    }
    let Shown { source, reply_to } = serde_json::from_str(text).ok()?;
    let reply_to: Option<MessageId> = match reply_to {
        Some(id) => Some(id.parse().ok()?),
        None => None,
    };
    let outgoing = match kind {
        "say" => Outgoing::Say(source),
        "table" => Outgoing::Table(Table::parse(&source)?),
        "file" => Outgoing::File(File::parse(&source)?),
        NOTICE => {
            let notice = Notice::read(&source)?;
            return Some(EffectBody::Notify { notice, reply_to });
        }
        _ => return None,
    };
    Some(EffectBody::Say { outgoing, reply_to })
}

fn json(body: &impl Serialize) -> String {
    // A struct of strings always is JSON.
    serde_json::to_string(body).unwrap_or_default()
}
