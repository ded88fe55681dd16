//! Which models a server has, and where to look for servers on this machine.

use std::time::Duration;

use kaiwa_domain::ModelError;
use serde::Deserialize;
use url::{Host, Url};

use crate::failure::presentable;
use crate::{Endpoint, Format, VENDORS, Vendor, http};

/// The longest list of models that is read.
const MAX_LIST_BYTES: usize = 1 << 20;

/// The vendors whose servers people run on this machine, worth asking for a
/// model without being told.
pub fn local_vendors() -> impl Iterator<Item = (&'static Vendor, Url)> {
    VENDORS.iter().filter_map(|vendor| {
        let url: Url = vendor.base_url?.parse().ok()?;
        let is_local = matches!(url.host(), Some(Host::Ipv4(address)) if address.is_loopback());
        is_local.then_some((vendor, url))
    })
}

/// Whether a model's name leaves hope that it chats. Servers list the models
/// that embed, rank or transcribe beside the others and rarely tell which.
pub fn seems_to_chat(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
    !name.contains("embed") && words.all(|word| !OTHER_WORK.contains(&word))
}

/// Families of models that do something else.
const OTHER_WORK: &[&str] = &[
    "bert",
    "bge",
    "clip",
    "e5",
    "gte",
    "guard",
    "guard3",
    "minilm",
    "paraphrase",
    "rerank",
    "reranker",
    "shieldgemma",
    "tts",
    "whisper",
];

/// The models that an endpoint's server offers, in its order. The endpoint's
/// own model makes no difference.
///
/// # Errors
/// As for an answer; [`ModelError::Silent`] if the list is not there in time.
pub async fn list_models(
    endpoint: &Endpoint,
    timeout: Duration,
) -> Result<Vec<String>, ModelError> {
    fetch(endpoint, timeout)
        .await
        .map_err(|error| presentable(error, endpoint.key.as_ref(), None))
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

async fn fetch(endpoint: &Endpoint, timeout: Duration) -> Result<Vec<String>, ModelError> {
    let (path, query) = place(endpoint.format);
    let mut shown = http::under(&endpoint.base_url, path);
    if let Some((name, value)) = query {
        shown.query_pairs_mut().append_pair(name, value);
    }
    let failed = |error: reqwest::Error| match error.is_timeout() && !error.is_connect() {
        true => ModelError::Silent { waited: timeout },
        false => http::unreachable(&shown, &error),
    };
    let key = endpoint.key.as_ref();
    let client = http::client(endpoint.auth, key).map_err(|error| ModelError::Unreachable {
        url: http::shown(&shown),
        reason: error.to_string(),
    })?;
    let mut request = client.get(shown.clone()).timeout(timeout);
    for (name, value) in endpoint.format.headers() {
        request = request.header(*name, *value);
    }
    let mut response = request.send().await.map_err(failed)?;
    if !response.status().is_success() {
        return Err(http::refused(&mut response, None, None).await);
    }
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(failed)? {
        if body.len() + bytes.len() > MAX_LIST_BYTES {
            return Err(garbled("the list of models exceeds 1 MiB"));
        }
        body.extend_from_slice(&bytes);
    }
    let ModelListing { data, models } = serde_json::from_slice(&body)
        .map_err(|_| garbled(&format!("no list of models at /{path}")))?;
    let listed = data.or(models).unwrap_or_default().into_iter();
    Ok(listed
        .filter(Listed::chats)
        .filter_map(Listed::name)
        .collect())
}

fn garbled(reason: &str) -> ModelError {
    ModelError::Garbled {
        reason: reason.to_owned(),
    }
}

/// Ollama without models sends `null` for the list.
#[derive(Deserialize)]
struct ModelListing {
    data: Option<Vec<Listed>>,
    /// What Gemini and Ollama call it.
    models: Option<Vec<Listed>>,
}

#[derive(Deserialize)]
struct Listed {
    id: Option<String>,
    name: Option<String>,
    /// What can be done with it at Gemini.
    #[serde(rename = "supportedGenerationMethods")]
    methods: Option<Vec<String>>,
}

impl Listed {
    fn chats(&self) -> bool {
        let generates = |methods: &Vec<String>| methods.iter().any(|it| it == "generateContent");
        self.methods.as_ref().is_none_or(generates)
    }

    fn name(self) -> Option<String> {
        let name = self.id.or(self.name)?;
        // As Gemini writes it.
        Some(match name.strip_prefix("models/") {
            Some(bare) => bare.to_owned(),
            None => name,
        })
    }
}
