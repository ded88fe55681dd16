//! Words that address us.
//!
//! In scripts with spaces a word counts as a whole, in any case, and its
//! letters may be stretched: "kaaaiwa". In Chinese, Japanese and Korean it
//! counts anywhere.

/// The words of one persona, made ready to be looked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TriggerWords(Vec<WordPattern>);

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
        let words = words.iter().map(|word| fold(word.as_ref()));
        let words = words.filter(|word| word.iter().any(|c| c.is_alphanumeric()));
        let triggers = words.map(|word| match word.iter().any(|c| is_unspaced(*c)) {
            true => WordPattern::Part(word),
            false => WordPattern::Word(runs(word.into_iter())),
        });
        Self(triggers.collect())
    }

    /// Whether one of them is in `text`.
    pub fn are_in(&self, text: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let text = fold(text);
        self.0.iter().any(|trigger| match trigger {
            WordPattern::Part(part) => text.windows(part.len()).any(|window| window == part),
            WordPattern::Word(word) => is_word_in(word, &text),
        })
    }
}

/// Lower case, and every whitespace the same.
fn fold(text: &str) -> Vec<char> {
    let chars = text.trim().chars();
    let chars = chars.map(|c| if c.is_whitespace() { ' ' } else { c });
    chars.flat_map(char::to_lowercase).collect()
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

/// Whether a word stands in a text between boundaries, perhaps stretched.
fn is_word_in(word: &[(char, usize)], text: &[char]) -> bool {
    let mut start = 0;
    while start < text.len() {
        let at_boundary = start == 0 || !text[start - 1].is_alphanumeric();
        if at_boundary
            && let Some(end) = match_runs(word, text, start)
            && !text.get(end).is_some_and(|c| c.is_alphanumeric())
        {
            return true;
        }
        start += 1;
    }
    false
}

/// Where the word that begins at `start` ends, if it does begin there.
fn match_runs(word: &[(char, usize)], text: &[char], start: usize) -> Option<usize> {
    let mut at = start;
    for &(letter, count) in word {
        let run = text[at..].iter().take_while(|c| **c == letter).count();
        let least = if letter == ' ' { 1 } else { count };
        if run < least {
            return None;
        }
        at += run;
    }
    Some(at)
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
        ] {
            assert_eq!(words.are_in(text), expect, "{text:?}");
        }
        assert!(!TriggerWords::default().are_in("kaiwa"));
    }
}
