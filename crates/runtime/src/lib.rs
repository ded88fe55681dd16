//! Where things happen: the only crate that runs tasks.
//!
//! ```text
//! Inbound → dispatch → channel actor → turn ─┬─ talk: model, tools → outbox rows
//!                                            ├─ send: rows → Discord
//!                                            └─ typing
//! ```
//!
//! One actor serves each active channel, one turn at a time; channels run in
//! parallel. Every queue is bounded. On shutdown nothing new is admitted, turns
//! that have begun to speak may finish within a grace period, and the rest stay
//! in the journal for the next start.

mod tasks;
mod clock;
mod health;
mod signals;
mod backups;
mod bot;
mod buttons;
mod settings;
mod dispatch;
mod activity;
mod decisions;
mod departures;
mod directory;
mod join_in;
mod newcomers;
mod catch_up;
mod waiting;
mod channel;
mod conversations;
mod interaction;
mod turn;
mod prepare;
mod history;
mod window;
mod files;
mod guises;
mod images;
mod memory;
mod merge;
mod offers;
mod personas;
mod portraits;
mod scene;
mod talk;
mod growing;
mod outbox;
mod personal;
mod send;
mod live;
mod pings;
mod reconcile;
mod typing;
mod recover;
mod schedule;
mod refusals;
mod release;
mod reports;
mod thoughts;
mod upkeep;

#[cfg(test)]
mod tests;

pub use bot::{Bot, Halt, MemoryBounds, Setup};
pub use buttons::ButtonRules;
pub use clock::{CorrectedClock, SystemClock};
pub use conversations::ConversationControl;
pub use decisions::Decisions;
pub use directory::Directory;
pub use health::{BotHealth, HealthCondition};
pub use images::ImageLoader;
pub use memory::Memory;
pub use personal::export_document;
pub use personas::{PersonaBook, ScopePersonas};
pub use recover::Rereads;
pub use scene::Scenes;
pub use schedule::Scheduler;
pub use settings::{
    ContextSettings, EditedQuestion, SettingError, Settings, StopLine, TurnSettings,
};
pub use tasks::Tasks;
pub use thoughts::ThoughtLog;
pub use waiting::WaitingList;
pub use window::MessageWindow;
