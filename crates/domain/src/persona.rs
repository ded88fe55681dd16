//! Who speaks.
//!
//! The main persona is the bot itself; a scope may give it more to go by than
//! its settings do. Alters have a name and a picture of their own.

mod bounds;

use std::fmt;

use sha2::{Digest, Sha256};

pub use bounds::{
    BadPersona, CARD_BYTES, CARD_PIXELS, DIALOGUE_CHARS, DIALOGUES_PER_PERSONA, LORE_CHARS,
    LORE_KEYS, LORE_PER_PERSONA, PERSONA_NAME_CHARS, PERSONALITY_CHARS, PERSONALITY_TOKENS,
    PERSONAS_PER_SCOPE, PICTURE_BYTES, PICTURES_PER_SCOPE, SPRITE_NAME_CHARS, SPRITE_USAGE_CHARS,
    SPRITES_PER_PERSONA, TRIGGER_CHARS, TRIGGERS_PER_PERSONA,
};

/// Names a persona within its scope. What spoke once keeps its number: it is
/// never given to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PersonaId(u32);

impl PersonaId {
    /// The bot itself.
    pub const MAIN: Self = Self(0);

    /// Wraps a raw number.
    pub const fn new(raw: u32) -> Self {
        Self(raw)
    }

    /// The raw number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for PersonaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Who speaks: the bot itself, or an alter with a name of its own.
///
/// Texts for the model may hold `{{char}}` and `{{user}}`, which stand for the
/// persona's name and for whoever it talks with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Persona {
    /// Its name within the scope.
    pub id: PersonaId,
    /// The name people see. The main persona is shown with the bot's own.
    pub name: String,
    /// The picture people see beside it.
    pub avatar: Option<PictureId>,
    /// How it speaks, in words for the model. Empty if the settings say.
    pub personality: String,
    /// How it spoke before, a conversation each.
    pub dialogues: Vec<String>,
    /// How it may open a conversation.
    pub greetings: Vec<String>,
    /// What it knows, and is told of when that is talked about.
    pub lore: Vec<LoreEntry>,
    /// Words that address it beside its name.
    pub triggers: Vec<String>,
    /// How finely its answers are cut into messages, if not as elsewhere.
    pub degree: Option<u8>,
    /// The model that talks for it, if not the one of everybody.
    pub model: Option<String>,
    /// Other pictures that it may be shown with.
    pub sprites: Vec<Sprite>,
    /// The card that it was made from: a JSON object, for what is in it beyond
    /// all this.
    pub card: Option<String>,
}

impl Persona {
    /// The pictures that it is shown with.
    pub fn pictures(&self) -> impl Iterator<Item = PictureId> {
        let sprites = self.sprites.iter().map(|sprite| sprite.picture);
        self.avatar.into_iter().chain(sprites)
    }

    /// The sprite of that name, whatever its case.
    pub fn sprite(&self, name: &str) -> Option<&Sprite> {
        let name = name.trim().to_lowercase();
        let mut sprites = self.sprites.iter();
        sprites.find(|sprite| sprite.name.to_lowercase() == name)
    }

    /// Whether people mean it by this name.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.to_lowercase() == name.trim().to_lowercase()
    }
}

/// Something that a persona knows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoreEntry {
    /// Words that bring it up.
    pub keys: Vec<String>,
    /// What it says.
    pub text: String,
    /// Whether the model is always told, whatever is talked about.
    pub always: bool,
}

/// A picture that a persona may be shown with, such as one of its moods.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sprite {
    /// What the model calls it.
    pub name: String,
    /// The picture.
    pub picture: PictureId,
    /// When to use it, in words for the model.
    pub usage: String,
    /// Whether it shows somebody else, under whose name the persona then
    /// speaks.
    pub is_identity: bool,
}

/// Names a picture by what is in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PictureId(u128);

impl PictureId {
    /// The name of a picture with these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let digest = Sha256::digest(bytes);
        let first = digest.iter().take(16);
        Self(first.fold(0, |number, byte| number << 8 | u128::from(*byte)))
    }

    /// The picture that was written like this.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u128::from_str_radix(text, 16).ok()?;
        digits.then_some(Self(number))
    }
}

/// 32 hexadecimal digits.
impl fmt::Display for PictureId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// How a persona is written to a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CardFormat {
    /// A character card in JSON, version 2.
    V2,
    /// JSON, version 3.
    V3,
    /// A picture that holds both.
    Png,
    /// An archive of a card and its pictures.
    Charx,
    /// Kaiwa's own TOML.
    Toml,
}

impl CardFormat {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::V2, Self::V3, Self::Png, Self::Charx, Self::Toml];

    /// Its name, which does not change.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V2 => "v2",
            Self::V3 => "v3",
            Self::Png => "png",
            Self::Charx => "charx",
            Self::Toml => "toml",
        }
    }

    /// The format of this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// How the names of such files end.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::V2 | Self::V3 => "json",
            Self::Png => "png",
            Self::Charx => "charx",
            Self::Toml => "toml",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_named_after_its_bytes() {
        let tea = PictureId::of(b"tea");
        assert_eq!(PictureId::of(b"tea"), tea);
        assert_ne!(PictureId::of(b"milk"), tea);
        assert_eq!(PictureId::parse(&tea.to_string()), Some(tea));
        assert_eq!(PictureId(7).to_string().len(), 32);
        for bad in ["", "7", "+0000000000000000000000000000007", &"g".repeat(32)] {
            assert_eq!(PictureId::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn names_are_the_same_whatever_their_case() {
        let kai = Persona {
            name: "Ärger".to_owned(),
            sprites: vec![Sprite {
                name: "Happy".to_owned(),
                picture: PictureId(1),
                usage: String::new(),
                is_identity: false,
            }],
            avatar: Some(PictureId(2)),
            ..Persona::default()
        };
        assert!(kai.is_called(" äRGER ") && !kai.is_called("Ärg"));
        assert!(kai.sprite("happy").is_some() && kai.sprite("sad").is_none());
        let pictures: Vec<PictureId> = kai.pictures().collect();
        assert_eq!(pictures, [PictureId(2), PictureId(1)]);
    }
}
