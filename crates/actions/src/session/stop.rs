//! `/stop`: ends the answer that somebody waits for.

use std::sync::Arc;

use kaiwa_domain::port::{Conversations, Pending};
use kaiwa_domain::{Rights, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{interaction, not_recorded};
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, EffectClass, Grant, Needs};

/// Ends answers.
pub struct StopAnswers {
    conversations: Arc<dyn Conversations>,
}

impl StopAnswers {
    /// Those of `conversations`.
    pub const fn new(conversations: Arc<dyn Conversations>) -> Self {
        Self { conversations }
    }
}

/// Whose answers end.
#[derive(Deserialize, JsonSchema)]
pub struct StopArguments {
    /// Everybody's answers in this channel, not only those of who asks.
    #[serde(default)]
    everybody: bool,
}

impl Action for StopAnswers {
    type Arguments = StopArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            class: EffectClass::Changes,
            ..Declaration::reading("stop", "Ends the answer that is being given.")
        }
        .as_command(CommandEntrance::private("stop"))
    }

    /// Moderators may end the answers of others.
    fn further_needs(&self, arguments: &StopArguments) -> Needs {
        Needs {
            asker: match arguments.everybody {
                true => Rights::MANAGE_MESSAGES,
                false => Rights::NONE,
            },
            bot: Rights::NONE,
        }
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        StopArguments { everybody }: StopArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            let event = interaction(turn)?;
            let asker = (!everybody).then_some(turn.asker);
            let stopped = self
                .conversations
                .stop(turn.scope, turn.channel, asker, event)
                .await
                .map_err(|error| not_recorded(&error))?;
            Ok(match stopped {
                true => Done::new("stopped").showing(Phrase::new("stop-done")),
                false => Done::new("nothing to stop").showing(Phrase::new("stop-nothing")),
            })
        })
    }
}
