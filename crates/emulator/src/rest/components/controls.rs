//! Buttons, selects and what a modal asks for.

use serde_json::{Map, Value, json};

use super::{
    super::body::{Fields, snowflake},
    check::{ComponentPart, Surface},
    kind,
};
use crate::limits;

impl ComponentPart<'_> {
    pub(super) fn control(&mut self, of: u64, surface: Surface) {
        match of {
            kind::BUTTON => self.button(),
            kind::TEXT_INPUT => self.text_input(surface),
            kind::FILE_UPLOAD => {
                self.custom_id();
                self.values(0, 10);
                self.required();
            }
            kind::RADIO_GROUP => {
                self.custom_id();
                self.options(2, 10);
                self.required();
            }
            kind::CHECKBOX_GROUP => {
                self.custom_id();
                self.options(1, 10);
                self.values(0, 10);
                self.required();
            }
            kind::CHECKBOX => {
                self.custom_id();
                self.flag("default");
            }
            _ => self.select(of, surface),
        }
    }

    fn custom_id(&mut self) {
        self.text("custom_id", limits::CUSTOM_ID_CHARS, true);
    }

    fn required(&mut self) {
        self.keep("required", true);
        self.flag("required");
    }

    fn button(&mut self) {
        let style = self.fields.number("style").unwrap_or(0);
        if !(1..=6).contains(&style) {
            let (code, message) = if self.fields.get("style").is_some() {
                (
                    "BASE_TYPE_CHOICES",
                    "Value must be one of (1, 2, 3, 4, 5, 6).",
                )
            } else {
                ("BASE_TYPE_REQUIRED", "This field is required")
            };
            self.wrong("style", code, message);
            return;
        }
        self.keep("style", style);
        self.flag("disabled");
        let wrong: &[&str] = match style {
            5 => &["custom_id", "sku_id"],
            6 => &["custom_id", "url", "label", "emoji"],
            _ => &["url", "sku_id"],
        };
        for key in wrong {
            if self.fields.get(key).is_some() {
                self.wrong(
                    key,
                    "BUTTON_COMPONENT_FIELD_NOT_ALLOWED",
                    format!("A button of this style cannot have {key}"),
                );
            }
        }
        match style {
            5 => {
                let url = self.text("url", 512, true).unwrap_or_default();
                let known = ["http://", "https://", "discord://"];
                if !url.is_empty() && !known.iter().any(|it| url.starts_with(it)) {
                    self.wrong(
                        "url",
                        "URL_TYPE_INVALID_SCHEME",
                        "Scheme must be one of ('http', 'https', 'discord').",
                    );
                }
            }
            6 => match self.fields.id("sku_id") {
                Some(id) => self.keep("sku_id", json!(id)),
                None => self.wrong("sku_id", "BASE_TYPE_REQUIRED", "This field is required"),
            },
            _ => self.custom_id(),
        }
        if style == 6 {
            return;
        }
        let label = self.text("label", 80, false).unwrap_or_default();
        let emoji = self.emoji();
        if label.is_empty() && !emoji {
            self.wrong(
                "label",
                "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED",
                "A button must have a label or an emoji",
            );
        }
    }

    fn emoji(&mut self) -> bool {
        let Some(map) = self.fields.object("emoji") else {
            return false;
        };
        self.keep("emoji", emoji(map));
        true
    }

    fn text_input(&mut self, surface: Surface) {
        self.custom_id();
        let style = self.fields.number("style").unwrap_or(0);
        if !(1..=2).contains(&style) {
            self.wrong("style", "BASE_TYPE_CHOICES", "Value must be one of (1, 2).");
        }
        self.keep("style", style);
        // Inside of a label, that has the text.
        let labelled = surface == Surface::Modal && !self.path.ends_with(".component");
        self.text("label", 45, labelled);
        let least = self.number("min_length", 0, limits::TEXT_INPUT_CHARS);
        let most = self.number("max_length", 1, limits::TEXT_INPUT_CHARS);
        if least.zip(most).is_some_and(|(least, most)| least > most) {
            self.wrong(
                "min_length",
                "NUMBER_TYPE_MAX",
                "min_length cannot be larger than max_length",
            );
        }
        self.required();
        let chars = usize::try_from(limits::TEXT_INPUT_CHARS).unwrap_or(usize::MAX);
        self.text("value", chars, false);
        self.text("placeholder", 100, false);
    }

    fn select(&mut self, of: u64, surface: Surface) {
        self.custom_id();
        self.text("placeholder", 150, false);
        self.values(0, 25);
        if surface == Surface::Modal {
            self.required();
        } else {
            self.flag("disabled");
        }
        if of == kind::STRING_SELECT {
            self.options(1, 25);
            return;
        }
        if of == kind::CHANNEL_SELECT
            && let Some(list) = self.fields.list("channel_types")
        {
            let known = |it: &Value| matches!(it.as_u64(), Some(0..=5 | 10..=16));
            if !list.iter().all(known) {
                self.wrong(
                    "channel_types",
                    "BASE_TYPE_CHOICES",
                    "Value must be a channel type.",
                );
            }
            self.keep("channel_types", list.to_vec());
        }
        self.default_values(of);
    }

    /// The least and the most that may be chosen.
    fn values(&mut self, least: u64, most: u64) {
        let min = self.number("min_values", least, most);
        let max = self.number("max_values", 1, most);
        if min.unwrap_or(1) > max.unwrap_or(1).max(1) {
            self.wrong(
                "min_values",
                "NUMBER_TYPE_MAX",
                "min_values cannot be larger than max_values",
            );
        }
    }

    fn options(&mut self, least: usize, most: usize) {
        let list = self.fields.list("options").unwrap_or_default();
        if !(least..=most).contains(&list.len()) {
            let message = format!("Must be between {least} and {most} in length.");
            self.wrong("options", "BASE_TYPE_BAD_LENGTH", message);
            return;
        }
        let mut kept: Vec<Value> = Vec::new();
        for (index, value) in list.iter().enumerate() {
            let path = format!("{}.options.{index}", self.path);
            let Some(map) = self.fields.problems.object(&path, value) else {
                continue;
            };
            let mut option = ComponentPart {
                fields: Fields::new(map, &path),
                path,
                kept: Map::new(),
            };
            option.text("label", 100, true);
            let value = option.text("value", 100, true);
            option.text("description", 100, false);
            option.flag("default");
            option.emoji();
            if value.is_some_and(|value| kept.iter().any(|it| it["value"] == value)) {
                option.wrong(
                    "value",
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                );
            }
            self.fields.problems.merge(option.fields.problems);
            kept.push(Value::Object(option.kept));
        }
        let chosen = kept.iter().filter(|it| it["default"] == true).count() as u64;
        let max = self.kept.get("max_values").and_then(Value::as_u64);
        let max = max.unwrap_or(if self.kept["type"] == kind::CHECKBOX_GROUP {
            most as u64
        } else {
            1
        });
        if chosen > max {
            self.wrong(
                "options",
                "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES",
                "The number of default values exceeds max_values",
            );
        }
        self.keep("options", kept);
    }

    fn default_values(&mut self, of: u64) {
        let Some(list) = self.fields.list("default_values") else {
            return;
        };
        let allowed: &[&str] = match of {
            kind::USER_SELECT => &["user"],
            kind::ROLE_SELECT => &["role"],
            kind::MENTIONABLE_SELECT => &["user", "role"],
            _ => &["channel"],
        };
        let fits = |it: &Value| {
            let named = it.get("type").and_then(Value::as_str);
            it.get("id").and_then(snowflake).is_some()
                && named.is_some_and(|named| allowed.contains(&named))
        };
        if list.len() > 25 || !list.iter().all(fits) {
            self.wrong(
                "default_values",
                "SELECT_DEFAULT_VALUES_INVALID",
                "Default values are ids of what the select offers",
            );
        }
        self.keep("default_values", list.to_vec());
    }
}

/// What is shown of an emoji.
fn emoji(map: &Map<String, Value>) -> Value {
    let mut kept = Map::new();
    for key in ["id", "name", "animated"] {
        if let Some(value) = map.get(key).filter(|value| !value.is_null()) {
            kept.insert(key.to_owned(), value.clone());
        }
    }
    Value::Object(kept)
}
