//! Why did the text become these messages?
//!
//! Every stage tells its changes by places in its own input. A `Lineage` is a
//! text with all that was done to it, and takes the changes of one stage after
//! the other; `Trace` gathers them and tells the whole once a text is over.

mod lineage;
mod trace;

use super::edit::Rule;
pub(super) use lineage::Lineage;
pub(super) use trace::{Stage, Trace};

/// One thing that was done to the text, and why.
///
/// Applied in order to what the model wrote, changes give exactly what is
/// sent: at byte `at`, `removed` goes and `inserted` comes; a reason that
/// [ends a message](Reason::ends_message) begins the next one there. A
/// [hold](Reason::is_hold) changes nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Where, in bytes of the text that was changed.
    pub at: usize,
    /// Why.
    pub reason: Reason,
    /// What was taken out.
    pub removed: String,
    /// What was put in.
    pub inserted: String,
}

impl Change {
    /// At `at`, `removed` became `inserted`.
    pub(super) fn new(at: usize, reason: Reason, removed: &str, inserted: &str) -> Self {
        Self {
            at,
            reason,
            removed: removed.to_owned(),
            inserted: inserted.to_owned(),
        }
    }

    /// A rule took out `removed`.
    pub(super) fn removal(at: usize, rule: Rule, removed: &str) -> Self {
        Self::new(at, Reason::Rule(rule), removed, "")
    }

    /// Whether it took out what the model did not mean for the reader.
    pub fn is_removal(&self) -> bool {
        matches!(self.reason, Reason::Rule(rule) if rule <= Rule::StrayStop)
    }

    /// Where what follows begins in the text that was changed.
    pub const fn end(&self) -> usize {
        self.at + self.removed.len()
    }
}

macro_rules! reasons {
    ($($reason:ident $name:literal $ends:literal $doc:literal)*) => {
        /// Why something was done.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Reason {
            $(#[doc = $doc] $reason,)*
            /// A rule changed what the model wrote.
            Rule(Rule),
        }

        impl Reason {
            /// The name that `--explain` shows.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$reason => $name,)*
                    Self::Rule(rule) => rule.name(),
                }
            }

            /// Whether a message ends here and the next one begins.
            pub const fn ends_message(self) -> bool {
                match self {
                    $(Self::$reason => $ends,)*
                    Self::Rule(rule) => matches!(rule, Rule::Break),
                }
            }
        }
    };
}

reasons! {
    Line "line" true "A message ends with its line."
    Paragraph "paragraph" true "A message ends with its paragraph."
    Sentence "sentence" true "A message ends with its sentence."
    Code "code" true "A message ends where code begins or ends."
    Table "table" true "A message ends where a table begins or ends."
    Emoji "emoji" true "A message ends because custom emoji stand alone."
    Limit "limit" true "A message ends because it would become too long."
    Overflow "overflow" true "A message ends because a line has become long."
    End "end" true "A message ends with the text."
    File "file" true "Code that became a file ends."
    Spacing "spacing" false "Line ends were made even."
    Closed "closed" false "A code block, an emphasis or a quote was closed for a cut."
    Reopened "reopened" false "… and opened again after it."
    Unfenced "unfenced" false "The fence around code that became a file was taken off."
    HeldPair "hold-pair" false "A message waits for what closes a bracket, a quotation or an emphasis."
    HeldCode "hold-code" false "A message waits for the end of code, which is not cut if it fits one."
    HeldTable "hold-table" false "A message waits for the end of a table, which is not cut either."
    HeldPunctuation "hold-punctuation" false "Punctuation stands alone: it goes with what follows."
    HeldEmoji "hold-emoji" false "What follows custom emoji tells whether they stand alone."
}

impl Reason {
    /// Whether a message would have ended here, but was held back.
    pub const fn is_hold(self) -> bool {
        matches!(
            self,
            Self::HeldPair
                | Self::HeldCode
                | Self::HeldTable
                | Self::HeldPunctuation
                | Self::HeldEmoji
        )
    }

    /// Whether it tells something though nothing changed.
    const fn tells(self) -> bool {
        self.ends_message() || self.is_hold()
    }
}
