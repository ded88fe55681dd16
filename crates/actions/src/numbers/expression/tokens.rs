//! Arithmetic in pieces: numbers, names and signs.

use super::ExpressionError;
use super::value::Value;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum ExpressionToken {
    Number(Value),
    /// A function or a constant.
    Name(&'static str),
    Sign(char),
}

/// A token, and where it stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Placed {
    /// The number of its first character, from 1.
    pub(super) at: usize,
    /// Something stands between it and the one before.
    pub(super) spaced: bool,
    pub(super) token: ExpressionToken,
}

pub(super) const FUNCTIONS: [&str; 19] = [
    "sqrt", "abs", "round", "floor", "ceil", "min", "max", "ln", "log", "sin", "cos", "tan",
    "asin", "acos", "atan", "log2", "log10", "exp", "cbrt",
];

pub(super) const CONSTANTS: [(&str, f64); 3] = [
    ("pi", std::f64::consts::PI),
    ("e", std::f64::consts::E),
    ("tau", std::f64::consts::TAU),
];

/// Words for signs.
const WORDS: [(&str, char); 7] = [
    ("plus", '+'),
    ("minus", '-'),
    ("times", '*'),
    ("x", '*'),
    ("of", '*'),
    ("mod", 'm'),
    ("divided", '/'),
];

const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, ExpressionError> {
    let text: String = text.chars().map(plain).collect();
    // "2 + 2 = ?"
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || c == '=' || c == '?');
    let mut tokens: Vec<Placed> = Vec::new();
    // Whether the brackets that are open are those of a function.
    let mut calls: Vec<bool> = Vec::new();
    let (mut rest, mut at, mut spaced) = (text, 1, false);
    while let Some(first) = rest.chars().next() {
        let in_call = calls.last().copied().unwrap_or(false);
        let lost = ExpressionError::NotUnderstood(at);
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else {
            let (token, length) = token(rest, first, in_call, lost)?;
            if token == ExpressionToken::Sign('(') {
                let before = tokens.last().map(|it| it.token);
                calls.push(matches!(before, Some(ExpressionToken::Name(name)) if FUNCTIONS.contains(&name)));
            } else if token == ExpressionToken::Sign(')') {
                calls.pop();
            }
            let superscript = SUPERSCRIPTS.contains(&first);
            if superscript {
                let token = ExpressionToken::Sign('^');
                tokens.push(Placed { at, spaced, token });
            }
            let spaced = spaced && !superscript;
            tokens.push(Placed { at, spaced, token });
            length
        };
        spaced = first.is_whitespace();
        let (read, after) = rest.split_at(length);
        at += read.chars().count();
        rest = after;
    }
    Ok(tokens)
}

/// The token at the start, and how many bytes it takes.
fn token(
    text: &str,
    first: char,
    in_call: bool,
    lost: ExpressionError,
) -> Result<(ExpressionToken, usize), ExpressionError> {
    if first.is_ascii_digit() || first == '.' {
        let length = number_length(text, in_call);
        let (digits, after) = text.split_at(length);
        // Numbers to the base of sixteen are not meant to be products.
        let hex = digits == "0" && after.starts_with(['x', 'X']);
        if hex && after[1..].starts_with(|c: char| c.is_ascii_hexdigit()) {
            return Err(lost);
        }
        return Ok((ExpressionToken::Number(number(digits, lost)?), length));
    }
    if first.is_ascii_alphabetic() {
        return name(text).ok_or(lost);
    }
    if let Some(digits) = superscript(text) {
        let length = text
            .find(|c| !SUPERSCRIPTS.contains(&c))
            .unwrap_or(text.len());
        return Ok((ExpressionToken::Number(number(&digits, lost)?), length));
    }
    // Many write powers with two stars.
    if text.starts_with("**") {
        return Ok((ExpressionToken::Sign('^'), 2));
    }
    let token = match first {
        '√' => ExpressionToken::Name("sqrt"),
        'π' => ExpressionToken::Name("pi"),
        '+' | '-' | '*' | '/' | '^' | '%' | '!' | '(' | ')' | ',' => ExpressionToken::Sign(first),
        _ => return Err(lost),
    };
    Ok((token, first.len_utf8()))
}

/// A name, with the digits that belong to it: "log2". "3x4" is a product.
fn name(text: &str) -> Option<(ExpressionToken, usize)> {
    let length = text
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(text.len());
    let lower = text[..length].to_ascii_lowercase();
    let after = &text[length..];
    for digits in ["10", "2"] {
        let is_whole = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        if lower == "log" && after.strip_prefix(digits).is_some_and(is_whole) {
            let name = if digits == "2" { "log2" } else { "log10" };
            return Some((ExpressionToken::Name(name), length + digits.len()));
        }
    }
    if let Some((word, sign)) = WORDS.iter().find(|(word, _)| *word == lower) {
        let by = after.trim_start();
        let by = match by.get(..2) {
            Some("by") if *word == "divided" => after.len() - by.len() + 2,
            _ => 0,
        };
        return Some((ExpressionToken::Sign(*sign), length + by));
    }
    let function = FUNCTIONS.iter().find(|it| **it == lower).copied();
    let constant = || {
        CONSTANTS
            .iter()
            .map(|(name, _)| *name)
            .find(|it| *it == lower)
    };
    Some((ExpressionToken::Name(function.or_else(constant)?), length))
}

fn superscript(text: &str) -> Option<String> {
    let digits = text
        .chars()
        .map_while(|c| SUPERSCRIPTS.iter().position(|it| *it == c));
    let digits: String = digits.map(|digit| digit.to_string()).collect();
    (!digits.is_empty()).then_some(digits)
}

/// One of those for each sign, and half-width.
fn plain(c: char) -> char {
    match c {
        '！'..='～' => {
            char::from_u32(u32::from(c) - u32::from('！') + u32::from('!')).map_or(c, plain)
        }
        '×' | '·' | '⋅' | '∙' | '✕' | '✖' => '*',
        '÷' | '∕' | '➗' => '/',
        '−' | '–' | 'ー' => '-',
        '、' => ',',
        _ => c,
    }
}

/// How long the number at the start is: digits with thousands apart by `_` or,
/// where no argument of a function can begin, by `,`; a fraction; an exponent.
fn number_length(text: &str, in_call: bool) -> usize {
    let plain = |text: &str| {
        let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_'));
        end.unwrap_or(text.len())
    };
    let mut length = plain(text);
    let is_group = |text: &str| {
        let digits = text
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len());
        digits == 3
    };
    let begins = (1..=3).contains(&length) && text[..length].bytes().all(|it| it.is_ascii_digit());
    if begins && !in_call {
        while let Some(group) = text[length..].strip_prefix(',').filter(|it| is_group(it)) {
            length += 1 + 3;
            if group[3..].starts_with('.') {
                length += plain(&group[3..]);
                break;
            }
        }
    }
    let exponent = text[length..].strip_prefix(['e', 'E']);
    let Some(exponent) = exponent else {
        return length;
    };
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let end = digits.find(|c: char| !c.is_ascii_digit());
    match end.unwrap_or(digits.len()) {
        0 => length,
        many => length + 1 + (exponent.len() - digits.len()) + many,
    }
}

fn number(text: &str, lost: ExpressionError) -> Result<Value, ExpressionError> {
    let text = text.replace(['_', ','], "");
    let near = || -> Result<Value, ExpressionError> {
        let value: f64 = text.parse().map_err(|_| lost)?;
        let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
        let is_zero = !mantissa.contains(|c: char| ('1'..='9').contains(&c));
        match value.is_finite() && (value != 0.0 || is_zero) {
            true => Ok(Value::Near(value)),
            false => Err(ExpressionError::NoNumber),
        }
    };
    if text.contains(['e', 'E']) {
        return near();
    }
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    if part.contains('.') || (whole.is_empty() && part.is_empty()) {
        return Err(lost);
    }
    let exact = || {
        let scale = 10i128.checked_pow(u32::try_from(part.len()).ok()?)?;
        Value::fraction(format!("{whole}{part}").parse().ok()?, scale).ok()
    };
    exact().map_or_else(near, Ok)
}
