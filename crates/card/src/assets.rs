//! Pictures that a card names.

use serde_json::{Map, Value};

use crate::character::OURS;
use crate::fields::{flag, object, text};
use crate::picture::{from_data_uri, is_picture};
use crate::{CardSprite, LeftOut};

/// Takes the pictures out of a card.
pub(crate) fn pictures(
    data: &mut Map<String, Value>,
    left_out: &mut Vec<LeftOut>,
    find: impl Fn(&str) -> Option<Vec<u8>>,
) -> (Option<Vec<u8>>, Vec<CardSprite>) {
    let ours = object(data, "extensions").and_then(|it| object(it, OURS));
    let described: Vec<Map<String, Value>> = ours
        .and_then(|it| it.get("sprites"))
        .and_then(Value::as_array)
        .map(|all| all.iter().filter_map(Value::as_object).cloned().collect())
        .unwrap_or_default();
    let mut avatar = None;
    let mut sprites: Vec<CardSprite> = Vec::new();
    let mut missing = 0;
    if let Some(Value::Array(assets)) = data.get_mut("assets") {
        assets.retain_mut(|asset| {
            let Some(asset) = asset.as_object_mut() else {
                return true;
            };
            let (kind, uri) = (text(asset, "type"), text(asset, "uri"));
            let (name, is_ours) = (text(asset, "name"), uri.starts_with("data:"));
            let bytes = from_data_uri(&uri).or_else(|| find(&uri));
            let bytes = bytes.filter(|bytes| is_picture(bytes));
            match (kind.as_str(), bytes) {
                ("icon", Some(bytes)) if avatar.is_none() || name == "main" => {
                    avatar = Some(bytes);
                    false
                }
                ("emotion", Some(bytes)) => match sprite(&name, bytes, &described, &sprites) {
                    Some(sprite) => {
                        sprites.push(sprite);
                        false
                    }
                    None => {
                        missing += 1;
                        !is_ours
                    }
                },
                // Nobody keeps other pictures for us.
                _ => !is_ours,
            }
        });
    }
    if avatar.is_none() {
        // Older programs have it as text.
        avatar = from_data_uri(&text(data, "avatar")).filter(|bytes| is_picture(bytes));
        if avatar.is_some() {
            data.remove("avatar");
        }
    }
    if missing > 0 {
        left_out.push(LeftOut::Pictures(missing));
    }
    (avatar, sprites)
}

/// A sprite, if its name can be one and there is room.
fn sprite(
    name: &str,
    picture: Vec<u8>,
    described: &[Map<String, Value>],
    before: &[CardSprite],
) -> Option<CardSprite> {
    let name: String = name.replace(['(', ')', '[', ']', ':', '：', '\n'], " ");
    let name: Vec<&str> = name.split_whitespace().collect();
    let name = name.join(" ");
    let is_taken = before
        .iter()
        .any(|it| it.name.to_lowercase() == name.to_lowercase());
    let fits = !name.is_empty()
        && name.chars().nth(kaiwa_domain::SPRITE_NAME_CHARS).is_none()
        && before.len() < kaiwa_domain::SPRITES_PER_PERSONA
        && !is_taken;
    let known = described.iter().find(|it| text(it, "name") == name);
    let usage = known.map(|it| text(it, "usage")).unwrap_or_default();
    fits.then(|| CardSprite {
        usage: usage
            .chars()
            .take(kaiwa_domain::SPRITE_USAGE_CHARS)
            .collect(),
        is_identity: known.is_some_and(|it| flag(it, "is_identity") == Some(true)),
        name,
        picture,
    })
}
