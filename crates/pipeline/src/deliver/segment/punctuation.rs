//! Punctuation, by what it does to the text around it.

/// Signs beyond ASCII that belong to what precedes them.
const CLOSERS: &str = "」』｣”’»›。、，！？．｡…）］】〉》〕；：؟۔։။።។";

/// Signs that may stand beside those where nothing is said.
const OTHERS: &str = "“„‘«‹「『（《【–—·¿¡";

/// Signs of which any number may stand alone.
const STOPS: &str = ".,!?;。！？、，…";

/// Signs beyond ASCII that may end a sentence.
const ENDERS: &str = "…。！？．｡‼⁇⁈⁉؟۔։।။።។";

/// Signs beyond ASCII that may stand between the end of a sentence and a blank,
/// and close something.
const CLOSING: &str = "”’“‘»«›‹」』｣〉》】〕）］｝〞〟";

/// Whether `c` belongs to what precedes it.
#[inline]
pub(in crate::deliver) fn is_closer(c: char) -> bool {
    matches!(c, ',' | '.' | '!' | '?' | ';' | ':' | ')' | ']' | '}' | '%')
        || !c.is_ascii() && CLOSERS.contains(c)
}

/// Whether `c` may end a sentence.
#[inline]
pub(in crate::deliver) fn is_ender(c: char) -> bool {
    matches!(c, '.' | '!' | '?') || !c.is_ascii() && ENDERS.contains(c)
}

/// A full-width comma, colon or semicolon.
pub(in crate::deliver) const fn is_clause(c: char) -> bool {
    matches!(c, '、' | '，' | '､' | '；' | '：')
}

/// Whether `c` is a blank within a line.
pub(in crate::deliver) const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{3000}')
}

pub(super) fn is_closing(c: char) -> bool {
    matches!(c, ')' | ']' | '}' | '"') || !c.is_ascii() && CLOSING.contains(c)
}

pub(super) const fn is_delimiter(c: char) -> bool {
    matches!(c, '*' | '_' | '~' | '|')
}

/// Whether a text is punctuation only, so that it cannot stand alone.
pub(in crate::deliver) fn is_orphan(text: &str) -> bool {
    if text.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return false;
    }
    let text = text.trim();
    let punctuation = |c: char| is_closer(c) || c.is_ascii_punctuation() || OTHERS.contains(c);
    if text.is_empty() || text.len() > 64 || !text.chars().all(punctuation) {
        return false;
    }
    let short = text.chars().count() <= 3;
    let is_rule = |mark: &str| text.len() >= 3 && text.replace(mark, "").is_empty();
    (short || text.chars().all(|c| STOPS.contains(c)))
        && !["-", "*", "_"].into_iter().any(is_rule)
        && !is_face(text)
}

/// Whether a text is a face such as `:)`.
fn is_face(text: &str) -> bool {
    let mouth = text.trim_start_matches([':', ';', '=', '\'', '-']);
    (text.starts_with([':', ';', '='])
        && matches!(mouth, "(" | ")" | "[" | "]" | "|" | "/" | "\\" | "*"))
        || matches!(text, "^^" | "^_^" | "^.^" | "^-^")
}
