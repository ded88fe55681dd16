//! Do the arguments of a call fit the tool's schema?
//!
//! The part of JSON Schema that tools use: `type`, `enum`, `const`,
//! `properties`, `required`, `additionalProperties`, `items`, the bounds of
//! numbers, texts and lists, `anyOf` and `oneOf`. What else a schema says is
//! left to the tool, which has the last word anyway.

use serde_json::{Map, Value};

/// The longest arguments that are read, in bytes.
const ARGUMENTS_BYTES: usize = 64 * 1024;

/// The longest part of a value that a complaint repeats, in characters.
const SHOWN_CHARS: usize = 60;

/// Checks `arguments` and returns them as an object's text; the error is one
/// that helps the model.
pub(super) fn check(schema: &str, arguments: &str) -> Result<String, String> {
    let arguments = match arguments.trim() {
        "" | "null" => "{}",
        other => other,
    };
    if arguments.len() > ARGUMENTS_BYTES {
        return Err(format!("they are longer than {ARGUMENTS_BYTES} bytes"));
    }
    let value: Value =
        serde_json::from_str(arguments).map_err(|error| format!("they are no JSON: {error}"))?;
    if !value.is_object() {
        return Err(format!("they must be an object, not {}", shown(&value)));
    }
    let schema: Value = serde_json::from_str(schema).unwrap_or(Value::Bool(true));
    fits(&schema, &value, "the arguments")?;
    Ok(arguments.to_owned())
}

fn fits(schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let schema = match schema {
        Value::Object(schema) => schema,
        Value::Bool(false) => return Err(format!("{place} must not be there")),
        _ => return Ok(()),
    };
    check_type(schema, value, place)?;
    check_choice(schema, value, place)?;
    match value {
        Value::Object(object) => check_object(schema, object, place)?,
        Value::Array(items) => check_list(schema, items, place)?,
        Value::String(text) => {
            let length = text.chars().count();
            within(schema, "minLength", "maxLength", length as f64, || {
                format!("the length of {place}")
            })?;
        }
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or(f64::NAN);
            within(schema, "minimum", "maximum", number, || place.to_owned())?;
        }
        Value::Null | Value::Bool(_) => {}
    }
    Ok(())
}

fn check_type(schema: &Map<String, Value>, value: &Value, place: &str) -> Result<(), String> {
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => return Ok(()),
    };
    let is = |name: &&str| match *name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => true,
    };
    match types.iter().any(is) {
        true => Ok(()),
        false => Err(format!(
            "{place} must be of type {}, not {}",
            types.join(" or "),
            shown(value)
        )),
    }
}

fn check_choice(schema: &Map<String, Value>, value: &Value, place: &str) -> Result<(), String> {
    let choices = match (schema.get("enum"), schema.get("const")) {
        (Some(Value::Array(choices)), _) => choices.as_slice(),
        (_, Some(only)) => std::slice::from_ref(only),
        _ => &[],
    };
    if !choices.is_empty() && !choices.contains(value) {
        let choices: Vec<String> = choices.iter().map(Value::to_string).collect();
        let choices = choices.join(", ");
        return Err(format!(
            "{place} must be one of {choices}, not {}",
            shown(value)
        ));
    }
    for word in ["anyOf", "oneOf"] {
        if let Some(Value::Array(schemas)) = schema.get(word)
            && let Some(first) = schemas.first()
            && !schemas.iter().any(|one| fits(one, value, place).is_ok())
        {
            return fits(first, value, place);
        }
    }
    Ok(())
}

fn check_object(
    schema: &Map<String, Value>,
    object: &Map<String, Value>,
    place: &str,
) -> Result<(), String> {
    if let Some(Value::Array(required)) = schema.get("required") {
        let mut names = required.iter().filter_map(Value::as_str);
        if let Some(missing) = names.find(|name| !object.contains_key(*name)) {
            return Err(format!("{place} must have {missing:?}"));
        }
    }
    let known = schema.get("properties").and_then(Value::as_object);
    for (name, value) in object {
        let inside = format!("{name:?} in {place}");
        match known.and_then(|known| known.get(name)) {
            Some(schema) => fits(schema, value, &inside)?,
            None => {
                if let Some(others) = schema.get("additionalProperties") {
                    fits(others, value, &inside)?;
                }
            }
        }
    }
    Ok(())
}

fn check_list(schema: &Map<String, Value>, items: &[Value], place: &str) -> Result<(), String> {
    within(schema, "minItems", "maxItems", items.len() as f64, || {
        format!("the length of {place}")
    })?;
    if let Some(each) = schema.get("items") {
        for (at, item) in items.iter().enumerate() {
            fits(each, item, &format!("item {at} of {place}"))?;
        }
    }
    Ok(())
}

fn within(
    schema: &Map<String, Value>,
    least: &str,
    most: &str,
    number: f64,
    what: impl Fn() -> String,
) -> Result<(), String> {
    let bound = |word: &str| schema.get(word).and_then(Value::as_f64);
    match (bound(least), bound(most)) {
        (Some(least), _) if number < least => {
            Err(format!("{} must be at least {least}, not {number}", what()))
        }
        (_, Some(most)) if number > most => {
            Err(format!("{} must be at most {most}, not {number}", what()))
        }
        _ => Ok(()),
    }
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    const SCHEMA: &str = r#"{
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 2, "maxLength": 10},
            "days": {"type": "integer", "minimum": 1, "maximum": 7},
            "unit": {"enum": ["C", "F"]},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
            "near": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "note": {"type": ["string", "null"]}
        },
        "required": ["city"],
        "additionalProperties": false
    }"#;

    #[test]
    fn arguments_fit_or_the_model_is_told_why() {
        for (arguments, problem) in [
            (r#"{"city": "Kyoto"}"#, None),
            (
                r#"{"city": "Kyoto", "days": 7, "unit": "C", "tags": ["a"], "near": 0.5, "note": null}"#,
                None,
            ),
            (r#"{"city": "Kyoto", "days": 2.0}"#, None),
            ("", Some(r#"must have "city""#)),
            ("null", Some(r#"must have "city""#)),
            ("{", Some("no JSON")),
            ("[1]", Some("must be an object")),
            (
                r#"{"city": 5}"#,
                Some(r#""city" in the arguments must be of type string, not 5"#),
            ),
            (r#"{"city": "K"}"#, Some("at least 2")),
            (r#"{"city": "Kyoto", "days": 8}"#, Some("at most 7")),
            (r#"{"city": "Kyoto", "days": 1.5}"#, Some("of type integer")),
            (
                r#"{"city": "Kyoto", "unit": "K"}"#,
                Some(r#"one of "C", "F", not "K""#),
            ),
            (r#"{"city": "Kyoto", "tags": ["a", 1]}"#, Some("item 1 of")),
            (
                r#"{"city": "Kyoto", "tags": ["a", "b", "c"]}"#,
                Some("at most 2"),
            ),
            (
                r#"{"city": "Kyoto", "near": "here"}"#,
                Some("of type number"),
            ),
            (r#"{"city": "Kyoto", "note": 1}"#, Some("string or null")),
            (
                r#"{"city": "Kyoto", "more": 1}"#,
                Some(r#""more" in the arguments must not"#),
            ),
        ] {
            match (check(SCHEMA, arguments), problem) {
                (Ok(_), None) => {}
                (Err(found), Some(problem)) => {
                    assert!(found.contains(problem), "{arguments}: {found}");
                }
                (found, _) => panic!("{arguments}: {found:?}"),
            }
        }
    }

    #[test]
    fn what_is_outside_is_bounded() {
        let long = format!(r#"{{"city": "{}"}}"#, "x".repeat(200_000));
        assert!(check("{}", &long).is_err());
        let deep = format!(r#"{{"a": {}1{}}}"#, "[".repeat(5000), "]".repeat(5000));
        assert!(check("{}", &deep).is_err());
        let wrong = format!(r#"{{"city": ["{}"]}}"#, "x".repeat(5000));
        assert!(check(SCHEMA, &wrong).is_err_and(|error| error.len() < 300));
        assert_eq!(check("no schema", " {} ").as_deref(), Ok("{}"));
    }
}
