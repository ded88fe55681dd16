//! What is each piece of the text?
//!
//! [`lexemes`] reads a whole text; `Scanner` reads one that is still arriving.
//! Both give the same lexemes, in order and without gaps, whatever the cuts
//! between deltas were, but that [`Kind::Text`] and [`Kind::CodeText`] come in
//! pieces as they arrive: two in a row mean what one would. A decision that
//! needs text which has not arrived waits for it, up to the bounds in
//! [`bound`].
//!
//! ```
//! use kaiwa_pipeline::deliver::scan::{Kind, lexemes};
//!
//! let text = "See `a.b` <@1>.";
//! let code = lexemes(text).find(|lexeme| lexeme.kind == Kind::Code);
//! assert_eq!(code.map(|lexeme| &text[lexeme.range()]), Some("`a.b`"));
//! ```
//!
//! To leave code, links and tags alone, walk the lexemes once and skip those
//! whose kind [`is_verbatim`](Kind::is_verbatim).

mod atom;
mod inline;
mod line;
mod plain;
mod tag;

use std::ops::Range;

use kaiwa_domain::{CodeFence, Miss};

use super::window::TextWindow;
use inline::Probe;
use line::{Fence, LineStart};
pub(super) use tag::{after, one_of};

/// How far the scanner looks ahead before it takes a sign for plain text, in
/// bytes. Nothing is held longer than this.
pub mod bound {
    use super::CodeFence;

    /// Inline code with its backticks.
    pub const CODE: usize = 2048;
    /// A run of one sign, such as backticks or stars.
    pub const RUN: usize = 64;
    /// A web address.
    pub const URL: usize = 2048;
    /// The text of a masked link.
    pub const LABEL: usize = 1024;
    /// A Discord tag such as `<:name:id>`.
    pub const TAG: usize = 120;
    /// A `:shortcode:`.
    pub const SHORTCODE: usize = 40;
    /// A line that opens or closes a fence.
    pub const FENCE: usize = CodeFence::LONGEST;
    /// A formula of several lines.
    pub const FORMULA: usize = 2000;
    /// A table row.
    pub const ROW: usize = 2048;
    /// Indentation.
    pub const SPACE: usize = 64;
}

/// A piece of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lexeme<K = Kind> {
    /// What it is.
    pub kind: K,
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

impl<K> Lexeme<K> {
    /// Its bytes.
    pub const fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// What a lexeme is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Words, whitespace and punctuation within a line.
    Text,
    /// One line end: `\n`, `\r\n` or `\r`.
    Newline,
    /// A bracket or a quotation mark.
    Pair(char),
    /// A run of `*`, `_`, `~` or `|`.
    Delimiter {
        /// The sign.
        mark: u8,
        /// Whether something other than a blank follows, and no word is cut.
        opens: bool,
        /// Whether something other than a blank precedes, and no word is cut.
        closes: bool,
    },
    /// A backslash and the sign it makes plain.
    Escape,
    /// Inline code with its backticks.
    Code,
    /// A bare web address.
    Url,
    /// `<https://…>`.
    AngleUrl,
    /// `[text](address)`.
    Link,
    /// `![text](address)`.
    Image,
    /// A custom emoji: `<:name:id>` or `<a:name:id>`.
    Emoji,
    /// Another of Discord's tags: `<@id>`, `<#id>`, `<t:seconds>`, `</name:id>`.
    Tag,
    /// `:name:`.
    Shortcode,
    /// What a line of such a block begins with, indentation and trailing blank
    /// included.
    Marker(BlockKind),
    /// A formula of several lines that begins one: `$$ … $$` or `\[ … \]`, with
    /// its indentation.
    Formula,
    /// A whole line that is a row of a table, without its line end.
    Row,
    /// A whole line of three or more `-`, `*` or `_`, without its line end.
    Rule,
    /// The line that opens a code block, without its line end; or only the
    /// marker and the info string where it begins in mid-line.
    FenceOpen,
    /// Code, up to the end of its line at most.
    CodeText,
    /// The line that closes a code block, without its line end.
    FenceClose,
}

impl Kind {
    /// Whether the text must stay as it was written: code, addresses, tags.
    pub const fn is_verbatim(self) -> bool {
        self.is_atom() || self.is_fenced()
    }

    /// Whether it loses its meaning when it is cut.
    pub const fn is_atom(self) -> bool {
        use Kind::{Delimiter, Marker, Newline, Pair, Rule, Text};
        let plain = matches!(self, Text | Newline | Pair(_) | Delimiter { .. });
        !plain && !self.is_fenced() && !matches!(self, Marker(_) | Rule)
    }

    /// Whether it is a bracket that can only open.
    pub(super) const fn opens_bracket(self) -> bool {
        matches!(self, Self::Pair('(' | '[' | '{'))
    }

    /// Whether it is part of a fenced code block.
    pub const fn is_fenced(self) -> bool {
        matches!(self, Self::FenceOpen | Self::CodeText | Self::FenceClose)
    }
}

/// What a block is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BlockKind {
    /// Ordinary text.
    #[default]
    Paragraph,
    /// List items, behind `- `, `* `, `+ `, `• `, `1. ` or `1) `.
    List,
    /// Lines behind `> ` or `>>> `, several times.
    Quote,
    /// A heading behind `# ` to `###### `, and the line under it.
    Heading,
    /// Small print behind `-# `.
    Subtext,
    /// Code between fences.
    Code,
    /// Rows of a table.
    Table,
    /// A rule across the page.
    Rule,
    /// A formula of several lines.
    Formula,
    /// Custom emoji that stand alone.
    Emoji,
}

/// What was read, unless there is something else or more text is needed.
type Read<T> = Result<T, Miss>;

/// Reads text that is still arriving.
///
/// The caller keeps the text from the first lexeme that it has not dealt with,
/// with the character before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Scanner {
    /// Where the current lexeme begins: up to here the text was made into
    /// lexemes.
    pub(super) start: usize,
    /// Where it ends, once known.
    at: usize,
    /// What a line start still has to find out.
    line: LineStart,
    /// The code block that is open.
    fence: Option<Fence>,
    /// Whether the line before was a row below a table's rule.
    in_table: bool,
    /// Whether the last lexeme is punctuation at the beginning of a line that
    /// belongs to the line before, if there is one.
    pub(super) carried: bool,
    /// What the search for the end of an inline piece has found out so far.
    probe: Probe,
}

impl Scanner {
    /// For a text that begins at byte `start` of the whole.
    pub(super) fn from(start: usize) -> Self {
        Self {
            start,
            ..Self::default()
        }
    }

    /// The next lexeme of the text. `None` means that more text is needed, or
    /// none is left.
    #[inline]
    pub(super) fn next(&mut self, text: &TextWindow<'_>) -> Option<Lexeme> {
        if self.start == text.end() {
            return None;
        }
        self.carried = false;
        let kind = self.read(text).ok()?;
        let lexeme = Lexeme {
            kind,
            start: self.start,
            end: self.at,
        };
        self.start = self.at;
        self.probe.reset();
        if kind == Kind::Newline {
            self.in_table &= self.line != LineStart::Fresh;
            self.line = LineStart::default();
        }
        Some(lexeme)
    }

    fn read(&mut self, text: &TextWindow<'_>) -> Read<Kind> {
        let first = text.byte(self.start).ok_or(Miss::Ended)?;
        if let Some(end) = text.line_end(self.start, first)? {
            self.at = end;
            return Ok(Kind::Newline);
        }
        if let Some(fence) = self.fence {
            return self.read_code(text, fence);
        }
        match self.line {
            LineStart::Over => {}
            _ => match self.read_line_start(text) {
                Err(Miss::Differs) => {}
                read => return read,
            },
        }
        self.read_inline(text, first)
    }
}

/// The lexemes of a whole text.
pub fn lexemes(text: &str) -> impl Iterator<Item = Lexeme> {
    let text = TextWindow::whole(text);
    let mut scanner = Scanner::default();
    std::iter::from_fn(move || scanner.next(&text))
}

#[cfg(test)]
pub(super) mod tests;
