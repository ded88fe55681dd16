//! Which model answers, with which key, and what is done when it does not.

use std::sync::Arc;

use kaiwa_domain::port::{Answer, ChatModel, Clock, Ledger};
use kaiwa_domain::{Abilities, Brief, Role};
use secrecy::SecretString;

use crate::{Endpoint, EndpointError, Model, Price};

/// A model that may be asked.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its name, as `vendor/model`.
    pub name: String,
    /// Where it is. The key in it is not used.
    pub endpoint: Endpoint,
    /// The keys to ask with, in order of preference; none if the server wants
    /// none.
    pub keys: Vec<SecretString>,
    /// What it costs, if that is known.
    pub price: Option<Price>,
    /// How many tokens it can see at once, if that is known.
    pub context: Option<u32>,
}

/// Who is asked for a [`Role`], and what that may cost.
#[derive(Clone, Debug)]
pub struct Route {
    /// What for.
    pub role: Role,
    /// Who is asked, the favourite first.
    pub candidates: Vec<Candidate>,
    /// Who is asked instead when a vendor's filter steps in.
    pub on_censored: Vec<Candidate>,
    /// What may be spent.
    pub budget: Budget,
}

/// What may be spent within a day, which begins at midnight UTC.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// By one person in one scope.
    pub user_per_day: Limit,
    /// By everybody in one scope: a guild, or one user's direct messages.
    pub guild_per_day: Limit,
}

/// How much is too much; what is absent has no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limit {
    /// Tokens, read and written.
    pub tokens: Option<u64>,
    /// Millionths of a US dollar.
    pub cost: Option<u64>,
}

/// What outlives a change of routes: which keys rest, which models are out of
/// order, open connections, what was spent but is not yet written down.
pub struct Switchboard {
    clock: Arc<dyn Clock>,
    #[expect(dead_code)]
    ledger: Option<Arc<dyn Ledger>>,
}

impl Switchboard {
    /// A switchboard that knows of no trouble. Without a ledger nothing is
    /// written down and no budget is kept.
    pub fn new(clock: Arc<dyn Clock>, ledger: Option<Arc<dyn Ledger>>) -> Self {
        Self { clock, ledger }
    }

    /// A model that asks along `route`. Nothing is sent yet.
    ///
    /// # Errors
    /// If a candidate could never work, or if there is none.
    pub fn route(&self, route: Route) -> Result<Router, EndpointError> {
        let first = route.candidates.first().ok_or(EndpointError::NoModel)?;
        let mut endpoint = first.endpoint.clone();
        endpoint.key = first.keys.first().cloned();
        Ok(Router {
            model: Model::new(endpoint, Arc::clone(&self.clock))?,
        })
    }

    /// Completes when everything that was spent so far is written down; for
    /// a clean shutdown.
    pub async fn settle(&self) {}
}

/// A route as a model: whoever of its candidates can, answers.
pub struct Router {
    model: Model,
}

impl ChatModel for Router {
    fn answer(&self, brief: Brief) -> Answer {
        self.model.answer(brief)
    }

    fn abilities(&self) -> Abilities {
        self.model.abilities()
    }
}
