//! Where things happen: the only crate that runs tasks.
//!
//! ```text
//! Inbound → dispatch → channel actor → turn ─┬─ think: model, tools → posts
//!                                            ├─ speak: posts → Discord
//!                                            └─ typing
//! ```
//!
//! One actor serves each active channel, one turn at a time; channels run in
//! parallel. Every queue is bounded. On shutdown nothing new is admitted, turns
//! that have begun to speak may finish within a grace period, and the rest stay
//! in the journal for the next start.

mod tasks;
mod clock;
mod bot;
mod dispatch;
mod stop;
mod channel;
mod eyes;
mod turn;
mod think;
mod speak;
mod typing;
mod recover;

pub use bot::{Bot, Halt, Setup};
pub use clock::SystemClock;
pub use eyes::Eyes;
pub use tasks::Tasks;
