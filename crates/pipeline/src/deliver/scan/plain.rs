//! Plain text: words and blanks within a line that mean nothing but
//! themselves.
//!
//! Most of what a model writes is plain, so it is not worth a token for each
//! word. Whole blocks of bytes are compared at once; only a block with
//! something else in it is looked at byte by byte.

use memchr::memrchr2;

use super::inline::{Class, class};
use super::{Scanner, View};

/// How many bytes are compared at once.
const BLOCK: usize = 32;

/// Whether a byte surely is plain. Letters, digits and the usual punctuation:
/// enough for most blocks, and without a branch, so that a block is compared
/// in parallel.
#[inline]
const fn is_common(byte: u8, enders: bool) -> bool {
    let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    let number = byte.wrapping_sub(b'/') < 11;
    let sign = (byte == b' ') | (byte == b',') | (byte == b'-') | (byte == b'\'');
    let ender = (byte == b'.') | (byte == b'!') | (byte == b'?');
    letter | number | sign | (ender & enders)
}

/// Whether a byte is plain; and if sentence enders are.
const PLAIN: [[bool; 256]; 2] = {
    let mut plain = [[false; 256]; 2];
    let mut byte = 0;
    while byte < 256 {
        let is_plain = matches!(class(byte as u8), Class::Plain) || matches!(byte as u8, b' ' | b'\t');
        let is_ender = matches!(byte as u8, b'.' | b'!' | b'?');
        plain[0][byte] = is_plain;
        plain[1][byte] = is_plain || is_ender;
        byte += 1;
    }
    plain
};

/// How many plain bytes `text` begins with.
fn plain_length(text: &[u8], enders: bool) -> usize {
    let plain = &PLAIN[usize::from(enders)];
    let first_other = |bytes: &[u8]| bytes.iter().position(|&byte| !plain[usize::from(byte)]);
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    for (index, block) in blocks.iter().enumerate() {
        let common = |all: bool, &byte: &u8| all & is_common(byte, enders);
        if !block.iter().fold(true, common)
            && let Some(other) = first_other(block)
        {
            return index * BLOCK + other;
        }
    }
    text.len() - rest.len() + first_other(rest).unwrap_or(rest.len())
}

impl Scanner {
    /// Skips whole words and the blanks between them, if a blank comes next:
    /// at most `most` bytes, without the blanks at their end. Nothing in them
    /// would have become anything but a [`Kind::Word`](super::Kind::Word), a
    /// `Space` or, if `enders` are wanted, an `Ender`. Returns where they end.
    pub(in crate::deliver) fn skip_plain(
        &mut self,
        text: &str,
        base: usize,
        most: usize,
        enders: bool,
    ) -> Option<usize> {
        let view = View {
            text,
            base,
            done: false,
        };
        let bytes = view.bytes(self.start);
        let bytes = &bytes[..bytes.len().min(most)];
        let inline = self.line.is_over() && self.fence.is_none();
        if !inline || !matches!(bytes.first(), Some(b' ' | b'\t')) {
            return None;
        }
        let plain = plain_length(bytes, enders);
        // A word is whole if a blank or a line end follows it.
        let whole = match bytes.get(plain) {
            Some(b'\n' | b'\r') => plain,
            _ => memrchr2(b' ', b'\t', &bytes[..plain])?,
        };
        let words = view.slice(self.start, self.start + whole);
        let words = words.trim_end_matches([' ', '\t']);
        self.before = Some(words.chars().next_back()?);
        self.start += words.len();
        self.at = self.start;
        Some(self.start)
    }
}
