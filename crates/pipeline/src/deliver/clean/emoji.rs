//! Custom emoji: by name, by tag, and not again and again.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::deliver::Vocabulary;
use crate::deliver::edit::Editor;
use crate::deliver::explain::Reason;
use crate::deliver::lookup;
use crate::deliver::scan::{Kind, Lexeme, lexemes};

/// A custom emoji.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Emoji {
    /// Its name, without colons.
    pub name: String,
    /// Its id on Discord.
    pub id: u64,
    /// Whether it moves.
    pub animated: bool,
}

/// The emoji that may be used, found by name in any case.
#[derive(Clone, Debug, Default)]
pub struct EmojiBook {
    tags: HashMap<String, String>,
}

/// The longest name of an emoji.
const LONGEST_NAME: usize = 32;
/// The shortest id of anything on Discord that a model would have seen.
const SHORTEST_ID: usize = 15;

/// Names that everybody writes, with what they stand for.
const STANDARD: &str = "blush 😊 broken_heart 💔 clap 👏 cry 😢 eyes 👀 fire 🔥 grin 😁 heart ❤️ heart_eyes 😍 \
    joy 😂 muscle 💪 ok_hand 👌 pensive 😔 pray 🙏 rocket 🚀 rofl 🤣 skull 💀 smile 😄 \
    smiley 😃 sob 😭 sparkles ✨ star ⭐ sunglasses 😎 tada 🎉 thinking 🤔 thumbsup 👍 \
    warning ⚠️ wave 👋 wink 😉";

impl EmojiBook {
    /// The book of these emoji. Of two with one name, the first counts.
    pub fn new(emoji: impl IntoIterator<Item = Emoji>) -> Self {
        let mut tags = HashMap::new();
        for Emoji { name, id, animated } in emoji {
            let a = if animated { "a" } else { "" };
            tags.entry(name.to_lowercase())
                .or_insert_with(|| format!("<{a}:{name}:{id}>"));
        }
        Self { tags }
    }

    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(&name.to_lowercase()).map(String::as_str)
    }
}

/// The names of the custom emoji that were used lately.
#[derive(Clone, Debug, Default)]
pub struct RecentEmoji {
    names: HashSet<String>,
}

impl RecentEmoji {
    /// The emoji in these messages. The last five of our own are a good choice.
    pub fn in_messages<'a>(messages: impl IntoIterator<Item = &'a str>) -> Self {
        let mut names = HashSet::new();
        for message in messages {
            let used = lexemes(message).filter_map(|token| name_of(message, token));
            names.extend(used.map(str::to_lowercase));
        }
        Self { names }
    }
}

/// The name in `:name:` or `<:name:id>`.
fn name_of(text: &str, token: Lexeme) -> Option<&str> {
    let text = &text[token.range()];
    match token.kind {
        Kind::Shortcode => text.strip_prefix(':')?.strip_suffix(':'),
        Kind::Emoji => text.split(':').nth(1),
        _ => None,
    }
}

/// What to do with the emoji of a segment.
pub(super) struct Emojis<'a> {
    text: &'a str,
    book: &'a EmojiBook,
    recent: &'a RecentEmoji,
    /// Emoji that were used lately may be used again.
    repeats: bool,
}

impl<'a> Emojis<'a> {
    pub(super) fn new(text: &'a str, tokens: &[Lexeme], vocabulary: &'a Vocabulary) -> Self {
        let mut emojis = Self {
            text,
            book: &vocabulary.emoji,
            recent: &vocabulary.recent,
            repeats: false,
        };
        // A message of nothing but punctuation is worse than a repeated emoji.
        emojis.repeats = !tokens.iter().any(|&token| emojis.says_something(token));
        emojis
    }

    /// Whether the token is more than white space, punctuation and duplicates.
    fn says_something(&self, token: Lexeme) -> bool {
        match name_of(self.text, token) {
            Some(name) => !self.is_duplicate(name, token.kind),
            None => self.text[token.range()].chars().any(|c| {
                !c.is_whitespace() && !c.is_ascii_punctuation() && !"。！？、，…".contains(c)
            }),
        }
    }

    fn is_duplicate(&self, name: &str, kind: Kind) -> bool {
        let custom = kind != Kind::Shortcode || self.book.tag(name).is_some();
        custom && !self.repeats && self.recent.names.contains(&name.to_lowercase())
    }

    /// Whether the colons belong to a path, as in `std::wave::new`.
    fn is_path(&self, tokens: &[Lexeme], at: usize) -> bool {
        let plain = |at: Option<usize>| {
            let token = tokens.get(at?).copied();
            let token = token.filter(|&token| name_of(self.text, token).is_none());
            token.map(|token| &self.text[token.range()])
        };
        plain(at.checked_sub(1)).is_some_and(|before| before.ends_with(':'))
            || plain(Some(at + 1)).is_some_and(|after| after.starts_with(':'))
    }

    /// Edits the token at `at` if it is an emoji.
    pub(super) fn edit(&self, tokens: &[Lexeme], at: usize, editor: &mut Editor<'_>) {
        let token = tokens[at];
        let Some(name) = name_of(self.text, token).filter(|_| !self.is_path(tokens, at)) else {
            return;
        };
        let range = token.range();
        let shortcode = token.kind == Kind::Shortcode;
        if self.is_duplicate(name, token.kind) {
            remove_word(self.text, range, Reason::DuplicateEmoji, editor);
        } else if shortcode && let Some(end) = self.end_of_tag(range.end) {
            self.mend(range.start..end, name, editor);
        } else if let Some(tag) = self.book.tag(name) {
            let rule = if shortcode {
                Reason::EmojiCode
            } else {
                Reason::EmojiTag
            };
            editor.replace(range, tag, rule);
        } else if shortcode && self.is_alone(&range) {
            let named = name.contains(|c: char| c.is_ascii_alphabetic());
            match lookup(STANDARD, &name.to_ascii_lowercase()) {
                Some(emoji) => {
                    editor.replace(range, emoji, Reason::EmojiCode);
                }
                None if named && !self.book.tags.is_empty() => {
                    remove_word(self.text, range, Reason::UnknownEmoji, editor);
                }
                None => {}
            }
        }
    }

    fn is_alone(&self, range: &Range<usize>) -> bool {
        let (before, after) = (&self.text[..range.start], &self.text[range.end..]);
        let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
        blank(before.chars().next_back()) && blank(after.chars().next())
    }

    /// Edits what begins like a tag with the `<` at `at` and is none, as
    /// `<:name` or `<a:name:12`; says where to go on.
    pub(super) fn edit_half(&self, at: usize, editor: &mut Editor<'_>) -> usize {
        let rest = &self.text[at + 1..];
        let Some(rest) = rest.strip_prefix("a:").or(rest.strip_prefix(':')) else {
            return at + 1;
        };
        let after = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let name = &rest[..rest.len() - after.len()];
        let letters = name.contains(|c: char| c.is_ascii_alphabetic());
        if !letters || !(2..=LONGEST_NAME).contains(&name.len()) {
            return at + 1;
        }
        let id = after.strip_prefix(':');
        let after = id.map_or(after, |id| {
            id.trim_start_matches(|c: char| c.is_ascii_digit())
        });
        let end = self.text.len() - after.strip_prefix('>').unwrap_or(after).len();
        self.mend(at..end, name, editor);
        end
    }

    /// Where the rest of a tag ends whose `:name:` ends at `at`, if there is
    /// one.
    fn end_of_tag(&self, at: usize) -> Option<usize> {
        let digits = self.text[at..].bytes().take_while(u8::is_ascii_digit);
        let end = at + digits.count();
        (end - at >= SHORTEST_ID && self.text[end..].starts_with('>')).then_some(end + 1)
    }

    /// Makes a whole tag of a broken one, or takes it out.
    fn mend(&self, range: Range<usize>, name: &str, editor: &mut Editor<'_>) {
        if self.is_duplicate(name, Kind::Emoji) {
            remove_word(self.text, range, Reason::DuplicateEmoji, editor);
            return;
        }
        match self.book.tag(name) {
            Some(tag) => {
                editor.replace(range, tag, Reason::EmojiTag);
            }
            None => remove_word(self.text, range, Reason::UnknownEmoji, editor),
        }
    }
}

/// Removes `range` and one space beside it; line ends stay.
fn remove_word(text: &str, range: Range<usize>, rule: Reason, editor: &mut Editor<'_>) {
    let mut range = range;
    let before = text[..range.start].chars().next_back();
    let after = text[range.end..].chars().next();
    let ends = after.is_none_or(|c| c.is_whitespace() || c.is_ascii_punctuation());
    if before == Some(' ') && ends && range.start > editor.position() {
        range.start -= 1;
    } else if before.is_none_or(char::is_whitespace) && after == Some(' ') {
        range.end += 1;
    }
    editor.replace(range, "", rule);
}
