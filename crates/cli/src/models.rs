//! Which model has which role: from the names in the configuration to models that
//! can be asked.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use kaiwa_domain::port::{ChatModel, Retention, RoleModels};
use kaiwa_domain::settings::{InstanceSettings, SettingKey, SettingValue};
use kaiwa_domain::{Abilities, Role};
use kaiwa_provider::{
    Auth, Budget, Candidate, Endpoint, FIRST_WORD_WITHIN, Format, ModelPool, ModelRoute, Price,
    SpendLimit, VENDORS, Vendor,
};
use kaiwa_runtime::{MemoryBounds, Setup};
use url::Url;

use crate::config::{Config, ModelName, environment, unknown_vendor};
use crate::{exit, prices};

/// How to get a model where there is none.
pub(crate) const NO_MODEL: &str = "no model: write [models] with chat = \"vendor/model\" into kaiwa.toml (`kaiwa provider list` shows the vendors), name one with --model, or start Ollama, llama.cpp, LM Studio or vLLM";

/// What is known of a model: the vendor's card, and what the operator says.
pub(crate) struct Profile {
    pub(crate) context: Option<u32>,
    pub(crate) abilities: Abilities,
    pub(crate) price: Option<Price>,
}

/// What is known of a model at a vendor.
pub(crate) fn profile(config: &Config, vendor: &Vendor, name: &ModelName) -> Profile {
    let card = vendor.card(&name.model);
    let own = config.vendors.get(&name.vendor);
    let own = own.and_then(|own| own.models.get(&name.model));
    let mut profile = Profile {
        context: card.and_then(|card| card.context),
        abilities: card.map_or(Endpoint::USUAL, |card| card.abilities),
        price: card.and_then(|card| card.price),
    };
    let Some(own) = own else {
        return profile;
    };
    if let Some(tokens) = own.context {
        profile.context = Some(u32::try_from(tokens).unwrap_or(u32::MAX));
    }
    let abilities = &mut profile.abilities;
    abilities.tools = own.tools.unwrap_or(abilities.tools);
    abilities.vision = own.vision.unwrap_or(abilities.vision);
    abilities.thinking = own.thinking.unwrap_or(abilities.thinking);
    let known = profile.price;
    let input = own.input_price.or(known.map(|price| price.input));
    let output = own.output_price.or(known.map(|price| price.output));
    profile.price = input.zip(output).map(|(input, output)| Price {
        input,
        cached: own.cached_price.or(known.and_then(|price| price.cached)),
        output,
    });
    profile
}

/// A vendor as configured: where it is and what it speaks there.
pub(crate) struct Service {
    pub(crate) vendor: &'static Vendor,
    pub(crate) base_url: Url,
    pub(crate) format: Format,
    auth: Auth,
}

impl Service {
    /// The vendor of that name, known or the operator's own.
    pub(crate) fn named(config: &Config, name: &str) -> Result<Self> {
        let own = config.vendors.get(name).map(|own| &own.settings);
        let known = Vendor::named(name);
        let base_url = match own.and_then(|own| own.base_url.clone()) {
            Some(url) => url,
            None => match known.and_then(|vendor| vendor.base_url) {
                Some(url) => url.parse()?,
                None => {
                    let advice = unknown_vendor(name);
                    bail!(exit::needs_a_person(format!(
                        "there is no vendor {name:?}; {advice}"
                    )));
                }
            },
        };
        let vendor = known.unwrap_or_else(|| Vendor::at(&base_url));
        let format = own.and_then(|own| own.format).unwrap_or(vendor.format);
        // A server with another format than the vendor's wants its key as
        // those servers do that the format comes from.
        let auth = match format == vendor.format {
            true => vendor.auth,
            false => VENDORS
                .iter()
                .find(|vendor| vendor.format == format)
                .map_or(vendor.auth, |vendor| vendor.auth),
        };
        Ok(Self {
            vendor,
            base_url,
            format,
            auth,
        })
    }
}

/// A model that somebody named on the command line.
pub(crate) fn given(config: &Config, name: &ModelName) -> Result<Candidate> {
    candidate(config, name).map_err(|error| exit::needs_a_person(format!("--model: {error:#}")))
}

/// A model that may be asked, with its keys.
pub(crate) fn candidate(config: &Config, name: &ModelName) -> Result<Candidate> {
    let keys = config.keys(&name.vendor, &environment);
    let mut candidate = keyless(config, name)?;
    candidate.keys = keys?;
    Ok(candidate)
}

/// The same without its keys.
pub(crate) fn keyless(config: &Config, name: &ModelName) -> Result<Candidate> {
    let service = Service::named(config, &name.vendor)?;
    let Profile {
        context,
        abilities,
        price,
    } = profile(config, service.vendor, name);
    let mut endpoint = Endpoint {
        format: service.format,
        auth: service.auth,
        abilities,
        ..Endpoint::at(service.vendor, service.base_url, name.model.clone())
    };
    if let Some(own) = config.vendors.get(&name.vendor).map(|own| &own.settings) {
        let patience = (own.first_token_timeout, own.idle_timeout);
        endpoint.first_token_timeout = patience.0.unwrap_or(endpoint.first_token_timeout);
        endpoint.idle_timeout = patience.1.unwrap_or(endpoint.idle_timeout);
    }
    Ok(Candidate {
        name: name.to_string(),
        endpoint,
        keys: Vec::new(),
        price,
        context,
    })
}

/// How long people wait for the first word of an answer of these models.
pub(crate) fn first_word_within(config: &Config, candidates: &[Candidate]) -> Duration {
    let set = candidates.iter().filter_map(|candidate| {
        let (vendor, _) = candidate.name.split_once('/')?;
        config.vendors.get(vendor)?.settings.first_token_timeout
    });
    let usual = set.chain([FIRST_WORD_WITHIN]).max();
    let own = config.models.first_word_within;
    own.or(usual).unwrap_or(FIRST_WORD_WITHIN)
}

/// The models that the file names for a role.
pub(crate) fn candidates(config: &Config, role: Role) -> Result<Vec<Candidate>> {
    named(config, role.name(), config.models.of(role))
}

/// The models that the file names for what a vendor's filter would not have.
pub(crate) fn uncensored(config: &Config) -> Result<Vec<Candidate>> {
    let list = config.models.on_censored.as_deref();
    named(config, "on_censored", list.unwrap_or_default())
}

fn named(config: &Config, key: &str, list: &[ModelName]) -> Result<Vec<Candidate>> {
    let named = list.iter().map(|name| {
        candidate(config, name)
            .map_err(|error| exit::needs_a_person(format!("{}: {error:#}", config.place(key))))
    });
    named.collect()
}

/// The models that the file asks for, with `chat` for what has none.
pub(crate) fn role_models(
    config: &Config,
    model_pool: &ModelPool,
    chat: Vec<Candidate>,
) -> Result<RoleModels> {
    let on_censored = uncensored(config)?;
    let model = |role, mut candidates: Vec<Candidate>| -> Result<Arc<dyn ChatModel>> {
        for candidate in &mut candidates {
            candidate.price = prices::price(candidate);
        }
        let route = ModelRoute {
            role,
            first_word_within: first_word_within(config, &candidates),
            candidates,
            on_censored: on_censored.clone(),
            budget: budget(config),
        };
        let router = model_pool.route(route);
        Ok(Arc::new(router.with_context(|| {
            format!("{} cannot be used", config.place(role.name()))
        })?))
    };
    let supporting = |role| -> Result<Option<Arc<dyn ChatModel>>> {
        let candidates = candidates(config, role)?;
        match candidates.is_empty() {
            true => Ok(None),
            false => model(role, candidates).map(Some),
        }
    };
    let mut for_personas = Vec::new();
    for candidate in named(
        config,
        "personas",
        config.models.personas.as_deref().unwrap_or_default(),
    )? {
        let name = candidate.name.clone();
        for_personas.push((name, model(Role::Chat, vec![candidate])?));
    }
    Ok(RoleModels {
        for_personas,
        chat: model(Role::Chat, chat)?,
        reasoner: supporting(Role::Reasoner)?,
        vision: supporting(Role::Vision)?,
        classifier: supporting(Role::Classifier)?,
        summarizer: supporting(Role::Summarizer)?,
    })
}

pub(crate) const fn budget(config: &Config) -> Budget {
    let limits = &config.budget;
    Budget {
        user_per_day: SpendLimit {
            tokens: limits.user_tokens_per_day,
            cost: limits.user_dollars_per_day,
        },
        guild_per_day: SpendLimit {
            tokens: limits.guild_tokens_per_day,
            cost: limits.guild_dollars_per_day,
        },
        unknown_price: limits.unknown_price,
    }
}

/// The instance layer of the settings.
pub(crate) fn instance(config: &Config) -> InstanceSettings {
    let personality = config.personality.text().to_owned();
    let settings = config.settings.clone();
    settings.with(SettingKey::Personality, SettingValue::Text(personality))
}

/// What a turn needs of the configuration.
pub(crate) fn setup(config: &Config, models: RoleModels) -> Setup {
    Setup {
        models,
        instance: instance(config),
        shutdown_grace: config.runtime.shutdown_grace,
        retention: Retention {
            turns: config.storage.keep_turns,
            messages: config.storage.keep_messages,
            expenses: config.storage.keep_expenses,
            snapshots: config.storage.keep_snapshots,
            departed: config.storage.keep_left_servers,
            backups: config.storage.backups,
        },
        template: config.personality.prompt_template(),
        memory: MemoryBounds {
            resident: kaiwa_web::resident_memory,
            soft: config.runtime.memory_soft_mb.map(|it| it << 20),
            hard: config.runtime.memory_hard_mb.map(|it| it << 20),
        },
    }
}

#[cfg(test)]
mod tests;
