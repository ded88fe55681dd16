//! What is each piece of the text?
//!
//! [`tokens`] reads a whole text; [`Scanner`] reads one that is still arriving.
//! Both give the same tokens: in order, without gaps, each of bounded length,
//! and whatever the cuts between deltas were. A decision that needs text which
//! has not arrived waits for it, up to the bounds in [`bound`].
//!
//! ```
//! use kaiwa_pipeline::deliver::scan::{Kind, tokens};
//!
//! let text = "See `a.b` <@1>.";
//! let code = tokens(text).find(|token| token.kind == Kind::Code);
//! assert_eq!(code.map(|token| &text[token.range()]), Some("`a.b`"));
//! ```
//!
//! To leave code, links and tags alone, walk the tokens once and skip those
//! whose kind [`is_verbatim`](Kind::is_verbatim).

mod atom;
mod inline;
mod line;
mod plain;

use std::ops::Range;

use inline::Probe;
pub(super) use inline::delimiter;
use line::{Fence, Start};
pub(super) use plain::{Words, is_blank, is_plain, is_plain_byte, plain_from};

/// How far the scanner looks ahead before it takes a sign for plain text, in
/// bytes. Nothing is held longer than this.
pub mod bound {
    /// A word; longer ones come in pieces.
    pub const WORD: usize = 64;
    /// A piece of a code line.
    pub const CODE_TEXT: usize = 512;
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
    pub const FENCE: usize = 256;
    /// A table row.
    pub const ROW: usize = 2048;
    /// Blanks in a row; longer ones come in pieces.
    pub const SPACE: usize = 64;
}

/// A piece of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

impl Token {
    /// Its bytes.
    pub const fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Letters, digits and signs without a meaning of their own; at most
    /// [`bound::WORD`] bytes, so a long word is several tokens.
    Word,
    /// Blanks within a line.
    Space,
    /// One line end: `\n`, `\r\n` or `\r`.
    Newline,
    /// A run of signs that may end a sentence: `.` `!` `?` `…` `。` and kin.
    Ender,
    /// A full-width comma, colon or semicolon.
    Clause,
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
    /// `<:name:id>`, `<@id>` and kin.
    Tag(Tag),
    /// `:name:`.
    Shortcode,
    /// What a line begins with, indentation and trailing blank included.
    Marker(Marker),
    /// A whole line that is a row of a table, without its line end.
    Row,
    /// A whole line of three or more `-`, `*` or `_`, without its line end.
    Rule,
    /// The line that opens a code block, without its line end; or only the
    /// marker and the info string where it begins in mid-line.
    FenceOpen,
    /// A piece of a line of code; the line end is a [`Kind::Newline`].
    CodeText,
    /// The line that closes a code block, without its line end.
    FenceClose,
}

impl Kind {
    /// Whether the text must stay as it was written: code, addresses, tags.
    pub const fn is_verbatim(self) -> bool {
        self.is_atom() || matches!(self, Self::FenceOpen | Self::CodeText | Self::FenceClose)
    }

    /// Whether it loses its meaning when it is cut.
    pub const fn is_atom(self) -> bool {
        matches!(
            self,
            Self::Code
                | Self::Url
                | Self::AngleUrl
                | Self::Link
                | Self::Image
                | Self::Tag(_)
                | Self::Shortcode
                | Self::Row
                | Self::Escape
        )
    }

    /// Whether it is part of a fenced code block.
    pub const fn is_fenced(self) -> bool {
        matches!(self, Self::FenceOpen | Self::CodeText | Self::FenceClose)
    }
}

/// What Discord shows in place of a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// `<:name:id>` or `<a:name:id>`.
    Emoji,
    /// `<@id>` or `<@!id>`.
    User,
    /// `<@&id>`.
    Role,
    /// `<#id>`.
    Channel,
    /// `<t:seconds>` or `<t:seconds:style>`.
    Time,
    /// `</name:id>`.
    Slash,
}

/// What a line begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marker {
    /// `> ` or `>>> `, several times.
    Quote,
    /// `- `, `* `, `+ `, `• `, `1. ` or `1) `.
    Item,
    /// `# ` to `###### `.
    Heading,
    /// `-# `.
    Subtext,
}

/// Reads text that is still arriving.
///
/// The caller keeps the text from the first token that it has not dealt with,
/// with the character before it, and says where in the whole that begins.
#[derive(Clone, Debug, Default)]
pub struct Scanner {
    /// Where the current token begins.
    start: usize,
    /// How far the current token has been read.
    at: usize,
    /// What a line start still has to find out.
    line: Start,
    /// The code block that is open.
    fence: Option<Fence>,
    /// Whether the line before was a row below a table's rule.
    in_table: bool,
    /// What the search for the end of an inline piece has found out so far.
    probe: Probe,
}

impl Scanner {
    /// The next token of the text, which goes on after `text` unless `done`.
    ///
    /// `text` begins at byte `base` of the whole; the token's offsets count in
    /// the whole. `None` means that more text is needed, or none is left.
    pub fn next(&mut self, text: &str, base: usize, done: bool) -> Option<Token> {
        let view = View { text, base, done };
        let kind = self.read(&view)?;
        let token = Token {
            kind,
            start: self.start,
            end: self.at,
        };
        self.start = self.at;
        self.probe.reset();
        if kind == Kind::Newline {
            self.in_table &= self.line != Start::Fresh;
            self.line = Start::default();
        }
        Some(token)
    }

    /// How far the text has been made into tokens.
    pub const fn position(&self) -> usize {
        self.start
    }

    /// Whether the next line may turn out to be a row of a table, whatever it
    /// begins with.
    pub(super) const fn expects_row(&self) -> bool {
        self.in_table
    }

    fn read(&mut self, view: &View<'_>) -> Option<Kind> {
        let first = view.byte(self.start)?;
        if let Some(end) = view.line_end(self.start, first)? {
            self.at = end;
            return Some(Kind::Newline);
        }
        if self.fence.is_some() {
            return self.read_code(view);
        }
        if !self.line.is_over()
            && let Some(kind) = self.read_line_start(view)?
        {
            return Some(kind);
        }
        self.read_inline(view, first)
    }
}

/// The text that is there.
#[derive(Clone, Copy)]
struct View<'a> {
    text: &'a str,
    base: usize,
    done: bool,
}

impl<'a> View<'a> {
    /// The byte at `at`, if it has arrived.
    #[inline]
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at - self.base).copied()
    }

    /// The bytes from `at` on.
    #[inline]
    fn bytes(&self, at: usize) -> &'a [u8] {
        self.text.as_bytes().get(at - self.base..).unwrap_or(&[])
    }

    #[inline]
    fn rest(&self, at: usize) -> &'a str {
        self.text.get(at - self.base..).unwrap_or("")
    }

    #[inline]
    fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text
            .get(from - self.base..to - self.base)
            .unwrap_or("")
    }

    #[inline]
    fn end(&self) -> usize {
        self.base + self.text.len()
    }

    /// The next byte, or `None` inside at the end of the text; `None` outside
    /// if it has not arrived.
    #[inline]
    fn peek(&self, at: usize) -> Option<Option<u8>> {
        match self.byte(at) {
            Some(byte) => Some(Some(byte)),
            None if self.done => Some(None),
            None => None,
        }
    }

    /// The same for characters.
    #[inline]
    fn peek_char(&self, at: usize) -> Option<Option<char>> {
        match self.rest(at).chars().next() {
            Some(c) => Some(Some(c)),
            None if self.done => Some(None),
            None => None,
        }
    }

    fn char_before(&self, at: usize) -> Option<char> {
        self.text
            .get(..at - self.base)
            .and_then(|text| text.chars().next_back())
    }

    /// Whether `first` at `at` ends a line, and where the line end is over.
    #[inline]
    fn line_end(&self, at: usize, first: u8) -> Option<Option<usize>> {
        match first {
            b'\n' => Some(Some(at + 1)),
            b'\r' => match self.peek(at + 1)? {
                Some(b'\n') => Some(Some(at + 2)),
                _ => Some(Some(at + 1)),
            },
            _ => Some(None),
        }
    }

    /// The largest character boundary at or before `at`.
    fn floor(&self, at: usize) -> usize {
        let mut at = at.min(self.end());
        while !self.text.is_char_boundary(at - self.base) {
            at -= 1;
        }
        at
    }
}

/// The tokens of a whole text.
pub fn tokens(text: &str) -> Tokens<'_> {
    Tokens {
        text,
        scanner: Scanner::default(),
    }
}

/// The tokens of a whole text; see [`tokens`].
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a str,
    scanner: Scanner,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.scanner.next(self.text, 0, true)
    }
}

#[cfg(test)]
pub(super) mod tests;
