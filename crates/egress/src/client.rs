//! The way out and back.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::Clock;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{
    ACCEPT_ENCODING, ACCEPT_LANGUAGE, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue,
    LOCATION,
};
use reqwest::{Client, Method, Response, redirect};
use rustls::ClientConfig;
use rustls::crypto::ring;
use url::Url;

use crate::body::{ACCEPTED, Unpacker};
use crate::guard::Guard;
use crate::{Forbidden, HostResolver, WebRequest};

/// Some sites answer nobody who does not look like a browser.
const USER_AGENT: &str = concat!(
    "Mozilla/5.0 (compatible; Kaiwa/",
    env!("CARGO_PKG_VERSION"),
    ")"
);

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Goes to the open web, and nowhere else.
#[derive(Clone)]
pub struct Egress {
    guard: Guard,
    tls: ClientConfig,
    clock: Arc<dyn Clock>,
}

/// What came back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WebResponse {
    /// Where it came from, after all redirects.
    pub url: Url,
    /// The HTTP status; not that of a redirect that was followed.
    pub status: u16,
    /// What it is, in lower case and without parameters: `text/html`.
    pub content_type: String,
    /// The encoding of its text, if the head names one.
    pub charset: Option<String>,
    /// It, unpacked.
    pub body: Vec<u8>,
}

/// Why nothing came back.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EgressError {
    /// It is not gone there, however often it is asked for.
    #[error("{0}")]
    Forbidden(Forbidden),
    /// Nobody knows the host.
    #[error("there is no such host")]
    NoSuchHost,
    /// The host does not answer, or breaks off.
    #[error("the server does not answer")]
    Unreachable {
        /// What the network said, for the log.
        reason: String,
    },
    /// It took too long.
    #[error("it took too long")]
    TooSlow,
    /// There is more than was asked for.
    #[error("it is too large")]
    TooLarge,
    /// It leads from one address to the next without end.
    #[error("it was redirected too often")]
    TooManyRedirects,
    /// It is packed in a way that we cannot unpack.
    #[error("it could not be unpacked")]
    Unreadable,
    /// TLS could not be set up.
    #[error("there is no TLS: {reason}")]
    Tls {
        /// What is missing.
        reason: String,
    },
}

impl From<Forbidden> for EgressError {
    fn from(why: Forbidden) -> Self {
        Self::Forbidden(why)
    }
}

/// What one step brought.
enum Hop {
    Arrived(WebResponse),
    Redirected(Url),
}

impl Egress {
    /// Finds hosts with `resolver`.
    ///
    /// # Errors
    /// If there is no TLS.
    pub fn new(
        resolver: Arc<dyn HostResolver>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, EgressError> {
        let roots: rustls::RootCertStore = webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect();
        let tls = ClientConfig::builder_with_provider(ring::default_provider().into())
            .with_safe_default_protocol_versions()
            .map_err(|error| EgressError::Tls {
                reason: error.to_string(),
            })?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self {
            guard: Guard {
                resolver,
                allowed: Vec::new(),
            },
            tls,
            clock,
        })
    }

    /// The same, which may also go to this one address.
    #[must_use]
    pub fn allowing(mut self, address: SocketAddr) -> Self {
        self.guard.allowed.push(address);
        self
    }

    /// Makes a request, and follows where it leads.
    ///
    /// # Errors
    /// If it may not be made, or nothing came back within its bounds. A status
    /// that means failure is no error.
    pub async fn fetch(&self, request: WebRequest) -> Result<WebResponse, EgressError> {
        let within = self.clock.sleep(request.within);
        tokio::select! {
            biased;
            outcome = self.follow(request) => outcome,
            () = within => Err(EgressError::TooSlow),
        }
    }

    async fn follow(&self, mut request: WebRequest) -> Result<WebResponse, EgressError> {
        for _ in 0..=request.redirects {
            match self.step(&request).await? {
                Hop::Arrived(response) => return Ok(response),
                Hop::Redirected(url) => {
                    if url.origin() != request.url.origin() {
                        forget_secrets(&mut request);
                    }
                    request.url = url;
                }
            }
        }
        Err(EgressError::TooManyRedirects)
    }

    /// One request to one host, by addresses that were checked.
    async fn step(&self, request: &WebRequest) -> Result<Hop, EgressError> {
        let url = &request.url;
        let addresses = self.guard.check(url, request.own).await?;
        let client = self.client(addresses)?;
        let method = match request.body {
            Some(_) => Method::POST,
            None => Method::GET,
        };
        let mut asking = client
            .request(method, url.clone())
            .header(ACCEPT_ENCODING, HeaderValue::from_static(ACCEPTED))
            .header(
                ACCEPT_LANGUAGE,
                HeaderValue::from_static("en;q=0.8, *;q=0.5"),
            )
            .headers(request.headers.clone());
        if let Some(body) = &request.body {
            asking = asking.body(body.clone());
        }
        let response = asking.send().await.map_err(|error| unreachable(&error))?;
        if let Some(next) = redirected(url, &response) {
            return Ok(Hop::Redirected(next));
        }
        read(request, response).await.map(Hop::Arrived)
    }

    /// A client that connects to these addresses, whatever a name may mean by
    /// then.
    fn client(&self, addresses: Vec<SocketAddr>) -> Result<Client, EgressError> {
        Client::builder()
            .tls_backend_preconfigured(self.tls.clone())
            .dns_resolver(PinnedHost(addresses))
            .user_agent(USER_AGENT)
            .no_proxy()
            .referer(false)
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .build()
            .map_err(|error| EgressError::Tls {
                reason: error.to_string(),
            })
    }
}

/// Answers with the addresses that were checked.
struct PinnedHost(Vec<SocketAddr>);

impl Resolve for PinnedHost {
    fn resolve(&self, _: Name) -> Resolving {
        let addresses: Addrs = Box::new(self.0.clone().into_iter());
        Box::pin(std::future::ready(Ok(addresses)))
    }
}

/// Keys are for the host that they were meant for.
fn forget_secrets(request: &mut WebRequest) {
    let secret: Vec<HeaderName> = request
        .headers
        .iter()
        .filter(|(_, value)| value.is_sensitive())
        .map(|(name, _)| name.clone())
        .collect();
    for name in secret {
        request.headers.remove(name);
    }
}

/// Where the answer sends us.
fn redirected(from: &Url, response: &Response) -> Option<Url> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let place = response.headers().get(LOCATION)?.to_str().ok()?;
    let mut next = from.join(place).ok()?;
    next.set_fragment(None);
    Some(next)
}

async fn read(request: &WebRequest, mut response: Response) -> Result<WebResponse, EgressError> {
    let text = |name: &HeaderName| response.headers().get(name)?.to_str().ok();
    let kind = text(&CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
    let (content_type, parameters) = kind.split_once(';').unwrap_or((&kind, ""));
    let charset = parameters
        .split(';')
        .filter_map(|it| it.trim().strip_prefix("charset="))
        .map(|it| it.trim_matches(['"', '\'', ' ']).to_owned())
        .next();
    let content_type = content_type.trim().to_owned();
    let mut unpacker = Unpacker::new(text(&CONTENT_ENCODING), request.most_bytes)?;
    let status = response.status().as_u16();
    let mut packed = 0;
    while let Some(piece) = response.chunk().await.map_err(|it| unreachable(&it))? {
        packed += piece.len();
        if packed > request.most_bytes {
            return Err(EgressError::TooLarge);
        }
        unpacker.push(&piece)?;
    }
    Ok(WebResponse {
        url: request.url.clone(),
        status,
        content_type,
        charset,
        body: unpacker.finish()?,
    })
}

/// What the network said, without the address, which may hold a secret.
fn unreachable(error: &reqwest::Error) -> EgressError {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let reason = match cause.downcast_ref::<reqwest::Error>() {
        Some(_) if error.is_timeout() => "no connection in time".to_owned(),
        Some(_) => "the request could not be sent".to_owned(),
        None => cause.to_string(),
    };
    EgressError::Unreachable { reason }
}

#[cfg(test)]
mod tests;
