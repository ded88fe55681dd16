//! Whether a model can be asked, and in one sentence why not.

use std::net::IpAddr;
use std::time::Duration;

use anyhow::{Result, anyhow};
use kaiwa_domain::ModelError;
use kaiwa_provider::{Candidate, Endpoint, list_models};
use url::{Host, Url};

use crate::config::Config;
use crate::exit;
use crate::models::NO_MODEL;

/// How long a server may take to say which models it has.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many of a server's models are named.
const NAMED: usize = 12;

/// What asking a server for its models showed.
pub(crate) enum Reach {
    /// It lists the model.
    Listed,
    /// It answers, but lists no models, as some servers do.
    Answers,
    /// It answers and lists other models.
    Unlisted(Vec<String>),
}

/// Finds out whether a model's server is there, takes every key and has the
/// model; or says in one sentence what to do.
pub(crate) async fn reach(config: &Config, candidate: &Candidate) -> Result<Reach> {
    let vendor = vendor_of(candidate);
    let variables = config.key_variables(vendor);
    let mut listed = Vec::new();
    for place in 0..candidate.keys.len().max(1) {
        let endpoint = Endpoint {
            key: candidate.keys.get(place).cloned(),
            ..candidate.endpoint.clone()
        };
        match list_models(&endpoint, PATIENCE).await {
            Ok(models) => listed = models,
            Err(error @ ModelError::Unauthorized { .. }) => {
                let variable = variables.get(place).copied();
                let told = unauthorized(candidate, variable.as_slice(), &error);
                return Err(exit::needs_a_person(told));
            }
            Err(error @ (ModelError::Unreachable { .. } | ModelError::Silent { .. })) => {
                return Err(anyhow!(told(config, candidate, &error)));
            }
            // It is there; a question will show the rest.
            Err(_) => {}
        }
    }
    Ok(match listed {
        models if models.is_empty() => Reach::Answers,
        models
            if models
                .iter()
                .any(|it| is_same(&candidate.endpoint.model, it)) =>
        {
            Reach::Listed
        }
        models => Reach::Unlisted(models),
    })
}

/// The first of the models whose server is there; or what to do about the
/// favourite among those that may come back, else about the favourite.
pub(crate) async fn any<'c>(
    config: &Config,
    candidates: &'c [Candidate],
) -> Result<(&'c Candidate, Reach)> {
    let mut problem: Option<anyhow::Error> = None;
    for candidate in candidates {
        match reach(config, candidate).await {
            Ok(reached) => return Ok((candidate, reached)),
            Err(error) => match &problem {
                Some(first) if exit::may_pass(first) || !exit::may_pass(&error) => {}
                _ => problem = Some(error),
            },
        }
    }
    Err(problem.unwrap_or_else(|| exit::needs_a_person(NO_MODEL)))
}

/// Whether a listed model is the one that was asked for: vendors list the
/// dated name of a model that also goes by its plain one.
fn is_same(asked: &str, listed: &str) -> bool {
    let Some(more) = listed.strip_prefix(asked) else {
        return asked.strip_suffix(":latest") == Some(listed);
    };
    let is_date = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == '-');
    more.is_empty() || more == ":latest" || (more.starts_with('-') && is_date(more))
}

/// That a server does not have the model, and which it has.
pub(crate) fn unlisted(candidate: &Candidate, models: &[String]) -> String {
    let named: Vec<&str> = models.iter().take(NAMED).map(String::as_str).collect();
    let more = match models.len().checked_sub(NAMED) {
        None | Some(0) => String::new(),
        Some(more) => format!(" and {more} more"),
    };
    format!(
        "{} at {} has no model {:?}; it has: {}{more}",
        vendor_of(candidate),
        candidate.endpoint.base_url,
        candidate.endpoint.model,
        named.join(", ")
    )
}

/// Why none of the models answered, in one sentence that says what to do.
pub(crate) async fn explain(
    config: &Config,
    candidates: &[Candidate],
    error: &ModelError,
) -> anyhow::Error {
    let told = explained(config, candidates, error).await;
    match exit::model_may_pass(error) {
        true => anyhow!(told),
        false => exit::needs_a_person(told),
    }
}

async fn explained(config: &Config, candidates: &[Candidate], error: &ModelError) -> String {
    let [candidate] = candidates else {
        let names: Vec<&str> = candidates.iter().map(|it| it.name.as_str()).collect();
        return format!(
            "none of {} answered, the last because {error}",
            names.join(", ")
        );
    };
    if matches!(
        error,
        ModelError::Rejected { .. } | ModelError::Garbled { .. }
    ) && let Ok(Reach::Unlisted(models)) = reach(config, candidate).await
    {
        return unlisted(candidate, &models);
    }
    told(config, candidate, error)
}

/// What one model's failure means for whoever asked it.
fn told(config: &Config, candidate: &Candidate, error: &ModelError) -> String {
    let vendor = vendor_of(candidate);
    match error {
        ModelError::Unauthorized { .. } => {
            unauthorized(candidate, &config.key_variables(vendor), error)
        }
        ModelError::Unreachable { .. } if is_local(&candidate.endpoint.base_url) => {
            format!("{error}; start the server, or correct base_url in [vendors.{vendor}]")
        }
        ModelError::Unreachable { .. } => {
            format!("{error}; check the network, and base_url in [vendors.{vendor}] if you set one")
        }
        ModelError::Silent { .. } => format!(
            "{} at {}: {error}; try again, or set longer timeouts in [vendors.{vendor}]",
            candidate.name, candidate.endpoint.base_url
        ),
        ModelError::OutOfCredit => format!("{vendor}: {error}; add credit, or use another key"),
        ModelError::Busy { .. } => {
            format!("{vendor}: {error}; try again in a minute, or name a second model or key")
        }
        other => format!("{}: {other}", candidate.name),
    }
}

fn unauthorized(candidate: &Candidate, variables: &[&str], error: &ModelError) -> String {
    let vendor = vendor_of(candidate);
    let status = match error {
        ModelError::Unauthorized { status } => *status,
        _ => 401,
    };
    let place = format!("{vendor} at {}", candidate.endpoint.base_url);
    match variables {
        [] => format!(
            "{place} wants a key (HTTP {status}): put it into an environment variable and name that with key_env in [vendors.{vendor}]"
        ),
        _ => format!(
            "{place} refused the key (HTTP {status}): check {}",
            variables.join(" and ")
        ),
    }
}

/// The part of `vendor/model` that names the vendor.
fn vendor_of(candidate: &Candidate) -> &str {
    candidate
        .name
        .split_once('/')
        .map_or(candidate.name.as_str(), |(vendor, _)| vendor)
}

pub(crate) fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_may_be_listed_under_its_whole_name() {
        fn check(asked: &str, listed: &str, expect: bool) {
            assert_eq!(is_same(asked, listed), expect, "{asked} {listed}");
        }
        check("gpt-5", "gpt-5", true);
        check("claude-opus-4-5", "claude-opus-4-5-20251101", true);
        check("gpt-4o", "gpt-4o-2024-08-06", true);
        check("llama3.2", "llama3.2:latest", true);
        check("llama3.2:latest", "llama3.2", true);
        check("gpt-5", "gpt-5-mini", false);
        check("llama3.2", "llama3.2:1b", false);
        check("llama3.2", "llama3", false);
    }
}
