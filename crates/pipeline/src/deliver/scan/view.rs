//! Looking at a text that may go on.

use super::super::window::TextWindow;
use super::{Miss, Read, bound};

impl TextWindow<'_> {
    /// The byte at `at`, or `None` at the end of the text.
    #[inline]
    pub(super) fn peek(&self, at: usize) -> Read<Option<u8>> {
        match self.byte(at) {
            None if !self.is_over() => Err(Miss::Ended),
            byte => Ok(byte),
        }
    }

    /// The same for characters.
    #[inline]
    pub(super) fn peek_char(&self, at: usize) -> Read<Option<char>> {
        match self.char_at(at) {
            None if !self.is_over() => Err(Miss::Ended),
            c => Ok(c),
        }
    }

    /// How many blanks stand from `at` on, at most `most`.
    pub(super) fn blanks(&self, at: usize, most: usize) -> Read<usize> {
        let mut count = 0;
        while count < most && matches!(self.peek(at + count)?, Some(b' ' | b'\t')) {
            count += 1;
        }
        Ok(count)
    }

    /// How often `mark` stands from `at` on; counting ends past
    /// [`bound::RUN`].
    pub(super) fn run(&self, at: usize, mark: u8) -> Read<usize> {
        let rest = self.bytes(at);
        let near = &rest[..rest.len().min(bound::RUN + 1)];
        let length = near.iter().take_while(|&&byte| byte == mark).count();
        let known = length < near.len() || length > bound::RUN || self.is_over();
        known.then_some(length).ok_or(Miss::Ended)
    }

    /// Where the line end that begins with `first` at `at` is over.
    #[inline]
    pub(super) fn line_end(&self, at: usize, first: u8) -> Read<Option<usize>> {
        Ok(match first {
            b'\n' => Some(at + 1),
            b'\r' if self.peek(at + 1)? == Some(b'\n') => Some(at + 2),
            b'\r' => Some(at + 1),
            _ => None,
        })
    }
}
