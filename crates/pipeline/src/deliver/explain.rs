//! Why did the text become these messages?

use super::edit::Rule;

/// One thing that was done to the text, and why.
///
/// Applying them in order to what the model wrote gives what is sent: at byte
/// `at`, `removed` goes and `inserted` comes; a reason that
/// [ends a message](Reason::ends_message) begins the next one there. What is
/// done to a message once it is cut counts from where that message begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// Where, in bytes of the text.
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
    /// A full stop stood alone.
    StrayStop,
    /// A rule changed what the model wrote.
    Rule(Rule),
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
            Self::StrayStop => "stray_stop",
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
        )
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

    /// The last message goes on after all, with `inserted` in between.
    pub(super) fn rejoin(&mut self, inserted: &str) {
        let entries = self.entries.iter_mut().flatten();
        if let Some(last) = entries.rev().find(|entry| entry.reason.ends_message()) {
            last.reason = Reason::Spacing;
            inserted.clone_into(&mut last.inserted);
        }
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
