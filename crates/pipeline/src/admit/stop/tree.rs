//! The phrases of one language, found in what was read.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::name::BotName;
use super::read::{ClauseEnd, StopReading, StopToken, Word};
use super::words::{self, StopLanguage, WordRole, WordTable};

/// The keys are hashes already.
#[derive(Default)]
pub(super) struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

pub(super) type Map<V> = HashMap<u64, V, BuildHasherDefault<AsIs>>;

/// What stands at one place of an utterance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StopPiece {
    /// A phrase of the lexicon.
    Phrase(WordRole),
    /// The bot's name.
    Name,
    /// A word that the lexicon does not have, and whether it is a character of
    /// a script without spaces, or looks like a verb that is told to cease.
    Unknown { wide: bool, verb: bool },
    /// The end of a clause.
    Break(ClauseEnd),
}

/// A phrase of a list, or a part of phrases.
pub(super) struct Part {
    /// As it stands in the list.
    pub(super) text: &'static str,
    pub(super) words: Vec<Word>,
    /// Whether it is another phrase without its diacritics.
    only_exact: bool,
}

/// A row of a table, read.
pub(super) struct PhraseRow {
    pub(super) role: WordRole,
    pub(super) lists: Vec<Vec<Part>>,
}

impl PhraseRow {
    /// The rows of a table.
    pub(super) fn all(table: WordTable) -> Vec<Self> {
        let read = |(role, lists): &(WordRole, &'static [&'static str])| Self {
            role: *role,
            lists: lists.iter().map(|list| Part::all(list)).collect(),
        };
        table.iter().map(read).collect()
    }
}

impl Part {
    fn all(list: &'static str) -> Vec<Self> {
        let read = |phrase: &'static str| {
            let text = phrase.trim_start_matches('=');
            Self {
                text,
                words: StopReading::phrase(text),
                only_exact: phrase.starts_with('='),
            }
        };
        words::phrases(list).map(read).collect()
    }
}

/// The phrases of one language, as a tree of words.
#[derive(Debug, Default)]
pub(super) struct PhraseTree {
    edges: Map<u32>,
    roles: Vec<Option<WordRole>>,
    /// Whether diacritics tell words apart.
    exact: bool,
    /// How verbs end that are told to cease.
    verbs: &'static [&'static str],
    /// Whether words that change nothing may stand within a phrase.
    interrupts: bool,
}

impl PhraseTree {
    pub(super) fn of(language: &StopLanguage) -> Self {
        let exact = language.diacritics;
        let own = PhraseRow::all(language.table);
        let any = PhraseRow::all(words::any::TABLE);
        let mut tree = Self {
            roles: vec![None],
            exact,
            verbs: language.verbs,
            interrupts: language.interrupts,
            ..Self::default()
        };
        for row in own.iter().chain(&any) {
            if exact {
                tree.insert(row.role, 0, &row.lists, true);
            }
            tree.insert(row.role, 0, &row.lists, false);
        }
        tree
    }

    /// Adds every combination of the lists' parts behind `node`.
    fn insert(&mut self, role: WordRole, node: u32, lists: &[Vec<Part>], exact: bool) {
        let [parts, rest @ ..] = lists else {
            if node != 0 {
                self.roles[node as usize].get_or_insert(role);
            }
            return;
        };
        for part in parts.iter().filter(|part| exact || !part.only_exact) {
            let mut node = node;
            for word in &part.words {
                let word = if exact { word.exact } else { word.bare };
                let new = self.roles.len() as u32;
                node = *self.edges.entry(edge(node, word)).or_insert(new);
                if node == new {
                    self.roles.push(None);
                }
            }
            self.insert(role, node, rest, exact);
        }
    }

    fn step(&self, node: u32, word: &Word) -> Option<u32> {
        let follow = |word| self.edges.get(&edge(node, word)).copied();
        if self.exact {
            return follow(word.exact);
        }
        // "nooo" is an exclamation where "no" negates.
        let stretched = (word.double != word.bare).then(|| follow(word.double));
        stretched.flatten().or_else(|| follow(word.bare))
    }

    /// Whether any phrase in it means stop.
    pub(super) fn has_wish(&self, reading: &StopReading) -> bool {
        let tokens = reading.tokens();
        (0..tokens.len()).any(|from| {
            let mut means = false;
            self.each_phrase(&tokens[from..], |role, _| means |= role.means().is_some());
            means
        })
    }

    /// What the tokens are in this language: of all ways to part them into
    /// phrases the one that leaves the fewest words unknown, and of those the
    /// one with the fewest phrases. If `spaces_part`, spaces between phrases of
    /// Han and kana end clauses.
    pub(super) fn pieces(
        &self,
        reading: &StopReading,
        name: &BotName,
        spaces_part: bool,
    ) -> Vec<StopPiece> {
        let tokens = reading.tokens();
        let end = Way {
            cost: 0,
            piece: StopPiece::Break(ClauseEnd::default()),
            length: 1,
        };
        let mut ways = vec![end; tokens.len() + 1];
        for at in (0..tokens.len()).rev() {
            ways[at] = self.best(reading, &tokens[at..], &ways[at..], name);
        }
        let mut pieces = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            if spaces_part && matches!(&tokens[at], StopToken::Word(word) if word.spaced) {
                pieces.push(StopPiece::Break(ClauseEnd::default()));
            }
            pieces.push(ways[at].piece);
            at += ways[at].length;
        }
        pieces
    }

    /// Calls `found` with the phrases that begin where `tokens` do, and their
    /// lengths. A phrase that means stop may have a word or two within it that
    /// change nothing.
    fn each_phrase(&self, tokens: &[StopToken], mut found: impl FnMut(WordRole, usize)) {
        let mut node = 0;
        let mut length = 0;
        let mut intervened = 0;
        while let Some(StopToken::Word(word)) = tokens.get(length) {
            let Some(next) = self.step(node, word) else {
                if node == 0 || !self.interrupts || intervened == MOST_INTERVENING {
                    break;
                }
                let skip = self.intervening(&tokens[length..]);
                if skip == 0 {
                    break;
                }
                intervened += 1;
                length += skip;
                continue;
            };
            node = next;
            length += 1;
            let counts = |role: &WordRole| intervened == 0 || role.means().is_some();
            if let Some(role) = self.roles[node as usize].filter(counts) {
                found(role, length);
            }
        }
    }

    /// How many tokens are a word that may stand within any phrase. In scripts
    /// without spaces single characters are too often parts of other words.
    fn intervening(&self, tokens: &[StopToken]) -> usize {
        let mut node = 0;
        let mut longest = 0;
        for (index, token) in tokens.iter().take(MOST_INTERVENING_TOKENS).enumerate() {
            let StopToken::Word(word) = token else { break };
            let Some(next) = self.step(node, word) else {
                break;
            };
            node = next;
            let role = self.roles[node as usize];
            if role.is_some_and(WordRole::may_intervene) && (!word.wide || index > 0) {
                longest = index + 1;
            }
        }
        longest
    }

    /// The best way to go on from the start of `tokens`; `ways` are those from
    /// the tokens behind it.
    fn best(
        &self,
        reading: &StopReading,
        tokens: &[StopToken],
        ways: &[Way],
        name: &BotName,
    ) -> Way {
        let way = |piece: StopPiece, length: usize, cost: u32| Way {
            cost: cost + ways[length].cost,
            piece,
            length,
        };
        let mut best = match &tokens[0] {
            StopToken::Break(end) => return way(StopPiece::Break(*end), 1, 0),
            StopToken::Word(word) => {
                let wide = word.wide;
                let spelling = reading.spelling(word);
                let verb = self.verbs.iter().any(|end| spelling.ends_with(end));
                way(StopPiece::Unknown { wide, verb }, 1, UNKNOWN)
            }
        };
        self.each_phrase(tokens, |role, length| {
            let other = way(StopPiece::Phrase(role), length, phrase_cost(role));
            if other.cost <= best.cost {
                best = other;
            }
        });
        if let Some(length) = name.at(reading, tokens) {
            let named = way(StopPiece::Name, length, NAME);
            if named.cost <= best.cost {
                best = named;
            }
        }
        best
    }
}

/// The most words within a phrase that change nothing about it, and the most
/// tokens of each.
const MOST_INTERVENING: usize = 2;
const MOST_INTERVENING_TOKENS: usize = 3;

/// What a word costs that is in no phrase, and the bot's name.
const UNKNOWN: u32 = 100_000;
const NAME: u32 = 100;

/// What a phrase costs: as many as there are decide, and among equals those
/// that say what it is.
const fn phrase_cost(role: WordRole) -> u32 {
    match role {
        WordRole::Noun | WordRole::Not => 98,
        WordRole::States => 101,
        role if role.means().is_some() => 99,
        _ => 100,
    }
}

/// How to go on from a place in an utterance.
#[derive(Clone, Copy)]
struct Way {
    cost: u32,
    piece: StopPiece,
    length: usize,
}

fn edge(node: u32, word: u64) -> u64 {
    word ^ u64::from(node).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
