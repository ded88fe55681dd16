//! SillyTavern's presets, as far as they say how to speak.
//!
//! A preset is mostly numbers for a model and the order of a prompt's parts,
//! which Kaiwa decides itself. What it says in words becomes part of a
//! persona's personality.

use std::collections::HashMap;

use kaiwa_domain::Persona;
use serde_json::{Map, Value};

use crate::fields::{any_text, flag, object, text};
use crate::text::{decoded, parsed};
use crate::{CardError, TEXT_BYTES};

/// What a preset says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preset {
    /// How to speak, in words for the model.
    pub text: String,
    /// What of it has no meaning here: the names of its fields, a few of them.
    pub left_out: Vec<String>,
}

impl Preset {
    /// A persona that also speaks like this: what the preset says stands in
    /// front of its personality, once.
    #[must_use]
    pub fn before(&self, persona: &Persona) -> Persona {
        let mut persona = persona.clone();
        if !persona.personality.starts_with(&self.text) {
            let whole = format!("{}\n\n{}", self.text, persona.personality);
            whole.trim_end().clone_into(&mut persona.personality);
        }
        persona
    }
}

/// How many fields without a meaning are named.
const NAMED: usize = 12;

/// The character that instructions of a chat preset are listed for by default.
const EVERYBODY: u64 = 100_001;

/// Reads a preset.
///
/// # Errors
/// If it is none, or says nothing in words.
pub fn read_preset(file: &[u8]) -> Result<Preset, CardError> {
    if file.len() > TEXT_BYTES {
        return Err(CardError::TooLarge { most: TEXT_BYTES });
    }
    let root = parsed(&decoded(file)?)?;
    let Value::Object(root) = root else {
        return Err(CardError::damaged("it is no preset"));
    };
    let mut parts = listed(&root);
    parts.extend(plain(&root));
    // A master export has its parts in folders of their own.
    for key in ["sysprompt", "instruct"] {
        if let Some(part) = object(&root, key) {
            parts.extend(plain(part));
        }
    }
    let text = parts.join("\n\n");
    if text.is_empty() {
        return Err(CardError::damaged("it says nothing in words"));
    }
    let known = ["prompts", "prompt_order", "content", "post_history", "name"];
    let known = |key: &&String| {
        known.contains(&key.as_str())
            || [
                "main_prompt",
                "system_prompt",
                "sysprompt",
                "jailbreak_prompt",
            ]
            .contains(&key.as_str())
    };
    let unknown = root.keys().filter(|key| !known(key)).take(NAMED);
    Ok(Preset {
        text,
        left_out: unknown.cloned().collect(),
    })
}

/// Whether a JSON object looks like a preset.
pub(crate) fn is_preset(root: &Map<String, Value>) -> bool {
    [
        "content",
        "prompts",
        "prompt_order",
        "temperature",
        "temp",
        "sysprompt",
        "input_sequence",
    ]
    .iter()
    .any(|key| root.contains_key(*key))
}

/// The instructions of a chat preset that are switched on, in their order.
fn listed(root: &Map<String, Value>) -> Vec<String> {
    let prompts = root.get("prompts").and_then(Value::as_array);
    let prompts: Vec<&Map<String, Value>> = prompts
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .collect();
    let chosen: Vec<&Map<String, Value>> = match order(root) {
        Some(order) => {
            let named = prompts.iter().rev();
            let named = named.map(|it| (text(it, "identifier"), *it));
            let mut named: HashMap<String, &Map<String, Value>> = named.collect();
            // Each is said once.
            order.iter().filter_map(|name| named.remove(name)).collect()
        }
        None => prompts,
    };
    let said = chosen.into_iter().filter(|prompt| {
        let is_marker = flag(prompt, "marker").unwrap_or(false);
        let role = text(prompt, "role");
        !is_marker && matches!(role.as_str(), "" | "system" | "0")
    });
    said.map(|prompt| text(prompt, "content"))
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
        .collect()
}

/// The names of the instructions that are switched on, in order.
fn order(root: &Map<String, Value>) -> Option<Vec<String>> {
    let orders = root.get("prompt_order")?.as_array()?;
    let orders: Vec<&Map<String, Value>> = orders.iter().filter_map(Value::as_object).collect();
    let everybody = |it: &&&Map<String, Value>| {
        it.get("character_id").and_then(Value::as_u64) == Some(EVERYBODY)
    };
    let order = orders.iter().find(everybody).or_else(|| orders.last())?;
    let order = order.get("order")?.as_array()?;
    let on = order.iter().filter_map(Value::as_object);
    let on = on.filter(|it| flag(it, "enabled").unwrap_or(true));
    Some(on.map(|it| text(it, "identifier")).collect())
}

/// The texts of a simple preset.
fn plain(root: &Map<String, Value>) -> Vec<String> {
    let keys: [&[&str]; 2] = [
        &["content", "main_prompt", "system_prompt"],
        &["post_history", "jailbreak_prompt"],
    ];
    let texts = keys.into_iter().map(|keys| any_text(root, keys));
    let texts = texts.map(|text| text.trim().to_owned());
    texts.filter(|text| !text.is_empty()).collect()
}
