//! The crate against servers on a real socket, with time moved by hand.

#![allow(unreachable_pub, reason = "modules of a test share freely")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod clock;
mod fake;
mod peer;
mod rest;
mod tables;
mod gateway;
mod memory;
mod whole;
mod rights;
mod hierarchy;
mod secrets;
mod webhooks;
mod portraits;
