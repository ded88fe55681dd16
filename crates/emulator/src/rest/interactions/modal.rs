//! A modal that a human sends back.

use serde_json::{Value, json};

use super::{
    super::{
        components::{kind, walk},
        error::Problems,
    },
    chosen::{chosen, offers, told},
    resolved::ResolvedData,
};
use crate::limits;

/// Reads what was filled in, against what the modal asked for.
pub(super) struct ModalReader<'a> {
    pub(super) resolver: ResolvedData<'a>,
    pub(super) problems: Problems,
    /// The components that were sent.
    pub(super) given: &'a [Value],
}

impl ModalReader<'_> {
    /// In the shape of the modal, with values instead of looks.
    pub(super) fn read(&mut self, asked: &[Value], at: &str) -> Vec<Value> {
        let mut filled = Vec::new();
        for (index, component) in asked.iter().enumerate() {
            let at = format!("{at}.{index}");
            let mut shown = told(component);
            match component["type"].as_u64().unwrap_or(0) {
                kind::ROW => {
                    let inner = component["components"].as_array();
                    let inner = inner.map(Vec::as_slice).unwrap_or_default();
                    let inner = self.read(inner, &format!("{at}.components"));
                    shown.insert("components".into(), Value::Array(inner));
                }
                kind::LABEL => {
                    let inner = std::slice::from_ref(&component["component"]);
                    let inner = self.read(inner, &format!("{at}.component"));
                    let inner = inner.into_iter().next();
                    shown.insert("component".into(), inner.unwrap_or_default());
                }
                kind::TEXT => {}
                of => {
                    let (key, value) = self.value(component, of, &at);
                    shown.insert(key.to_owned(), value);
                }
            }
            filled.push(Value::Object(shown));
        }
        filled
    }

    fn value(&mut self, component: &Value, of: u64, at: &str) -> (&'static str, Value) {
        let custom_id = &component["custom_id"];
        let sent = walk(self.given)
            .into_iter()
            .find(|it| it.get("custom_id") == Some(custom_id));
        let field = |key: &str| sent.and_then(|it| it.get(key)).cloned();
        let required = component["required"] != false;
        match of {
            kind::TEXT_INPUT => {
                let text = field("value").and_then(|it| it.as_str().map(str::to_owned));
                let text = text.unwrap_or_default();
                let least = component["min_length"].as_u64().unwrap_or(0);
                let least = if required { least.max(1) } else { least };
                let most = component["max_length"].as_u64();
                let most = most.unwrap_or(limits::TEXT_INPUT_CHARS);
                let chars = text.chars().count() as u64;
                let left_out = chars == 0 && !required;
                if !left_out && !(least..=most).contains(&chars) {
                    let message = format!("Must be between {least} and {most} in length.");
                    self.problems.add(at, "BASE_TYPE_BAD_LENGTH", message);
                }
                ("value", Value::String(text))
            }
            kind::CHECKBOX => {
                let checked = field("value").and_then(|it| it.as_bool());
                ("value", json!(checked.unwrap_or(false)))
            }
            kind::RADIO_GROUP => {
                let value = field("value").and_then(|it| it.as_str().map(str::to_owned));
                let known = value.as_ref().is_none_or(|it| offers(component, it));
                if (value.is_none() && required) || !known {
                    let message = "One of the options is needed";
                    self.problems.add(at, "BASE_TYPE_CHOICES", message);
                }
                ("value", json!(value))
            }
            _ => {
                let given = field("values").and_then(|it| it.as_array().cloned());
                let given = given.unwrap_or_default();
                let needed = required || !given.is_empty();
                let (resolver, problems) = (&mut self.resolver, &mut self.problems);
                let values = chosen(component, &given, resolver, problems, at, needed);
                ("values", Value::Array(values))
            }
        }
    }
}
