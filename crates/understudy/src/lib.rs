//! The understudy: a scripted model behind a real HTTP endpoint.
//!
//! It stands in where no model is at hand, so that everything around a model
//! can be seen and tested: streaming, lists, code, tables, long answers,
//! thinking, tool calls, refusals, errors and silence, each on request. It
//! speaks OpenAI's chat format and never pretends to understand anything.
//!
//! Beside it stands a [library](serve_library) of a few pages that can be
//! searched, for a model that looks things up.
//!
//! The same request gets the same answer in the same pieces, and a client that
//! leaves ends its reply. The crate depends on no other of Kaiwa's: what talks
//! to it talks over the wire.

mod server;
mod wire;
mod pace;
mod script;
mod prompt;
mod text;
mod library;

pub use library::serve_library;
pub use pace::StreamPace;
pub use server::{Understudy, serve};
