//! The bot's name, as people write it: whole, in part, or as it sounds in
//! another script, so that "Kaiwa" is known as カイワ, 카이와 and Кайва.
//!
//! The sound is rough, and meant to be: it is compared with one known name.

use super::read::{StopReading, StopToken, Word};

/// The bot's name: whole, one of its words, or as it sounds in another script.
#[derive(Debug)]
pub(super) struct BotName {
    words: Vec<Word>,
    sound: String,
}

/// The fewest letters of a name that is known by its sound.
const SHORTEST_SOUND: usize = 4;

impl BotName {
    /// The name of these words, unless they are wishes to stop themselves.
    pub(super) fn new(words: Vec<Word>, name: &str) -> Self {
        let sound = sound(&name.to_lowercase());
        Self { words, sound }
    }

    /// How many tokens are the name.
    pub(super) fn at(&self, reading: &StopReading, tokens: &[StopToken]) -> Option<usize> {
        let same = |word: &Word, token: &StopToken| matches!(token, StopToken::Word(said) if said.bare == word.bare || said.double == word.bare);
        let whole = self.words.len();
        let all = || {
            self.words
                .iter()
                .zip(tokens)
                .all(|(word, token)| same(word, token))
        };
        if whole == 0 {
            return None;
        }
        if tokens.len() >= whole && all() {
            return Some(whole);
        }
        let part = |word: &Word| !word.wide && same(word, &tokens[0]);
        if self.words.iter().any(part) {
            return Some(1);
        }
        self.sounds(reading, tokens)
    }

    /// How many tokens sound like it.
    fn sounds(&self, reading: &StopReading, tokens: &[StopToken]) -> Option<usize> {
        if self.sound.len() < SHORTEST_SOUND {
            return None;
        }
        let mut spelling = String::new();
        for (index, token) in tokens.iter().enumerate() {
            let StopToken::Word(word) = token else { break };
            let part = reading.spelling(word);
            if part.is_ascii() {
                break;
            }
            spelling.push_str(part);
            let heard = sound(&spelling);
            if heard == self.sound {
                return Some(index + 1);
            }
            if !word.wide || heard.is_empty() || !self.sound.starts_with(&heard) {
                break;
            }
        }
        None
    }
}

/// Hiragana, each before how it sounds. Katakana is read as hiragana.
const KANA: &str = "あa いi うu えe おo かka きki くku けke こko がga ぎgi ぐgu げge ごgo さsa しshi すsu せse そso ざza \
    じji ずzu ぜze ぞzo たta ちchi つtsu てte とto だda ぢji づzu でde どdo なna にni ぬnu ねne のno はha ひhi ふfu へhe \
    ほho ばba びbi ぶbu べbe ぼbo ぱpa ぴpi ぷpu ぺpe ぽpo まma みmi むmu めme もmo やya ゆyu よyo ゃya ゅyu ょyo らra \
    りri るru れre ろro わwa をo んn ゔvu";

/// The letters of Cyrillic from а to я.
const CYRILLIC: [&str; 32] = [
    "a", "b", "v", "g", "d", "e", "zh", "z", "i", "i", "k", "l", "m", "n", "o", "p", "r", "s", "t",
    "u", "f", "h", "ts", "ch", "sh", "sh", "", "i", "", "e", "yu", "ya",
];

/// The beginnings, vowels and ends of syllables of Hangul.
const INITIALS: [&str; 19] = [
    "k", "k", "n", "t", "t", "r", "m", "b", "b", "s", "s", "", "j", "j", "ch", "k", "t", "p", "h",
];
const VOWELS: [&str; 21] = [
    "a", "e", "ya", "e", "o", "e", "yo", "e", "o", "wa", "we", "we", "yo", "u", "wo", "we", "wi",
    "yu", "u", "ui", "i",
];
const FINALS: [&str; 28] = [
    "", "k", "k", "k", "n", "n", "n", "t", "r", "k", "m", "r", "r", "r", "p", "r", "m", "p", "p",
    "t", "t", "n", "t", "t", "k", "t", "p", "t",
];

/// How a text sounds: letters that scripts do not tell apart are the same.
fn sound(text: &str) -> String {
    let mut sound = String::new();
    for c in text.chars() {
        let mut add = |part: &str| {
            for letter in part.chars() {
                let letter = match letter {
                    'l' => 'r',
                    'v' => 'w',
                    'c' | 'q' | 'g' => 'k',
                    'd' => 't',
                    'y' => 'i',
                    _ => letter,
                };
                if !sound.ends_with(letter) {
                    sound.push(letter);
                }
            }
        };
        match c {
            'a'..='z' => add(c.encode_utf8(&mut [0; 4])),
            'а'..='я' => add(CYRILLIC[c as usize - 'а' as usize]),
            '\u{ac00}'..='\u{d7a3}' => {
                let index = c as usize - 0xac00;
                add(INITIALS[index / 588]);
                add(VOWELS[index / 28 % 21]);
                add(FINALS[index % 28]);
            }
            _ => add(KANA
                .split(' ')
                .find_map(|entry| entry.strip_prefix(c))
                .unwrap_or("")),
        }
    }
    sound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_sounds_alike_in_every_script() {
        for (name, others) in [
            ("kaiwa", ["かいわ", "카이와", "каива"]),
            ("luna", ["るな", "루나", "луна"]),
            ("tomori", ["ともり", "토모리", "томори"]),
            ("mimi", ["みみ", "미미", "мими"]),
        ] {
            for other in others {
                assert_eq!(sound(other), sound(name), "{other}");
            }
        }
        assert_ne!(sound("おんがく"), sound("kaiwa"));
    }
}
