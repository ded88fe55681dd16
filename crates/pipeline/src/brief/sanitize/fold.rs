//! What a character may be taken for.

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// Gives the plain small letters and signs that a character looks like: without
/// accents, width, style and case, and with Latin letters for their doubles in
/// other scripts.
pub(super) fn fold(c: char, mut give: impl FnMut(char)) {
    if c.is_ascii() {
        give(c.to_ascii_lowercase());
        return;
    }
    decompose_compatible(c, |part| {
        for part in part.to_lowercase().map(double) {
            if !is_combining_mark(part) {
                give(part);
            }
        }
    });
}

/// A text of at most `limit` characters, folded.
pub(super) fn folded(text: &str, limit: usize) -> Vec<char> {
    let mut folded = Vec::with_capacity(limit.min(text.len()));
    for c in text.chars().take(limit) {
        fold(c, |part| folded.push(part));
    }
    folded
}

/// Whether it is taken for a colon. Those in other widths fold to one.
pub(super) const fn is_colon(c: char) -> bool {
    matches!(
        c,
        ':' | '\u{2d0}'
            | '\u{2f8}'
            | '\u{589}'
            | '\u{5c3}'
            | '\u{703}'
            | '\u{704}'
            | '\u{1804}'
            | '\u{205a}'
            | '\u{2236}'
            | '\u{a4fd}'
            | '\u{a789}'
            | '\u{fe13}'
    )
}

/// Whether it is taken for a vertical bar.
pub(super) const fn is_bar(c: char) -> bool {
    matches!(
        c,
        '|' | '¦' | 'ǀ' | '∣' | '⎮' | '⏐' | '│' | '┃' | '❘' | '｜' | '￨'
    )
}

/// The Latin letter that a small letter looks just like.
const fn double(c: char) -> char {
    match c {
        'а' | 'α' | 'ᴀ' => 'a',
        'ᴄ' | 'с' | 'ϲ' => 'c',
        'ԁ' | 'ᴅ' => 'd',
        'е' | 'ε' | 'ᴇ' => 'e',
        'һ' | 'ʜ' => 'h',
        'і' | 'ι' | 'ı' | 'ɪ' => 'i',
        'ј' => 'j',
        'κ' | 'к' | 'ᴋ' => 'k',
        'ʟ' | 'ӏ' => 'l',
        'м' | 'ᴍ' => 'm',
        'ɴ' => 'n',
        'о' | 'ο' | 'ᴏ' => 'o',
        'р' | 'ρ' | 'ᴘ' => 'p',
        'ʀ' => 'r',
        'ѕ' | 'ꜱ' => 's',
        'т' | 'τ' | 'ᴛ' => 't',
        'υ' | 'ᴜ' => 'u',
        'ν' | 'ᴠ' => 'v',
        'ᴡ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'ʏ' => 'y',
        _ => c,
    }
}
