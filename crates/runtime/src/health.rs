//! What is up and what is down, as far as the bot knows.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kaiwa_domain::{ModelError, StoreError};
use tokio::sync::watch;

/// The state of what the bot depends on. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct BotHealth {
    state: Arc<watch::Sender<HealthCondition>>,
    /// How long people waited for the first words of the last answers.
    first_words: Arc<Mutex<VecDeque<Duration>>>,
    /// What was last told to work: every delta and every write tells it again,
    /// which is to cost nothing.
    works: Arc<KnownToWork>,
}

#[derive(Debug, Default)]
struct KnownToWork {
    journal: AtomicBool,
    model: AtomicBool,
}

/// How many answers tell how fast we are.
const ANSWERS: usize = 20;

/// What works; what does not has its reason.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HealthCondition {
    /// Shards of the gateway through which events flow.
    pub live_shards: BTreeSet<u32>,
    /// Shards that were lost and have not come back, or have not come up yet.
    pub lost_shards: BTreeSet<u32>,
    /// Shards that have no connection until somebody takes what they brought.
    pub paused_shards: BTreeSet<u32>,
    /// Almost no sessions may be started any more today, so none is.
    pub short_of_sessions: bool,
    /// Why the journal cannot be written.
    pub journal: Option<String>,
    /// What is wrong with the file of the journal, or why there is no new backup of
    /// it.
    pub storage: Option<String>,
    /// Why the last question was not answered by a model; nothing that the
    /// server or people said is among it.
    pub model: Option<String>,
}

impl HealthCondition {
    /// Whether events flow, from all guilds as far as is known.
    pub fn connected(&self) -> bool {
        !self.live_shards.is_empty() && self.lost_shards.is_empty() && self.paused_shards.is_empty()
    }
}

impl BotHealth {
    /// The state now.
    pub fn condition(&self) -> HealthCondition {
        self.state.borrow().clone()
    }

    /// Every change from now on.
    pub fn watch(&self) -> watch::Receiver<HealthCondition> {
        self.state.subscribe()
    }

    /// So many shards are to come up: each is missing until it has.
    pub fn expects(&self, shards: u32) {
        let change = |it: &mut HealthCondition| {
            let missing = (0..shards).filter(|shard| !it.live_shards.contains(shard));
            it.lost_shards.extend(missing);
        };
        self.change("gateway_connected", HealthCondition::connected, change);
    }

    /// Events flow through a shard, or no longer do.
    pub fn connected(&self, shard: u32, connected: bool) {
        self.shards_change(|it| {
            let (to, from) = match connected {
                true => (&mut it.live_shards, &mut it.lost_shards),
                false => (&mut it.lost_shards, &mut it.live_shards),
            };
            to.insert(shard);
            from.remove(&shard);
        });
    }

    /// These shards, and no others, have no connection until somebody takes what
    /// they brought.
    pub fn paused(&self, shards: &BTreeSet<u32>) {
        self.shards_change(|it| it.paused_shards.clone_from(shards));
    }

    fn shards_change(&self, change: impl FnOnce(&mut HealthCondition)) {
        self.change("gateway_connected", HealthCondition::connected, |it| {
            change(it);
            let up = it.live_shards.difference(&it.paused_shards).count();
            metrics::gauge!("gateway_shards_connected").set(up as f64);
        });
    }

    /// New sessions of the gateway may not be started for a while, or may again.
    pub fn short_of_sessions(&self, short: bool) {
        let allowed = |it: &HealthCondition| !it.short_of_sessions;
        self.change("gateway_identifies_allowed", allowed, |it| {
            it.short_of_sessions = short;
        });
    }

    /// What the outcome of a call says about the journal. A call that is
    /// refused was understood.
    pub(crate) fn journal_said<T>(&self, outcome: &Result<T, StoreError>) {
        match outcome {
            Ok(_) | Err(StoreError::Conflict { .. }) => self.journal_works(),
            Err(error) => self.journal_failed(error),
        }
    }

    fn journal_works(&self) {
        if self.works.journal.swap(true, Ordering::Relaxed) {
            return;
        }
        self.journal_is(None);
    }

    fn journal_failed(&self, error: &StoreError) {
        let reason = error.to_string();
        self.journal_is(Some(reason));
        self.works.journal.store(false, Ordering::Relaxed);
    }

    fn journal_is(&self, reason: Option<String>) {
        let writable = |it: &HealthCondition| it.journal.is_none();
        self.change("journal_writable", writable, |it| it.journal = reason);
    }

    /// What the care for the file of the journal came to.
    pub(crate) fn storage_said<T>(&self, outcome: &Result<T, StoreError>) {
        let reason = outcome.as_ref().err().map(ToString::to_string);
        let sound = |it: &HealthCondition| it.storage.is_none();
        self.change("storage_sound", sound, |it| it.storage = reason);
    }

    pub(crate) fn model_works(&self) {
        if self.works.model.swap(true, Ordering::Relaxed) {
            return;
        }
        self.model_is(None);
    }

    /// A model failed. What a question brings about says nothing about it.
    pub(crate) fn model_failed(&self, error: &ModelError) {
        if let Some(reason) = fault(error) {
            self.model_is(Some(reason));
            self.works.model.store(false, Ordering::Relaxed);
        }
    }

    fn model_is(&self, reason: Option<String>) {
        let reachable = |it: &HealthCondition| it.model.is_none();
        self.change("model_reachable", reachable, |it| it.model = reason);
    }

    /// Somebody waited this long for the first words of an answer.
    pub(crate) fn answered_after(&self, took: Duration) {
        let mut last = self
            .first_words
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if last.len() == ANSWERS {
            last.pop_front();
        }
        last.push_back(took);
    }

    /// How long people lately waited for the first words of an answer: the
    /// median.
    pub fn first_words(&self) -> Option<Duration> {
        let last = self
            .first_words
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut last: Vec<Duration> = last.iter().copied().collect();
        last.sort_unstable();
        last.get(last.len() / 2).copied()
    }

    /// Changes the state, and tells the gauge what it is then: while nobody else
    /// changes it, so that the last to tell is the last who changed it.
    fn change(
        &self,
        gauge: &'static str,
        works: impl FnOnce(&HealthCondition) -> bool,
        change: impl FnOnce(&mut HealthCondition),
    ) {
        self.state.send_if_modified(|state| {
            let before = state.clone();
            change(state);
            metrics::gauge!(gauge).set(if works(state) { 1.0 } else { 0.0 });
            *state != before
        });
    }
}

/// What is wrong with the model's server, if an error says so. Its words are
/// left out: they may quote the question.
fn fault(error: &ModelError) -> Option<String> {
    Some(match error {
        ModelError::Unreachable { .. } => "it cannot be reached".to_owned(),
        ModelError::Unauthorized { status } => format!("the key is refused (HTTP {status})"),
        ModelError::OutOfCredit => "credit or quota is used up".to_owned(),
        ModelError::Busy { .. } => "it is limiting us".to_owned(),
        ModelError::Failed { status, .. } => format!("it failed (HTTP {status})"),
        ModelError::Rejected { status, .. } => format!("it rejected a request (HTTP {status})"),
        ModelError::Unpriced { .. } => "its price is not known".to_owned(),
        ModelError::Silent { waited } => format!("it was silent for {} s", waited.as_secs()),
        ModelError::Cut { .. } => "its answer broke off".to_owned(),
        ModelError::Garbled { .. } => "it does not speak the expected format".to_owned(),
        ModelError::TooLong { .. }
        | ModelError::Censored { .. }
        | ModelError::OverBudget { .. }
        | ModelError::LargerThanBudget { .. }
        | ModelError::Excessive { .. } => return None,
    })
}
