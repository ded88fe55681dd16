//! Tests of whole turns on the ports in memory.

mod world;

mod arriving;
mod backing_up;
mod departing;
mod dispatching;
mod edits;
mod every_await;
mod gauges;
mod health;
mod identities;
mod interactions;
mod recovery;
mod releasing;
mod reminders;
