//! Why did the text become these messages?
//!
//! Every stage tells its changes by places in its own input. A `Lineage` is a
//! text with all that was done to it, and takes the changes of one stage after
//! the other; `Trace` gathers them and tells the whole once a text is over.

mod lineage;

use super::edit::Rule;
pub(super) use lineage::Lineage;

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
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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
    pub fn is_hold(self) -> bool {
        (Self::HeldPair..=Self::HeldEmoji).contains(&self)
    }

    /// Whether it tells something though nothing changed.
    fn tells(self) -> bool {
        self.ends_message() || self.is_hold()
    }
}

/// A stage that changes the text, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    Capture,
    Prefill,
    Voice,
    Dialect,
    /// Cuts it into messages. What follows changes one message at a time.
    Pack,
    Clean,
    Rewrite,
    Fit,
    Humanize,
}

impl Stage {
    /// Those that change one message at a time.
    const TOUCHES: [Self; 4] = [Self::Clean, Self::Rewrite, Self::Fit, Self::Humanize];
}

/// What a stage did, by places in its own input.
#[derive(Debug, Default)]
struct Notes {
    /// Where in the input the text began.
    start: usize,
    /// Where the message begins that is next.
    next: usize,
    changes: Vec<Change>,
}

/// Notes what the stages do, if that is wanted, and explains it once the text
/// is over.
#[derive(Debug, Default)]
pub(super) struct Trace {
    on: bool,
    /// What the model wrote since the text began, and where it began.
    written: String,
    start: usize,
    stages: [Notes; Stage::Humanize as usize + 1],
    explained: Vec<Change>,
}

impl Trace {
    pub(super) fn new(on: bool) -> Self {
        Self {
            on,
            ..Self::default()
        }
    }

    pub(super) const fn is_on(&self) -> bool {
        self.on
    }

    pub(super) fn wrote(&mut self, text: &str) {
        if self.on {
            self.written.push_str(text);
        }
    }

    /// A stage did this, by places in all of its input.
    pub(super) fn changed(&mut self, stage: Stage, changes: impl IntoIterator<Item = Change>) {
        if self.on {
            self.stages[stage as usize].changes.extend(changes);
        }
    }

    /// A stage did this to the next message, of which nothing is left unless it
    /// was `sent`.
    pub(super) fn touched(
        &mut self,
        stage: Stage,
        message: &str,
        mut changes: Vec<Change>,
        sent: bool,
    ) {
        if !sent {
            changes.push(Change::new(message.len(), Reason::Spacing, "\n", ""));
        }
        let notes = &mut self.stages[stage as usize];
        for change in &mut changes {
            change.at += notes.next;
        }
        notes.next += message.len() + 1;
        self.changed(stage, changes);
    }

    /// Nothing is done to the next message.
    pub(super) fn passed(&mut self, message: &str) {
        for stage in Stage::TOUCHES {
            self.touched(stage, message, Vec::new(), true);
        }
    }

    /// The text is over: explains how it became what was sent.
    pub(super) fn finish(&mut self) {
        let written = std::mem::take(&mut self.written);
        let mut lineage = Lineage::written(self.start, &written);
        self.start += written.len();
        for notes in &mut self.stages {
            let mut changes = std::mem::take(&mut notes.changes);
            for change in &mut changes {
                change.at = change.at.saturating_sub(notes.start);
            }
            changes.sort_by_key(|change| change.at);
            notes.start += lineage.width();
            notes.next = notes.start;
            lineage.apply(&changes);
        }
        self.explained.extend(lineage.into_changes());
    }

    /// What was explained since the last call.
    pub(super) fn take(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.explained)
    }
}
