//! Cards of the versions 2 and 3, as they are written.
//!
//! A persona keeps the card that it was made from. What of the persona is
//! still as the card says is written as it stands there; what was changed
//! since takes its place, and everything that we do not know stays.

use std::collections::HashMap;

use kaiwa_domain::{PERSONALITY_CHARS, Persona, PictureId};
use serde_json::{Map, Value, json};

use crate::character::{self, Called, OURS, PARTS, is_addressed_by, label, part, set_part};
use crate::dialogue::START;
use crate::fields::{list, object, text};
use crate::json::{is_known, take_data};
use crate::lore;
use crate::picture::{kind, to_data_uri};

/// The fields that every card has as texts, and those that it has as lists of
/// them.
const TEXTS: [&str; 10] = [
    "description",
    "personality",
    "scenario",
    "first_mes",
    "mes_example",
    "creator_notes",
    "system_prompt",
    "post_history_instructions",
    "creator",
    "character_version",
];
const LISTS: [&str; 2] = ["alternate_greetings", "tags"];

/// Where the pictures of a card are.
pub(crate) enum Assets<'a> {
    /// In the text itself.
    Inline(&'a HashMap<PictureId, Vec<u8>>),
    /// Beside it, under these names.
    Beside(&'a HashMap<PictureId, String>),
}

/// Writes version 2.
pub(crate) fn write_v2(persona: &Persona) -> String {
    let (mut root, mut data) = filled(persona);
    data.remove("assets");
    root.insert("spec".into(), "chara_card_v2".into());
    root.insert("spec_version".into(), "2.0".into());
    finished(root, data)
}

/// Writes version 3.
pub(crate) fn write_v3(persona: &Persona, assets: &Assets<'_>) -> String {
    let (mut root, mut data) = filled(persona);
    let mut listed = match data.remove("assets") {
        Some(Value::Array(others)) => others,
        _ => Vec::new(),
    };
    listed.retain(|it| !is_replaced(it, persona));
    listed.extend(asset(persona.avatar, "icon", "main", assets));
    for sprite in &persona.sprites {
        listed.extend(asset(Some(sprite.picture), "emotion", &sprite.name, assets));
    }
    if !listed.is_empty() {
        data.insert("assets".into(), Value::Array(listed));
    }
    data.entry("group_only_greetings")
        .or_insert_with(|| json!([]));
    root.insert("spec".into(), "chara_card_v3".into());
    root.insert("spec_version".into(), "3.0".into());
    finished(root, data)
}

/// Whether another entry says where this asset is.
fn is_replaced(asset: &Value, persona: &Persona) -> bool {
    let Some(asset) = asset.as_object() else {
        return false;
    };
    match text(asset, "type").as_str() {
        "icon" => text(asset, "name") == "main" && persona.avatar.is_some(),
        "emotion" => persona.sprite(&text(asset, "name")).is_some(),
        _ => false,
    }
}

fn asset(
    picture: Option<PictureId>,
    kind_of: &str,
    name: &str,
    assets: &Assets<'_>,
) -> Option<Value> {
    let picture = picture?;
    let (uri, ext) = match assets {
        Assets::Inline(pictures) => {
            let bytes = pictures.get(&picture)?;
            (to_data_uri(bytes), kind(bytes).1)
        }
        Assets::Beside(names) => {
            let path = names.get(&picture)?;
            let ext = path.rsplit('.').next().unwrap_or("png");
            return Some(json!({ "type": kind_of, "uri": path, "name": name, "ext": ext }));
        }
    };
    Some(json!({ "type": kind_of, "uri": uri, "name": name, "ext": ext }))
}

fn finished(mut root: Map<String, Value>, data: Map<String, Value>) -> String {
    root.insert("data".into(), Value::Object(data));
    format!("{:#}", Value::Object(root))
}

/// The card that a persona was made from, brought up to date.
fn filled(persona: &Persona) -> (Map<String, Value>, Map<String, Value>) {
    let before = persona.card.as_deref().map(serde_json::from_str);
    let mut root: Map<String, Value> = match before {
        Some(Ok(Value::Object(root))) => root,
        _ => Map::new(),
    };
    let mut data = take_data(&mut root);
    // What stood beside `data` in an older card stands in it now.
    root.retain(|key, _| !is_known(key));
    newer_names(&mut data);
    as_specified(&mut data);
    let before = character::persona(&data, &mut Vec::new());
    if before.name != persona.name {
        data.insert("name".into(), persona.name.clone().into());
    }
    data.entry("name")
        .or_insert_with(|| persona.name.clone().into());
    fill_texts(&mut data, &before, persona);
    if before.lore != persona.lore {
        let called = Called::of(&data, &persona.name);
        lore::fill(&mut data, &called, &persona.lore);
    }
    fill_ours(&mut data, persona);
    for key in TEXTS {
        data.entry(key).or_insert_with(|| "".into());
    }
    for key in LISTS {
        data.entry(key).or_insert_with(|| json!([]));
    }
    (root, data)
}

/// Gives fields the names that newer versions have for them.
fn newer_names(data: &mut Map<String, Value>) {
    let names = [
        ("char_name", "name"),
        ("char_persona", "description"),
        ("world_scenario", "scenario"),
        ("char_greeting", "first_mes"),
        ("example_dialogue", "mes_example"),
    ];
    for (older, newer) in names {
        let Some(value) = data.remove(older) else {
            continue;
        };
        if text(data, newer).trim().is_empty() {
            data.insert(newer.into(), value);
        }
    }
}

/// Gives fields the kinds that other programs rely on.
fn as_specified(data: &mut Map<String, Value>) {
    for key in TEXTS.into_iter().chain(["name"]) {
        if data.get(key).is_some_and(|it| !it.is_string()) {
            data.insert(key.into(), text(data, key).into());
        }
    }
    for key in LISTS {
        let is_list = |value: &Value| value.as_array()?.iter().all(Value::is_string).then_some(());
        if data.get(key).is_some_and(|it| is_list(it).is_none()) {
            data.insert(key.into(), json!(list(data, key)));
        }
    }
    data.retain(|key, value| !(value.is_null() && is_known(key)));
}

fn fill_texts(data: &mut Map<String, Value>, before: &Persona, persona: &Persona) {
    if before.personality != persona.personality {
        fill_personality(data, &Called::of(data, &before.name), &persona.personality);
    }
    if before.dialogues != persona.dialogues {
        let blocks = persona.dialogues.iter();
        let blocks: Vec<String> = blocks.map(|it| format!("{START}\n{it}")).collect();
        data.insert("mes_example".into(), blocks.join("\n").into());
    }
    if before.greetings != persona.greetings {
        let first = persona.greetings.first().cloned().unwrap_or_default();
        let others: Vec<&String> = persona.greetings.iter().skip(1).collect();
        data.insert("first_mes".into(), first.into());
        data.insert("alternate_greetings".into(), json!(others));
    }
}

/// Puts a changed personality into a card. Those of its parts that it still
/// begins or ends with stay where they are; the rest is the description.
fn fill_personality(data: &mut Map<String, Value>, called: &Called, personality: &str) {
    let mut rest = personality;
    let (first, others) = (PARTS[0], &PARTS[2..]);
    let part =
        |data: &Map<String, Value>, name: &str| called.within(&part(data, name), PERSONALITY_CHARS);
    let said = part(data, first);
    match rest
        .strip_prefix(&said)
        .and_then(|it| it.strip_prefix("\n\n"))
    {
        Some(after) if !said.is_empty() => rest = after,
        _ => set_part(data, first, ""),
    }
    let mut changed = Vec::new();
    for name in others.iter().rev() {
        let said = part(data, name);
        match rest
            .strip_suffix(&said)
            .and_then(|it| it.strip_suffix("\n\n"))
        {
            Some(before) if !said.is_empty() => rest = before,
            _ => {
                set_part(data, name, "");
                changed.push(*name);
            }
        }
    }
    // Behind what it was may stand what another part says now.
    let said = part(data, "description");
    let after = rest.strip_prefix(&said);
    let after = after.and_then(|it| it.strip_prefix("\n\n"));
    let labelled = changed.into_iter().find_map(|name| {
        let said = after?.strip_prefix(label(name)?)?;
        Some((name, said))
    });
    match labelled {
        Some((name, said)) => set_part(data, name, said),
        None => set_part(data, "description", rest),
    }
    if character::persona(data, &mut Vec::new()).personality != personality {
        for name in PARTS {
            set_part(data, name, "");
        }
        set_part(data, "description", personality);
    }
}

/// Puts what only Kaiwa knows of a persona into the card's extensions.
fn fill_ours(data: &mut Map<String, Value>, persona: &Persona) {
    let mut extensions = object(data, "extensions").cloned().unwrap_or_default();
    let sprites = persona.sprites.iter().map(|sprite| {
        json!({ "name": sprite.name, "usage": sprite.usage, "is_identity": sprite.is_identity })
    });
    let sprites: Vec<Value> = sprites.collect();
    let mut ours = Map::new();
    if let Some(degree) = persona.degree {
        ours.insert("degree".into(), degree.into());
    }
    if let Some(model) = &persona.model {
        ours.insert("model".into(), model.clone().into());
    }
    if !sprites.is_empty() {
        ours.insert("sprites".into(), Value::Array(sprites));
    }
    // Without ours, its nickname would address it.
    if !ours.is_empty() || !is_addressed_by(data, persona) {
        ours.insert("triggers".into(), json!(persona.triggers));
    }
    match ours.is_empty() {
        true => drop(extensions.remove(OURS)),
        false => drop(extensions.insert(OURS.into(), Value::Object(ours))),
    }
    data.insert("extensions".into(), Value::Object(extensions));
}
