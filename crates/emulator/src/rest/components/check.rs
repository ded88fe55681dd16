//! The layout: what may hold what, how many, and their ids.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{
    super::{body::Fields, error::Problems},
    kind,
};
use crate::limits;

/// Where components stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surface {
    /// A message of the older form: action rows alone.
    Rows,
    /// A message that is made of components.
    Layout,
    Modal,
}

const CONTROLS: &[u64] = &[
    kind::BUTTON,
    kind::STRING_SELECT,
    kind::USER_SELECT,
    kind::ROLE_SELECT,
    kind::MENTIONABLE_SELECT,
    kind::CHANNEL_SELECT,
];
const BLOCKS: &[u64] = &[
    kind::ROW,
    kind::SECTION,
    kind::TEXT,
    kind::GALLERY,
    kind::FILE,
    kind::SEPARATOR,
];
const LAYOUT: &[u64] = &[
    kind::ROW,
    kind::SECTION,
    kind::TEXT,
    kind::GALLERY,
    kind::FILE,
    kind::SEPARATOR,
    kind::CONTAINER,
];
const LABELLED: &[u64] = &[
    kind::STRING_SELECT,
    kind::TEXT_INPUT,
    kind::USER_SELECT,
    kind::ROLE_SELECT,
    kind::MENTIONABLE_SELECT,
    kind::CHANNEL_SELECT,
    kind::FILE_UPLOAD,
    kind::RADIO_GROUP,
    kind::CHECKBOX_GROUP,
    kind::CHECKBOX,
];

impl Surface {
    fn top(self) -> &'static [u64] {
        match self {
            Self::Rows => &[kind::ROW],
            Self::Layout => LAYOUT,
            Self::Modal => &[kind::ROW, kind::TEXT, kind::LABEL],
        }
    }
}

/// Reads a tree of components and notes what is wrong with it.
pub(super) struct Checker<'p> {
    pub(super) problems: &'p mut Problems,
    surface: Surface,
    ids: BTreeSet<u64>,
    custom_ids: BTreeSet<String>,
    count: usize,
    chars: usize,
}

/// One component as it is read: its fields, and what is kept of them.
pub(super) struct ComponentPart<'a> {
    pub(super) fields: Fields<'a>,
    pub(super) path: String,
    pub(super) kept: Map<String, Value>,
}

impl ComponentPart<'_> {
    pub(super) fn wrong(&mut self, key: &str, code: &str, message: impl Into<String>) {
        let path = format!("{}.{key}", self.path);
        self.fields.problems.add(&path, code, message);
    }

    pub(super) fn keep(&mut self, key: &str, value: impl Into<Value>) {
        self.kept.insert(key.to_owned(), value.into());
    }

    /// Keeps a text of so many characters; the least is one if it must be
    /// there.
    pub(super) fn text(&mut self, key: &str, most: usize, required: bool) -> Option<String> {
        let text = self.fields.text(key);
        if text.is_none() && required && self.fields.get(key).is_none() {
            self.wrong(key, "BASE_TYPE_REQUIRED", "This field is required");
        }
        let text = text?;
        let least = usize::from(required);
        if !(least..=most).contains(&text.chars().count()) {
            let message = format!("Must be between {least} and {most} in length.");
            self.wrong(key, "BASE_TYPE_BAD_LENGTH", message);
        }
        self.keep(key, text.clone());
        Some(text)
    }

    /// Keeps a number within bounds.
    pub(super) fn number(&mut self, key: &str, least: u64, most: u64) -> Option<u64> {
        let number = self.fields.number(key)?;
        if number < least {
            let message = format!("int value should be greater than or equal to {least}.");
            self.wrong(key, "NUMBER_TYPE_MIN", message);
        } else if number > most {
            let message = format!("int value should be less than or equal to {most}.");
            self.wrong(key, "NUMBER_TYPE_MAX", message);
        }
        self.keep(key, number);
        Some(number)
    }

    pub(super) fn flag(&mut self, key: &str) -> Option<bool> {
        let flag = self.fields.flag(key)?;
        self.keep(key, flag);
        Some(flag)
    }
}

impl<'p> Checker<'p> {
    /// Checks components and gives ids to those that have none.
    pub(super) fn run(surface: Surface, list: &[Value], problems: &'p mut Problems) -> Vec<Value> {
        let mut checker = Self {
            problems,
            surface,
            ids: BTreeSet::new(),
            custom_ids: BTreeSet::new(),
            count: 0,
            chars: 0,
        };
        let mut kept = checker.list(list, "components", surface.top());
        if checker.count > limits::COMPONENTS {
            checker.problems.add(
                "components",
                "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                "The total number of components cannot exceed 40",
            );
        }
        if checker.chars > limits::COMPONENT_TEXT_CHARS {
            checker.problems.add(
                "components",
                "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                "The total displayable text size cannot exceed 4000",
            );
        }
        let mut next = 1;
        for component in &mut kept {
            number(component, &checker.ids, &mut next);
        }
        kept
    }

    fn list(&mut self, list: &[Value], path: &str, allowed: &[u64]) -> Vec<Value> {
        let mut kept = Vec::new();
        for (index, value) in list.iter().enumerate() {
            kept.extend(self.component(value, &format!("{path}.{index}"), allowed));
        }
        kept
    }

    fn component(&mut self, value: &Value, path: &str, allowed: &[u64]) -> Option<Value> {
        self.count += 1;
        let map = self.problems.object(path, value)?;
        let mut part = ComponentPart {
            fields: Fields::new(map, path),
            path: path.to_owned(),
            kept: Map::new(),
        };
        let kind = part.fields.number("type").unwrap_or(0);
        if !allowed.contains(&kind) {
            let names: Vec<String> = allowed.iter().map(u64::to_string).collect();
            let names = names.join(", ");
            let message = format!("Value of field \"type\" must be one of ({names}).");
            self.problems.add(path, "UNION_TYPE_CHOICES", message);
            return None;
        }
        part.keep("type", kind);
        if let Some(id) = part.number("id", 0, i32::MAX as u64) {
            if id == 0 {
                part.kept.remove("id");
            } else if !self.ids.insert(id) {
                part.wrong(
                    "id",
                    "COMPONENT_ID_DUPLICATED",
                    "Component id cannot be duplicated",
                );
            }
        }
        match kind {
            kind::ROW => self.row(&mut part),
            kind::SECTION => self.section(&mut part),
            kind::CONTAINER => self.container(&mut part),
            kind::LABEL => self.label(&mut part),
            kind::TEXT => {
                let text = part.text("content", limits::COMPONENT_TEXT_CHARS, true);
                self.chars += text.map_or(0, |text| text.chars().count());
            }
            kind::THUMBNAIL => part.media("media", true),
            kind::GALLERY => part.gallery(),
            kind::FILE => part.media("file", false),
            kind::SEPARATOR => part.separator(),
            _ => part.control(kind, self.surface),
        }
        let custom_id = part.kept.get("custom_id").and_then(Value::as_str);
        if let Some(custom_id) = custom_id.map(str::to_owned)
            && !self.custom_ids.insert(custom_id)
        {
            part.wrong(
                "custom_id",
                "COMPONENT_CUSTOM_ID_DUPLICATED",
                "Component custom id cannot be duplicated",
            );
        }
        self.problems.merge(part.fields.problems);
        Some(Value::Object(part.kept))
    }

    /// Reads the components inside of another one.
    fn inside(&mut self, part: &mut ComponentPart<'_>, most: usize, allowed: &[u64]) -> Vec<Value> {
        let list = part.fields.list("components").unwrap_or_default();
        if !(1..=most).contains(&list.len()) {
            let message = format!("Must be between 1 and {most} in length.");
            part.wrong("components", "BASE_TYPE_BAD_LENGTH", message);
            return Vec::new();
        }
        self.list(list, &format!("{}.components", part.path), allowed)
    }

    /// Up to five buttons, or one of anything else.
    fn row(&mut self, part: &mut ComponentPart<'_>) {
        let allowed = match self.surface {
            Surface::Modal => &[kind::TEXT_INPUT][..],
            _ => CONTROLS,
        };
        let inner = self.inside(part, 5, allowed);
        let wide = inner.iter().any(|it| it["type"] != kind::BUTTON);
        if wide && inner.len() > 1 {
            part.wrong(
                "components",
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "The specified component exceeds the maximum width",
            );
        }
        part.keep("components", inner);
    }

    fn section(&mut self, part: &mut ComponentPart<'_>) {
        let inner = self.inside(part, 3, &[kind::TEXT]);
        part.keep("components", inner);
        let path = format!("{}.accessory", part.path);
        let allowed = [kind::BUTTON, kind::THUMBNAIL];
        match part.fields.get("accessory") {
            Some(value) => {
                let accessory = self.component(value, &path, &allowed);
                part.keep("accessory", accessory.unwrap_or_default());
            }
            None => part.wrong("accessory", "BASE_TYPE_REQUIRED", "This field is required"),
        }
    }

    fn container(&mut self, part: &mut ComponentPart<'_>) {
        let inner = self.inside(part, limits::COMPONENTS, BLOCKS);
        part.keep("components", inner);
        part.keep("accent_color", Value::Null);
        part.keep("spoiler", false);
        part.number("accent_color", 0, 0xff_ff_ff);
        part.flag("spoiler");
    }

    fn label(&mut self, part: &mut ComponentPart<'_>) {
        part.text("label", 45, true);
        part.text("description", 100, false);
        let path = format!("{}.component", part.path);
        match part.fields.get("component") {
            Some(value) => {
                let inner = self.component(value, &path, LABELLED);
                part.keep("component", inner.unwrap_or_default());
            }
            None => part.wrong("component", "BASE_TYPE_REQUIRED", "This field is required"),
        }
    }
}

/// Gives ids in the order of the tree, past those that were chosen.
fn number(component: &mut Value, taken: &BTreeSet<u64>, next: &mut u64) {
    if component.get("id").is_none() && component.is_object() {
        while taken.contains(next) {
            *next += 1;
        }
        component["id"] = json!(*next);
        *next += 1;
    }
    if let Some(inner) = component
        .get_mut("components")
        .and_then(Value::as_array_mut)
    {
        for component in inner {
            number(component, taken, next);
        }
    }
    for key in ["component", "accessory"] {
        if let Some(inner) = component.get_mut(key) {
            number(inner, taken, next);
        }
    }
}
