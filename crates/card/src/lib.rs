//! Character cards: how personas are read from files and written to them.
//!
//! | format | what it is |
//! |---|---|
//! | [`V2`](CardFormat::V2), [`V3`](CardFormat::V3) | JSON, as SillyTavern and others have it; older flat cards are read too |
//! | [`Png`](CardFormat::Png) | a picture that holds both in its text chunks |
//! | [`Charx`](CardFormat::Charx) | an archive of a V3 card and its pictures |
//! | [`Toml`](CardFormat::Toml) | Kaiwa's own, which holds everything and is easily edited |
//!
//! Cards come from anywhere, so reading is lenient in what they contain: what
//! is missing is empty, numbers may be texts, unknown fields are kept and come
//! back in an export. It is strict in how much that may be: every size is
//! checked before anything is unpacked, and what does not fit is either left
//! out and [told of](LeftOut), or refused with what to do about it.
//!
//! Nothing here reads files or decodes pictures.

mod agnai;
mod archive;
mod assets;
mod character;
mod charx;
mod dialogue;
mod error;
mod export;
mod fields;
mod json;
mod lore;
mod picture;
mod png;
mod preset;
mod sheet;
mod text;

use std::collections::HashMap;
use std::fmt;

use kaiwa_domain::{CardFormat, PERSONALITY_TOKENS, Persona, PictureId, Sprite, tokens};

pub use error::CardError;
pub use preset::{Preset, read_preset};

/// The largest file that is read, in bytes: as large as Discord's by default.
pub const FILE_BYTES: usize = 10 << 20;

/// The largest text of a card, in bytes: pictures may be in it.
const TEXT_BYTES: usize = FILE_BYTES;

/// A persona as it stands in a file.
#[derive(Clone, PartialEq, Debug)]
pub struct CharacterCard {
    /// Who it is. Its pictures are beside it.
    pub persona: Persona,
    /// Its picture, as a file of some kind.
    pub avatar: Option<Vec<u8>>,
    /// Its sprites.
    pub sprites: Vec<CardSprite>,
    /// What of the file did not fit.
    pub left_out: Vec<LeftOut>,
}

impl CharacterCard {
    /// The persona, its pictures as `fit` makes them, and all that was left
    /// out: a picture that `fit` makes nothing of is.
    pub fn fitted(
        self,
        mut fit: impl FnMut(&[u8]) -> Option<Vec<u8>>,
    ) -> (Persona, Vec<Vec<u8>>, Vec<LeftOut>) {
        let Self {
            mut persona,
            avatar,
            sprites,
            mut left_out,
        } = self;
        let mut pictures = Vec::new();
        let mut unfit = 0;
        let mut keep = |file: &[u8]| {
            let picture = fit(file);
            unfit += usize::from(picture.is_none());
            let picture = picture?;
            let id = PictureId::of(&picture);
            pictures.push(picture);
            Some(id)
        };
        persona.avatar = avatar.as_deref().and_then(&mut keep);
        for sprite in sprites {
            if let Some(picture) = keep(&sprite.picture) {
                persona.sprites.push(Sprite {
                    name: sprite.name,
                    picture,
                    usage: sprite.usage,
                    is_identity: sprite.is_identity,
                });
            }
        }
        if unfit > 0 {
            left_out.push(LeftOut::UnfitPictures(unfit));
        }
        (persona, pictures, left_out)
    }
}

/// A sprite as it stands in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardSprite {
    /// What the model calls it.
    pub name: String,
    /// When to use it.
    pub usage: String,
    /// Whether it shows somebody else.
    pub is_identity: bool,
    /// The picture, as a file of some kind.
    pub picture: Vec<u8>,
}

/// Something in a card that a persona has no room or no use for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LeftOut {
    /// The end of the name.
    Name,
    /// The end of the personality.
    Personality,
    /// What of the personality the model is not told.
    Untold,
    /// What would call it: its name has no letters.
    Calls,
    /// Entries of its lore.
    Lore(usize),
    /// The ends of so many entries.
    LoreTexts(usize),
    /// Words that would bring entries up.
    LoreKeys(usize),
    /// What else says when entries are told, of so many.
    LoreConditions(usize),
    /// Sample dialogues.
    Dialogues(usize),
    /// Greetings.
    Greetings(usize),
    /// Trigger words.
    Triggers(usize),
    /// Pictures.
    Pictures(usize),
    /// Pictures that cannot be shown.
    UnfitPictures(usize),
    /// What of the card only other programs can use.
    Programs(Vec<String>),
    /// Fields of the card that an export does not have again.
    Card(Vec<String>),
}

/// How many fields of a card are named.
const FIELDS_NAMED: usize = 5;

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name => f.write_str("the end of the name"),
            Self::Personality => f.write_str("the end of the personality"),
            Self::Untold => write!(
                f,
                "the middle of the personality, whenever the model is told it ({PERSONALITY_TOKENS} \
                 tokens at most)"
            ),
            Self::Calls => f.write_str(
                "its name as a word that calls it, which has no letters: give it a trigger word",
            ),
            Self::Lore(count) => write!(f, "lore entries: {count}"),
            Self::LoreTexts(count) => write!(f, "the ends of lore entries: {count}"),
            Self::LoreKeys(count) => write!(f, "keys of lore entries: {count}"),
            Self::LoreConditions(count) => {
                write!(f, "further conditions of lore entries: {count}")
            }
            Self::Dialogues(count) => write!(f, "sample dialogues: {count}"),
            Self::Greetings(count) => write!(f, "greetings: {count}"),
            Self::Triggers(count) => write!(f, "trigger words: {count}"),
            Self::Pictures(count) => write!(f, "pictures: {count}"),
            Self::UnfitPictures(count) => write!(
                f,
                "pictures that are too large, damaged or of an unknown kind: {count}"
            ),
            Self::Programs(fields) => {
                write!(f, "what only other programs can use: {}", fields.join(", "))
            }
            Self::Card(fields) => {
                let named = fields.iter().take(FIELDS_NAMED).map(String::as_str);
                let named = named.collect::<Vec<_>>().join(", ");
                write!(f, "the card's {named}")?;
                match fields.len().saturating_sub(FIELDS_NAMED) {
                    0 => f.write_str(", for exports"),
                    more => write!(f, " and {more} more, for exports"),
                }
            }
        }
    }
}

/// Reads a card, whatever its format.
///
/// # Errors
/// If it is none, is damaged, or holds more than a persona may have.
pub fn read(file: &[u8]) -> Result<CharacterCard, CardError> {
    if file.len() > FILE_BYTES {
        return Err(CardError::TooLarge { most: FILE_BYTES });
    }
    let mut card = if png::is_png(file) {
        png::read(file)?
    } else if charx::is_archive(file) {
        charx::read(file)?
    } else if let Some(what) = picture::without_cards(file) {
        return Err(CardError::Other { what });
    } else {
        let text = text::decoded(file)?;
        match text.trim_start().chars().next() {
            None => return Err(CardError::Empty),
            Some('{' | '[') => json::read(&text)?,
            Some('<') => return Err(CardError::WebPage),
            Some(_) if sheet::is_yaml(&text) => return Err(CardError::Other { what: "YAML" }),
            Some(_) if !sheet::is_toml(&text) => return Err(CardError::NoCard),
            Some(_) => sheet::read(&text)?,
        }
    };
    card.persona.check()?;
    let has_letters = |word: &String| word.contains(char::is_alphanumeric);
    let mut calls = std::iter::once(&card.persona.name).chain(&card.persona.triggers);
    if !calls.any(has_letters) {
        card.left_out.push(LeftOut::Calls);
    }
    if tokens(&card.persona.personality) > PERSONALITY_TOKENS {
        card.left_out.push(LeftOut::Untold);
    }
    Ok(card)
}

/// Writes a persona, with those of its pictures that are given.
///
/// # Errors
/// If it would be larger than a card may be.
pub fn write(
    persona: &Persona,
    pictures: &HashMap<PictureId, Vec<u8>>,
    format: CardFormat,
) -> Result<Vec<u8>, CardError> {
    let file = match format {
        CardFormat::V2 => export::write_v2(persona).into_bytes(),
        CardFormat::V3 => export::write_v3(persona, &export::Assets::Inline(pictures)).into_bytes(),
        CardFormat::Png => png::write(persona, pictures)?,
        CardFormat::Charx => charx::write(persona, pictures),
        CardFormat::Toml => sheet::write(persona, pictures)?.into_bytes(),
    };
    match (file.len() > FILE_BYTES, format) {
        (true, CardFormat::Charx) => Err(CardError::TooLarge { most: FILE_BYTES }),
        (true, _) => Err(CardError::TooLargeToWrite { most: FILE_BYTES }),
        (false, _) => Ok(file),
    }
}
