//! `forget`: takes back what is remembered.

use std::sync::Arc;

use kaiwa_domain::limits::CHOICES;
use kaiwa_domain::port::{Memories, Pending, Permissions};
use kaiwa_domain::{
    Fact, FactId, OptionChoice, Rights, RightsHolder, Scope, ToolError, Turn, UserId,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{failed, is_about, is_for_all_here, line};
use crate::phrase::{Phrase, plain};
use crate::{Action, CommandEntrance, Declaration, Description, Done, EffectClass, Grant};

/// How much of a choice is shown, in characters.
const CHOICE_CHARS: usize = 90;

/// Forgets facts.
pub struct ForgetFact {
    memories: Arc<dyn Memories>,
    permissions: Arc<dyn Permissions>,
}

impl ForgetFact {
    /// Of `memories`; `permissions` tells who runs a server.
    pub const fn new(memories: Arc<dyn Memories>, permissions: Arc<dyn Permissions>) -> Self {
        Self {
            memories,
            permissions,
        }
    }
}

/// Which one.
#[derive(Deserialize, JsonSchema)]
pub struct ForgetArguments {
    /// The number of the fact, as it is listed.
    #[schemars(with = "String", length(max = 10))]
    fact: FactNumber,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct FactNumber(FactId);

impl TryFrom<String> for FactNumber {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let number = text.trim().trim_start_matches('#').parse();
        number.map(Self).map_err(|_| "that is no number of a fact")
    }
}

impl Action for ForgetFact {
    type Arguments = ForgetArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance {
                completes: Some("fact"),
                ..CommandEntrance::private("memory forget")
            }),
            class: EffectClass::Changes,
            ..Declaration::reading(
                "forget",
                "Forgets a fact by its number, which recall tells, when who asks wants that.",
            )
        }
    }

    fn complete<'a>(
        &'a self,
        scope: Scope,
        user: UserId,
        typed: &'a str,
    ) -> Pending<'a, Vec<OptionChoice>> {
        Box::pin(async move {
            let typed = typed.to_lowercase();
            let facts = self.memories.facts(scope).await.unwrap_or_default();
            facts
                .iter()
                .filter(|it| is_about(it, user))
                .map(|it| OptionChoice {
                    name: line(it).chars().take(CHOICE_CHARS).collect(),
                    value: it.id.to_string(),
                })
                .filter(|it| it.name.to_lowercase().contains(&typed))
                .take(CHOICES)
                .collect()
        })
    }

    fn describe<'a>(
        &'a self,
        turn: &'a Turn,
        arguments: &'a ForgetArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            let facts = self.memories.facts(turn.scope).await.map_err(failed)?;
            let shown = |it: &&Fact| is_about(it, turn.asker) || is_for_all_here(it, turn);
            let found = facts
                .iter()
                .filter(shown)
                .find(|it| it.id == arguments.fact.0);
            let fact = found.map_or_else(|| "–".to_owned(), |it| plain(&it.learned.text));
            let phrase = Phrase::new("describe-forget")
                .with("number", arguments.fact.0.to_string())
                .with("fact", fact);
            Ok(Some(Description::new(phrase)))
        })
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        ForgetArguments { fact }: ForgetArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            let unknown = || {
                let done = Done::new("there is no such fact that is theirs to forget");
                done.showing(Phrase::new("memory-unknown"))
            };
            let facts = self.memories.facts(turn.scope).await.map_err(failed)?;
            let Some(found) = facts.iter().find(|it| it.id == fact.0) else {
                return Ok(unknown());
            };
            match found.learned.about {
                Some(user) if user == turn.asker => {}
                // What is about others is not even told to be there.
                Some(_) => return Ok(unknown()),
                None => {
                    let held = self
                        .permissions
                        .of(turn.scope, turn.channel, turn.asker)
                        .await;
                    let held = held.map_err(|error| ToolError::Failed {
                        reason: error.to_string(),
                    })?;
                    if !held.contains(Rights::MANAGE_GUILD) {
                        return Err(ToolError::Lacking {
                            who: RightsHolder::Asker,
                            missing: Rights::MANAGE_GUILD,
                        });
                    }
                }
            }
            let forgotten = self.memories.forget(turn.scope, fact.0).await;
            Ok(match forgotten.map_err(failed)? {
                true => Done::new("forgotten").showing(Phrase::new("memory-forgotten")),
                false => unknown(),
            })
        })
    }
}
