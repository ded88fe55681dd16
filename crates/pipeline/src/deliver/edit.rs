//! What was changed, where, and why.

use std::ops::Range;

use super::explain::{Change, Reason};

macro_rules! rules {
    ($($rule:ident $name:literal $doc:literal)*) => {
        /// A named reason to change what the model wrote.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Rule {
            $(#[doc = $doc] $rule,)*
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
    Thought "thought" "A `<think>` block goes to the thought log."
    Details "details" "A `<details>` block goes to memory."
    StrayTag "stray-tag" "A closing tag of such a block that closes nothing is removed."
    SystemNote "system-note" "`[system: …]`, which the model made up, is removed."
    ControlToken "control-token" "A token of the model's template, as `<|im_end|>`, is removed."
    Prefill "prefill" "The echo of the prefill at the start is removed."
    OwnLabel "own-label" "Our own name in front of a line is removed."
    OpeningLabel "opening-label" "Somebody else's name in front of the whole answer is removed."
    Speaker "speaker" "A line of somebody else ends the answer."
    AnySpeaker "any-speaker" "A line of anybody, known or not, ends the answer."
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
    Break "break" "The message ends here and the next begins."
}

/// A set of rules: those that are in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules(u64);

impl Rules {
    /// No rule.
    pub const NONE: Self = Self(0);

    /// Every rule, the strict ones included.
    pub const ALL: Self = Self((1 << Rule::ALL.len()) - 1);

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

impl Edited {
    /// The messages that the text is, where changes end them.
    pub(super) fn messages(&self) -> Vec<&str> {
        let (mut messages, mut rest) = (Vec::new(), &*self.text);
        let (mut at, mut width) = (0, 0);
        for change in &self.changes {
            width += change.at - at + change.inserted.len();
            at = change.end();
            if change.reason.ends_message() {
                let (message, after) = rest.split_at(std::mem::take(&mut width));
                messages.push(message);
                rest = after;
            }
        }
        messages.push(rest);
        messages
    }
}

/// Applies edits to a text, front to back, by the rules that are in force.
#[derive(Debug)]
pub(super) struct Editor<'a> {
    input: &'a str,
    rules: Rules,
    /// How much of the input is dealt with.
    at: usize,
    done: Edited,
}

impl<'a> Editor<'a> {
    pub(super) fn new(input: &'a str, rules: Rules) -> Self {
        Self {
            input,
            rules,
            at: 0,
            done: Edited::default(),
        }
    }

    /// Puts `with` in the place of `range`. A change that reaches back behind
    /// an earlier one, or changes nothing, is not made.
    pub(super) fn replace(&mut self, range: Range<usize>, with: &str, rule: Rule) -> bool {
        let Some(before) = self.input.get(self.at..range.start) else {
            return false;
        };
        let removed = &self.input[range.clone()];
        if removed == with && rule != Rule::Break || !self.rules.has(rule) {
            return false;
        }
        self.done.text.push_str(before);
        self.done.text.push_str(with);
        self.at = range.end;
        let change = Change::new(range.start, Reason::Rule(rule), removed, with);
        self.done.changes.push(change);
        true
    }

    /// Whether `rule` is in force.
    pub(super) const fn has(&self, rule: Rule) -> bool {
        self.rules.has(rule)
    }

    /// How much of the input is dealt with.
    pub(super) const fn position(&self) -> usize {
        self.at
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
        }
        assert!(!Rules::default().has(Rule::AnySpeaker));
    }

    #[test]
    fn overlapping_edits_lose_to_the_first() {
        let mut editor = Editor::new("one two three", Rules::ALL);
        assert!(editor.replace(0..3, "1", Rule::Comma));
        assert!(!editor.replace(2..5, "x", Rule::Comma));
        assert!(!editor.replace(4..7, "two", Rule::Comma));
        assert!(editor.replace(8..13, "3", Rule::Comma));
        let edited = editor.finish();
        assert_eq!(edited.text, "1 two 3");
        assert_eq!(apply("one two three", &edited.changes), edited.text);
    }
}
