//! How somebody appears who does not speak with the bot's own voice.

use std::borrow::Cow;

use crate::limits::{MESSAGE_UTF16, WEBHOOK_NAME_FORBIDDEN, WEBHOOK_NAME_UTF16};
use crate::{PersonaId, PictureId};

/// The picture of a persona, which is kept with it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Portrait {
    /// Whose picture it is.
    pub of: PersonaId,
    /// Which.
    pub picture: PictureId,
}

/// A name and a picture of one's own, shown by a webhook.
///
/// The name is one that Discord takes: neither empty nor too long, on one line,
/// and without the words that Discord keeps for itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    name: String,
    portrait: Option<Portrait>,
    look: Option<String>,
}

impl Identity {
    /// Somebody of this name, if anything is left of it, with a picture.
    pub fn new(name: &str, portrait: Option<Portrait>) -> Option<Self> {
        let name = fitted(&plain(name));
        (!name.is_empty()).then_some(Self {
            name,
            portrait,
            look: None,
        })
    }

    /// A persona that appears as somebody else: `target (persona)`. Of names
    /// that are too long together, the persona's is cut.
    pub fn disguised(target: &str, persona: &str, portrait: Option<Portrait>) -> Option<Self> {
        let (target, persona) = (plain(target), plain(persona));
        if target.is_empty() || persona.is_empty() {
            return Self::new(&target, portrait);
        }
        let room = WEBHOOK_NAME_UTF16.saturating_sub(utf16(&target) + " ()".len());
        Some(Self {
            name: match cut(&persona, room) {
                Some(persona) => fitted(&format!("{target} ({persona})")),
                None => fitted(&target),
            },
            portrait,
            look: None,
        })
    }

    /// The same somebody in another of their looks, of which this is number
    /// `number`, counted from 1. Discord draws messages of one name together,
    /// whatever their pictures; so the name becomes another that reads the
    /// same, or tells the look where no letter has a double.
    #[must_use]
    pub fn in_look(self, look: &str, number: usize) -> Self {
        let look = plain(look);
        let name = doubled(&self.name, number)
            .or_else(|| Some(Self::disguised(&self.name, &look, None)?.name))
            .unwrap_or(self.name);
        Self {
            name,
            portrait: self.portrait,
            look: Some(look),
        }
    }

    /// The same, told to the model as `persona (look)`.
    #[must_use]
    pub fn told_as(self, look: &str) -> Self {
        Self {
            look: Some(plain(look)),
            ..self
        }
    }

    /// The name people see.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The picture people see beside it.
    pub const fn portrait(&self) -> Option<Portrait> {
        self.portrait
    }

    /// How a text reads where it has to be said in the bot's own voice. One
    /// that has no room for the name is left as it is.
    pub fn quote<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut quoted = String::from("**");
        for letter in self.name.chars() {
            if matches!(letter, '*' | '_' | '~' | '`' | '|' | '\\') {
                quoted.push('\\');
            }
            quoted.push(letter);
        }
        quoted.push_str(":**");
        // Code, lists and headings begin a line.
        let words = text.trim_start().starts_with(|c: char| {
            c.is_alphabetic() || matches!(c, '"' | '\'' | '(' | '<' | '…' | '¡' | '¿')
        });
        if !text.is_empty() {
            quoted.push(if words { ' ' } else { '\n' });
        }
        quoted.push_str(text);
        match utf16(&quoted) <= MESSAGE_UTF16 {
            true => Cow::Owned(quoted),
            false => Cow::Borrowed(text),
        }
    }

    /// What the model calls the look that the persona is in, if it is not its
    /// usual one.
    pub fn look(&self) -> Option<&str> {
        self.look.as_deref()
    }
}

/// One line, without blanks at its ends or more than one between words.
fn plain(name: &str) -> String {
    let words: Vec<&str> = name
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// A name that Discord takes.
fn fitted(name: &str) -> String {
    let name = cut(name, WEBHOOK_NAME_UTF16).unwrap_or_default();
    let mut fitted = String::with_capacity(name.len());
    let mut rest = name.as_str();
    while let Some(first) = rest.chars().next() {
        let forbidden = WEBHOOK_NAME_FORBIDDEN.iter().any(|word| {
            rest.get(..word.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(word))
        });
        let (letters, after) = rest.split_at(first.len_utf8());
        match forbidden {
            // The word stays as it reads: one of its letters is another's double.
            true => {
                let end = rest.find(['y', 'Y', 'o', 'O']).unwrap_or(0);
                fitted.push_str(&rest[..end]);
                fitted.extend(
                    rest[end..]
                        .chars()
                        .next()
                        .map(|it| double(it).unwrap_or(it)),
                );
                rest = &rest[end + 1..];
            }
            false => {
                fitted.push_str(letters);
                rest = after;
            }
        }
    }
    fitted
}

/// A text cut to `most` UTF-16 units, or nothing if not even its first letter
/// and three dots fit.
fn cut(text: &str, most: usize) -> Option<String> {
    if utf16(text) <= most {
        return Some(text.to_owned());
    }
    let room = most.checked_sub("...".len() + 1)? + 1;
    let mut units = 0;
    let kept: String = text
        .chars()
        .take_while(|c| {
            units += c.len_utf16();
            units <= room
        })
        .collect();
    Some(format!("{}...", kept.trim_end()))
}

fn utf16(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The name with some of its letters exchanged for their doubles, others for
/// each number. `None` if too few have one.
fn doubled(name: &str, number: usize) -> Option<String> {
    let mut left = number;
    let mut letters: Vec<char> = name.chars().collect();
    for letter in letters.iter_mut().rev() {
        if left == 0 {
            break;
        }
        if let Some(double) = double(*letter) {
            if left & 1 == 1 {
                *letter = double;
            }
            left >>= 1;
        }
    }
    (left == 0).then(|| letters.into_iter().collect())
}

/// A letter of another script that looks the same.
const fn double(letter: char) -> Option<char> {
    Some(match letter {
        'a' => 'а',
        'c' => 'с',
        'e' => 'е',
        'i' => 'і',
        'j' => 'ј',
        'o' => 'о',
        'p' => 'р',
        's' => 'ѕ',
        'x' => 'х',
        'y' => 'у',
        'A' => 'А',
        'B' => 'В',
        'C' => 'С',
        'E' => 'Е',
        'H' => 'Н',
        'I' => 'І',
        'J' => 'Ј',
        'K' => 'К',
        'M' => 'М',
        'O' => 'О',
        'P' => 'Р',
        'S' => 'Ѕ',
        'T' => 'Т',
        'X' => 'Х',
        'Y' => 'У',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> Option<String> {
        Identity::new(name, None).map(|it| it.name)
    }

    #[test]
    fn names_are_ones_that_discord_takes() {
        let check = |given: &str, expected: Option<&str>| {
            assert_eq!(name(given).as_deref(), expected, "{given:?}");
        };
        check("Mira", Some("Mira"));
        check("  Mira \n of\tthe  Tea ", Some("Mira of the Tea"));
        check("", None);
        check(" \u{7} ", None);
        check("クライド", Some("クライド"));
        check("Discord", Some("Discоrd"));
        check("xDISCORDx clyde CLYDE", Some("xDISCОRDx clуde CLУDE"));
        check("discordiscord", Some("discоrdiscоrd"));
        let long = name(&"ab ".repeat(40)).unwrap();
        assert!(long.ends_with("...") && utf16(&long) <= 80, "{long}");
        assert_eq!(utf16(&name(&"🍵".repeat(50)).unwrap()), 79);
    }

    #[test]
    fn whoever_appears_as_somebody_else_says_who_they_are() {
        let check = |target: &str, persona: &str, expected: &str| {
            let found = Identity::disguised(target, persona, None).unwrap();
            assert_eq!(found.name(), expected);
        };
        check("Ada", "Mira", "Ada (Mira)");
        let target = "t".repeat(70);
        check(&target, "Mirabelle", &format!("{target} (Mira...)"));
        let target = "t".repeat(77);
        check(&target, "Mira", &target);
        assert_eq!(Identity::disguised(" ", "Mira", None), None);
    }

    #[test]
    fn in_the_bots_voice_the_name_stands_before_the_text() {
        let check = |name: &str, text: &str, expected: &str| {
            let identity = Identity::new(name, None).unwrap();
            assert_eq!(identity.quote(text), expected, "{name} {text}");
        };
        check("Mira", "Hello!", "**Mira:** Hello!");
        check("Mira", "```\ncode```", "**Mira:**\n```\ncode```");
        check("Mira", "- one", "**Mira:**\n- one");
        check("Mi*ra_", "", "**Mi\\*ra\\_:**");
        let long = "x".repeat(1995);
        check("Mira", &long, &long);
    }

    #[test]
    fn each_look_has_a_name_of_its_own_that_reads_the_same() {
        let looks = |base: &str, many: usize| -> Vec<String> {
            let base = Identity::new(base, None).unwrap();
            let looks = (1..=many).map(|number| base.clone().in_look("cross", number).name);
            std::iter::once(base.name.clone()).chain(looks).collect()
        };
        let latin = looks("Alice", 15);
        for (place, look) in latin.iter().enumerate() {
            assert!(!latin[..place].contains(look), "{look}");
            assert_eq!(look.chars().count(), 5);
        }
        assert_eq!(looks("桜", 1)[1], "桜 (cross)");
        assert_eq!(looks("Ada", 4)[4], "Ada (cross)");
    }
}
