//! What the understudy hears: the last message of a person, without the parts
//! that were put there for a model.

/// How much of a message is heard, in characters.
const HEARD_CHARS: usize = 4000;

/// The longest name that is taken for a speaker's label, in characters.
const LABEL_CHARS: usize = 40;

/// Words that, before a colon, are a request and no name.
const NOT_NAMES: [&str; 3] = ["say", "repeat", "echo"];

/// A message, heard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Prompt {
    /// Who speaks, if the message says so.
    pub(crate) speaker: Option<String>,
    /// What they say, without label and mentions.
    pub(crate) text: String,
    /// The words of it in lower case, without punctuation.
    pub(crate) words: Vec<String>,
}

impl Prompt {
    pub(crate) fn hear(message: &str) -> Self {
        let message = match message.char_indices().nth(HEARD_CHARS) {
            Some((end, _)) => &message[..end],
            None => message,
        };
        let (speaker, text) = match label(message) {
            Some((name, text)) => (Some(name.to_owned()), text),
            None => (None, message),
        };
        let text = without_mentions(without_quote(text));
        let words = text
            .split(|c: char| !c.is_alphanumeric() && c != '\'')
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        Self {
            speaker,
            text,
            words,
        }
    }

    /// Whether the words of `phrase` occur one after the other.
    pub(crate) fn has(&self, phrase: &str) -> bool {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        self.words
            .windows(phrase.len())
            .any(|words| words == phrase)
    }

    /// What follows the first word, as it was written.
    pub(crate) fn after_first_word(&self) -> &str {
        let rest = self.text.trim_start_matches(|c: char| !c.is_alphanumeric());
        let rest = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '\'');
        rest.trim_start_matches([':', ',']).trim()
    }
}

/// Splits "Name: text".
fn label(message: &str) -> Option<(&str, &str)> {
    let (name, text) = message.split_once(": ")?;
    let is_name = !name.trim().is_empty()
        && name.chars().count() <= LABEL_CHARS
        && !name.contains(['\n', ':', '<'])
        && !NOT_NAMES.contains(&name.to_lowercase().as_str());
    is_name.then_some((name.trim(), text))
}

/// Drops the quote of the message replied to, as in `[Replying to Ada: "…"] x`.
fn without_quote(text: &str) -> &str {
    let quote = text.strip_prefix("[Replying to ");
    let rest = quote.and_then(|quote| match quote.split_once("\"] ") {
        Some((_, rest)) => Some(rest),
        None => quote.split_once("] ").map(|(_, rest)| rest),
    });
    rest.unwrap_or(text)
}

/// Drops tags like `<@1>`, and a name with `@` in front of it all.
fn without_mentions(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<@") {
        let tag = rest[start + 2..].trim_start_matches(['!', '&']);
        let after = tag.trim_start_matches(|c: char| c.is_ascii_digit());
        match after.strip_prefix('>') {
            Some(after) => {
                kept.push_str(&rest[..start]);
                rest = after;
            }
            None => {
                kept.push_str(&rest[..start + 2]);
                rest = &rest[start + 2..];
            }
        }
    }
    kept.push_str(rest);
    let kept = kept.trim();
    let kept = match kept.strip_prefix('@') {
        Some(name) => name.trim_start_matches(|c: char| !c.is_whitespace()),
        None => kept,
    };
    kept.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_mentions_are_set_aside() {
        fn check(message: &str, speaker: Option<&str>, text: &str) {
            let prompt = Prompt::hear(message);
            assert_eq!(prompt.speaker.as_deref(), speaker, "{message}");
            assert_eq!(prompt.text, text, "{message}");
        }
        check("hello", None, "hello");
        check("Ada: hello", Some("Ada"), "hello");
        check("Ada Lovelace: @Kaiwa, hello", Some("Ada Lovelace"), "hello");
        check("Ada: <@123> hello <@!4><@&5>", Some("Ada"), "hello");
        check("Ada: a <@x> b <@1", Some("Ada"), "a <@x> b <@1");
        check("Ada: say: x", Some("Ada"), "say: x");
        check(
            "Ada: [Replying to Ben: \"a] b\"] say x",
            Some("Ada"),
            "say x",
        );
        check("Ada: [Replying to Ben's image] hm", Some("Ada"), "hm");
        check("say: x", None, "say: x");
        check("line\nnext: x", None, "line\nnext: x");
        check(": x", None, ": x");
        check("", None, "");
        check("Ada: @Kaiwa", Some("Ada"), "");
    }

    #[test]
    fn phrases_are_whole_words() {
        let prompt = Prompt::hear("Ada: Please, WHAT can you do? I'm a listener.");
        for phrase in ["please", "what can you do", "i'm a", "listener"] {
            assert!(prompt.has(phrase), "{phrase}");
        }
        for phrase in ["list", "ada", "can do", "lease"] {
            assert!(!prompt.has(phrase), "{phrase}");
        }
        assert!(!Prompt::hear("").has("list"));
    }

    #[test]
    fn the_rest_is_as_it_was_written() {
        for (message, expect) in [
            ("say Hello,  World!", "Hello,  World!"),
            ("Say: (hm)", "(hm)"),
            ("repeat", ""),
            ("repeat a\nb", "a\nb"),
        ] {
            assert_eq!(Prompt::hear(message).after_first_word(), expect);
        }
        let endless = format!("say {}", "é".repeat(9000));
        assert_eq!(
            Prompt::hear(&endless).after_first_word().chars().count(),
            3996
        );
    }
}
