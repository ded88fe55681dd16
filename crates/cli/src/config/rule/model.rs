//! What may be said of models, their keys and their prices.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use kaiwa_provider::{Format, Price, UnknownPrice};
use toml::de::DeValue;

use super::{EnvName, ValueRule, choose, expected, quote, shorten, string, words};

/// A model and who serves it. The first slash separates them, for models have
/// slashes of their own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ModelName {
    /// The vendor's name.
    pub vendor: String,
    /// The model's name there.
    pub model: String,
}

/// A text that is not `vendor/model`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{shown} is not vendor/model, as in \"ollama/llama3.2\"")]
pub struct BadModelName {
    shown: String,
}

impl ModelName {
    /// The longest name, in characters.
    const CHARS: usize = 200;
}

impl FromStr for ModelName {
    type Err = BadModelName;

    fn from_str(text: &str) -> Result<Self, BadModelName> {
        let text = text.trim();
        let fits = text.chars().nth(Self::CHARS).is_none() && !text.chars().any(char::is_control);
        match text.split_once('/') {
            Some((vendor, model)) if fits && !vendor.is_empty() && !model.is_empty() => Ok(Self {
                vendor: vendor.to_owned(),
                model: model.to_owned(),
            }),
            _ => Err(BadModelName { shown: quote(text) }),
        }
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.vendor, self.model)
    }
}

/// Models in the order in which they are asked.
pub struct ModelList;

impl ModelList {
    /// Whoever needs more has another problem.
    const MOST: usize = 16;
}

impl ValueRule for ModelList {
    type Value = Vec<ModelName>;

    fn allowed() -> String {
        format!(
            "\"vendor/model\", or a list of 1 to {} of them, the first choice first",
            Self::MOST
        )
    }

    fn read(value: &DeValue<'_>, _: &Path) -> Result<Vec<ModelName>, String> {
        let models: Vec<ModelName> = one_or_many(value)?
            .into_iter()
            .map(|text| text.parse().map_err(|bad: BadModelName| bad.to_string()))
            .collect::<Result<_, _>>()?;
        match models.len() {
            0 => Err("no model is named".to_owned()),
            n if n > Self::MOST => Err(format!("{n} models are too many")),
            _ => Ok(models),
        }
    }
}

/// The names of environment variables; none if no key is wanted. The values
/// are never quoted.
pub struct EnvNames;

impl EnvNames {
    const MOST: usize = 16;
}

impl ValueRule for EnvNames {
    type Value = Vec<String>;

    fn allowed() -> String {
        format!(
            "{}, or a list of up to {} of them; [] if no key is wanted",
            EnvName::allowed(),
            Self::MOST
        )
    }

    fn read(value: &DeValue<'_>, folder: &Path) -> Result<Vec<String>, String> {
        let names: Vec<String> = match value {
            DeValue::Array(list) => list
                .iter()
                .map(|name| EnvName::read(name.get_ref(), folder))
                .collect::<Result<_, _>>()?,
            one => vec![EnvName::read(one, folder)?],
        };
        match names.len() {
            n if n > Self::MOST => Err(format!("{n} keys are too many")),
            _ => Ok(names),
        }
    }
}

fn one_or_many<'a>(value: &'a DeValue<'_>) -> Result<Vec<&'a str>, String> {
    match value {
        DeValue::Array(list) => list.iter().map(|item| string(item.get_ref())).collect(),
        DeValue::String(text) => Ok(vec![text]),
        other => Err(expected("a string or a list of strings", other)),
    }
}

/// A wire format by its name.
pub struct WireFormat;

impl WireFormat {
    fn choices() -> [(&'static str, Format); 5] {
        Format::ALL.map(|format| (format.name(), format))
    }
}

impl ValueRule for WireFormat {
    type Value = Format;

    fn allowed() -> String {
        words(&Self::choices())
    }

    fn read(value: &DeValue<'_>, _: &Path) -> Result<Format, String> {
        choose(value, &Self::choices())
    }
}

/// A number of tokens or requests.
pub struct CountUpTo<const MAX: u64>;

impl<const MAX: u64> ValueRule for CountUpTo<MAX> {
    type Value = u64;

    fn allowed() -> String {
        format!("a whole number from 1 to {MAX}")
    }

    fn read(value: &DeValue<'_>, _: &Path) -> Result<u64, String> {
        let DeValue::Integer(number) = value else {
            return Err(expected("a whole number", value));
        };
        u64::from_str_radix(number.as_str(), number.radix())
            .ok()
            .filter(|number| (1..=MAX).contains(number))
            .ok_or_else(|| format!("{} is out of range", shorten(&number.to_string())))
    }
}

/// A number of things of which there may be none.
pub struct CountOrNone<const MAX: u16>;

impl<const MAX: u16> ValueRule for CountOrNone<MAX> {
    type Value = u16;

    fn allowed() -> String {
        format!("a whole number from 0 to {MAX}")
    }

    fn read(value: &DeValue<'_>, _: &Path) -> Result<u16, String> {
        let DeValue::Integer(number) = value else {
            return Err(expected("a whole number", value));
        };
        u16::from_str_radix(number.as_str(), number.radix())
            .ok()
            .filter(|number| *number <= MAX)
            .ok_or_else(|| format!("{} is out of range", shorten(&number.to_string())))
    }
}

/// What a model costs whose price is not known.
pub struct PriceIfUnknown;

impl PriceIfUnknown {
    const CHOICES: [(&str, UnknownPrice); 2] = [
        ("refuse", UnknownPrice::Refuse),
        ("free", UnknownPrice::Free),
    ];
}

impl ValueRule for PriceIfUnknown {
    type Value = UnknownPrice;

    fn allowed() -> String {
        format!("{}, or {}", words(&Self::CHOICES), Dollars::allowed())
    }

    fn read(value: &DeValue<'_>, folder: &Path) -> Result<UnknownPrice, String> {
        if let DeValue::String(_) = value {
            return choose(value, &Self::CHOICES);
        }
        let dollars = Dollars::read(value, folder)?;
        Ok(UnknownPrice::Assumed(Price {
            input: dollars,
            cached: None,
            output: dollars,
        }))
    }
}

/// An amount of US dollars, read as millionths of one.
pub struct Dollars;

impl Dollars {
    const MOST: u64 = 1_000_000;
    const MILLIONTHS: u64 = 1_000_000;
}

impl ValueRule for Dollars {
    type Value = u64;

    fn allowed() -> String {
        format!(
            "US dollars like 2 or 0.15, from 0 to {}, with up to six decimals",
            Self::MOST
        )
    }

    fn read(value: &DeValue<'_>, _: &Path) -> Result<u64, String> {
        let text = match value {
            DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
            DeValue::Float(number) => number.as_str(),
            other => return Err(expected("a number", other)),
        };
        // Read digit by digit, for money is counted exactly.
        millionths(text)
            .filter(|amount| *amount <= Self::MOST * Self::MILLIONTHS)
            .ok_or_else(|| format!("{} is no such amount", shorten(text)))
    }
}

fn millionths(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > 6 {
        return None;
    }
    let part: u64 = format!("{part:0<6}").parse().ok()?;
    let whole: u64 = whole.parse().ok()?;
    whole.checked_mul(Dollars::MILLIONTHS)?.checked_add(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_slash_separates() {
        fn check(text: &str, expect: Option<(&str, &str)>) {
            let name = text.parse::<ModelName>().ok();
            let parts = name.as_ref().map(|it| (&*it.vendor, &*it.model));
            assert_eq!(parts, expect, "{text:?}");
        }
        check("ollama/llama3.2", Some(("ollama", "llama3.2")));
        check(
            " openrouter/meta-llama/llama-3 ",
            Some(("openrouter", "meta-llama/llama-3")),
        );
        for bad in ["", "/", "gpt-5", "openai/", "/gpt-5", "openai/gpt\n5"] {
            check(bad, None);
        }
        check(
            &format!("a/{}", "b".repeat(198)),
            Some(("a", &"b".repeat(198))),
        );
        check(&format!("a/{}", "b".repeat(199)), None);
    }

    #[test]
    fn money_is_counted_exactly() {
        fn check(text: &str, expect: Option<u64>) {
            assert_eq!(millionths(text), expect, "{text:?}");
        }
        check("0", Some(0));
        check("2", Some(2_000_000));
        check("0.15", Some(150_000));
        check("0.000001", Some(1));
        check("1.25", Some(1_250_000));
        for bad in [
            "",
            ".",
            "-1",
            "inf",
            "nan",
            "1e3",
            "0.0000001",
            "99999999999999999999",
        ] {
            check(bad, None);
        }
    }
}
