//! The actions of a bot.

use std::sync::Arc;

use kaiwa_domain::Tool;
use serde_json::{Map, Value};

use crate::action::AnyAction;
use crate::command::schema_of;
use crate::{Action, Declaration};

/// A set of actions, each with a name of its own.
#[derive(Clone, Default)]
pub struct Registry {
    entries: Vec<RegisteredAction>,
}

#[derive(Clone)]
pub(crate) struct RegisteredAction {
    pub(crate) declaration: Declaration,
    /// The schema of its arguments.
    pub(crate) schema: Arc<Map<String, Value>>,
    /// The action as the model sees it.
    pub(crate) tool: Tool,
    pub(crate) action: Arc<dyn AnyAction>,
}

impl Registry {
    /// Without any.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts an action in. One of the same name is replaced.
    #[must_use]
    pub fn with<A: Action>(mut self, action: A) -> Self {
        let (declaration, schema) = (action.declaration(), schema_of::<A::Arguments>());
        let tool = Tool {
            name: declaration.name.into(),
            description: declaration.summary.into(),
            schema: Value::Object(schema.clone()).to_string().into(),
            when: declaration.when,
        };
        self.put(RegisteredAction {
            declaration,
            schema: Arc::new(schema),
            tool,
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

    /// The action behind a command.
    pub(crate) fn behind(&self, command: &str) -> Option<&RegisteredAction> {
        let named = |it: &&RegisteredAction| {
            it.declaration
                .command
                .is_some_and(|entrance| entrance.name == command)
        };
        self.entries.iter().find(named)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &RegisteredAction> {
        self.entries.iter()
    }
}
