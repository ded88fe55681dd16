//! What was changed, where, and why.

use std::ops::Range;

use super::explain::{Change, Reason};

macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident $name:literal)*) => {
        /// A named reason to change what the model wrote.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Rule {
            $($(#[$doc])* $rule,)*
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &[Self] = &[$(Self::$rule,)*];

            /// Its name in configuration and explanations.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$rule => $name,)*
                }
            }
        }
    };
}

rules! {
    /// A `<think>` block goes to the thought log.
    Thought "thought"
    /// A `<details>` block goes to memory.
    Details "details"
    /// A closing tag of such a block that closes nothing is removed.
    StrayTag "stray-tag"
    /// `[system: …]`, which the model made up, is removed.
    SystemNote "system-note"
    /// A token of the model's template, as `<|im_end|>`, is removed.
    ControlToken "control-token"
    /// The echo of the prefill at the start is removed.
    Prefill "prefill"
    /// Our own name in front of a line is removed.
    OwnLabel "own-label"
    /// Somebody else's name in front of the whole answer is removed.
    OpeningLabel "opening-label"
    /// A line of somebody else ends the answer.
    Speaker "speaker"
    /// A line of anybody, known or not, ends the answer.
    AnySpeaker "any-speaker"
    /// A full stop that stands alone at the end is removed.
    StrayStop "stray-stop"
    /// A custom emoji that was just used is removed.
    DuplicateEmoji "duplicate-emoji"
    /// `:name:` becomes the emoji.
    EmojiCode "emoji-code"
    /// A custom emoji's tag with a wrong or missing id is mended.
    EmojiTag "emoji-tag"
    /// `:name:` of no emoji, standing alone, is removed.
    UnknownEmoji "unknown-emoji"
    /// `@name` becomes a mention.
    Mention "mention"
    /// `@name` of nobody becomes a plain name.
    UnknownMention "unknown-mention"
    /// `@everyone` and `@here` are made harmless.
    MassMention "mass-mention"
    /// A heading too deep for Discord becomes a bold line.
    DeepHeading "deep-heading"
    /// A rule across the page becomes a line of dashes.
    PageRule "page-rule"
    /// A picture becomes a link.
    Picture "picture"
    /// `~~~` and long fences become three backticks.
    Fence "fence"
    /// Three backticks inside a code block are kept from ending it.
    NestedFence "nested-fence"
    /// A task becomes a box, ticked or not.
    Task "task"
    /// `<br>` becomes a new line.
    LineBreak "line-break"
    /// An inline HTML tag becomes its marker.
    HtmlTag "html-tag"
    /// An HTML entity becomes its character.
    Entity "entity"
    /// A formula becomes readable text.
    Formula "formula"
    /// The first word of a sentence loses its capital.
    LowerCase "lower-case"
    /// A semicolon is left out.
    Semicolon "semicolon"
    /// A comma is left out.
    Comma "comma"
    /// The message ends here and the next begins.
    Break "break"
}

/// A set of rules: those that are in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules(u64);

impl Rules {
    /// No rule.
    pub const NONE: Self = Self(0);

    /// Every rule, the strict ones included.
    pub const ALL: Self = Self((1 << Rule::ALL.len()) - 1);

    /// The set with `rule`.
    #[must_use]
    pub const fn with(self, rule: Rule) -> Self {
        Self(self.0 | 1 << rule as u64)
    }

    /// The set without `rule`.
    #[must_use]
    pub const fn without(self, rule: Rule) -> Self {
        Self(self.0 & !(1 << rule as u64))
    }

    /// Whether `rule` is in force.
    pub const fn has(self, rule: Rule) -> bool {
        self.0 & (1 << rule as u64) != 0
    }
}

impl Default for Rules {
    /// Every rule but [`Rule::AnySpeaker`], which a server must ask for.
    fn default() -> Self {
        Self::ALL.without(Rule::AnySpeaker)
    }
}

/// A changed text and its changes, in order and apart.
///
/// Applying the changes to the input yields exactly the text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edited {
    /// What the text is now.
    pub text: String,
    /// What was changed.
    pub changes: Vec<Change>,
}

/// How places in what is left lead back to where they were before removals.
#[derive(Clone, Debug, Default)]
pub(super) struct Shift {
    /// From this place on, add so many bytes.
    steps: Vec<(usize, usize)>,
}

impl Shift {
    pub(super) fn removed(&mut self, removal: &Change) {
        let before = self.steps.last().map_or(0, |&(_, by)| by);
        let at = removal.at.saturating_sub(before);
        let inserted = removal.inserted.len();
        let by = before + removal.removed.len().saturating_sub(inserted);
        self.steps.push((at + inserted, by));
    }

    pub(super) fn back(&self, at: usize) -> usize {
        let index = self.steps.partition_point(|&(from, _)| from <= at);
        at + index.checked_sub(1).map_or(0, |last| self.steps[last].1)
    }
}

/// Applies edits to a text, front to back.
#[derive(Debug)]
pub(super) struct Editor<'a> {
    input: &'a str,
    /// How much of the input is dealt with.
    at: usize,
    done: Edited,
}

impl<'a> Editor<'a> {
    pub(super) fn new(input: &'a str) -> Self {
        Self {
            input,
            at: 0,
            done: Edited {
                text: String::with_capacity(input.len()),
                changes: Vec::new(),
            },
        }
    }

    /// Puts `with` in the place of `range`. A change that reaches back behind
    /// an earlier one, or changes nothing, is not made.
    pub(super) fn replace(&mut self, range: Range<usize>, with: &str, rule: Rule) -> bool {
        if range.start < self.at || self.input.get(range.clone()) == Some(with) {
            return false;
        }
        let Some(before) = self.input.get(self.at..range.start) else {
            return false;
        };
        self.done.text.push_str(before);
        self.done.text.push_str(with);
        let removed = &self.input[range.clone()];
        self.at = range.end;
        self.done
            .changes
            .push(Change::new(range.start, Reason::Rule(rule), removed, with));
        true
    }

    /// How much of the input is dealt with.
    pub(super) const fn position(&self) -> usize {
        self.at
    }

    /// The length of the text so far, if nothing changes up to `at`.
    pub(super) fn length_at(&self, at: usize) -> usize {
        self.done.text.len() + at.saturating_sub(self.at)
    }

    pub(super) fn finish(mut self) -> Edited {
        self.done.text.push_str(&self.input[self.at..]);
        self.done
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What the law of conservation says the output must be.
    pub(in crate::deliver) fn apply(input: &str, changes: &[Change]) -> String {
        let mut text = String::new();
        let mut at = 0;
        for change in changes {
            text.push_str(&input[at..change.at]);
            text.push_str(&change.inserted);
            at = change.end();
        }
        text.push_str(&input[at..]);
        text
    }

    #[test]
    fn rules_are_named_apart_and_fit_the_set() {
        let mut names: Vec<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Rule::ALL.len());
        for &rule in Rule::ALL {
            assert!(Rules::ALL.has(rule) && !Rules::NONE.has(rule), "{rule:?}");
            assert!(!Rules::ALL.without(rule).has(rule), "{rule:?}");
            assert_eq!(Rules::NONE.with(rule).without(rule), Rules::NONE);
        }
        assert!(!Rules::default().has(Rule::AnySpeaker));
    }

    #[test]
    fn overlapping_edits_lose_to_the_first() {
        let mut editor = Editor::new("one two three");
        assert!(editor.replace(0..3, "1", Rule::Comma));
        assert!(!editor.replace(2..5, "x", Rule::Comma));
        assert!(!editor.replace(4..7, "two", Rule::Comma));
        assert!(editor.replace(8..13, "3", Rule::Comma));
        let edited = editor.finish();
        assert_eq!(edited.text, "1 two 3");
        assert_eq!(apply("one two three", &edited.changes), edited.text);
    }
}
