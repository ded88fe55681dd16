//! `recall`: looks for what is remembered.
//!
//! For the model alone: what it finds may be told to the readers of the
//! channel. People look with `/memory show`, which only they see.

use std::sync::Arc;

use kaiwa_domain::port::{Clock, Memories, Pending, Recall};
use kaiwa_domain::{ToolError, UserId};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{failed, line};
use crate::{Action, Declaration, Done, EffectClass, Grant};

/// How many facts are told.
const MOST: u16 = 20;

/// Looks for facts.
pub struct RecallFacts {
    memories: Arc<dyn Memories>,
    clock: Arc<dyn Clock>,
    is_read: Box<dyn Fn(UserId) -> bool + Send + Sync>,
}

impl RecallFacts {
    /// In `memories`; `is_read` tells whether somebody has not opted out.
    pub fn new(
        memories: Arc<dyn Memories>,
        clock: Arc<dyn Clock>,
        is_read: impl Fn(UserId) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self {
            memories,
            clock,
            is_read: Box::new(is_read),
        }
    }
}

/// What to look for.
#[derive(Deserialize, JsonSchema)]
pub struct RecallArguments {
    /// A few words of what you look for.
    #[schemars(length(max = 300))]
    query: String,
}

impl Action for RecallFacts {
    type Arguments = RecallArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            class: EffectClass::ReadsPrivate,
            ..Declaration::reading(
                "recall",
                "Looks for what you remember of people here and of the server, beyond what you \
                 were told at the start.",
            )
        }
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        RecallArguments { query }: RecallArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            let recall = Recall {
                scope: turn.scope,
                channel: turn.channel,
                asker: turn.asker,
                query: &query,
                limit: MOST,
                now: self.clock.now(),
            };
            let mut facts = self.memories.recall(&recall).await.map_err(failed)?;
            facts.retain(|it| it.learned.about.is_none_or(|user| (self.is_read)(user)));
            let lines: Vec<String> = facts
                .iter()
                .map(|fact| match fact.learned.about {
                    Some(user) => format!("{} (about <@{user}>)", line(fact)),
                    None => line(fact),
                })
                .collect();
            Ok(Done::new(match lines.is_empty() {
                true => "nothing is remembered of that".to_owned(),
                false => lines.join("\n"),
            }))
        })
    }
}
