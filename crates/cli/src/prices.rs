//! Models whose price nobody knows, where dollars are limited.
//!
//! A limit in dollars stops nothing whose price is not known, so the operator
//! decides what that means (`budget.unknown_price`) and hears of it.

use std::collections::BTreeMap;

use kaiwa_provider::{Candidate, Price, UnknownPrice, local_vendors};

use crate::config::{Config, ModelName};
use crate::models::{budget, keyless};
use crate::reach::is_local;

/// The price of what runs on this machine.
pub(crate) const FREE: Price = Price {
    input: 0,
    cached: None,
    output: 0,
};

/// What a model costs, if that is known.
pub(crate) fn price(candidate: &Candidate) -> Option<Price> {
    let vendor = candidate.name.split_once('/').map(|(vendor, _)| vendor);
    let known = local_vendors().any(|(local, _)| Some(local.name) == vendor);
    let free = known && is_local(&candidate.endpoint.base_url);
    candidate.price.or(free.then_some(FREE))
}

/// Whether a model's price is not known though dollars are limited.
pub(crate) fn is_unpriced(config: &Config, name: &ModelName) -> bool {
    let candidate = keyless(config, name);
    budget(config).limits_cost() && candidate.is_ok_and(|candidate| price(&candidate).is_none())
}

/// What that means.
pub(crate) fn meaning(config: &Config) -> String {
    match config.budget.unknown_price {
        UnknownPrice::Refuse => "it is never asked while dollars are limited".to_owned(),
        UnknownPrice::Free => "no limit in dollars ever stops it".to_owned(),
        UnknownPrice::Assumed(price) => {
            let dollars = price.input as f64 / 1e6;
            format!("it is taken to cost ${dollars} for a million tokens")
        }
    }
}

/// What to tell about the models that have a role, and about `more`: one
/// sentence for each whose price is not known though dollars are limited.
pub(crate) fn unpriced(config: &Config, more: &[Candidate]) -> Vec<String> {
    if !budget(config).limits_cost() {
        return Vec::new();
    }
    let named = config.models.roles().flat_map(|(_, names)| names);
    let named = named.filter_map(|name| keyless(config, name).ok());
    let all: BTreeMap<String, Candidate> = named
        .chain(more.iter().cloned())
        .map(|candidate| (candidate.name.clone(), candidate))
        .collect();
    let unpriced = all.values().filter(|candidate| price(candidate).is_none());
    let told = unpriced.map(|candidate| {
        let name = &candidate.name;
        let (vendor, model) = name.split_once('/').unwrap_or(("", name));
        format!(
            "the price of {name} is not known, so {}; write input_price and output_price into [vendors.{vendor}.models.\"{model}\"], or set budget.unknown_price",
            meaning(config)
        )
    });
    told.collect()
}

/// Tells the same in the log.
pub(crate) fn warn(config: &Config, more: &[Candidate]) {
    for sentence in unpriced(config, more) {
        tracing::warn!("{sentence}");
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_operator_hears_of_prices_that_nobody_knows() {
        fn check(models: &str, budget: &str, expect: &[&str]) {
            let file = format!(
                "[models]\n{models}\n[vendors.mine]\nbase_url = \"http://127.0.0.1:1/v1\"\n[vendors.mine.models.priced]\ninput_price = 1\noutput_price = 0\n[vendors.vllm]\nbase_url = \"http://192.168.1.2/v1\"\n[budget]\n{budget}"
            );
            let config = Config::parse(Path::new("kaiwa.toml"), &file).unwrap();
            assert_eq!(unpriced(&config, &[]), expect, "{models} {budget}");
        }
        let dollars = "guild_dollars_per_day = 1";
        let chat = "chat = [\"mine/m\", \"mine/priced\", \"openai/gpt-5\", \"ollama/m\"]";
        let sentence = |meaning: &str| {
            format!(
                "the price of mine/m is not known, so {meaning}; write input_price and output_price into [vendors.mine.models.\"m\"], or set budget.unknown_price"
            )
        };
        let refused = sentence("it is never asked while dollars are limited");
        check(chat, "", &[]);
        check(chat, "user_tokens_per_day = 1", &[]);
        check(chat, dollars, &[&refused]);
        let twice = format!("{chat}\nvision = \"mine/m\"");
        check(&twice, dollars, &[&refused]);
        let free = sentence("no limit in dollars ever stops it");
        check(
            chat,
            &format!("{dollars}\nunknown_price = \"free\""),
            &[&free],
        );
        let assumed = sentence("it is taken to cost $2.5 for a million tokens");
        check(
            chat,
            &format!("{dollars}\nunknown_price = 2.5"),
            &[&assumed],
        );
        // A server elsewhere may cost something.
        let elsewhere = refused.replace("mine", "vllm");
        check("chat = \"vllm/m\"", dollars, &[&elsewhere]);
    }
}
