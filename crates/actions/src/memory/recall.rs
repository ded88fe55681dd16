//! `recall`: looks for what is remembered.
//!
//! For the model alone: what it finds may be told to the readers of the
//! channel. People look with `/memory show`, which only they see.

use std::sync::Arc;

use kaiwa_domain::port::{Clock, Memories, Pending, Recall};
use kaiwa_domain::{ToolError, Turn, UserId};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{failed, line};
use crate::phrase::{Phrase, plain};
use crate::{Action, Declaration, Description, Done, EffectClass, Grant};

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

    fn describe<'a>(
        &'a self,
        _: &'a Turn,
        arguments: &'a RecallArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            let phrase = Phrase::new("describe-recall").with("query", plain(&arguments.query));
            Ok(Some(Description::new(phrase)))
        })
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
            let mut authors = facts.iter().filter_map(|it| it.learned.author);
            let others = authors.any(|author| author != turn.asker);
            let done = Done::new(match lines.is_empty() {
                true => "nothing is remembered of that".to_owned(),
                false => lines.join("\n"),
            });
            Ok(done.quoting_others(others))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use kaiwa_domain::port::ActionHost;
    use kaiwa_domain::{Audience, FactSource, GuildId, NewFact, Rights, Scope, Timestamp};
    use kaiwa_twins::MemoryStore;

    use super::*;
    use crate::Registry;
    use crate::door::tests::{ASKER, Held, Impatient, MODEL_ASKED, call, door_to, turn};

    /// A model that reads what others taught may want what its asker does not.
    #[tokio::test]
    async fn it_is_known_who_taught_what_is_told() {
        const OTHER: UserId = UserId::new(8);
        const GUILD: Scope = Scope::Guild(GuildId::new(3));
        for (authors, untrusted) in [
            (&[][..], false),
            (&[Some(ASKER)], false),
            // Whoever runs the bot is trusted.
            (&[Some(ASKER), None], false),
            (&[Some(OTHER)], true),
            (&[Some(ASKER), Some(OTHER)], true),
        ] {
            let clock = Arc::new(Impatient(Duration::ZERO));
            let store = Arc::new(MemoryStore::new(clock.clone()));
            for (number, author) in authors.iter().enumerate() {
                let fact = NewFact {
                    scope: GUILD,
                    about: None,
                    audience: Audience::Scope,
                    author: *author,
                    source: FactSource::Told,
                    channel: None,
                    message: None,
                    text: format!("the tea is at {number}"),
                    learned_at: Timestamp::from_millis(1),
                    expires_at: None,
                };
                store.remember(&fact).await.unwrap();
            }
            let action = RecallFacts::new(store, clock, |_| true);
            let held = Held::new(Rights::ALL, Rights::ALL);
            let registry = Registry::new().with(action);
            let door = door_to(registry, held, Impatient(Duration::ZERO));
            let call = call("recall", r#"{"query": "tea"}"#);
            let reply = door.run(&turn(GUILD), &call, MODEL_ASKED).await.unwrap();
            assert_eq!(reply.untrusted, untrusted, "{authors:?}: {}", reply.told);
        }
    }
}
