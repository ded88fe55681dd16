//! Language models behind [`kaiwa_domain::port::ChatModel`].
//!
//! The one crate that knows vendors' JSON. A [`Format`] decides what is sent
//! and how the answer is read; a [`Vendor`] is data: where it is, which format
//! it speaks, what is peculiar about it. Everything the formats share, from
//! the bytes to the deltas and an exchange over HTTP with its timeouts, is
//! written once.
//!
//! Promises, for every format:
//! - [`Finish`](kaiwa_domain::Delta::Finish) comes last and once, or an error
//!   comes last and once.
//! - How the network cuts the bytes changes nothing.
//! - Dropping an answer closes its connection.
//! - Whatever the server sends, memory is bounded and work is linear.
//! - What a model wants back unread goes back to it and to no other.
//! - Keys never reach a log or an error, and prompts never reach a log.
//!
//! To add a vendor, add an entry to `vendor/table.rs`. To add a wire format,
//! add a file under `format/` with its request and its `Decoder`.

mod router;
mod vendor;
mod endpoint;
mod model;
mod format;
mod sides;
mod seal;
mod question;
mod unsupported;
mod exchange;
mod answer_decoder;
mod reader;
mod lenient;
mod transcript;
mod inband;
mod replay;
mod http;
mod failure;
mod echo;
mod models;

pub use endpoint::{Endpoint, EndpointError};
pub use format::{Format, UnknownFormat};
pub use model::Model;
pub use models::{list_models, local_vendors, seems_to_chat};
pub use replay::{Replay, hear};
pub use router::{
    Budget, Candidate, FIRST_WORD_WITHIN, ModelPool, ModelRoute, Router, SpendLimit, UnknownPrice,
};
pub use vendor::{Auth, Card, Effort, Price, Quirks, VENDORS, Vendor};
