//! Embeds of a message: taken as they are, within Discord's lengths.

use serde_json::{Map, Value};

use super::{body::Fields, components::COMPONENTS_V2, error::Problems};
use crate::limits;

pub(super) fn embeds(body: &mut Fields<'_>) -> Option<Vec<Value>> {
    let list = body.list("embeds")?;
    check_size(body, "embeds", list);
    if list.len() > limits::EMBEDS {
        body.too_long("embeds", limits::EMBEDS);
        return None;
    }
    let mut total = 0;
    let mut embeds = Vec::new();
    for (index, value) in list.iter().enumerate() {
        let path = format!("embeds.{index}");
        let Value::Object(map) = value else {
            body.problems.add(
                &path,
                "DICT_TYPE_CONVERT",
                "Only dictionaries may be used in a DictType",
            );
            continue;
        };
        total += measure(&mut body.problems, &path, map);
        let mut embed = map.clone();
        embed.insert("type".into(), "rich".into());
        for field in embed
            .get_mut("fields")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
            .filter_map(Value::as_object_mut)
        {
            field.entry("inline").or_insert(Value::Bool(false));
        }
        embeds.push(Value::Object(embed));
    }
    if total > limits::EMBED_CHARS {
        body.problems.add(
            "embeds",
            "MAX_EMBED_SIZE_EXCEEDED",
            "Embed size exceeds maximum size of 6000",
        );
    }
    Some(embeds)
}

/// What passes through unread must still fit in memory.
pub(super) fn check_size(body: &mut Fields<'_>, key: &str, list: &[Value]) {
    let bytes: usize = list.iter().map(|value| value.to_string().len()).sum();
    if bytes > limits::STRUCTURED_BYTES {
        body.too_long(key, limits::STRUCTURED_BYTES);
    }
}

/// Notes what is too long and says how long all is.
fn measure(problems: &mut Problems, path: &str, embed: &Map<String, Value>) -> usize {
    let mut total = 0;
    let mut text = |path: String, value: Option<&Value>, most: usize| {
        let chars = value
            .and_then(Value::as_str)
            .map_or(0, |text| text.trim().chars().count());
        total += chars;
        if chars > most {
            problems.too_long(&path, most);
        }
    };
    text(format!("{path}.title"), embed.get("title"), 256);
    text(
        format!("{path}.description"),
        embed.get("description"),
        4096,
    );
    text(
        format!("{path}.footer.text"),
        embed.get("footer").and_then(|footer| footer.get("text")),
        2048,
    );
    text(
        format!("{path}.author.name"),
        embed.get("author").and_then(|author| author.get("name")),
        256,
    );
    let fields = embed
        .get("fields")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    for (index, field) in fields.iter().enumerate() {
        text(
            format!("{path}.fields.{index}.name"),
            field.get("name"),
            256,
        );
        text(
            format!("{path}.fields.{index}.value"),
            field.get("value"),
            1024,
        );
    }
    if fields.len() > 25 {
        problems.too_long(&format!("{path}.fields"), 25);
    }
    total
}

pub(super) fn check_components_v2(
    problems: &mut Problems,
    flags: u64,
    content: &str,
    embeds: &[Value],
) {
    if flags & COMPONENTS_V2 == 0 {
        return;
    }
    let message = "This field cannot be used with MessageFlags.IS_COMPONENTS_V2";
    if !content.is_empty() {
        problems.add(
            "content",
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
            message,
        );
    }
    if !embeds.is_empty() {
        problems.add(
            "embeds",
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
            message,
        );
    }
}
