//! Finds the phrases of each language in what was read.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::OnceLock;

use super::letters::{ends, hash, is_cyrillic, swapped, without_one};
use super::read::{StopReading, StopToken, Word};
use super::words::{self, WordRole, WordTable};

/// The keys are hashes already.
#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

type Map<V> = HashMap<u64, V, BuildHasherDefault<AsIs>>;

/// What stands at one place of an utterance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StopPiece {
    /// A phrase of the lexicon.
    Phrase(WordRole),
    /// The bot's name.
    Name,
    /// A word that the lexicon does not have, and whether it is a character of
    /// a script without spaces.
    Unknown { wide: bool },
    /// The end of a clause, and whether it asks.
    Break { asks: bool },
}

/// A phrase of a list, or a part of phrases.
struct Part {
    words: Vec<Word>,
    /// Whether it is another phrase without its diacritics.
    only_exact: bool,
}

impl Part {
    fn all(list: &str) -> Vec<Self> {
        let read = |phrase: &str| Self {
            words: StopReading::phrase(phrase.trim_start_matches('=')),
            only_exact: phrase.starts_with('='),
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
}

impl PhraseTree {
    fn of(table: WordTable, exact: bool) -> Self {
        let mut language = Self {
            roles: vec![None],
            exact,
            ..Self::default()
        };
        for (role, lists) in table.iter().chain(words::any::TABLE) {
            let lists: Vec<_> = lists.iter().map(|list| Part::all(list)).collect();
            if exact {
                language.insert(*role, 0, &lists, true);
            }
            language.insert(*role, 0, &lists, false);
        }
        language
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
        let found = follow(word.bare);
        if found.is_none() && word.double != word.bare {
            return follow(word.double);
        }
        found
    }

    /// Whether any phrase in it means stop.
    pub(super) fn has_wish(&self, reading: &StopReading) -> bool {
        let tokens = reading.tokens();
        (0..tokens.len()).any(|from| {
            let mut node = 0;
            for token in &tokens[from..] {
                let StopToken::Word(word) = token else { break };
                let Some(next) = self.step(node, word) else {
                    break;
                };
                node = next;
                if self.roles[node as usize].is_some_and(|role| role.means().is_some()) {
                    return true;
                }
            }
            false
        })
    }

    /// What the tokens are in this language: of all ways to part them into
    /// phrases the one that leaves the fewest words unknown, and of those the
    /// one with the fewest phrases.
    pub(super) fn pieces(&self, reading: &StopReading, name: &BotName) -> Vec<StopPiece> {
        let tokens = reading.tokens();
        let end = Way {
            cost: 0,
            piece: StopPiece::Break { asks: false },
            length: 1,
        };
        let mut ways = vec![end; tokens.len() + 1];
        for at in (0..tokens.len()).rev() {
            ways[at] = self.best(&tokens[at..], &ways[at..], name);
        }
        let mut pieces = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            pieces.push(ways[at].piece);
            at += ways[at].length;
        }
        pieces
    }

    /// The best way to go on from the start of `tokens`; `ways` are those from
    /// the tokens behind it.
    fn best(&self, tokens: &[StopToken], ways: &[Way], name: &BotName) -> Way {
        let way = |piece: StopPiece, length: usize, cost: u32| Way {
            cost: cost + ways[length].cost,
            piece,
            length,
        };
        let mut best = match &tokens[0] {
            StopToken::Break { asks } => return way(StopPiece::Break { asks: *asks }, 1, 0),
            StopToken::Word(word) => way(StopPiece::Unknown { wide: word.wide }, 1, UNKNOWN),
        };
        let mut node = 0;
        for (index, token) in tokens.iter().enumerate() {
            let StopToken::Word(word) = token else { break };
            let Some(next) = self.step(node, word) else {
                break;
            };
            node = next;
            if let Some(role) = self.roles[node as usize] {
                let other = way(StopPiece::Phrase(role), index + 1, PHRASE);
                if other.cost <= best.cost {
                    best = other;
                }
            }
        }
        if let Some(length) = name.at(tokens) {
            let named = way(StopPiece::Name, length, PHRASE);
            if named.cost <= best.cost {
                best = named;
            }
        }
        best
    }
}

/// What a phrase costs, and a word that is in none.
const PHRASE: u32 = 1;
const UNKNOWN: u32 = 1_000;

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

/// The bot's name: whole, or one of its words.
#[derive(Debug)]
pub(super) struct BotName {
    words: Vec<Word>,
}

impl BotName {
    fn at(&self, tokens: &[StopToken]) -> Option<usize> {
        let same = |word: &Word, token: &StopToken| matches!(token, StopToken::Word(said) if said.bare == word.bare || said.double == word.bare);
        let whole = self.words.len();
        let all = || {
            self.words
                .iter()
                .zip(tokens)
                .all(|(word, token)| same(word, token))
        };
        if whole == 0 {
            return None;
        }
        if tokens.len() >= whole && all() {
            return Some(whole);
        }
        let part = |word: &Word| !word.wide && same(word, &tokens[0]);
        self.words.iter().any(part).then_some(1)
    }
}

/// All languages.
#[derive(Debug)]
pub(super) struct Lexicon {
    languages: Vec<PhraseTree>,
    /// In which languages a phrase that means stop begins with this word.
    starts: Map<u16>,
    /// Every word of every phrase.
    known: HashSet<u64, BuildHasherDefault<AsIs>>,
    /// Misspellings with a letter too few of words that mean stop.
    shortened: Map<u64>,
    /// The first and last letters of the words in `long`.
    ends: HashSet<u64, BuildHasherDefault<AsIs>>,
    /// Words that mean stop and are long enough to be known misspelt.
    long: HashSet<u64, BuildHasherDefault<AsIs>>,
}

static LEXICON: OnceLock<Lexicon> = OnceLock::new();

/// The letters of words in which misspellings are looked for.
const MISSPELT: std::ops::RangeInclusive<usize> = 5..=14;

impl Lexicon {
    pub(super) fn get() -> &'static Self {
        LEXICON.get_or_init(Self::new)
    }

    pub(super) fn is_built() -> bool {
        LEXICON.get().is_some()
    }

    fn new() -> Self {
        let mut lexicon = Self {
            languages: Vec::new(),
            starts: Map::default(),
            known: HashSet::default(),
            shortened: Map::default(),
            long: HashSet::default(),
            ends: HashSet::default(),
        };
        for (index, (table, exact)) in words::LANGUAGES.iter().enumerate() {
            lexicon.languages.push(PhraseTree::of(table, *exact));
            for (role, lists) in table.iter().chain(words::any::TABLE) {
                let means_stop = role.means().is_some();
                let mut begins = means_stop;
                for list in *lists {
                    lexicon.note(list, means_stop, begins.then_some(1 << index));
                    begins &= words::phrases(list).any(str::is_empty);
                }
            }
        }
        lexicon
    }

    /// Notes the words of a list, and that those that begin its phrases begin a
    /// wish in the language `begins`.
    fn note(&mut self, list: &str, means_stop: bool, begins: Option<u16>) {
        for phrase in words::phrases(list).map(|phrase| phrase.trim_start_matches('=')) {
            let words = StopReading::phrase(phrase);
            if let (Some(first), Some(language)) = (words.first(), begins) {
                for start in [first.bare, first.exact] {
                    *self.starts.entry(start).or_default() |= language;
                }
            }
            self.known
                .extend(words.iter().flat_map(|word| [word.exact, word.bare]));
            if means_stop {
                let plain = |word: &&str| word.is_ascii() || is_cyrillic(word);
                for word in phrase.split(' ').filter(plain) {
                    self.note_misspellings(word, hash(word));
                }
            }
        }
    }

    fn note_misspellings(&mut self, word: &str, right: u64) {
        if MISSPELT.contains(&word.chars().count()) {
            self.long.insert(right);
            self.ends.extend(ends(word));
            for shorter in without_one(word) {
                self.shortened.entry(hash(&shorter)).or_insert(right);
            }
        }
    }

    /// The languages in which something here may mean stop.
    pub(super) fn languages(&self, reading: &StopReading) -> u16 {
        reading.words().fold(0, |mask, word| {
            let of = |word: u64| self.starts.get(&word).copied().unwrap_or_default();
            let mut found = of(word.bare);
            if word.exact != word.bare {
                found |= of(word.exact);
            }
            if word.double != word.bare {
                found |= of(word.double);
            }
            mask | found
        })
    }

    pub(super) fn each(&self, languages: u16) -> impl Iterator<Item = &PhraseTree> {
        let chosen = move |(index, _): &(usize, _)| languages & (1 << index) != 0;
        self.languages
            .iter()
            .enumerate()
            .filter(chosen)
            .map(|(_, language)| language)
    }

    /// Corrects misspellings of what means stop: two letters swapped, one too
    /// many or too few, but never the first or the last.
    pub(super) fn mend(&self, reading: &mut StopReading) {
        reading.mend(|word, bare| {
            let letters = word.chars().count();
            let possible = ends(word).is_some_and(|ends| self.ends.contains(&ends));
            if !possible || self.known.contains(&bare) || !(4..=15).contains(&letters) {
                return None;
            }
            let known = |word: String| Some(hash(&word)).filter(|word| self.long.contains(word));
            let missing = self.shortened.get(&bare).copied();
            missing
                .or_else(|| swapped(word).find_map(known))
                .or_else(|| without_one(word).find_map(known))
        });
    }

    /// Reads the bot's name.
    pub(super) fn name(&self, name: &str) -> BotName {
        let mut words = StopReading::phrase(name);
        // A bot called "Stop" or "Enough" is still told so.
        let mut starts = words.iter().flat_map(|word| self.starts.get(&word.bare));
        if words.len() == 1 && starts.next().is_some() {
            words.clear();
        }
        BotName { words }
    }
}
