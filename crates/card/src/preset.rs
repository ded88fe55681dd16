//! SillyTavern's presets, as far as they say how to speak.
//!
//! A preset is mostly numbers for a model and the order of a prompt's parts,
//! which Kaiwa decides itself. What it says in words becomes part of a
//! persona's personality.

use std::collections::HashMap;

use kaiwa_domain::Persona;
use serde_json::{Map, Value};

use crate::fields::{any_text, flag, object, text};
use crate::text::{decoded, one_line, parsed};
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

/// How many fields without a meaning are named, and how much of the name of a
/// prompt.
const NAMED: usize = 12;
const NAME_CHARS: usize = 40;

/// The fields of a preset that say something in words. Of those in one line
/// the first counts that is there.
const WORDS: [&[&str]; 3] = [
    &["content", "main_prompt", "system_prompt", "mainPrompt"],
    &["post_history", "jailbreak_prompt", "jailbreak"],
    &["globalNote"],
];

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
    let (mut parts, mut left_out) = listed(&root);
    parts.extend(plain(&root));
    // A master export has its parts in folders of their own.
    for key in ["sysprompt", "instruct"] {
        if let Some(part) = object(&root, key) {
            parts.extend(plain(part));
        }
    }
    let text = parts.join("\n\n");
    if text.is_empty() {
        return Err(CardError::Wordless);
    }
    let known = ["prompts", "prompt_order", "sysprompt", "name"];
    let is_known = |key: &str| {
        WORDS
            .iter()
            .chain([&known.as_slice()])
            .any(|it| it.contains(&key))
    };
    let unknown = root.keys().filter(|key| !is_known(key)).take(NAMED);
    left_out.extend(unknown.cloned());
    left_out.truncate(NAMED);
    Ok(Preset { text, left_out })
}

/// Whether a JSON object looks like a preset.
pub(crate) fn is_preset(root: &Map<String, Value>) -> bool {
    [
        "content",
        "mainPrompt",
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

/// The instructions of a chat preset that are switched on, in their order, and
/// the names of what somebody is to have said, which no personality has.
fn listed(root: &Map<String, Value>) -> (Vec<String>, Vec<String>) {
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
    let (mut instructions, mut others) = (Vec::new(), Vec::new());
    for prompt in chosen {
        let said = text(prompt, "content").trim().to_owned();
        if said.is_empty() || flag(prompt, "marker").unwrap_or(false) {
            continue;
        }
        let role = text(prompt, "role");
        if matches!(role.as_str(), "" | "system" | "0") {
            instructions.push(said);
        } else if others.len() < NAMED {
            let short = |text: &str| one_line(text).chars().take(NAME_CHARS).collect::<String>();
            let name = short(&any_text(prompt, &["name", "identifier"]));
            others.push(format!("the prompt {name} ({})", short(&role)));
        }
    }
    (instructions, others)
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
    let texts = WORDS.into_iter().map(|keys| any_text(root, keys));
    let texts = texts.map(|text| text.trim().to_owned());
    texts.filter(|text| !text.is_empty()).collect()
}
