//! Language models behind [`kaiwa_domain::port::ChatModel`].
//!
//! The one crate that knows vendors' JSON. A wire format decides what is sent
//! and how the answer is read ([`OpenAiChat`]); everything the formats share,
//! an exchange over HTTP with its timeouts, is written once.
//!
//! Promises, for every format:
//! - [`Finish`](kaiwa_domain::Delta::Finish) comes last and once, or an error
//!   comes last and once.
//! - Dropping an answer closes its connection.
//! - Whatever the server sends, memory is bounded and work is linear.
//! - Keys never reach a log or an error, and prompts never reach a log.
//!
//! To add a wire format, add a file under `format/` with its request and its
//! `Decoder`.

mod endpoint;
mod format;
mod exchange;
mod sse;
mod http;
mod failure;
mod models;

pub use endpoint::{Endpoint, EndpointError};
pub use format::openai_chat::OpenAiChat;
pub use models::{list_models, local_servers};
