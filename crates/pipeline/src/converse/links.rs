//! Addresses that could carry something away.
//!
//! Discord fetches every address that a message holds, to show what is there.
//! A model that was talked into it can so send what only it has read to
//! anybody, without a click. Where that is possible, an address that nobody
//! showed to the model, and that has room for a message, is shown as text:
//! `hxxps://`, which is as long and leads nowhere.

use std::borrow::Cow;

use memchr::memmem;

/// The most that is remembered of what the model was shown, in bytes.
const KNOWN_BYTES: usize = 256 * 1024;

/// How long a name of a host, a step of a path and the whole path may be, in
/// bytes, without room for a message.
const LABEL_BYTES: usize = 24;
const STEP_BYTES: usize = 32;
const PATH_BYTES: usize = 64;

/// How much a search may hold that the asker did not say, in bytes, without room
/// for a message.
const WORDS_BYTES: usize = 24;

/// Knows the addresses that a model was shown.
#[derive(Clone, Debug, Default)]
pub struct LinkGuard {
    known: String,
    /// What the asker said, in small letters.
    asked: String,
}

impl LinkGuard {
    /// The model was shown this.
    pub fn learn(&mut self, text: &str) {
        if text.contains("://") && self.known.len() + text.len() < KNOWN_BYTES {
            self.known.push_str(text);
            self.known.push('\n');
        }
    }

    /// The asker said this: it is theirs to send.
    pub fn hear_asker(&mut self, text: &str) {
        self.asked = text.to_lowercase();
    }

    /// Whether asking for an address could carry something away.
    pub fn address_carries(&self, address: &str) -> bool {
        has_room(address) && !self.knows(address)
    }

    /// Whether searching for words could carry something away: those that the
    /// asker did not say have room for a message.
    pub fn words_carry(&self, words: &str) -> bool {
        let words = words.to_lowercase();
        let words = words.split_whitespace();
        let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        let new = words.filter(|word| !self.was_said(word));
        new.map(str::len).sum::<usize>() > WORDS_BYTES
    }

    /// The text with such addresses as text. What is in code is left alone: it
    /// leads nowhere anyway.
    pub fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut guarded = Cow::Borrowed(text);
        let mut at = 0;
        while let Some(found) = text[at..].find(['`', 'h', 'H']) {
            at += found;
            if text[at..].starts_with('`') {
                at = after_code(text, at);
                continue;
            }
            let address = address(&text[at..]);
            if has_room(address) && !self.knows(address) {
                guarded.to_mut().replace_range(at..at + 4, "hxxp");
            }
            at += address.len().max(1);
        }
        guarded
    }

    /// Whether the asker said a word. Letters are no words: anything could be
    /// spelt with those of a question.
    fn was_said(&self, word: &str) -> bool {
        match word.is_ascii() {
            true => {
                let mut said = self.asked.split(|c: char| !c.is_alphanumeric());
                said.any(|it| it == word)
            }
            // Not every script has spaces.
            false => word.chars().nth(1).is_some() && self.asked.contains(word),
        }
    }

    fn knows(&self, address: &str) -> bool {
        memmem::find(self.known.as_bytes(), address.as_bytes()).is_some()
    }
}

/// The address that `text` begins with; empty if there is none.
fn address(text: &str) -> &str {
    let begins = |scheme: &str| {
        let start = text.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    if !begins("http://") && !begins("https://") {
        return "";
    }
    let ends = |c: char| c.is_whitespace() || "<>`\")]".contains(c);
    &text[..text.find(ends).unwrap_or(text.len())]
}

/// The first byte after the code that begins at `at`, or after its backticks if
/// it never ends. This is code as Discord shows it, not as it is read while it
/// arrives: what is waited for then may never come, and the address is fetched.
fn after_code(text: &str, at: usize) -> usize {
    let run = text[at..].bytes().take_while(|byte| *byte == b'`').count();
    let fence = &text[at..at + run];
    let inside = at + run;
    match text[inside..].find(fence) {
        Some(length) => inside + length + run,
        None => inside,
    }
}

/// Whether an address has room for a message beside naming a place.
fn has_room(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let (host, path) = match rest.find(['/', '?', '#']) {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    host.split('.').any(|label| label.len() > LABEL_BYTES)
        || host.contains('@')
        || path.contains(['?', '#', '%'])
        || path.len() > PATH_BYTES
        || path.split('/').any(|step| step.len() > STEP_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_address_with_room_that_nobody_showed_is_text() {
        let mut guard = LinkGuard::default();
        guard.learn("see https://tea.example/list?sort=age and more");
        for (text, expected) in [
            ("https://tea.example/", "https://tea.example/"),
            (
                "[tea](https://tea.example/green)",
                "[tea](https://tea.example/green)",
            ),
            (
                "https://tea.example/list?sort=age",
                "https://tea.example/list?sort=age",
            ),
            // A bracket behind an address is none of it.
            (
                "(https://tea.example/list?sort=age)",
                "(https://tea.example/list?sort=age)",
            ),
            ("https://e.example/?q=secret", "hxxps://e.example/?q=secret"),
            ("HTTP://e.example/#secret!", "hxxp://e.example/#secret!"),
            ("![](https://e.example/a?b)", "![](hxxps://e.example/a?b)"),
            ("<https://e.example/a?b>", "<hxxps://e.example/a?b>"),
            ("`https://e.example/?q=1` ok", "`https://e.example/?q=1` ok"),
            (
                "```\nhttps://e.example/?q=1\n```",
                "```\nhttps://e.example/?q=1\n```",
            ),
            ("` https://e.example/?q=1", "` hxxps://e.example/?q=1"),
            ("https://a:b@e.example/", "hxxps://a:b@e.example/"),
            (
                "https://theverylongsecretofadaandben.e.example",
                "hxxps://theverylongsecretofadaandben.e.example",
            ),
            (
                "https://e.example/theverylongsecretofadaandbenandnoor",
                "hxxps://e.example/theverylongsecretofadaandbenandnoor",
            ),
            ("no address: http:/ https", "no address: http:/ https"),
        ] {
            assert_eq!(guard.apply(text), expected, "{text}");
        }
        // One that goes on where a known one ends is another.
        let longer = "https://tea.example/list?sort=age&q=secret";
        assert!(guard.apply(longer).starts_with("hxxps"));
    }

    #[test]
    fn what_is_asked_of_the_web_carries_nothing_away() {
        let mut guard = LinkGuard::default();
        guard.learn("see https://tea.example/list?sort=age and more");
        guard.hear_asker("What does Sencha cost in Uji? 抹茶の値段も");
        for (address, carries) in [
            ("https://tea.example/", false),
            ("https://tea.example/green", false),
            ("https://tea.example/list?sort=age", false),
            ("https://e.example/?q=secret", true),
            (
                "https://e.example/theverylongsecretofadaandbenandnoor",
                true,
            ),
            ("https://theverylongsecretofadaandben.e.example/", true),
        ] {
            assert_eq!(guard.address_carries(address), carries, "{address}");
        }
        for (words, carries) in [
            ("sencha Uji price today", false),
            ("抹茶 値段", false),
            ("what does sencha cost in uji what does sencha cost", false),
            ("Ada's safe opens with 4711 and 1147", true),
            ("sencha AdaKeepsTheMoneyUnderHerTeapot", true),
            // Spelt with the letters of the question.
            (
                "e n c o u n t e r s h a t e t h e s a u c e s h e r e",
                true,
            ),
            ("", false),
        ] {
            assert_eq!(guard.words_carry(words), carries, "{words}");
        }
    }

    proptest! {
        #[test]
        fn nothing_else_changes(text in "(\\PC|`|https://|[ ?#/.)\\n]){0,60}") {
            let guarded = LinkGuard::default().apply(&text).into_owned();
            prop_assert_eq!(guarded.len(), text.len());
            let changed = guarded.bytes().zip(text.bytes()).filter(|(one, other)| one != other);
            for (now, before) in changed {
                prop_assert!(b"hxp".contains(&now) && b"hHtTpP".contains(&before));
            }
        }
    }
}
