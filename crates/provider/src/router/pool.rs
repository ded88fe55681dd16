//! What outlives a change of routes.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kaiwa_domain::port::{ChatModel, Clock, Ledger};
use kaiwa_domain::{Abilities, Brief, ModelError, Moment, Scope};
use reqwest::Client;
use secrecy::{ExposeSecret, SecretString};

use crate::unsupported::Unsupported;
use crate::{Auth, Endpoint, EndpointError, Model, Price, http};

use super::accounts::Accounts;
use super::breaker::Breaker;
use super::keys::{Cooldowns, KeyName};
use super::waiting::SpentPatience;
use super::{Candidate, ModelRoute, RoutePlan, Router, UnknownPrice};

/// What outlives a change of routes: which keys rest, which models are out of
/// order, open connections, and what was spent but is not yet written down.
///
/// Models are known by their `vendor/model`, and keys by a hash, so a route
/// that is made anew finds what the one before it has learnt.
pub struct ModelPool {
    shared: Arc<RouterState>,
    clients: Mutex<Vec<(Auth, Option<KeyName>, Client)>>,
    conditions: Mutex<HashMap<String, Arc<Condition>>>,
    hasher: RandomState,
}

/// What every answer needs.
pub(super) struct RouterState {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) accounts: Option<Arc<Accounts>>,
    /// What turns have spent of their patience.
    pub(super) spent: SpentPatience,
    /// Seeds the dice of answers that belong to no turn.
    answers: AtomicU64,
}

impl RouterState {
    pub(super) fn seed(&self, brief: &Brief) -> u64 {
        match &brief.payer {
            Some(payer) => payer.turn.trigger.number() ^ u64::from(payer.turn.take),
            None => self.answers.fetch_add(1, Ordering::Relaxed),
        }
    }
}

/// How a model is doing.
#[derive(Default)]
pub(super) struct Condition {
    pub(super) breaker: Arc<Breaker>,
    pub(super) rests: Cooldowns,
    /// What it was found not to take.
    unsupported: Arc<Unsupported>,
}

/// A candidate that can be asked.
pub(super) struct ModelEndpoint {
    pub(super) name: String,
    pub(super) price: Option<Price>,
    pub(super) context: Option<u32>,
    pub(super) condition: Arc<Condition>,
    /// How long it may take for its first word.
    pub(super) first_token_timeout: Duration,
    /// One for each key; one without a key if none is wanted.
    models: Vec<(Option<KeyName>, Model)>,
}

impl ModelPool {
    /// A model_pool that knows of no trouble. Without a ledger nothing is
    /// written down and no budget is kept.
    pub fn new(clock: Arc<dyn Clock>, ledger: Option<Arc<dyn Ledger>>) -> Self {
        let accounts = ledger.map(|ledger| Arc::new(Accounts::new(ledger, Arc::clone(&clock))));
        Self {
            shared: Arc::new(RouterState {
                clock,
                accounts,
                spent: SpentPatience::default(),
                answers: AtomicU64::new(0),
            }),
            clients: Mutex::default(),
            conditions: Mutex::default(),
            hasher: RandomState::new(),
        }
    }

    /// A model that asks along `route`. Nothing is sent yet.
    ///
    /// # Errors
    /// If a candidate could never work, or if there is none.
    pub fn route(&self, route: ModelRoute) -> Result<Router, EndpointError> {
        if route.candidates.is_empty() {
            let role = route.role.name();
            return Err(EndpointError::NoCandidate { role });
        }
        let assumed = match route.budget.unknown_price {
            UnknownPrice::Assumed(price) if route.budget.limits_cost() => Some(price),
            _ => None,
        };
        let endpoints = |candidates: Vec<Candidate>| {
            let endpoints = candidates.into_iter().map(|mut one| {
                one.price = one.price.or(assumed);
                self.model_endpoint(one)
            });
            endpoints.collect::<Result<Vec<_>, _>>()
        };
        Ok(Router {
            shared: Arc::clone(&self.shared),
            plan: Arc::new(RoutePlan {
                role: route.role,
                usual: endpoints(route.candidates)?,
                on_censored: endpoints(route.on_censored)?,
                budget: route.budget,
                first_word_within: route.first_word_within,
            }),
        })
    }

    /// Completes when everything that was spent so far is written down, for a
    /// clean end.
    pub async fn settle(&self) {
        if let Some(accounts) = &self.shared.accounts {
            accounts.settle().await;
        }
    }

    fn model_endpoint(&self, candidate: Candidate) -> Result<ModelEndpoint, EndpointError> {
        let keys: Vec<Option<SecretString>> = match candidate.keys.is_empty() {
            true => vec![None],
            false => candidate.keys.into_iter().map(Some).collect(),
        };
        let condition = self.condition(&candidate.name);
        let models = keys.into_iter().map(|key| {
            let name = key.as_ref().map(|key| self.name(key));
            let endpoint = Endpoint {
                key,
                ..candidate.endpoint.clone()
            };
            let client = self.client(&endpoint, name)?;
            let clock = Arc::clone(&self.shared.clock);
            let unsupported = Arc::clone(&condition.unsupported);
            let model = Model::over(client, endpoint, clock, unsupported)?;
            Ok((name, model))
        });
        Ok(ModelEndpoint {
            models: models.collect::<Result<_, EndpointError>>()?,
            condition,
            name: candidate.name,
            price: candidate.price,
            context: candidate.context,
            first_token_timeout: candidate.endpoint.first_token_timeout,
        })
    }

    fn name(&self, key: &SecretString) -> KeyName {
        KeyName::new(self.hasher.hash_one(key.expose_secret()))
    }

    /// The client for a key. Few keys are ever in use, so all are kept.
    fn client(&self, endpoint: &Endpoint, key: Option<KeyName>) -> Result<Client, EndpointError> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let known = clients
            .iter()
            .find(|(auth, name, _)| (*auth, *name) == (endpoint.auth, key));
        if let Some((_, _, client)) = known {
            return Ok(client.clone());
        }
        let client = http::client(endpoint.auth, endpoint.key.as_ref())?;
        clients.push((endpoint.auth, key, client.clone()));
        Ok(client)
    }

    fn condition(&self, name: &str) -> Arc<Condition> {
        let mut conditions = self
            .conditions
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        Arc::clone(conditions.entry(name.to_owned()).or_default())
    }
}

impl ModelEndpoint {
    /// The model with the first key that is awake for somebody in `scope`, and
    /// which one that is.
    ///
    /// # Errors
    /// Why the last one rests, if all do.
    pub(super) fn awake(
        &self,
        scope: Option<Scope>,
        now: Moment,
    ) -> Result<(usize, &Model), ModelError> {
        let mut why = ModelError::Busy { retry_after: None };
        for (place, (name, model)) in self.models.iter().enumerate() {
            match self.condition.rests.why(*name, scope, now) {
                Some(error) => why = error,
                None => return Ok((place, model)),
            }
        }
        Err(why)
    }

    /// Lets a key rest for what a question in `scope` has shown.
    pub(super) fn rest(&self, key: usize, scope: Option<Scope>, error: &ModelError, now: Moment) {
        let Some((name, _)) = self.models.get(key) else {
            return;
        };
        if self.condition.rests.rest(*name, scope, error, now) {
            let (number, of) = (key + 1, self.models.len());
            tracing::warn!(model = self.name, key = number, of, %error, "a key is put aside for a while");
        }
    }

    pub(super) fn abilities(&self) -> Abilities {
        let first = self.models.first();
        first
            .map(|(_, model)| model.abilities())
            .unwrap_or_default()
    }
}
