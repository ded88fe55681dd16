//! The binary `kaiwa`: configuration and wiring, one module per command.

mod args;
mod assembly;
mod process;
mod restart;
mod console;
mod exit;
mod play;
mod run;
mod emulate;
mod understudy;
mod doctor;
mod text;
mod prompt;
mod inspect;
mod provider;
mod ask;
mod settings;
mod memory;
mod persona;
mod personal;
mod restore_backup;
mod offline;
mod image;
mod models;
mod prices;
mod local;
mod reach;
mod search;
mod trust;
pub mod config;

pub use args::main;
pub use assembly::{BotParts, Fatal, RunningBot, open, start, start_with};
