//! Names in front of what is said.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use kaiwa_domain::Miss;

use crate::deliver::settings::Speech;

/// Who a label names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Speaker {
    /// Ourselves.
    Own,
    /// Somebody in the channel whose name is no [label](is_label), or
    /// "Assistant".
    Other,
}

/// A label, with its length in bytes, if the text begins with one.
pub(super) type Reading = Result<(Speaker, usize), Miss>;

/// No name is longer than this many bytes; Discord allows 32 characters.
const LONGEST_NAME: usize = 128;
/// The longest remark between name and colon, as in `Mia (smiling):`.
const LONGEST_REMARK: usize = 64;
/// What templates call the one who answers.
const MACROS: [&str; 4] = ["{{char}}", "{{bot}}", "{char}", "{bot}"];

/// Words that writers put in front of a colon, as in `Note: …` and `Step 2: …`,
/// in lower case: of English, Spanish, Portuguese, French, German, Italian,
/// Russian, Chinese, Japanese and Korean, and the most common of Arabic, Hindi,
/// Indonesian, Vietnamese, Polish and Turkish.
///
/// Anybody may call themselves so. If such a name ended an answer like that of
/// a person, one member could cut short everybody's answers, so these words
/// name nobody. The price is small: what a model says for a member called
/// "Note" is shown.
static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let words = include_str!("label/words.txt").split([',', '\n']);
    words
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .collect()
});

/// The names that labels are compared with.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// Whose they are, by name in lower case.
    known: BTreeMap<String, Speaker>,
    /// No label is longer than this many bytes.
    pub(super) longest: usize,
}

impl Names {
    pub(super) fn new(speech: &Speech) -> Self {
        let lower = |name: &String| name.trim().to_lowercase();
        let others = speech.other_names.iter().map(lower);
        let others = others.filter(|name| !is_label(name));
        let others = others.chain(["assistant".to_owned()]);
        let macros = MACROS.iter().filter(|_| !speech.own_names.is_empty());
        let own = speech.own_names.iter().map(lower);
        let own = own.chain(macros.map(|&it| it.to_owned()));
        let mut known: BTreeMap<_, _> = others.map(|name| (name, Speaker::Other)).collect();
        known.extend(own.map(|name| (name, Speaker::Own)));
        known.retain(|name, _| (1..=LONGEST_NAME).contains(&name.len()));
        let name = known.keys().map(String::len).max();
        Self {
            longest: name.unwrap_or(0) + LONGEST_REMARK + 24,
            known,
        }
    }

    /// Whether a label may begin with `c`, at the start of a line or not.
    pub(super) fn may_begin(&self, c: char, line: bool) -> bool {
        let framed = matches!(c, '*' | '_' | '[');
        let lower = c.to_lowercase().next();
        let begins = |(name, speaker): (&String, &Speaker)| {
            let counts = line || *speaker == Speaker::Own;
            counts && (framed || name.chars().next() == lower)
        };
        self.known.iter().any(begins)
    }

    /// Reads the label at the start of `text`. If `last`, no more text follows.
    /// Only at the start of a line does a label name somebody else.
    pub(super) fn read(&self, text: &str, last: bool, line: bool) -> Reading {
        // With what decides about it.
        let text = &text[..text.floor_char_boundary(self.longest + 16)];
        let (framed, closing) = frame_of(text);
        let inner = &text[framed..];
        let short = if last { Miss::Differs } else { Miss::Ended };
        if inner.is_empty() && framed <= 3 {
            return Err(short);
        }
        let Some(colon) = inner.find([':', '：', '\n']) else {
            let begins = !inner.is_empty() && !inner.starts_with([' ', '\t']);
            let open = begins && text.len() < self.longest && self.may_become(inner, closing);
            return Err(if open { short } else { Miss::Differs });
        };
        let blank = inner.starts_with([' ', '\t']) || inner[colon..].starts_with('\n');
        if blank || framed + colon >= self.longest {
            return Err(Miss::Differs);
        }
        let mark = inner[colon..].chars().next().map_or(1, char::len_utf8);
        let (name, closed) = unframe(&inner[..colon], closing);
        let speaker = self.speaker(name, line).ok_or(Miss::Differs)?;
        let mut length = framed + colon + mark;
        if !closed {
            let after = &text[length..];
            if after.len() < closing.len() && closing.starts_with(after) {
                return Err(short);
            }
            if !after.starts_with(closing) {
                return Err(Miss::Differs);
            }
            length += closing.len();
        }
        match text[length..].chars().next() {
            None if !last => Err(short),
            Some(next) if is_no_label(name, next) => Err(Miss::Differs),
            _ => Ok((speaker, length)),
        }
    }

    /// Whether `inner`, which holds no colon yet, may become a label.
    fn may_become(&self, inner: &str, closing: &str) -> bool {
        let name = match (unframe(inner, closing).0, closing) {
            (name, "") => name,
            // A frame may be half closed, as in `**Mia*`.
            (name, _) => name.trim_end_matches(['*', '_', ']']).trim_end(),
        };
        let remarked = name.split_once('(').is_some_and(|(name, remark)| {
            self.is_own(name.trim_end()) && is_remark(remark.trim_end_matches(')'))
        });
        let lower = name.to_lowercase();
        let next = self.known.range(lower.clone()..).next();
        remarked || next.is_some_and(|(name, _)| name.starts_with(&lower))
    }

    /// Whom a label names; a remark may stand behind our own name.
    fn speaker(&self, name: &str, line: bool) -> Option<Speaker> {
        let parts = name.strip_suffix(')').and_then(|name| name.split_once('('));
        let remarked = parts.is_some_and(|(name, remark)| {
            self.is_own(name.trim_end()) && !remark.is_empty() && is_remark(remark)
        });
        match remarked || self.is_own(name) {
            true => Some(Speaker::Own),
            false => self
                .known
                .get(&name.to_lowercase())
                .copied()
                .filter(|_| line),
        }
    }

    fn is_own(&self, name: &str) -> bool {
        self.known.get(&name.to_lowercase()) == Some(&Speaker::Own)
    }
}

/// How long what is drawn before a name is (`**`, `_`, `[` …), and what closes
/// it. Nothing closes more than three marks.
fn frame_of(text: &str) -> (usize, &'static str) {
    let count = |mark: char| text.len() - text.trim_start_matches(mark).len();
    let closing = |marks: &'static str, length| (length, marks.get(..length).unwrap_or("\n"));
    match text.bytes().next() {
        Some(b'*') => closing("***", count('*')),
        Some(b'_') => closing("___", count('_')),
        Some(b'[') => (1, "]"),
        _ => (0, ""),
    }
}

/// The name in front of what closes its frame, and whether that is there.
fn unframe<'t>(inner: &'t str, closing: &str) -> (&'t str, bool) {
    let inner = inner.trim_end_matches([' ', '\t']);
    match inner.strip_suffix(closing) {
        Some(name) => (name.trim_end(), true),
        None => (inner, false),
    }
}

fn is_remark(text: &str) -> bool {
    text.len() <= LONGEST_REMARK && !text.contains(['(', ')', '[', ']'])
}

/// Whether what follows a name and its colon tells that they are no label: a
/// time, an address or the like.
fn is_no_label(name: &str, next: char) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    matches!(next, ':' | '/' | '：') || is_digit(next) && name.ends_with(is_digit)
}

/// Whether a name, in lower case, is a label: such a word, alone or as the
/// first or the last of two, as in `step 1` and `final answer`. What is drawn
/// around the words does not count.
fn is_label(name: &str) -> bool {
    let bare = |word: &str| WORDS.contains(word.trim_matches(|c: char| !c.is_alphanumeric()));
    let mut words = name.split_whitespace();
    let (first, last) = (words.next(), words.next());
    bare(name) || (words.next().is_none() && [first, last].into_iter().flatten().any(bare))
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
        assert!(is_label("chú ý") && is_label("note") && !is_label("mia"));
    }
}
