//! Where a model is and how patiently it is asked.

use std::time::Duration;

use kaiwa_domain::Abilities;
use secrecy::SecretString;
use url::{Host, Url};

use crate::{Auth, FIRST_WORD_WITHIN, Format, Quirks, Vendor};

/// How long a vendor may take for the first piece of an answer. Then asking
/// once more is better than to wait.
const REMOTE_PATIENCE: Duration = Duration::from_secs(30);

/// One model at one server.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The address the format's paths are put under, like
    /// `http://127.0.0.1:11434/v1`; a trailing slash makes no difference.
    pub base_url: Url,
    /// The model's name at that server.
    pub model: String,
    /// The wire format it speaks.
    pub format: Format,
    /// How the key is presented.
    pub auth: Auth,
    /// What is peculiar about it.
    pub quirks: Quirks,
    /// The API key, if the server wants one.
    pub key: Option<SecretString>,
    /// How long the first piece of an answer may take, loading included, if
    /// people wait that long.
    pub first_token_timeout: Duration,
    /// How long an answer that has begun to arrive may pause.
    pub idle_timeout: Duration,
    /// What the model can do.
    pub abilities: Abilities,
}

/// An [`Endpoint`] that can never work.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EndpointError {
    /// The address is not one of HTTP.
    #[error("the model's address must begin with http:// or https://, not {scheme}:")]
    Scheme {
        /// What it begins with.
        scheme: String,
    },
    /// The model has no name.
    #[error("the model's name is empty")]
    NoModel,
    /// A route leads nowhere.
    #[error("no model is named for the role {role}")]
    NoCandidate {
        /// The role's name.
        role: &'static str,
    },
    /// The key has characters that no HTTP header can carry.
    #[error("the model's key has characters that cannot be sent; was it pasted whole?")]
    BadKey,
    /// The TLS library refused its own settings.
    #[error("TLS could not be set up: {reason}")]
    Tls {
        /// What the library said.
        reason: String,
    },
}

impl Endpoint {
    /// What is expected of a model that nobody knows.
    pub const USUAL: Abilities = Abilities {
        tools: true,
        vision: false,
        thinking: false,
    };

    /// A model at a vendor, with the usual patience. An address in place
    /// of the vendor's own may be given.
    pub fn at(vendor: &Vendor, base_url: Url, model: String) -> Self {
        let card = vendor.card(&model);
        Self {
            abilities: card.map_or(Self::USUAL, |card| card.abilities),
            quirks: vendor.quirks_of(&model),
            model,
            format: vendor.format,
            auth: vendor.auth,
            key: None,
            first_token_timeout: patience(&base_url),
            idle_timeout: Duration::from_secs(30),
            base_url,
        }
    }

    /// Finds out early what would fail at every request.
    pub(crate) fn check(&self) -> Result<(), EndpointError> {
        if !matches!(self.base_url.scheme(), "http" | "https") {
            return Err(EndpointError::Scheme {
                scheme: self.base_url.scheme().to_owned(),
            });
        }
        if self.model.trim().is_empty() {
            return Err(EndpointError::NoModel);
        }
        Ok(())
    }
}

/// How long the first piece of an answer may take. On this machine to ask again
/// would only have the model loaded, and the question read, from the start.
fn patience(base_url: &Url) -> Duration {
    let is_local = match base_url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    };
    match is_local {
        true => FIRST_WORD_WITHIN,
        false => REMOTE_PATIENCE,
    }
}
