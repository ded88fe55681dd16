//! The path of a message, as four stages in the order of the alphabet:
//!
//! ```text
//! admit     is it for us?                    Message  → Admitted | Ignored(why)
//! brief     what must the model know?        Admitted → Brief
//! converse  what does the model's talk mean? News     → Act
//! deliver   how does it read best?           text     → Outgoing
//! ```
//!
//! Stages are pure: no IO, no clock, no randomness, no async. They return
//! values and do not fail. No stage knows another; the runtime carries what one
//! returns to the next.

pub mod admit;
pub mod brief;
pub mod converse;
pub mod deliver;
