//! The marks that open and close what the reader must not see.

use kaiwa_domain::{MarkupTag, Miss};

use crate::deliver::explain::Reason;
use crate::deliver::scan::{after, one_of};

/// A mark, with its length in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TagMark {
    /// A block begins that goes by this rule. One of control tokens is the turn
    /// of somebody else.
    Open(Reason, usize),
    /// Such a block ends.
    Close(Reason, usize),
    /// A token of the model's template.
    Token(usize),
}

/// A mark, if the text begins with one.
pub(super) type Reading<T = TagMark> = Result<T, Miss>;

/// No mark is longer than this many bytes.
pub(super) const LONGEST: usize = MarkupTag::LONGEST;
const LONGEST_TOKEN: usize = 64;

const ROLES: &[&str] = &["assistant", "model", "system", "user", "tool"];
/// Tokens that are spelled like tags; `<|…|>` needs no list.
#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "</s>", "<s>", "<unk>", "<pad>", "<bos>", "<eos>", "<<SYS>>", "<</SYS>>", "<end_of_turn>",
    "[INST]", "[/INST]",
];
/// Tokens that the name of a role follows.
const TURNS: &[&str] = &["<|im_start|>", "<|start_header_id|>", "<start_of_turn>"];

/// Whether a mark may begin like `text`, which begins with `<` or `[`; most
/// texts differ in the second byte.
#[inline]
pub(super) const fn may_go_on(text: &[u8]) -> bool {
    match text {
        [b'[', second, ..] => matches!(second, b' ' | b's' | b'S' | b'i' | b'I' | b'/'),
        [b'<', b'<', third, ..] => matches!(third, b's' | b'S' | b'/'),
        // The first byte of a full-width bar is 0xef.
        [_, second, ..] => {
            matches!(second, b'/' | b'|' | b'<' | 0xef | b'_' | b'-' | b'.')
                || second.is_ascii_alphanumeric()
        }
        _ => true,
    }
}

/// Reads the mark at the start of `text`. If `last`, no more text follows.
pub(super) fn read(text: &str, last: bool) -> Reading {
    if text.len() == 1 && !last {
        return Err(Miss::Ended);
    }
    if !may_go_on(text.as_bytes()) {
        return Err(Miss::Differs);
    }
    let readings: &[fn(&str, bool) -> Reading] = match text.starts_with('[') {
        true => &[note, token],
        false => &[turn, token, bar_token, tag],
    };
    // One that might still fit keeps the later ones waiting, so that the
    // outcome does not depend on when text arrives.
    for reading in readings {
        match reading(text, last) {
            Err(Miss::Ended) if last => {}
            Err(Miss::Differs) => {}
            read => return read,
        }
    }
    Err(Miss::Differs)
}

/// `<think>`, `</ns:think>`, `<details open>` and the like.
fn tag(text: &str, _: bool) -> Reading {
    let is_details = |name: &str, spaced: bool| !spaced && name.eq_ignore_ascii_case("details");
    let wanted = |name: &str, spaced| MarkupTag::is_thought(name) || is_details(name, spaced);
    let tag = MarkupTag::read(text, wanted)?;
    let rule = match MarkupTag::is_thought(tag.name) {
        true => Reason::Thought,
        false => Reason::Details,
    };
    Ok(match tag.closes {
        true => TagMark::Close(rule, tag.length),
        false => TagMark::Open(rule, tag.length),
    })
}

/// `[system: …`, `[System note: …`.
fn note(text: &str, _: bool) -> Reading {
    let rest = space(after(text, "[")?)?;
    let mut rest = space(after(rest, "system")?)?;
    if !rest.starts_with(':') {
        match one_of(rest, &["note", "message"]) {
            Err(Miss::Ended) => return Err(Miss::Ended),
            named => rest = space(named.unwrap_or(rest))?,
        }
    }
    let rest = after(rest, ":")?;
    Ok(TagMark::Open(Reason::SystemNote, text.len() - rest.len()))
}

fn token(text: &str, _: bool) -> Reading {
    let rest = one_of(text, TOKENS)?;
    Ok(TagMark::Token(text.len() - rest.len()))
}

/// `<|im_start|>assistant` and its kin. The turn of a user is not ours.
fn turn(text: &str, last: bool) -> Reading {
    let role = one_of(text, TURNS)?;
    let line = match one_of(role, ROLES) {
        Ok("") | Err(Miss::Ended) if !last => return Err(Miss::Ended),
        Ok(line) => line,
        Err(_) => return Ok(TagMark::Token(text.len() - role.len())),
    };
    let ours = !role[..role.len() - line.len()].eq_ignore_ascii_case("user");
    // The role stands on a line of its own, which goes with it.
    let length = text.len() - line.strip_prefix('\n').unwrap_or(line).len();
    Ok(match ours {
        true => TagMark::Token(length),
        false => TagMark::Open(Reason::ControlToken, length),
    })
}

/// `<|…|>`, with ASCII bars or full-width ones.
fn bar_token(text: &str, _: bool) -> Reading {
    let rest = after(text, "<")?;
    let bar = if rest.starts_with('|') { "|" } else { "｜" };
    let name = after(rest, bar)?;
    // The low line is that of SentencePiece.
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-./▁".contains(c);
    let rest = name.trim_start_matches(is_name);
    match name.len() - rest.len() {
        0 if !rest.is_empty() => return Err(Miss::Differs),
        length if length > LONGEST_TOKEN => return Err(Miss::Differs),
        _ => {}
    }
    let rest = after(after(rest, bar)?, ">")?;
    Ok(TagMark::Token(text.len() - rest.len()))
}

/// What follows, with or without a blank before it.
fn space(text: &str) -> Reading<&str> {
    match text {
        "" => Err(Miss::Ended),
        _ => Ok(text.strip_prefix(' ').unwrap_or(text)),
    }
}

#[cfg(test)]
mod tests;
