//! Finding facts by what is talked about.
//!
//! The index of a scope is a database in memory, made from the facts when they
//! are first asked for: what is sealed on disk is nowhere else on disk. It is
//! made anew when the facts have changed, and dropped when it is idle or others
//! need the room. A search that is cut short leaves what it made of it to the
//! next, so that one with little time finds something in the end.
//!
//! Texts are indexed by three letters at a time, so that words are found in
//! languages that do not part them. Two letters, which are a word in Chinese or
//! Japanese, are looked for without the index.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kaiwa_domain::port::Recall;
use kaiwa_domain::{Fact, Scope, Timestamp};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection, Row};

use super::Sqlite;
use super::journal::JournalError;

/// How many scopes have an index at a time.
const MOST_SCOPES: usize = 64;

/// How many bytes of text are indexed at a time.
const MOST_BYTES: usize = 4 << 20;

/// How long an index is kept that nobody uses.
const IDLE: Duration = Duration::from_secs(600);

/// How many letters of what is talked about are looked at, from the end.
const MOST_LETTERS: usize = 2000;

/// How many facts are indexed at a time.
const FACTS_AT_ONCE: usize = 16;

/// How many terms are looked for.
const MOST_TERMS: usize = 64;

/// What is said too often to tell anything.
const STOP_WORDS: [&str; 44] = [
    "about", "and", "any", "are", "but", "can", "could", "did", "does", "for", "from", "had",
    "has", "have", "her", "his", "how", "just", "like", "me", "not", "our", "she", "should",
    "some", "tell", "that", "the", "their", "them", "then", "there", "they", "thi", "this", "was",
    "what", "when", "where", "who", "why", "will", "with", "you",
];

/// The indexes that are in memory and not in use. Whoever uses one takes it out
/// and puts it back; another who looks meanwhile makes one of their own.
#[derive(Debug, Default)]
pub(super) struct FactIndexes(Mutex<HashMap<Scope, IdleIndex>>);

#[derive(Debug)]
struct IdleIndex {
    index: FactIndex,
    used_at: Timestamp,
}

/// The facts of one scope, and a way to find them.
#[derive(Debug)]
struct FactIndex {
    state: FactsState,
    facts: Vec<Fact>,
    /// How many of them are indexed.
    indexed: usize,
    bytes: usize,
    connection: SqliteConnection,
}

/// What tells whether facts have changed: how many there are, and the sum of
/// their marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct FactsState(i64, i64);

impl FactIndexes {
    fn take(&self, scope: Scope) -> Option<FactIndex> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.remove(&scope).map(|idle| idle.index)
    }

    /// Puts an index back, and drops others if there is no room for it.
    fn put(&self, scope: Scope, index: FactIndex, now: Timestamp) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let used_at = now;
        idle.insert(scope, IdleIndex { index, used_at });
        idle.retain(|_, it| now.since(it.used_at) <= IDLE);
        let bytes = |idle: &HashMap<Scope, IdleIndex>| -> usize {
            idle.values().map(|it| it.index.bytes).sum()
        };
        while idle.len() > MOST_SCOPES || (idle.len() > 1 && bytes(&idle) > MOST_BYTES) {
            let others = idle.iter().filter(|(other, _)| **other != scope);
            let oldest = others.min_by_key(|(scope, it)| (it.used_at, **scope));
            let Some(oldest) = oldest.map(|(scope, _)| *scope) else {
                break;
            };
            idle.remove(&oldest);
        }
    }

    /// Drops the indexes that nobody has used for a while.
    pub(super) fn drop_idle(&self, now: Timestamp) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|_, it| now.since(it.used_at) <= IDLE);
    }

    /// Drops all of them.
    pub(super) fn clear(&self) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.clear();
    }
}

impl Sqlite {
    pub(super) async fn find_facts(&self, recall: &Recall<'_>) -> Result<Vec<Fact>, JournalError> {
        let state = self.facts_state(recall.scope).await?;
        if state.0 == 0 {
            self.indexes.take(recall.scope);
            return Ok(Vec::new());
        }
        let idle = self.indexes.take(recall.scope);
        let index = match idle.filter(|index| index.state == state) {
            Some(index) => index,
            None => FactIndex::new(state, self.read_facts(recall.scope).await?).await?,
        };
        let mut using = IndexInUse {
            indexes: &self.indexes,
            recall,
            index: Some(index),
        };
        let found = using.find().await;
        if found.is_err() {
            using.index = None;
        }
        Ok(found?)
    }

    async fn facts_state(&self, scope: Scope) -> Result<FactsState, sqlx::Error> {
        let row = sqlx::query("SELECT count(*), ifnull(sum(mark), 0) FROM fact WHERE scope = ?1")
            .bind(scope.to_string())
            .fetch_one(&self.readers)
            .await?;
        Ok(FactsState(row.try_get(0)?, row.try_get(1)?))
    }
}

/// An index that is put back when it is dropped, as far as it was made.
struct IndexInUse<'a> {
    indexes: &'a FactIndexes,
    recall: &'a Recall<'a>,
    index: Option<FactIndex>,
}

impl IndexInUse<'_> {
    async fn find(&mut self) -> Result<Vec<Fact>, sqlx::Error> {
        let Some(index) = &mut self.index else {
            return Ok(Vec::new());
        };
        while index.indexed < index.facts.len() {
            index.add_some().await?;
        }
        index.find(self.recall).await
    }
}

impl Drop for IndexInUse<'_> {
    fn drop(&mut self) {
        if let Some(index) = self.index.take() {
            let Recall { scope, now, .. } = *self.recall;
            self.indexes.put(scope, index, now);
        }
    }
}

impl FactIndex {
    async fn new(state: FactsState, facts: Vec<Fact>) -> Result<Self, sqlx::Error> {
        let mut connection = SqliteConnectOptions::new()
            .filename(":memory:")
            .pragma("temp_store", "memory")
            .connect()
            .await?;
        sqlx::query("CREATE VIRTUAL TABLE fact USING fts5(text, content='', tokenize='trigram')")
            .execute(&mut connection)
            .await?;
        Ok(Self {
            state,
            indexed: 0,
            bytes: facts.iter().map(|fact| fact.learned.text.len()).sum(),
            facts,
            connection,
        })
    }

    /// Indexes a few more facts.
    async fn add_some(&mut self) -> Result<(), sqlx::Error> {
        let end = self.facts.len().min(self.indexed + FACTS_AT_ONCE);
        let mut tx = self.connection.begin().await?;
        for place in self.indexed..end {
            sqlx::query("INSERT INTO fact (rowid, text) VALUES (?1, ?2)")
                .bind(i64::try_from(place).unwrap_or(i64::MAX))
                .bind(&self.facts[place].learned.text)
                .execute(&mut *tx)
                .await?;
        }
        tx.commit().await?;
        self.indexed = end;
        Ok(())
    }

    /// What matches, then what is known of the asker, then of the server; the
    /// newest first where nothing else tells.
    async fn find(&mut self, recall: &Recall<'_>) -> Result<Vec<Fact>, sqlx::Error> {
        let Terms { words, pairs } = terms(recall.query);
        let mut places: Vec<usize> = Vec::new();
        if !words.is_empty() {
            let query: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            let rows = sqlx::query("SELECT rowid FROM fact WHERE fact MATCH ?1 ORDER BY rank")
                .bind(query.join(" OR "))
                .fetch_all(&mut self.connection)
                .await?;
            for row in &rows {
                places.extend(usize::try_from(row.try_get::<i64, _>(0)?));
            }
        }
        let hits = |place: &usize| {
            let text = self.facts[*place].learned.text.to_lowercase();
            pairs.iter().filter(|pair| text.contains(&***pair)).count()
        };
        let newest_first = (0..self.facts.len()).rev();
        let mut by_pairs: Vec<(usize, usize)> = newest_first
            .clone()
            .filter(|_| !pairs.is_empty())
            .map(|place| (hits(&place), place))
            .filter(|(hits, _)| *hits > 0)
            .collect();
        by_pairs.sort_by_key(|(hits, _)| std::cmp::Reverse(*hits));
        places.extend(by_pairs.into_iter().map(|(_, place)| place));
        for about in [Some(recall.asker), None] {
            let known = newest_first.clone();
            places.extend(known.filter(|place| self.facts[*place].learned.about == about));
        }
        let mut seen = vec![false; self.facts.len()];
        places.retain(|place| {
            let is_new = seen
                .get_mut(*place)
                .map(|seen| !std::mem::replace(seen, true));
            is_new == Some(true) && may_hear(&self.facts[*place], recall)
        });
        places.truncate(recall.limit.into());
        Ok(places
            .iter()
            .map(|place| self.facts[*place].clone())
            .collect())
    }
}

/// The audience rule: a fact is for the readers of the channel in which the
/// answer will stand, or it stays where it is.
fn may_hear(fact: &Fact, recall: &Recall<'_>) -> bool {
    fact.learned.scope == recall.scope
        && fact.learned.audience.admits(recall.channel)
        && !fact.learned.has_expired(recall.now)
}

/// What is looked for: words of three letters and more, and pairs of letters of
/// scripts that write words with two.
#[derive(Default)]
struct Terms {
    words: Vec<String>,
    pairs: Vec<String>,
}

fn terms(query: &str) -> Terms {
    let letters = query.chars().count();
    let query: String = query
        .chars()
        .skip(letters.saturating_sub(MOST_LETTERS))
        .collect();
    let query = query.to_lowercase();
    let mut found = Terms::default();
    for word in query.split(|letter: char| !letter.is_alphanumeric()) {
        let letters: Vec<char> = word.chars().collect();
        for run in letters.chunk_by(|a, b| is_unparted(*a) == is_unparted(*b)) {
            if !is_unparted(run[0]) {
                let singular = run.strip_suffix(&['s']).filter(|stem| stem.len() >= 3);
                let stem: String = singular.unwrap_or(run).iter().collect();
                if run.len() >= 3 && !STOP_WORDS.contains(&&*stem) {
                    found.words.push(stem);
                }
                continue;
            }
            let text = |run: &[char]| run.iter().collect::<String>();
            found.words.extend(run.windows(3).map(text));
            let pairs = run.windows(2).filter(|pair| !pair.iter().all(is_hiragana));
            found.pairs.extend(pairs.map(text));
        }
    }
    for list in [&mut found.words, &mut found.pairs] {
        // What was said last tells most.
        list.reverse();
        let mut seen = std::collections::HashSet::new();
        list.retain(|term| seen.insert(term.clone()));
        list.truncate(MOST_TERMS);
    }
    found
}

/// Whether words of the script are written without spaces between them: Thai to
/// Burmese, Khmer, kana, Han. Korean has spaces, but after particles only.
const fn is_unparted(letter: char) -> bool {
    matches!(letter,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3134f}')
}

/// Two of these are more often grammar than a word.
const fn is_hiragana(letter: &char) -> bool {
    matches!(*letter, '\u{3040}'..='\u{309f}')
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use kaiwa_domain::GuildId;

    use super::*;

    #[test]
    fn a_query_becomes_terms() {
        let table: [(&str, &[&str], &[&str]); 8] = [
            ("", &[], &[]),
            ("What about the cats?", &["cat"], &[]),
            ("go to Rio \"x\" OR y*", &["rio"], &[]),
            (
                "東京に住む",
                &["に住む", "京に住", "東京に"],
                &["住む", "に住", "京に", "東京"],
            ),
            ("です", &[], &[]),
            ("김치", &[], &["김치"]),
            ("k8s 1234", &["1234", "k8s"], &[]),
            ("tea tea", &["tea"], &[]),
        ];
        for (query, words, pairs) in table {
            let found = terms(query);
            assert_eq!(found.words, words, "{query}");
            assert_eq!(found.pairs, pairs, "{query}");
        }
        let long =
            "word ".repeat(10_000) + &(0..1000).map(|n| format!("n{n:04} ")).collect::<String>();
        assert_eq!(terms(&long).words.len(), MOST_TERMS);
        assert_eq!(terms(&long).words[0], "n0999");
    }

    #[tokio::test]
    async fn indexes_are_bounded_and_dropped_when_idle() {
        let indexes = FactIndexes::default();
        let at = |seconds: i64| Timestamp::from_millis(seconds * 1000);
        let guild = |id| Scope::Guild(GuildId::new(id));
        let of_bytes = async |bytes| FactIndex {
            bytes,
            ..FactIndex::new(FactsState(0, 0), Vec::new()).await.unwrap()
        };
        let held = || {
            let idle = indexes.0.lock().unwrap();
            let mut held: Vec<Scope> = idle.keys().copied().collect();
            held.sort();
            held
        };
        for id in 0..100 {
            indexes.put(guild(id), of_bytes(1).await, at(id.cast_signed()));
        }
        assert_eq!(held().len(), MOST_SCOPES);
        assert_eq!(held()[0], guild(36), "the one used longest ago goes first");
        indexes.put(guild(36), of_bytes(MOST_BYTES).await, at(100));
        assert_eq!(held(), [guild(36)], "there is room for no other");
        indexes.put(guild(37), of_bytes(1).await, at(101));
        assert_eq!(held(), [guild(37)]);
        indexes.drop_idle(at(101 + 600));
        assert_eq!(held(), [guild(37)]);
        indexes.drop_idle(at(102 + 600));
        assert!(held().is_empty());
        indexes.put(guild(1), of_bytes(1).await, at(0));
        assert!(indexes.take(guild(1)).is_some());
        assert!(held().is_empty());
    }
}
