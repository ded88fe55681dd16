//! Cards of the versions 1, 2 and 3, as they are read.

use kaiwa_domain::{CARD_BYTES, Persona};
use serde_json::{Map, Value};

use crate::assets::pictures;
use crate::character::{self, name_of};
use crate::fields::{object, text};
use crate::text::{one_line, parsed};
use crate::{CardError, CharacterCard, LeftOut, agnai, preset};

/// How much of a field's name is told.
const FIELD_CHARS: usize = 40;

/// Reads a card whose pictures are in it.
pub(crate) fn read(source: &str) -> Result<CharacterCard, CardError> {
    read_with(source, |_| None)
}

/// Reads a card; `find` knows the pictures that it names by an address.
pub(crate) fn read_with(
    source: &str,
    find: impl Fn(&str) -> Option<Vec<u8>>,
) -> Result<CharacterCard, CardError> {
    let Value::Object(mut root) = parsed(source)? else {
        return Err(CardError::NoName);
    };
    let mut data = match agnai::is_agnais(&root) {
        true => agnai::data_of(std::mem::take(&mut root)),
        false => take_data(&mut root),
    };
    refuse_others(&root, &data)?;
    let mut left_out = Vec::new();
    let (avatar, sprites) = pictures(&mut data, &mut left_out, find);
    let mut persona = character::persona(&data, &mut left_out);
    let programs = for_programs(&data);
    persona.card = Some(kept(root, data, &persona, &mut left_out));
    if !programs.is_empty() {
        left_out.push(LeftOut::Programs(programs));
    }
    Ok(CharacterCard {
        persona,
        avatar,
        sprites,
        left_out,
    })
}

/// Takes out what a card says: of `data`, or for older ones of what stands
/// beside it. Some have only the name there.
pub(crate) fn take_data(root: &mut Map<String, Value>) -> Map<String, Value> {
    match root.remove("data") {
        Some(Value::Object(data)) if !name_of(&data).is_empty() => data,
        Some(Value::Object(mut data)) if says_something(&data) => {
            data.insert("name".into(), name_of(root).into());
            data
        }
        _ => {
            let mut flat = std::mem::take(root);
            for key in ["spec", "spec_version"] {
                root.extend(flat.remove_entry(key));
            }
            flat
        }
    }
}

/// Fields that only characters have.
const CHARACTERS: [&str; 6] = [
    "char_persona",
    "personality",
    "scenario",
    "first_mes",
    "mes_example",
    "character_book",
];

/// Whether a card says anything of somebody.
fn says_something(data: &Map<String, Value>) -> bool {
    let mut said = CHARACTERS.iter().chain(&["description"]);
    said.any(|key| data.contains_key(*key))
}

/// Refuses JSON of other things, which may have a name too.
fn refuse_others(root: &Map<String, Value>, data: &Map<String, Value>) -> Result<(), CardError> {
    let is_character = CHARACTERS.iter().any(|key| data.contains_key(*key));
    let spec = text(root, "spec");
    let is_book = data.contains_key("entries") && !is_character;
    if is_book || spec == "lorebook_v3" {
        return Err(CardError::Lorebook);
    }
    if !says_something(data) {
        let templates = [
            ("story_string", "a context template of SillyTavern"),
            ("suffix", "a reasoning template of SillyTavern"),
        ];
        let mut templates = templates.into_iter();
        if preset::is_preset(root) || preset::is_preset(data) {
            return Err(CardError::Preset);
        }
        let has = |key: &str| root.contains_key(key) || data.contains_key(key);
        if let Some((_, what)) = templates.find(|(key, _)| has(key)) {
            return Err(CardError::Other { what });
        }
    }
    if name_of(data).is_empty() {
        return Err(CardError::NoName);
    }
    let mut beside = data.keys().filter(|key| *key != "name").peekable();
    let is_somebody = beside.peek().is_none() || beside.any(|key| is_known(key));
    match is_somebody || spec.starts_with("chara_card") {
        true => Ok(()),
        false => Err(CardError::NoCharacter),
    }
}

/// What a card has for other programs: scripts, and the name of a book that is
/// not in it.
fn for_programs(data: &Map<String, Value>) -> Vec<String> {
    let Some(extensions) = object(data, "extensions") else {
        return Vec::new();
    };
    let has = |map: &Map<String, Value>, key: &str| match map.get(key) {
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::String(text)) => !text.trim().is_empty(),
        _ => false,
    };
    let mut named = Vec::new();
    if has(extensions, "regex_scripts") {
        named.push("regex_scripts".to_owned());
    }
    if has(extensions, "world") && !data.contains_key("character_book") {
        named.push("world".to_owned());
    }
    let risu = object(extensions, "risuai");
    for key in ["customScripts", "triggerscript"] {
        if risu.is_some_and(|risu| has(risu, key)) {
            named.push(format!("risuai.{key}"));
        }
    }
    named
}

/// Whether a field beside `data` is one that stands in it in newer versions.
pub(crate) fn is_known(key: &str) -> bool {
    const KNOWN: [&str; 24] = [
        "name",
        "char_name",
        "description",
        "char_persona",
        "personality",
        "scenario",
        "world_scenario",
        "first_mes",
        "char_greeting",
        "mes_example",
        "example_dialogue",
        "creator_notes",
        "system_prompt",
        "post_history_instructions",
        "alternate_greetings",
        "character_book",
        "tags",
        "creator",
        "character_version",
        "extensions",
        "nickname",
        "assets",
        "avatar",
        "data",
    ];
    KNOWN.contains(&key)
}

/// The card that a persona was made from, without its pictures, and without
/// what stands in it twice. Of what is too large the largest fields go: those
/// that we do not know if that is enough, else also what the persona has.
fn kept(
    mut root: Map<String, Value>,
    mut data: Map<String, Value>,
    persona: &Persona,
    left_out: &mut Vec<LeftOut>,
) -> String {
    let is_twice = |key: &str, value: &Value| match key {
        // SillyTavern's old name for it.
        "creatorcomment" => data.get("creator_notes") == Some(value),
        key => data.get(key) == Some(value),
    };
    root.retain(|key, value| !is_known(key) && !is_twice(key, value));
    let mut fields = sizes(&root, &data);
    let bytes = |all: bool| -> usize {
        let counted = fields.iter().filter(|field| all || !field.is_known);
        counted.map(|field| field.bytes).sum()
    };
    let mut excess = bytes(true).saturating_sub(ROOM);
    let spares_known = bytes(false) >= excess;
    fields.sort_by_key(|field| (spares_known && field.is_known, usize::MAX - field.bytes));
    let mut named = Vec::new();
    for field in fields {
        if excess == 0 {
            break;
        }
        excess = excess.saturating_sub(field.bytes);
        named.push(field.shown());
        match field.place {
            FieldPlace::Root => drop(root.remove(&field.key)),
            FieldPlace::Data if field.key == "name" => {
                data.insert(field.key, persona.name.clone().into());
            }
            FieldPlace::Data => drop(data.remove(&field.key)),
            FieldPlace::Extensions => {
                let extensions = data.get_mut("extensions").and_then(Value::as_object_mut);
                extensions.map(|it| it.remove(&field.key));
            }
        }
    }
    if !named.is_empty() {
        left_out.push(LeftOut::Card(named));
    }
    root.insert("data".into(), Value::Object(data));
    Value::Object(root).to_string()
}

/// How many bytes the fields of a card may have together; the rest is for its
/// brackets.
const ROOM: usize = CARD_BYTES - 256;

/// A field of a card, and how much room it takes.
struct SizedField {
    place: FieldPlace,
    key: String,
    is_known: bool,
    bytes: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FieldPlace {
    Root,
    Data,
    Extensions,
}

impl SizedField {
    fn shown(&self) -> String {
        let name: String = one_line(&self.key).chars().take(FIELD_CHARS).collect();
        match self.place {
            FieldPlace::Extensions => format!("extensions.{name}"),
            _ => name,
        }
    }
}

fn sizes(root: &Map<String, Value>, data: &Map<String, Value>) -> Vec<SizedField> {
    let extensions = object(data, "extensions");
    let sized = |place: FieldPlace| {
        move |(key, value): (&String, &Value)| SizedField {
            place,
            key: key.clone(),
            is_known: place == FieldPlace::Data && is_known(key),
            // A key with its quotes, a colon and a comma.
            bytes: json_bytes(key) + value.to_string().len() + 2,
        }
    };
    let own = data
        .iter()
        .filter(|(key, _)| *key != "extensions" || extensions.is_none());
    let extensions = extensions.into_iter().flatten();
    root.iter()
        .map(sized(FieldPlace::Root))
        .chain(own.map(sized(FieldPlace::Data)))
        .chain(extensions.map(sized(FieldPlace::Extensions)))
        .collect()
}

fn json_bytes(text: &str) -> usize {
    Value::from(text).to_string().len()
}
