//! What end-to-end tests are written with.
//!
//! A [`Story`](story::Story) is the emulator, a bot and a model whose every
//! delta is released by the test, all over real sockets and a real database
//! file. Time stands still unless the test moves it.
//!
//! A [`Page`](browser::page::Page) is the playground in a real
//! [`Browser`](browser::Browser), as a person uses it.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot set its stage fails"
)]

pub mod canary;
pub mod clock;
pub mod log;
pub mod model;
pub mod tool;
pub mod story;
pub mod crash;
pub mod browser;

use std::time::Duration;

/// A step that takes longer than this is stuck.
const PATIENCE: Duration = Duration::from_secs(20);

/// Waits for something that is bound to happen; `what` says what is missing if
/// it does not.
///
/// # Panics
/// If it does not happen.
pub async fn soon<T>(what: &str, event: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, event).await {
        Ok(happened) => happened,
        Err(_) => panic!("still waiting for {what}"),
    }
}

/// A plain HTTP client, as the people in a story use it.
pub fn http() -> reqwest::Client {
    // reqwest wants a TLS library even where nothing is encrypted.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::new()
}
