//! Texts as files have them: their letters, their JSON, and where they can be
//! cut.

use std::borrow::Cow;

use serde_json::Value;

use crate::{CardError, TEXT_BYTES};

/// What other programs leave at the ends of a text.
const REST: [char; 2] = ['\u{feff}', '\0'];

/// The text of a file: UTF-8, or UTF-16 if it begins with that mark or like
/// JSON in it.
pub(crate) fn decoded(file: &[u8]) -> Result<String, CardError> {
    if file.len() > TEXT_BYTES {
        return Err(CardError::TooLarge { most: TEXT_BYTES });
    }
    let text = match file {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [first, 0, ..] if begins_json(*first) => utf16(file, u16::from_le_bytes),
        [0, first, ..] if begins_json(*first) => utf16(file, u16::from_be_bytes),
        _ => match String::from_utf8_lossy(file) {
            Cow::Borrowed(text) => text.to_owned(),
            Cow::Owned(text) if is_mostly_whole(file) => text,
            Cow::Owned(_) => return Err(CardError::NotText),
        },
    };
    let rest = |c: char| REST.contains(&c);
    let text = text.trim_start_matches(rest);
    Ok(text
        .trim_end_matches(|c: char| rest(c) || c.is_whitespace())
        .to_owned())
}

/// Whether most of the letters that take several bytes are whole: the others
/// were cut by a program, and the rest is no other alphabet.
fn is_mostly_whole(file: &[u8]) -> bool {
    let (mut whole, mut broken) = (0, 0);
    for chunk in file.utf8_chunks() {
        whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    whole > broken
}

const fn begins_json(byte: u8) -> bool {
    matches!(byte, b'{' | b'[' | b' ' | b'\t' | b'\r' | b'\n')
}

/// Half a letter becomes a mark; half a unit at the end is nothing.
fn utf16(bytes: &[u8], read: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
    let letters = char::decode_utf16(units);
    letters
        .map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// The text of bytes that are letters themselves, as PNG wants it of `tEXt`.
pub(crate) fn latin(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// How many values JSON may have, and how many of them may hold others: even
/// an empty one takes far more room than it has letters.
const VALUES: usize = 200_000;
const HOLDERS: usize = 50_000;

/// Refuses JSON with too many values, before any of them takes room.
fn check_values(source: &str) -> Result<(), CardError> {
    let (mut values, mut holders) = (0, 0);
    let mut bytes = source.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => loop {
                match bytes.next() {
                    Some(b'\\') => drop(bytes.next()),
                    Some(b'"') | None => break,
                    Some(_) => {}
                }
            },
            b'{' | b'[' => holders += 1,
            b',' => values += 1,
            _ => {}
        }
    }
    match values + holders > VALUES || holders > HOLDERS {
        true => Err(CardError::TooManyValues),
        false => Ok(()),
    }
}

/// Reads JSON. An escape for half a letter, which programs leave that cut
/// texts anywhere, stands for a mark.
pub(crate) fn parsed(source: &str) -> Result<Value, CardError> {
    check_values(source)?;
    serde_json::from_str(&whole_letters(source))
        .map_err(|error| CardError::damaged(format!("no JSON: {error}")))
}

/// JSON without escapes for half a letter.
fn whole_letters(source: &str) -> Cow<'_, str> {
    let mut whole = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = source[at..].find('\\') {
        at += found;
        let length = match (unit(source, at), unit(source, at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                whole.push_str(&source[copied..at]);
                whole.push_str("\\ufffd");
                copied = at + 6;
                6
            }
            (Some(_), _) => 6,
            // Two characters, the second of which may be a backslash.
            (None, _) => 1 + source[at + 1..].chars().next().map_or(0, char::len_utf8),
        };
        at += length;
    }
    match copied {
        0 => Cow::Borrowed(source),
        _ => Cow::Owned(whole + &source[copied..]),
    }
}

/// The unit that an escape of the form `\u1234` stands for, if one is there.
fn unit(source: &str, at: usize) -> Option<u16> {
    let escape = source.as_bytes().get(at..at + 6)?;
    let digits = escape.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    are_digits.then(|| u16::from_str_radix(digits, 16).ok())?
}

/// The beginning of a text that is too long, up to the end of a paragraph, a
/// line, a sentence or a word, whichever is there in its second half.
pub(crate) fn shortened(text: &str, most: usize) -> Option<&str> {
    let (end, _) = text.char_indices().nth(most)?;
    let head = &text[..end];
    // It may end just there.
    let with_next = &text[..end + text[end..].chars().next().map_or(0, char::len_utf8)];
    let ends: [&[&str]; 4] = [
        &["\n\n"],
        &["\n"],
        &[". ", "! ", "? ", "。", "！", "？"],
        &[" ", "\u{3000}"],
    ];
    let last = |marks: &[&str]| {
        let found = marks.iter().filter_map(|mark| {
            let at = with_next.rfind(mark)?;
            // What ends a sentence is part of it.
            let own = mark.trim_end().len();
            Some((at + own).min(end))
        });
        found.max().filter(|at| *at > end / 2)
    };
    let at = ends.into_iter().find_map(last).unwrap_or(end);
    Some(head[..at].trim_end())
}

/// A text without line breaks and doubled spaces.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
