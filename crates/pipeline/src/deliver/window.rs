//! The part of a text that is kept, and looking at it while more may follow.

use std::borrow::Cow;

use kaiwa_domain::Miss;

use super::scan::bound;

/// Text that grows at its end and is dropped at its beginning, or a whole one
/// that is borrowed. Offsets count in the whole.
#[derive(Clone, Debug, Default)]
pub(super) struct TextWindow<'t> {
    text: Cow<'t, str>,
    /// Where what is kept begins.
    base: usize,
    /// It may hold characters that are not ASCII.
    wide: bool,
    /// Nothing follows.
    pub(super) over: bool,
}

impl<'t> TextWindow<'t> {
    /// A text that is there.
    pub(super) const fn whole(text: &'t str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            base: 0,
            wide: !text.is_ascii(),
            over: true,
        }
    }

    #[inline]
    pub(super) fn push(&mut self, text: &str) {
        self.wide |= !text.is_ascii();
        self.text.to_mut().push_str(text);
    }

    /// Drops everything: another text begins.
    pub(super) fn clear(&mut self) {
        *self = Self {
            base: self.end(),
            ..Self::default()
        };
    }

    /// All that is kept of the text, and where it begins.
    pub(super) fn kept(&self) -> (usize, &str) {
        (self.base, &self.text)
    }

    /// Where the text ends.
    #[inline]
    pub(super) fn end(&self) -> usize {
        self.base + self.text.len()
    }

    #[inline]
    pub(super) fn slice(&self, from: usize, to: usize) -> &str {
        let range = from.saturating_sub(self.base)..to.saturating_sub(self.base);
        self.text.get(range).unwrap_or("")
    }

    /// The length of a part in UTF-16 units.
    #[inline]
    pub(super) fn units(&self, from: usize, to: usize) -> usize {
        match self.wide {
            true => units(self.slice(from, to)),
            false => to.saturating_sub(from.max(self.base)),
        }
    }

    /// The length in UTF-16 units of what was made of this text.
    pub(super) fn units_of(&self, made: &str) -> usize {
        match self.wide {
            true => units(made),
            false => made.len(),
        }
    }

    /// A part of the text for good.
    pub(super) fn part(&self, from: usize, to: usize) -> Cow<'t, str> {
        match &self.text {
            Cow::Borrowed(text) => Cow::Borrowed(&text[from - self.base..to - self.base]),
            Cow::Owned(_) => Cow::Owned(self.slice(from, to).to_owned()),
        }
    }

    /// Everything from `at` on.
    #[inline]
    pub(super) fn rest(&self, at: usize) -> &str {
        self.text.get(at.saturating_sub(self.base)..).unwrap_or("")
    }

    /// The same, as bytes.
    #[inline]
    pub(super) fn bytes(&self, at: usize) -> &[u8] {
        self.text.as_bytes().get(at - self.base..).unwrap_or(&[])
    }

    /// The byte at `at`, if it has arrived.
    #[inline]
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at - self.base).copied()
    }

    /// What is kept of the text before `at`.
    #[inline]
    pub(super) fn before(&self, at: usize) -> &str {
        self.text.get(..at - self.base).unwrap_or("")
    }

    #[inline]
    pub(super) fn char_at(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    #[inline]
    pub(super) fn char_before(&self, at: usize) -> Option<char> {
        self.before(at).chars().next_back()
    }

    /// The last character boundary at or before `at`.
    pub(super) fn floor(&self, at: usize) -> usize {
        self.base + self.text.floor_char_boundary(at - self.base)
    }

    /// The first character boundary at or after `at`.
    #[inline]
    pub(super) fn ceil(&self, at: usize) -> usize {
        self.base + self.text.ceil_char_boundary(at - self.base)
    }

    /// The last character boundary up to `to` that is at most so many UTF-16
    /// units after `from`.
    pub(super) fn reach(&self, from: usize, to: usize, units: usize) -> usize {
        // No character has more units than bytes.
        let near = self.floor((from + units).min(to)).max(from);
        let mut left = units - self.units(from, near);
        let fits = |c: &char| {
            let rest = left.checked_sub(c.len_utf16());
            left = rest.unwrap_or(left);
            rest.is_some()
        };
        let more = self.slice(near, to).chars().take_while(fits);
        near + more.map(char::len_utf8).sum::<usize>()
    }

    /// The byte at `at`, or `None` at the end of the text.
    #[inline]
    pub(super) fn peek(&self, at: usize) -> Result<Option<u8>, Miss> {
        match self.byte(at) {
            None if !self.over => Err(Miss::Ended),
            byte => Ok(byte),
        }
    }

    /// The same for characters.
    #[inline]
    pub(super) fn peek_char(&self, at: usize) -> Result<Option<char>, Miss> {
        match self.char_at(at) {
            None if !self.over => Err(Miss::Ended),
            c => Ok(c),
        }
    }

    /// How many blanks stand from `at` on, at most `most`.
    pub(super) fn blanks(&self, at: usize, most: usize) -> Result<usize, Miss> {
        let mut count = 0;
        while count < most && matches!(self.peek(at + count)?, Some(b' ' | b'\t')) {
            count += 1;
        }
        Ok(count)
    }

    /// How often `mark` stands from `at` on; counting ends past
    /// [`bound::RUN`].
    pub(super) fn run(&self, at: usize, mark: u8) -> Result<usize, Miss> {
        let rest = self.bytes(at);
        let near = &rest[..rest.len().min(bound::RUN + 1)];
        let length = near.iter().take_while(|&&byte| byte == mark).count();
        let known = length < near.len() || length > bound::RUN || self.over;
        known.then_some(length).ok_or(Miss::Ended)
    }

    /// Where the line end that begins with `first` at `at` is over.
    #[inline]
    pub(super) fn line_end(&self, at: usize, first: u8) -> Result<Option<usize>, Miss> {
        Ok(match first {
            b'\n' => Some(at + 1),
            b'\r' if self.peek(at + 1)? == Some(b'\n') => Some(at + 2),
            b'\r' => Some(at + 1),
            _ => None,
        })
    }

    /// Takes back what stands from `at` on.
    pub(super) fn truncate(&mut self, at: usize) {
        self.text.to_mut().truncate(at - self.base);
    }

    /// Drops what lies more than `behind` bytes before `at`, now and then.
    #[inline]
    pub(super) fn drop_before(&mut self, at: usize, behind: usize) {
        let done = at.saturating_sub(self.base);
        if done > 4096
            && done > self.text.len() / 2
            && let Cow::Owned(text) = &mut self.text
        {
            let cut = text.floor_char_boundary(done - behind);
            text.drain(..cut);
            self.base += cut;
        }
    }
}

/// The length of `text` in UTF-16 units, as Discord's clients count it.
#[inline]
pub(super) fn units(text: &str) -> usize {
    let text = text.as_bytes();
    let (words, rest) = text.as_chunks::<8>();
    let signs = |word: &[u8; 8]| u64::from_ne_bytes(*word) & 0x8080_8080_8080_8080;
    let wide = words.iter().fold(0, |all, word| all | signs(word));
    if wide == 0 && rest.iter().fold(0, |all, byte| all | byte) < 0x80 {
        return text.len();
    }
    let width = |byte: &u8| usize::from((*byte as i8) >= -0x40) + usize::from(*byte >= 0xF0);
    text.iter().map(width).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn so_many_units_are_reached(text in "[aé会😀 ]{0,40}", from in 0..40usize, most in 0..60usize) {
            let from = text.floor_char_boundary(from.min(text.len()));
            let mut left = most;
            let mut end = from;
            for c in text[from..].chars() {
                if c.len_utf16() > left {
                    break;
                }
                left -= c.len_utf16();
                end += c.len_utf8();
            }
            let window = TextWindow::whole(&text);
            prop_assert_eq!(window.reach(from, text.len(), most), end);
        }
    }
}
