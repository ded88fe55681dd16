//! Names in front of what is said.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use kaiwa_domain::{Miss, PERSONA_NAME_CHARS, SPRITE_NAME_CHARS};

use crate::deliver::settings::Speech;

/// Who a label names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Speaker {
    /// Ourselves.
    Own,
    /// Somebody else whose name is no [label](is_label), or "Assistant".
    Other,
}

/// A label that a text begins with: whose it is, the look that it puts on, as
/// in `Mia (smiling):`, and its length in bytes.
pub(super) type Label = (Speaker, Option<usize>, usize);

/// The longest remark between name and colon, in characters: it may be the name
/// of a sprite or of another persona.
const LONGEST_REMARK: usize = PERSONA_NAME_CHARS;
const _: () = assert!(SPRITE_NAME_CHARS <= LONGEST_REMARK);
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
    let words = words.map(str::trim);
    words.filter(|word| !word.is_empty()).collect()
});

/// The names that labels are compared with, [folded].
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// Whose they are.
    known: BTreeMap<String, Speaker>,
    looks: Vec<(usize, String)>,
    /// No label is longer than this many characters.
    pub(super) longest: usize,
}

impl Names {
    pub(super) fn new(speech: &Speech) -> Self {
        let others = speech.other_names.iter().filter_map(|name| known(name));
        let others = others.filter(|name| !is_label(name));
        let others = others.chain(["assistant".to_owned()]);
        let macros = MACROS.iter().filter(|_| !speech.own_names.is_empty());
        let own = speech.own_names.iter().filter_map(|name| known(name));
        let own = own.chain(macros.map(|&it| it.to_owned()));
        let looks = speech.looks.iter().enumerate();
        let looks = looks.filter_map(|(place, look)| Some((place, known(&look.name)?)));
        let mut known: BTreeMap<_, _> = others.map(|name| (name, Speaker::Other)).collect();
        known.extend(own.map(|name| (name, Speaker::Own)));
        let name = known.keys().map(|name| name.chars().count()).max();
        Self {
            // With what is drawn around it.
            longest: name.unwrap_or(0) + LONGEST_REMARK + 24,
            looks: looks.collect(),
            known,
        }
    }

    /// Whether a label may begin with `c`, at the start of a line or not.
    pub(super) fn may_begin(&self, c: char, line: bool) -> bool {
        let framed = matches!(c, '*' | '_' | '[');
        let first = folded(c).next();
        let known = self.known.iter();
        let mut known = known.filter(|it| line || *it.1 == Speaker::Own);
        known.any(|(name, _)| framed || name.chars().next() == first)
    }

    /// Reads the label at the start of `text`. If `last`, no more text follows.
    /// Only at the start of a line does a label name somebody else. Of several
    /// labels the longest counts, since a name may begin like another.
    pub(super) fn read(&self, text: &str, last: bool, line: bool) -> Result<Label, Miss> {
        let end = text.char_indices().nth(self.longest);
        let (text, last) = end.map_or((text, last), |(end, _)| (&text[..end], true));
        let (most, closing) = frame_of(text);
        let mut found: Option<Label> = None;
        // A name may begin with what a frame is made of.
        for framed in 0..=most {
            let first: String = text[framed..].chars().take(1).flat_map(folded).collect();
            let names = self.known.range(first.clone()..);
            let names = names.take_while(|(name, _)| name.starts_with(&first));
            for (name, &speaker) in names.filter(|it| line || *it.1 == Speaker::Own) {
                let own = speaker == Speaker::Own;
                match self.read_name(&text[framed..], name, own, &closing[..framed]) {
                    Ok((_, "")) | Err(Miss::Ended) if !last => return Err(Miss::Ended),
                    Ok((look, rest)) => {
                        let label = (speaker, look, text.len() - rest.len());
                        found = found.filter(|it| it.2 >= label.2).or(Some(label));
                    }
                    Err(_) => {}
                }
            }
        }
        found.ok_or(Miss::Differs)
    }

    /// Reads a label of `name`; a remark may stand behind our own.
    fn read_name<'t>(&self, text: &'t str, name: &str, own: bool, closing: &str) -> Read<'t> {
        let mut closed = closing.is_empty();
        let mut close = |text: &'t str| match text.strip_prefix(closing) {
            Some(rest) if !closed => {
                closed = true;
                Ok(rest)
            }
            None if !closed && closing.starts_with(text) => Err(Miss::Ended),
            _ => Ok(text),
        };
        let (mut look, mut end) = (None, name.chars().next_back());
        let mut rest = after_blanks(close(after_blanks(after_name(text, name)?))?);
        if let Some(remark) = rest.strip_prefix('(').filter(|_| own) {
            (look, rest) = self.read_remark(remark)?;
            rest = after_blanks(close(after_blanks(rest))?);
            end = Some(')');
        }
        rest = close(after(rest, &[':', '：'])?)?;
        match (end, rest.chars().next()) {
            _ if !closed => Err(Miss::Differs),
            // A time, an address or the like.
            (Some('0'..='9'), Some('0'..='9')) => Err(Miss::Differs),
            (_, Some(':' | '/' | '：')) => Err(Miss::Differs),
            _ => Ok((look, rest)),
        }
    }

    fn read_remark<'t>(&self, text: &'t str) -> Read<'t> {
        for (look, name) in &self.looks {
            let rest = after_name(after_blanks(text), name);
            match rest.and_then(|rest| after(after_blanks(rest), &[')'])) {
                Err(Miss::Differs) => {}
                rest => return rest.map(|rest| (Some(*look), rest)),
            }
        }
        let end = text.find(['(', ')', '[', ']', ':', '：', '\n']);
        let (remark, rest) = text.split_at(end.unwrap_or(text.len()));
        match remark.chars().count() {
            0 if !rest.is_empty() => Err(Miss::Differs),
            0..=LONGEST_REMARK => Ok((None, after(rest, &[')'])?)),
            _ => Err(Miss::Differs),
        }
    }
}

/// The look that a label puts on, and what follows what was read.
type Read<'t> = Result<(Option<usize>, &'t str), Miss>;

/// A name as it is compared, with one space between words, if it is one that
/// somebody may have.
fn known(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let name = words.join(" ");
    let may_be = (1..=PERSONA_NAME_CHARS).contains(&name.chars().count());
    may_be.then(|| name.chars().flat_map(folded).collect())
}

/// A character without what makes no difference: case, and which blank it is.
fn folded(c: char) -> impl Iterator<Item = char> {
    c.to_lowercase().map(|c| match c {
        'ς' => 'σ',
        c if is_blank(c) => ' ',
        c => c,
    })
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() && c != '\n'
}

fn after_blanks(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

/// What follows a known name.
fn after_name<'t>(text: &'t str, name: &str) -> Result<&'t str, Miss> {
    let (mut rest, mut name) = (text.chars(), name.chars());
    while !name.as_str().is_empty() {
        let c = rest.next().ok_or(Miss::Ended)?;
        if !folded(c).all(|c| name.next() == Some(c)) {
            return Err(Miss::Differs);
        }
        if is_blank(c) {
            rest = after_blanks(rest.as_str()).chars();
        }
    }
    Ok(rest.as_str())
}

/// What follows one of these marks.
fn after<'t>(text: &'t str, marks: &[char]) -> Result<&'t str, Miss> {
    let over = text.is_empty();
    let miss = if over { Miss::Ended } else { Miss::Differs };
    text.strip_prefix(marks).ok_or(miss)
}

/// How long what is drawn before a name may be (`**`, `_`, `[` …), and what
/// closes the longest.
fn frame_of(text: &str) -> (usize, &'static str) {
    let count = |mark: char| text.len() - text.trim_start_matches(mark).len();
    match text.bytes().next() {
        Some(b'*') => (count('*').min(3), "***"),
        Some(b'_') => (count('_').min(3), "___"),
        Some(b'[') => (1, "]"),
        _ => (0, ""),
    }
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
