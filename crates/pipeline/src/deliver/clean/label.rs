//! Names in front of what is said.

use std::collections::BTreeMap;

use kaiwa_domain::Miss;

use crate::deliver::edit::{Rule, Rules};
use crate::deliver::settings::Speech;

use words::{is_label, is_word};

mod words;

/// Who a label names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Speaker {
    /// Ourselves.
    Own,
    /// Somebody in the channel whose name is no [label](is_label), or
    /// "Assistant".
    Known,
    /// Anybody, by the look of it.
    Anyone,
}

/// A label, with its length in bytes, if the text begins with one.
pub(super) type Reading = Result<(Speaker, usize), Miss>;

/// No name is longer than this many bytes; Discord allows 32 characters.
const LONGEST_NAME: usize = 128;
/// The longest remark between name and colon, as in `Mia (smiling):`.
const LONGEST_REMARK: usize = 64;
/// What templates call the one who answers.
const MACROS: [&str; 4] = ["{{char}}", "{{bot}}", "{char}", "{bot}"];
/// The names that labels are compared with.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// Whose they are, by name in lower case.
    known: BTreeMap<String, Speaker>,
    anyone: bool,
    longest: usize,
}

impl Names {
    pub(super) fn new(speech: &Speech, rules: Rules) -> Self {
        let lower = |name: &String| name.trim().to_lowercase();
        let others = speech.other_names.iter().map(lower);
        let others = others.filter(|name| !is_label(name));
        let others = others.chain(["assistant".to_owned()]);
        let macros = MACROS.iter().filter(|_| !speech.own_names.is_empty());
        let own = speech
            .own_names
            .iter()
            .map(lower)
            .chain(macros.map(|&it| it.to_owned()));
        let mut known: BTreeMap<_, _> = others.map(|name| (name, Speaker::Known)).collect();
        known.extend(own.map(|name| (name, Speaker::Own)));
        known.retain(|name, _| (1..=LONGEST_NAME).contains(&name.len()));
        let anyone = rules.has(Rule::AnySpeaker);
        let name = known.keys().map(String::len).max();
        Self {
            longest: name.unwrap_or(0).max(if anyone { 64 } else { 0 }) + LONGEST_REMARK + 24,
            known,
            anyone,
        }
    }

    /// No label is longer than this many bytes, with what decides about it.
    pub(super) const fn longest(&self) -> usize {
        self.longest
    }

    /// Whether a label may begin with `c`, at the start of a line or not.
    pub(super) fn may_begin(&self, c: char, line: bool) -> bool {
        let framed = matches!(c, '*' | '_' | '[');
        let lower = c.to_lowercase().next();
        let begins = |(name, speaker): (&String, &Speaker)| {
            let counts = line || *speaker == Speaker::Own;
            counts && (framed || name.chars().next() == lower)
        };
        self.known.iter().any(begins) || line && self.anyone && c.is_alphabetic()
    }

    /// Whether some name begins with `lower`.
    fn stands_for(&self, lower: &str) -> bool {
        let mut from = self.known.range(lower.to_owned()..);
        from.next().is_some_and(|(name, _)| name.starts_with(lower))
    }

    /// Reads the label at the start of `text`. If `last`, no more text follows.
    /// Only at the start of a line does a label name somebody else.
    pub(super) fn read(&self, text: &str, last: bool, line: bool) -> Reading {
        let (framed, closing) = frame_of(text);
        let inner = &text[framed..];
        let short = if last { Miss::Differs } else { Miss::Ended };
        if inner.is_empty() && framed <= 3 {
            return Err(short);
        }
        let Some(colon) = inner.find([':', '：', '\n']) else {
            let begins = !inner.is_empty() && !inner.starts_with([' ', '\t']);
            let open = begins && text.len() < self.longest && self.may_become(inner, closing, line);
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
        judge_rest(name, speaker, &text[length..], last)?;
        Ok((speaker, length))
    }

    /// Whether `inner`, which holds no colon yet, may become a label.
    fn may_become(&self, inner: &str, closing: &str, line: bool) -> bool {
        let name = match (unframe(inner, closing).0, closing) {
            (name, "") => name,
            // A frame may be half closed, as in `**Mia*`.
            (name, _) => name.trim_end_matches(['*', '_', ']']).trim_end(),
        };
        let lower = name.to_lowercase();
        if self.stands_for(&lower) {
            return true;
        }
        if let Some((before, remark)) = name.split_once('(') {
            return self.is_own(before.trim_end()) && is_remark(remark.trim_end_matches(')'));
        }
        line && self.anyone && looks_like_name(name)
    }

    fn speaker(&self, name: &str, line: bool) -> Option<Speaker> {
        if name.len() > LONGEST_NAME + LONGEST_REMARK + 2 {
            return None;
        }
        let known = self.known.get(&name.to_lowercase()).copied();
        if known == Some(Speaker::Own) || self.is_own_with_remark(name) {
            return Some(Speaker::Own);
        }
        let anyone = || self.anyone && looks_like_name(name) && !begins_with_label(name);
        known
            .or_else(|| anyone().then_some(Speaker::Anyone))
            .filter(|_| line)
    }

    fn is_own(&self, name: &str) -> bool {
        self.known.get(&name.to_lowercase()) == Some(&Speaker::Own)
    }

    fn is_own_with_remark(&self, name: &str) -> bool {
        let parts = name.strip_suffix(')').and_then(|name| name.split_once('('));
        parts.is_some_and(|(name, remark)| {
            self.is_own(name.trim_end()) && !remark.is_empty() && is_remark(remark)
        })
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

/// One to four words in capitals, or in a script without them.
fn looks_like_name(text: &str) -> bool {
    let is_name = |word: &str| {
        let mut chars = word.chars();
        let first = chars.next();
        first.is_some_and(|c| c.is_alphabetic() && !c.is_lowercase())
            && chars.all(|c| c.is_alphanumeric() || "_-'.’".contains(c))
    };
    text.len() <= 64 && text.split(' ').count() <= 4 && text.split(' ').all(is_name)
}

/// Whether the first word labels what follows, as in `Step 1`.
fn begins_with_label(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or(text);
    is_word(&first.to_lowercase())
}

/// Whether what stands `after` a name and its colon makes them a label.
fn judge_rest(name: &str, speaker: Speaker, after: &str, last: bool) -> Result<(), Miss> {
    let short = if last { Miss::Differs } else { Miss::Ended };
    let anyone = speaker == Speaker::Anyone;
    let Some(next) = after.chars().next() else {
        return if last && !anyone { Ok(()) } else { Err(short) };
    };
    let digits = next.is_ascii_digit() && name.ends_with(|c: char| c.is_ascii_digit());
    // Nothing behind the colon makes a headline, not a speaker.
    let spoken = after.trim_start_matches(' ');
    let headline = spoken.len() == after.len() || spoken.starts_with(['\n', '\r']);
    match digits || matches!(next, ':' | '/' | '：') || anyone && headline {
        true => Err(Miss::Differs),
        false if anyone && spoken.is_empty() && after.len() < 4 => Err(short),
        false if anyone && spoken.is_empty() => Err(Miss::Differs),
        false => Ok(()),
    }
}
