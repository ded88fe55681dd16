//! The tokens by which models tell the parts of a conversation apart.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::SanitizeReason;
use super::fold::{fold, is_bar};

/// How far the name of a token is read, in characters.
const NAME_CHARS: usize = 48;

/// Names in angle brackets that may have attributes, with `_` for every gap.
const ANGLE: [&str; 50] = [
    "im_start",
    "im_end",
    "im_sep",
    "im_middle",
    "start_of_turn",
    "end_of_turn",
    "turn",
    "start_of_image",
    "end_of_image",
    "begin_of_text",
    "end_of_text",
    "endoftext",
    "startoftext",
    "begin_of_sentence",
    "end_of_sentence",
    "start_header_id",
    "end_header_id",
    "eot_id",
    "eom_id",
    "bos_token",
    "eos_token",
    "pad_token",
    "bos",
    "eos",
    "sys",
    "gmask",
    "sop",
    "eop",
    "tool_call",
    "tool_calls",
    "tool_response",
    "tool_responses",
    "tool_result",
    "tool_results",
    "tool_output",
    "tool_outputs",
    "tools",
    "function_call",
    "function_calls",
    "function_result",
    "function_results",
    "function_response",
    "invoke",
    "parameter",
    "think",
    "thinking",
    "reasoning",
    "scratchpad",
    "observation",
    "channel",
];

/// Names that are one only when their bracket closes at once.
const ANGLE_ALONE: [&str; 14] = [
    "s",
    "pad",
    "unk",
    "mask",
    "cls",
    "sep",
    "system",
    "user",
    "assistant",
    "human",
    "developer",
    "tool",
    "model",
    "instructions",
];

/// What begins the names of families of tokens.
const ANGLE_FAMILIES: [&str; 7] = [
    "antml:",
    "seed:",
    "unused",
    "extra_id_",
    "reserved_",
    "system_",
    "fim_",
];

/// Names in square brackets.
const SQUARE: [&str; 20] = [
    "inst",
    "sys",
    "system_prompt",
    "available_tools",
    "tool_calls",
    "tool_results",
    "tool_content",
    "call_id",
    "args",
    "think",
    "prefix",
    "suffix",
    "middle",
    "gmask",
    "cls",
    "sep",
    "mask",
    "bos",
    "eos",
    "model_settings",
];

/// Names between bars.
const BARRED: [&str; 7] = [
    "im_start",
    "im_end",
    "endoftext",
    "eot_id",
    "start_header_id",
    "end_header_id",
    "begin_of_text",
];

/// What one vendor writes instead of brackets.
const BRACKETS: [&str; 3] = ["]~b]", "]~!b[", "[e~["];

/// The line with a space in every token.
pub(super) fn broken<'a>(line: &'a str, changed: &mut BTreeSet<SanitizeReason>) -> Cow<'a, str> {
    let mut broken = String::new();
    let mut shown = 0;
    for (at, c) in line.char_indices() {
        let after = at + c.len_utf8();
        if begins_token(c, &line[at..]) {
            broken.push_str(&line[shown..after]);
            broken.push(' ');
            shown = after;
        }
    }
    if shown == 0 {
        return Cow::Borrowed(line);
    }
    changed.insert(SanitizeReason::ControlToken);
    broken.push_str(&line[shown..]);
    Cow::Owned(broken)
}

/// Whether a token begins with the first character of `from`.
fn begins_token(first: char, from: &str) -> bool {
    let rest = &from[first.len_utf8()..];
    match first {
        '<' | '＜' | '﹤' => {
            let name = rest.strip_prefix(['/', '／']).unwrap_or(rest);
            name.starts_with(is_bar) || in_angles(name)
        }
        '[' | '［' => {
            let name = Name::read(rest.strip_prefix(['/', '／']).unwrap_or(rest));
            name.ends_with(&[']']) && SQUARE.contains(&name.name.as_str()) || is_bracket(from)
        }
        ']' => is_bracket(from),
        _ if is_bar(first) => {
            let name = Name::read(rest);
            name.end.is_some_and(is_bar) && BARRED.contains(&name.name.as_str())
        }
        _ => false,
    }
}

fn is_bracket(from: &str) -> bool {
    BRACKETS.iter().any(|bracket| from.starts_with(bracket))
}

fn in_angles(from: &str) -> bool {
    let name = Name::read(from);
    let closes = name.ends_with(&['>']) || name.end.is_some_and(is_bar);
    let goes_on = closes || name.end.is_none_or(char::is_whitespace) || name.ends_with(&['=', '/']);
    let is = |names: &[&str]| names.contains(&name.name.as_str());
    let is_family = ANGLE_FAMILIES
        .iter()
        .any(|family| name.name.starts_with(family));
    closes && is(&ANGLE_ALONE) || goes_on && (is(&ANGLE) || is_family)
}

/// A name, and what ends it.
struct Name {
    name: String,
    end: Option<char>,
}

impl Name {
    fn read(from: &str) -> Self {
        let mut name = String::new();
        for c in from.chars().take(NAME_CHARS) {
            if is_bar(c) || c.is_whitespace() {
                return Self { name, end: Some(c) };
            }
            let mut end = None;
            fold(c, |part| match part {
                '▁' | '-' => name.push('_'),
                part if part.is_alphanumeric() || matches!(part, '_' | ':') => name.push(part),
                other => end = end.or(Some(other)),
            });
            if end.is_some() {
                return Self { name, end };
            }
        }
        Self { name, end: None }
    }

    fn ends_with(&self, ends: &[char]) -> bool {
        self.end.is_some_and(|end| ends.contains(&end))
    }
}
