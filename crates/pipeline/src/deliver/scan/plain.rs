//! Plain text: words and blanks within a line, and lines of code, that mean
//! nothing but themselves.
//!
//! Most of what a model writes is plain, so it is not worth a token for each
//! word. Whole blocks of bytes are compared at once; of a block with something
//! else in it, only that is looked at.

use super::atom::plain_atom;
use super::inline::{Class, class, wide_kind};
use super::line::{Fence, Start};
use super::{Scanner, Token, bound};

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

/// Walks over plain bytes of `text` from `from` on. At anything else, `pass`
/// says how many bytes to go on over; at 0 of them the walk ends.
fn walk<const ENDERS: bool>(
    text: &[u8],
    from: usize,
    mut pass: impl FnMut(usize) -> usize,
) -> Plain {
    let plain = &PLAIN[ENDERS as usize];
    let mut ascii = true;
    // How far was gone over.
    let mut over = from;
    let mut is_end = |at: usize| {
        let byte = text[at];
        ascii &= byte.is_ascii();
        if at < over || plain[usize::from(byte)] {
            return false;
        }
        let length = pass(at);
        over = at + length;
        length == 0
    };
    let (blocks, rest) = text[from..].as_chunks::<BLOCK>();
    let mut start = from;
    for block in blocks {
        let mut uncommon = mask(*block, |byte| !is_common::<ENDERS>(byte));
        while uncommon != 0 {
            let at = start + uncommon.trailing_zeros() as usize;
            if is_end(at) {
                return Plain { end: at, ascii };
            }
            uncommon &= uncommon - 1;
        }
        start += BLOCK;
    }
    let end = (start..start + rest.len()).find(|&at| is_end(at));
    Plain {
        end: end.unwrap_or(text.len()),
        ascii,
    }
}

/// Which bytes of a block are so: a bit for each, the lowest for the first.
#[inline]
fn mask(block: [u8; BLOCK], is_so: impl Fn(u8) -> bool) -> u32 {
    let mut marks = [0; BLOCK];
    for (mark, byte) in marks.iter_mut().zip(block) {
        *mark = u8::from(is_so(byte));
    }
    let words: [u64; BLOCK / 8] =
        std::array::from_fn(|word| u64::from_le_bytes(marks.as_chunks().0[word]));
    if words.iter().fold(0, |all, word| all | word) == 0 {
        return 0;
    }
    // The product brings the eight marks of a word side by side, to the top.
    let bits = words.map(|word| (word.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8);
    u32::from_le_bytes(bits)
}

/// The end of a text as a block.
fn padded(tail: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    block[..tail.len()].copy_from_slice(tail);
    block
}

/// Whether a byte is plain, or a sentence ender.
pub(in crate::deliver) const fn is_plain_byte(byte: u8) -> bool {
    PLAIN[1][byte as usize]
}

/// Whether all of `text` is plain, with or without sentence enders.
pub(in crate::deliver) fn is_plain(text: &[u8], enders: bool) -> bool {
    let plain = &PLAIN[usize::from(enders)];
    text.iter().all(|&byte| plain[usize::from(byte)])
}

/// A run of plain text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::deliver) struct Plain {
    /// Where it ends.
    pub(in crate::deliver) end: usize,
    /// Whether it is all ASCII.
    pub(in crate::deliver) ascii: bool,
}

/// Words that were skipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::deliver) struct Words {
    /// Where the last one ends.
    pub(in crate::deliver) end: usize,
    /// Where the blanks after that end, if they have all arrived.
    pub(in crate::deliver) next: usize,
}

impl Scanner {
    /// Whether ordinary text goes on: neither a line start nor code.
    pub(in crate::deliver) fn is_inline(&self) -> bool {
        self.line.is_over() && self.fence.is_none()
    }

    /// Whether a `[` that comes next begins no link, as no `]` follows it.
    pub(in crate::deliver) const fn faces_no_link(&self) -> bool {
        self.probe.bare > self.start + bound::LABEL
    }

    /// The bytes that are not yet a token.
    pub(in crate::deliver) fn rest<'a>(&self, text: &'a str, base: usize) -> &'a [u8] {
        &text.as_bytes()[self.start - base..]
    }

    /// The token that begins at `at` in ordinary text, if it is all there.
    pub(in crate::deliver) fn peek(&mut self, text: &str, base: usize, at: usize) -> Option<Token> {
        if let Some((kind, length)) = plain_atom(&text.as_bytes()[at - base..]) {
            return Some(Token {
                kind,
                start: at,
                end: at + length,
            });
        }
        let mut ahead = Self {
            start: at,
            at,
            ..self.clone()
        };
        let token = ahead.next(text, base, false);
        self.probe.bare = ahead.probe.bare;
        token
    }

    /// Skips so many bytes of ordinary text. The last token must be over.
    pub(in crate::deliver) const fn skip(&mut self, bytes: usize) {
        self.start += bytes;
        self.at = self.start;
    }

    /// Skips the line ends that come next and says how many there are, if
    /// neither blanks nor the end of the text follow. The last token must be
    /// over.
    pub(in crate::deliver) fn skip_line_ends(&mut self, text: &str, base: usize) -> Option<usize> {
        let rest = self.rest(text, base);
        let ends = rest.iter().take_while(|&&byte| byte == b'\n').count();
        let next = *rest.get(ends)?;
        if ends == 0 || self.in_table || matches!(next, b' ' | b'\t' | b'\r') {
            return None;
        }
        self.skip(ends);
        // A line that begins with a letter is ordinary text.
        self.line = match next.is_ascii_alphabetic() {
            true => Start::Over,
            false => Start::Fresh,
        };
        Some(ends)
    }

    /// Skips whole lines of a code block in which nothing may close it, at most
    /// `most` bytes, and tells where each ends and whether it is all ASCII. The
    /// last token must be a line end.
    pub(in crate::deliver) fn skip_code(
        &mut self,
        text: &str,
        base: usize,
        most: usize,
        mut line: impl FnMut(usize, bool),
    ) {
        let Some(mark) = self.fence.as_ref().and_then(Fence::plain_mark) else {
            return;
        };
        let rest = self.rest(text, base);
        let near = &rest[..rest.len().min(most)];
        let begin = self.start;
        let (mut lines, mut ascii) = (0, true);
        // Whether the block may end at `at`.
        let mut is_end = |at: usize| {
            match near[at] {
                b'\n' => {
                    line(begin + at, ascii);
                    (lines, ascii) = (at + 1, true);
                }
                byte if byte.is_ascii() => return true,
                _ => ascii = false,
            }
            false
        };
        let matters = |byte: u8| byte == b'\n' || byte == b'\r' || byte == mark || byte >= 0x80;
        let (blocks, tail) = near.as_chunks::<BLOCK>();
        'blocks: for (index, block) in blocks.iter().chain([&padded(tail)]).enumerate() {
            let mut found = mask(*block, matters);
            while found != 0 {
                if is_end(index * BLOCK + found.trailing_zeros() as usize) {
                    break 'blocks;
                }
                found &= found - 1;
            }
        }
        self.skip(lines);
    }

    /// Skips whole words and the blanks around them in plain text that goes up
    /// to `end`; what stands before `from` is skipped in any case.
    pub(in crate::deliver) fn skip_words(
        &mut self,
        text: &str,
        base: usize,
        from: usize,
        end: usize,
    ) -> Option<Words> {
        let bytes = text.as_bytes();
        let plain = &bytes[from - base..end - base];
        let is_whole = match bytes.get(end - base) {
            // An image may begin with what looks like the end of a sentence.
            Some(b'[') => !plain.ends_with(b"!"),
            Some(&next) => class(next) == Class::Stop && !PLAIN[1][usize::from(next)],
            None => false,
        };
        let whole = if is_whole {
            plain.len()
        } else {
            plain.iter().rposition(is_blank).unwrap_or(0)
        };
        let blanks = plain[..whole]
            .iter()
            .rev()
            .take_while(|byte| is_blank(byte));
        let words = from - base + whole - blanks.count();
        if base + words == self.start {
            return None;
        }
        let blanks = bytes[words..].iter().take_while(|byte| is_blank(byte));
        let next = words + blanks.count();
        // More blanks may come.
        let next = if next < bytes.len() { next } else { words };
        self.skip(base + next - self.start);
        Some(Words {
            end: base + words,
            next: self.start,
        })
    }
}

/// How far the text from `from` on is plain: words and blanks, with `enders`
/// sentence enders too, and the signs over which `pass` goes; at most up to
/// `limit`.
pub(in crate::deliver) fn plain_from(
    text: &str,
    base: usize,
    from: usize,
    limit: usize,
    enders: bool,
    mut pass: impl FnMut(usize) -> usize,
) -> Plain {
    let bytes = text.as_bytes();
    let near = &bytes[..bytes.len().min(limit - base)];
    let pass = |at: usize| match near[at..] {
        // A word goes on with a colon, if it is neither that of an address nor
        // of a shortcode.
        [b':', b' ' | b'\n', ..] => 1,
        [first, ..] if class(first) == Class::Wide => {
            let c = text[at..].chars().next();
            let length = c.filter(|&c| wide_kind(c).is_none()).map(char::len_utf8);
            length
                .filter(|length| at + length <= near.len())
                .unwrap_or(0)
        }
        _ => pass(base + at),
    };
    let plain = if enders {
        walk::<true>(near, from - base, pass)
    } else {
        walk::<false>(near, from - base, pass)
    };
    Plain {
        end: base + plain.end,
        ..plain
    }
}

/// Whether a byte is a blank within a line.
pub(in crate::deliver) const fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
