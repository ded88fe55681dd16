//! Joining the rest of an answer to what was shown of it.
//!
//! A model that is asked to go on likes to repeat a little, or to begin anew.
//! What overlaps with the end of the shown text is taken off; a new beginning
//! is skipped as long as it says what was shown.

/// How far back an overlap is looked for, in bytes.
const REACH: usize = 1024;

/// A beginning that is like the shown one for so long is a new beginning, in
/// bytes. Shorter ones are chance.
const ANEW: usize = 24;

/// Takes the rest of an answer, gives what is new of it.
#[derive(Clone, Debug)]
pub(super) struct Splice {
    /// What was shown.
    shown: String,
    /// The rest so far, while it may still be an overlap.
    head: String,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// It may be an overlap.
    Comparing,
    /// It began anew and has said this many bytes of what was shown.
    Skipping(usize),
    /// Everything is new.
    Joined,
}

/// A new beginning that turned into another answer: it does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Misfit;

impl Splice {
    /// For the rest of `shown`.
    pub(super) const fn after(shown: String) -> Self {
        Self {
            shown,
            head: String::new(),
            phase: Phase::Comparing,
        }
    }

    /// Takes a piece and returns what is new.
    pub(super) fn push(&mut self, text: &str) -> Result<String, Misfit> {
        match self.phase {
            Phase::Joined => Ok(text.to_owned()),
            Phase::Skipping(at) => self.skip(at, text),
            Phase::Comparing => {
                self.head.push_str(text);
                self.compare()
            }
        }
    }

    /// The rest is over: returns what was held back of it.
    pub(super) fn finish(&mut self) -> String {
        match self.phase {
            Phase::Comparing => self.join(),
            Phase::Skipping(_) | Phase::Joined => String::new(),
        }
    }

    fn compare(&mut self) -> Result<String, Misfit> {
        let head = self.head.trim_start();
        if head.len() < REACH && self.tail().contains(head) {
            return Ok(String::new());
        }
        let shown = self.shown.trim_start();
        if head.len() < ANEW && shown.starts_with(head) {
            return Ok(String::new());
        }
        let alike = head.bytes().zip(shown.bytes());
        if alike.take_while(|(a, b)| a == b).count() >= ANEW {
            let text = head.to_owned();
            return self.skip(self.shown.len() - shown.len(), &text);
        }
        Ok(self.join())
    }

    fn skip(&mut self, at: usize, text: &str) -> Result<String, Misfit> {
        let left = &self.shown[at..];
        let alike = text.len().min(left.len());
        if text.as_bytes()[..alike] != left.as_bytes()[..alike] {
            return Err(Misfit);
        }
        if at + alike < self.shown.len() {
            self.phase = Phase::Skipping(at + alike);
            return Ok(String::new());
        }
        self.phase = Phase::Joined;
        Ok(text[alike..].to_owned())
    }

    /// Takes the overlap off and goes on.
    fn join(&mut self) -> String {
        self.phase = Phase::Joined;
        let head = std::mem::take(&mut self.head);
        let words = head.trim_start();
        match overlap(self.tail(), words) {
            // Models open with a space or a new line of their own.
            0 if self.shown.ends_with('\n') => words.to_owned(),
            0 if self.shown.ends_with(char::is_whitespace) => {
                let opening = &head[..head.len() - words.len()];
                head[opening.find('\n').unwrap_or(opening.len())..].to_owned()
            }
            0 => head,
            alike => words[alike..].to_owned(),
        }
    }

    /// The end of what was shown.
    fn tail(&self) -> &str {
        let mut start = self.shown.len().saturating_sub(REACH);
        while !self.shown.is_char_boundary(start) {
            start += 1;
        }
        &self.shown[start..]
    }
}

/// How much of the end of `tail` is also the beginning of `head`, in bytes:
/// the prefix function of `head`, carried on over `tail`.
fn overlap(tail: &str, head: &str) -> usize {
    let head = &head.as_bytes()[..head.len().min(tail.len())];
    let mut borders = vec![0; head.len()];
    let step = |borders: &[usize], mut border: usize, byte: u8| {
        while border > 0 && (border == head.len() || head[border] != byte) {
            border = borders[border - 1];
        }
        border + usize::from(head.get(border) == Some(&byte))
    };
    for at in 1..head.len() {
        borders[at] = step(&borders, borders[at - 1], head[at]);
    }
    tail.bytes()
        .fold(0, |border, byte| step(&borders, border, byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(shown: &str, rest: &str) -> Option<String> {
        let by = |pieces: Vec<&str>| {
            let mut splice = Splice::after(shown.to_owned());
            let mut new = String::new();
            for piece in pieces {
                new += &splice.push(piece).ok()?;
            }
            Some(new + &splice.finish())
        };
        let whole = by(vec![rest]);
        let letters = by(rest.split("").filter(|piece| !piece.is_empty()).collect());
        assert_eq!(whole, letters, "cuts into deltas do not matter: {rest:?}");
        whole
    }

    #[test]
    fn nothing_is_said_twice_and_nothing_is_lost() {
        let story = "Once upon a time there was a teapot with a crack in it. It";
        for (shown, rest, expected) in [
            (story, " leaked.", Some(" leaked.")),
            (story, "It leaked.", Some(" leaked.")),
            (story, " crack in it. It leaked.", Some(" leaked.")),
            (story, "\n\ncrack in it. It leaked.", Some(" leaked.")),
            (story, "", Some("")),
            (story, "It", Some("")),
            (story, &format!("{story} leaked."), Some(" leaked.")),
            (story, "Once upon a time there was a cup.", None),
            (story, "Once more", Some("Once more")),
            ("aaaa", "aaaab", Some("b")),
            ("abab", "ababab", Some("ab")),
            ("A line.\n", "\nNext.", Some("Next.")),
            ("A line. ", " Next.", Some("Next.")),
            ("A line. ", " \n\nNext.", Some("\n\nNext.")),
            ("Ein Mädch", "Mädchen", Some("en")),
            ("茶が", "茶がある", Some("ある")),
            ("", "all of it", Some("all of it")),
        ] {
            let found = joined(shown, rest);
            assert_eq!(found.as_deref(), expected, "{shown:?} {rest:?}");
        }
    }

    #[test]
    fn a_long_overlap_and_a_long_rest_take_no_time() {
        let shown = "ab".repeat(16 * 1024);
        let rest = "ab".repeat(16 * 1024) + "c";
        assert!(joined(&shown, &rest).is_some_and(|new| new.ends_with('c')));
    }
}
