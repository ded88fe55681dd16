//! A model that can be asked.

use std::sync::Arc;

use kaiwa_domain::port::{Answer, ChatModel, Clock};
use kaiwa_domain::{Abilities, Brief};
use reqwest::Client;

use crate::exchange::Exchange;
use crate::hearing::{Hearing, Taking};
use crate::{Endpoint, EndpointError, http};

/// A model at an [`Endpoint`], whatever its wire format.
pub struct Model {
    endpoint: Arc<Endpoint>,
    client: Client,
    clock: Arc<dyn Clock>,
}

impl Model {
    /// Makes a model with a connection pool of its own. Nothing is sent yet.
    ///
    /// # Errors
    /// If no request to this endpoint could ever succeed.
    pub fn new(endpoint: Endpoint, clock: Arc<dyn Clock>) -> Result<Self, EndpointError> {
        let client = http::client(endpoint.auth, endpoint.key.as_ref())?;
        Self::over(client, endpoint, clock)
    }

    /// The same over a client that was made for the endpoint's key.
    pub(crate) fn over(
        client: Client,
        endpoint: Endpoint,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, EndpointError> {
        endpoint.check()?;
        Ok(Self {
            client,
            endpoint: Arc::new(endpoint),
            clock,
        })
    }
}

impl ChatModel for Model {
    fn answer(&self, brief: Brief) -> Answer {
        let endpoint = &self.endpoint;
        let request = endpoint.format.request(endpoint, &brief);
        let url = http::with_key(request.url, endpoint.auth, endpoint.key.as_ref());
        let mut post = self.client.post(url).json(&request.body);
        for (name, value) in request.headers {
            post = post.header(*name, *value);
        }
        let taking = match endpoint.quirks.in_band {
            true => Taking::InBand(&brief.tools),
            false => Taking::Verbatim,
        };
        let hearing = Hearing::new(endpoint.format, taking);
        Exchange::new(Arc::clone(endpoint), Arc::clone(&self.clock), post, hearing).answer()
    }

    fn abilities(&self) -> Abilities {
        self.endpoint.abilities
    }
}
