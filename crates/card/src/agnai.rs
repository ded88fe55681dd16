//! Characters as Agnai has them itself, under the names of version 2.

use serde_json::{Map, Value};

use crate::fields::{list, object, text};

/// What Agnai calls the fields of version 2.
const NAMES: [(&str, &str); 8] = [
    // What it calls so is for people who look for a character.
    ("description", "creator_notes"),
    ("greeting", "first_mes"),
    ("sampleChat", "mes_example"),
    ("alternateGreetings", "alternate_greetings"),
    ("systemPrompt", "system_prompt"),
    ("postHistoryInstructions", "post_history_instructions"),
    ("characterBook", "character_book"),
    ("characterVersion", "character_version"),
];

/// The same for an entry of a book. The heavier one stands lower.
const ENTRY_NAMES: [(&str, &str); 3] = [
    ("entry", "content"),
    ("keywords", "keys"),
    ("weight", "insertion_order"),
];

/// Who it is, if a card is one of Agnai's.
fn persona(root: &Map<String, Value>) -> Option<&Map<String, Value>> {
    object(root, "persona").filter(|it| it.contains_key("attributes"))
}

/// Whether a card is one of Agnai's.
pub(crate) fn is_agnais(root: &Map<String, Value>) -> bool {
    let is_character = text(root, "kind") == "character" && root.contains_key("sampleChat");
    is_character || persona(root).is_some()
}

/// The data of a card of Agnai's.
pub(crate) fn data_of(mut data: Map<String, Value>) -> Map<String, Value> {
    let said = persona(&data).map(attributes);
    rename(&mut data, &NAMES);
    if let Some(said) = said {
        data.remove("persona");
        data.insert("description".into(), said.into());
    }
    if let Some(Value::Object(note)) = data.remove("insert") {
        let extensions = data
            .entry("extensions")
            .or_insert_with(|| Map::new().into());
        if let Value::Object(extensions) = extensions {
            extensions.insert("depth_prompt".into(), note.into());
        }
    }
    let book = data.get_mut("character_book");
    let entries = book.and_then(|it| it.get_mut("entries")?.as_array_mut());
    for entry in entries
        .into_iter()
        .flatten()
        .filter_map(Value::as_object_mut)
    {
        rename(entry, &ENTRY_NAMES);
    }
    data
}

fn rename(fields: &mut Map<String, Value>, names: &[(&str, &str)]) {
    for (own, name) in names {
        if let Some(value) = fields.remove(*own) {
            fields.insert((*name).into(), value);
        }
    }
}

/// Who somebody is: a text, or traits in lists of their own.
fn attributes(persona: &Map<String, Value>) -> String {
    let Some(attributes) = object(persona, "attributes") else {
        return text(persona, "attributes");
    };
    if text(persona, "kind") == "text" {
        return list(attributes, "text").join("\n");
    }
    let traits = attributes.keys().map(|name| (name, list(attributes, name)));
    let traits = traits.filter(|(_, values)| !values.is_empty());
    let lines: Vec<String> = traits
        .map(|(name, values)| format!("{name}: {}", values.join(", ")))
        .collect();
    lines.join("\n")
}
