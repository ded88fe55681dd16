//! The vendors, as data. To add one is to add an entry to the table.

use kaiwa_domain::Abilities;
use url::Url;

use crate::Format;

mod table;

pub use table::VENDORS;

/// Who serves models, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vendor {
    /// Its name in configuration, as in `vendor/model`.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Where it is; none if only the operator knows.
    pub base_url: Option<&'static str>,
    /// The wire format it speaks there.
    pub format: Format,
    /// How it wants the key.
    pub auth: Auth,
    /// The environment variable that holds the key; none if it wants no key.
    pub key_env: Option<&'static str>,
    /// What is peculiar about it.
    pub quirks: Quirks,
    /// The models worth knowing; it may have more.
    pub models: &'static [Card],
}

/// How a key is presented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Auth {
    /// As `Authorization: Bearer`.
    Bearer,
    /// In a header of this name, in lower case.
    Header(&'static str),
}

/// Where a server differs from its format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quirks {
    /// Its models may write thoughts and tool calls into their text.
    pub in_band: bool,
    /// Its limit of the answer is called `max_completion_tokens`.
    pub max_completion_tokens: bool,
    /// It knows `stream_options`, and sends the usage only if asked to.
    pub stream_options: bool,
    /// How it is told how much to think.
    pub effort: Effort,
    /// It sums its thoughts up if asked to.
    pub summaries: bool,
    /// It wants its unsigned thoughts back beside the calls they led to.
    pub wants_thoughts: bool,
    /// It takes only names of nine letters and digits for calls.
    pub short_ids: bool,
    /// It takes a system text. Where it does not, the user says it first.
    pub system_role: bool,
    /// The user begins and the sides take turns, or it refuses.
    pub takes_turns: bool,
    /// It wants words of the model between a tool's result and the user's next.
    pub answers_tools: bool,
}

/// How a server of the format `openai-chat` is told how much to think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Not at all.
    None,
    /// `"reasoning_effort": "low"`.
    Name,
    /// `"reasoning": {"effort": "low"}`.
    Object,
    /// `"thinking": {"type": "enabled"}`.
    Switch,
}

/// What is known of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Card {
    /// Its name at the vendor.
    pub name: &'static str,
    /// How many tokens it can see at once, if that is known.
    pub context: Option<u32>,
    /// What it can do.
    pub abilities: Abilities,
    /// What it costs, if that is known.
    pub price: Option<Price>,
}

/// What a million tokens cost, in millionths of a US dollar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Price {
    /// Read by the model.
    pub input: u64,
    /// Read from the vendor's cache; as `input` if absent.
    pub cached: Option<u64>,
    /// Written by the model.
    pub output: u64,
}

impl Vendor {
    /// The vendor of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        VENDORS.iter().find(|vendor| vendor.name == name)
    }

    /// What is known of one of its models. A name that ends in a date or in
    /// `-latest` is a name of the same model.
    pub fn card(&self, model: &str) -> Option<&'static Card> {
        let model = model.strip_prefix("models/").unwrap_or(model);
        let named = |name: &str| self.models.iter().find(|card| card.name == name);
        named(model).or_else(|| named(undated(model)))
    }

    /// What is peculiar about one of its models.
    pub fn quirks_of(&self, model: &str) -> Quirks {
        let model = model.strip_prefix("models/").unwrap_or(model);
        let mut families = table::WITHOUT_SYSTEM.iter();
        let is_told =
            families.any(|(vendor, family)| *vendor == self.name && model.starts_with(family));
        Quirks {
            system_role: self.quirks.system_role && !is_told,
            ..self.quirks
        }
    }

    /// The vendor at an address. Servers that nobody knows are `custom`: they
    /// speak OpenAI's chat, as nearly all do.
    pub fn at(url: &Url) -> &'static Self {
        let path = |url: &Url| url.path().trim_end_matches('/').to_owned();
        let is_there = |vendor: &&Self| {
            let own = vendor.base_url.and_then(|url| Url::parse(url).ok());
            own.is_some_and(|own| own.origin() == url.origin() && path(&own) == path(url))
        };
        VENDORS.iter().find(is_there).unwrap_or(&table::CUSTOM)
    }
}

/// A model's name without the day of its release.
fn undated(model: &str) -> &str {
    let is_date = |end: &&str| {
        let digits = end.bytes().filter(u8::is_ascii_digit).count();
        digits == 8
            && end
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-')
    };
    // `-20250929` and `-2025-08-07`.
    let ends = [9, 11].map(|length| model.len().checked_sub(length));
    let date = ends.into_iter().flatten().find(|at| {
        model
            .get(*at..)
            .is_some_and(|end| end.starts_with('-') && is_date(&end))
    });
    match date {
        Some(at) => &model[..at],
        None => model.strip_suffix("-latest").unwrap_or(model),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        for (place, vendor) in VENDORS.iter().enumerate() {
            let name = vendor.name;
            assert_eq!(Vendor::named(name), Some(vendor), "{name} is there twice");
            assert!(
                name.chars()
                    .all(|c| c.is_ascii_lowercase() || matches!(c, '-' | '.')),
                "{name}"
            );
            if let Auth::Header(header) = vendor.auth {
                assert_eq!(header, header.to_ascii_lowercase(), "{name}");
            }
            if let Some(url) = vendor.base_url {
                let url: Url = url.parse().unwrap();
                assert_eq!(Vendor::at(&url), vendor, "{name} shares its address");
                assert!(
                    url.scheme() == "https" || url.host_str() == Some("127.0.0.1"),
                    "{name}"
                );
            } else {
                assert_eq!(place + 1, VENDORS.len(), "{name} has no address");
            }
            for (place, card) in vendor.models.iter().enumerate() {
                let first = vendor
                    .models
                    .iter()
                    .position(|other| other.name == card.name);
                assert_eq!(first, Some(place), "{name}/{} is there twice", card.name);
            }
        }
    }

    #[test]
    fn a_model_is_known_by_its_dated_names_too() {
        fn check(vendor: &str, model: &str, expect: Option<&str>) {
            let card = Vendor::named(vendor).unwrap().card(model);
            assert_eq!(card.map(|card| card.name), expect, "{model}");
        }
        check("openai", "gpt-5", Some("gpt-5"));
        check("openai", "gpt-5-2025-08-07", Some("gpt-5"));
        check("openai", "gpt-5-latest", Some("gpt-5"));
        check("openai", "gpt-5-mini-2025-08-07", Some("gpt-5-mini"));
        let haiku = Some("claude-haiku-4-5");
        check("anthropic", "claude-haiku-4-5-20251001", haiku);
        check("google", "models/gemini-2.5-pro", Some("gemini-2.5-pro"));
        for other in [
            "gpt-5-pro",
            "gpt-5-20",
            "gpt-5-2025",
            "gpt-5-1234-678",
            "gpt",
            "",
            "茶茶茶茶茶-2025-08-07",
        ] {
            check("openai", other, None);
        }
    }

    #[test]
    fn some_models_take_no_system_text() {
        fn check(vendor: &str, model: &str, expect: bool) {
            let quirks = Vendor::named(vendor).unwrap().quirks_of(model);
            assert_eq!(quirks.system_role, expect, "{model}");
        }
        check("google", "gemma-3-27b-it", false);
        check("google", "models/gemma-3n-e4b-it", false);
        check("google", "gemma-4-31b-it", true);
        check("google", "gemini-2.5-pro", true);
        check("ollama", "gemma-3", true);
    }

    #[test]
    fn an_address_tells_the_vendor() {
        fn check(url: &str, expect: &str) {
            assert_eq!(Vendor::at(&url.parse().unwrap()).name, expect, "{url}");
        }
        check("https://api.anthropic.com/v1", "anthropic");
        check("https://api.anthropic.com/v1/", "anthropic");
        check("https://generativelanguage.googleapis.com/v1beta", "google");
        // Google's own imitation of OpenAI.
        check(
            "https://generativelanguage.googleapis.com/v1beta/openai",
            "custom",
        );
        check("http://127.0.0.1:11434", "ollama");
        check("http://127.0.0.1:11434/v1", "custom");
        check("https://example.org/v1", "custom");
    }
}
