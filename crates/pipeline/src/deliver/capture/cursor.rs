//! Reading a mark byte by byte.

/// Why reading stopped.
pub(super) enum End {
    /// It is something else.
    Differs,
    /// The text ends too early to tell.
    Short,
}

pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// No more text follows.
    pub(super) last: bool,
}

impl Cursor<'_> {
    /// The length up to the end of the known word that stands here.
    pub(super) fn one_of(&mut self, words: &[&str]) -> Result<usize, End> {
        let start = self.at;
        let mut short = false;
        for word in words {
            self.at = start;
            match self.letters(word) {
                Ok(()) => return Ok(self.at),
                Err(End::Short) => short = true,
                Err(End::Differs) => {}
            }
        }
        self.at = start;
        Err(if short { End::Short } else { End::Differs })
    }

    pub(super) fn letters(&mut self, word: &str) -> Result<(), End> {
        word.bytes().try_for_each(|byte| {
            if self.peek()?.eq_ignore_ascii_case(&byte) {
                self.at += 1;
                Ok(())
            } else {
                Err(End::Differs)
            }
        })
    }

    pub(super) fn space(&mut self) -> Result<(), End> {
        self.at += usize::from(self.peek()? == b' ');
        Ok(())
    }

    pub(super) fn byte(&mut self, byte: u8) -> Result<(), End> {
        if self.peek()? == byte {
            self.at += 1;
            Ok(())
        } else {
            Err(End::Differs)
        }
    }

    pub(super) fn peek(&self) -> Result<u8, End> {
        self.bytes
            .get(self.at)
            .copied()
            .ok_or(if self.last { End::Differs } else { End::Short })
    }
}
