//! Names that can pass for nobody else.

use std::collections::{BTreeMap, BTreeSet};

use kaiwa_domain::UserId;

use super::fold::{fold, is_colon};
use super::line_start::{self, LineStart};
use super::{QUOTED, invisible, is_visible, notation};

/// The longest name, in characters, without what we add to it. Discord allows
/// no longer ones.
pub const NAME_CHARS: usize = 32;

/// Who has no name that could be seen.
const NOBODY: &str = "Somebody";

/// Follows a name that is not its bearer's to have.
const MEMBER: &str = " (member)";

/// How many of the last digits of an id tell namesakes apart, if they do.
const DIGITS: usize = 4;

/// The name as it may stand before a colon: one line that is seen, without
/// colons and brackets of ours, and no role.
pub fn speaker_name(name: &str) -> String {
    named(name, &BTreeSet::new())
}

/// A name for each person: the same person has one, and no two have the same
/// or one that looks the same. `reserved` are those of the bot and its
/// personas. Of several names of one person the last counts.
pub fn unique_names<'a>(
    reserved: &[&str],
    people: impl IntoIterator<Item = (UserId, &'a str)>,
) -> BTreeMap<UserId, String> {
    let reserved: BTreeSet<String> = reserved.iter().map(|name| looks(name)).collect();
    let people = people
        .into_iter()
        .map(|(id, name)| (id, named(name, &reserved)));
    let plain: BTreeMap<UserId, String> = people.collect();
    // How many digits of an id are shown.
    let mut digits: BTreeMap<UserId, usize> = BTreeMap::new();
    loop {
        let shown = |(id, name): (&UserId, &String)| (*id, with_digits(name, *id, digits.get(id)));
        let names: BTreeMap<UserId, String> = plain.iter().map(shown).collect();
        let mut alike: BTreeMap<String, Vec<UserId>> = BTreeMap::new();
        for (id, name) in &names {
            alike.entry(looks(name)).or_default().push(*id);
        }
        let mut is_unique = true;
        for id in alike.into_values().filter(|ids| ids.len() > 1).flatten() {
            let shown = digits.entry(id).or_default();
            if *shown < usize::MAX {
                *shown = if *shown == 0 { DIGITS } else { usize::MAX };
                is_unique = false;
            }
        }
        if is_unique {
            return names;
        }
    }
}

fn with_digits(name: &str, id: UserId, digits: Option<&usize>) -> String {
    let id = id.to_string();
    match digits {
        Some(digits) => format!("{name} ({})", &id[id.len().saturating_sub(*digits)..]),
        None => name.to_owned(),
    }
}

fn named(name: &str, reserved: &BTreeSet<String>) -> String {
    let seen = invisible::seen(name, &mut BTreeSet::new());
    let plain: String = seen.chars().map(harmless).collect();
    let mut plain = tidy(&plain);
    let is_ours = plain.char_indices().any(|(at, c)| {
        notation::is_bracket(c) && notation::is_notation(&plain[at + c.len_utf8()..])
    });
    if is_ours || plain.starts_with(QUOTED.trim_end()) {
        plain = tidy(&plain.replace(notation::is_bracket, " "));
    }
    if line_start::is_item(&plain) {
        plain = plain.replacen(' ', "", 1);
    }
    let is_other = line_start::of(&format!("{plain}: ")) != LineStart::Speaker;
    if is_ours || is_other || reserved.contains(&looks(&plain)) {
        plain.push_str(MEMBER);
    }
    plain
}

/// One line of words without the marks by which lines begin, not too long.
fn tidy(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    let line = words.join(" ");
    let mark = |c: char| matches!(c, ' ' | '#' | '>' | '›' | '-' | '+' | '*' | '•' | '·' | '|');
    let short: String = line
        .trim_start_matches(mark)
        .chars()
        .take(NAME_CHARS)
        .collect();
    // What was cut may have been needed.
    let short = invisible::seen(short.trim_end(), &mut BTreeSet::new());
    match short.chars().any(is_visible) {
        true => short,
        false => NOBODY.to_owned(),
    }
}

/// Something like it that ends no name and begins no token.
fn harmless(c: char) -> char {
    let mut is_one = is_colon(c);
    fold(c, |part| is_one |= is_colon(part));
    match c {
        _ if is_one => '·',
        '<' | '＜' | '﹤' => '‹',
        '>' | '＞' | '﹥' => '›',
        '[' | '［' | '【' | '〔' => '(',
        ']' | '］' | '】' | '〕' => ')',
        '\u{2800}' => ' ',
        c if c.is_whitespace() => ' ',
        c => c,
    }
}

/// What a name looks like at a glance.
fn looks(name: &str) -> String {
    let mut looks = String::new();
    let mut signs = String::new();
    for c in name.chars().filter(|c| is_visible(*c)) {
        fold(c, |part| match part.is_alphanumeric() {
            true => looks.push(part),
            false => signs.push(part),
        });
    }
    match looks.is_empty() {
        true => signs,
        false => looks,
    }
}
