//! What an application may register. Discord Docs/Application Commands,
//! Application Command Object.

use serde_json::{Map, Value, json};

use super::{
    super::{ApiError, body::Fields, error::Problems},
    options,
};
use crate::{limits, realm::CommandKind};

/// A command that passed: its kind, its name, and the fields in full.
pub(super) struct CheckedCommand {
    pub(super) kind: CommandKind,
    pub(super) name: String,
    pub(super) fields: Map<String, Value>,
}

impl CheckedCommand {
    /// Reads a command. `path` is where it stands in the body.
    pub(super) fn read(
        map: &Map<String, Value>,
        path: &str,
        in_guild: bool,
    ) -> Result<Self, Problems> {
        let mut body = Fields::new(map, path);
        let kind = body.number("type").unwrap_or(1);
        let kind = CommandKind::from_number(kind).unwrap_or_else(|| {
            let message = "Value must be one of {1, 2, 3}.";
            body.problems
                .add(&at(path, "type"), "BASE_TYPE_CHOICES", message);
            CommandKind::ChatInput
        });
        let slash = kind == CommandKind::ChatInput;
        let name = name(&mut body, path, slash).unwrap_or_default();
        let mut fields = Map::new();
        let mut keep = |key: &str, value: Value| fields.insert(key.to_owned(), value);
        let names = localizations(
            &mut body,
            path,
            "name_localizations",
            |problems, path, it| {
                check_name(problems, path, it, slash);
            },
        );
        keep("name_localizations", names);
        keep("description", description(&mut body, path, slash));
        let descriptions = localizations(
            &mut body,
            path,
            "description_localizations",
            |problems, path, it| {
                check_length(problems, path, it, limits::COMMAND_DESCRIPTION_CHARS);
            },
        );
        keep("description_localizations", descriptions);
        let options = options::read(&mut body, path, 0);
        if !options.is_empty() && !slash {
            body.problems.add(
                &at(path, "options"),
                "APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS_NOT_ALLOWED",
                "Context menu commands cannot have options",
            );
        }
        if !options.is_empty() {
            keep("options", Value::Array(options));
        }
        keep("default_member_permissions", permissions(&mut body, path));
        keep("nsfw", json!(body.flag("nsfw").unwrap_or(false)));
        if !in_guild {
            let private = body.flag("dm_permission");
            let contexts = numbers(&mut body, path, "contexts", 2);
            let private = private.unwrap_or_else(|| {
                let list = contexts.as_ref();
                list.is_none_or(|list| list.contains(&1) || list.contains(&2))
            });
            // The older flag is the same as a choice of contexts.
            let contexts = match (contexts, private) {
                (None, false) => Some(vec![0]),
                (contexts, _) => contexts,
            };
            keep("contexts", json!(contexts));
            keep("dm_permission", json!(private));
            let kinds = numbers(&mut body, path, "integration_types", 1);
            keep("integration_types", json!(kinds.unwrap_or(vec![0])));
        }
        let size = options::chars(&name, &Value::Object(fields.clone()));
        if size > limits::COMMAND_CHARS {
            body.problems.add(
                path,
                "APPLICATION_COMMAND_TOO_LARGE",
                format!("Command exceeds maximum size ({})", limits::COMMAND_CHARS),
            );
        }
        if body.problems.is_empty() {
            Ok(Self { kind, name, fields })
        } else {
            Err(body.problems)
        }
    }
}

/// A list of commands, each of a name and kind of its own.
pub(super) fn read_all(list: &[Value], in_guild: bool) -> Result<Vec<CheckedCommand>, ApiError> {
    let mut problems = Problems::default();
    let mut commands: Vec<CheckedCommand> = Vec::new();
    for (index, value) in list.iter().enumerate() {
        let path = index.to_string();
        let Some(map) = problems.object(&path, value) else {
            continue;
        };
        match CheckedCommand::read(map, &path, in_guild) {
            Ok(command) => {
                let same = |it: &CheckedCommand| it.name == command.name && it.kind == command.kind;
                if commands.iter().any(same) {
                    problems.add(
                        &path,
                        "APPLICATION_COMMANDS_DUPLICATE_NAME",
                        "Application command names must be unique",
                    );
                }
                commands.push(command);
            }
            Err(more) => problems.merge(more),
        }
    }
    problems.into_result()?;
    Ok(commands)
}

pub(super) fn at(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

fn required(body: &mut Fields<'_>, path: &str, key: &str) {
    body.problems.add(
        &at(path, key),
        "BASE_TYPE_REQUIRED",
        "This field is required",
    );
}

pub(super) fn name(body: &mut Fields<'_>, path: &str, slash: bool) -> Option<String> {
    if body.get("name").is_none() {
        required(body, path, "name");
    }
    let name = body.text("name")?;
    let name = if slash { name } else { name.trim().to_owned() };
    check_name(&mut body.problems, &at(path, "name"), &name, slash);
    Some(name)
}

fn description(body: &mut Fields<'_>, path: &str, slash: bool) -> Value {
    let text = body.text("description").unwrap_or_default();
    if slash {
        if body.get("description").is_none() {
            required(body, path, "description");
        } else {
            let most = limits::COMMAND_DESCRIPTION_CHARS;
            check_length(&mut body.problems, &at(path, "description"), &text, most);
        }
    } else if !text.is_empty() {
        body.problems.add(
            &at(path, "description"),
            "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_NOT_ALLOWED",
            "Context menu commands cannot have description",
        );
    }
    Value::String(text)
}

pub(super) fn check_length(problems: &mut Problems, path: &str, text: &str, most: usize) {
    if !(1..=most).contains(&text.chars().count()) {
        problems.add(
            path,
            "BASE_TYPE_BAD_LENGTH",
            format!("Must be between 1 and {most} in length."),
        );
    }
}

/// Slash commands and options are lower case letters, digits, `-`, `_` and
/// `'`; context menus may be called anything.
pub(super) fn check_name(problems: &mut Problems, path: &str, name: &str, slash: bool) {
    check_length(problems, path, name, limits::COMMAND_NAME_CHARS);
    let fits = |c: char| {
        let mark = ('\u{900}'..='\u{97f}').contains(&c) || ('\u{e00}'..='\u{e7f}').contains(&c);
        c.is_alphanumeric() || mark || "-_'".contains(c)
    };
    let cased = name.chars().any(char::is_uppercase);
    if slash && !name.is_empty() && (cased || !name.chars().all(fits)) {
        problems.add(
            path,
            "APPLICATION_COMMAND_INVALID_NAME",
            "Command name is invalid",
        );
    }
}

/// Texts by locale, or null.
pub(super) fn localizations(
    body: &mut Fields<'_>,
    path: &str,
    key: &str,
    check: impl Fn(&mut Problems, &str, &str),
) -> Value {
    let Some(map) = body.object(key) else {
        return Value::Null;
    };
    let mut kept = Map::new();
    for (locale, text) in map {
        let place = at(path, &format!("{key}.{locale}"));
        if !limits::LOCALES.contains(&locale.as_str()) {
            let names = limits::LOCALES.join("', '");
            let message = format!("Value must be one of ('{names}').");
            body.problems
                .add(&at(path, key), "BASE_TYPE_CHOICES", message);
            continue;
        }
        match text {
            Value::Null => {}
            Value::String(text) => {
                check(&mut body.problems, &place, text);
                kept.insert(locale.clone(), Value::String(text.clone()));
            }
            other => {
                let message = format!("Could not interpret \"{other}\" as string.");
                body.problems.add(&place, "STRING_TYPE_CONVERT", message);
            }
        }
    }
    Value::Object(kept)
}

/// Permission bits in a string, or null.
fn permissions(body: &mut Fields<'_>, path: &str) -> Value {
    let Some(bits) = body.text("default_member_permissions") else {
        return Value::Null;
    };
    if bits.parse::<u64>().is_err() {
        body.problems.add(
            &at(path, "default_member_permissions"),
            "NUMBER_TYPE_COERCE",
            format!("Value \"{bits}\" is not int."),
        );
    }
    Value::String(bits)
}

/// Small numbers of a list, each once.
fn numbers(body: &mut Fields<'_>, path: &str, key: &str, most: u64) -> Option<Vec<u64>> {
    let list = body.list(key)?;
    let mut kept = Vec::new();
    for (index, value) in list.iter().enumerate() {
        match value.as_u64() {
            Some(number) if number <= most => {
                if !kept.contains(&number) {
                    kept.push(number);
                }
            }
            _ => {
                let choices: Vec<String> = (0..=most).map(|it| it.to_string()).collect();
                let message = format!("Value must be one of {{{}}}.", choices.join(", "));
                let place = at(path, &format!("{key}.{index}"));
                body.problems.add(&place, "BASE_TYPE_CHOICES", message);
            }
        }
    }
    if list.is_empty() {
        body.problems.add(
            &at(path, key),
            "BASE_TYPE_BAD_LENGTH",
            "Must be at least 1 in length.",
        );
    }
    Some(kept)
}
