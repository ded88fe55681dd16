//! What is asked of the web.

use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use url::{Url, form_urlencoded};

/// The largest answer, packed or not.
const MOST_BYTES: usize = 5 * 1024 * 1024;

/// How long everything may take, redirects included.
const WITHIN: Duration = Duration::from_secs(10);

/// How many redirects are followed.
const REDIRECTS: usize = 5;

/// One request, with its bounds.
#[derive(Clone, Debug)]
pub struct WebRequest {
    pub(crate) url: Url,
    /// What is posted; nothing if the address is only looked at.
    pub(crate) body: Option<String>,
    pub(crate) headers: HeaderMap,
    pub(crate) most_bytes: usize,
    pub(crate) within: Duration,
    pub(crate) redirects: usize,
    pub(crate) own: bool,
}

impl WebRequest {
    /// Looks at an address.
    pub fn get(url: Url) -> Self {
        Self {
            url,
            body: None,
            headers: HeaderMap::new(),
            most_bytes: MOST_BYTES,
            within: WITHIN,
            redirects: REDIRECTS,
            own: false,
        }
    }

    /// Sends a form. What redirects it is not followed.
    pub fn form(url: Url, fields: &[(&str, &str)]) -> Self {
        let body = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        Self::post(url, body, "application/x-www-form-urlencoded")
    }

    /// Sends JSON. What redirects it is not followed.
    pub fn json(url: Url, body: String) -> Self {
        Self::post(url, body, "application/json")
    }

    fn post(url: Url, body: String, content_type: &'static str) -> Self {
        let mut request = Self::get(url);
        request.body = Some(body);
        request.redirects = 0;
        let content_type = HeaderValue::from_static(content_type);
        request.headers.insert(CONTENT_TYPE, content_type);
        request
    }

    /// For a server that whoever runs the bot has named: it may be anywhere,
    /// and leads nowhere else.
    #[must_use]
    pub const fn to_own_server(mut self) -> Self {
        self.own = true;
        self.redirects = 0;
        self
    }

    /// What kinds of answer are wanted, as in `text/html`.
    #[must_use]
    pub fn accepting(mut self, kinds: &'static str) -> Self {
        self.headers.insert(ACCEPT, HeaderValue::from_static(kinds));
        self
    }

    /// With a key in a header, after `scheme` if it has one. It goes to no
    /// other host. A key that fits no header is left out, and missed by the
    /// server.
    #[must_use]
    pub fn with_key(mut self, header: &'static str, scheme: &str, key: &SecretString) -> Self {
        let value = format!("{scheme}{}", key.expose_secret());
        if let Ok(mut value) = HeaderValue::from_str(&value) {
            value.set_sensitive(true);
            self.headers.insert(HeaderName::from_static(header), value);
        }
        self
    }

    /// With an answer of at most so many bytes.
    #[must_use]
    pub const fn at_most(mut self, bytes: usize) -> Self {
        self.most_bytes = bytes;
        self
    }

    /// Within this time.
    #[must_use]
    pub const fn within(mut self, time: Duration) -> Self {
        self.within = time;
        self
    }
}
