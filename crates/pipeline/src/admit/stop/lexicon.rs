//! All languages: which of them a message may be in, and misspellings.

use std::cell::Cell;
use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::sync::OnceLock;

use super::letters::{ends, hash, is_cyrillic, swapped, with_one, without_one};
use super::name::BotName;
use super::read::StopReading;
use super::tree::{AsIs, Map, Part, PhraseRow, PhraseTree};
use super::words;

/// All languages.
#[derive(Debug)]
pub(super) struct Lexicon {
    /// Few servers write in many languages: the phrases of each take memory
    /// once something may be in it.
    trees: [OnceLock<PhraseTree>; words::LANGUAGES.len()],
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
            trees: [const { OnceLock::new() }; words::LANGUAGES.len()],
            starts: Map::default(),
            known: HashSet::default(),
            shortened: Map::default(),
            long: HashSet::default(),
            ends: HashSet::default(),
        };
        let any = PhraseRow::all(words::any::TABLE);
        for (index, language) in words::LANGUAGES.iter().enumerate() {
            let own = PhraseRow::all(language.table);
            for row in own.iter().chain(&any) {
                let means_stop = row.role.means().is_some();
                let mut begins = means_stop;
                for list in &row.lists {
                    lexicon.note(list, means_stop, begins.then_some(1 << index));
                    begins &= list.iter().any(|part| part.words.is_empty());
                }
            }
        }
        lexicon
    }

    /// Notes the words of a list, and that those that begin its phrases begin a
    /// wish in the language `begins`.
    fn note(&mut self, list: &[Part], means_stop: bool, begins: Option<u16>) {
        for Part { text, words, .. } in list {
            if let (Some(first), Some(language)) = (words.first(), begins) {
                for start in [first.bare, first.exact] {
                    *self.starts.entry(start).or_default() |= language;
                }
            }
            self.known
                .extend(words.iter().flat_map(|word| [word.exact, word.bare]));
            if means_stop {
                let plain = |word: &&str| word.is_ascii() || is_cyrillic(word);
                for word in text.split(' ').filter(plain) {
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

    /// The phrases of these languages.
    pub(super) fn each(&self, languages: u16) -> impl Iterator<Item = &PhraseTree> {
        let trees = self.trees.iter().zip(words::LANGUAGES).enumerate();
        trees
            .filter(move |(index, _)| languages & (1 << index) != 0)
            .map(|(_, (tree, language))| tree.get_or_init(|| PhraseTree::of(language)))
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

    /// Corrects misspellings of any word in the lists, when what means stop is
    /// there and the words around it are not understood.
    pub(super) fn mend_around(&self, reading: &mut StopReading) -> bool {
        let mended = Cell::new(false);
        reading.mend(|word, bare| {
            if self.known.contains(&bare) || !MISSPELT.contains(&word.chars().count()) {
                return None;
            }
            // What was meant is no wish of its own: "angular" is not "anular".
            let known = |word: String| {
                Some(hash(&word))
                    .filter(|word| self.known.contains(word) && !self.starts.contains_key(word))
            };
            let right = (swapped(word).find_map(known))
                .or_else(|| without_one(word).find_map(known))
                .or_else(|| with_one(word).find_map(known));
            mended.set(mended.get() || right.is_some());
            right
        });
        mended.get()
    }

    /// Reads the bot's name.
    pub(super) fn name(&self, name: &str) -> BotName {
        let mut words = StopReading::phrase(name);
        // A bot called "Stop" or "Enough" is still told so.
        let mut starts = words.iter().flat_map(|word| self.starts.get(&word.bare));
        if words.len() == 1 && starts.next().is_some() {
            words.clear();
        }
        BotName::new(words, name)
    }
}
