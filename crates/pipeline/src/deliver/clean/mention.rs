//! `@name` and its kin.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use kaiwa_domain::UserId;

use crate::deliver::edit::Editor;
use crate::deliver::explain::Reason;

/// The people of a conversation.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    /// By name in lower case; nobody where two share it.
    names: HashMap<String, Option<UserId>>,
    /// Whom the model may know.
    ids: HashSet<UserId>,
}

impl Roster {
    /// Adds a person under one of their names.
    pub fn add(&mut self, id: UserId, name: &str) {
        self.ids.insert(id);
        self.names
            .entry(name.trim().to_lowercase())
            .and_modify(|known| *known = known.filter(|&known| known == id))
            .or_insert(Some(id));
    }

    /// The one person called `name`, in any case; nobody if there are several.
    fn by_name(&self, name: &str) -> Option<UserId> {
        *self.names.get(&name.trim().to_lowercase())?
    }
}

/// The longest bare name, in characters; Discord's limit.
const LONGEST_BARE: usize = 32;
/// The longest name in brackets with its id, in bytes.
const LONGEST_BRACKETED: usize = 192;

/// Edits the mention at the start of `run`, which begins with `@`, in a piece
/// of `text` without code and addresses; says where to go on.
pub(super) fn edit(
    text: &str,
    run: Range<usize>,
    people: &Roster,
    editor: &mut Editor<'_>,
) -> usize {
    let at = run.start;
    let before = text[..at].chars().next_back();
    if before.is_some_and(|c| c.is_alphanumeric() || "_<@/.`\\".contains(c)) {
        return at + 1;
    }
    let Some(handle) = Handle::read(&text[run], people) else {
        return at + 1;
    };
    let end = at + handle.length;
    let (with, rule) = handle.resolve(people);
    editor.replace(at..end, &with, rule);
    end
}

/// Somebody, as the model wrote them.
struct Handle<'a> {
    name: &'a str,
    id: Option<UserId>,
    bracketed: bool,
    length: usize,
}

impl<'a> Handle<'a> {
    /// Reads the handle at the start of `text`, which begins with `@`.
    fn read(text: &'a str, people: &Roster) -> Option<Self> {
        let rest = &text[1..];
        let close = match rest.chars().next()? {
            '{' => '}',
            '(' => ')',
            '[' => ']',
            _ => return Self::known(rest, people).or_else(|| Self::bare(rest)),
        };
        let within = &rest[1..rest.floor_char_boundary(LONGEST_BRACKETED)];
        let end = within.find([close, '\n'])?;
        if within[end..].starts_with('\n') {
            return None;
        }
        let inner = &within[..end];
        let (name, id) = match inner.rsplit_once('|') {
            Some((name, id)) => (name.trim(), parse_id(id.trim())),
            None => (inner.trim(), parse_id(inner.trim())),
        };
        (!name.is_empty()).then_some(Self {
            name: name.trim_start_matches('@'),
            id,
            bracketed: true,
            length: end + 3,
        })
    }

    /// The longest known name that `rest` begins with, of several words or
    /// not. One with an id after it is no matter of names.
    fn known(rest: &'a str, people: &Roster) -> Option<Self> {
        let within = |c: char| c.is_alphanumeric() || c == '_';
        if rest.starts_with(char::is_whitespace) {
            return None;
        }
        let line = rest.lines().next().unwrap_or("");
        let ends = line
            .char_indices()
            .take(LONGEST_BARE)
            .map(|(at, c)| (c, at + c.len_utf8()));
        let ends = ends.filter(|&(c, end)| {
            let inside = within(c) && line[end..].starts_with(within);
            !c.is_whitespace() && !inside && !line[end..].starts_with('|')
        });
        let names = ends.filter(|&(_, end)| people.by_name(&line[..end]).is_some());
        let (_, end) = names.last()?;
        Some(Self {
            name: &line[..end],
            id: None,
            bracketed: false,
            length: 1 + end,
        })
    }

    fn bare(rest: &'a str) -> Option<Self> {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let end = rest.len() - rest.trim_start_matches(is_name).len();
        if rest[..end].chars().count() > LONGEST_BARE {
            return None;
        }
        let name = rest[..end].trim_end_matches(['-', '.']);
        let begins = name.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        if !begins || rest[end..].starts_with('/') {
            return None;
        }
        let mut length = 1 + name.len();
        let mut id = parse_id(name);
        if let Some(digits) = rest[name.len()..].strip_prefix('|') {
            let after = digits.trim_start_matches(|c: char| c.is_ascii_digit());
            let digits = &digits[..digits.len() - after.len()];
            id = parse_id(digits);
            length += id.map_or(0, |_| 1 + digits.len());
        }
        Some(Self {
            name,
            id,
            bracketed: false,
            length,
        })
    }

    /// What to write instead, and by which rule.
    fn resolve(&self, people: &Roster) -> (String, Reason) {
        let is = |word: &&str| self.name.eq_ignore_ascii_case(word);
        let everybody = ["everyone", "here"].iter().any(is);
        if everybody && !self.bracketed {
            return (format!("@\u{200b}{}", self.name), Reason::MassMention);
        }
        let id = self.id.filter(|id| people.ids.contains(id));
        let id = id.or_else(|| people.by_name(self.name));
        if let Some(id) = id.filter(|_| !everybody) {
            return (format!("<@{id}>"), Reason::Mention);
        }
        // What stood in the brackets must not become a mention by itself.
        let plain = self.name.replace('@', "@\u{200b}");
        (plain, Reason::UnknownMention)
    }
}

/// An id is a number of 17 to 20 digits.
fn parse_id(text: &str) -> Option<UserId> {
    let shaped = (17..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if shaped { text.parse().ok() } else { None }
}
