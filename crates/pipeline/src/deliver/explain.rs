//! Why did the text become these messages?
//!
//! Every stage tells its changes by places in its own input, where the end of a
//! message counts like a line end. A `Lineage` is a text with all that was done
//! to it, and takes the changes of one stage after the other; `Trace` keeps what
//! was written, and tells the whole once a text is over.

mod lineage;

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

    /// Whether it took out what the model did not mean for the reader.
    pub fn is_removal(&self) -> bool {
        (Reason::Thought..=Reason::StrayStop).contains(&self.reason)
    }

    /// Where what follows begins in the text that was changed.
    pub const fn end(&self) -> usize {
        self.at + self.removed.len()
    }
}

macro_rules! reasons {
    ($($reason:ident $name:literal $doc:literal)*) => {
        /// Why something was done.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Reason {
            $(#[doc = $doc] $reason,)*
        }

        impl Reason {
            #[cfg(test)]
            const ALL: &[Self] = &[$(Self::$reason,)*];

            /// The name that `--explain` shows.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$reason => $name,)*
                }
            }
        }
    };
}

// First what ends a message, then what else is done to put it together, what
// holds it back, and the rules that change what the model wrote.
reasons! {
    Line "line" "A message ends with its line."
    Paragraph "paragraph" "A message ends with its paragraph."
    Sentence "sentence" "A message ends with its sentence."
    Code "code" "A message ends where code begins or ends."
    Table "table" "A message ends where a table begins or ends."
    Emoji "emoji" "A message ends because custom emoji stand alone."
    Limit "limit" "A message ends because it would become too long."
    Overflow "overflow" "A message ends because a line has become long."
    End "end" "A message ends with the text."
    File "file" "Code that became a file ends."
    Break "break" "The message ends here and the next begins."
    Spacing "spacing" "Line ends were made even."
    Closed "closed" "A code block, an emphasis or a quote was closed for a cut."
    Reopened "reopened" "… and opened again after it."
    Unfenced "unfenced" "The fence around code that became a file was taken off."
    HeldPair "hold-pair" "A message waits for what closes a bracket, a quotation or an emphasis."
    HeldCode "hold-code" "A message waits for the end of code, which is not cut if it fits one."
    HeldTable "hold-table" "A message waits for the end of a table, which is not cut either."
    HeldPunctuation "hold-punctuation" "Punctuation stands alone: it goes with what follows."
    HeldEmoji "hold-emoji" "What follows custom emoji tells whether they stand alone."
    Thought "thought" "A `<think>` block goes to the thought log."
    Details "details" "A `<details>` block goes to memory."
    StrayTag "stray-tag" "A closing tag of such a block that closes nothing is removed."
    SystemNote "system-note" "`[system: …]`, which the model made up, is removed."
    ControlToken "control-token" "A token of the model's template, as `<|im_end|>`, is removed."
    Prefill "prefill" "The echo of the prefill at the start is removed."
    OwnLabel "own-label" "Our own name in front of a line is removed."
    OpeningLabel "opening-label" "Somebody else's name in front of the whole answer is removed."
    Speaker "speaker" "A line of somebody else ends the answer."
    StrayStop "stray-stop" "A full stop that stands alone at the end is removed."
    DuplicateEmoji "duplicate-emoji" "A custom emoji that was just used is removed."
    EmojiCode "emoji-code" "`:name:` becomes the emoji."
    EmojiTag "emoji-tag" "A custom emoji's tag with a wrong or missing id is mended."
    UnknownEmoji "unknown-emoji" "`:name:` of no emoji, standing alone, is removed."
    Mention "mention" "`@name` becomes a mention."
    UnknownMention "unknown-mention" "`@name` of nobody becomes a plain name."
    MassMention "mass-mention" "`@everyone` and `@here` are made harmless."
    DeepHeading "deep-heading" "A heading too deep for Discord becomes a bold line."
    PageRule "page-rule" "A rule across the page becomes a line of dashes."
    Picture "picture" "A picture becomes a link."
    Fence "fence" "`~~~` and long fences become three backticks."
    NestedFence "nested-fence" "Three backticks inside a code block are kept from ending it."
    Task "task" "A task becomes a box, ticked or not."
    LineBreak "line-break" "`<br>` becomes a new line."
    HtmlTag "html-tag" "An inline HTML tag becomes its marker."
    Entity "entity" "An HTML entity becomes its character."
    Formula "formula" "A formula becomes readable text."
    LowerCase "lower-case" "The first word of a sentence loses its capital."
    Semicolon "semicolon" "A semicolon is left out."
    Comma "comma" "A comma is left out."
}

impl Reason {
    /// Whether a message ends here and the next one begins.
    pub fn ends_message(self) -> bool {
        self <= Self::Break
    }

    /// Whether a message would have ended here, but was held back.
    pub fn is_hold(self) -> bool {
        (Self::HeldPair..=Self::HeldEmoji).contains(&self)
    }

    /// Whether it tells something though nothing changed.
    pub(super) fn tells(self) -> bool {
        self.ends_message() || self.is_hold()
    }
}

/// Keeps what the model wrote, if that is wanted, and explains what became of
/// it once the text is over.
#[derive(Debug, Default)]
pub(super) struct Trace {
    on: bool,
    /// What the model wrote since the text began, and where it began.
    written: String,
    start: usize,
    /// What was explained.
    pub(super) explained: Vec<Change>,
}

impl Trace {
    pub(super) fn new(on: bool) -> Self {
        Self {
            on,
            ..Self::default()
        }
    }

    pub(super) fn wrote(&mut self, text: &str) {
        if self.on {
            self.written.push_str(text);
        }
    }

    /// The text is over: explains how it became what was sent, by what one
    /// stage after the other did to it.
    pub(super) fn finish(&mut self, stages: impl IntoIterator<Item = Vec<Change>>) {
        if self.on {
            let written = std::mem::take(&mut self.written);
            let mut lineage = Lineage::written(self.start, &written);
            for changes in stages {
                lineage.apply(&changes);
            }
            self.start += written.len();
            self.explained.extend(lineage.into_changes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_named_apart() {
        let mut names: Vec<_> = Reason::ALL.iter().map(|reason| reason.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Reason::ALL.len());
    }
}
