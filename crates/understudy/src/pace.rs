//! How fast the understudy speaks, and in what pieces.

use std::time::Duration;

/// The pause before each piece of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamPace(Duration);

impl StreamPace {
    /// As fast as the wire.
    pub const ZERO: Self = Self(Duration::ZERO);

    /// A pause of this length before each piece, which is a few characters.
    pub const fn new(pause: Duration) -> Self {
        Self(pause)
    }

    /// Waits for the next piece to be due.
    pub(crate) async fn pause(self) {
        if !self.0.is_zero() {
            tokio::time::sleep(self.0).await;
        }
    }
}

impl Default for StreamPace {
    /// A speed that a person can watch.
    fn default() -> Self {
        Self(Duration::from_millis(40))
    }
}

/// Cuts a text into pieces of two to seven characters. The cuts are uneven, as
/// tokens are, and always the same for the same text.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut state = fingerprint(text.as_bytes());
    let mut rest = text;
    std::iter::from_fn(move || {
        // One step of a linear congruential generator; its high bits are good.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let chars = 2 + (state >> 33) as usize % 6;
        let end = match rest.char_indices().nth(chars) {
            Some((end, _)) => end,
            None => rest.len(),
        };
        let (piece, remainder) = rest.split_at(end);
        rest = remainder;
        (!piece.is_empty()).then_some(piece)
    })
}

/// A number that differs for different bytes and is the same everywhere, which
/// the standard library's hashes do not promise (FNV-1a).
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_small_and_make_up_the_text() {
        for text in ["", "a", "会話 🍵 and a longer sentence, to be cut often."] {
            assert_eq!(pieces(text).collect::<String>(), text);
            let lengths: Vec<usize> = pieces(text).map(|piece| piece.chars().count()).collect();
            assert!(lengths.iter().all(|length| (1..=7).contains(length)));
        }
    }
}
