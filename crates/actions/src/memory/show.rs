//! `/memory show`: what is remembered of whoever asks, and of the server.
//!
//! A command and no tool of the model's: some of what it shows was said where
//! other readers of this channel were not.

use std::sync::Arc;

use kaiwa_domain::ToolError;
use kaiwa_domain::port::{Clock, Memories, Pending};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{failed, is_about, is_for_all_here, line};
use crate::listing::{LIST_UTF16, cut};
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, Grant};

/// Shows facts.
pub struct ShowMemory {
    memories: Arc<dyn Memories>,
    clock: Arc<dyn Clock>,
}

impl ShowMemory {
    /// Those of `memories`.
    pub const fn new(memories: Arc<dyn Memories>, clock: Arc<dyn Clock>) -> Self {
        Self { memories, clock }
    }
}

/// Nothing.
#[derive(Deserialize, JsonSchema)]
pub struct ShowMemoryArguments {}

impl Action for ShowMemory {
    type Arguments = ShowMemoryArguments;

    fn declaration(&self) -> Declaration {
        Declaration::reading("show_memory", "What is remembered of the asker.")
            .as_command(CommandEntrance::private("memory show"))
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        _: ShowMemoryArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            let now = self.clock.now();
            let mut facts = self.memories.facts(turn.scope).await.map_err(failed)?;
            facts.retain(|it| !it.learned.has_expired(now));
            let own: Vec<String> = facts
                .iter()
                .filter(|it| is_about(it, turn.asker))
                .map(line)
                .collect();
            let shared: Vec<String> = facts
                .iter()
                .filter(|it| is_for_all_here(it, turn))
                .map(line)
                .collect();
            if own.is_empty() && shared.is_empty() {
                return Ok(Done::new("nothing").showing(Phrase::new("memory-nothing")));
            }
            let none = || vec!["–".to_owned()];
            let own = if own.is_empty() { none() } else { own };
            let shared = if shared.is_empty() { none() } else { shared };
            let (own, left) = cut(&own, LIST_UTF16);
            let (shared, _) = cut(&shared, left);
            let shown = Phrase::new("memory-shown")
                .with("own", own)
                .with("shared", shared);
            Ok(Done::new("shown").showing(shown))
        })
    }
}
