//! Pictures that a card names, in whichever of the places programs put them.
//!
//! They are taken out of the card: a persona keeps them beside it, and an
//! export names them anew. What cannot be taken is counted.

use std::collections::HashMap;

use kaiwa_domain::{SPRITE_NAME_CHARS, SPRITE_USAGE_CHARS, SPRITES_PER_PERSONA};
use serde_json::{Map, Value};

use crate::character::OURS;
use crate::fields::{flag, object, text};
use crate::picture::{after_scheme, from_data_uri, is_picture};
use crate::text::one_line;
use crate::{CardSprite, LeftOut};

/// How many pictures beside the card are looked for.
const LOOKED_FOR: usize = SPRITES_PER_PERSONA + 8;

/// Addresses of what came with the card.
const WITHIN: [&str; 4] = ["data:", "embeded://", "embedded://", "__asset:"];

/// Stands for the picture that the card is in.
const ITSELF: &str = "ccdefault:";

/// Where RisuAI lists pictures in cards of version 2, and as what.
const RISU: [(&str, &str); 2] = [("emotions", "emotion"), ("additionalAssets", "other")];

/// How the names of pictures end as files.
const ENDINGS: [&str; 8] = ["apng", "avif", "bmp", "gif", "jpeg", "jpg", "png", "webp"];

/// Takes the pictures out of a card.
pub(crate) fn pictures(
    data: &mut Map<String, Value>,
    left_out: &mut Vec<LeftOut>,
    find: impl Fn(&str) -> Option<Vec<u8>>,
) -> (Option<Vec<u8>>, Vec<CardSprite>) {
    let ours = object(data, "extensions").and_then(|it| object(it, OURS));
    let described = ours.and_then(|it| it.get("sprites"));
    let described = described.and_then(Value::as_array).into_iter().flatten();
    let mut taken = Taken {
        described: described_by_name(described.filter_map(Value::as_object)),
        find,
        looked_for: 0,
        avatar: None,
        sprites: Vec::new(),
        missed: 0,
    };
    if let Some(Value::Array(assets)) = data.get_mut("assets") {
        assets.retain(|asset| {
            let asset = asset.as_object();
            let stays = |it| !taken.take(&text(it, "type"), &text(it, "name"), &text(it, "uri"));
            asset.is_none_or(stays)
        });
    }
    taken.take_risu(data);
    if taken.avatar.is_none() {
        // Older programs have it as text.
        let said = text(data, "avatar");
        let is_elsewhere = |scheme: &&str| after_scheme(said.trim(), scheme).is_some();
        taken.missed += usize::from(["https://", "http://"].iter().any(is_elsewhere));
        let avatar = from_data_uri(&said);
        taken.avatar = avatar.filter(|bytes| is_picture(bytes));
        if taken.avatar.is_some() {
            data.remove("avatar");
        }
    }
    if taken.missed > 0 {
        left_out.push(LeftOut::Pictures(taken.missed));
    }
    (taken.avatar, taken.sprites)
}

/// What Kaiwa wrote about a sprite.
#[derive(Default)]
struct Described {
    usage: String,
    is_identity: bool,
}

/// Of several with one name the first counts.
fn described_by_name<'a>(
    listed: impl Iterator<Item = &'a Map<String, Value>>,
) -> HashMap<String, Described> {
    let mut described = HashMap::new();
    for sprite in listed {
        described.entry(text(sprite, "name")).or_insert_with(|| {
            let usage = text(sprite, "usage");
            Described {
                usage: usage.chars().take(SPRITE_USAGE_CHARS).collect(),
                is_identity: flag(sprite, "is_identity") == Some(true),
            }
        });
    }
    described
}

/// What was taken out of a card.
struct Taken<F> {
    find: F,
    looked_for: usize,
    /// What Kaiwa wrote about sprites, by their names.
    described: HashMap<String, Described>,
    avatar: Option<Vec<u8>>,
    sprites: Vec<CardSprite>,
    missed: usize,
}

impl<F: Fn(&str) -> Option<Vec<u8>>> Taken<F> {
    /// Takes what an address leads to. Whether the card need not name it any
    /// more: it does if that is neither taken nor came with the card.
    fn take(&mut self, kind: &str, name: &str, uri: &str) -> bool {
        let uri = uri.trim();
        if uri.is_empty() || uri == ITSELF {
            return false;
        }
        let is_taken = match kind {
            "icon" if self.avatar.is_none() || name == "main" => {
                let before = self.avatar.take();
                let found = self.picture(uri);
                self.missed += usize::from(before.is_some() && found.is_some());
                let is_found = found.is_some();
                self.avatar = found.or(before);
                is_found
            }
            "emotion" => self.take_sprite(name, uri).is_some(),
            _ => false,
        };
        let is_within = WITHIN.iter().any(|it| after_scheme(uri, it).is_some());
        let is_wanted = matches!(kind, "icon" | "emotion");
        self.missed += usize::from(!is_taken && (is_within || is_wanted));
        is_taken || is_within
    }

    fn take_risu(&mut self, data: &mut Map<String, Value>) {
        let extensions = data.get_mut("extensions").and_then(Value::as_object_mut);
        let risu = extensions.and_then(|it| it.get_mut("risuai")?.as_object_mut());
        let Some(risu) = risu else {
            return;
        };
        for (list, kind) in RISU {
            let Some(Value::Array(pairs)) = risu.get_mut(list) else {
                continue;
            };
            let before = pairs.len();
            pairs.retain(|pair| {
                let said = |place| pair.get(place).and_then(Value::as_str);
                match (said(0), said(1)) {
                    (Some(name), Some(uri)) => !self.take(kind, name, uri),
                    _ => false,
                }
            });
            if pairs.is_empty() && before > 0 {
                risu.remove(list);
            }
        }
    }

    fn picture(&mut self, uri: &str) -> Option<Vec<u8>> {
        let bytes = match after_scheme(uri, "data:").is_some() {
            true => from_data_uri(uri),
            false if self.looked_for < LOOKED_FOR => {
                self.looked_for += 1;
                (self.find)(uri)
            }
            false => None,
        };
        bytes.filter(|bytes| is_picture(bytes))
    }

    /// Takes a sprite, if its name can be one and there is room.
    fn take_sprite(&mut self, name: &str, uri: &str) -> Option<()> {
        let name = one_line(&name.replace(['(', ')', '[', ']', ':', '：'], " "));
        let name = match self.described.contains_key(&name) {
            true => name,
            false => without_ending(&name).to_owned(),
        };
        let is_named_twice = |it: &CardSprite| it.name.to_lowercase() == name.to_lowercase();
        let fits = !name.is_empty()
            && name.chars().nth(SPRITE_NAME_CHARS).is_none()
            && self.sprites.len() < SPRITES_PER_PERSONA
            && !self.sprites.iter().any(is_named_twice);
        let picture = fits.then(|| self.picture(uri))??;
        let Described { usage, is_identity } = self.described.remove(&name).unwrap_or_default();
        self.sprites.push(CardSprite {
            name,
            usage,
            is_identity,
            picture,
        });
        Some(())
    }
}

/// The name of a picture that is named like its file.
fn without_ending(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.trim().is_empty() => {
            let is_ending = ENDINGS.iter().any(|it| ending.eq_ignore_ascii_case(it));
            if is_ending { stem.trim_end() } else { name }
        }
        _ => name,
    }
}
