//! The part of the text that is kept.

use std::borrow::Cow;

/// Text that grows at its end and is dropped at its beginning, or a whole one
/// that is borrowed. Offsets count in the whole.
#[derive(Clone, Debug, Default)]
pub(super) struct Window<'t> {
    text: Cow<'t, str>,
    base: usize,
}

impl<'t> Window<'t> {
    /// A text that is there.
    pub(super) const fn whole(text: &'t str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            base: 0,
        }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.to_mut().push_str(text);
    }

    /// What is kept.
    #[inline]
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where what is kept begins.
    #[inline]
    pub(super) const fn base(&self) -> usize {
        self.base
    }

    /// Where the text ends.
    #[inline]
    pub(super) fn end(&self) -> usize {
        self.base + self.text.len()
    }

    #[inline]
    pub(super) fn slice(&self, from: usize, to: usize) -> &str {
        self.text
            .get(from - self.base..to - self.base)
            .unwrap_or("")
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
        self.text.get(at - self.base..).unwrap_or("")
    }

    #[inline]
    pub(super) fn char_at(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    #[inline]
    pub(super) fn byte_at(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at - self.base).copied()
    }

    #[inline]
    pub(super) fn byte_before(&self, at: usize) -> Option<u8> {
        let at = (at - self.base).checked_sub(1)?;
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn char_before(&self, at: usize) -> Option<char> {
        self.slice(self.base, at).chars().next_back()
    }

    /// At most `most` bytes that end at `at`.
    pub(super) fn tail(&self, at: usize, most: usize) -> &str {
        let text = self.slice(self.base, at);
        &text[text.ceil_char_boundary(text.len().saturating_sub(most))..]
    }

    /// Drops what lies more than `behind` bytes before `at`, now and then.
    #[inline]
    pub(super) fn drop_before(&mut self, at: usize, behind: usize) {
        let done = at - self.base;
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
