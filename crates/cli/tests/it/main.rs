//! The binary as a person meets it: what it prints, and how it ends.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::panic,
    reason = "a test that cannot set its stage fails"
)]

mod terminal;
mod server;
#[cfg(unix)]
mod home;
#[cfg(target_os = "linux")]
mod disk;
mod commands;
mod ask;
mod settings;
mod memory;
mod readme;
#[cfg(unix)]
mod emulate;
#[cfg(unix)]
mod models;
#[cfg(unix)]
mod operation;
mod persona;
#[cfg(unix)]
mod restore;
