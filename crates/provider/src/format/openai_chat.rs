//! OpenAI's chat completions, which most servers speak.

use std::sync::Arc;

use kaiwa_domain::port::{Answer, ChatModel, Clock};
use kaiwa_domain::{Brief, Role};
use reqwest::Client;
use serde::Serialize;

use crate::exchange::Exchange;
use crate::{Endpoint, EndpointError, http};

mod decode;
mod tool_calls;

/// A model behind `POST {base_url}/chat/completions`.
pub struct OpenAiChat {
    endpoint: Arc<Endpoint>,
    client: Client,
    clock: Arc<dyn Clock>,
}

impl OpenAiChat {
    /// Makes a model with a connection pool of its own. Nothing is sent yet.
    ///
    /// # Errors
    /// If no request to this endpoint could ever succeed.
    pub fn new(endpoint: Endpoint, clock: Arc<dyn Clock>) -> Result<Self, EndpointError> {
        endpoint.check()?;
        Ok(Self {
            client: http::client(endpoint.key.as_ref())?,
            endpoint: Arc::new(endpoint),
            clock,
        })
    }
}

impl ChatModel for OpenAiChat {
    fn answer(&self, brief: Brief) -> Answer {
        let url = http::under(&self.endpoint.base_url, "chat/completions");
        let request = self
            .client
            .post(url)
            .json(&Request::new(&self.endpoint, &brief));
        Exchange::new(
            Arc::clone(&self.endpoint),
            Arc::clone(&self.clock),
            request,
            Box::new(decode::ChatDecoder::default()),
        )
        .answer()
    }
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    stream: bool,
    stream_options: StreamOptions,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
}

impl<'a> Request<'a> {
    fn new(endpoint: &'a Endpoint, brief: &'a Brief) -> Self {
        let system = Message {
            role: "system",
            content: &brief.system,
        };
        let lines = brief.lines.iter().map(|line| Message {
            role: match line.role {
                Role::User => "user",
                Role::Assistant => "assistant",
            },
            content: &line.text,
        });
        Self {
            model: &endpoint.model,
            messages: std::iter::once(system).chain(lines).collect(),
            stream: true,
            stream_options: StreamOptions {
                include_usage: true,
            },
            max_tokens: endpoint.max_output_tokens,
        }
    }
}
