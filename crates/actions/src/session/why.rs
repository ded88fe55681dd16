//! `/why`: why the last message was answered, or was not.

use std::sync::Arc;

use kaiwa_domain::ToolError;
use kaiwa_domain::port::{Conversations, Pending};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, Grant};

/// How many decisions are told.
const TOLD: usize = 5;

/// Tells what was decided lately.
pub struct Why {
    conversations: Arc<dyn Conversations>,
}

impl Why {
    /// In `conversations`.
    pub const fn new(conversations: Arc<dyn Conversations>) -> Self {
        Self { conversations }
    }
}

/// Nothing.
#[derive(Deserialize, JsonSchema)]
pub struct WhyArguments {}

impl Action for Why {
    type Arguments = WhyArguments;

    fn declaration(&self) -> Declaration {
        Declaration::reading("why", "Why the last messages were answered or not.")
            .as_command(CommandEntrance::private("why"))
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        _: WhyArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        let turn = grant.turn();
        // The newest decision is the one about this very command.
        let decided = self.conversations.decisions(turn.channel, TOLD + 1);
        let lines: Vec<String> = decided
            .into_iter()
            .filter(|it| it.trigger != turn.id.trigger)
            .take(TOLD)
            .map(|it| {
                let seconds = it.at.as_millis() / 1000;
                let (who, outcome, reason) = (it.user, it.outcome, it.reason);
                format!("<t:{seconds}:R> <@{who}>: {outcome} ({reason})")
            })
            .collect();
        let done = match lines.is_empty() {
            true => Done::new("nothing was decided").showing(Phrase::new("why-nothing")),
            false => {
                let lines = lines.join("\n");
                Done::new(lines.clone()).showing(Phrase::new("why-done").with("lines", lines))
            }
        };
        Box::pin(std::future::ready(Ok(done)))
    }
}
