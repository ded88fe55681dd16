//! A model that runs on this machine, found without being told.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::join_all;
use kaiwa_domain::port::ChatModel;
use kaiwa_domain::{Brief, Delta, Line, ModelError};
use kaiwa_provider::{Candidate, Endpoint, Model, list_models, local_vendors, seems_to_chat};
use kaiwa_runtime::SystemClock;

use crate::config::{Config, ModelName};
use crate::models;

/// How long a local server may take to list its models. One that is not there
/// says so at once.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long a model may take to begin an answer before it is believed that it
/// would. One that cannot chat says so at once; one that is slow is loaded.
const TRIAL: Duration = Duration::from_secs(5);

/// How many models are asked before it is given up.
const MOST: usize = 5;

/// Models of the servers on this machine, in their order, but those first that
/// chat as far as their names say.
pub(crate) async fn models(config: &Config) -> Vec<Candidate> {
    let asked = local_vendors().map(|(vendor, _)| async move {
        let unnamed = ModelName {
            vendor: vendor.name.to_owned(),
            model: String::new(),
        };
        let endpoint = models::candidate(config, &unnamed).ok()?.endpoint;
        let listed = list_models(&endpoint, PATIENCE).await.ok()?;
        let named = listed.into_iter().map(|model| ModelName {
            model,
            ..unnamed.clone()
        });
        Some(named.collect::<Vec<_>>())
    });
    let mut found: Vec<ModelName> = join_all(asked)
        .await
        .into_iter()
        .flatten()
        .flatten()
        .collect();
    found.sort_by_key(|name| !seems_to_chat(&name.model));
    found.truncate(MOST);
    let candidates = found.iter().map(|name| models::candidate(config, name));
    candidates.filter_map(Result::ok).collect()
}

/// Whether a model begins to answer when it is spoken to.
pub(crate) async fn try_out(candidate: &Candidate) -> Result<(), ModelError> {
    let endpoint = Endpoint {
        key: candidate.keys.first().cloned(),
        ..candidate.endpoint.clone()
    };
    let Ok(model) = Model::new(endpoint, Arc::new(SystemClock)) else {
        return Ok(());
    };
    let brief = Brief {
        lines: vec![Line::User {
            text: "Say hello.".to_owned(),
            images: Vec::new(),
        }],
        ..Brief::default()
    };
    let mut answer = model.answer(brief);
    let begun = async {
        loop {
            match answer.next().await {
                Some(Ok(Delta::Heartbeat)) => {}
                Some(Ok(_)) | None => return Ok(()),
                Some(Err(error)) => return Err(error),
            }
        }
    };
    tokio::time::timeout(TRIAL, begun).await.unwrap_or(Ok(()))
}
