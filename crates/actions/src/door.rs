//! The one way to every action.

#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{ActionHost, Clock, Pending, Permissions};
use kaiwa_domain::{ChatError, Rights, Settlement, Tool, ToolCall, ToolError, Turn, UserId};

use crate::action::TypedCall;
use crate::{Declaration, EffectClass, Registry};

/// A call that takes longer than this is worth a look.
const SLOW: Duration = Duration::from_secs(5);

/// Lets in what may be done.
///
/// The model is told of every action that may be used in the place where a turn
/// is, whatever the asker may do there: rights are asked for only when an action
/// is about to run. Most turns run none, and what was true when the model was
/// asked need not be true any more.
pub struct Door {
    registry: Registry,
    permissions: Arc<dyn Permissions>,
    bot: UserId,
    clock: Arc<dyn Clock>,
}

/// A call that has passed the door. Nothing else can make one:
///
/// ```compile_fail,E0451
/// fn forged(turn: &kaiwa_domain::Turn) -> kaiwa_actions::Grant<'_> {
///     kaiwa_actions::Grant { turn }
/// }
/// ```
pub struct Grant<'a> {
    turn: &'a Turn,
}

impl<'a> Grant<'a> {
    /// The turn that the call belongs to.
    pub const fn turn(&self) -> &'a Turn {
        self.turn
    }
}

impl Door {
    /// To the actions of `registry`, which are done as `bot`.
    pub const fn new(
        registry: Registry,
        permissions: Arc<dyn Permissions>,
        bot: UserId,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            registry,
            permissions,
            bot,
            clock,
        }
    }

    async fn pass(&self, turn: &Turn, call: &ToolCall) -> Result<String, ToolError> {
        let entry = self.registry.find(&call.name);
        let available = entry.filter(|it| it.declaration.place.includes(turn.scope));
        let Some(entry) = available else {
            return Err(ToolError::Unknown {
                name: call.name.clone(),
            });
        };
        let declaration = &entry.declaration;
        let typed = entry.action.read(&call.arguments)?;

        let begun = self.clock.now();
        let result = tokio::select! {
            biased;
            result = self.run_if_allowed(turn, declaration, typed) => result,
            () = self.clock.sleep(declaration.timeout) => Err(ToolError::Failed {
                reason: "it took too long".to_owned(),
            }),
        };
        let took = self.clock.now().since(begun);
        if took > SLOW {
            tracing::warn!(turn = %turn.id, action = declaration.name, ?took, "an action was slow");
        }
        if declaration.class != EffectClass::Reads {
            let outcome = if result.is_ok() { "done" } else { "not done" };
            tracing::info!(
                turn = %turn.id,
                scope = %turn.scope,
                asker = %turn.asker,
                action = declaration.name,
                outcome,
                "an action that changes something was asked for"
            );
        }
        result
    }

    async fn run_if_allowed<'a>(
        &self,
        turn: &'a Turn,
        declaration: &Declaration,
        typed: TypedCall<'a>,
    ) -> Result<String, ToolError> {
        let asker_needs = declaration.asker_needs.with(typed.needs);
        let bot_needs = declaration.bot_needs.with(typed.needs);
        self.check(turn, turn.asker, "the asker", asker_needs)
            .await?;
        self.check(turn, self.bot, "the bot", bot_needs).await?;
        if declaration.class == EffectClass::Dangerous {
            return Err(ToolError::Denied {
                reason: "a person has to confirm it, and nobody did".to_owned(),
            });
        }
        (typed.run)(Grant { turn }).await
    }

    /// Whether `user` may do what is needed. What cannot be found out is not
    /// allowed.
    async fn check(
        &self,
        turn: &Turn,
        user: UserId,
        who: &str,
        needs: Rights,
    ) -> Result<(), ToolError> {
        if needs.is_empty() {
            return Ok(());
        }
        let held = self.permissions.of(turn.scope, turn.channel, user).await;
        let missing = match held {
            Ok(held) => needs.without(held),
            Err(error @ ChatError::Refused { .. }) => {
                return Err(ToolError::Denied {
                    reason: error.to_string(),
                });
            }
            Err(error) => {
                return Err(ToolError::Failed {
                    reason: format!("what {who} may do could not be found out: {error}"),
                });
            }
        };
        if missing.is_empty() {
            return Ok(());
        }
        tracing::info!(turn = %turn.id, who, %missing, "an action is not allowed");
        Err(ToolError::Denied {
            reason: format!("{who} lacks the permission {missing}"),
        })
    }
}

impl ActionHost for Door {
    fn tools(&self, turn: &Turn) -> Vec<Tool> {
        let declarations = self.registry.declarations();
        declarations
            .filter(|it| it.place.includes(turn.scope))
            .map(Declaration::tool)
            .collect()
    }

    fn settlement(&self, name: &str) -> Settlement {
        let entry = self.registry.find(name);
        entry.map_or(Settlement::AtMostOnce, |it| it.declaration.settlement)
    }

    fn run<'a>(
        &'a self,
        turn: &'a Turn,
        call: &'a ToolCall,
    ) -> Pending<'a, Result<String, ToolError>> {
        Box::pin(self.pass(turn, call))
    }
}
