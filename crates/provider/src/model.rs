//! A model that can be asked.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{Answer, ChatModel, Clock};
use kaiwa_domain::{Abilities, Brief};
use reqwest::Client;

use crate::answer_decoder::{AnswerDecoder, Taking};
use crate::exchange::Exchange;
use crate::question::PendingRequest;
use crate::seal::Maker;
use crate::unsupported::Unsupported;
use crate::{Endpoint, EndpointError, http};

/// A model at an [`Endpoint`], whatever its wire format.
pub struct Model {
    endpoint: Arc<Endpoint>,
    client: Client,
    clock: Arc<dyn Clock>,
    unsupported: Arc<Unsupported>,
}

impl Model {
    /// Makes a model with a connection pool of its own. Nothing is sent yet.
    ///
    /// # Errors
    /// If no request to this endpoint could ever succeed.
    pub fn new(endpoint: Endpoint, clock: Arc<dyn Clock>) -> Result<Self, EndpointError> {
        let client = http::client(endpoint.auth, endpoint.key.as_ref())?;
        Self::over(client, endpoint, clock, Arc::default())
    }

    /// The same over a client that was made for the endpoint's key, with what
    /// is known of the model.
    pub(crate) fn over(
        client: Client,
        endpoint: Endpoint,
        clock: Arc<dyn Clock>,
        unsupported: Arc<Unsupported>,
    ) -> Result<Self, EndpointError> {
        endpoint.check()?;
        Ok(Self {
            client,
            endpoint: Arc::new(endpoint),
            clock,
            unsupported,
        })
    }
}

impl ChatModel for Model {
    fn answer(&self, brief: Brief) -> Answer {
        self.answer_within(self.endpoint.first_token_timeout, &Arc::new(brief))
    }

    fn name(&self) -> String {
        self.endpoint.model.clone()
    }

    fn abilities(&self) -> Abilities {
        self.endpoint.abilities
    }
}

impl Model {
    /// An answer that has to begin within `patience`.
    pub(crate) fn answer_within(&self, patience: Duration, brief: &Arc<Brief>) -> Answer {
        let endpoint = Arc::clone(&self.endpoint);
        let taking = Taking {
            in_band: endpoint.quirks.in_band.then_some(&brief.tools[..]),
            maker: Some(Maker::at(&endpoint)),
            keeps_thoughts: endpoint.quirks.wants_thoughts,
            keeps_usage: false,
            sent: Some(Arc::clone(brief)),
        };
        let decoder = AnswerDecoder::new(endpoint.format, taking);
        let question = PendingRequest::new(
            Arc::clone(&endpoint),
            self.client.clone(),
            Arc::clone(brief),
            Arc::clone(&self.unsupported),
        );
        let clock = Arc::clone(&self.clock);
        Exchange::new(endpoint, clock, question, decoder, patience).answer()
    }
}
