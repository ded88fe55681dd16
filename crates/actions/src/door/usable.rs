//! What could be used now, without asking anybody: what the model is told of.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use kaiwa_domain::{ChannelId, Rights, ToolError, Turn};

use super::{Door, MODEL, is_open};
use crate::Declaration;

/// What asker and bot may do, as far as that is known.
#[derive(Clone, Copy)]
pub(super) struct KnownHolders {
    asker: Option<Rights>,
    bot: Option<Rights>,
}

impl Door {
    pub(super) fn known(&self, turn: &Turn) -> KnownHolders {
        let permissions = &self.ports.permissions;
        let known = |user| permissions.known(turn.scope, turn.channel, user);
        KnownHolders {
            asker: known(turn.asker),
            bot: known(self.ports.bot),
        }
    }

    /// Whether the model could use an action now. What is not known is no
    /// obstacle.
    pub(super) fn is_usable(
        &self,
        declaration: &Declaration,
        turn: &Turn,
        held: KnownHolders,
    ) -> bool {
        let lacks = |held: Option<Rights>, needs: Rights| {
            held.is_some_and(|held| !needs.without(held).is_empty())
        };
        is_open(declaration, turn, MODEL)
            && !lacks(held.asker, declaration.asker_needs)
            && !lacks(held.bot, declaration.bot_needs)
            && !self.running.holds(turn, declaration)
    }
}

/// What is under way of the actions that run [alone](Declaration::alone).
#[derive(Default)]
pub(super) struct RunningCalls(Mutex<HashSet<RunningCall>>);

type RunningCall = (ChannelId, &'static str);

/// The place of a call among those that run. Dropping it makes room for the
/// next.
pub(super) struct RunningPlace<'a> {
    running: &'a RunningCalls,
    call: RunningCall,
}

impl RunningCalls {
    pub(super) fn holds(&self, turn: &Turn, declaration: &Declaration) -> bool {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        running.contains(&(turn.channel, declaration.name))
    }

    /// Takes the place of the one call that may run in a channel.
    pub(super) fn begin(
        &self,
        turn: &Turn,
        declaration: &Declaration,
    ) -> Result<Option<RunningPlace<'_>>, ToolError> {
        if !declaration.alone {
            return Ok(None);
        }
        let call = (turn.channel, declaration.name);
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match running.insert(call) {
            true => Ok(Some(RunningPlace {
                running: self,
                call,
            })),
            false => Err(ToolError::Running),
        }
    }
}

impl Drop for RunningPlace<'_> {
    fn drop(&mut self) {
        let running = &self.running.0;
        let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
        running.remove(&self.call);
    }
}
