//! Who else there is to ask beside the model.

use std::sync::Arc;

use kaiwa_domain::port::{ChatModel, RoleModels};
use kaiwa_domain::{Abilities, Role};
use kaiwa_provider::{
    Budget, Candidate, Endpoint, FIRST_WORD_WITHIN, ModelPool, ModelRoute, Price, SpendLimit,
    Vendor,
};
use kaiwa_runtime::Tasks;
use kaiwa_understudy::StreamPace;
use secrecy::SecretString;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{FIRST_TOKEN, IDLE, Story, url};
use crate::model::GatedModel;

/// Models beside the first, and what the first may cost.
#[derive(Default)]
pub(super) struct Others {
    fallback: Option<GatedModel>,
    reasoner: Option<GatedModel>,
    reasons_with_tools: bool,
    vision: Option<GatedModel>,
    uncensored: Option<GatedModel>,
    /// The one that personas may have, by the name `own`.
    own: Option<GatedModel>,
    price: Option<Price>,
    /// Those of the first. Each other has one of its own.
    keys: Vec<&'static str>,
    tokens_per_day: Option<u64>,
}

impl Story {
    /// The bot's model will be the understudy, in a hurry.
    pub async fn gets_understudy(&mut self) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let serving = kaiwa_understudy::serve(listener, StreamPace::ZERO, CancellationToken::new());
        Tasks::new().spawn("understudy", serving);
        self.model = GatedModel::at(address);
    }

    /// The bot will have a model for hard questions.
    pub async fn gets_reasoner(&mut self, with_tools: bool) {
        self.others.reasoner = Some(GatedModel::start().await);
        self.others.reasons_with_tools = with_tools;
    }

    /// The bot will have a model to fall back on.
    pub async fn gets_fallback(&mut self) {
        self.others.fallback = Some(GatedModel::start().await);
    }

    /// The bot will have a model that sees.
    pub async fn gets_vision(&mut self) {
        self.others.vision = Some(GatedModel::start().await);
    }

    /// Personas may have a model of their own, which is called `own`.
    pub async fn gets_model_for_personas(&mut self) {
        self.others.own = Some(GatedModel::start().await);
    }

    /// A million tokens of the model cost so much, in millionths of a dollar.
    pub const fn gets_price(&mut self, input: u64, output: u64) {
        self.others.price = Some(Price {
            input,
            cached: None,
            output,
        });
    }

    /// The bot will have a model that is less easily shocked.
    pub async fn gets_uncensored(&mut self) {
        self.others.uncensored = Some(GatedModel::start().await);
    }

    /// The bot will have keys for its model.
    pub fn gets_keys(&mut self, keys: &[&'static str]) {
        self.others.keys = keys.to_vec();
    }

    /// Each person may have the bot spend so many tokens in a day.
    pub fn gets_budget(&mut self, tokens: u64) {
        self.others.tokens_per_day = Some(tokens);
    }

    /// The model that the bot falls back on.
    pub fn fallback(&mut self) -> &mut GatedModel {
        self.others
            .fallback
            .as_mut()
            .expect("a model to fall back on")
    }

    /// The model for hard questions.
    pub fn reasoner(&mut self) -> &mut GatedModel {
        self.others.reasoner.as_mut().expect("a reasoner")
    }

    /// The model that sees.
    pub fn vision(&mut self) -> &mut GatedModel {
        self.others.vision.as_mut().expect("a model that sees")
    }

    /// The model that is less easily shocked.
    pub fn uncensored(&mut self) -> &mut GatedModel {
        self.others.uncensored.as_mut().expect("a hardened model")
    }

    /// The model that personas may have.
    pub fn own_model(&mut self) -> &mut GatedModel {
        self.others.own.as_mut().expect("a model for personas")
    }

    /// All models that there are, and the keys for them.
    pub(super) fn models_and_keys(&self) -> (Vec<&GatedModel>, Vec<String>) {
        let others = &self.others;
        let beside = [
            &others.fallback,
            &others.reasoner,
            &others.vision,
            &others.uncensored,
            &others.own,
        ];
        let beside = beside.into_iter().flatten();
        let models: Vec<_> = std::iter::once(&self.model).chain(beside).collect();
        let own = models.iter().map(|it| it.key());
        let keys = others.keys.iter().map(|&key| key.to_owned());
        let keys = own.chain(keys).collect();
        (models, keys)
    }

    /// Who plays which role.
    pub(super) fn cast(&self, pool: &ModelPool) -> RoleModels {
        let others = &self.others;
        let able = |tools, vision| Abilities {
            tools,
            vision,
            thinking: false,
        };
        let lone = |role, model: &GatedModel, abilities| -> Arc<dyn ChatModel> {
            let candidates = vec![candidate(model, abilities, &[])];
            router(pool, role, candidates, Vec::new(), Budget::default())
        };
        let talks = able(true, false);
        let mut talkers = vec![Candidate {
            price: others.price,
            ..candidate(&self.model, talks, &others.keys)
        }];
        talkers.extend(others.fallback.iter().map(|it| candidate(it, talks, &[])));
        let hardened = others.uncensored.iter().map(|it| candidate(it, talks, &[]));
        let budget = Budget {
            user_per_day: SpendLimit {
                tokens: others.tokens_per_day,
                cost: None,
            },
            ..Budget::default()
        };
        let chat = router(pool, Role::Chat, talkers, hardened.collect(), budget);
        let reasons = able(others.reasons_with_tools, false);
        RoleModels {
            reasoner: others
                .reasoner
                .as_ref()
                .map(|it| lone(Role::Reasoner, it, reasons)),
            vision: others
                .vision
                .as_ref()
                .map(|it| lone(Role::Vision, it, able(true, true))),
            for_personas: others
                .own
                .iter()
                .map(|it| ("own".to_owned(), lone(Role::Chat, it, talks)))
                .collect(),
            ..RoleModels::single(chat)
        }
    }
}

fn candidate(model: &GatedModel, abilities: Abilities, keys: &[&str]) -> Candidate {
    let address = url(model.base_url());
    Candidate {
        name: model.base_url().to_owned(),
        endpoint: Endpoint {
            first_token_timeout: FIRST_TOKEN,
            idle_timeout: IDLE,
            abilities,
            ..Endpoint::at(Vendor::at(&address), address, "gated".into())
        },
        keys: match keys {
            [] => vec![SecretString::from(model.key())],
            keys => keys.iter().map(|&key| SecretString::from(key)).collect(),
        },
        price: None,
        context: None,
    }
}

fn router(
    pool: &ModelPool,
    role: Role,
    candidates: Vec<Candidate>,
    on_censored: Vec<Candidate>,
    budget: Budget,
) -> Arc<dyn ChatModel> {
    let route = ModelRoute {
        role,
        candidates,
        on_censored,
        budget,
        first_word_within: FIRST_WORD_WITHIN,
    };
    Arc::new(pool.route(route).expect("usable endpoints"))
}
