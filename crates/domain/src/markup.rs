//! Tags that models write around their thoughts and asides.

/// Why a text does not begin with what is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Miss {
    /// It begins with something else.
    Differs,
    /// It is over too soon: the right text may follow.
    Ended,
}

/// `<name …>` or `</name …>`, perhaps with a name space: `<ns:name>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MarkupTag<'t> {
    /// Its name, without the name space.
    pub name: &'t str,
    /// Whether it has a name space.
    pub spaced: bool,
    /// Whether it closes something.
    pub closes: bool,
    /// How many bytes it has.
    pub length: usize,
}

impl<'t> MarkupTag<'t> {
    /// No tag is longer than this many bytes, attributes included …
    pub const LONGEST: usize = 192;
    /// … and no name.
    const LONGEST_NAME: usize = 32;

    /// Reads the tag that `text` begins with, if `wants` its name, which may
    /// have a name space.
    pub fn read(text: &'t str, wants: impl Fn(&str, bool) -> bool) -> Result<Self, Miss> {
        let Some(inner) = text.strip_prefix('<') else {
            return match text {
                "" => Err(Miss::Ended),
                _ => Err(Miss::Differs),
            };
        };
        let closes = inner.starts_with('/');
        let mut rest = &inner[usize::from(closes)..];
        let (mut name, mut spaced) = ("", false);
        for part in 0..2 {
            let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
            let after = rest.trim_start_matches(is_name);
            name = &rest[..rest.len() - after.len()];
            if name.is_empty() && !after.is_empty() || name.len() > Self::LONGEST_NAME {
                return Err(Miss::Differs);
            }
            rest = after;
            match rest.strip_prefix(':') {
                Some(after) if part == 0 => (rest, spaced) = (after, true),
                _ => break,
            }
        }
        if rest.is_empty() {
            return Err(Miss::Ended);
        }
        if !wants(name, spaced) || !rest.starts_with(['>', ' ', '\t']) {
            return Err(Miss::Differs);
        }
        let begin = text.len() - rest.len();
        let most = text.floor_char_boundary(Self::LONGEST);
        match text[begin..most.max(begin)].find(['>', '<', '\n']) {
            Some(end) if rest[end..].starts_with('>') => Ok(Self {
                name,
                spaced,
                closes,
                length: begin + end + 1,
            }),
            None if text.len() < Self::LONGEST => Err(Miss::Ended),
            _ => Err(Miss::Differs),
        }
    }

    /// Whether a tag with this name stands around thoughts.
    pub fn is_thought(name: &str) -> bool {
        let names = ["think", "thinking", "thought"];
        names.iter().any(|known| name.eq_ignore_ascii_case(known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<MarkupTag<'_>, Miss> {
        MarkupTag::read(text, |name, _| MarkupTag::is_thought(name))
    }

    #[test]
    fn tags_around_thoughts() {
        for (text, closes, length) in [
            ("<think>", false, 7),
            ("<THINK>x", false, 7),
            ("</thinking>", true, 11),
            ("</think >", true, 9),
            ("<seed:think>", false, 12),
            ("<thought a='b'>", false, 15),
        ] {
            let Ok(tag) = read(text) else {
                panic!("{text} is none");
            };
            assert_eq!((tag.closes, tag.length), (closes, length), "{text}");
            // What it is does not change with what is still to come.
            for cut in 0..length {
                assert_eq!(read(&text[..cut]), Err(Miss::Ended), "{text} at {cut}");
            }
        }
    }

    #[test]
    fn no_tags() {
        let long = format!("<think {}", "a".repeat(MarkupTag::LONGEST));
        for text in [
            "a",
            "< think>",
            "<thinker>",
            "<:think:1>",
            "<a:think:1>",
            "<ns::think>",
            "<think\n>",
            "<think <b>",
            long.as_str(),
        ] {
            assert_eq!(read(text), Err(Miss::Differs), "{text}");
        }
    }
}
