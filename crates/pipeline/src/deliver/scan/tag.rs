//! Words that a text begins with, and Discord's tags.

use super::{Kind, Miss, Read};

/// What follows `word`, which `text` begins with in any case.
pub(in crate::deliver) fn after<'t>(text: &'t str, word: &str) -> Read<&'t str> {
    let length = text.len().min(word.len());
    let alike = text.as_bytes()[..length].eq_ignore_ascii_case(&word.as_bytes()[..length]);
    match alike {
        true if length == word.len() => Ok(&text[length..]),
        true => Err(Miss::Ended),
        false => Err(Miss::Differs),
    }
}

/// The same for the first of `words` that it begins with.
pub(in crate::deliver) fn one_of<'t>(text: &'t str, words: &[&str]) -> Read<&'t str> {
    let mut nearest = Miss::Differs;
    for word in words {
        match after(text, word) {
            Err(Miss::Ended) => nearest = Miss::Ended,
            Err(_) => {}
            rest => return rest,
        }
    }
    Err(nearest)
}

/// The Discord tag that `text`, which begins with `<`, begins with, and its
/// length.
pub(super) fn read_tag(text: &str) -> Read<(Kind, usize)> {
    const LEADS: [&str; 8] = ["<:", "<a:", "<@&", "<@!", "<@", "<#", "<t:", "</"];
    let Some(&lead) = LEADS.iter().find(|lead| text.starts_with(**lead)) else {
        let opens = LEADS.iter().any(|lead| lead.starts_with(text));
        return Err(if opens { Miss::Ended } else { Miss::Differs });
    };
    let (emoji, time) = (matches!(lead, "<:" | "<a:"), lead == "<t:");
    let mut rest = &text[lead.len()..];
    let mut eat = |is_part: &dyn Fn(char) -> bool| {
        let before = rest.len();
        rest = rest.trim_start_matches(is_part);
        (before - rest.len(), rest.chars().next())
    };
    if emoji || lead == "</" {
        let (_, next) = match emoji {
            true => eat(&|c| c.is_ascii_alphanumeric() || c == '_'),
            false => eat(&|c| !matches!(c, ':' | '>' | '<' | '\n' | '\r')),
        };
        if next != Some(':') {
            return Err(next.map_or(Miss::Ended, |_| Miss::Differs));
        }
        eat(&|c| c == ':');
    } else if time {
        eat(&|c| c == '-');
    }
    let (digits, mut next) = eat(&|c| c.is_ascii_digit());
    if time && next == Some(':') {
        next = eat(&|c| c == ':' || c.is_ascii_alphabetic()).1;
    }
    match next {
        None => Err(Miss::Ended),
        Some('>') if digits > 0 => {
            let kind = if emoji { Kind::Emoji } else { Kind::Tag };
            Ok((kind, text.len() - rest.len() + 1))
        }
        Some(_) => Err(Miss::Differs),
    }
}
