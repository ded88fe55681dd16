//! Answers that went in circles.
//!
//! A model that is shown its own text over and over goes on with it. Of a unit
//! that ends an answer many times, once is enough to know what was said.
//!
//! The text is taken word by word, so that neither the cuts between messages
//! nor the spaces around them hide the repetition; the prefix function of the
//! reversed words tells the shortest unit of every ending, in linear time.

use std::collections::HashMap;

/// Few repetitions of something long, or many of something short, are no
/// answer any more: so often, over so many bytes.
const CIRCLES: [(usize, usize); 2] = [(4, 800), (10, 300)];

/// How much more of a pattern that is mostly no words is one: rules, tables of
/// zeros, bytes in code.
const PATTERN: usize = 3;

/// After how many words the circles may end: half a word where the answer was
/// cut, the end of a code block, a mark.
const SLACK: usize = 3;

/// The text up to the end of the first round, if it ends in circles.
pub(super) fn without_circles(text: &str) -> Option<&str> {
    let shortest = CIRCLES.iter().map(|(_, bytes)| *bytes).min()?;
    if text.len() < shortest {
        return None;
    }
    let words = words(text);
    (0..=SLACK.min(words.len())).find_map(|left| {
        let words = &words[..words.len() - left];
        let (first, unit) = circles(words)?;
        let end = words[first + unit - 1].end;
        Some(text[..end].trim_end())
    })
}

/// A word, or a sign that is none.
struct Word {
    /// The same for the same words.
    id: usize,
    start: usize,
    end: usize,
    is_letters: bool,
}

/// Letters and digits that stand together are a word, unless their script
/// writes without spaces; every other sign is one by itself.
fn words(text: &str) -> Vec<Word> {
    let mut ids: HashMap<&str, usize> = HashMap::new();
    let mut words: Vec<Word> = Vec::new();
    let mut signs = text.char_indices().peekable();
    while let Some((start, sign)) = signs.next() {
        if sign.is_whitespace() {
            continue;
        }
        let mut end = start + sign.len_utf8();
        if is_spaced(sign) {
            while let Some((at, next)) = signs.next_if(|(_, next)| is_spaced(*next)) {
                end = at + next.len_utf8();
            }
        }
        let next_id = ids.len();
        words.push(Word {
            id: *ids.entry(&text[start..end]).or_insert(next_id),
            start,
            end,
            is_letters: sign.is_alphabetic(),
        });
    }
    words
}

/// Whether a sign is part of a word that has spaces around it.
fn is_spaced(sign: char) -> bool {
    let without_spaces = matches!(sign, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}');
    sign.is_alphanumeric() && !without_spaces
}

/// Where the circles begin that the words end in, and how many words one round
/// has.
fn circles(words: &[Word]) -> Option<(usize, usize)> {
    let backwards = |at: usize| words[words.len() - 1 - at].id;
    let mut borders = vec![0_usize; words.len()];
    for at in 1..words.len() {
        let mut border = borders[at - 1];
        while border > 0 && backwards(at) != backwards(border) {
            border = borders[border - 1];
        }
        borders[at] = border + usize::from(backwards(at) == backwards(border));
    }
    let end = words.last()?.end;
    // How many of the last so many words have letters.
    let mut lettered = Vec::with_capacity(words.len() + 1);
    lettered.push(0_usize);
    for word in words.iter().rev() {
        let so_far = lettered.last().copied().unwrap_or_default();
        lettered.push(so_far + usize::from(word.is_letters));
    }
    (0..words.len()).rev().find_map(|at| {
        let length = at + 1;
        let unit = length - borders[at];
        let first = words.len() - length;
        let bytes = end - words[first].start;
        let is_wordy = lettered[unit] * 2 >= unit;
        let factor = if is_wordy { 1 } else { PATTERN };
        CIRCLES
            .iter()
            .any(|(times, least)| length / unit >= *times && bytes >= least * factor)
            .then_some((first, unit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        let shown: String = text.chars().take(60).collect();
        assert_eq!(
            without_circles(text),
            expected,
            "{shown:?} of {}",
            text.len()
        );
    }

    #[test]
    fn one_round_of_circles_is_left() {
        let prose = "Tea comes from a plant. It is picked by hand, dried and rolled.";
        let paragraph = "This one paragraph is rather long, and it is said again and again, which \
                         nobody does who is in their right mind, and still it goes on and on and \
                         on, so that it fills the whole of the window without saying a thing.";
        check(&"I'm sorry. ".repeat(200), Some("I'm sorry."));
        check(&"はい。".repeat(300), Some("はい。"));
        check(&"ฮ่าๆ".repeat(100), Some("ฮ่าๆ"));
        check(
            &format!("{prose} {}", "And then ".repeat(300)),
            Some(&format!("{prose} And then")),
        );
        // Cut in the middle of a word, by a fence that was closed, by a mark.
        check(
            &format!("{}I'm so", "I'm sorry. ".repeat(90)),
            Some("I'm sorry."),
        );
        check(&format!("{}\n```", "no no no ".repeat(90)), Some("no"));
        check(&format!("{}…", "I know. ".repeat(90)), Some("I know."));
        // The cuts between messages are no end of it.
        let message = ["I'm sorry."; 30].join(" ");
        check(&[&*message; 6].join("\n"), Some("I'm sorry."));
        check(&["Sorry, again.\n\n"; 40].concat(), Some("Sorry, again."));
        check(&[paragraph; 4].join("\n\n"), Some(paragraph));
        check(&"0 | 0 |\n".repeat(400), Some("0 |"));
    }

    #[test]
    fn honest_repetition_stays() {
        let refrain = "Row, row, row your boat, gently down the stream.\n".repeat(8);
        let code: String = (0..120)
            .map(|n| format!("    assert_eq!(square({n}), {});\n", n * n))
            .collect();
        let list: String = (0..200).map(|n| format!("- number {n}\n")).collect();
        let after = format!(
            "{}But that is all over now, I promise.",
            "haha ".repeat(200)
        );
        for text in [
            "",
            "no",
            "haha haha haha",
            &"haha ".repeat(50),
            &"-".repeat(800),
            &"0x00, ".repeat(100),
            &refrain,
            &code,
            &list,
            &after,
        ] {
            check(text, None);
        }
    }

    /// Ten times the text takes about ten times as long, whatever it is.
    #[test]
    fn every_text_is_read_in_linear_time() {
        for unit in ["a ", "a b ", "ab a ab b ", "はい", "x y x y x z "] {
            let text = unit.repeat(400_000 / unit.len());
            assert!(without_circles(&text).is_some());
            assert!(without_circles(&format!("{text} one two three four five six")).is_none());
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_left_begins_the_text(text in "[ab はい。\n]{0,40}", times in 1_usize..200) {
            let text = text.repeat(times);
            if let Some(left) = without_circles(&text) {
                proptest::prop_assert!(text.starts_with(left));
                proptest::prop_assert!(!left.trim().is_empty());
                proptest::prop_assert!(left.len() < text.len());
            }
        }
    }
}
