//! What becomes of letters so that words compare alike however they were typed.

use unicode_normalization::char::decompose_canonical;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfkc_quick};

/// Whether `normalise` would change nothing, as far as a glance tells.
pub(super) fn is_normal(text: &str) -> bool {
    text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes
}

/// Letters of Hangul that stand alone are laughter and tears (ㅋㅋ, ㅠㅠ), and
/// would be composed to syllables; a few are short for what they begin, and
/// laughter tells for whom something is.
pub(super) fn normalise(text: &str) -> String {
    let text = text.replace("ㄱㅁ", "그만").replace("ㄷㅊ", "닥쳐");
    let text = text.replace(['ㅋ', 'ㅎ'], " xd ");
    let plain = text.chars().map(|c| match c {
        '\u{3131}'..='\u{318e}' => ' ',
        _ => c,
    });
    plain.nfkc().collect()
}

pub(super) fn is_wide(c: char) -> bool {
    matches!(c,
        '\u{3005}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

pub(super) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

/// A syllable of Hangul and the vowel that stretches it, as one.
pub(super) fn merge(before: char, c: char) -> Option<char> {
    let index = |c: char| u32::from(c).checked_sub(0xac00).filter(|i| *i < 11_172);
    let (before, after) = (index(before)?, index(c)?);
    const SILENT: u32 = 11;
    let open = before % 28 == 0;
    let same_vowel = before / 28 % 21 == after / 28 % 21;
    (open && after / 588 == SILENT && same_vowel)
        .then(|| char::from_u32(0xac00 + before + after % 28))
        .flatten()
}

/// A letter without diacritics.
pub(super) fn bare(c: char) -> impl Iterator<Item = char> {
    let mut base = None;
    let (c, more) = match c {
        'đ' => ('d', None),
        'ø' => ('o', None),
        'ł' => ('l', None),
        'ı' => ('i', None),
        'ß' => ('s', Some('s')),
        'œ' => ('o', Some('e')),
        'æ' => ('a', Some('e')),
        _ => (c, None),
    };
    let plain = c.is_ascii() || ('а'..='я').contains(&c) && c != 'й';
    if plain {
        base = Some(c);
    } else {
        decompose_canonical(c, |part| {
            base.get_or_insert(part);
        });
    }
    base.into_iter().chain(more)
}

/// "stopstopstop" once.
pub(super) fn once(word: &str) -> &str {
    let bytes = word.as_bytes();
    if bytes.len() < 8 || bytes[0] != bytes[4] && !bytes[5..].contains(&bytes[0]) {
        return word;
    }
    (4..=bytes.len() / 2)
        .find(|unit| {
            bytes.len().is_multiple_of(*unit)
                && word.is_char_boundary(*unit)
                && bytes.chunks(*unit).all(|part| part == &bytes[..*unit])
        })
        .map_or(word, |unit| &word[..unit])
}

pub(super) fn is_stretched(word: &str) -> bool {
    let mut run = 0;
    let mut last = None;
    word.chars().any(|c| {
        run = if last == Some(c) { run + 1 } else { 1 };
        last = Some(c);
        run == 3 && !c.is_ascii_digit()
    })
}

/// Runs of three letters and more, cut to `most`.
pub(super) fn shrink(word: &str, most: usize) -> String {
    let mut short = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        let end = rest.find(|other| other != c).unwrap_or(rest.len());
        let run = end / c.len_utf8();
        let keep = if run >= 3 { most } else { run };
        short.extend(std::iter::repeat_n(c, keep));
        rest = &rest[end..];
    }
    short
}

/// FNV-1a: words are short.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Whether it is written in Cyrillic alone.
pub(super) fn is_cyrillic(word: &str) -> bool {
    word.chars().all(|c| ('\u{400}'..='\u{4ff}').contains(&c))
}

/// The first and the last letter.
pub(super) fn ends(word: &str) -> Option<u64> {
    let mut letters = word.chars();
    let (first, last) = (letters.next()?, letters.next_back()?);
    Some(u64::from(u32::from(first)) << 32 | u64::from(u32::from(last)))
}

/// The word without one of its inner letters.
pub(super) fn without_one(word: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = word.chars().collect();
    (1..letters.len().saturating_sub(1)).map(move |gone| {
        let kept = letters
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != gone);
        kept.map(|(_, letter)| letter).collect()
    })
}

/// The word with one more of its alphabet's letters within.
pub(super) fn with_one(word: &str) -> impl Iterator<Item = String> {
    let alphabet = if is_cyrillic(word) {
        'а'..='я'
    } else {
        'a'..='z'
    };
    let inner = word.char_indices().skip(1).map(|(at, _)| at);
    inner.flat_map(move |at| {
        alphabet
            .clone()
            .map(move |letter| [&word[..at], letter.encode_utf8(&mut [0; 4]), &word[at..]].concat())
    })
}

/// The word with two neighbours among its inner letters swapped.
pub(super) fn swapped(word: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = word.chars().collect();
    (1..letters.len().saturating_sub(2)).map(move |first| {
        let mut letters = letters.clone();
        letters.swap(first, first + 1);
        letters.into_iter().collect()
    })
}
