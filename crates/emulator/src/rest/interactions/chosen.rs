//! What was chosen in a select.

use serde_json::{Map, Value, json};

use super::{
    super::{body::snowflake, components::kind, error::Problems},
    resolved::ResolvedData,
};

/// Checks the values against the select and resolves the ids among them.
pub(super) fn chosen(
    select: &Value,
    given: &[Value],
    resolver: &mut ResolvedData<'_>,
    problems: &mut Problems,
    at: &str,
    required: bool,
) -> Vec<Value> {
    let number = |key: &str| select.get(key).and_then(Value::as_u64);
    let of = number("type").unwrap_or(0);
    let least = if required {
        number("min_values").unwrap_or(1)
    } else {
        0
    };
    let most = match (number("max_values"), of) {
        (Some(most), _) => most,
        (None, kind::CHECKBOX_GROUP) => 10,
        (None, _) => 1,
    };
    if !(least..=most).contains(&(given.len() as u64)) {
        let message = format!("Must be between {least} and {most} in length.");
        problems.add(at, "BASE_TYPE_BAD_LENGTH", message);
        return Vec::new();
    }
    let kinds = select.get("channel_types").and_then(Value::as_array);
    let kinds = kinds.map(Vec::as_slice).unwrap_or_default();
    let mut values = Vec::new();
    for (index, value) in given.iter().enumerate() {
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let id = snowflake(value);
        let found = match of {
            kind::USER_SELECT => id.is_some_and(|id| resolver.user(id)),
            kind::ROLE_SELECT => id.is_some_and(|id| resolver.role(id)),
            kind::MENTIONABLE_SELECT => id.is_some_and(|id| resolver.user(id) || resolver.role(id)),
            kind::CHANNEL_SELECT => id.is_some_and(|id| resolver.channel(id, kinds)),
            kind::FILE_UPLOAD => match resolver.attachment(&text) {
                Some(id) => {
                    values.push(json!(id));
                    continue;
                }
                None => false,
            },
            _ => offers(select, &text),
        };
        if found {
            values.push(Value::String(text));
        } else {
            let message = format!("Value \"{text}\" is not offered");
            problems.add(&format!("{at}.{index}"), "SELECT_VALUE_INVALID", message);
        }
    }
    values
}

/// Whether an option has this value.
pub(super) fn offers(select: &Value, value: &str) -> bool {
    let options = select.get("options").and_then(Value::as_array);
    let mut options = options.into_iter().flatten();
    options.any(|option| option["value"] == value)
}

/// The start of what the bot is told of a component.
pub(super) fn told(component: &Value) -> Map<String, Value> {
    let mut told = Map::new();
    for key in ["type", "id", "custom_id"] {
        if let Some(value) = component.get(key) {
            told.insert(key.to_owned(), value.clone());
        }
    }
    told
}
