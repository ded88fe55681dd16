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

/// How many plain bytes `text` begins with.
#[inline]
pub(super) fn plain_length(text: &[u8]) -> usize {
    let is_plain = |byte: &u8| PLAIN[usize::from(*byte)];
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    for (index, block) in blocks.iter().enumerate() {
        let uncommon = |any, byte: &u8| any | u8::from(!is_common(*byte));
        if block.iter().fold(0, uncommon) != 0
            && let Some(at) = block.iter().position(|byte| !is_plain(byte))
        {
            return index * BLOCK + at;
        }
    }
    let plain = rest.iter().take_while(|byte| is_plain(byte));
    blocks.len() * BLOCK + plain.count()
}
