//! `remember_this_fact`: keeps something about who asks, or about the server.

use std::sync::Arc;

use kaiwa_domain::port::{Clock, Memories, Pending};
use kaiwa_domain::{
    Audience, FACT_CHARS, FactId, FactSource, NewFact, Rights, StoreError, ToolError, Turn, UserId,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::failed;
use crate::phrase::{Phrase, plain};
use crate::{Action, CommandEntrance, Declaration, Description, Done, EffectClass, Grant, Needs};

/// Remembers facts.
pub struct RememberFact {
    memories: Arc<dyn Memories>,
    clock: Arc<dyn Clock>,
    is_private: Box<dyn Fn(&Turn) -> bool + Send + Sync>,
}

impl RememberFact {
    /// In `memories`; `is_private` tells whether not everybody of the guild
    /// may read where a turn takes place.
    pub fn new(
        memories: Arc<dyn Memories>,
        clock: Arc<dyn Clock>,
        is_private: impl Fn(&Turn) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self {
            memories,
            clock,
            is_private: Box::new(is_private),
        }
    }

    /// The same fact, if it is known.
    async fn known(&self, fact: &NewFact) -> Result<Option<FactId>, StoreError> {
        let facts = self.memories.facts(fact.scope).await?;
        let same = |it: &NewFact| {
            it.about == fact.about
                && it.audience == fact.audience
                && it.text == fact.text
                && !it.has_expired(fact.learned_at)
        };
        let found = facts.into_iter().find(|it| same(&it.learned));
        Ok(found.map(|it| it.id))
    }
}

/// What to remember.
#[derive(Deserialize, JsonSchema)]
pub struct RememberArguments {
    /// The fact in one sentence that can be understood later, in their words.
    #[schemars(length(max = 1000))]
    fact: String,
    /// Whom it is about: me, who asks, or the server.
    #[serde(default)]
    about: FactSubject,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum FactSubject {
    #[default]
    Me,
    Server,
}

impl FactSubject {
    const fn user(self, asker: UserId) -> Option<UserId> {
        match self {
            Self::Me => Some(asker),
            Self::Server => None,
        }
    }
}

impl Action for RememberFact {
    type Arguments = RememberArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance::private("memory add")),
            class: EffectClass::Changes,
            ..Declaration::reading(
                "remember_this_fact",
                "Remembers a fact for later conversations. Use it when who asks wants you to \
                 remember something, and never for what others wrote.",
            )
        }
    }

    /// What is known of a server is for those to say who run it.
    fn further_needs(&self, arguments: &RememberArguments) -> Needs {
        Needs {
            asker: match arguments.about {
                FactSubject::Me => Rights::NONE,
                FactSubject::Server => Rights::MANAGE_GUILD,
            },
            bot: Rights::NONE,
        }
    }

    fn describe<'a>(
        &'a self,
        _: &'a Turn,
        arguments: &'a RememberArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            let phrase = Phrase::new(match arguments.about {
                FactSubject::Me => "describe-remember",
                FactSubject::Server => "describe-remember-server",
            });
            let phrase = phrase.with("fact", plain(&arguments.fact));
            Ok(Some(Description::new(phrase)))
        })
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        RememberArguments { fact, about }: RememberArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            let text = fact.trim();
            if text.is_empty() || text.chars().count() > FACT_CHARS {
                return Err(ToolError::BadArguments {
                    problem: format!("fact: write something, up to {FACT_CHARS} characters"),
                });
            }
            let message = turn.id.trigger.message();
            let fact = NewFact {
                scope: turn.scope,
                about: about.user(turn.asker),
                audience: Audience::of_channel(turn.scope, turn.channel, (self.is_private)(turn)),
                author: Some(turn.asker),
                // Words reach us through the model, a command does not.
                source: match message {
                    Some(_) => FactSource::Noted,
                    None => FactSource::Told,
                },
                channel: Some(turn.channel),
                message,
                text: text.to_owned(),
                learned_at: self.clock.now(),
                expires_at: None,
            };
            let known = self.known(&fact).await.map_err(failed)?;
            let id = match known {
                Some(id) => id,
                None => match self.memories.remember(&fact).await {
                    Ok(id) => id,
                    Err(StoreError::Conflict { .. }) => {
                        let done = Done::new("nothing was kept: there is no room for more");
                        return Ok(done.showing(Phrase::new("memory-full")));
                    }
                    Err(error) => return Err(failed(error)),
                },
            };
            let shown = Phrase::new("memory-learned")
                .with("fact", text)
                .with("number", id.to_string());
            let done = Done::new(format!("remembered as #{id}")).showing(shown);
            Ok(done.undone_by("forget", &json!({ "fact": id.to_string() })))
        })
    }
}
