//! What people write, made safe to show to a model.
//!
//! A message, a name, an embed, a file's name or a search result may pretend
//! to be something else: another speaker, the system, a tool's result, or one
//! of the tokens by which models tell these apart. Here it becomes harmless
//! text that reads as it did:
//!
//! - What nobody sees is taken out: zero-width and bidi characters, controls,
//!   tags. What is needed to show a word or an emoji stays. Everything that may
//!   end a line becomes a line feed.
//! - A control token gets a space after its first character: `< |im_start|>`.
//! - A line that begins like a role (`system:`, `### Instruction`) and our own
//!   notations (`[Replying to …]`) get [`QUOTED`] before them.
//! - A line after the first that begins like a speaker (`Ada:`) gets a
//!   [`BULLET`], unless it has one or is a quote.
//!
//! Nothing visible is lost or changed, only added to. In a block of code that
//! begins and ends with a line of three backticks only tokens are broken: a
//! line `user: x` there is somebody's YAML, and the block quotes it.
//!
//! Cut a text before it comes here: what is cut afterwards may end inside a
//! block of code. The work is linear, and what is safe already stays as it is.

mod fold;
mod invisible;
mod line_start;
mod name;
mod notation;
mod token;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use kaiwa_domain::CodeFence;

pub use name::{NAME_CHARS, speaker_name, unique_names};

use line_start::LineStart;

/// Stands before what must not be taken for a role or for our own words.
pub const QUOTED: &str = "(quoted) ";

/// Stands before what must not be taken for another speaker.
pub const BULLET: &str = "· ";

/// The longest word after the backticks that begin a block of code.
const LANGUAGE_BYTES: usize = 24;

/// Why a text was changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SanitizeReason {
    /// It had characters that nobody sees.
    Invisible,
    /// It had other characters than a line feed that end a line.
    LineBreak,
    /// It had a model's control token.
    ControlToken,
    /// A line began like a role.
    RoleMarker,
    /// It had one of our own notations, or a tool's result.
    Notation,
    /// A line began like another speaker.
    Speaker,
}

impl SanitizeReason {
    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Invisible => "invisible",
            Self::LineBreak => "line-break",
            Self::ControlToken => "control-token",
            Self::RoleMarker => "role-marker",
            Self::Notation => "notation",
            Self::Speaker => "speaker",
        }
    }
}

/// A text that can be shown to a model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sanitized {
    /// The text; empty if there was nothing to see.
    pub text: String,
    /// What was done to it, each once.
    pub changed: Vec<SanitizeReason>,
}

/// The text as something that can follow `Name: ` in a conversation.
pub fn sanitize(text: &str) -> Sanitized {
    let mut changed = BTreeSet::new();
    let seen = invisible::seen(text, &mut changed);
    if !seen.chars().any(is_visible) {
        changed.extend((!text.is_empty()).then_some(SanitizeReason::Invisible));
        return Sanitized {
            text: String::new(),
            changed: changed.into_iter().collect(),
        };
    }
    let lines: Vec<&str> = seen.split('\n').collect();
    let is_code = code(&lines);
    let mut safe = String::with_capacity(seen.len() + 16);
    for (number, (line, is_code)) in lines.into_iter().zip(is_code).enumerate() {
        if number > 0 {
            safe.push('\n');
        }
        let line = token::broken(line, &mut changed);
        if is_code {
            safe.push_str(&line);
            continue;
        }
        let line = notation::quoted(&line, &mut changed);
        let (indent, words) = line.split_at(line.len() - line.trim_start().len());
        safe.push_str(indent);
        match line_start::of(words) {
            LineStart::Role => {
                changed.insert(SanitizeReason::RoleMarker);
                safe.push_str(QUOTED);
            }
            LineStart::Notation => {
                changed.insert(SanitizeReason::Notation);
                safe.push_str(QUOTED);
            }
            LineStart::Speaker if number > 0 => {
                changed.insert(SanitizeReason::Speaker);
                safe.push_str(BULLET);
            }
            LineStart::Speaker | LineStart::Plain => {}
        }
        safe.push_str(words);
    }
    Sanitized {
        text: safe,
        changed: changed.into_iter().collect(),
    }
}

/// The text with nothing done but that control tokens are broken: for words of
/// our own, which nobody can pretend with.
pub fn break_tokens(text: &str) -> String {
    let mut changed = BTreeSet::new();
    let lines = text.split('\n');
    let broken = lines.map(|line| token::broken(line, &mut changed).to_string());
    broken.collect::<Vec<_>>().join("\n")
}

/// Whether somebody sees the character.
pub fn is_visible(c: char) -> bool {
    // A pattern without dots looks like a space.
    !c.is_whitespace() && !invisible::is_invisible(c) && c != '\u{2800}'
}

/// Which lines are of blocks of code, their fences included.
fn code(lines: &[&str]) -> Vec<bool> {
    let is_end = |line: &&str| is_fence(line).is_some_and(str::is_empty);
    let mut is_code = vec![false; lines.len()];
    let mut ends = (0..lines.len()).filter(|at| is_end(&lines[*at])).peekable();
    let mut at = 0;
    while at < lines.len() {
        while ends.next_if(|end| *end <= at).is_some() {}
        let Some(&end) = ends.peek() else {
            break;
        };
        if is_fence(lines[at]).is_some_and(is_language) {
            is_code[at..=end].fill(true);
            at = end;
        }
        at += 1;
    }
    is_code
}

/// What follows the backticks of a line that begins with three or more.
fn is_fence(line: &str) -> Option<&str> {
    let marks = CodeFence::marks(line);
    let fenced = line[marks.clone()].starts_with("```") && line[..marks.start].trim().is_empty();
    fenced.then(|| line[marks.end..].trim_end())
}

fn is_language(word: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+-_.".contains(&byte);
    word.len() <= LANGUAGE_BYTES && word.bytes().all(plain)
}
