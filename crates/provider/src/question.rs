//! One question to a model, and how it is put.

use std::sync::Arc;

use kaiwa_domain::{Brief, ModelError, Scope};
use reqwest::{Client, RequestBuilder};

use crate::Endpoint;
use crate::unsupported::{Parameters, Unsupported};

/// A question that has not been answered.
pub(crate) struct PendingRequest {
    endpoint: Arc<Endpoint>,
    client: Client,
    brief: Arc<Brief>,
    /// What the model is known not to support.
    unsupported: Arc<Unsupported>,
    /// What is left out.
    without: Parameters,
    /// What of it was found out now and holds for other questions too.
    lasting: Parameters,
}

impl PendingRequest {
    pub(crate) fn new(
        endpoint: Arc<Endpoint>,
        client: Client,
        brief: Arc<Brief>,
        unsupported: Arc<Unsupported>,
    ) -> Self {
        Self {
            without: unsupported.known(scope(&brief)),
            lasting: Parameters::default(),
            endpoint,
            client,
            brief,
            unsupported,
        }
    }

    pub(crate) fn request(&self) -> RequestBuilder {
        let endpoint = &self.endpoint;
        let request = if self.without == Parameters::default() {
            endpoint.format.request(endpoint, &self.brief)
        } else {
            let (mut endpoint, mut brief) = (Endpoint::clone(endpoint), Brief::clone(&self.brief));
            self.without.leave_out(&mut endpoint, &mut brief);
            endpoint.format.request(&endpoint, &brief)
        };
        let post = self.client.post(request.url).json(&request.body);
        let headers = endpoint.format.headers().iter();
        headers.fold(post, |post, (name, value)| post.header(*name, *value))
    }

    /// Whether it can be put otherwise, now that it was refused. Each part is
    /// left out at most once, so this ends.
    pub(crate) fn reconsider(&mut self, refusal: &ModelError) -> bool {
        match self.without.learn(&self.endpoint, &self.brief, refusal) {
            Some(lasting) => {
                self.lasting.extend(lasting);
                true
            }
            None => false,
        }
    }

    /// The server took it as it was put. Only now is it certain that the parts
    /// left out were to blame.
    pub(crate) fn accepted(self) {
        self.unsupported.remember(self.lasting, scope(&self.brief));
    }

    pub(crate) fn brief(&self) -> Arc<Brief> {
        Arc::clone(&self.brief)
    }
}

/// Where it was asked, if that is known.
fn scope(brief: &Brief) -> Option<Scope> {
    brief.payer.map(|payer| payer.scope)
}
