//! Characters that nobody sees, and which of them are needed.

use std::collections::BTreeSet;

use super::SanitizeReason;

const ZWNJ: char = '\u{200c}';
const ZWJ: char = '\u{200d}';
const BLACK_FLAG: char = '\u{1f3f4}';
const KEYCAP: char = '\u{20e3}';

/// What makes a black flag that of England, Scotland or Wales.
const REGIONS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// What of a text is seen, with line feeds for everything that ends a line.
pub(super) fn seen(text: &str, changed: &mut BTreeSet<SanitizeReason>) -> String {
    let mut seen = String::with_capacity(text.len());
    let mut last = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        let next = rest.chars().next();
        let kept = match c {
            '\n' | '\t' => Some(c),
            '\r' if next == Some('\n') => {
                changed.insert(SanitizeReason::LineBreak);
                continue;
            }
            _ if breaks_line(c) => {
                changed.insert(SanitizeReason::LineBreak);
                Some('\n')
            }
            _ if is_invisible(c) => last.filter(|last| is_needed(*last, c, next)).map(|_| c),
            _ => Some(c),
        };
        let Some(kept) = kept else {
            changed.insert(SanitizeReason::Invisible);
            continue;
        };
        seen.push(kept);
        last = Some(kept);
        if kept == BLACK_FLAG
            && let Some(region) = REGIONS.into_iter().find(|region| rest.starts_with(region))
        {
            seen.push_str(region);
            rest = &rest[region.len()..];
        }
    }
    seen
}

/// Whatever a model may take for the end of a line.
const fn breaks_line(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// Whether nothing is drawn for the character itself: controls, and what
/// Unicode says may be ignored.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{fffe}'..='\u{ffff}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    ) || c.is_control()
}

/// Whether an invisible character changes how what stands before it is shown,
/// as it does in words of some scripts and in emoji.
fn is_needed(last: char, c: char, next: Option<char>) -> bool {
    match c {
        ZWJ if is_pictograph(last) || last == '\u{fe0f}' => next.is_some_and(is_pictograph),
        ZWJ | ZWNJ => is_joining(last),
        '\u{180b}'..='\u{180f}' => {
            matches!(last, '\u{1800}'..='\u{180a}' | '\u{1820}'..='\u{18af}')
        }
        '\u{fe0f}' if matches!(last, '0'..='9' | '#' | '*') => next == Some(KEYCAP),
        // None for what tokens are written with.
        '\u{fe00}'..='\u{fe0f}' => {
            matches!(last, '©' | '®')
                || last >= '\u{1000}' && !is_invisible(last) && !is_halfwidth(last)
        }
        '\u{e0100}'..='\u{e01ef}' => matches!(
            last,
            '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
        ),
        _ => false,
    }
}

/// Latin letters and signs in other widths, and what else stands for them.
const fn is_halfwidth(c: char) -> bool {
    matches!(c, '\u{fe50}'..='\u{fe6f}' | '\u{ff00}'..='\u{ffef}' | '\u{1d400}'..='\u{1d7ff}')
        || c.is_whitespace()
}

/// Scripts whose letters join or stack, from Hebrew to the scripts of India
/// and beyond.
const fn is_joining(c: char) -> bool {
    matches!(
        c,
        '\u{590}'..='\u{109f}'
            | '\u{1700}'..='\u{18af}'
            | '\u{1900}'..='\u{1cff}'
            | '\u{a800}'..='\u{abff}'
            | '\u{fb1d}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefc}'
            | '\u{10a00}'..='\u{11fff}'
            | '\u{1e900}'..='\u{1e95f}'
    )
}

/// What emoji are joined of.
const fn is_pictograph(c: char) -> bool {
    matches!(
        c,
        '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}'
            | '\u{1f000}'..='\u{1faff}'
    )
}
