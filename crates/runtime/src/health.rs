//! What is up and what is down, as far as the bot knows.

use std::sync::Arc;

use kaiwa_domain::{ModelError, StoreError};
use tokio::sync::watch;

/// The state of what the bot depends on. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct BotHealth {
    state: Arc<watch::Sender<Condition>>,
}

/// What works; what does not has its reason.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Condition {
    /// Whether events flow.
    pub connected: bool,
    /// Why the journal cannot be written.
    pub journal: Option<String>,
    /// Why the last question was not answered by a model.
    pub model: Option<String>,
}

impl BotHealth {
    /// The state now.
    pub fn condition(&self) -> Condition {
        self.state.borrow().clone()
    }

    /// Every change from now on.
    pub fn watch(&self) -> watch::Receiver<Condition> {
        self.state.subscribe()
    }

    /// Events flow, or no longer do.
    pub fn connected(&self, connected: bool) {
        self.change("gateway_connected", connected, |it| {
            it.connected = connected;
        });
    }

    pub(crate) fn journal_works(&self) {
        self.change("journal_writable", true, |it| it.journal = None);
    }

    pub(crate) fn journal_failed(&self, error: &StoreError) {
        let reason = error.to_string();
        self.change("journal_writable", false, |it| it.journal = Some(reason));
    }

    pub(crate) fn model_works(&self) {
        self.change("model_reachable", true, |it| it.model = None);
    }

    pub(crate) fn model_failed(&self, error: &ModelError) {
        let reason = error.to_string();
        self.change("model_reachable", false, |it| it.model = Some(reason));
    }

    fn change(&self, gauge: &'static str, works: bool, change: impl FnOnce(&mut Condition)) {
        metrics::gauge!(gauge).set(if works { 1.0 } else { 0.0 });
        self.state.send_if_modified(|state| {
            let before = state.clone();
            change(state);
            *state != before
        });
    }
}
