//! Signs that cannot begin a message, or be one.

/// Signs that belong to what precedes them.
pub(super) const fn is_closer(c: char) -> bool {
    matches!(
        c,
        ',' | '.'
            | '!'
            | '?'
            | ';'
            | ':'
            | ')'
            | ']'
            | '}'
            | '」'
            | '』'
            | '｣'
            | '”'
            | '’'
            | '»'
            | '›'
            | '。'
            | '、'
            | '，'
            | '！'
            | '？'
            | '．'
            | '｡'
            | '…'
            | '）'
            | '］'
            | '】'
            | '〉'
            | '》'
            | '〕'
            | '；'
            | '：'
            | '%'
            | '؟'
    )
}

/// Whether a text is punctuation only, so that it cannot stand alone.
pub(super) fn is_orphan(text: &str) -> bool {
    if text.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return false;
    }
    let text = text.trim();
    let punctuation = |c: char| {
        is_closer(c)
            || c.is_ascii_punctuation()
            || matches!(
                c,
                '“' | '„'
                    | '‘'
                    | '«'
                    | '‹'
                    | '「'
                    | '『'
                    | '（'
                    | '《'
                    | '【'
                    | '–'
                    | '—'
                    | '·'
                    | '¿'
                    | '¡'
            )
    };
    if text.is_empty() || text.len() > 64 || !text.chars().all(punctuation) {
        return false;
    }
    let stops = |c: char| {
        matches!(
            c,
            '.' | ',' | '!' | '?' | ';' | '。' | '！' | '？' | '、' | '，' | '…'
        )
    };
    let short = text.chars().count() <= 3;
    let rule = text.len() >= 3
        && ["-", "*", "_"]
            .iter()
            .any(|mark| text.replace(mark, "").is_empty());
    (short || text.chars().all(stops)) && !rule && !is_face(text)
}

/// Whether a text is a face such as `:)`.
fn is_face(text: &str) -> bool {
    let mouth = text.trim_start_matches([':', ';', '=', '\'', '-']);
    (text.starts_with([':', ';', '='])
        && matches!(mouth, "(" | ")" | "[" | "]" | "|" | "/" | "\\" | "*"))
        || matches!(text, "^^" | "^_^" | "^.^" | "^-^")
}
