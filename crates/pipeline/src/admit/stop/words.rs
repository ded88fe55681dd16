//! What people say: the phrases of each language and what they do.
//!
//! A table lists phrases by what they do, parted by commas. Where parts combine,
//! a row has several lists: every phrase of the first with every one of the
//! second, and so on; `-` is nothing. Case, punctuation, diacritics and
//! stretched letters do not matter, in scripts without spaces neither do spaces.
//! If a phrase stands in two rows, the first counts; the longest phrase at a
//! place counts before shorter ones.

pub(super) mod any;
mod chinese;
mod english;
mod french;
mod german;
mod japanese;
mod korean;
mod others;
mod portuguese;
mod russian;
mod spanish;
mod vietnamese;

use super::StopReason;

/// What a phrase does in an utterance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WordRole {
    /// Means stop.
    Stop,
    /// Means be quiet; hardly ever anything else.
    Hush,
    /// Means be quiet, and is also what quiet is called: "silence".
    Silence,
    /// Means that it is enough.
    Enough,
    /// May mean that it is enough, if said to us.
    Suffice,
    /// Means wait.
    Wait,
    /// Means that it is not wanted any more.
    NeverMind,
    /// A sign that means stop.
    Sign,
    /// A sign that may mean stop.
    Gesture,
    /// Changes nothing: interjections, intensifiers, thanks.
    Filler,
    /// Changes nothing, and is said to a person rather than to a bot.
    Pal,
    /// Says that the bot is meant.
    Bot,
    /// Laughs.
    Laugh,
    /// Asks nicely: a question with it is none.
    Please,
    /// Makes a question a request: "can you".
    Ask,
    /// Stands before the wish: "I want you to".
    Lead,
    /// Stands behind the wish: "talking", "right there".
    Tail,
    /// "And": harmless before the wish, and what follows it is something else.
    And,
    /// Follows a name: "さん".
    Title,
    /// "No" where it also negates: harmless only as a clause of its own.
    No,
    /// Negates.
    Not,
    /// Begins a reason: "I", "it's".
    Since,
    /// Begins or asks for something else: "and", "instead", "tell me".
    Next,
    /// Looks like the wish and is something else: "bus stop".
    Noun,
}

/// How certain a phrase is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Strength {
    /// Counts also with a reason, or said to nobody.
    Plain,
    /// Counts alone and said to us.
    Soft,
}

impl WordRole {
    /// What a phrase that means stop says, and how certain that is.
    pub(super) const fn means(self) -> Option<(StopReason, Strength)> {
        Some(match self {
            Self::Stop => (StopReason::Stop, Strength::Plain),
            Self::Hush | Self::Silence => (StopReason::Hush, Strength::Plain),
            Self::Enough => (StopReason::Enough, Strength::Plain),
            Self::Suffice => (StopReason::Enough, Strength::Soft),
            Self::Wait => (StopReason::Wait, Strength::Soft),
            Self::NeverMind => (StopReason::NeverMind, Strength::Soft),
            Self::Sign => (StopReason::Sign, Strength::Plain),
            Self::Gesture => (StopReason::Sign, Strength::Soft),
            _ => return None,
        })
    }

    /// Whether a clause may consist of it and be no wish.
    pub(super) const fn is_courtesy(self) -> bool {
        matches!(
            self,
            Self::Filler
                | Self::Pal
                | Self::Bot
                | Self::Laugh
                | Self::Please
                | Self::Ask
                | Self::No
                | Self::Title
        )
    }
}

/// The phrases of a language, by what they do.
pub(super) type WordTable = &'static [(WordRole, &'static [&'static str])];

/// The tables, and whether diacritics tell words apart in them.
pub(super) const LANGUAGES: &[(WordTable, bool)] = &[
    (english::TABLE, false),
    (japanese::TABLE, false),
    (spanish::TABLE, false),
    (portuguese::TABLE, false),
    (french::TABLE, false),
    (german::TABLE, false),
    (korean::TABLE, false),
    (chinese::TABLE, false),
    (russian::TABLE, false),
    (vietnamese::TABLE, true),
    (others::TABLE, false),
];

/// The phrases of one list of a row; nothing is an empty one.
pub(super) fn phrases(list: &str) -> impl Iterator<Item = &str> {
    let phrases = list.split(',').map(str::trim);
    phrases
        .filter(|phrase| !phrase.is_empty())
        .map(|phrase| if phrase == "-" { "" } else { phrase })
}
