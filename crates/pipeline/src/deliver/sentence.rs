//! Does a sentence end here?
//!
//! Rules, not statistics: a full stop after an abbreviation, an initial or a
//! number does not end a sentence unless what follows says so.

/// Abbreviations that a name or a number follows, so that they never end a
/// sentence.
#[rustfmt::skip]
const TITLES: &[&str] = &[
    "adm", "approx", "bzw", "capt", "cf", "cmdr", "col", "d.h", "dr", "dra", "e.g", "eg", "fr",
    "ft", "gen", "gov", "hon", "i.e", "ie", "lt", "maj", "mlle", "mme", "mr", "mrs", "ms", "mt",
    "mx", "pres", "prof", "rep", "rev", "sen", "sgt", "sra", "srta", "st", "viz", "vs", "z.b",
    "г-н", "им", "т.е", "ул",
];

/// Abbreviations that end a sentence only before a capital.
#[rustfmt::skip]
const LOWER_FOLLOWS: &[&str] = &[
    "a.k.a", "a.m", "aka", "al", "apr", "assn", "aug", "ave", "bld", "blvd", "bros", "ca", "co",
    "corp", "ct", "dec", "dept", "est", "etc", "feb", "fri", "ibid", "inc", "jan", "jr", "jul",
    "jun", "llc", "ln", "ltd", "m.in", "mar", "mon", "nov", "oct", "p.m", "rd", "sat", "sep",
    "sept", "sr", "sun", "thu", "thurs", "tue", "tues", "usw", "wed", "др", "пр", "т.д", "т.п",
];

/// Abbreviations that a number follows.
#[rustfmt::skip]
const NUMBER_FOLLOWS: &[&str] = &[
    "art", "ch", "eq", "fig", "figs", "no", "nos", "nr", "p", "pp", "ref", "sec", "vol", "vols",
    "рис", "стр", "№",
];

/// Whether a full-width sign stands in the run, which needs no blank after it.
pub(super) fn is_wide(run: &str) -> bool {
    run.contains(['。', '！', '？', '．', '｡'])
}

/// Whether a full-width point stands within a number, as in `１２３．４５`.
pub(super) fn is_decimal_point(before: &str, run: &str, next: Option<char>) -> bool {
    run == "．"
        && next.is_some_and(char::is_numeric)
        && before.chars().next_back().is_some_and(char::is_numeric)
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
    let lowered = word.to_lowercase();
    let is_one_of = |list: &[&str]| list.contains(&lowered.as_str());
    let mut letters = word.chars();
    if let (Some(only), None) = (letters.next(), letters.next()) {
        // An initial, unless it is a number or stands in a script without them.
        if only.is_ascii_digit() {
            return !lower;
        }
        if only.is_uppercase() || (only.is_lowercase() && is_one_of(NUMBER_FOLLOWS)) {
            return only == 'I' || (only.is_lowercase() && !next.is_some_and(char::is_numeric));
        }
        // Nor do z. B. and d. h. end one.
        let begins = matches!((only, next), ('z', Some('B')) | ('d', Some('h')));
        return !begins && !before.ends_with("d. h");
    }
    if word.chars().all(|c| c.is_ascii_digit()) {
        return !lower;
    }
    if is_one_of(TITLES) {
        return false;
    }
    if is_one_of(LOWER_FOLLOWS) {
        return next.is_none_or(char::is_uppercase) || next.is_some_and(is_unspaced);
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
    let tail = &before[before.ceil_char_boundary(before.len().saturating_sub(32))..];
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '№');
    let word = &tail[tail.trim_end_matches(in_word).len()..];
    word.trim_start_matches(['.', '-'])
}

/// Whether each part between the dots is short, as in an acronym.
fn is_dotted(word: &str) -> bool {
    let is_short = |part: &str| {
        (1..=2).contains(&part.chars().count()) && part.chars().all(char::is_alphabetic)
    };
    word.contains('.') && word.split('.').all(is_short)
}

/// Whether the script of `c` puts no blanks between words.
pub(super) const fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{1100}'..='\u{11FF}' | '\u{F900}'..='\u{FAFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "Tee, z. B. Assam, d. h. schwarzer.| Das ist d.| Und h.",
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
