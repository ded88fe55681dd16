//! Signatures that say who made them.
//!
//! What a vendor wants back unread is of use to the model that made it and to
//! nobody else: another one, asked in its place, would refuse the request.

use crate::Endpoint;

/// Who signs: a model at a server, in its wire format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Maker(String);

impl Maker {
    pub(crate) fn at(endpoint: &Endpoint) -> Self {
        let host = endpoint.base_url.host_str().unwrap_or_default();
        Self(format!("{} {host} {}\n", endpoint.format, endpoint.model))
    }

    /// Puts the maker's name before what it wants back.
    pub(crate) fn seal(&self, opaque: &str) -> String {
        format!("{}{opaque}", self.0)
    }

    /// What the maker wants back; none if somebody else made it.
    pub(crate) fn open<'a>(&self, sealed: &'a str) -> Option<&'a str> {
        sealed.strip_prefix(&self.0)
    }
}
