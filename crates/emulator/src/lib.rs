//! Discord in a box: REST v10, gateway v10 and attachments for a few guilds,
//! in memory, on a local port.
//!
//! Bots and the page talk to it as they talk to Discord; humans use the same
//! routes with their own tokens. It is a reading of Discord's documentation of
//! its own: it shares no code with the client side, so that neither hides a
//! mistake of the other.
//!
//! It promises to keep everything bounded, to answer with Discord's own error
//! codes, to enforce permissions, intents and rate limits, and to fail in the
//! ways that [`Faults`] are told to.
//!
//! ```no_run
//! # async fn play() -> std::io::Result<()> {
//! use kaiwa_emulator::{Emulator, World};
//! use tokio_util::sync::CancellationToken;
//!
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! let emulator = Emulator::new(World::default());
//! emulator.announce(listener.local_addr()?);
//! let bot = emulator.ready().bot;
//! emulator.serve(listener, axum::Router::new(), CancellationToken::new()).await
//! # }
//! ```

mod clock;
mod world;
mod realm;
mod wire;
mod state;
mod snapshot;
mod rest;
mod gateway;
mod buckets;
mod limits;
mod snowflake;
mod faults;
mod traffic;
mod server;
mod bots;
mod tls;
mod emulator;

pub use emulator::{Emulator, Ready, ReadyBot, ReadyGuild, ReadyUser, TranscriptMessage};
pub use faults::{
    Cut, FaultSpan, FaultStatus, Faults, HeldRequests, PrecedingRequest, Requests, RestFault,
};
pub use snapshot::SnapshotError;
pub use state::Counts;
pub use tls::{TlsIdentity, TlsIdentityError};
pub use traffic::{Difference, Recording, RecordingError, Replayed};
pub use world::{World, WorldError};
