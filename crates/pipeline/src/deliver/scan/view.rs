//! Looking at a text that may go on.

use super::{More, Read, bound};

/// The text that is there.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) text: &'a str,
    pub(super) base: usize,
    /// Nothing follows it.
    pub(super) done: bool,
}

impl<'a> View<'a> {
    /// The byte at `at`, if it has arrived.
    #[inline]
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at - self.base).copied()
    }

    /// The bytes from `at` on.
    #[inline]
    pub(super) fn bytes(&self, at: usize) -> &'a [u8] {
        self.text.as_bytes().get(at - self.base..).unwrap_or(&[])
    }

    #[inline]
    pub(super) fn rest(&self, at: usize) -> &'a str {
        self.text.get(at - self.base..).unwrap_or("")
    }

    #[inline]
    pub(super) fn slice(&self, from: usize, to: usize) -> &'a str {
        let range = from - self.base..to - self.base;
        self.text.get(range).unwrap_or("")
    }

    #[inline]
    pub(super) fn end(&self) -> usize {
        self.base + self.text.len()
    }

    /// The byte at `at`, or `None` at the end of the text.
    #[inline]
    pub(super) fn peek(&self, at: usize) -> Read<Option<u8>> {
        match self.byte(at) {
            None if !self.done => Err(More),
            byte => Ok(byte),
        }
    }

    /// The same for characters.
    #[inline]
    pub(super) fn peek_char(&self, at: usize) -> Read<Option<char>> {
        match self.rest(at).chars().next() {
            None if !self.done => Err(More),
            c => Ok(c),
        }
    }

    pub(super) fn char_before(&self, at: usize) -> Option<char> {
        self.slice(self.base, at).chars().next_back()
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
        let known = length < near.len() || length > bound::RUN || self.done;
        known.then_some(length).ok_or(More)
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

    /// The largest character boundary at or before `at`.
    pub(super) fn floor(&self, at: usize) -> usize {
        self.base + self.text.floor_char_boundary(at - self.base)
    }
}
