//! `/refresh`: lets the conversation of a channel begin anew.

use std::sync::Arc;

use kaiwa_domain::port::{Clock, Memories, Pending};
use kaiwa_domain::{MessageId, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{interaction, not_recorded};
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, EffectClass, Grant};

/// Draws a line below what was said.
pub struct Refresh {
    memories: Arc<dyn Memories>,
    clock: Arc<dyn Clock>,
}

impl Refresh {
    /// In `memories`.
    pub const fn new(memories: Arc<dyn Memories>, clock: Arc<dyn Clock>) -> Self {
        Self { memories, clock }
    }
}

/// Nothing.
#[derive(Deserialize, JsonSchema)]
pub struct RefreshArguments {}

impl Action for Refresh {
    type Arguments = RefreshArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            class: EffectClass::Changes,
            ..Declaration::reading("refresh", "Forgets what was said in this channel.")
        }
        .as_command(CommandEntrance::public("refresh"))
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        _: RefreshArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            // The ids of messages and interactions are of one sequence.
            let from = MessageId::new(interaction(turn)?.get());
            let at = self.clock.now();
            self.memories
                .reset_context(turn.scope, turn.channel, from, at)
                .await
                .map_err(|error| not_recorded(&error))?;
            Ok(Done::new("refreshed").showing(Phrase::new("refresh-done")))
        })
    }
}
