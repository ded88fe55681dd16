//! What is going on between people and the bot, for those who want to look or
//! to change it.

mod help;
mod refresh;
mod regenerate;
mod status;
mod stop;
mod why;

pub use help::Help;
pub use refresh::Refresh;
pub use regenerate::Regenerate;
pub use status::Status;
pub use stop::StopAnswers;
pub use why::Why;

use kaiwa_domain::{InteractionId, StoreError, ToolError, Trigger, Turn};

/// The interaction that asked. These actions are for people alone.
pub(crate) fn interaction(turn: &Turn) -> Result<InteractionId, ToolError> {
    match turn.id.trigger {
        Trigger::Interaction(id) | Trigger::Component(id) => Ok(id),
        _ => Err(ToolError::Denied {
            reason: "only people may use it".to_owned(),
        }),
    }
}

fn not_recorded(error: &StoreError) -> ToolError {
    ToolError::Failed {
        reason: error.to_string(),
    }
}
