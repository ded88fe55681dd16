//! Commands, registered where they differ: all in one request, since Discord takes
//! few, and none where everything is as it should be.

use kaiwa_domain::port::OnWire;
use kaiwa_domain::{ChatError, CommandOption, Localized, OptionKind, SlashCommand, ValueKind};
use serde_json::{Map, Value, json};

use super::super::Rest;
use super::super::body::RequestBody;
use super::super::route::Route;

/// The kinds of options, see
/// [Discord Docs/Application Commands](https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-option-type).
const SUBCOMMAND: u8 = 1;
const TEXT: u8 = 3;
const INTEGER: u8 = 4;
const SWITCH: u8 = 5;
const USER: u8 = 6;
const CHANNEL: u8 = 7;
const ROLE: u8 = 8;
const ATTACHMENT: u8 = 11;
const NUMBER: u8 = 10;

/// Where a command is offered: in guilds, and in direct messages with us.
const IN_GUILDS: u8 = 0;
const IN_DMS: u8 = 1;

impl Rest {
    pub(in super::super) async fn set_commands(
        &self,
        commands: &[SlashCommand],
    ) -> Result<usize, ChatError> {
        let application = self.application().await?.id.get();
        let registered: Vec<Value> = self.get(Route::Commands(application)).await?;
        let wanted: Vec<Value> = commands.iter().map(written).collect();
        let is_there = |wanted: &Value| registered.iter().any(|it| same(wanted, it));
        let missing = wanted.iter().filter(|it| !is_there(it)).count();
        let name = |command: &Value| command["name"].as_str().map(str::to_owned);
        let is_wanted = |there: &Value| wanted.iter().any(|it| name(it) == name(there));
        let gone = registered.iter().filter(|it| !is_wanted(it)).count();
        if missing + gone > 0 {
            let body = RequestBody::of(&Value::Array(wanted));
            let route = Route::SetCommands(application);
            self.wire.call(route, Some(&body), &OnWire::new()).await?;
        }
        Ok(missing + gone)
    }
}

/// A command as Discord writes it.
fn written(command: &SlashCommand) -> Value {
    let contexts = match command.in_dms {
        true => vec![IN_GUILDS, IN_DMS],
        false => vec![IN_GUILDS],
    };
    let mut written = described(&command.name, &command.summary);
    written.insert("type".into(), json!(1));
    written.insert("options".into(), options(&command.options));
    written.insert("contexts".into(), json!(contexts));
    let needs = command.needs.map(|bits| bits.to_string());
    written.insert("default_member_permissions".into(), json!(needs));
    Value::Object(written)
}

fn options(options: &[CommandOption]) -> Value {
    options.iter().map(option).collect()
}

fn option(option: &CommandOption) -> Value {
    let mut written = described(&option.name, &option.summary);
    let mut put = |key: &str, value: Value| {
        written.insert(key.to_owned(), value);
    };
    match &option.kind {
        OptionKind::Subcommand(inner) => {
            put("type", json!(SUBCOMMAND));
            put("options", options(inner));
        }
        OptionKind::Value { of, required } => {
            put("required", json!(required));
            match of {
                ValueKind::Text { most, completed } => {
                    put("type", json!(TEXT));
                    if let Some(most) = most {
                        put("max_length", json!(most));
                    }
                    if *completed {
                        put("autocomplete", json!(true));
                    }
                }
                ValueKind::Choice(choices) => {
                    let choices: Vec<Value> = choices
                        .iter()
                        .map(|it| json!({ "name": it.name, "value": it.value }))
                        .collect();
                    put("type", json!(TEXT));
                    put("choices", json!(choices));
                }
                ValueKind::Integer(least, most) => {
                    put("type", json!(INTEGER));
                    if let Some(least) = least {
                        put("min_value", json!(least));
                    }
                    if let Some(most) = most {
                        put("max_value", json!(most));
                    }
                }
                ValueKind::Number => put("type", json!(NUMBER)),
                ValueKind::Switch => put("type", json!(SWITCH)),
                ValueKind::User => put("type", json!(USER)),
                ValueKind::Channel => put("type", json!(CHANNEL)),
                ValueKind::Role => put("type", json!(ROLE)),
                ValueKind::File => put("type", json!(ATTACHMENT)),
            }
        }
    }
    Value::Object(written)
}

fn described(name: &Localized, summary: &Localized) -> Map<String, Value> {
    let others = |text: &Localized| -> Value {
        let others = text.others.iter();
        others
            .map(|(locale, text)| ((*locale).to_owned(), json!(text)))
            .collect::<Map<_, _>>()
            .into()
    };
    let mut described = Map::new();
    described.insert("name".into(), json!(name.text));
    described.insert("name_localizations".into(), others(name));
    described.insert("description".into(), json!(summary.text));
    described.insert("description_localizations".into(), others(summary));
    described
}

/// Whether what Discord has is what we want. Discord adds fields of its own,
/// and leaves out what is empty.
fn same(wanted: &Value, registered: &Value) -> bool {
    match (wanted, registered) {
        (Value::Object(wanted), Value::Object(registered)) => wanted.iter().all(|(key, value)| {
            let there = registered.get(key).unwrap_or(&Value::Null);
            same(value, there)
        }),
        (Value::Array(wanted), Value::Array(registered)) => {
            wanted.len() == registered.len()
                && wanted.iter().zip(registered).all(|(a, b)| same(a, b))
        }
        (wanted, Value::Null) => is_nothing(wanted),
        (wanted, registered) => wanted == registered,
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_difference_counts() {
        let check = |wanted: Value, registered: Value, expected: bool| {
            assert_eq!(
                same(&wanted, &registered),
                expected,
                "{wanted} {registered}"
            );
        };
        let wanted = json!({"name": "stop", "options": [], "contexts": [0, 1],
            "default_member_permissions": null, "name_localizations": {"ja": "停止"}});
        let mut registered = wanted.clone();
        registered["id"] = json!("1");
        registered["version"] = json!("2");
        check(wanted.clone(), registered.clone(), true);
        registered["options"] = Value::Null;
        check(wanted.clone(), registered.clone(), true);
        registered["contexts"] = json!([0]);
        check(wanted.clone(), registered.clone(), false);
        registered["contexts"] = json!([0, 1]);
        registered["name_localizations"] = Value::Null;
        check(wanted, registered, false);
        let required = json!([{"name": "a", "required": false}]);
        check(required.clone(), json!([{"name": "a"}]), true);
        check(required, json!([{"name": "b"}]), false);
        check(
            json!([{"name": "a", "required": true}]),
            json!([{"name": "a"}]),
            false,
        );
    }
}
