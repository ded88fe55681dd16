//! Arguments that were written as text, typed by the tool's schema.

use std::collections::HashMap;
use std::sync::Arc;

use kaiwa_domain::Tool;
use serde_json::Value;

use crate::lenient::compact;

/// The texts of the schemas of the tools that were offered. Most answers call
/// none, so each is read when it is needed.
#[derive(Debug, Default)]
pub(super) struct Schemas(HashMap<Arc<str>, Arc<str>>);

/// One argument as it was written.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) name: String,
    /// What the model says about it: a string, or JSON.
    pub(super) is_string: Option<bool>,
    pub(super) value: String,
}

impl Schemas {
    pub(super) fn new(tools: &[Tool]) -> Self {
        let schema = |tool: &Tool| (tool.name.clone(), tool.schema.clone());
        Self(tools.iter().map(schema).collect())
    }

    /// The text of the JSON object with these arguments. Of two with the same
    /// name the later counts.
    pub(super) fn object(&self, tool: &str, arguments: &[Written]) -> String {
        let schema = self.0.get(tool);
        let schema: Option<Value> = schema.and_then(|text| serde_json::from_str(text).ok());
        let mut last = HashMap::new();
        for (place, argument) in arguments.iter().enumerate() {
            last.insert(&argument.name, place);
        }
        let members = arguments.iter().enumerate();
        let members = members.filter(|(place, argument)| last[&argument.name] == *place);
        let members = members.map(|(_, argument)| {
            let name = Value::from(&*argument.name);
            format!("{name}:{}", json(schema.as_ref(), argument))
        });
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    }
}

/// The JSON that a written argument stands for.
fn json(schema: Option<&Value>, argument: &Written) -> String {
    let kinds = kinds(schema, &argument.name);
    let trimmed = argument.value.trim();
    let parsed: Option<Value> = serde_json::from_str(trimmed).ok();
    let as_json = match &parsed {
        None => false,
        // Quotes that the model did not declare are its own.
        Some(Value::String(_)) => argument.is_string == Some(false),
        Some(value) if kinds.is_empty() => {
            argument.is_string == Some(false) || {
                // Nobody says what it is: only what cannot be a sentence.
                argument.is_string.is_none() && (value.is_object() || value.is_array())
            }
        }
        Some(value) => {
            let fits = kinds.iter().any(|kind| is_a(value, kind));
            fits || !kinds.contains(&"string") && argument.is_string == Some(false)
        }
    };
    match as_json {
        true => compact(trimmed).into_owned(),
        false => {
            // What is declared a string is taken to the letter.
            let text = match argument.is_string {
                Some(true) => &*argument.value,
                _ => trimmed,
            };
            Value::from(text).to_string()
        }
    }
}

/// The types that the schema allows for an argument; none if it does not say.
fn kinds<'a>(schema: Option<&'a Value>, name: &str) -> Vec<&'a str> {
    let declared = schema.and_then(|schema| schema.get("properties")?.get(name)?.get("type"));
    match declared {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "null" => value.is_null(),
        _ => false,
    }
}
