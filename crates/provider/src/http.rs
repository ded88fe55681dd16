//! The way out: one pooled client, and what its failures mean.

use std::error::Error;
use std::time::Duration;

use kaiwa_domain::{Brief, ModelError, Timestamp};
use reqwest::header::{
    AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER,
};
use reqwest::{Client, Response, redirect};
use rustls::crypto::ring;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::failure::{self, Complaint};
use crate::{Auth, EndpointError};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How much of a failed request's body is read.
const MAX_ERROR_BYTES: usize = 64 << 10;

/// Makes a client with a pool of its own. It goes where it is told and nowhere
/// else: no redirects, and no proxies from the environment. With a key it
/// presents it at every request.
pub(crate) fn client(auth: Auth, key: Option<&SecretString>) -> Result<Client, EndpointError> {
    let refused = |reason: String| EndpointError::Tls { reason };
    let roots: rustls::RootCertStore = webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect();
    let tls = rustls::ClientConfig::builder_with_provider(ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .map_err(|error| refused(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let mut headers = HeaderMap::new();
    if let Some(key) = key
        .map(ExposeSecret::expose_secret)
        .filter(|key| !key.is_empty())
    {
        let (name, value) = match auth {
            Auth::Bearer => (AUTHORIZATION, format!("Bearer {key}")),
            Auth::Header(name) => (HeaderName::from_static(name), key.to_owned()),
        };
        let mut value: HeaderValue = value.parse().map_err(|_| EndpointError::BadKey)?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Client::builder()
        .tls_backend_preconfigured(tls)
        .default_headers(headers)
        .user_agent(concat!("kaiwa/", env!("CARGO_PKG_VERSION")))
        .no_proxy()
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_nodelay(true)
        .build()
        .map_err(|error| refused(innermost(&error)))
}

/// The address of `path` under `base`, whose query is kept.
pub(crate) fn under(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}/{path}", base.path().trim_end_matches('/')));
    url
}

/// The request never got an answer.
pub(crate) fn unreachable(url: &Url, error: &reqwest::Error) -> ModelError {
    ModelError::Unreachable {
        url: shown(url),
        reason: innermost(error),
    }
}

/// The address without what may be secret: credentials and query.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // Both fail only for addresses without a host, and those hold no secret.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}

/// The cause of all causes, which says the most and holds no address.
pub(crate) fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    // An error without a cause prints the address it was about.
    match cause.downcast_ref::<reqwest::Error>() {
        Some(_) if error.is_timeout() => "no answer in time".to_owned(),
        Some(_) => "the request could not be sent".to_owned(),
        None => cause.to_string(),
    }
}

/// What a status other than success means.
pub(crate) async fn refused(
    response: &mut Response,
    now: Option<Timestamp>,
    sent: Option<&Brief>,
) -> ModelError {
    let status = response.status().as_u16();
    let wait = response
        .headers()
        .get(RETRY_AFTER)
        .and_then(|header| failure::retry_after(header.to_str().ok()?, now));
    let mut body = Vec::new();
    // The status alone says enough, so half a body is as good as a whole one.
    while let Ok(Some(bytes)) = response.chunk().await {
        let room = MAX_ERROR_BYTES - body.len();
        body.extend_from_slice(&bytes[..bytes.len().min(room)]);
        if body.len() == MAX_ERROR_BYTES {
            break;
        }
    }
    let complaint = Complaint::from_body(&body).about(sent);
    complaint.of_status(status, wait)
}

/// The content type without its parameters, in lower case.
pub(crate) fn content_type(response: &Response) -> Option<String> {
    let header = response.headers().get(CONTENT_TYPE)?.to_str().ok()?;
    let essence = header.split(';').next()?.trim();
    Some(essence.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_put_under_the_base() {
        fn check(base: &str, expect: &str) {
            let base = base.parse().unwrap();
            assert_eq!(under(&base, "chat/completions").as_str(), expect);
        }
        check("http://h/v1", "http://h/v1/chat/completions");
        check("http://h/v1/", "http://h/v1/chat/completions");
        check("http://h", "http://h/chat/completions");
        check("http://h/a/b//?v=1", "http://h/a/b/chat/completions?v=1");
    }
}
