//! A JSON object whose fields keep their order and their spelling.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// One row.
#[derive(Debug)]
pub(super) struct InputRow {
    fields: Vec<(String, Box<RawValue>)>,
}

/// Why a row cannot be answered.
#[derive(Debug, thiserror::Error)]
pub(super) enum Wrong {
    /// It is not a JSON object.
    #[error("not a JSON object: {0}")]
    Json(String),
    /// A field is not there.
    #[error("the field {0:?} is missing")]
    Missing(&'static str),
    /// A field is something else than it should be.
    #[error("the field {0:?} must be {1}")]
    Type(&'static str, &'static str),
}

impl InputRow {
    pub(super) fn read(line: &[u8]) -> Result<Self, Wrong> {
        serde_json::from_slice(line).map_err(|error| Wrong::Json(describe(&error)))
    }

    fn raw(&self, field: &str) -> Option<&RawValue> {
        // As with every JSON reader, the last of two fields with one name wins.
        let (_, value) = self.fields.iter().rfind(|(name, _)| name == field)?;
        Some(value)
    }

    pub(super) fn value(&self, field: &'static str) -> Result<Option<Value>, Wrong> {
        self.raw(field)
            .map(|raw| {
                serde_json::from_str(raw.get()).map_err(|error| Wrong::Json(describe(&error)))
            })
            .transpose()
    }

    /// A text that must be there.
    pub(super) fn text(&self, field: &'static str) -> Result<String, Wrong> {
        let raw = self.raw(field).ok_or(Wrong::Missing(field))?;
        serde_json::from_str(raw.get()).map_err(|_| Wrong::Type(field, "a text"))
    }

    /// A list of texts.
    pub(super) fn texts(&self, field: &'static str) -> Result<Option<Vec<String>>, Wrong> {
        self.raw(field)
            .map(|raw| {
                serde_json::from_str(raw.get()).map_err(|_| Wrong::Type(field, "a list of texts"))
            })
            .transpose()
    }

    /// A number that is not negative.
    pub(super) fn number(&self, field: &'static str) -> Result<Option<u64>, Wrong> {
        self.raw(field)
            .filter(|raw| raw.get() != "null")
            .map(|raw| serde_json::from_str(raw.get()).map_err(|_| Wrong::Type(field, "a number")))
            .transpose()
    }

    /// Yes or no.
    pub(super) fn flag(&self, field: &'static str) -> Result<Option<bool>, Wrong> {
        self.raw(field)
            .filter(|raw| raw.get() != "null")
            .map(|raw| {
                serde_json::from_str(raw.get()).map_err(|_| Wrong::Type(field, "true or false"))
            })
            .transpose()
    }

    /// Removes all fields but one.
    pub(super) fn keep(&mut self, field: &str) {
        self.fields.retain(|(name, _)| name == field);
    }

    pub(super) fn remove(&mut self, field: &str) {
        self.fields.retain(|(name, _)| name != field);
    }

    /// Puts a field at the end.
    pub(super) fn set(&mut self, field: &str, value: &impl Serialize) -> Result<(), Wrong> {
        self.remove(field);
        let value = serde_json::value::to_raw_value(value)
            .map_err(|error| Wrong::Json(describe(&error)))?;
        self.fields.push((field.to_owned(), value));
        Ok(())
    }
}

/// The error without a line number: a row is one line.
fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => format!("{} (column {})", &text[..end], error.column()),
        None => text,
    }
}

impl<'de> Deserialize<'de> for InputRow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = InputRow;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<InputRow, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry::<String, Box<RawValue>>()? {
                    fields.push(field);
                }
                Ok(InputRow { fields })
            }

            fn visit_unit<E: Error>(self) -> Result<InputRow, E> {
                Err(E::custom("null"))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

impl Serialize for InputRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len()))?;
        for (name, value) in &self.fields {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
