//! The emulator over real sockets.
#![cfg(test)]

mod test_emulator;

mod gateway;
mod guilds;
mod resume;
mod presence;
mod tls;
mod events;
mod messages;
mod threads;
mod expressions;
mod mentions;
mod history;
mod errors;
mod hostile;
mod hostile_gateway;
mod permissions;
mod door;
mod limits;
mod faults;
mod event_faults;
mod clock;
mod snapshots;
mod traffic;
mod world;
mod bots;
mod commands;
mod command_rules;
mod components;
mod layouts;
mod interactions;
mod answers;
mod modals;
mod webhooks;
mod garbage;
mod uploads;
