//! The HTML that models mix into markdown.

use std::ops::Range;

use crate::deliver::lookup;
use crate::deliver::scan::after;

/// Inline tags and the markers that do the same.
#[rustfmt::skip]
const TAGS: [(&str, &str); 9] = [
    ("b", "**"), ("strong", "**"), ("i", "*"), ("em", "*"), ("u", "__"), ("del", "~~"),
    ("strike", "~~"), ("code", "`"), ("kbd", "`"),
];

/// No tag in the table is longer than this many bytes.
const LONGEST_TAG: usize = 9;

/// Entities, each with its character; `nbsp` is a blank.
const ENTITIES: &str = "amp & apos ' bull • copy © deg ° euro € ge ≥ gt > hellip … larr ← le ≤ lt < \
    mdash — ndash – quot \" rarr → times ×";

/// The length of the `<br>` at the start of `text`.
pub(super) fn line_break(text: &str) -> Option<usize> {
    let begins = |tag: &&str| after(text, tag).is_ok();
    let tag = ["<br>", "<br/>", "<br />", "<br >"]
        .into_iter()
        .find(begins);
    tag.map(str::len)
}

/// The entity at the start of `text`: its length and its character.
pub(super) fn entity(text: &str) -> Option<(usize, char)> {
    let name = text.get(1..)?;
    let end = name.bytes().take(9).position(|byte| byte == b';')?;
    let name = &name[..end];
    let shown = match name.strip_prefix('#') {
        Some(number) => numbered(number)?,
        None if name == "nbsp" => ' ',
        None => lookup(ENTITIES, name)?.chars().next()?,
    };
    Some((end + 2, shown))
}

/// A character by its number; none that could conjure up a mention or a
/// control character.
fn numbered(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code).filter(|&c| !c.is_control() && c != '@')
}

/// The tags that open and close on one line, with their markers, in order.
pub(super) fn pairs(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut found = Vec::new();
    // For each tag of the table, the openers of the line that wait.
    let mut waiting: [Vec<Range<usize>>; TAGS.len()] = Default::default();
    for (at, sign) in text.match_indices(['<', '\n']) {
        if sign == "\n" {
            waiting.iter_mut().for_each(Vec::clear);
            continue;
        }
        let Some((tag, closes, length)) = read(&text[at..]) else {
            continue;
        };
        let range = at..at + length;
        if !closes {
            waiting[tag].push(range);
        } else if let Some(opener) = waiting[tag].pop() {
            found.push((opener, TAGS[tag].1));
            found.push((range, TAGS[tag].1));
        }
    }
    found.sort_unstable_by_key(|(range, _)| range.start);
    found
}

/// The tag at the start of `text`: its place in the table, whether it closes,
/// and its length.
fn read(text: &str) -> Option<(usize, bool, usize)> {
    let name = text.strip_prefix('<')?;
    let closes = name.starts_with('/');
    let name = name.strip_prefix('/').unwrap_or(name);
    let mut near = name.bytes().take(LONGEST_TAG);
    let name = &name[..near.position(|byte| byte == b'>')?];
    let mut tags = TAGS.iter();
    let tag = tags.position(|(tag, _)| tag.eq_ignore_ascii_case(name))?;
    Some((tag, closes, 1 + usize::from(closes) + name.len() + 1))
}
