//! Plain text: words and blanks within a line that mean nothing but
//! themselves.
//!
//! Most of what a model writes is plain, so it is not worth a token for each
//! word. Whole blocks of bytes are compared at once; only a block with
//! something else in it is looked at byte by byte.

use memchr::memchr2;

use super::inline::{Class, class};
use super::line::Start;
use super::{Kind, Scanner, bound};

/// How many bytes are compared at once.
const BLOCK: usize = 32;

/// Whether a byte surely is plain. Letters, digits and the usual punctuation:
/// enough for most blocks, and without a branch, so that a block is compared
/// in parallel.
#[inline]
const fn is_common<const ENDERS: bool>(byte: u8) -> bool {
    const fn within(byte: u8, first: u8, last: u8) -> bool {
        byte.wrapping_sub(first) <= last - first
    }
    let letter = within(byte | 0x20, b'a', b'z');
    if ENDERS {
        let sign = within(byte, b' ', b'!') | (byte == b'\'') | (byte == b'?');
        letter | within(byte, b',', b'9') | sign
    } else {
        let sign = (byte == b' ') | (byte == b'\'') | within(byte, b',', b'-');
        letter | within(byte, b'/', b'9') | sign
    }
}

/// Whether a byte is plain; and if sentence enders are.
const PLAIN: [[bool; 256]; 2] = {
    let mut plain = [[false; 256]; 2];
    let mut byte = 0;
    while byte < 256 {
        let is_plain =
            matches!(class(byte as u8), Class::Plain) || matches!(byte as u8, b' ' | b'\t');
        let is_ender = matches!(byte as u8, b'.' | b'!' | b'?');
        plain[0][byte] = is_plain;
        plain[1][byte] = is_plain || is_ender;
        byte += 1;
    }
    plain
};

/// How many plain bytes `text` begins with.
fn plain_length<const ENDERS: bool>(text: &[u8]) -> usize {
    let plain = &PLAIN[ENDERS as usize];
    let first_other = |bytes: &[u8]| bytes.iter().position(|&byte| !plain[usize::from(byte)]);
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    for (index, block) in blocks.iter().enumerate() {
        let common = |all: bool, &byte: &u8| all & is_common::<ENDERS>(byte);
        if !block.iter().fold(true, common)
            && let Some(other) = first_other(block)
        {
            return index * BLOCK + other;
        }
    }
    text.len() - rest.len() + first_other(rest).unwrap_or(rest.len())
}

/// Whether all of `text` is plain, with or without sentence enders.
pub(in crate::deliver) fn is_plain(text: &str, enders: bool) -> bool {
    let plain = &PLAIN[usize::from(enders)];
    text.bytes().all(|byte| plain[usize::from(byte)])
}

/// Plain text that was skipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::deliver) struct Plain {
    /// Where its last word ends.
    pub(in crate::deliver) end: usize,
    /// Where the blanks after that end, if they have all arrived.
    pub(in crate::deliver) next: usize,
}

impl Scanner {
    /// Whether ordinary text goes on: neither a line start nor code.
    pub(in crate::deliver) fn is_inline(&self) -> bool {
        self.line.is_over() && self.fence.is_none()
    }

    /// Whether plain text may come after a token of the kind `last`. What
    /// follows a word at once is the rest of a long one, which comes in pieces.
    pub(in crate::deliver) fn faces_plain(&self, text: &str, base: usize, last: Kind) -> bool {
        let next = text.as_bytes().get(self.start - base).copied();
        let may_come = match next {
            Some(b' ' | b'\t' | b'.' | b'!' | b'?') => true,
            Some(byte) => last != Kind::Word && PLAIN[1][usize::from(byte)],
            None => false,
        };
        may_come && self.is_inline()
    }

    /// Skips line ends if a line follows that begins with a letter, which is
    /// ordinary text: returns how many there are. The last token must be over.
    pub(in crate::deliver) fn skip_line_ends(&mut self, text: &str, base: usize) -> Option<usize> {
        let rest = &text.as_bytes()[self.start - base..];
        let ends = rest.iter().take_while(|&&byte| byte == b'\n').count();
        let letter = rest.get(ends).is_some_and(u8::is_ascii_alphabetic);
        if ends == 0 || !letter || self.in_table || self.fence.is_some() {
            return None;
        }
        self.start += ends;
        self.at = self.start;
        self.before = Some('\n');
        self.line = Start::Over;
        Some(ends)
    }

    /// Skips a line of a code block that does not close it, with its line end:
    /// at most `most` bytes. Returns where the line ends. The last token must
    /// be a line end.
    pub(in crate::deliver) fn skip_code_line(
        &mut self,
        text: &str,
        base: usize,
        most: usize,
    ) -> Option<usize> {
        let fence = self.fence.as_ref().filter(|fence| fence.is_plain())?;
        let rest = &text.as_bytes()[self.start - base..];
        let first = rest.iter().find(|&&byte| !matches!(byte, b' ' | b'\t'));
        if first.is_none_or(|&byte| fence.is_mark(byte)) {
            return None;
        }
        let near = &rest[..rest.len().min(most).min(bound::CODE_TEXT)];
        let length = memchr2(b'\n', b'\r', near)?;
        if near[length] == b'\r' {
            return None;
        }
        let end = self.start + length;
        self.start = end + 1;
        self.at = self.start;
        self.before = Some('\n');
        Some(end)
    }

    /// Skips whole words, the blanks between and those after them, where
    /// nothing is but what would become a [`Kind::Word`], a `Space` or, with
    /// `enders`, an `Ender`: at most `most` bytes of words. The last token must
    /// be over.
    pub(in crate::deliver) fn skip_plain(
        &mut self,
        text: &str,
        base: usize,
        most: usize,
        enders: bool,
    ) -> Option<Plain> {
        let rest = &text.as_bytes()[self.start - base..];
        let near = &rest[..rest.len().min(most)];
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let plain = if enders {
            plain_length::<true>(near)
        } else {
            plain_length::<false>(near)
        };
        // A word is whole if a blank or a line end follows it.
        let whole = match near.get(plain) {
            Some(b'\n' | b'\r') => plain,
            _ => near[..plain].iter().rposition(is_blank)?,
        };
        let words = whole
            - near[..whole]
                .iter()
                .rev()
                .take_while(|byte| is_blank(byte))
                .count();
        if words == 0 {
            return None;
        }
        let blanks = rest[words..]
            .iter()
            .take_while(|byte| is_blank(byte))
            .count();
        let next = if words + blanks < rest.len() {
            words + blanks
        } else {
            words
        };
        let end = self.start + words;
        self.start += next;
        self.at = self.start;
        self.before = text[..self.start - base].chars().next_back();
        Some(Plain {
            end,
            next: self.start,
        })
    }
}
