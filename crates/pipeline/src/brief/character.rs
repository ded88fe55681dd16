//! What makes a persona itself: how it talks, and what it knows.

use kaiwa_domain::{ENTRY_TOKENS, LoreEntry, Persona, Sprite, tokens};

use super::budget::{DIALOGUE_TOKENS, LORE_TOKENS, cut, personality};
use super::macros::{self, Macros};

/// A persona, in words for the model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Character {
    pub(super) personality: String,
    pub(super) dialogues: Vec<String>,
    pub(super) lore: Vec<String>,
    /// The looks that it can put on, with when it does.
    pub(super) looks: Vec<String>,
}

/// Who `char` is when it talks with `user` about what `talk` says.
pub(super) fn character<'a>(
    persona: &Persona,
    char: &str,
    user: &str,
    talk: impl Iterator<Item = &'a str>,
) -> Character {
    let talk: Vec<&str> = talk.collect();
    let seed = macros::seed(talk.iter().copied());
    let macros = Macros { char, user, seed };
    let known = known(&persona.lore, talk.into_iter());
    let lore = known.map(|entry| indented(&macros.expanded(&entry.text)));
    let dialogues = persona.dialogues.iter();
    let dialogues = dialogues.map(|it| macros.expanded(it.trim()));
    Character {
        personality: personality(&macros.expanded(&persona.personality), u32::MAX),
        dialogues: within(DIALOGUE_TOKENS, dialogues),
        lore: within(LORE_TOKENS, lore),
        looks: persona.sprites.iter().take(LOOKS).map(look).collect(),
    }
}

/// How many looks are told.
const LOOKS: usize = 20;

fn look(sprite: &Sprite) -> String {
    let (name, usage) = (one_line(&sprite.name), one_line(&sprite.usage));
    match usage.is_empty() {
        true => name,
        false => format!("{name}: {usage}"),
    }
}

/// The texts that fit, the first ones first; if none does, as much as fits of
/// the first.
fn within(room: u32, texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut left = room;
    let mut texts = texts.filter(|text| !text.is_empty()).peekable();
    let first = texts.peek().cloned();
    let fits = |text: &String| {
        let cost = tokens(text).saturating_add(ENTRY_TOKENS);
        let fits = cost <= left;
        left -= if fits { cost } else { 0 };
        fits
    };
    let told: Vec<String> = texts.filter(fits).collect();
    match told.is_empty() {
        true => first
            .iter()
            .map(|text| cut(text, room.saturating_sub(ENTRY_TOKENS)))
            .collect(),
        false => told,
    }
}

/// What of the lore is to be told: what always is, and what is talked about.
fn known<'a, 'b>(
    lore: &'a [LoreEntry],
    talk: impl Iterator<Item = &'b str>,
) -> impl Iterator<Item = &'a LoreEntry> {
    let talk: Vec<String> = match lore.iter().any(|entry| !entry.always) {
        true => talk.map(str::to_lowercase).collect(),
        false => Vec::new(),
    };
    lore.iter().filter(move |entry| {
        let mut keys = entry.keys.iter().map(|key| key.to_lowercase());
        entry.always || keys.any(|key| talk.iter().any(|text| mentions(text, &key)))
    })
}

/// Whether a text holds a key: in scripts with spaces, as words of its own.
fn mentions(text: &str, key: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    let key = key.trim();
    let mut found = text.match_indices(key).filter(|(at, _)| {
        let before = text[..*at].chars().next_back();
        let after = text[at + key.len()..].chars().next();
        let begins = key.chars().next().is_some_and(is_letter);
        let ends = key.chars().next_back().is_some_and(is_letter);
        let goes_on = ends && after.is_some_and(is_letter);
        let is_within = begins && before.is_some_and(is_letter);
        !goes_on && !is_within
    });
    !key.is_empty() && found.next().is_some()
}

/// Scripts that put no space between words.
const fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

/// A text with its lines, as a part of a list.
fn indented(text: &str) -> String {
    let lines = text.trim().lines().map(|line| match line.trim() {
        "" => String::new(),
        _ => format!("  {}", line.trim_end()),
    });
    let lines: Vec<String> = lines.collect();
    lines.join("\n").trim_start().to_owned()
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lore_keeps_its_lines_within_the_list() {
        for (text, expect) in [
            ("tea", "tea"),
            (
                " | a | b |\r\n|---|---|\n\n\n- one \n  - two\n",
                "| a | b |\n  |---|---|\n\n\n  - one\n    - two",
            ),
            ("\n \n", ""),
        ] {
            assert_eq!(indented(text), expect);
        }
    }

    #[test]
    fn lore_is_told_when_it_is_talked_about() {
        let entry = |key: &str| LoreEntry {
            keys: vec![key.to_owned()],
            text: key.to_owned(),
            always: false,
        };
        let mut lore: Vec<LoreEntry> = ["ferry", "old house", "茶", "C++"].map(entry).to_vec();
        lore.push(LoreEntry {
            keys: Vec::new(),
            text: "rain".to_owned(),
            always: true,
        });
        let told = |talk: &str| -> Vec<String> {
            let known = known(&lore, std::iter::once(talk));
            known.map(|entry| entry.text.clone()).collect()
        };
        assert_eq!(told("hello"), ["rain"]);
        assert_eq!(told("When is the FERRY?"), ["ferry", "rain"]);
        assert_eq!(told("ferryman"), ["rain"]);
        assert_eq!(told("that old house"), ["old house", "rain"]);
        assert_eq!(told("お茶をください"), ["茶", "rain"]);
        assert_eq!(told("is c++ fun"), ["C++", "rain"]);
    }

    #[test]
    fn what_does_not_fit_makes_room_for_what_does() {
        let check = |sizes: &[usize], expect: &[usize]| {
            let texts = sizes.iter().map(|size| "word ".repeat(*size));
            let told = within(100, texts);
            assert!(told.iter().map(|it| tokens(it)).sum::<u32>() <= 100);
            let told: Vec<usize> = told.iter().map(|it| it.matches("word").count()).collect();
            assert_eq!(told, expect, "{sizes:?}");
        };
        check(&[], &[]);
        check(&[10, 20], &[10, 20]);
        check(&[900, 10, 20], &[10, 20]);
        check(&[10, 900, 20], &[10, 20]);
        check(&[60, 60, 20], &[60, 20]);
        check(&[0, 10], &[10]);
        // With a mark of the cut.
        check(&[900, 900], &[84]);
    }

    #[test]
    fn there_is_room_for_so_much() {
        let persona = Persona {
            dialogues: vec!["word ".repeat(900); 9],
            lore: vec![
                LoreEntry {
                    keys: Vec::new(),
                    text: "word ".repeat(700),
                    always: true,
                };
                9
            ],
            ..Persona::default()
        };
        let character = character(&persona, "Mina", "Ada", std::iter::empty());
        let cost = |texts: &[String]| texts.iter().map(|text| tokens(text)).sum::<u32>();
        assert!(!character.dialogues.is_empty() && !character.lore.is_empty());
        assert!(cost(&character.dialogues) <= DIALOGUE_TOKENS);
        assert!(cost(&character.lore) <= LORE_TOKENS);
    }
}
