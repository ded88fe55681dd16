//! What to choose from, as people write it: "tea, coffee or milk", 「お茶か水」.

/// The choices of a text. The strongest sign between them counts, so that "tea
/// or coffee, milk" is two.
pub(super) fn read_choices(text: &str) -> Vec<String> {
    let text = text.trim_end().trim_end_matches(['?', '？']);
    let split = |signs: &[char]| -> Vec<String> {
        let parts = text.split(signs).map(str::trim);
        parts
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let signs: [&[char]; 3] = [&['\n', '|', '｜'], &[';', '；'], &[',', '，', '、']];
    let found = signs.into_iter().find(|it| text.contains(*it));
    if let Some(signs) = found {
        // "tea, coffee, or milk"
        let choices = split(signs).into_iter().map(|it| {
            let bare = it.get(..3).filter(|or| or.eq_ignore_ascii_case("or "));
            bare.map_or_else(|| it.clone(), |_| it[3..].trim().to_owned())
        });
        let mut choices: Vec<String> = choices.collect();
        // "tea, coffee or milk"
        if let Some(last) = choices.pop() {
            choices.extend(by_or(&last));
        }
        return choices;
    }
    by_or(text)
}

/// 「お茶かコーヒー」 and "tea or coffee".
fn by_or(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        match word.eq_ignore_ascii_case("or") || matches!(word, "か" | "または" | "それとも")
        {
            true => parts.push(std::mem::take(&mut part).join(" ")),
            false => part.push(word),
        }
    }
    parts.push(part.join(" "));
    parts.retain(|it| !it.is_empty());
    match parts.as_slice() {
        [one] => by_ka(one),
        _ => parts,
    }
}

/// 「か」 is a letter of many words: it stands between two only where another
/// kind of letters is on both sides of it, or on one of them nothing at all.
fn by_ka(text: &str) -> Vec<String> {
    let is_hiragana = |c: char| ('\u{3041}'..='\u{309f}').contains(&c);
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let mut parts = Vec::new();
    let mut begun = 0;
    for (number, (at, letter)) in letters.iter().enumerate() {
        let before = number.checked_sub(1).and_then(|it| letters.get(it));
        let after = letters.get(number + 1);
        let alone = |side: Option<&(usize, char)>| side.is_none_or(|(_, c)| !is_hiragana(*c));
        if *letter == 'か' && alone(before) && alone(after) {
            parts.push(text[begun..*at].trim().to_owned());
            begun = at + letter.len_utf8();
        }
    }
    parts.push(text[begun..].trim().to_owned());
    parts.retain(|it| !it.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{ProptestConfig, any, prop_assert, proptest};

    #[test]
    fn choices_are_apart_by_signs_or_words() {
        for (text, expected) in [
            ("tea or coffee", "tea|coffee"),
            ("tea OR green coffee", "tea|green coffee"),
            ("tea or coffee?", "tea|coffee"),
            ("tea; coffee", "tea|coffee"),
            ("tea, black; coffee", "tea, black|coffee"),
            ("tea, coffee or milk", "tea|coffee|milk"),
            ("tea, coffee, or milk", "tea|coffee|milk"),
            ("tea or coffee, milk", "tea or coffee|milk"),
            ("お茶，水", "お茶|水"),
            ("お茶か水", "お茶|水"),
            ("お茶かコーヒーか水", "お茶|コーヒー|水"),
            ("お茶 か 水", "お茶|水"),
            ("すいか、かき", "すいか|かき"),
            ("すいか", "すいか"),
            ("orange or oregano", "orange|oregano"),
            ("a | b", "a|b"),
            ("one\ntwo, three", "one|two, three"),
        ] {
            assert_eq!(read_choices(text).join("|"), expected, "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn no_choices_are_too_strange(text in any::<String>()) {
            prop_assert!(read_choices(&text).iter().all(|it| !it.is_empty()));
        }

        #[test]
        fn nor_are_those_with_words_between(text in "([a-zかお茶水 ,;|]|or | or ){0,40}") {
            let _ = read_choices(&text);
        }
    }
}
