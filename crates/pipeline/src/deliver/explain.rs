//! Why did the text become these messages?

use super::edit::Rule;

/// One thing that was done to the text, and why.
///
/// Applied in order to what the model wrote, explanations give exactly what
/// is sent: at byte `at`, `removed` goes and `inserted` comes; a reason that
/// [ends a message](Reason::ends_message) begins the next one there. A
/// [hold](Reason::is_hold) changes nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// Where, in bytes of what the model wrote.
    pub at: usize,
    /// Why.
    pub reason: Reason,
    /// What was taken out.
    pub removed: String,
    /// What was put in.
    pub inserted: String,
}

/// Why something was done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A message ends with its line.
    Line,
    /// A message ends with its paragraph.
    Paragraph,
    /// A message ends with its sentence.
    Sentence,
    /// A message ends where code begins or ends.
    Code,
    /// A message ends where a table begins or ends.
    Table,
    /// A message ends because custom emoji stand alone.
    Emoji,
    /// A message ends because it would become too long.
    Limit,
    /// A message ends because a line has become long.
    Overflow,
    /// A message ends because it was held for too long.
    Released,
    /// A message ends with the text.
    End,
    /// Line ends were made even.
    Spacing,
    /// A code block, an emphasis or a quote was closed for a cut.
    Closed,
    /// … and opened again after it.
    Reopened,
    /// A message would have ended here, but something was still open.
    Held(Hold),
    /// The fence around code that became a file was taken off.
    Unfenced,
    /// Code that became a file ends.
    File,
    /// A rule changed what the model wrote.
    Rule(Rule),
}

/// What a message waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Hold {
    /// A bracket, a quotation or an emphasis is open: it ends with the sign
    /// that closes it, or when it has become long.
    Pair,
    /// A block of code begins, which is not cut if it fits a message.
    Code,
    /// A table begins, which is not cut either.
    Table,
    /// Punctuation stands alone: it goes with what follows.
    Punctuation,
    /// Custom emoji stand in mid-sentence, or do not, as what follows tells.
    Emoji,
}

impl Hold {
    const fn name(self) -> &'static str {
        match self {
            Self::Pair => "hold-pair",
            Self::Code => "hold-code",
            Self::Table => "hold-table",
            Self::Punctuation => "hold-punctuation",
            Self::Emoji => "hold-emoji",
        }
    }
}

impl Reason {
    /// The name that `--explain` shows.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Paragraph => "paragraph",
            Self::Sentence => "sentence",
            Self::Code => "code",
            Self::Table => "table",
            Self::Emoji => "emoji",
            Self::Limit => "limit",
            Self::Overflow => "overflow",
            Self::Released => "released",
            Self::End => "end",
            Self::Spacing => "spacing",
            Self::Closed => "closed",
            Self::Reopened => "reopened",
            Self::Held(hold) => hold.name(),
            Self::Unfenced => "unfenced",
            Self::File => "file",
            Self::Rule(rule) => rule.name(),
        }
    }

    /// Whether a message ends here and the next one begins.
    pub const fn ends_message(self) -> bool {
        matches!(
            self,
            Self::Line
                | Self::Paragraph
                | Self::Sentence
                | Self::Code
                | Self::Table
                | Self::Emoji
                | Self::Limit
                | Self::Overflow
                | Self::Released
                | Self::End
                | Self::File
                | Self::Rule(Rule::Break)
        )
    }

    /// Whether a message was held back here.
    pub const fn is_hold(self) -> bool {
        matches!(self, Self::Held(_))
    }
}

/// Keeps explanations if they are wanted; costs nothing if not.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    entries: Option<Vec<Explanation>>,
    /// Where the text that is being read begins in the whole.
    base: usize,
}

impl Journal {
    pub(super) fn new(wanted: bool) -> Self {
        Self {
            entries: wanted.then(Vec::new),
            base: 0,
        }
    }

    #[inline]
    pub(super) fn note(&mut self, at: usize, reason: Reason, removed: &str, inserted: &str) {
        if let Some(entries) = &mut self.entries {
            entries.push(Explanation {
                at: self.base + at,
                reason,
                removed: removed.to_owned(),
                inserted: inserted.to_owned(),
            });
        }
    }

    /// A message that would end at `at` is held back.
    #[inline]
    pub(super) fn held(&mut self, at: usize, hold: Hold) {
        self.note(at, Reason::Held(hold), "", "");
    }

    /// The last message goes on after all, with `inserted` in between.
    pub(super) fn rejoin(&mut self, inserted: &str) {
        let entries = self.entries.iter_mut().flatten();
        if let Some(last) = entries.rev().find(|entry| entry.reason.ends_message()) {
            last.reason = Reason::Spacing;
            inserted.clone_into(&mut last.inserted);
        }
    }

    /// Where the text that is being read begins in the whole.
    pub(super) const fn base(&self) -> usize {
        self.base
    }

    /// The text begins again, `by` bytes further.
    pub(super) fn moved(mut self, by: usize) -> Self {
        self.base += by;
        self
    }

    pub(super) fn take(&mut self) -> Vec<Explanation> {
        self.entries
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }
}
