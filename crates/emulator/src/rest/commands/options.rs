//! The options of a slash command. Discord Docs/Application Commands,
//! Application Command Option Structure.

use serde_json::{Map, Value, json};

use super::{
    super::{body::Fields, error::Problems},
    check::{at, check_length, check_name, localizations, name},
};
use crate::limits;

const SUBCOMMAND: u64 = 1;
const GROUP: u64 = 2;
const STRING: u64 = 3;
const INTEGER: u64 = 4;
const CHANNEL: u64 = 7;
const NUMBER: u64 = 10;

/// The largest whole number that every client reads exactly.
const SAFE_INTEGER: f64 = 9_007_199_254_740_992.0;

/// Reads `options`. `depth` counts the subcommands and groups around them.
pub(super) fn read(body: &mut Fields<'_>, path: &str, depth: usize) -> Vec<Value> {
    let list = body.list("options").unwrap_or_default();
    let place = at(path, "options");
    if list.len() > limits::COMMAND_OPTIONS {
        body.problems.too_long(&place, limits::COMMAND_OPTIONS);
        return Vec::new();
    }
    let mut options = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let (mut nested, mut plain, mut optional) = (false, false, false);
    for (index, value) in list.iter().enumerate() {
        let path = format!("{place}.{index}");
        let Some(map) = body.problems.object(&path, value) else {
            continue;
        };
        let mut fields = Fields::new(map, &path);
        let option = option(&mut fields, &path, depth);
        body.problems.merge(fields.problems);
        let Some(option) = option else { continue };
        let name = option["name"].as_str().unwrap_or_default().to_owned();
        if names.contains(&name) {
            body.problems.add(
                &path,
                "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
                "Option name already exists",
            );
        }
        names.push(name);
        let inner = matches!(option["type"].as_u64(), Some(SUBCOMMAND | GROUP));
        nested |= inner;
        plain |= !inner;
        let required = option["required"] == true;
        if required && optional {
            body.problems.add(
                &path,
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            );
        }
        optional |= !inner && !required;
        options.push(option);
    }
    if nested && plain {
        body.problems.add(
            &place,
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Sub-command and sub-command group option types are mutually exclusive to all other types",
        );
    }
    options
}

fn option(fields: &mut Fields<'_>, path: &str, depth: usize) -> Option<Value> {
    let kind = fields.number("type").unwrap_or(0);
    if !(1..=11).contains(&kind) {
        let (code, message) = if fields.get("type").is_some() {
            (
                "BASE_TYPE_CHOICES",
                "Value must be one of {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}.",
            )
        } else {
            ("BASE_TYPE_REQUIRED", "This field is required")
        };
        fields.problems.add(&at(path, "type"), code, message);
        return None;
    }
    // A group stands at the top and holds subcommands; those hold the rest.
    let misplaced = match kind {
        GROUP => depth > 0,
        SUBCOMMAND => depth > 1,
        _ => depth == 1,
    };
    if misplaced {
        fields.problems.add(
            &at(path, "type"),
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "This option type cannot be nested here",
        );
        return None;
    }
    let mut option = Map::new();
    option.insert("type".into(), json!(kind));
    let name = name(fields, path, true).unwrap_or_default();
    option.insert("name".into(), json!(name));
    let names = localizations(fields, path, "name_localizations", |problems, path, it| {
        check_name(problems, path, it, true);
    });
    option.insert("name_localizations".into(), names);
    let description = fields.text("description").unwrap_or_default();
    let most = limits::COMMAND_DESCRIPTION_CHARS;
    let place = at(path, "description");
    check_length(&mut fields.problems, &place, &description, most);
    option.insert("description".into(), json!(description));
    let descriptions = localizations(
        fields,
        path,
        "description_localizations",
        |problems, path, it| check_length(problems, path, it, most),
    );
    option.insert("description_localizations".into(), descriptions);
    match kind {
        SUBCOMMAND | GROUP => {
            // A group is one level, a subcommand the last one.
            let inner = read(fields, path, if kind == GROUP { 1 } else { 2 });
            if !inner.is_empty() {
                option.insert("options".into(), Value::Array(inner));
            }
        }
        _ => plain(fields, path, kind, &mut option),
    }
    Some(Value::Object(option))
}

fn plain(fields: &mut Fields<'_>, path: &str, kind: u64, option: &mut Map<String, Value>) {
    let required = fields.flag("required").unwrap_or(false);
    option.insert("required".into(), json!(required));
    let choosable = matches!(kind, STRING | INTEGER | NUMBER);
    let complete = fields.flag("autocomplete").unwrap_or(false);
    let choices = choices(fields, path, kind);
    if (complete || !choices.is_empty()) && !choosable {
        fields.problems.add(
            path,
            "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID",
            "Choices and autocomplete are for STRING, INTEGER and NUMBER options",
        );
    }
    if complete && !choices.is_empty() {
        fields.problems.add(
            &at(path, "autocomplete"),
            "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID",
            "Autocomplete may not be set to true if choices are present",
        );
    }
    if complete {
        option.insert("autocomplete".into(), json!(true));
    }
    if !choices.is_empty() {
        option.insert("choices".into(), Value::Array(choices));
    }
    if kind == CHANNEL
        && let Some(list) = fields.list("channel_types")
    {
        let known = |it: &Value| matches!(it.as_u64(), Some(0..=5 | 10..=16));
        if list.len() > limits::CHANNEL_TYPES || !list.iter().all(known) {
            let message = "Value must be a channel type.";
            let place = at(path, "channel_types");
            fields.problems.add(&place, "BASE_TYPE_CHOICES", message);
        }
        option.insert("channel_types".into(), json!(list));
    }
    for key in ["min_value", "max_value"] {
        let value = fields.get(key);
        let value = value.filter(|_| matches!(kind, INTEGER | NUMBER));
        if let Some(value) = value
            && check_number(&mut fields.problems, &at(path, key), value, kind)
        {
            option.insert(key.into(), value.clone());
        }
    }
    for (key, least) in [("min_length", 0), ("max_length", 1)] {
        let given = fields.get(key).is_some() && kind == STRING;
        if let Some(length) = given.then(|| fields.number(key)).flatten() {
            if !(least..=limits::OPTION_LENGTH).contains(&length) {
                let most = limits::OPTION_LENGTH;
                let message = format!("int value should be between {least} and {most}.");
                let place = at(path, key);
                fields.problems.add(&place, "NUMBER_TYPE_MAX", message);
            }
            option.insert(key.into(), json!(length));
        }
    }
}

fn choices(fields: &mut Fields<'_>, path: &str, kind: u64) -> Vec<Value> {
    let list = fields.list("choices").unwrap_or_default();
    let place = at(path, "choices");
    if list.len() > limits::COMMAND_CHOICES {
        fields.problems.too_long(&place, limits::COMMAND_CHOICES);
    }
    check_choices(&mut fields.problems, &place, list, kind)
}

/// Choices as they are registered or suggested.
pub(in crate::rest) fn check_choices(
    problems: &mut Problems,
    place: &str,
    list: &[Value],
    kind: u64,
) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::new();
    for (index, value) in list.iter().take(limits::COMMAND_CHOICES).enumerate() {
        let path = format!("{place}.{index}");
        let Some(map) = problems.object(&path, value) else {
            continue;
        };
        let mut fields = Fields::new(map, &path);
        let name = fields.text("name").unwrap_or_default();
        let most = limits::CHOICE_CHARS;
        check_length(&mut fields.problems, &at(&path, "name"), &name, most);
        let names = localizations(
            &mut fields,
            &path,
            "name_localizations",
            |problems, path, it| check_length(problems, path, it, most),
        );
        let value_at = at(&path, "value");
        let value = match (fields.get("value"), kind) {
            (None, _) => {
                let message = "This field is required";
                fields
                    .problems
                    .add(&value_at, "BASE_TYPE_REQUIRED", message);
                Value::Null
            }
            (Some(_), STRING) => {
                let text = fields.text("value").unwrap_or_default();
                check_length(&mut fields.problems, &value_at, &text, most);
                Value::String(text)
            }
            (Some(value), kind) => {
                check_number(&mut fields.problems, &value_at, value, kind);
                value.clone()
            }
        };
        if kept.iter().any(|it| it["name"] == name.as_str()) {
            fields.problems.add(
                place,
                "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS",
                "Option choice name already exists",
            );
        }
        problems.merge(fields.problems);
        kept.push(json!({ "name": name, "name_localizations": names, "value": value }));
    }
    kept
}

fn check_number(problems: &mut Problems, path: &str, value: &Value, kind: u64) -> bool {
    let number = value.as_f64();
    let fits = |it: f64| it.abs() <= SAFE_INTEGER && (kind != INTEGER || it.fract() == 0.0);
    if number.is_some_and(fits) {
        return true;
    }
    let what = if kind == INTEGER { "int" } else { "float" };
    let message = format!("Value \"{value}\" is not {what}.");
    problems.add(path, "NUMBER_TYPE_COERCE", message);
    false
}

/// The length that a command is limited by: names, descriptions and values of
/// it and of its options, each in its longest language.
pub(super) fn chars(name: &str, fields: &Value) -> usize {
    let longest = |text: &str, localized: &Value| {
        let own = text.chars().count();
        let texts = localized.as_object().into_iter().flat_map(Map::values);
        let texts = texts.filter_map(Value::as_str).map(|it| it.chars().count());
        texts.fold(own, usize::max)
    };
    let text = |key: &str| fields[key].as_str().unwrap_or_default();
    let mut sum = longest(name, &fields["name_localizations"])
        + longest(text("description"), &fields["description_localizations"]);
    for option in fields["options"].as_array().into_iter().flatten() {
        sum += chars(option["name"].as_str().unwrap_or_default(), option);
    }
    for choice in fields["choices"].as_array().into_iter().flatten() {
        sum += longest(
            choice["name"].as_str().unwrap_or_default(),
            &choice["name_localizations"],
        );
        sum += choice["value"].as_str().map_or(0, |it| it.chars().count());
    }
    sum
}
