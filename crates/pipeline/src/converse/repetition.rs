//! Is the model going in circles?
//!
//! Now and then the end of the text is looked at: how much of it is one unit
//! over and over? The prefix function of the reversed end tells, for every
//! length, the shortest unit, so a look is linear in the [`WINDOW`], and the
//! looks are as far apart as to make that a constant for each byte.

/// How much of the end is remembered, in bytes.
const WINDOW: usize = 4096;

/// How far apart the looks are, in bytes of text.
const STRIDE: usize = 512;

/// A unit has to come this often.
const TIMES: usize = 4;

/// How long words may be repeated, in bytes. People laugh at length, and
/// refrains exist.
const WORDS: usize = 1000;

/// How long a pattern that is mostly no letters may be repeated, in bytes:
/// rules, tables of zeros, bytes in code.
const PATTERN: usize = 2500;

/// Looks for degenerate repetition in a text that streams in.
#[derive(Clone, Debug, Default)]
pub(super) struct Repetition {
    end: Vec<u8>,
    unlooked: usize,
}

impl Repetition {
    /// Takes more text; true if it goes in circles.
    pub(super) fn push(&mut self, text: &str) -> bool {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(STRIDE - self.unlooked));
            self.end.extend_from_slice(now);
            self.unlooked += now.len();
            rest = later;
            if self.unlooked == STRIDE {
                self.unlooked = 0;
                let excess = self.end.len().saturating_sub(WINDOW);
                self.end.drain(..excess);
                if self.goes_in_circles() {
                    return true;
                }
            }
        }
        false
    }

    /// Forgets the text.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    fn goes_in_circles(&self) -> bool {
        let backwards = |at: usize| self.end[self.end.len() - 1 - at];
        let mut borders = vec![0_usize; self.end.len()];
        for at in 1..self.end.len() {
            let mut border = borders[at - 1];
            while border > 0 && backwards(at) != backwards(border) {
                border = borders[border - 1];
            }
            borders[at] = border + usize::from(backwards(at) == backwards(border));
        }
        borders.iter().enumerate().any(|(at, border)| {
            let length = at + 1;
            let unit = length - border;
            length >= WORDS
                && length / unit >= TIMES
                && (length >= PATTERN || is_wordy(&self.end[self.end.len() - unit..]))
        })
    }
}

/// Whether at least half of the signs in `unit` are letters of some script.
fn is_wordy(unit: &[u8]) -> bool {
    let signs = unit.iter().filter(|byte| !byte.is_ascii_whitespace());
    let (mut letters, mut all) = (0_usize, 0_usize);
    for sign in signs {
        all += 1;
        letters += usize::from(sign.is_ascii_alphabetic() || !sign.is_ascii());
    }
    letters * 2 >= all && letters > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_cut(text: &str) -> bool {
        let whole = Repetition::default().push(text);
        let mut repetition = Repetition::default();
        let mut piece = [0; 4];
        let by_letter = text
            .chars()
            .any(|c| repetition.push(c.encode_utf8(&mut piece)));
        assert_eq!(whole, by_letter, "cuts into deltas do not matter: {text:?}");
        whole
    }

    #[test]
    fn circles_are_cut_and_honest_repetition_is_not() {
        let prose: String = (0..400)
            .map(|n| format!("Sentence {n} of {}. ", n * 7919 % 1013))
            .collect();
        let refrain = "Row, row, row your boat, gently down the stream.\n".repeat(8);
        let code: String = (0..120)
            .map(|n| format!("    assert_eq!(square({n}), {});\n", n * n))
            .collect();
        let paragraph = "This one paragraph is rather long, and it is said again and again, \
                         which nobody does who is in their right mind. "
            .repeat(3);
        for (text, expected) in [
            ("", false),
            ("haha haha", false),
            (&"haha ".repeat(150), false),
            (&"0 | 0 | 0 | 0 |\n".repeat(100), false),
            (&"0x00, ".repeat(256), false),
            (&"-".repeat(1500), false),
            (&refrain, false),
            (&code, false),
            (&prose, false),
            (&format!("{prose}{}", "no no ".repeat(50)), false),
            (&"haha ".repeat(400), true),
            (&"I'm sorry. ".repeat(200), true),
            (&"はい。".repeat(300), true),
            (&format!("{prose}{}", "and then ".repeat(300)), true),
            (&paragraph.repeat(8), true),
            (&"0".repeat(6000), true),
            (&"\n".repeat(6000), true),
        ] {
            let shown: String = text.chars().take(60).collect();
            assert_eq!(is_cut(text), expected, "{shown:?} of {}", text.len());
        }
    }

    #[test]
    fn its_memory_is_bounded() {
        let mut repetition = Repetition::default();
        for n in 0..100_000 {
            repetition.push(&format!("{n} "));
            assert!(repetition.end.len() <= WINDOW + STRIDE);
        }
    }
}
