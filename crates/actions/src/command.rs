//! Commands, as they follow from the declarations: names, options, forms, and
//! the way back from a control to the action behind it.
//!
//! A control of ours comes back as `k1/ACTION/ARGUMENTS`: a button is a call
//! that somebody may make, and passes the same door as any other.

use fluent_bundle::FluentArgs;
use kaiwa_domain::limits::CONTROL_CHARS;
use kaiwa_domain::{
    CommandOption, Form, FormField, Localized, OptionChoice, OptionKind, SlashCommand, ValueKind,
};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use crate::phrase::languages;
use crate::registry::RegisteredAction;
use crate::{Availability, Declaration, Registry};

/// What every control of this shape begins with.
const CONTROL_VERSION: &str = "k1";

/// The longest text of a field, see
/// [Text Input](https://docs.discord.com/developers/components/reference#text-input).
const FIELD_CHARS: u16 = 4000;

/// The formats by which a schema tells ids from other text.
pub(crate) const USER_FORMAT: &str = "discord-user";
pub(crate) const CHANNEL_FORMAT: &str = "discord-channel";
pub(crate) const ROLE_FORMAT: &str = "discord-role";
pub(crate) const ATTACHMENT_FORMAT: &str = "discord-attachment";

/// The schema of a type, without references.
pub(crate) fn schema_of<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|it| {
        it.inline_subschemas = true;
        it.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = match schema.to_value() {
        Value::Object(schema) => schema,
        _ => Map::new(),
    };
    schema.remove("title");
    schema.remove("description");
    schema.insert("additionalProperties".into(), Value::Bool(false));
    schema
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    schema
}

/// The name of a control that calls an action, if it is short enough.
pub(crate) fn control(action: &str, arguments: &str) -> Option<String> {
    let control = format!("{CONTROL_VERSION}/{action}/{arguments}");
    (control.chars().count() <= CONTROL_CHARS).then_some(control)
}

/// The action and the arguments that a control stands for.
pub(crate) fn read_control(control: &str) -> Option<(&str, &str)> {
    control
        .strip_prefix(CONTROL_VERSION)?
        .strip_prefix('/')?
        .split_once('/')
}

/// All commands of a registry; those of two words are subcommands of one.
pub(crate) fn commands(registry: &Registry) -> Vec<SlashCommand> {
    let mut commands: Vec<SlashCommand> = Vec::new();
    for entry in registry.all() {
        let Some(entrance) = entry.declaration.command else {
            continue;
        };
        let (first, sub) = match entrance.name.split_once(' ') {
            Some((first, sub)) => (first, Some(sub)),
            None => (entrance.name, None),
        };
        let place = commands.iter().position(|it| it.name.text == first);
        let place = place.unwrap_or_else(|| {
            commands.push(command(first, entry));
            commands.len() - 1
        });
        admit(&mut commands[place], &entry.declaration);
        let options = options(entry, entrance.name);
        match sub {
            None => commands[place].options = options,
            Some(sub) => commands[place].options.push(CommandOption {
                name: localized_name(entrance.name, sub),
                summary: localized_summary(entrance.name, None),
                kind: OptionKind::Subcommand(options),
            }),
        }
    }
    commands
}

fn command(name: &str, entry: &RegisteredAction) -> SlashCommand {
    let declaration = &entry.declaration;
    let needs = declaration.asker_needs;
    SlashCommand {
        name: localized_name(name, name),
        summary: localized_summary(name, None),
        options: Vec::new(),
        needs: (!needs.is_empty()).then(|| needs.bits()),
        in_dms: declaration.place != Availability::Guild,
    }
}

/// Shows a command to whoever may use one of its subcommands: Discord hides it
/// as a whole, and the door refuses the others.
fn admit(command: &mut SlashCommand, declaration: &Declaration) {
    let needs = command.needs.unwrap_or(0) & declaration.asker_needs.bits();
    command.needs = (needs != 0).then_some(needs);
    command.in_dms |= declaration.place != Availability::Guild;
}

/// The options of a command, those that cannot be left out first, as Discord
/// wants it. What a form asks for is no option.
fn options(entry: &RegisteredAction, command: &str) -> Vec<CommandOption> {
    let Some(Value::Object(properties)) = entry.schema.get("properties") else {
        return Vec::new();
    };
    let entrance = entry.declaration.command;
    let required = entry.schema.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|all| all.iter().any(|it| it.as_str() == Some(name)));
    let mut options: Vec<CommandOption> = properties
        .iter()
        .filter(|(name, _)| !entrance.is_some_and(|it| it.form.contains(&name.as_str())))
        .map(|(name, schema)| {
            let completed = entrance.and_then(|it| it.completes) == Some(name.as_str());
            CommandOption {
                name: localized_option(command, name),
                summary: localized_summary(command, Some(name)),
                kind: OptionKind::Value {
                    of: value_kind(schema, completed),
                    required: is_required(name),
                },
            }
        })
        .collect();
    options.sort_by_key(|it| !matches!(it.kind, OptionKind::Value { required: true, .. }));
    options
}

fn value_kind(schema: &Value, completed: bool) -> ValueKind {
    let text = |key: &str| schema.get(key).and_then(Value::as_str);
    // `Option<T>` has the types ["string", "null"].
    let kind = match schema.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str).unwrap_or_default(),
        _ => "string",
    };
    if let Some(Value::Array(values)) = schema.get("enum") {
        let choices = values
            .iter()
            .filter_map(Value::as_str)
            .map(|value| OptionChoice {
                name: value.to_owned(),
                value: value.to_owned(),
            });
        return ValueKind::Choice(choices.collect());
    }
    match (kind, text("format")) {
        // Discord proposes what it knows, and we what we know.
        ("string", _) if completed => ValueKind::Text {
            most: most(schema),
            completed,
        },
        ("string", Some(USER_FORMAT)) => ValueKind::User,
        ("string", Some(CHANNEL_FORMAT)) => ValueKind::Channel,
        ("string", Some(ROLE_FORMAT)) => ValueKind::Role,
        ("string", Some(ATTACHMENT_FORMAT)) => ValueKind::File,
        ("integer", _) => {
            let bound = |key: &str| schema.get(key).and_then(Value::as_i64);
            ValueKind::Integer(bound("minimum"), bound("maximum"))
        }
        ("number", _) => ValueKind::Number,
        ("boolean", _) => ValueKind::Switch,
        _ => ValueKind::Text {
            most: most(schema),
            completed: false,
        },
    }
}

fn most(schema: &Value) -> Option<u16> {
    let most = schema.get("maxLength").and_then(Value::as_u64);
    most.and_then(|most| u16::try_from(most).ok())
}

/// The form that a command is completed with, in a language; `None` if nothing
/// is missing. `arguments` are those that are known.
pub(crate) fn form(
    entry: &RegisteredAction,
    arguments: &Map<String, Value>,
    locale: &str,
) -> Option<Form> {
    let entrance = entry.declaration.command?;
    let missing = |name: &&&str| !arguments.contains_key(**name);
    let fields = entrance.form.iter().filter(missing);
    let fields: Vec<FormField> = fields
        .filter_map(|name| field(entry, entrance.name, name, locale))
        .collect();
    form_of(entry, arguments, fields, locale)
}

/// What a form asks for, with nothing in it.
pub(crate) fn field(
    entry: &RegisteredAction,
    command: &str,
    name: &str,
    locale: &str,
) -> Option<FormField> {
    let required = entry.schema.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|all| all.iter().any(|it| it.as_str() == Some(name)));
    let properties = entry.schema.get("properties")?;
    let most = properties.get(name).and_then(most).unwrap_or(1000);
    Some(FormField {
        name: name.to_owned(),
        label: in_language(&localized_summary(command, Some(name)), locale),
        most: most.min(FIELD_CHARS),
        long: most > 200,
        required: is_required(name),
        value: String::new(),
    })
}

/// A form of these fields; `None` without any. `arguments` come back with it.
pub(crate) fn form_of(
    entry: &RegisteredAction,
    arguments: &Map<String, Value>,
    fields: Vec<FormField>,
    locale: &str,
) -> Option<Form> {
    let entrance = entry.declaration.command?;
    if fields.is_empty() {
        return None;
    }
    let known = Value::Object(arguments.clone()).to_string();
    Some(Form {
        control: control(entry.declaration.name, &known)?,
        title: in_language(&localized_summary(entrance.name, None), locale),
        fields,
    })
}

pub(crate) fn in_language(text: &Localized, locale: &str) -> String {
    let other = text.others.iter().find(|(name, _)| *name == locale);
    other.map_or_else(|| text.text.clone(), |(_, text)| text.clone())
}

/// The name of a command, or of an option, which is as it is in English.
fn localized_name(command: &str, english: &str) -> Localized {
    localized(command, "name", english)
}

fn localized_option(command: &str, option: &str) -> Localized {
    localized(command, &format!("{option}-name"), option)
}

fn localized(command: &str, attribute: &str, english: &str) -> Localized {
    let key = format!("command-{}", command.replace(' ', "-"));
    let others = languages().iter().skip(1).filter_map(|language| {
        let text = language.text(&key, Some(attribute), &FluentArgs::new())?;
        Some((language.locale, text))
    });
    Localized {
        text: english.to_owned(),
        others: others.collect(),
    }
}

/// What a command or an option is for.
fn localized_summary(command: &str, option: Option<&str>) -> Localized {
    let key = format!("command-{}", command.replace(' ', "-"));
    let mut texts = languages().iter().map(|language| {
        let text = language.text(&key, option, &FluentArgs::new());
        (language.locale, text)
    });
    let english = texts.next().and_then(|(_, text)| text);
    Localized {
        text: english.unwrap_or_else(|| option.unwrap_or(command).to_owned()),
        others: texts
            .filter_map(|(locale, text)| Some((locale, text?)))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_comes_back_as_a_call() {
        let back = control("stop", r#"{"everybody":true}"#).unwrap();
        assert_eq!(read_control(&back), Some(("stop", r#"{"everybody":true}"#)));
        assert_eq!(control("stop", &"x".repeat(CONTROL_CHARS)), None);
        for foreign in ["", "k1", "k1/", "k1/stop", "k2/stop/{}", "other:thing"] {
            assert_eq!(read_control(foreign), None, "{foreign}");
        }
    }
}
