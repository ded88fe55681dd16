//! Plain text: bytes that mean nothing but themselves.
//!
//! Most of what a model writes is plain, so whole blocks of bytes are compared
//! at once.

/// How many bytes are compared at once.
const BLOCK: usize = 32;

/// The ASCII signs that may begin something, and the bytes that brackets and
/// quotation marks beyond ASCII begin with.
const SIGNS: &[u8] = b"\n\r`<[]\\*_~|(){}\":\xC2\xE2\xE3\xEF";

const PLAIN: [bool; 256] = {
    let mut plain = [true; 256];
    let mut at = 0;
    while at < SIGNS.len() {
        plain[SIGNS[at] as usize] = false;
        at += 1;
    }
    plain
};

/// Whether a byte surely is plain: letters, digits and the usual punctuation,
/// told without a branch so that a block is compared in parallel.
#[inline]
const fn is_common(byte: u8) -> bool {
    const fn within(byte: u8, first: u8, last: u8) -> bool {
        byte.wrapping_sub(first) <= last - first
    }
    let sign = within(byte, b' ', b'!') | (byte == b'\'') | (byte == b'?');
    within(byte | 0x20, b'a', b'z') | within(byte, b',', b'9') | sign
}

/// Which bytes of a block are not surely plain, one bit for each.
#[inline]
fn uncommon(block: &[u8; BLOCK]) -> u32 {
    // A product gathers one bit of each of eight bytes in its highest byte.
    let gather = |word: u64| (word.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32;
    let marks = block.map(|byte| u8::from(!is_common(byte)));
    let words = marks.as_chunks().0.iter().rev();
    words.fold(0, |bits, word| {
        bits << 8 | gather(u64::from_le_bytes(*word))
    })
}

/// How many plain bytes `text` begins with.
#[inline]
pub(super) fn plain_length(text: &[u8]) -> usize {
    let is_plain = |byte: &u8| PLAIN[usize::from(*byte)];
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    for (index, block) in blocks.iter().enumerate() {
        if block.iter().fold(true, |all, byte| all & is_common(*byte)) {
            continue;
        }
        let mut left = uncommon(block);
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            if !is_plain(&block[at]) {
                return index * BLOCK + at;
            }
            left &= left - 1;
        }
    }
    let plain = rest.iter().take_while(|byte| is_plain(byte));
    blocks.len() * BLOCK + plain.count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn plain_text_ends_at_the_first_sign(text in "([a-z .#é字]{0,40}[(:\\n“]?){0,5}") {
            let text = text.as_bytes();
            let first = text.iter().position(|byte| SIGNS.contains(byte));
            prop_assert_eq!(plain_length(text), first.unwrap_or(text.len()));
        }
    }
}
