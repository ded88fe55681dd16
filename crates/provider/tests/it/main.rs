//! The adapters against a scripted server over real sockets.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod test_server;
mod hand_clock;
mod answers;
mod formats;
mod requests;
mod signatures;
mod unsupported;
mod sides;
mod hostile;
mod failures;
mod timing;
mod models;
mod scripted_server;
mod routing;
mod cooldowns;
mod log;
mod isolation;
mod lasting;
mod waiting;
mod budget;
