//! Components of messages and modals: checked within Discord's rules, given
//! ids, and echoed. Discord Docs/Components, Component Reference.

mod check;
mod controls;
mod media;

use serde_json::Value;

use super::{body::Fields, embeds::check_size, error::Problems};
use crate::limits;
use check::{Checker, Surface};
pub(super) use media::link_attachments;

pub(super) const COMPONENTS_V2: u64 = 1 << 15;

/// Discord Docs/Components, Component Types.
pub(super) mod kind {
    pub(in crate::rest) const ROW: u64 = 1;
    pub(in crate::rest) const BUTTON: u64 = 2;
    pub(in crate::rest) const STRING_SELECT: u64 = 3;
    pub(in crate::rest) const TEXT_INPUT: u64 = 4;
    pub(in crate::rest) const USER_SELECT: u64 = 5;
    pub(in crate::rest) const ROLE_SELECT: u64 = 6;
    pub(in crate::rest) const MENTIONABLE_SELECT: u64 = 7;
    pub(in crate::rest) const CHANNEL_SELECT: u64 = 8;
    pub(in crate::rest) const SECTION: u64 = 9;
    pub(in crate::rest) const TEXT: u64 = 10;
    pub(in crate::rest) const THUMBNAIL: u64 = 11;
    pub(in crate::rest) const GALLERY: u64 = 12;
    pub(in crate::rest) const FILE: u64 = 13;
    pub(in crate::rest) const SEPARATOR: u64 = 14;
    pub(in crate::rest) const CONTAINER: u64 = 17;
    pub(in crate::rest) const LABEL: u64 = 18;
    pub(in crate::rest) const FILE_UPLOAD: u64 = 19;
    pub(in crate::rest) const RADIO_GROUP: u64 = 21;
    pub(in crate::rest) const CHECKBOX_GROUP: u64 = 22;
    pub(in crate::rest) const CHECKBOX: u64 = 23;
}

/// The `components` of a message.
pub(super) fn of_message(body: &mut Fields<'_>, flags: u64) -> Option<Vec<Value>> {
    let list = body.list("components")?;
    check_size(body, "components", list);
    let v2 = flags & COMPONENTS_V2 != 0;
    let (surface, most) = if v2 {
        (Surface::Layout, limits::COMPONENTS)
    } else {
        (Surface::Rows, limits::ACTION_ROWS)
    };
    if list.len() > most {
        body.too_long("components", most);
        return None;
    }
    Some(Checker::run(surface, list, &mut body.problems))
}

/// The components of a modal.
pub(super) fn of_modal(problems: &mut Problems, list: &[Value]) -> Vec<Value> {
    if !(1..=limits::MODAL_COMPONENTS).contains(&list.len()) {
        problems.add(
            "components",
            "BASE_TYPE_BAD_LENGTH",
            "Must be between 1 and 5 in length.",
        );
        return Vec::new();
    }
    let bytes: usize = list.iter().map(|value| value.to_string().len()).sum();
    if bytes > limits::STRUCTURED_BYTES {
        problems.too_long("components", limits::STRUCTURED_BYTES);
        return Vec::new();
    }
    Checker::run(Surface::Modal, list, problems)
}

/// Every component, those inside of others after them.
pub(super) fn walk(list: &[Value]) -> Vec<&Value> {
    let mut found = Vec::new();
    for component in list {
        found.push(component);
        if let Some(Value::Array(inner)) = component.get("components") {
            found.extend(walk(inner));
        }
        for key in ["component", "accessory"] {
            if let Some(inner) = component.get(key) {
                found.extend(walk(std::slice::from_ref(inner)));
            }
        }
    }
    found
}

/// The component that a person used.
pub(super) fn with_custom_id<'a>(list: &'a [Value], custom_id: &str) -> Option<&'a Value> {
    walk(list)
        .into_iter()
        .find(|it| it.get("custom_id").and_then(Value::as_str) == Some(custom_id))
}

/// Whether using any of them would need a bot to answer.
pub(super) fn interactive(list: &[Value]) -> bool {
    walk(list)
        .into_iter()
        .any(|it| it.get("custom_id").is_some())
}
