//! Cards of the versions 1, 2 and 3.
//!
//! A persona keeps the card that it was made from. What of the persona is
//! still as the card says is written as it stands there; what was changed
//! since takes its place, and everything that we do not know stays.

use std::collections::HashMap;

use kaiwa_domain::{
    CARD_BYTES, DIALOGUES_PER_PERSONA, LORE_KEYS, LORE_PER_PERSONA, LoreEntry, PERSONA_NAME_CHARS,
    Persona, PictureId, TRIGGER_CHARS, TRIGGERS_PER_PERSONA,
};
use serde_json::{Map, Value, json};

use crate::fields::{any_text, clean, flag, list, number, object, text};
use crate::picture::{from_data_uri, is_picture, kind, to_data_uri};
use crate::text::parsed;
use crate::{CardError, CardSprite, CharacterCard, LeftOut, preset};

/// Stands before each sample dialogue.
const START: &str = "<START>";

/// What we keep of a persona in the extensions of a card.
const OURS: &str = "kaiwa";

/// Where the pictures of a card are.
pub(crate) enum Assets<'a> {
    /// In the text itself.
    Inline(&'a HashMap<PictureId, Vec<u8>>),
    /// Beside it, under these names.
    Beside(&'a HashMap<PictureId, String>),
}

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
    let mut data = data_of(&root);
    let name = name_of(&data);
    // A preset may have a name too.
    if !is_character(&data) && preset::is_preset(&root) {
        return Err(CardError::Preset);
    }
    if !is_character(&data) && root.contains_key("entries") {
        return Err(CardError::Lorebook);
    }
    if name.is_empty() {
        return Err(CardError::NoName);
    }
    let mut left_out = Vec::new();
    let (avatar, sprites) = pictures(&mut data, &mut left_out, find);
    let persona = persona(&data, name, &mut left_out);
    // What is kept is what the card says beyond its pictures.
    root.insert("data".into(), Value::Object(data));
    let kept = Value::Object(root).to_string();
    if kept.len() > CARD_BYTES {
        return Err(CardError::TooLarge { most: CARD_BYTES });
    }
    Ok(CharacterCard {
        persona: Persona {
            card: Some(kept),
            ..persona
        },
        avatar,
        sprites,
        left_out,
    })
}

/// What a card says: in `data`, or for older ones beside it.
fn data_of(root: &Map<String, Value>) -> Map<String, Value> {
    match object(root, "data") {
        Some(data) if !name_of(data).is_empty() => data.clone(),
        _ => {
            let mut flat = root.clone();
            for key in ["spec", "spec_version", "data"] {
                flat.remove(key);
            }
            flat
        }
    }
}

/// Whether a card says anything of somebody.
fn is_character(data: &Map<String, Value>) -> bool {
    let said = [
        "description",
        "char_persona",
        "personality",
        "scenario",
        "first_mes",
        "mes_example",
        "character_book",
    ];
    said.iter().any(|key| data.contains_key(*key))
}

fn name_of(data: &Map<String, Value>) -> String {
    let name = any_text(data, &["name", "char_name", "nickname"]);
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ")
}

fn persona(data: &Map<String, Value>, name: String, left_out: &mut Vec<LeftOut>) -> Persona {
    let ours = object(data, "extensions").and_then(|it| object(it, OURS));
    let mut name = name;
    if let Some((end, _)) = name.char_indices().nth(PERSONA_NAME_CHARS) {
        name.truncate(end);
        left_out.push(LeftOut::Name);
    }
    let mut dialogues = dialogues(data);
    cut(
        &mut dialogues,
        DIALOGUES_PER_PERSONA,
        left_out,
        LeftOut::Dialogues,
    );
    let mut greetings = greetings(data);
    cut(
        &mut greetings,
        DIALOGUES_PER_PERSONA,
        left_out,
        LeftOut::Greetings,
    );
    let mut lore = lore(data);
    cut(&mut lore, LORE_PER_PERSONA, left_out, LeftOut::Lore);
    let mut triggers = triggers(data, ours, &name);
    cut(
        &mut triggers,
        TRIGGERS_PER_PERSONA,
        left_out,
        LeftOut::Triggers,
    );
    Persona {
        personality: personality(data),
        dialogues,
        greetings,
        lore,
        triggers,
        degree: ours
            .and_then(|it| number(it, "degree"))
            .filter(|it| *it <= 4),
        model: ours.map(|it| text(it, "model")).filter(|it| !it.is_empty()),
        name,
        ..Persona::default()
    }
}

fn cut<T>(
    items: &mut Vec<T>,
    most: usize,
    left_out: &mut Vec<LeftOut>,
    what: fn(usize) -> LeftOut,
) {
    if items.len() > most {
        left_out.push(what(items.len() - most));
        items.truncate(most);
    }
}

/// Who they are, as one text.
fn personality(data: &Map<String, Value>) -> String {
    let said = |keys: &[&str]| {
        let text = any_text(data, keys);
        // It stands for what a program would say without the card.
        text.replace("{{original}}", "").trim().to_owned()
    };
    let titled = |title: &str, text: String| match text.is_empty() {
        true => text,
        false => format!("{title}: {text}"),
    };
    let parts = [
        said(&["system_prompt"]),
        said(&["description", "char_persona"]),
        titled("Personality", said(&["personality"])),
        titled("Scenario", said(&["scenario", "world_scenario"])),
        said(&["post_history_instructions"]),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    parts.join("\n\n")
}

/// The sample dialogues, which stand behind a mark each.
fn dialogues(data: &Map<String, Value>) -> Vec<String> {
    let whole = any_text(data, &["mes_example", "example_dialogue"]);
    let mut dialogues = Vec::new();
    let mut rest = whole.as_str();
    loop {
        let found = find_start(rest);
        let (block, after) = match found {
            Some(at) => (&rest[..at], Some(&rest[at + START.len()..])),
            None => (rest, None),
        };
        let block = block.trim();
        if !block.is_empty() {
            dialogues.push(block.to_owned());
        }
        match after {
            Some(after) => rest = after,
            None => return dialogues,
        }
    }
}

/// Where the next mark is, whatever its case.
fn find_start(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut places = bytes.windows(START.len());
    places.position(|window| window.eq_ignore_ascii_case(START.as_bytes()))
}

fn greetings(data: &Map<String, Value>) -> Vec<String> {
    let first = any_text(data, &["first_mes", "char_greeting"]);
    let first = (!first.trim().is_empty()).then_some(first);
    let others = list(data, "alternate_greetings");
    first.into_iter().chain(others).collect()
}

/// What a card's book says, in its order. What is switched off is left out.
fn lore(data: &Map<String, Value>) -> Vec<LoreEntry> {
    let entries = match data.get("character_book") {
        Some(Value::Object(book)) => book.get("entries"),
        // A list without a book around it.
        other => other,
    };
    let entries: Vec<&Value> = match entries {
        Some(Value::Array(entries)) => entries.iter().collect(),
        // Books of their own have numbered entries.
        Some(Value::Object(entries)) => entries.values().collect(),
        _ => Vec::new(),
    };
    let entries = entries.into_iter().filter_map(Value::as_object);
    entries.filter_map(lore_entry).collect()
}

fn lore_entry(entry: &Map<String, Value>) -> Option<LoreEntry> {
    let is_on = flag(entry, "enabled").unwrap_or(true) && !flag(entry, "disable").unwrap_or(false);
    let text = any_text(entry, &["content", "entry"]);
    // Lines with such marks are for programs.
    let lines = text.lines().filter(|line| !line.starts_with("@@"));
    let text = lines.collect::<Vec<_>>().join("\n").trim().to_owned();
    let mut keys = list(entry, "keys");
    if keys.is_empty() {
        keys = list(entry, "key");
    }
    let keys = keys.iter().flat_map(|key| key.split(['\n', ',']));
    let keys = keys.map(|key| clean(key.trim()).replace('\n', " "));
    let fits = |key: &String| !key.is_empty() && key.chars().nth(TRIGGER_CHARS).is_none();
    let keys: Vec<String> = keys.filter(fits).take(LORE_KEYS).collect();
    let always = flag(entry, "constant").unwrap_or(false);
    (is_on && !text.is_empty() && (always || !keys.is_empty())).then_some(LoreEntry {
        keys,
        text,
        always,
    })
}

/// Words that address it: ours if the card was Kaiwa's, and its nickname.
fn triggers(
    data: &Map<String, Value>,
    ours: Option<&Map<String, Value>>,
    name: &str,
) -> Vec<String> {
    let own = ours.map(|it| list(it, "triggers"));
    let nickname = text(data, "nickname");
    let nickname = nickname.trim().to_owned();
    let nickname = (!nickname.is_empty() && nickname != name).then_some(nickname);
    let words = match own {
        Some(own) => own,
        None => nickname.into_iter().collect(),
    };
    let words = words.into_iter().map(|word| word.replace('\n', " "));
    let fits = |word: &String| word.chars().nth(TRIGGER_CHARS).is_none();
    words.filter(fits).collect()
}

/// Takes the pictures out of a card.
fn pictures(
    data: &mut Map<String, Value>,
    left_out: &mut Vec<LeftOut>,
    find: impl Fn(&str) -> Option<Vec<u8>>,
) -> (Option<Vec<u8>>, Vec<CardSprite>) {
    let ours = object(data, "extensions").and_then(|it| object(it, OURS));
    let described: Vec<Map<String, Value>> = ours
        .and_then(|it| it.get("sprites"))
        .and_then(Value::as_array)
        .map(|all| all.iter().filter_map(Value::as_object).cloned().collect())
        .unwrap_or_default();
    let mut avatar = None;
    let mut sprites: Vec<CardSprite> = Vec::new();
    let mut missing = 0;
    if let Some(Value::Array(assets)) = data.get_mut("assets") {
        assets.retain_mut(|asset| {
            let Some(asset) = asset.as_object_mut() else {
                return true;
            };
            let (kind, uri) = (text(asset, "type"), text(asset, "uri"));
            let (name, is_ours) = (text(asset, "name"), uri.starts_with("data:"));
            let bytes = from_data_uri(&uri).or_else(|| find(&uri));
            let bytes = bytes.filter(|bytes| is_picture(bytes));
            match (kind.as_str(), bytes) {
                ("icon", Some(bytes)) if avatar.is_none() || name == "main" => {
                    avatar = Some(bytes);
                    false
                }
                ("emotion", Some(bytes)) => match sprite(&name, bytes, &described, &sprites) {
                    Some(sprite) => {
                        sprites.push(sprite);
                        false
                    }
                    None => {
                        missing += 1;
                        !is_ours
                    }
                },
                // Nobody keeps other pictures for us.
                _ => !is_ours,
            }
        });
    }
    if avatar.is_none() {
        // Older programs have it as text.
        avatar = from_data_uri(&text(data, "avatar")).filter(|bytes| is_picture(bytes));
        if avatar.is_some() {
            data.remove("avatar");
        }
    }
    if missing > 0 {
        left_out.push(LeftOut::Pictures(missing));
    }
    (avatar, sprites)
}

/// A sprite, if its name can be one and there is room.
fn sprite(
    name: &str,
    picture: Vec<u8>,
    described: &[Map<String, Value>],
    before: &[CardSprite],
) -> Option<CardSprite> {
    let name: String = name.replace(['(', ')', '[', ']', ':', '：', '\n'], " ");
    let name: Vec<&str> = name.split_whitespace().collect();
    let name = name.join(" ");
    let is_taken = before
        .iter()
        .any(|it| it.name.to_lowercase() == name.to_lowercase());
    let fits = !name.is_empty()
        && name.chars().nth(kaiwa_domain::SPRITE_NAME_CHARS).is_none()
        && before.len() < kaiwa_domain::SPRITES_PER_PERSONA
        && !is_taken;
    let known = described.iter().find(|it| text(it, "name") == name);
    let usage = known.map(|it| text(it, "usage")).unwrap_or_default();
    fits.then(|| CardSprite {
        usage: usage
            .chars()
            .take(kaiwa_domain::SPRITE_USAGE_CHARS)
            .collect(),
        is_identity: known.is_some_and(|it| flag(it, "is_identity") == Some(true)),
        name,
        picture,
    })
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
    let mut data = data_of(&root);
    // What stood beside `data` in an older card stands in it now.
    root.retain(|key, _| !is_known(key));
    if name_of(&data) != persona.name {
        data.insert("name".into(), persona.name.clone().into());
    }
    data.entry("name")
        .or_insert_with(|| persona.name.clone().into());
    data.remove("char_name");
    fill_texts(&mut data, persona);
    if lore(&data) != persona.lore {
        fill_book(&mut data, &persona.lore);
    }
    fill_ours(&mut data, persona);
    let empty = [
        "creator_notes",
        "system_prompt",
        "post_history_instructions",
    ];
    let empty = empty.into_iter().chain(["creator", "character_version"]);
    for key in empty {
        data.entry(key).or_insert_with(|| "".into());
    }
    for key in ["alternate_greetings", "tags"] {
        data.entry(key).or_insert_with(|| json!([]));
    }
    (root, data)
}

fn is_known(key: &str) -> bool {
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

fn fill_texts(data: &mut Map<String, Value>, persona: &Persona) {
    let others = [
        ("char_persona", "description"),
        ("world_scenario", "scenario"),
        ("char_greeting", "first_mes"),
        ("example_dialogue", "mes_example"),
    ];
    for (older, newer) in others {
        if let Some(value) = data.remove(older) {
            data.entry(newer).or_insert(value);
        }
    }
    if personality(data) != persona.personality {
        for key in ["system_prompt", "post_history_instructions"] {
            data.insert(key.into(), "".into());
        }
        for key in ["personality", "scenario"] {
            data.insert(key.into(), "".into());
        }
        data.insert("description".into(), persona.personality.clone().into());
    }
    if dialogues(data) != persona.dialogues {
        let blocks = persona.dialogues.iter();
        let blocks: Vec<String> = blocks.map(|it| format!("{START}\n{it}")).collect();
        data.insert("mes_example".into(), blocks.join("\n").into());
    }
    if greetings(data) != persona.greetings {
        let first = persona.greetings.first().cloned().unwrap_or_default();
        let others: Vec<&String> = persona.greetings.iter().skip(1).collect();
        data.insert("first_mes".into(), first.into());
        data.insert("alternate_greetings".into(), json!(others));
    }
    for key in [
        "description",
        "personality",
        "scenario",
        "first_mes",
        "mes_example",
    ] {
        data.entry(key).or_insert_with(|| "".into());
    }
}

/// Puts what a persona knows into the card's book, whose other fields stay.
fn fill_book(data: &mut Map<String, Value>, lore: &[LoreEntry]) {
    let entries = lore.iter().enumerate().map(|(place, entry)| {
        json!({
            "keys": entry.keys,
            "content": entry.text,
            "constant": entry.always,
            "enabled": true,
            "insertion_order": place,
            "extensions": {},
        })
    });
    let entries: Vec<Value> = entries.collect();
    let mut book = object(data, "character_book").cloned().unwrap_or_default();
    if entries.is_empty() && book.is_empty() {
        return;
    }
    book.entry("extensions").or_insert_with(|| json!({}));
    book.insert("entries".into(), Value::Array(entries));
    data.insert("character_book".into(), Value::Object(book));
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
    if !ours.is_empty() || triggers(data, None, &persona.name) != persona.triggers {
        ours.insert("triggers".into(), json!(persona.triggers));
    }
    match ours.is_empty() {
        true => drop(extensions.remove(OURS)),
        false => drop(extensions.insert(OURS.into(), Value::Object(ours))),
    }
    data.insert("extensions".into(), Value::Object(extensions));
}
