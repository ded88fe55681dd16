//! Plain text: bytes that mean nothing but themselves.
//!
//! Most of what a model writes is plain, so whole blocks of bytes are compared
//! at once; of a block with something else in it, only that is looked at.

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

/// How many plain bytes `text` begins with.
#[inline]
pub(super) fn plain_length(text: &[u8]) -> usize {
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    let mut start = 0;
    for block in blocks {
        let mut uncommon = mask(block);
        while uncommon != 0 {
            let at = uncommon.trailing_zeros() as usize;
            if !PLAIN[usize::from(block[at])] {
                return start + at;
            }
            uncommon &= uncommon - 1;
        }
        start += BLOCK;
    }
    let plain = rest.iter().take_while(|byte| PLAIN[usize::from(**byte)]);
    start + plain.count()
}

/// Which bytes of a block are uncommon: a bit for each, the lowest for the
/// first.
#[inline]
fn mask(block: &[u8; BLOCK]) -> u32 {
    let mut marks = [0; BLOCK];
    for (mark, byte) in marks.iter_mut().zip(block) {
        *mark = u8::from(!is_common(*byte));
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
