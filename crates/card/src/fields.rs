//! Fields of JSON that people's programs have written in many ways.

use serde_json::{Map, Value};

/// A field as text: what is no text is written as one.
pub(crate) fn text(map: &Map<String, Value>, key: &str) -> String {
    map.get(key).map(as_text).unwrap_or_default()
}

/// The first of some fields that says something.
pub(crate) fn any_text(map: &Map<String, Value>, keys: &[&str]) -> String {
    let mut texts = keys.iter().map(|key| text(map, key));
    texts
        .find(|text| !text.trim().is_empty())
        .unwrap_or_default()
}

/// A field as a list of texts, without those that say nothing.
pub(crate) fn list(map: &Map<String, Value>, key: &str) -> Vec<String> {
    let texts: Vec<String> = match map.get(key) {
        Some(Value::Array(items)) => items.iter().map(as_text).collect(),
        Some(Value::Null) | None => Vec::new(),
        Some(one) => vec![as_text(one)],
    };
    let said = texts.into_iter().filter(|text| !text.trim().is_empty());
    said.collect()
}

/// A field as yes or no.
pub(crate) fn flag(map: &Map<String, Value>, key: &str) -> Option<bool> {
    match map.get(key)? {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => Some(number.as_f64() != Some(0.0)),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Some(true),
            "false" | "0" | "no" | "off" | "" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// A field as a small number.
pub(crate) fn number(map: &Map<String, Value>, key: &str) -> Option<u8> {
    match map.get(key)? {
        Value::Number(number) => number.as_u64().and_then(|it| u8::try_from(it).ok()),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A field as a number of any kind.
pub(crate) fn real(map: &Map<String, Value>, key: &str) -> Option<f64> {
    let number = match map.get(key)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|it: &f64| it.is_finite())
}

pub(crate) fn object<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a Map<String, Value>> {
    map.get(key).and_then(Value::as_object)
}

fn as_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => clean(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(as_text).collect();
            items.join("\n")
        }
        other => other.to_string(),
    }
}

/// Lines as they are here, without characters that nobody sees.
pub(crate) fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let hidden = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    match text.contains(hidden) {
        true => text.replace(hidden, ""),
        false => text,
    }
}
