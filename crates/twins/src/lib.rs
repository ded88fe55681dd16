//! The ports in memory, for tests of what is behind them.
//!
//! | twin | of |
//! |---|---|
//! | [`MemoryStore`] | `Store`, `Sessions`, `Ledger`, `SettingsStore`, `Memories`, `Schedules` and what goes with them; it passes the store's own suite |
//! | [`MemoryChat`] | `Chat`, with Discord's memory of nonces |
//! | [`StagedConversations`] | `Conversations`: writes down what is asked of them |
//! | [`MemoryGuilds`] | `Moderation`: members, bans and roles |
//! | [`ScriptedModel`] | `ChatModel`: says its lines, and goes on where it was cut |
//! | [`ScriptedTools`] | `ActionHost`: counts what was run |
//! | [`StillClock`] | `Clock`: time moves only when told |
//!
//! A test that drops a future falls between two awaits. So every call that
//! changes something waits once before the change and once after it: a drop can
//! fall before, or after the change and before its answer. What the twins hold
//! outlives whoever calls them, as a disk and a server do.

mod chat;
mod clock;
mod conversations;
mod guild;
mod model;
mod store;
mod tools;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;

pub use chat::MemoryChat;
pub use clock::StillClock;
pub use conversations::StagedConversations;
pub use guild::MemoryGuilds;
pub use model::ScriptedModel;
pub use store::MemoryStore;
pub use tools::ScriptedTools;

/// An await point: pending once.
async fn pause() {
    let mut waited = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut waited, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

fn lock<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
