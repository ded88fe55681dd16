//! Request bodies: JSON alone, a form, or a form with files.

use std::ops::RangeInclusive;

use axum::{
    body::{self, Bytes},
    http::Method,
};
use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use serde_json::{Map, Value};

use super::{ApiError, error::Problems, multipart, route::decode};
use crate::{limits, snowflake::Snowflake};

/// The JSON object of a request, and the files that came with it.
#[derive(Debug, Default)]
pub(super) struct ParsedBody {
    pub(super) json: Map<String, Value>,
    /// Instead of an object, where a route takes one.
    pub(super) list: Option<Vec<Value>>,
    pub(super) files: Vec<Upload>,
}

#[derive(Debug)]
pub(super) struct Upload {
    /// The `n` of `files[n]`.
    pub(super) number: u64,
    pub(super) name: String,
    pub(super) bytes: Bytes,
}

impl ParsedBody {
    pub(super) async fn read(
        method: &Method,
        content_type: Option<&str>,
        body: body::Body,
    ) -> Result<Self, ApiError> {
        if !matches!(*method, Method::POST | Method::PATCH | Method::PUT) {
            drain(body).await;
            return Ok(Self::default());
        }
        let boundary = content_type.and_then(multipart::boundary);
        let most = if boundary.is_some() {
            limits::MULTIPART_BYTES
        } else {
            limits::JSON_BYTES
        };
        let bytes = body::to_bytes(body, most)
            .await
            .map_err(|_| ApiError::TooLarge)?;
        match boundary {
            Some(boundary) => Self::from_parts(&bytes, &boundary),
            None if bytes.iter().all(u8::is_ascii_whitespace) => Ok(Self::default()),
            None if content_type.is_some_and(is_form) => Self::from_form(&bytes),
            None => Self::from_json(&bytes),
        }
    }

    fn from_json(bytes: &[u8]) -> Result<Self, ApiError> {
        match serde_json::from_slice(bytes) {
            Ok(Value::Array(list)) => Ok(Self {
                list: Some(list),
                ..Self::default()
            }),
            _ => Ok(Self {
                json: object(bytes)?,
                ..Self::default()
            }),
        }
    }

    /// Refuses a list where an object is needed.
    pub(super) fn unless_list(self, allowed: bool) -> Result<Self, ApiError> {
        if self.list.is_some() && !allowed {
            return Err(not_an_object());
        }
        Ok(self)
    }

    /// A field of a form stands for one of an object, unless it holds a whole
    /// object, which counts more.
    fn take_field(&mut self, name: String, value: &[u8]) -> Result<(), ApiError> {
        if name == "payload_json" {
            self.json.extend(object(value)?);
        } else {
            let text = String::from_utf8_lossy(value);
            self.json.entry(name).or_insert_with(|| text.into());
        }
        Ok(())
    }

    fn from_form(bytes: &[u8]) -> Result<Self, ApiError> {
        let text = std::str::from_utf8(bytes).map_err(|_| ApiError::InvalidJson)?;
        let plain = |text: &str| decode(&text.replace('+', " ")).ok_or(ApiError::InvalidJson);
        let mut read = Self::default();
        for pair in text.trim().split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            read.take_field(plain(name)?, plain(value)?.as_bytes())?;
        }
        Ok(read)
    }

    fn from_parts(bytes: &[u8], boundary: &str) -> Result<Self, ApiError> {
        let mut read = Self::default();
        for part in multipart::parts(bytes, boundary).ok_or(ApiError::InvalidJson)? {
            let Some(filename) = part.filename else {
                read.take_field(part.name, part.bytes)?;
                continue;
            };
            let inside = part
                .name
                .strip_prefix("files[")
                .and_then(|rest| rest.strip_suffix(']'));
            let number = inside
                .and_then(|number| number.parse().ok())
                .unwrap_or(read.files.len() as u64);
            if part.bytes.len() > limits::FILE_BYTES {
                return Err(ApiError::TooLarge);
            }
            read.files.push(Upload {
                number,
                name: filename,
                bytes: Bytes::copy_from_slice(part.bytes),
            });
        }
        if read.files.len() > limits::FILES_PER_MESSAGE {
            return Err(Problems::one(
                "attachments",
                "BASE_TYPE_MAX_LENGTH",
                "Must be 10 or fewer in length.",
            ));
        }
        Ok(read)
    }
}

/// Takes in a body that nobody wants: a client that is cut off while it still
/// sends may never read the answer.
pub(super) async fn drain(body: body::Body) {
    // What is longer than any request may be is cut off.
    let _ = body::to_bytes(body, limits::MULTIPART_BYTES + limits::JSON_BYTES).await;
}

fn is_form(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default();
    kind.trim()
        .eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

fn object(bytes: &[u8]) -> Result<Map<String, Value>, ApiError> {
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(not_an_object()),
        Err(_) => Err(ApiError::InvalidJson),
    }
}

fn not_an_object() -> ApiError {
    Problems::one(
        "",
        "DICT_TYPE_CONVERT",
        "Only dictionaries may be used in a DictType",
    )
}

/// Reads an object's fields and notes what is wrong with them. Absent and
/// null are the same.
pub(super) struct Fields<'a> {
    map: &'a Map<String, Value>,
    path: String,
    pub(super) problems: Problems,
}

impl<'a> Fields<'a> {
    pub(super) fn new(map: &'a Map<String, Value>, path: &str) -> Self {
        Self {
            map,
            path: path.to_owned(),
            problems: Problems::default(),
        }
    }

    /// Whether the key is there, even as null.
    pub(super) fn names(&self, key: &str) -> bool {
        self.map.contains_key(key)
    }

    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    pub(super) fn wrong(&mut self, key: &str, code: &str, message: &str) {
        let path = format!("{}.{key}", self.path);
        self.problems.add(&path, code, message);
    }

    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        match self.get(key)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            other => {
                let message = format!("Could not interpret \"{other}\" as string.");
                self.wrong(key, "STRING_TYPE_CONVERT", &message);
                None
            }
        }
    }

    pub(super) fn flag(&mut self, key: &str) -> Option<bool> {
        let flag = match self.get(key)? {
            Value::Bool(flag) => Some(*flag),
            // Forms have nothing but text.
            Value::String(text) => match text.to_ascii_lowercase().as_str() {
                "true" | "1" => Some(true),
                "false" | "0" => Some(false),
                _ => None,
            },
            Value::Number(number) => match number.as_u64() {
                Some(1) => Some(true),
                Some(0) => Some(false),
                _ => None,
            },
            _ => None,
        };
        if flag.is_none() {
            self.wrong(key, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.");
        }
        flag
    }

    pub(super) fn number(&mut self, key: &str) -> Option<u64> {
        let value = self.get(key)?;
        // discord.py writes some whole numbers as floats.
        let whole = || {
            let float = value.as_f64().filter(|float| float.fract() == 0.0)?;
            (0.0..=9_007_199_254_740_992.0)
                .contains(&float)
                .then_some(float as u64)
        };
        let number = value
            .as_u64()
            .or_else(|| value.as_str()?.parse().ok())
            .or_else(whole);
        if number.is_none() {
            self.wrong(
                key,
                "NUMBER_TYPE_COERCE",
                &format!("Value \"{value}\" is not int."),
            );
        }
        number
    }

    pub(super) fn id(&mut self, key: &str) -> Option<Snowflake> {
        let value = self.get(key)?;
        let id = snowflake(value);
        if id.is_none() {
            self.wrong(
                key,
                "NUMBER_TYPE_COERCE",
                &format!("Value \"{value}\" is not snowflake."),
            );
        }
        id
    }

    /// A moment, as ISO 8601 writes it.
    pub(super) fn time(&mut self, key: &str) -> Option<Timestamp> {
        let text = self.text(key)?;
        // Without an offset it is taken for UTC.
        let plain = || {
            let plain: DateTime = text.parse().ok()?;
            Some(plain.to_zoned(TimeZone::UTC).ok()?.timestamp())
        };
        let time = text.parse().ok().or_else(plain);
        if time.is_none() {
            let message = format!("Could not parse {text}. Should be ISO8601.");
            self.wrong(key, "DATE_TIME_TYPE_PARSE", &message);
        }
        time
    }

    pub(super) fn list(&mut self, key: &str) -> Option<&'a [Value]> {
        match self.get(key)? {
            Value::Array(list) => Some(list),
            _ => {
                self.wrong(
                    key,
                    "LIST_TYPE_CONVERT",
                    "Only iterables may be used in a ListType",
                );
                None
            }
        }
    }

    pub(super) fn object(&mut self, key: &str) -> Option<&'a Map<String, Value>> {
        match self.get(key)? {
            Value::Object(map) => Some(map),
            _ => {
                self.wrong(
                    key,
                    "DICT_TYPE_CONVERT",
                    "Only dictionaries may be used in a DictType",
                );
                None
            }
        }
    }

    /// Ids of a list, of which there may be so many.
    pub(super) fn ids(&mut self, key: &str, most: usize) -> Option<Vec<Snowflake>> {
        let list = self.list(key)?;
        if list.len() > most {
            self.wrong(
                key,
                "BASE_TYPE_BAD_LENGTH",
                &format!("Must be {most} or fewer in length."),
            );
            return None;
        }
        let mut ids = Vec::new();
        for (index, value) in list.iter().enumerate() {
            match snowflake(value) {
                Some(id) if ids.contains(&id) => {
                    self.wrong(
                        key,
                        "SET_TYPE_ALREADY_CONTAINS_VALUE",
                        "The set already contains this value.",
                    );
                }
                Some(id) => ids.push(id),
                None => {
                    let message = format!("Value \"{value}\" is not snowflake.");
                    self.wrong(&format!("{key}.{index}"), "NUMBER_TYPE_COERCE", &message);
                }
            }
        }
        Some(ids)
    }

    /// A number of a range.
    pub(super) fn within(&mut self, key: &str, range: RangeInclusive<u64>) -> Option<u64> {
        let number = self.number(key)?;
        let (least, most) = range.into_inner();
        let (code, message) = if number > most {
            let message = format!("int value should be less than or equal to {most}.");
            ("NUMBER_TYPE_MAX", message)
        } else if number < least {
            let message = format!("int value should be greater than or equal to {least}.");
            ("NUMBER_TYPE_MIN", message)
        } else {
            return Some(number);
        };
        self.wrong(key, code, &message);
        None
    }

    /// A text with so many characters.
    pub(super) fn sized(&mut self, key: &str, range: RangeInclusive<usize>) -> Option<String> {
        let text = self.text(key)?;
        if range.contains(&text.chars().count()) {
            return Some(text);
        }
        let (least, most) = range.into_inner();
        let message = format!("Must be between {least} and {most} in length.");
        self.wrong(key, "BASE_TYPE_BAD_LENGTH", &message);
        None
    }

    /// Notes a key that has to be there.
    pub(super) fn require(&mut self, key: &str) {
        if self.get(key).is_none() {
            self.wrong(key, "BASE_TYPE_REQUIRED", "This field is required");
        }
    }

    pub(super) fn too_long(&mut self, key: &str, most: usize) {
        let path = format!("{}.{key}", self.path);
        self.problems.too_long(&path, most);
    }
}

pub(super) fn snowflake(value: &Value) -> Option<Snowflake> {
    match value {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => number.as_u64().filter(|id| *id > 0).map(Snowflake),
        _ => None,
    }
}
