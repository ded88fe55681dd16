//! The options that a human filled in, held against what the command takes.

use serde_json::{Map, Value, json};

use super::{
    super::{body::snowflake, error::Problems},
    resolved::ResolvedData,
};
use crate::limits;

/// Reads the options of a slash command.
pub(super) struct OptionReader<'a> {
    pub(super) resolver: ResolvedData<'a>,
    pub(super) problems: Problems,
    /// Whether the command is still being written.
    pub(super) autocomplete: bool,
    /// The kind of the option that is being written.
    pub(super) completes: Option<u64>,
    /// The subcommand group and the subcommand.
    pub(super) path: Vec<String>,
}

impl OptionReader<'_> {
    pub(super) fn read(&mut self, defined: &[Value], given: &[Value], at: &str) -> Vec<Value> {
        let nested = |it: &Value| matches!(it["type"].as_u64(), Some(1 | 2));
        if defined.iter().any(nested) && given.len() != 1 {
            let message = "Exactly one sub-command is needed";
            self.wrong(at, "BASE_TYPE_BAD_LENGTH", message);
            return Vec::new();
        }
        let mut kept: Vec<Value> = Vec::new();
        for (index, option) in given.iter().take(limits::COMMAND_OPTIONS).enumerate() {
            let at = format!("{at}.{index}");
            let name = option.get("name").and_then(Value::as_str);
            let known = defined.iter().find(|it| it["name"].as_str() == name);
            let (Some(name), Some(known)) = (name, known) else {
                self.wrong(&at, "OPTION_UNKNOWN", "Unknown option");
                continue;
            };
            if kept.iter().any(|it| it["name"] == name) {
                self.wrong(&at, "OPTION_DUPLICATED", "An option can be given once");
                continue;
            }
            kept.extend(self.option(known, name, option, &at));
        }
        if !self.autocomplete {
            for missing in defined.iter().filter(|it| it["required"] == true) {
                if kept.iter().all(|it| it["name"] != missing["name"]) {
                    let name = missing["name"].as_str().unwrap_or_default();
                    let message = format!("The option \"{name}\" is required");
                    self.wrong(at, "BASE_TYPE_REQUIRED", &message);
                }
            }
        }
        kept
    }

    fn wrong(&mut self, at: &str, code: &str, message: &str) {
        self.problems.add(at, code, message);
    }

    fn option(&mut self, known: &Value, name: &str, given: &Value, at: &str) -> Option<Value> {
        let kind = known["type"].as_u64()?;
        if matches!(kind, 1 | 2) {
            self.path.push(name.to_owned());
            let inner = given.get("options").and_then(Value::as_array);
            let inner = inner.map(Vec::as_slice).unwrap_or_default();
            let defined = known["options"].as_array();
            let defined = defined.map(Vec::as_slice).unwrap_or_default();
            let options = self.read(defined, inner, &format!("{at}.options"));
            return Some(json!({ "type": kind, "name": name, "options": options }));
        }
        let value = given.get("value").cloned().unwrap_or_default();
        let focused = self.autocomplete && given.get("focused") == Some(&Value::Bool(true));
        if focused {
            if known["autocomplete"] != true {
                self.wrong(at, "OPTION_NOT_AUTOCOMPLETED", "It has no autocomplete");
                return None;
            }
            self.completes = Some(kind);
            // What is half written is text, whatever it will be.
            let value = match value {
                Value::Number(number) => Value::String(number.to_string()),
                Value::String(text) => Value::String(text),
                _ => Value::String(String::new()),
            };
            let option = json!({ "type": kind, "name": name, "value": value, "focused": true });
            return Some(option);
        }
        let value = match kind {
            3 => self.text(known, value, at),
            4 | 10 => self.number(known, kind, &value, at),
            5 => value.is_boolean().then_some(value),
            _ => self.named(known, kind, &value),
        };
        let Some(value) = value else {
            self.wrong(
                &format!("{at}.value"),
                "OPTION_VALUE_INVALID",
                "The value does not fit the option",
            );
            return None;
        };
        let choices = known["choices"].as_array();
        let chosen = choices.is_none_or(|choices| {
            let same = |it: &Value| it["value"] == value || same_number(&it["value"], &value);
            choices.iter().any(same)
        });
        if !chosen && !self.autocomplete {
            let message = "Value is not among the choices";
            self.wrong(&format!("{at}.value"), "BASE_TYPE_CHOICES", message);
        }
        Some(json!({ "type": kind, "name": name, "value": value }))
    }

    fn text(&mut self, known: &Value, value: Value, at: &str) -> Option<Value> {
        let text = match value {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        let chars = text.chars().count() as u64;
        let least = known["min_length"].as_u64().unwrap_or(0);
        let most = known["max_length"]
            .as_u64()
            .unwrap_or(limits::OPTION_LENGTH);
        if !(least..=most).contains(&chars) {
            let message = format!("Must be between {least} and {most} in length.");
            self.wrong(&format!("{at}.value"), "BASE_TYPE_BAD_LENGTH", &message);
        }
        Some(Value::String(text))
    }

    fn number(&mut self, known: &Value, kind: u64, value: &Value, at: &str) -> Option<Value> {
        let number = match value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse::<f64>().ok(),
            _ => None,
        };
        let number = number.filter(|it| it.is_finite() && (kind == 10 || it.fract() == 0.0))?;
        let low = known["min_value"].as_f64().is_some_and(|min| number < min);
        let high = known["max_value"].as_f64().is_some_and(|max| number > max);
        if low || high {
            let (code, message) = if low {
                ("NUMBER_TYPE_MIN", "The value is too small.")
            } else {
                ("NUMBER_TYPE_MAX", "The value is too large.")
            };
            self.wrong(&format!("{at}.value"), code, message);
        }
        match value {
            Value::Number(_) => Some(value.clone()),
            _ if kind == 4 => Some(json!(number as i64)),
            _ => Some(json!(number)),
        }
    }

    /// A user, channel, role, either, or a file.
    fn named(&mut self, known: &Value, kind: u64, value: &Value) -> Option<Value> {
        if kind == 11 {
            let number = match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            return self.resolver.attachment(&number).map(|id| json!(id));
        }
        let id = snowflake(value)?;
        let kinds = known["channel_types"].as_array();
        let kinds = kinds.map(Vec::as_slice).unwrap_or_default();
        let found = match kind {
            6 => self.resolver.user(id),
            7 => self.resolver.channel(id, kinds),
            8 => self.resolver.role(id),
            _ => self.resolver.user(id) || self.resolver.role(id),
        };
        found.then(|| json!(id))
    }
}

fn same_number(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a.to_bits() == b.to_bits(),
        _ => false,
    }
}

/// The list under a key, none if it is not there.
pub(super) fn list<'a>(map: &'a Map<String, Value>, key: &str) -> &'a [Value] {
    let list = map.get(key).and_then(Value::as_array);
    list.map(Vec::as_slice).unwrap_or_default()
}
