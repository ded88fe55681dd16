//! What the beginning of a line may be taken for.

use super::fold::{folded, is_colon};
use super::{BULLET, NAME_CHARS, QUOTED};

/// How much of a line is looked at, in characters.
const LOOKED_AT: usize = 128;

/// The longest that a speaker's name may be with everything we add to it.
const HEAD_CHARS: usize = NAME_CHARS + 16;

/// Who may speak beside people.
const ROLES: [&str; 21] = [
    "system",
    "sys",
    "assistant",
    "user",
    "human",
    "tool",
    "developer",
    "function",
    "model",
    "ai",
    "bot",
    "ipython",
    "observation",
    "系统",
    "系統",
    "システム",
    "用户",
    "用戶",
    "助手",
    "アシスタント",
    "ユーサー",
];

/// What may follow a role before its colon.
const MATTERS: [&str; 20] = [
    "message",
    "messages",
    "prompt",
    "note",
    "notice",
    "instruction",
    "instructions",
    "override",
    "update",
    "role",
    "turn",
    "response",
    "reply",
    "result",
    "results",
    "output",
    "call",
    "calls",
    "command",
    "alert",
];

/// What models are trained to read below a heading.
const HEADINGS: [&str; 9] = [
    "instruction",
    "instructions",
    "response",
    "input",
    "system",
    "assistant",
    "user",
    "human",
    "tool",
];

/// What addresses begin with.
const SCHEMES: [&str; 8] = [
    "http", "https", "ftp", "ssh", "ws", "wss", "file", "discord",
];

/// What a line begins like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LineStart {
    Role,
    /// The heading of a tool's result.
    Notation,
    Speaker,
    Plain,
}

/// What a line without its indent begins like.
pub(super) fn of(line: &str) -> LineStart {
    if line.starts_with(QUOTED) {
        return LineStart::Plain;
    }
    let head = folded(line, LOOKED_AT);
    if is_role(&head) {
        LineStart::Role
    } else if is_result(&head) {
        LineStart::Notation
    } else if is_speaker(line) {
        LineStart::Speaker
    } else {
        LineStart::Plain
    }
}

/// Whether the words after a bracket name a role, up to the bracket's end.
pub(super) fn is_role_in_brackets(head: &[char]) -> bool {
    let mut words = Words(head);
    let is_named = words.next().is_some_and(|word| is_any(word, &ROLES));
    is_named && {
        let gap = words.skip_matters();
        gap.iter()
            .any(|c| is_colon(*c) || matches!(c, ']' | ')' | '】' | '〕'))
    }
}

fn is_role(head: &[char]) -> bool {
    let begin = head.iter().position(|c| c.is_alphanumeric());
    let Some(begin) = begin else {
        return false;
    };
    let is_heading = head[..begin].contains(&'#');
    let mut words = Words(&head[begin..]);
    let Some(mut first) = words.next() else {
        return false;
    };
    // A number of a list.
    if first.iter().all(char::is_ascii_digit) && matches!(words.0.first(), Some('.' | ')')) {
        match words.next() {
            Some(word) => first = word,
            None => return false,
        }
    }
    if is_any(first, &ROLES) && words.clone().skip_matters().iter().any(|c| is_colon(*c)) {
        return true;
    }
    is_heading && is_any(first, &HEADINGS) && {
        let gap = words.gap();
        gap.len() == words.0.len() || gap.iter().any(|c| is_colon(*c))
    }
}

/// What goes before a tool's result.
fn is_result(head: &[char]) -> bool {
    let mut words = Words(head);
    let mut is_next = |names: &[&str]| words.next().is_some_and(|word| is_any(word, names));
    if !is_next(&["the"]) || !is_next(&["tool", "function"]) {
        return false;
    }
    words.any(|word| is_any(word, &["returned", "failed"]))
}

/// Whether it begins with something that may be a name, and a colon.
fn is_speaker(line: &str) -> bool {
    if is_item(line) {
        return false;
    }
    let mut colon = None;
    for (place, (at, c)) in line.char_indices().enumerate() {
        if place > HEAD_CHARS {
            return false;
        }
        let mut is_one = false;
        super::fold::fold(c, |part| is_one |= is_colon(part));
        if is_one || is_colon(c) {
            colon = Some((at, at + c.len_utf8()));
            break;
        }
    }
    let Some((at, end)) = colon else {
        return false;
    };
    let (head, rest) = (&line[..at], &line[end..]);
    let next = rest.chars().next();
    let is_address = rest.starts_with("//") && SCHEMES.contains(&head);
    let is_path = head.len() == 1 && next == Some('\\');
    // Discord's emoji and times.
    let is_tag = matches!(head, "<" | "<a" | "<t" | "<id")
        && next.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let is_other = is_address || is_path || is_tag || is_time(head, rest);
    !is_other && head.chars().any(super::is_visible)
}

/// Whether a colon stands between hours and minutes.
fn is_time(before: &str, after: &str) -> bool {
    let hours = before.rsplit(char::is_whitespace).next().unwrap_or(before);
    let minutes = after.bytes().take_while(u8::is_ascii_digit).count();
    matches!(hours.len(), 1 | 2) && hours.bytes().all(|byte| byte.is_ascii_digit()) && minutes == 2
}

/// Whether it is an item of a list or a quote, as no line with a speaker is.
pub(super) fn is_item(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let marks = match number.len() < line.len() {
        true => &[". ", ") "][..],
        false => &[BULLET, "- ", "* ", "+ ", "• ", "> "][..],
    };
    marks.iter().any(|mark| number.starts_with(mark))
}

fn is_any(word: &[char], names: &[&str]) -> bool {
    names
        .iter()
        .any(|name| word.iter().copied().eq(name.chars()))
}

/// The words of a text, one after the other.
#[derive(Clone)]
pub(super) struct Words<'a>(pub(super) &'a [char]);

impl<'a> Words<'a> {
    /// What stands before the next word.
    fn gap(&self) -> &'a [char] {
        let end = self.0.iter().position(|c| c.is_alphanumeric());
        &self.0[..end.unwrap_or(self.0.len())]
    }

    /// Goes over words that only say more of a role, and tells what follows.
    fn skip_matters(&mut self) -> &'a [char] {
        for _ in 0..3 {
            let gap = self.gap();
            if gap.iter().any(|c| is_colon(*c)) {
                return gap;
            }
            let mut ahead = self.clone();
            match ahead.next() {
                Some(word) if is_any(word, &MATTERS) || word.iter().all(char::is_ascii_digit) => {
                    *self = ahead;
                }
                _ => return gap,
            }
        }
        self.gap()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [char];

    fn next(&mut self) -> Option<&'a [char]> {
        let begin = self.0.iter().position(|c| c.is_alphanumeric())?;
        let rest = &self.0[begin..];
        let end = rest
            .iter()
            .position(|c| !c.is_alphanumeric())
            .unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.0 = rest;
        Some(word)
    }
}
