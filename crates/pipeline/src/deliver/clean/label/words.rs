//! Words that writers put in front of a colon: `Note: …`, `Step 2: …`.
//!
//! Anybody may call themselves so. If such a name ended an answer like that of
//! a person, one member could cut short everybody's answers, so these words
//! name nobody. The price is small: what a model says for a member called
//! "Note" is shown.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words of labels, in lower case, with commas between them: of English,
/// Spanish, Portuguese, French, German, Italian, Russian, Chinese, Japanese and
/// Korean, and the most common of Arabic, Hindi, Indonesian, Vietnamese, Polish
/// and Turkish.
static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let words = include_str!("words.txt").split([',', '\n']);
    words
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .collect()
});

/// Whether a name, in lower case, is a label: such a word, alone or as the
/// first or the last of two, as in `step 1` and `final answer`. What is drawn
/// around the words does not count.
pub(super) fn is_label(name: &str) -> bool {
    let bare = |word: &str| is_word(word.trim_matches(|c: char| !c.is_alphanumeric()));
    let mut words = name.split_whitespace();
    let (first, last) = (words.next(), words.next());
    bare(name) || (words.next().is_none() && [first, last].into_iter().flatten().any(bare))
}

/// Whether a word, in lower case, stands in front of colons.
pub(super) fn is_word(word: &str) -> bool {
    WORDS.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found() {
        assert_eq!(WORDS.len(), 613);
        for word in WORDS.iter() {
            assert_eq!(word.to_lowercase(), *word);
        }
        assert!(is_word("chú ý") && is_word("note") && !is_word("mia"));
    }
}
