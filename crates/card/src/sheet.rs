//! Kaiwa's own format: everything, and easily edited.

use std::collections::HashMap;

use kaiwa_domain::{LoreEntry, Persona, PictureId};
use serde::{Deserialize, Serialize};

use crate::picture::{from_data_uri, to_data_uri};
use crate::{CardError, CardSprite, CharacterCard};

/// A persona as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CardSheet {
    name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    personality: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    triggers: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    degree: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    dialogues: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    greetings: Vec<String>,
    /// A picture as a `data:` address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    avatar: Option<String>,
    /// The JSON of the card that it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    card: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lore: Vec<LoreSheet>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sprites: Vec<SpriteSheet>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LoreSheet {
    #[serde(default)]
    keys: Vec<String>,
    text: String,
    #[serde(default)]
    always: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpriteSheet {
    name: String,
    #[serde(default)]
    usage: String,
    #[serde(default)]
    is_identity: bool,
    /// A picture as a `data:` address.
    picture: String,
}

/// The first line that is no remark.
fn first_line(source: &str) -> Option<&str> {
    let mut lines = source.lines().map(str::trim);
    lines.find(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Whether a text begins as TOML does.
pub(crate) fn is_toml(source: &str) -> bool {
    first_line(source).is_some_and(|line| line.contains('='))
}

/// Whether a text begins as YAML does, in which some programs write characters.
pub(crate) fn is_yaml(source: &str) -> bool {
    first_line(source).is_some_and(|line| {
        let key = line.split_once(':').map(|(key, _)| key.trim());
        let is_word = |key: &str| {
            let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
            !key.is_empty() && key.chars().all(is_letter)
        };
        line == "---" || key.is_some_and(is_word)
    })
}

/// How many letters may stand outside of texts and remarks: the largest
/// persona has a fifth of that.
const SIGNS: usize = 512 << 10;

/// Refuses TOML with too many values, before any of them takes room.
fn check_signs(source: &str) -> Result<(), CardError> {
    let mut signs = 0;
    let mut rest = source;
    while let Some(at) = rest.find(['"', '\'', '#']) {
        let begins = &rest[at..];
        let long = ["\"\"\"", "'''"];
        let long = long.into_iter().find(|it| begins.starts_with(it));
        let mark = long.unwrap_or(&begins[..1]);
        signs += at + 2 * mark.len();
        rest = text_end(&begins[mark.len()..], mark);
    }
    match signs + rest.len() > SIGNS {
        true => Err(CardError::TooManyValues),
        false => Ok(()),
    }
}

/// What follows a text that begins with this mark, or a remark.
fn text_end<'a>(text: &'a str, mark: &str) -> &'a str {
    let has_escapes = mark.starts_with('"');
    let mut rest = text;
    loop {
        let stops = |c: char| match mark {
            "#" => c == '\n',
            _ => mark.starts_with(c) || c == '\\' && has_escapes || c == '\n' && mark.len() == 1,
        };
        let Some(at) = rest.find(stops) else {
            return "";
        };
        let found = &rest[at..];
        if let Some(escaped) = found.strip_prefix('\\') {
            rest = escaped.strip_prefix(['"', '\\']).unwrap_or(escaped);
        } else if let Some(after) = found.strip_prefix(mark) {
            return after;
        } else if mark.len() == 1 {
            return found;
        } else {
            rest = &found[1..];
        }
    }
}

/// Reads it. What is unknown is a mistake: people write this by hand.
pub(crate) fn read(source: &str) -> Result<CharacterCard, CardError> {
    check_signs(source)?;
    let sheet: CardSheet = toml::from_str(source).map_err(|error| {
        let words = error.message().lines().next().unwrap_or_default();
        let before = error
            .span()
            .map(|span| &source[..span.start.min(source.len())]);
        let line = before.map(|before| before.lines().count().max(1));
        CardError::damaged(match line {
            Some(line) => format!("line {line}: {words}"),
            None => words.to_owned(),
        })
    })?;
    let picture = |uri: &str| {
        from_data_uri(uri).ok_or_else(|| CardError::damaged("a picture is no data: address"))
    };
    let sprites = sheet.sprites.into_iter().map(|sprite| {
        Ok(CardSprite {
            picture: picture(&sprite.picture)?,
            name: sprite.name,
            usage: sprite.usage,
            is_identity: sprite.is_identity,
        })
    });
    let lore = sheet.lore.into_iter().map(|entry| LoreEntry {
        keys: entry.keys,
        text: entry.text,
        always: entry.always,
    });
    Ok(CharacterCard {
        avatar: sheet.avatar.as_deref().map(picture).transpose()?,
        sprites: sprites.collect::<Result<_, CardError>>()?,
        left_out: Vec::new(),
        persona: Persona {
            name: sheet.name,
            personality: sheet.personality,
            triggers: sheet.triggers,
            degree: sheet.degree,
            model: sheet.model,
            dialogues: sheet.dialogues,
            greetings: sheet.greetings,
            lore: lore.collect(),
            card: sheet.card,
            ..Persona::default()
        },
    })
}

/// Writes it.
pub(crate) fn write(
    persona: &Persona,
    pictures: &HashMap<PictureId, Vec<u8>>,
) -> Result<String, CardError> {
    let picture = |id: &PictureId| pictures.get(id).map(|bytes| to_data_uri(bytes));
    let sprites = persona.sprites.iter().filter_map(|sprite| {
        Some(SpriteSheet {
            name: sprite.name.clone(),
            usage: sprite.usage.clone(),
            is_identity: sprite.is_identity,
            picture: picture(&sprite.picture)?,
        })
    });
    let lore = persona.lore.iter().map(|entry| LoreSheet {
        keys: entry.keys.clone(),
        text: entry.text.clone(),
        always: entry.always,
    });
    let sheet = CardSheet {
        name: persona.name.clone(),
        personality: persona.personality.clone(),
        triggers: persona.triggers.clone(),
        degree: persona.degree,
        model: persona.model.clone(),
        dialogues: persona.dialogues.clone(),
        greetings: persona.greetings.clone(),
        avatar: persona.avatar.as_ref().and_then(picture),
        card: persona.card.clone(),
        lore: lore.collect(),
        sprites: sprites.collect(),
    };
    let text = toml::to_string_pretty(&sheet);
    text.map_err(|error| CardError::damaged(error.to_string()))
}
