//! Text that is sent as a file, since it is too long to read in a chat.

use crate::limits::MESSAGE_UTF16;

/// A file of text, such as a long piece of code.
///
/// Whoever stores its source has stored the file: its name, a new line, and
/// its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    source: String,
    /// Where the name ends in the source.
    name: usize,
}

/// What a backtick fence in the text becomes where the file is shown in one.
const BROKEN_FENCE: &str = "`\u{200b}``";

impl File {
    /// The longest text, in bytes: as text it is never more messages than a
    /// post has [names](crate::Nonce::part) for.
    pub const MAX_BYTES: usize = 24 * 1024;

    /// The longest name.
    pub const NAME_BYTES: usize = 64;

    /// A file of this name, if it is one: letters, digits, dots and dashes.
    pub fn new(name: &str, text: &str) -> Option<Self> {
        let file = Self::parse(&format!("{name}\n{text}"))?;
        (file.name == name.len()).then_some(file)
    }

    /// Reads a file from its source.
    pub fn parse(source: &str) -> Option<Self> {
        let name = source.find('\n')?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
        if source.len() > Self::MAX_BYTES + name + 1 {
            return None;
        }
        let named = (1..=Self::NAME_BYTES).contains(&name) && source[..name].bytes().all(plain);
        named.then(|| Self {
            source: source.to_owned(),
            name,
        })
    }

    /// Name and text.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.source[..self.name]
    }

    /// What is in it.
    pub fn text(&self) -> &str {
        &self.source[self.name + 1..]
    }

    /// What it is, in words.
    pub fn alt(&self) -> String {
        match self.text().lines().count() {
            1 => format!("{}, 1 line", self.name()),
            lines => format!("{}, {lines} lines", self.name()),
        }
    }

    /// The file as messages of at most `max` UTF-16 units, for where files are
    /// not allowed.
    pub fn as_text(&self, max: usize) -> Vec<String> {
        let kind = self.name().rsplit('.').next().unwrap_or("");
        let (open, close) = (format!("```{kind}\n"), "```");
        let room = max
            .min(MESSAGE_UTF16)
            .saturating_sub(open.len() + close.len())
            .max(64);
        let mut messages = Vec::new();
        let mut message = String::new();
        let mut length = 0;
        let mut give_out = |message: &mut String, length: &mut usize| {
            if !message.trim().is_empty() {
                messages.push(format!("{open}{message}{close}"));
            }
            message.clear();
            *length = 0;
        };
        for line in self.text().replace("```", BROKEN_FENCE).lines() {
            let width: usize = line.chars().map(char::len_utf16).sum();
            if length + width + 1 > room {
                give_out(&mut message, &mut length);
            }
            for c in line.chars() {
                if length + c.len_utf16() + 1 > room {
                    message.push('\n');
                    give_out(&mut message, &mut length);
                }
                message.push(c);
                length += c.len_utf16();
            }
            message.push('\n');
            length += 1;
        }
        give_out(&mut message, &mut length);
        messages
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MESSAGE_TARGET_UTF16;

    #[test]
    fn a_file_is_made_from_its_source() {
        let file = File::new("code.rs", "fn main() {}\n\n// é\n").unwrap();
        assert_eq!(File::parse(file.source()).as_ref(), Some(&file));
        assert_eq!(
            (file.name(), file.text()),
            ("code.rs", "fn main() {}\n\n// é\n")
        );
        assert_eq!(file.alt(), "code.rs, 3 lines");
        let long = "a".repeat(65);
        for name in ["", "a b", "../x", "a\"b", "a\nb", long.as_str()] {
            assert_eq!(File::new(name, "x"), None, "{name:?}");
        }
    }

    #[test]
    fn as_text_the_longest_file_has_names_for_its_parts() {
        for line in [
            "`".repeat(969) + "\n",
            "x".repeat(972) + "\n",
            "é\n".to_owned(),
        ] {
            let text = line.repeat(File::MAX_BYTES / line.len());
            let file = File::new("code.rs", &text).unwrap();
            assert!(file.as_text(MESSAGE_TARGET_UTF16).len() <= 36, "{line}");
        }
        let text = "x".repeat(File::MAX_BYTES + 1);
        assert_eq!(File::new("code.rs", &text), None);
    }

    #[test]
    fn as_text_it_fits_and_is_whole() {
        let code: String = (0..300)
            .map(|n| format!("    let line_{n} = \"```\";\n"))
            .collect();
        let code = code + &"x".repeat(5000);
        let file = File::new("code.rs", &code).unwrap();
        let messages = file.as_text(1950);
        let mut shown = String::new();
        for message in &messages {
            assert!(message.encode_utf16().count() <= 1950);
            let inner = message.strip_prefix("```rs\n").unwrap();
            shown.push_str(inner.strip_suffix("```").unwrap());
        }
        let shown = shown.replace(BROKEN_FENCE, "```").replace('\n', "");
        assert_eq!(shown, code.replace('\n', ""));
    }
}
