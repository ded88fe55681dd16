//! Words that address us.
//!
//! In scripts with spaces a word counts as a whole, in any case, and its
//! letters may be stretched: "kaaaiwa". In Chinese, Japanese and Korean it
//! counts anywhere.

/// The words of one persona, made ready to be looked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TriggerWords {
    patterns: Vec<WordPattern>,
    /// The letters of ASCII with which one begins, by number.
    begins: u128,
    /// Whether one begins with another letter.
    begins_beyond: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum WordPattern {
    /// Runs of equal letters; whitespace is one run.
    Word(Vec<(char, usize)>),
    /// Anywhere.
    Part(Vec<char>),
}

impl TriggerWords {
    /// Makes words ready. What has no letters or digits is left out.
    pub fn new<S: AsRef<str>>(words: &[S]) -> Self {
        let mut ready = Self::default();
        for word in words {
            let word: Vec<char> = folded(word.as_ref().trim()).collect();
            if !word.iter().any(|c| c.is_alphanumeric()) {
                continue;
            }
            match word[0] {
                first if first.is_ascii() => ready.begins |= 1 << u32::from(first),
                _ => ready.begins_beyond = true,
            }
            ready
                .patterns
                .push(match word.iter().any(|c| is_unspaced(*c)) {
                    true => WordPattern::Part(word),
                    false => WordPattern::Word(runs(word.into_iter())),
                });
        }
        ready
    }

    /// Whether one of them is in `text`. Takes no memory: most texts hold none.
    pub fn are_in(&self, text: &str) -> bool {
        self.first_in(text).is_some()
    }

    /// Where in `text` the first of them is, in bytes.
    pub fn first_in(&self, text: &str) -> Option<usize> {
        if self.patterns.is_empty() {
            return None;
        }
        let mut after_letter = false;
        for (at, c) in text.char_indices() {
            let may_begin = match c.is_ascii() {
                true => self.begins & 1 << u32::from(c.to_ascii_lowercase()) != 0,
                // The lower case of some letters is one of ASCII.
                false => self.begins_beyond || c.to_lowercase().any(|c| c.is_ascii()),
            };
            if may_begin
                && self
                    .patterns
                    .iter()
                    .any(|it| it.begins(&text[at..], after_letter))
            {
                return Some(at);
            }
            after_letter = match c.is_ascii() {
                true => c.is_ascii_alphanumeric(),
                false => c
                    .to_lowercase()
                    .next_back()
                    .is_some_and(char::is_alphanumeric),
            };
        }
        None
    }
}

impl WordPattern {
    /// Whether `text` begins with it; a word does not begin within another.
    fn begins(&self, text: &str, after_letter: bool) -> bool {
        match self {
            Self::Part(part) => {
                let mut text = folded(text);
                part.iter().all(|letter| text.next() == Some(*letter))
            }
            Self::Word(word) => !after_letter && begins_with_word(word, text),
        }
    }
}

/// Lower case, and every whitespace the same.
fn folded(text: &str) -> impl Iterator<Item = char> {
    let chars = text.chars();
    let chars = chars.map(|c| if c.is_whitespace() { ' ' } else { c });
    chars.flat_map(char::to_lowercase)
}

/// Scripts that put no space between words.
const fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

fn runs(chars: impl Iterator<Item = char>) -> Vec<(char, usize)> {
    let mut runs: Vec<(char, usize)> = Vec::new();
    for c in chars {
        match runs.last_mut() {
            Some((last, count)) if *last == c => *count += 1,
            _ => runs.push((c, 1)),
        }
    }
    runs
}

/// Whether a text begins with a word, perhaps stretched, that ends there.
fn begins_with_word(word: &[(char, usize)], text: &str) -> bool {
    let mut text = folded(text).peekable();
    for &(letter, count) in word {
        let mut run = 0;
        while text.next_if_eq(&letter).is_some() {
            run += 1;
        }
        let least = if letter == ' ' { 1 } else { count };
        if run < least {
            return false;
        }
    }
    !text.peek().is_some_and(|c| c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_in_any_case_and_stretched() {
        let words = TriggerWords::new(&["kaiwa", "book", "hey tomo", "会話", "카이와", "!!"]);
        for (text, expect) in [
            ("kaiwa?", true),
            ("KAIWA", true),
            ("oh kaaaiiiwaaaa!!", true),
            ("(kaiwa)", true),
            ("kaiwas", false),
            ("mykaiwa", false),
            ("kawa", false),
            ("boook", true),
            ("bok", false),
            ("hey  tomo", true),
            ("hey\ntomooo", true),
            ("heytomo", false),
            ("この会話は", true),
            ("카이와야", true),
            ("会", false),
            ("!!", false),
            ("", false),
            ("\u{212a}aiwa", true),
            ("İkaiwa", true),
            ("ñkaiwa", false),
            ("a hey tomo", true),
        ] {
            assert_eq!(words.are_in(text), expect, "{text:?}");
        }
        assert!(!TriggerWords::default().are_in("kaiwa"));
    }
}
