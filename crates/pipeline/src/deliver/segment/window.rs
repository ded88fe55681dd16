//! The part of the text that is kept.

use std::borrow::Cow;

/// Text that grows at its end and is dropped at its beginning, or a whole one
/// that is borrowed. Offsets count in the whole.
#[derive(Clone, Debug, Default)]
pub(in crate::deliver) struct TextWindow<'t> {
    text: Cow<'t, str>,
    base: usize,
}

impl<'t> TextWindow<'t> {
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

    /// Drops everything.
    pub(super) fn restart(&mut self) {
        self.base = self.end();
        match &mut self.text {
            Cow::Owned(text) => text.clear(),
            whole => *whole = Cow::default(),
        }
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
    pub(in crate::deliver) fn end(&self) -> usize {
        self.base + self.text.len()
    }

    #[inline]
    pub(in crate::deliver) fn slice(&self, from: usize, to: usize) -> &str {
        let range = from.saturating_sub(self.base)..to.saturating_sub(self.base);
        self.text.get(range).unwrap_or("")
    }

    /// A part of the text for good.
    pub(in crate::deliver) fn part(&self, from: usize, to: usize) -> Cow<'t, str> {
        match &self.text {
            Cow::Borrowed(text) => Cow::Borrowed(&text[from - self.base..to - self.base]),
            Cow::Owned(_) => Cow::Owned(self.slice(from, to).to_owned()),
        }
    }

    /// Everything from `at` on.
    #[inline]
    pub(in crate::deliver) fn rest(&self, at: usize) -> &str {
        self.text.get(at.saturating_sub(self.base)..).unwrap_or("")
    }

    /// What is kept of the text before `at`.
    #[inline]
    pub(in crate::deliver) fn before(&self, at: usize) -> &str {
        self.text.get(..at - self.base).unwrap_or("")
    }

    #[inline]
    pub(in crate::deliver) fn char_at(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    #[inline]
    pub(in crate::deliver) fn char_before(&self, at: usize) -> Option<char> {
        self.before(at).chars().next_back()
    }

    /// The first character boundary at or after `at`.
    #[inline]
    pub(in crate::deliver) fn ceil(&self, at: usize) -> usize {
        self.base + self.text.ceil_char_boundary(at - self.base)
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
