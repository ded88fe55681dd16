//! The actions of a bot.

use std::sync::Arc;

use crate::action::AnyAction;
use crate::{Action, Declaration};

/// A set of actions, each with a name of its own.
#[derive(Clone, Default)]
pub struct Registry {
    entries: Vec<RegisteredAction>,
}

#[derive(Clone)]
pub(crate) struct RegisteredAction {
    pub(crate) declaration: Declaration,
    pub(crate) action: Arc<dyn AnyAction>,
}

impl Registry {
    /// Without any.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts an action in. One of the same name is replaced.
    #[must_use]
    pub fn with(mut self, action: impl Action) -> Self {
        self.put(RegisteredAction {
            declaration: action.declaration(),
            action: Arc::new(action),
        });
        self
    }

    /// Puts all of another registry in.
    #[must_use]
    pub fn with_all(mut self, others: Self) -> Self {
        for entry in others.entries {
            self.put(entry);
        }
        self
    }

    fn put(&mut self, entry: RegisteredAction) {
        let name = entry.declaration.name;
        self.entries.retain(|it| it.declaration.name != name);
        self.entries.push(entry);
    }

    pub(crate) fn find(&self, name: &str) -> Option<&RegisteredAction> {
        self.entries.iter().find(|it| it.declaration.name == name)
    }

    pub(crate) fn declarations(&self) -> impl Iterator<Item = &Declaration> {
        self.entries.iter().map(|it| &it.declaration)
    }
}
