//! The markdown inside a cell.

use std::collections::HashMap;
use std::ops::Range;

use super::cells::{code_ends, run_end};

/// A piece of a cell that looks the same throughout.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// The text, without marks. It may hold newlines.
    pub text: String,
    /// `**bold**`
    pub bold: bool,
    /// `*italic*`
    pub italic: bool,
    /// `~~struck through~~`
    pub strike: bool,
    /// `` `code` ``
    pub code: bool,
    /// `[link](https://example.com)` or a bare address.
    pub link: bool,
}

/// Reads the markdown of a cell. Marks without a partner are text.
pub fn spans(cell: &str) -> Vec<Span> {
    let tokens = tokens(cell);
    let partners = partners(&tokens, cell);
    let mut spans: Vec<Span> = Vec::new();
    let mut open = [false; Mark::ALL.len()];
    for (index, token) in tokens.iter().enumerate() {
        let mut span = Span {
            bold: open[Mark::Stars2 as usize] || open[Mark::Lines2 as usize],
            italic: open[Mark::Star as usize] || open[Mark::Line as usize],
            strike: open[Mark::Tildes as usize],
            ..Span::default()
        };
        match token {
            Token::Mark(mark, at) => {
                if partners[index] {
                    open[*mark as usize] = !open[*mark as usize];
                    continue;
                }
                span.text.push_str(&cell[at.clone()]);
            }
            Token::Text(at) => span.text.push_str(&cell[at.clone()]),
            Token::Break => span.text.push('\n'),
            Token::Emoji(name) => span.text.push_str(&cell[name.clone()]),
            Token::Code(at) => {
                span.code = true;
                span.text.push_str(code_text(&cell[at.clone()]));
            }
            Token::Link(at) => {
                span.link = true;
                span.text.push_str(&cell[at.clone()]);
            }
        }
        match spans.last_mut() {
            Some(last) if last.looks_like(&span) => last.text.push_str(&span.text),
            _ if span.text.is_empty() => {}
            _ => spans.push(span),
        }
    }
    spans
}

/// The text of a cell without its marks.
pub(super) fn plain(cell: &str) -> String {
    spans(cell).into_iter().map(|span| span.text).collect()
}

impl Span {
    fn looks_like(&self, other: &Self) -> bool {
        let look = |span: &Self| (span.bold, span.italic, span.strike, span.code, span.link);
        look(self) == look(other)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    Stars2,
    Star,
    Lines2,
    Line,
    Tildes,
}

impl Mark {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Stars2, "**"),
        (Self::Star, "*"),
        (Self::Lines2, "__"),
        (Self::Line, "_"),
        (Self::Tildes, "~~"),
    ];
}

enum Token {
    Text(Range<usize>),
    Mark(Mark, Range<usize>),
    Code(Range<usize>),
    /// What is shown of a link.
    Link(Range<usize>),
    /// The `:name:` of a custom emoji.
    Emoji(Range<usize>),
    /// `<br>`
    Break,
}

/// Cuts a cell where the look may change.
fn tokens(cell: &str) -> Vec<Token> {
    let bytes = cell.as_bytes();
    let code = code_ends(bytes);
    let mut tokens = Vec::new();
    let mut text = 0;
    let mut at = 0;
    while at < bytes.len() {
        let (token, end) = match special(cell, at, &code) {
            Special::Token(token, end) => (Some(token), end),
            Special::Hidden => (None, at + 1),
            Special::Plain(end) => {
                at = end;
                continue;
            }
        };
        if text < at {
            tokens.push(Token::Text(text..at));
        }
        tokens.extend(token);
        text = end;
        // What a backslash hid is the first character of the next text.
        at = if matches!(bytes[at], b'\\') {
            end + 1
        } else {
            end
        };
    }
    if text < bytes.len() {
        tokens.push(Token::Text(text..bytes.len()));
    }
    tokens
}

enum Special {
    Token(Token, usize),
    /// A backslash, which goes.
    Hidden,
    /// Text up to here.
    Plain(usize),
}

fn special(cell: &str, at: usize, code: &HashMap<usize, usize>) -> Special {
    let bytes = cell.as_bytes();
    let found = match bytes[at] {
        b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => return Special::Hidden,
        b'`' => {
            let run = run_end(bytes, at);
            match code.get(&at) {
                Some(&end) => Some((Token::Code(run..end - (run - at)), end)),
                None => return Special::Plain(run),
            }
        }
        b'*' | b'_' | b'~' => Mark::ALL
            .iter()
            .find(|(_, mark)| cell[at..].starts_with(mark))
            .map(|(mark, text)| (Token::Mark(*mark, at..at + text.len()), at + text.len())),
        b'[' => link(cell, at),
        b'<' => angle(cell, at),
        b'h' => bare_link(cell, at),
        _ => None,
    };
    match found {
        Some((token, end)) => Special::Token(token, end),
        None => Special::Plain(at + 1),
    }
}

/// `[shown](address)`, where neither holds the bracket it is in.
fn link(cell: &str, at: usize) -> Option<(Token, usize)> {
    let shown = at + 1;
    let close = shown + cell[shown..].find(['[', ']'])?;
    let rest = cell[close..].strip_prefix("](")?;
    let mut depth = 0;
    for (offset, c) in rest.char_indices() {
        match c {
            '(' if depth == 0 => depth = 1,
            ')' if depth > 0 => depth = 0,
            ')' if close > shown => return Some((Token::Link(shown..close), close + 3 + offset)),
            '(' | ')' | ' ' | '\n' | '<' => return None,
            _ => {}
        }
    }
    None
}

/// `<br>`, `<https://…>` and custom emoji.
fn angle(cell: &str, at: usize) -> Option<(Token, usize)> {
    let rest = &cell[at + 1..];
    let length = rest
        .find(['<', '>', ' '])
        .filter(|&end| rest[end..].starts_with('>'))?;
    let end = at + length + 2;
    let inside = &rest[..length];
    let start = at + 1;
    if inside.trim_end_matches('/').eq_ignore_ascii_case("br") {
        return Some((Token::Break, end));
    }
    if inside.starts_with("http://") || inside.starts_with("https://") {
        return Some((Token::Link(start..end - 1), end));
    }
    let name = inside.strip_prefix('a').unwrap_or(inside);
    let (name, id) = name.strip_prefix(':')?.split_once(':')?;
    if name.is_empty() || id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let shown = end - 1 - id.len() - name.len() - 2..end - 1 - id.len();
    Some((Token::Emoji(shown), end))
}

fn bare_link(cell: &str, at: usize) -> Option<(Token, usize)> {
    let rest = &cell[at..];
    if !rest.starts_with("http://") && !rest.starts_with("https://") {
        return None;
    }
    let length = rest
        .find(|c: char| c.is_whitespace() || "<>`|".contains(c))
        .unwrap_or(rest.len());
    let address = rest[..length].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '*', '_']);
    let end = at + address.len();
    Some((Token::Link(at..end), end))
}

/// Which marks open or close something. Of each kind one is open at a time;
/// closing it forgets those opened inside.
fn partners(tokens: &[Token], cell: &str) -> Vec<bool> {
    let mut partners = vec![false; tokens.len()];
    let mut open: [Option<usize>; Mark::ALL.len()] = [None; Mark::ALL.len()];
    for (index, token) in tokens.iter().enumerate() {
        let Token::Mark(mark, at) = token else {
            continue;
        };
        let before = cell[..at.start].chars().next_back();
        let after = cell[at.end..].chars().next();
        let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let solid = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
        let inside_word = matches!(mark, Mark::Line | Mark::Lines2) && word(before) && word(after);
        if inside_word {
            continue;
        }
        let kind = *mark as usize;
        match open[kind] {
            Some(opening) if solid(before) && opening + 1 < index => {
                partners[opening] = true;
                partners[index] = true;
                // `***` closes both, whichever was opened first.
                let next = match tokens.get(index + 1) {
                    Some(Token::Mark(next, _)) => Some(*next as usize),
                    _ => None,
                };
                for (kind, other) in open.iter_mut().enumerate() {
                    *other = other.filter(|&at| at < opening || at > opening && next == Some(kind));
                }
            }
            None if solid(after) => open[kind] = Some(index),
            _ => {}
        }
    }
    partners
}

/// Code with one space on each side shows without them.
fn code_text(text: &str) -> &str {
    match text
        .strip_prefix(' ')
        .and_then(|text| text.strip_suffix(' '))
    {
        Some(inner) if !inner.trim().is_empty() => inner,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes spans in a notation of their own: `b{…}` is bold.
    fn show(spans: &[Span]) -> String {
        spans
            .iter()
            .map(|span| {
                let looks = [
                    (span.bold, 'b'),
                    (span.italic, 'i'),
                    (span.strike, 's'),
                    (span.code, 'c'),
                    (span.link, 'l'),
                ];
                let look: String = looks
                    .iter()
                    .filter(|look| look.0)
                    .map(|look| look.1)
                    .collect();
                let text = &span.text;
                if look.is_empty() {
                    text.clone()
                } else {
                    format!("{look}{{{text}}}")
                }
            })
            .collect()
    }

    fn check(cell: &str, expected: &str) {
        assert_eq!(show(&spans(cell)), expected, "{cell:?}");
    }

    #[test]
    fn marks_become_looks() {
        check("plain", "plain");
        check("", "");
        check("a **b** c", "a b{b} c");
        check("**a *b* c**", "b{a }bi{b}b{ c}");
        check("*a **b***", "i{a }bi{b}");
        check("***a***", "bi{a}");
        check("__a__ _b_ ~~c~~", "b{a} i{b} s{c}");
        check("`a` ``b ` c`` ` d ` `` ` ``", "c{a} c{b ` c} c{d} c{`}");
        check("`**a**`", "c{**a**}");
        check("[**site**](https://a.b/c_(d))!", "l{**site**}!");
        check("see https://a.b/c_d_e, ok", "see l{https://a.b/c_d_e}, ok");
        check("<https://a.b> <br> <BR/> x", "l{https://a.b} \n \n x");
        check("<:wave:123> <a:dance:4> <@5>", ":wave: :dance: <@5>");
        check("\\*a\\* \\\\ \\x", "*a* \\ \\x");
    }

    #[test]
    fn marks_without_a_partner_are_text() {
        check("2 * 3 * 4", "2 * 3 * 4");
        check("snake_case_name", "snake_case_name");
        check("**open", "**open");
        check("**a *b** c*", "b{a *b} c*");
        check("****", "****");
        check("`open", "`open");
        check("[a](b c) [](x) [a][b] [", "[a](b c) [](x) [a][b] [");
        check("a < b > c <:x:> <", "a < b > c <:x:> <");
        check("~a~ \\", "~a~ \\");
    }
}
