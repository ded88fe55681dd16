//! Which model answers, with which key, and what is done when it does not.
//!
//! ```text
//! route ─▶ candidate ─▶ key ─▶ call ──whole answer──▶ over
//!   ▲          │ out of order,   │
//!   │          │ no key awake,   ├ something was shown: the error goes through
//!   │          │ over budget     └ nothing was shown: see `remedy.rs`
//!   └──────────┴──────── next key, next model, once more, or the error
//! ```
//!
//! Promises, beside those of every model:
//! - Once text, a refusal or a call was passed on, nothing is asked again.
//!   Before that whatever fails is asked again unseen;
//!   [`Delta::Anew`](kaiwa_domain::Delta::Anew) says that thoughts are void.
//! - At most [`MAX_CALLS`] calls for one answer, at most [`RETRIES`] quick
//!   retries for each model, and one shrinking.
//! - Whoever is asked, and however often, the first word comes within a time
//!   that people bear, or an error does; see `waiting.rs`.
//! - An answer may last as long as it is taken in: to ask for more after
//!   something was shown renews the [`PATIENCE`], because whoever shows it asks
//!   for more only when it was accepted. [`LONGEST`] is the end of everything.
//! - Models that keep failing are passed over, but never all of them: where
//!   nobody else is left, the one that failed first is tried again.
//! - Every call leaves a [`Bill`](kaiwa_domain::Bill), the dropped ones too.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{Answer, ChatModel};
use kaiwa_domain::{Abilities, Brief, Role};
use secrecy::SecretString;

use crate::{Endpoint, Price};

use call::Calls;
use pool::{ModelEndpoint, RouterState};

mod pool;
mod call;
mod remedy;
mod keys;
mod breaker;
mod shrink;
mod estimate;
mod meter;
mod accounts;
mod waiting;

pub use pool::ModelPool;

/// How long people wait for the first word of an answer.
pub const FIRST_WORD_WITHIN: Duration = Duration::from_secs(45);

/// How many calls one answer may take.
const MAX_CALLS: u32 = 12;

/// How often a model that fails is asked again at once.
const RETRIES: u32 = 2;

/// How long an answer may go on without anything to show for it.
const PATIENCE: Duration = Duration::from_secs(5 * 60);

/// How long an answer may take in all.
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// How much of an answer is listened to, thoughts included, in bytes. Nobody
/// speaks that much within [`LONGEST`].
const MAX_HEARD: usize = 1 << 20;

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
pub struct ModelRoute {
    /// What for.
    pub role: Role,
    /// Who is asked, the favourite first.
    pub candidates: Vec<Candidate>,
    /// Who is asked instead when a vendor's filter steps in.
    pub on_censored: Vec<Candidate>,
    /// What may be spent.
    pub budget: Budget,
    /// How long a turn waits for the first word of an answer, over all models,
    /// keys and attempts. [`FIRST_WORD_WITHIN`] is what people bear.
    pub first_word_within: Duration,
}

/// What may be spent within a day, which begins at midnight UTC. An answer
/// that was begun within the budget is not cut off for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// By one person in one scope.
    pub user_per_day: SpendLimit,
    /// By everybody in one scope: a guild, or one user's direct messages.
    pub guild_per_day: SpendLimit,
    /// What a model costs whose price is not known.
    pub unknown_price: UnknownPrice,
}

/// What a model whose price is not known costs, where dollars are limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UnknownPrice {
    /// Too much: it is not asked.
    #[default]
    Refuse,
    /// Nothing, so that no limit in dollars ever stops it.
    Free,
    /// As much as this.
    Assumed(Price),
}

impl Budget {
    /// Whether dollars are limited, so that prices matter.
    pub fn limits_cost(&self) -> bool {
        let limits = [self.user_per_day, self.guild_per_day];
        limits.iter().any(|limit| limit.cost.is_some())
    }
}

/// How much is too much; what is absent has no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SpendLimit {
    /// Tokens, read and written.
    pub tokens: Option<u64>,
    /// Millionths of a US dollar.
    pub cost: Option<u64>,
}

/// A [`ModelRoute`] as a model: whoever of its candidates can, answers.
pub struct Router {
    shared: Arc<RouterState>,
    plan: Arc<RoutePlan>,
}

/// A route whose candidates can be asked.
struct RoutePlan {
    role: Role,
    usual: Vec<ModelEndpoint>,
    on_censored: Vec<ModelEndpoint>,
    budget: Budget,
    first_word_within: Duration,
}

/// A place in a [`RoutePlan`].
#[derive(Clone, Copy, Default)]
struct PlanIndex {
    on_censored: bool,
    index: usize,
}

impl RoutePlan {
    fn endpoints(&self, on_censored: bool) -> &[ModelEndpoint] {
        match on_censored {
            true => &self.on_censored,
            false => &self.usual,
        }
    }

    fn endpoint(&self, place: PlanIndex) -> Option<&ModelEndpoint> {
        self.endpoints(place.on_censored).get(place.index)
    }
}

impl ChatModel for Router {
    fn answer(&self, brief: Brief) -> Answer {
        Calls::new(Arc::clone(&self.shared), Arc::clone(&self.plan), brief).answer()
    }

    /// What the favourite is called.
    fn name(&self) -> String {
        let favourite = self.plan.usual.first();
        favourite.map(|it| it.name.clone()).unwrap_or_default()
    }

    /// What the favourite can do.
    fn abilities(&self) -> Abilities {
        let favourite = self.plan.usual.first();
        favourite.map(ModelEndpoint::abilities).unwrap_or_default()
    }

    /// What the favourite can see at once.
    fn context(&self) -> Option<u32> {
        self.plan.usual.first()?.context
    }
}
