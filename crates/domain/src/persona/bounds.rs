//! How large a persona may be.

use super::Persona;

/// How many personas a scope may have.
pub const PERSONAS_PER_SCOPE: usize = 100;

/// How many characters a persona's name may have: as many as Discord lets a
/// webhook have.
pub const PERSONA_NAME_CHARS: usize = 80;

/// How many characters a personality may have.
pub const PERSONALITY_CHARS: usize = 32_000;

/// How many tokens of it the model is told, by [estimate](crate::tokens()).
pub const PERSONALITY_TOKENS: u32 = 10_000;

/// How many sample dialogues a persona may have, and as many greetings.
pub const DIALOGUES_PER_PERSONA: usize = 30;

/// How many characters a sample dialogue or a greeting may have.
pub const DIALOGUE_CHARS: usize = 8_000;

/// How many things a persona may know.
pub const LORE_PER_PERSONA: usize = 200;

/// How many characters each of them may have.
pub const LORE_CHARS: usize = 4_000;

/// How many words may bring it up.
pub const LORE_KEYS: usize = 30;

/// How many words may address a persona beside its name.
pub const TRIGGERS_PER_PERSONA: usize = 10;

/// How many characters such a word may have.
pub const TRIGGER_CHARS: usize = 64;

/// How many sprites a persona may have.
pub const SPRITES_PER_PERSONA: usize = 50;

/// How many different pictures the personas of a scope may have together. On
/// Discord they are emoji of the application, of which there may be 2,000: all
/// scopes share them, and this is a tenth.
///
/// See [Discord Docs/Emoji](https://docs.discord.com/developers/resources/emoji#emoji-object-application-owned-emoji).
pub const PICTURES_PER_SCOPE: usize = 200;

/// How many characters the name of a sprite may have.
pub const SPRITE_NAME_CHARS: usize = 64;

/// How many characters may say when to use a sprite.
pub const SPRITE_USAGE_CHARS: usize = 300;

/// How many bytes a picture may have: those of an emoji, as which Discord is
/// given it, see
/// [Discord Docs/Emoji](https://docs.discord.com/developers/resources/emoji#emoji-formats).
pub const PICTURE_BYTES: usize = 256 * 1024;

/// How many pixels the pictures of a card may have before they are made small,
/// all of them together: a small file may have many, and each takes a moment.
pub const CARD_PIXELS: u64 = 200_000_000;

/// How many bytes of the card that a persona was made from are kept.
pub const CARD_BYTES: usize = 512 * 1024;

/// How many characters the name of a model may have.
const MODEL_NAME_CHARS: usize = 200;

/// What is wrong with a persona.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadPersona {
    /// It has no name.
    #[error("a persona needs a name")]
    NoName,
    /// Its name has characters that no name has.
    #[error("{field} holds a line break or another control character: take it out")]
    Unprintable {
        /// What of it.
        field: &'static str,
    },
    /// Whoever mentioned somebody would call it.
    #[error("{field} holds a mention: write it in letters")]
    Mention {
        /// What of it.
        field: &'static str,
    },
    /// Something is too long.
    #[error("{field} has {chars} characters: make it {most} at most")]
    TooLong {
        /// What of it.
        field: &'static str,
        /// How long it is.
        chars: usize,
        /// How long it may be.
        most: usize,
    },
    /// There is too much of something.
    #[error("there are {count} {field}: keep {most} at most")]
    TooMany {
        /// Of what.
        field: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// The name of a sprite could not be written before a line.
    #[error("a sprite's name has none of ( ) [ ] : in it: choose another than {name:?}")]
    SpriteName {
        /// The name.
        name: String,
    },
    /// Two sprites have the same name.
    #[error("two sprites are called {name:?}: rename one")]
    SameSprite {
        /// The name.
        name: String,
    },
    /// There is no such degree.
    #[error("a degree is a number from 0 to 4")]
    Degree,
}

impl Persona {
    /// What is wrong with it, if something is.
    pub fn check(&self) -> Result<(), BadPersona> {
        if !self.name.chars().any(is_seen) {
            return Err(BadPersona::NoName);
        }
        called("the name", &self.name, PERSONA_NAME_CHARS)?;
        short("the personality", &self.personality, PERSONALITY_CHARS)?;
        few(
            "sample dialogues",
            self.dialogues.len(),
            DIALOGUES_PER_PERSONA,
        )?;
        for dialogue in &self.dialogues {
            short("a sample dialogue", dialogue, DIALOGUE_CHARS)?;
        }
        few("greetings", self.greetings.len(), DIALOGUES_PER_PERSONA)?;
        for greeting in &self.greetings {
            short("a greeting", greeting, DIALOGUE_CHARS)?;
        }
        few("trigger words", self.triggers.len(), TRIGGERS_PER_PERSONA)?;
        for trigger in &self.triggers {
            called("a trigger word", trigger, TRIGGER_CHARS)?;
        }
        if self.degree.is_some_and(|degree| degree > 4) {
            return Err(BadPersona::Degree);
        }
        if let Some(model) = &self.model {
            one_line("the model", model, MODEL_NAME_CHARS)?;
        }
        self.check_lore()?;
        self.check_sprites()?;
        let card = self.card.as_deref().unwrap_or_default();
        short("what else its card holds", card, CARD_BYTES)
    }

    fn check_lore(&self) -> Result<(), BadPersona> {
        few("lore entries", self.lore.len(), LORE_PER_PERSONA)?;
        for entry in &self.lore {
            short("a lore entry", &entry.text, LORE_CHARS)?;
            few("keys of a lore entry", entry.keys.len(), LORE_KEYS)?;
            for key in &entry.keys {
                one_line("the key of a lore entry", key, TRIGGER_CHARS)?;
            }
        }
        Ok(())
    }

    fn check_sprites(&self) -> Result<(), BadPersona> {
        few("sprites", self.sprites.len(), SPRITES_PER_PERSONA)?;
        for (place, sprite) in self.sprites.iter().enumerate() {
            one_line("the name of a sprite", &sprite.name, SPRITE_NAME_CHARS)?;
            short("a sprite's use", &sprite.usage, SPRITE_USAGE_CHARS)?;
            let name = || sprite.name.clone();
            if sprite.name.trim().is_empty()
                || sprite.name.contains(['(', ')', '[', ']', ':', '：'])
            {
                return Err(BadPersona::SpriteName { name: name() });
            }
            let lower = sprite.name.to_lowercase();
            let mut before = self.sprites[..place].iter();
            if before.any(|other| other.name.to_lowercase() == lower) {
                return Err(BadPersona::SameSprite { name: name() });
            }
        }
        Ok(())
    }
}

fn short(field: &'static str, text: &str, most: usize) -> Result<(), BadPersona> {
    // Bytes are never fewer than characters.
    if text.len() <= most {
        return Ok(());
    }
    match text.chars().count() {
        chars if chars > most => Err(BadPersona::TooLong { field, chars, most }),
        _ => Ok(()),
    }
}

fn one_line(field: &'static str, text: &str, most: usize) -> Result<(), BadPersona> {
    if text.contains(char::is_control) {
        return Err(BadPersona::Unprintable { field });
    }
    short(field, text, most)
}

/// What calls a persona reads as it is written, and calls nobody else.
fn called(field: &'static str, text: &str, most: usize) -> Result<(), BadPersona> {
    const MENTIONS: [&str; 6] = ["<@", "<#", "</", "<:", "<a:", "<t:"];
    if text.contains(turns_others) {
        return Err(BadPersona::Unprintable { field });
    }
    if MENTIONS.iter().any(|mention| text.contains(mention)) {
        return Err(BadPersona::Mention { field });
    }
    one_line(field, text, most)
}

/// Whether a character lets others be read in another order.
const fn turns_others(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether somebody sees a character.
fn is_seen(c: char) -> bool {
    let is_unseen = matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}');
    !is_unseen && !c.is_control() && !c.is_whitespace()
}

const fn few(field: &'static str, count: usize, most: usize) -> Result<(), BadPersona> {
    match count > most {
        true => Err(BadPersona::TooMany { field, count, most }),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LoreEntry, PictureId, Sprite};
    use super::*;

    fn kai() -> Persona {
        Persona {
            name: "Kai".to_owned(),
            ..Persona::default()
        }
    }

    fn sprite(name: &str) -> Sprite {
        Sprite {
            name: name.to_owned(),
            picture: PictureId::of(b""),
            usage: String::new(),
            is_identity: false,
        }
    }

    #[test]
    fn a_persona_is_as_large_as_it_may_be_and_no_larger() {
        let mut largest = Persona {
            name: "会".repeat(PERSONA_NAME_CHARS),
            personality: "会".repeat(PERSONALITY_CHARS),
            dialogues: vec!["x".repeat(DIALOGUE_CHARS); DIALOGUES_PER_PERSONA],
            greetings: vec!["x".repeat(DIALOGUE_CHARS); DIALOGUES_PER_PERSONA],
            triggers: vec!["x".repeat(TRIGGER_CHARS); TRIGGERS_PER_PERSONA],
            degree: Some(4),
            model: Some("x".repeat(MODEL_NAME_CHARS)),
            card: Some("x".repeat(CARD_BYTES)),
            ..Persona::default()
        };
        let entry = LoreEntry {
            keys: vec!["x".repeat(TRIGGER_CHARS); LORE_KEYS],
            text: "x".repeat(LORE_CHARS),
            always: false,
        };
        largest.lore = vec![entry; LORE_PER_PERSONA];
        let names = (0..SPRITES_PER_PERSONA).map(|number| format!("mood {number}"));
        largest.sprites = names.map(|name| sprite(&name)).collect();
        assert_eq!(largest.check(), Ok(()));

        let grown: [fn(&mut Persona); 12] = [
            |it| it.name.push('x'),
            |it| it.personality.push('x'),
            |it| it.dialogues[0].push('x'),
            |it| it.dialogues.push(String::new()),
            |it| it.greetings.push(String::new()),
            |it| it.triggers.push(String::new()),
            |it| it.triggers[0].push('x'),
            |it| it.degree = Some(5),
            |it| it.lore[0].text.push('x'),
            |it| it.lore.push(LoreEntry::default()),
            |it| it.sprites.push(sprite("one more")),
            |it| it.card.iter_mut().for_each(|card| card.push('x')),
        ];
        for (number, grow) in grown.into_iter().enumerate() {
            let mut persona = largest.clone();
            grow(&mut persona);
            assert!(persona.check().is_err(), "number {number}");
        }
    }

    #[test]
    fn names_can_be_shown_and_told_apart() {
        assert_eq!(kai().check(), Ok(()));
        let unseen = [
            "",
            "  ",
            "\u{200b}\u{200b}",
            "\u{3164}",
            "\u{2800} \u{200d}",
            "\u{e0041}",
        ];
        for bad in unseen {
            let name = bad.to_owned();
            let told = Persona { name, ..kai() }.check();
            assert_eq!(told, Err(BadPersona::NoName), "{bad:?}");
        }
        for bad in [
            "K\nai",
            "K\u{7}ai",
            "a\u{202e}gnp.exe",
            "\u{2066}Kai",
            "<@123456789012345678>",
            "Kai <@!1>",
            "<@&1>",
            "<#1>",
            "</tea:1>",
            "<:tea:1>",
            "<a:tea:1>",
            "<t:1>",
        ] {
            let name = bad.to_owned();
            assert!(Persona { name, ..kai() }.check().is_err(), "{bad:?}");
            let triggers = vec![bad.to_owned()];
            assert!(Persona { triggers, ..kai() }.check().is_err(), "{bad:?}");
        }
        for name in ["🍵👨‍👩‍👧", "```", "<Kai>", "K<3", "می‌خواهم", "茶"] {
            let name = name.to_owned();
            let kai = Persona { name, ..kai() };
            assert_eq!(kai.check(), Ok(()), "{kai:?}");
        }
        for bad in ["", " ", "a:b", "(a", "a]", "a\nb"] {
            let sprites = vec![sprite(bad)];
            assert!(Persona { sprites, ..kai() }.check().is_err(), "{bad:?}");
        }
        let sprites = vec![sprite("Sad"), sprite("sad")];
        let same = Persona { sprites, ..kai() }.check();
        assert!(
            matches!(same, Err(BadPersona::SameSprite { .. })),
            "{same:?}"
        );
    }
}
