//! Which models a server has, and where to look for servers on this machine.

use std::time::Duration;

use kaiwa_domain::ModelError;
use secrecy::SecretString;
use serde::Deserialize;
use url::Url;

use crate::failure::presentable;
use crate::{Auth, http};

/// The longest list of models that is read.
const MAX_LIST_BYTES: usize = 1 << 20;

/// Servers people run beside Kaiwa: name, port, and nothing else to configure.
const LOCAL_PORTS: [(&str, u16); 3] = [("Ollama", 11434), ("llama.cpp", 8080), ("LM Studio", 1234)];

/// The local servers worth asking for a model, at their default addresses.
pub fn local_servers() -> [(&'static str, Url); 3] {
    LOCAL_PORTS.map(|(name, port)| (name, loopback(port)))
}

/// The models that a server offers, in its order.
///
/// # Errors
/// As for an answer; [`ModelError::Silent`] if the list is not there in time.
pub async fn list_models(
    base_url: &Url,
    key: Option<&SecretString>,
    timeout: Duration,
) -> Result<Vec<String>, ModelError> {
    fetch(base_url, key, timeout)
        .await
        .map_err(|error| presentable(error, key))
}

async fn fetch(
    base_url: &Url,
    key: Option<&SecretString>,
    timeout: Duration,
) -> Result<Vec<String>, ModelError> {
    let url = http::under(base_url, "models");
    let failed = |error: reqwest::Error| match error.is_timeout() && !error.is_connect() {
        true => ModelError::Silent { waited: timeout },
        false => http::unreachable(&url, &error),
    };
    let client = http::client(Auth::Bearer, key).map_err(|error| ModelError::Unreachable {
        url: http::shown(&url),
        reason: error.to_string(),
    })?;
    let request = client.get(url.clone()).timeout(timeout);
    let mut response = request.send().await.map_err(failed)?;
    if !response.status().is_success() {
        return Err(http::refused(&mut response, None).await);
    }
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(failed)? {
        if body.len() + bytes.len() > MAX_LIST_BYTES {
            return Err(garbled("the list of models exceeds 1 MiB"));
        }
        body.extend_from_slice(&bytes);
    }
    let list: List =
        serde_json::from_slice(&body).map_err(|_| garbled("no list of models at /models"))?;
    Ok(list
        .data
        .unwrap_or_default()
        .into_iter()
        .map(|model| model.id)
        .collect())
}

#[expect(clippy::expect_used, reason = "a constant, tried by every caller")]
fn loopback(port: u16) -> Url {
    format!("http://127.0.0.1:{port}/v1")
        .parse()
        .expect("a valid address")
}

fn garbled(reason: &str) -> ModelError {
    ModelError::Garbled {
        reason: reason.to_owned(),
    }
}

/// Ollama without models sends `null` for the list.
#[derive(Deserialize)]
struct List {
    data: Option<Vec<Model>>,
}

#[derive(Deserialize)]
struct Model {
    id: String,
}
