//! Which model answers.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::future::join_all;
use kaiwa_domain::ModelError;
use kaiwa_domain::port::{ChatModel, Clock};
use kaiwa_pipeline::deliver::{Degree, LongCode};
use kaiwa_provider::{Endpoint, Model, Vendor, list_models, local_servers};
use kaiwa_runtime::Setup;
use secrecy::SecretString;
use url::Url;

use crate::config::{Config, Provider};

/// How long a local server may take to list its models when `play` starts.
const LOCAL_PATIENCE: Duration = Duration::from_millis(200);

/// How long the configured server may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a local model may take to load and begin.
const LOADING: Duration = Duration::from_secs(120);

/// How long a local model may pause.
const PAUSE: Duration = Duration::from_secs(30);

/// A model on this machine.
pub(crate) struct Local {
    /// The server's name.
    pub(crate) server: &'static str,
    /// Where it is.
    pub(crate) base_url: Url,
    /// The models it offers, at least one.
    pub(crate) models: Vec<String>,
}

/// The first local server that lists a model.
pub(crate) async fn find_local() -> Option<Local> {
    let asked = local_servers().map(|(server, base_url)| async move {
        let models = list_models(&base_url, None, LOCAL_PATIENCE).await.ok()?;
        (!models.is_empty()).then_some(Local {
            server,
            base_url,
            models,
        })
    });
    join_all(asked).await.into_iter().flatten().next()
}

/// A model at a server that needs no key and little patience.
pub(crate) fn local(
    base_url: Url,
    model: String,
    clock: Arc<dyn Clock>,
) -> Result<Arc<dyn ChatModel>> {
    connect(
        Endpoint {
            first_token_timeout: LOADING,
            idle_timeout: PAUSE,
            ..Endpoint::at(Vendor::at(&base_url), base_url, model)
        },
        clock,
    )
}

/// The configured model.
pub(crate) fn configured(
    provider: &Provider,
    key: Option<SecretString>,
    clock: Arc<dyn Clock>,
) -> Result<Arc<dyn ChatModel>> {
    connect(
        Endpoint {
            key,
            first_token_timeout: provider.first_token_timeout,
            idle_timeout: provider.idle_timeout,
            ..Endpoint::at(
                Vendor::at(&provider.base_url),
                provider.base_url.clone(),
                provider.model.clone(),
            )
        },
        clock,
    )
}

fn connect(endpoint: Endpoint, clock: Arc<dyn Clock>) -> Result<Arc<dyn ChatModel>> {
    let model = Model::new(endpoint, clock).context("[provider] cannot be used")?;
    Ok(Arc::new(model))
}

/// What a turn needs of the configuration.
pub(crate) fn setup(config: &Config, model: Arc<dyn ChatModel>) -> Setup {
    Setup {
        model,
        personality: config.personality.text().to_owned(),
        history: config.context.messages,
        degree: Degree::from_number(config.delivery.degree.into()).unwrap_or_default(),
        long_code: config
            .delivery
            .attach_code_above
            .map_or(LongCode::Split, |above| LongCode::Attach {
                above: above.into(),
            }),
        timezone: config.runtime.timezone.clone(),
        answer_within: config.runtime.answer_within,
        shutdown_grace: config.runtime.shutdown_grace,
    }
}

/// What asking a server for its models showed.
pub(crate) enum Reach {
    /// It lists the model.
    Listed,
    /// It answers, but lists no models, as some servers do.
    Answers,
    /// It answers and lists other models.
    Unlisted(Vec<String>),
}

/// Finds out whether the configured server is there and takes the key.
pub(crate) async fn reach(provider: &Provider, key: Option<&SecretString>) -> Result<Reach> {
    match list_models(&provider.base_url, key, PATIENCE).await {
        Ok(models) if models.contains(&provider.model) => Ok(Reach::Listed),
        Ok(models) if models.is_empty() => Ok(Reach::Answers),
        Ok(models) => Ok(Reach::Unlisted(models)),
        Err(ModelError::Unauthorized { status }) => anyhow::bail!(
            "the model's server at {} refused the key (HTTP {status}): check the variable that provider.key_env names",
            provider.base_url
        ),
        Err(error @ (ModelError::Unreachable { .. } | ModelError::Silent { .. })) => {
            anyhow::bail!("{error}; start the model's server or correct provider.base_url")
        }
        Err(_) => Ok(Reach::Answers),
    }
}
