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
    /// Means stop in every language, and much else: "stop, hammer time".
    Halt,
    /// Means stop, and may be followed by a verb: "stop yapping".
    Cease,
    /// Means stop, and is followed by what is to stop: "enough with the".
    Spare,
    /// Means stop, also as a question: "tu t'arrêtes ?".
    Urge,
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
    /// Changes nothing, and asks for no more than assent: "ok?".
    Tag,
    /// Asks, but for a request to stop: "吗".
    Query,
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
    /// Begins a reason in a clause of its own: in "stop my car" it begins what
    /// is to be stopped.
    Topic,
    /// Ends a reason: "から", "니까".
    Hence,
    /// Tells what others said or did: "he said".
    Report,
    /// Begins or asks for something else: "and", "instead", "tell me".
    Next,
    /// Asks for something else where a clause begins: "write", "show".
    Order,
    /// Asks about something, but in a reason: "what", "when".
    Wh,
    /// Makes a clause say how things are: "is", "hurts".
    States,
    /// Looks like the wish and is something else: "bus stop".
    Noun,
}

/// How certain a phrase is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Strength {
    /// Counts also with a reason, or said to nobody.
    Plain,
    /// Counts also with a reason, if said to us.
    Said,
    /// Counts alone and said to us.
    Soft,
}

impl WordRole {
    /// What a phrase that means stop says, and how certain that is.
    pub(super) const fn means(self) -> Option<(StopReason, Strength)> {
        Some(match self {
            Self::Stop | Self::Halt | Self::Cease | Self::Spare | Self::Urge => {
                (StopReason::Stop, Strength::Plain)
            }
            Self::Hush => (StopReason::Hush, Strength::Plain),
            Self::Silence => (StopReason::Hush, Strength::Said),
            Self::Enough => (StopReason::Enough, Strength::Plain),
            Self::Suffice => (StopReason::Enough, Strength::Soft),
            Self::Wait => (StopReason::Wait, Strength::Soft),
            Self::NeverMind => (StopReason::NeverMind, Strength::Said),
            Self::Sign => (StopReason::Sign, Strength::Plain),
            Self::Gesture => (StopReason::Sign, Strength::Soft),
            _ => return None,
        })
    }

    /// Whether it may stand within a phrase: "shut please up", "cancel the answer".
    pub(super) const fn may_intervene(self) -> bool {
        matches!(
            self,
            Self::Filler | Self::Tag | Self::Please | Self::Pal | Self::Laugh | Self::Topic
        )
    }

    /// Whether people go on after it only to say why.
    pub(super) const fn is_final(self) -> bool {
        matches!(self, Self::Stop | Self::Urge | Self::Hush | Self::NeverMind)
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
                | Self::Tag
                | Self::No
                | Self::Title
                | Self::Hence
        )
    }
}

/// The phrases of a language, by what they do.
pub(super) type WordTable = &'static [(WordRole, &'static [&'static str])];

/// A language.
pub(super) struct StopLanguage {
    pub(super) table: WordTable,
    /// Whether diacritics tell words apart in it.
    pub(super) diacritics: bool,
    /// How verbs end, without diacritics, that are told to cease.
    pub(super) verbs: &'static [&'static str],
    /// Whether words that change nothing may stand within a phrase: where
    /// endings are written together with what they end, they may not.
    pub(super) interrupts: bool,
}

const fn language(table: WordTable, verbs: &'static [&'static str]) -> StopLanguage {
    StopLanguage {
        table,
        diacritics: false,
        verbs,
        interrupts: true,
    }
}

pub(super) const LANGUAGES: &[StopLanguage] = &[
    language(english::TABLE, &["ing"]),
    StopLanguage {
        table: japanese::TABLE,
        diacritics: false,
        verbs: &[],
        interrupts: false,
    },
    language(spanish::TABLE, &["ar", "er", "ir", "arme", "arnos", "irme"]),
    language(portuguese::TABLE, &["ar", "er", "ir"]),
    language(french::TABLE, &["er", "ir", "re"]),
    language(german::TABLE, &["en", "eln", "ern"]),
    language(korean::TABLE, &[]),
    language(chinese::TABLE, &[]),
    language(russian::TABLE, &["ть", "ться", "чь"]),
    StopLanguage {
        table: vietnamese::TABLE,
        diacritics: true,
        verbs: &[],
        interrupts: true,
    },
    language(others::TABLE, &[]),
];

/// The phrases of one list of a row; nothing is an empty one.
pub(super) fn phrases(list: &str) -> impl Iterator<Item = &str> {
    let phrases = list.split(',').map(str::trim);
    phrases
        .filter(|phrase| !phrase.is_empty())
        .map(|phrase| if phrase == "-" { "" } else { phrase })
}
