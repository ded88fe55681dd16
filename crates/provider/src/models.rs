//! Which models a server has, and where to look for servers on this machine.

use std::time::Duration;

use kaiwa_domain::ModelError;
use secrecy::SecretString;
use serde::Deserialize;
use url::Url;

use crate::failure::presentable;
use crate::{Format, Vendor, http};

/// The longest list of models that is read.
const MAX_LIST_BYTES: usize = 1 << 20;

/// Servers people run beside Kaiwa: name, port, and nothing else to configure.
const LOCAL_PORTS: [(&str, u16); 3] = [("Ollama", 11434), ("llama.cpp", 8080), ("LM Studio", 1234)];

/// The local servers worth asking for a model, at their default addresses.
pub fn local_servers() -> [(&'static str, Url); 3] {
    LOCAL_PORTS.map(|(name, port)| (name, loopback(port)))
}

/// The models that a vendor's server offers, in its order.
///
/// # Errors
/// As for an answer; [`ModelError::Silent`] if the list is not there in time.
pub async fn list_models(
    vendor: &Vendor,
    base_url: &Url,
    key: Option<&SecretString>,
    timeout: Duration,
) -> Result<Vec<String>, ModelError> {
    fetch(vendor, base_url, key, timeout)
        .await
        .map_err(|error| presentable(error, key))
}

/// Where the list is, and how it is asked for. Without the numbers vendors
/// send a few models at a time.
const fn place(format: Format) -> (&'static str, Option<(&'static str, &'static str)>) {
    match format {
        Format::OpenAiChat | Format::OpenAiResponses => ("models", None),
        Format::AnthropicMessages => ("models", Some(("limit", "1000"))),
        Format::GeminiGenerateContent => ("models", Some(("pageSize", "1000"))),
        Format::OllamaChat => ("api/tags", None),
    }
}

async fn fetch(
    vendor: &Vendor,
    base_url: &Url,
    key: Option<&SecretString>,
    timeout: Duration,
) -> Result<Vec<String>, ModelError> {
    let (path, query) = place(vendor.format);
    let mut url = http::under(base_url, path);
    if let Some((name, value)) = query {
        url.query_pairs_mut().append_pair(name, value);
    }
    let failed = |error: reqwest::Error| match error.is_timeout() && !error.is_connect() {
        true => ModelError::Silent { waited: timeout },
        false => http::unreachable(&url, &error),
    };
    let client = http::client(vendor.auth, key).map_err(|error| ModelError::Unreachable {
        url: http::shown(&url),
        reason: error.to_string(),
    })?;
    let mut request = client.get(http::with_key(url.clone(), vendor.auth, key));
    for (name, value) in vendor.format.headers() {
        request = request.header(*name, *value);
    }
    let mut response = request.timeout(timeout).send().await.map_err(failed)?;
    if !response.status().is_success() {
        return Err(http::refused(&mut response, None).await);
    }
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(failed)? {
        if body.len() + bytes.len() > MAX_LIST_BYTES {
            return Err(garbled("the list of models exceeds 1 MiB".to_owned()));
        }
        body.extend_from_slice(&bytes);
    }
    let list: List = serde_json::from_slice(&body)
        .map_err(|_| garbled(format!("no list of models at /{path}")))?;
    let models = list.data.or(list.models).unwrap_or_default();
    Ok(models.into_iter().filter_map(Model::chat).collect())
}

#[expect(clippy::expect_used, reason = "a constant, tried by every caller")]
fn loopback(port: u16) -> Url {
    format!("http://127.0.0.1:{port}/v1")
        .parse()
        .expect("a valid address")
}

const fn garbled(reason: String) -> ModelError {
    ModelError::Garbled { reason }
}

/// Ollama without models sends `null` for the list.
#[derive(Deserialize)]
struct List {
    data: Option<Vec<Model>>,
    /// Where Gemini and Ollama have it.
    models: Option<Vec<Model>>,
}

#[derive(Deserialize)]
struct Model {
    id: Option<String>,
    /// The id of those that have none, at Gemini and Ollama.
    name: Option<String>,
    /// What can be done with it at Gemini.
    #[serde(rename = "supportedGenerationMethods")]
    methods: Option<Vec<String>>,
}

impl Model {
    /// Its name, unless it is no model to talk to.
    fn chat(self) -> Option<String> {
        let talks = |methods: Vec<String>| methods.iter().any(|it| it == "generateContent");
        let name = self.id.or(self.name)?;
        let name = match name.strip_prefix("models/") {
            Some(name) => name.to_owned(),
            None => name,
        };
        self.methods.is_none_or(talks).then_some(name)
    }
}
