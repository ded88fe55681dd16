//! Application commands as REST and the command index show them.

use serde_json::{Value, json};

use crate::realm::{AppCommand, CommandKind};

/// Without localizations, the texts by locale are left out.
pub(crate) fn command(command: &AppCommand, localized: bool) -> Value {
    let mut shown = Value::Object(command.fields.clone());
    shown["id"] = json!(command.id);
    shown["application_id"] = json!(command.application);
    shown["version"] = json!(command.version);
    shown["type"] = json!(command.kind.number());
    shown["name"] = json!(command.name);
    if let Some(guild) = command.guild {
        shown["guild_id"] = json!(guild);
    }
    if command.kind != CommandKind::ChatInput {
        shown["description"] = json!("");
    }
    if !localized {
        strip(&mut shown);
    }
    shown
}

fn strip(shown: &mut Value) {
    if let Some(map) = shown.as_object_mut() {
        map.remove("name_localizations");
        map.remove("description_localizations");
    }
    for key in ["options", "choices"] {
        if let Some(list) = shown.get_mut(key).and_then(Value::as_array_mut) {
            list.iter_mut().for_each(strip);
        }
    }
}
