//! Does a sentence end here?
//!
//! Rules, not statistics: a full stop after an abbreviation, an initial or a
//! number does not end a sentence unless what follows says so.

/// Abbreviations that a name or a number follows, so that they never end a
/// sentence; in order, as the other lists.
const TITLES: &[&str] = &[
    "adm", "approx", "bzw", "capt", "cf", "cmdr", "col", "d.h", "dr", "dra", "e.g", "eg", "fr",
    "ft", "gen", "gov", "hon", "i.e", "ie", "lt", "maj", "mlle", "mme", "mr", "mrs", "ms", "mt",
    "mx", "pres", "prof", "rep", "rev", "sen", "sgt", "sra", "srta", "st", "viz", "vs", "z.b",
    "г-н", "им", "т.е", "ул",
];

/// Abbreviations that end a sentence only before a capital.
const LOWER_FOLLOWS: &[&str] = &[
    "a.k.a", "a.m", "aka", "al", "apr", "assn", "aug", "ave", "bld", "blvd", "bros", "ca", "co",
    "corp", "ct", "dec", "dept", "est", "etc", "feb", "fri", "ibid", "inc", "jan", "jr", "jul",
    "jun", "llc", "ln", "ltd", "m.in", "mar", "mon", "nov", "oct", "p.m", "rd", "sat", "sep",
    "sept", "sr", "sun", "thu", "thurs", "tue", "tues", "usw", "wed", "др", "пр", "т.д", "т.п",
];

/// Abbreviations that a number follows.
const NUMBER_FOLLOWS: &[&str] = &[
    "art", "ch", "eq", "fig", "figs", "no", "nos", "nr", "p", "pp", "ref", "sec", "vol", "vols",
    "рис", "стр", "№",
];

/// Whether a full-width sign stands in the run, which needs no blank after it.
pub(super) fn is_wide(run: &str) -> bool {
    run.chars()
        .any(|c| matches!(c, '。' | '！' | '？' | '．' | '｡'))
}

/// Whether the run of signs at the end of `before` ends a sentence that
/// `next` follows after a blank. `closed` tells that a quotation or a bracket
/// was closed in between.
pub(super) fn ends(before: &str, run: &str, closed: bool, next: Option<char>) -> bool {
    let lower = next.is_some_and(char::is_lowercase);
    if run.chars().all(|c| matches!(c, '.' | '…')) && run != "." {
        // An ellipsis is a pause.
        return false;
    }
    if closed && lower {
        return false;
    }
    if run != "." {
        return true;
    }
    let word = last_word(before);
    if word.is_empty() {
        return true;
    }
    let abbreviation = Lowered::new(word);
    let is_one_of = |list| {
        abbreviation
            .as_ref()
            .is_some_and(|word| word.is_one_of(list))
    };
    let mut letters = word.chars();
    if let (Some(only), None) = (letters.next(), letters.next()) {
        // An initial, unless it is a number or stands in a script without them.
        if only.is_ascii_digit() {
            return !lower;
        }
        if only.is_uppercase() || (only.is_lowercase() && is_one_of(NUMBER_FOLLOWS)) {
            return only == 'I' || (only.is_lowercase() && !next.is_some_and(char::is_numeric));
        }
        return true;
    }
    if word.chars().all(|c| c.is_ascii_digit()) {
        return !lower;
    }
    if is_one_of(TITLES) {
        return false;
    }
    if is_one_of(LOWER_FOLLOWS) {
        return next.is_none_or(char::is_uppercase) || next.is_some_and(is_wide_letter);
    }
    if is_one_of(NUMBER_FOLLOWS) {
        return !next.is_some_and(char::is_numeric);
    }
    // U.S., J.R.R., Ph.D.
    !is_dotted(word)
}

/// The word at the end of `before`, without what stands around it.
fn last_word(before: &str) -> &str {
    // The longest abbreviation is short; a longer word is none.
    let mut begin = before.len().saturating_sub(32);
    while !before.is_char_boundary(begin) {
        begin += 1;
    }
    let tail = &before[begin..];
    let word = tail
        .rsplit(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-' || c == '№'))
        .next()
        .unwrap_or("");
    word.trim_start_matches(['.', '-'])
}

/// The longest abbreviation, in bytes.
const LONGEST: usize = 8;

/// A word in small letters, if it is short enough to be an abbreviation.
struct Lowered {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Lowered {
    fn new(word: &str) -> Option<Self> {
        let mut bytes = [0; LONGEST];
        let mut length = 0;
        if word.len() > LONGEST {
            return None;
        }
        for c in word.chars().flat_map(char::to_lowercase) {
            let end = length + c.len_utf8();
            c.encode_utf8(bytes.get_mut(length..end)?);
            length = end;
        }
        Some(Self { bytes, length })
    }

    fn is_one_of(&self, list: &[&str]) -> bool {
        let word = &self.bytes[..self.length];
        list.binary_search_by(|entry| entry.as_bytes().cmp(word))
            .is_ok()
    }
}

/// Whether each part between the dots is short, as in an acronym.
fn is_dotted(word: &str) -> bool {
    word.contains('.')
        && word.split('.').all(|part| {
            (1..=2).contains(&part.chars().count()) && part.chars().all(char::is_alphabetic)
        })
}

const fn is_wide_letter(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_order_and_short() {
        for list in [TITLES, LOWER_FOLLOWS, NUMBER_FOLLOWS] {
            assert!(list.is_sorted());
            assert!(list.iter().all(|entry| entry.len() <= LONGEST));
        }
    }

    #[test]
    fn full_stops() {
        // A bar stands where a sentence ends.
        for marked in [
            "Dr. Smith met Mr. Jones at 5 St. James Ave. yesterday.",
            "The U.S. economy grew.| The U.K. did too.",
            "Acme Inc. bought it for $5.| Wow.",
            "On Jan. 5 and Mon. we met.",
            "Please say no.| I mean it.",
            "No. 5 is alive.| See fig. 3 and pp. 4.",
            "He sat.| She mar.| They wed.",
            "J.R.R. Tolkien wrote.| C.S. Lewis too.",
            "In the year 2020.| Next sentence.",
            "She got a Ph.D. in 2010.| Nice.",
            "Bread, milk, etc.| Then home.| Bread etc. and more.",
            "hey.| what's up.| not much.",
            "Hmm... I guess so... maybe.",
            "и т.д. и т.п.| Конец.",
            "Really?!| Yes!| ok.",
            "approx. Five of them.| e.g. this one.",
        ] {
            let mut shown = String::new();
            let text = marked.replace('|', "");
            let mut at = 0;
            while let Some(found) = text[at..].find(['.', '!', '?']) {
                let begin = at + found;
                let run = &text[begin..];
                let run = &run[..run.len() - run.trim_start_matches(['.', '!', '?']).len()];
                let end = begin + run.len();
                shown.push_str(&text[at..end]);
                let blank = text[end..].starts_with(' ');
                let next = text[end..].trim_start().chars().next();
                if blank && ends(&text[..begin], run, false, next) {
                    shown.push('|');
                }
                at = end;
            }
            assert_eq!(shown, marked);
        }
    }
}
