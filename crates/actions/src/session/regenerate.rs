//! `/regenerate`: another answer to the last question.

use std::sync::Arc;

use kaiwa_domain::port::{Conversations, Pending};
use kaiwa_domain::{RateClass, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{interaction, not_recorded};
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, EffectClass, Grant};

/// Answers once more.
pub struct Regenerate {
    conversations: Arc<dyn Conversations>,
}

impl Regenerate {
    /// In `conversations`.
    pub const fn new(conversations: Arc<dyn Conversations>) -> Self {
        Self { conversations }
    }
}

/// Nothing.
#[derive(Deserialize, JsonSchema)]
pub struct RegenerateArguments {}

impl Action for Regenerate {
    type Arguments = RegenerateArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            class: EffectClass::Changes,
            rate: Some(RateClass::Ai),
            ..Declaration::reading("regenerate", "Answers the last question once more.")
        }
        .as_command(CommandEntrance::private("regenerate"))
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        _: RegenerateArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            interaction(turn)?;
            let asked = self
                .conversations
                .regenerate(turn.scope, turn.channel, Some(turn.asker))
                .await
                .map_err(|error| not_recorded(&error))?;
            Ok(match asked {
                true => Done::new("answering again").showing(Phrase::new("regenerate-done")),
                false => Done::new("no question").showing(Phrase::new("regenerate-nothing")),
            })
        })
    }
}
