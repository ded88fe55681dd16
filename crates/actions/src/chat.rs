//! What people do in a conversation besides talking.

mod avatar;
mod create_thread;
mod message;
mod pin;
mod poll;
mod react;
mod sticker;
mod user_info;

use std::hash::{DefaultHasher, Hash, Hasher};

use kaiwa_domain::{ChatError, Nonce, ToolError, Turn};

pub use avatar::Avatar;
pub use create_thread::CreateThread;
pub use pin::Pin;
pub use poll::HoldPoll;
pub use react::React;
pub use sticker::SendSticker;
pub use user_info::UserInfo;

/// Discord's words for "you may not", see
/// [JSON Error Codes](https://docs.discord.com/developers/topics/opcodes-and-status-codes#json).
const MISSING_ACCESS: u32 = 50001;
const MISSING_PERMISSIONS: u32 = 50013;

/// The first index of what actions post themselves: beyond what any turn says.
const OWN_POSTS: u16 = 0xf000;

/// The name of something that an action posts in a turn: the same if the call
/// is made again, and another for something else.
fn nonce(turn: &Turn, what: &str) -> Nonce {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    let own = u16::try_from(hasher.finish() % 0xfff).unwrap_or_default();
    Nonce::new(turn.id, OWN_POSTS + own)
}

/// Why Discord did not do it.
fn failed(error: &ChatError) -> ToolError {
    match error {
        ChatError::Refused {
            code: MISSING_ACCESS | MISSING_PERMISSIONS,
            message,
            ..
        } => ToolError::Denied {
            reason: message.clone(),
        },
        error => ToolError::Failed {
            reason: error.to_string(),
        },
    }
}
