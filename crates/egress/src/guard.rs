//! Where a request may go.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use kaiwa_domain::port::Pending;
use url::{Host, Url};

use crate::{EgressError, is_public};

/// The ports of the web.
const PORTS: [u16; 2] = [80, 443];

/// Why a request does not go where it should.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forbidden {
    /// Only HTTP is spoken.
    Scheme,
    /// There is a user or a password in the address.
    Credentials,
    /// The web is not at this port.
    Port(u16),
    /// There is no host in the address.
    Host,
    /// The host is not on the open internet.
    Address(IpAddr),
}

impl fmt::Display for Forbidden {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme => "only http and https addresses can be opened".fmt(formatter),
            Self::Credentials => "the address holds a user name or a password".fmt(formatter),
            Self::Port(port) => write!(formatter, "port {port} is not one of the web"),
            Self::Host => "the address names no host".fmt(formatter),
            Self::Address(_) => {
                "the address belongs to a private or reserved network".fmt(formatter)
            }
        }
    }
}

/// Knows the addresses of hosts.
pub trait HostResolver: Send + Sync {
    /// The addresses of a host.
    fn lookup<'a>(&'a self, host: &'a str) -> Pending<'a, io::Result<Vec<IpAddr>>>;
}

/// What the machine goes by.
#[derive(Clone, Copy, Debug)]
pub struct SystemResolver;

impl HostResolver for SystemResolver {
    fn lookup<'a>(&'a self, host: &'a str) -> Pending<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((host, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Checks addresses, and finds out where hosts are.
#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) resolver: Arc<dyn HostResolver>,
    /// What may be gone to though it is not public.
    pub(crate) allowed: Vec<SocketAddr>,
}

impl Guard {
    /// The addresses to connect to for `url`, each checked; with `own`, the
    /// server is one of the operator's, wherever it is.
    pub(crate) async fn check(&self, url: &Url, own: bool) -> Result<Vec<SocketAddr>, EgressError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Forbidden::Scheme.into());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Forbidden::Credentials.into());
        }
        let port = url.port_or_known_default().ok_or(Forbidden::Host)?;
        let addresses = match url.host().ok_or(Forbidden::Host)? {
            Host::Ipv4(address) => vec![IpAddr::V4(address)],
            Host::Ipv6(address) => vec![IpAddr::V6(address)],
            Host::Domain(name) => {
                // No name is worth asking for at such a port.
                let anywhere = own || self.allowed.iter().any(|it| it.port() == port);
                if !anywhere && !PORTS.contains(&port) {
                    return Err(Forbidden::Port(port).into());
                }
                let found = self.resolver.lookup(name).await;
                found.map_err(|_| EgressError::NoSuchHost)?
            }
        };
        if addresses.is_empty() {
            return Err(EgressError::NoSuchHost);
        }
        let addresses: Vec<SocketAddr> = addresses
            .into_iter()
            .map(|address| SocketAddr::new(address, port))
            .collect();
        if own {
            return Ok(addresses);
        }
        // One bad address among good ones is no mistake.
        for address in addresses.iter().filter(|it| !self.allowed.contains(it)) {
            if !is_public(address.ip()) {
                return Err(Forbidden::Address(address.ip()).into());
            }
            if !PORTS.contains(&port) {
                return Err(Forbidden::Port(port).into());
            }
        }
        Ok(addresses)
    }
}
