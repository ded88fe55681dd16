//! `kaiwa provider list`: what there is, as the configuration has it.

use anyhow::Result;
use kaiwa_domain::Abilities;
use kaiwa_provider::{Price, VENDORS, Vendor};

use crate::args::ListArgs;
use crate::config::{Config, ModelName, environment};
use crate::console;
use crate::models::{Profile, Service, profile};
use crate::prices::{is_unpriced, meaning};

pub(super) fn list(args: &ListArgs) -> Result<()> {
    let config = Config::find(args.config.as_deref())?;
    let known = VENDORS.iter().map(|vendor| vendor.name);
    let own = config.vendors.keys().map(String::as_str);
    let own = own.filter(|name| Vendor::named(name).is_none());
    for name in known.chain(own) {
        for line in described(&config, name) {
            console::print(line);
        }
    }
    Ok(())
}

/// A vendor, and below it the models that are known.
fn described(config: &Config, name: &str) -> Vec<String> {
    let keys: Vec<String> = config
        .key_variables(name)
        .into_iter()
        .map(|variable| {
            let is_set = environment(variable).is_some_and(|key| !key.trim().is_empty());
            format!("{variable} is {}", if is_set { "set" } else { "not set" })
        })
        .collect();
    let keys = match keys.is_empty() {
        true => "no key needed".to_owned(),
        false => keys.join(", "),
    };
    let (title, place) = match Service::named(config, name) {
        Ok(it) => {
            let title = Vendor::named(name).map_or("your own", |vendor| vendor.title);
            (title, format!("{}, {}", it.base_url, it.format))
        }
        Err(_) => (
            "any other server",
            format!("the base_url of [vendors.{name}]"),
        ),
    };
    let mut lines = vec![format!("{name}: {title} at {place}, {keys}")];
    lines.extend(models(config, name).into_iter().map(|model| {
        let vendor = Service::named(config, name).map(|service| service.vendor);
        let name = ModelName {
            vendor: name.to_owned(),
            model,
        };
        let profile = vendor.map(|vendor| profile(config, vendor, &name));
        match profile {
            Ok(profile) => format!("  {}", line(config, &name, &profile)),
            Err(_) => format!("  {name}"),
        }
    }));
    lines
}

/// The models of the vendor's table, then those that only the file has, with a
/// section or with a role.
fn models(config: &Config, name: &str) -> Vec<String> {
    let cards = Vendor::named(name).map_or(&[][..], |vendor| vendor.models);
    let mut models: Vec<String> = cards.iter().map(|card| card.name.to_owned()).collect();
    if let Some(own) = config.vendors.get(name) {
        let more = own.models.keys().filter(|model| !models.contains(model));
        let more: Vec<String> = more.cloned().collect();
        models.extend(more);
    }
    let roles = config.models.roles().flat_map(|(_, names)| names);
    for named in roles.filter(|named| named.vendor == name) {
        let card = Vendor::named(name).and_then(|vendor| vendor.card(&named.model));
        if card.is_none() && !models.contains(&named.model) {
            models.push(named.model.clone());
        }
    }
    models
}

/// One model in one line, by the name that configuration wants.
fn line(config: &Config, name: &ModelName, profile: &Profile) -> String {
    let Abilities {
        tools,
        vision,
        thinking,
    } = profile.abilities;
    let able = [(tools, "tools"), (vision, "vision"), (thinking, "thinking")];
    let able = able.iter().filter(|(can, _)| *can).map(|(_, word)| *word);
    let able = able.collect::<Vec<_>>().join(" ");
    let context = match profile.context {
        Some(tokens) => format!("{} k tokens", tokens / 1000),
        None => "size unknown".to_owned(),
    };
    let price = match profile.price {
        Some(known) => price(known),
        None if is_unpriced(config, name) => format!("price unknown: {}", meaning(config)),
        None => "price unknown".to_owned(),
    };
    format!("{:<50} {context:<14} {able:<22} {price}", name.to_string())
}

fn price(price: Price) -> String {
    let cached = match price.cached {
        Some(cached) => format!(" (${} cached)", dollars(cached)),
        None => String::new(),
    };
    let (input, output) = (dollars(price.input), dollars(price.output));
    format!("${input} in{cached}, ${output} out per million")
}

/// Millionths of a dollar as dollars, with cents at least.
fn dollars(micros: u64) -> String {
    let (whole, rest) = (micros / 1_000_000, micros % 1_000_000);
    let rest = format!("{rest:06}");
    let cents = rest.trim_end_matches('0');
    format!("{whole}.{cents:0<2}")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn prices_have_cents() {
        fn check(micros: u64, expect: &str) {
            assert_eq!(dollars(micros), expect);
        }
        check(2_500_000, "2.50");
        check(15_000_000, "15.00");
        check(75_000, "0.075");
        check(1, "0.000001");
        check(0, "0.00");
    }

    #[test]
    fn the_file_has_the_last_word() {
        let check = |file: &str, vendor: &str, expect: &[&str]| {
            let config = Config::parse(Path::new("kaiwa.toml"), file).unwrap();
            let lines = described(&config, vendor);
            let lines: Vec<String> = lines
                .iter()
                .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
                .collect();
            for line in expect {
                assert!(lines.iter().any(|it| it == line), "{line} in {lines:#?}");
            }
        };
        check(
            "",
            "groq",
            &[
                "groq: Groq at https://api.groq.com/openai/v1, openai-chat, GROQ_API_KEY is not set",
                "groq/openai/gpt-oss-120b 131 k tokens tools thinking $0.15 in, $0.60 out per million",
            ],
        );
        check(
            "[vendors.groq]\nkey_env = []\nbase_url = \"http://g\"\n[vendors.groq.models.\"openai/gpt-oss-120b\"]\ncontext = 8000\nvision = true\noutput_price = 1\n[vendors.groq.models.new]\ntools = false",
            "groq",
            &[
                "groq: Groq at http://g/, openai-chat, no key needed",
                "groq/openai/gpt-oss-120b 8 k tokens tools vision thinking $0.15 in, $1.00 out per million",
                "groq/new size unknown price unknown",
            ],
        );
        check(
            "[vendors.mine]\nbase_url = \"http://m\"\nformat = \"ollama-chat\"\n[vendors.mine.models.m]\ninput_price = 1\ncached_price = 0.5\noutput_price = 2",
            "mine",
            &[
                "mine: your own at http://m/, ollama-chat, no key needed",
                "mine/m size unknown tools $1.00 in ($0.50 cached), $2.00 out per million",
            ],
        );
        // Dollars are limited, and nobody knows the price.
        let limited = "[models]\nchat = \"mine/m\"\n[vendors.mine]\nbase_url = \"http://m\"\n[budget]\nuser_dollars_per_day = 1\n";
        check(
            limited,
            "mine",
            &[
                "mine/m size unknown tools price unknown: it is never asked while dollars are limited",
            ],
        );
        check(
            &format!("{limited}unknown_price = \"free\""),
            "mine",
            &["mine/m size unknown tools price unknown: no limit in dollars ever stops it"],
        );
        check(
            &limited.replace("user_dollars_per_day = 1", "user_tokens_per_day = 1"),
            "mine",
            &["mine/m size unknown tools price unknown"],
        );
        check(
            "",
            "custom",
            &["custom: any other server at the base_url of [vendors.custom], no key needed"],
        );
    }
}
