//! What an action is, and what it declares.

use std::time::Duration;

use kaiwa_domain::port::Pending;
use kaiwa_domain::{Rights, Scope, Settlement, Tool, ToolError, When};
use serde::de::DeserializeOwned;

use crate::Grant;

/// One thing that Kaiwa can do.
pub trait Action: Send + Sync + 'static {
    /// What it is asked with. A value of this type is fit to be acted on; what
    /// is not goes back to the model.
    type Arguments: DeserializeOwned + Send + 'static;

    /// What decides about a call before it runs; always the same.
    fn declaration(&self) -> Declaration;

    /// What asker and bot must be allowed for these arguments beyond what is
    /// declared.
    fn further_needs(&self, _: &Self::Arguments) -> Rights {
        Rights::NONE
    }

    /// Does it. Dropping the future gives it up.
    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        arguments: Self::Arguments,
    ) -> Pending<'a, Result<String, ToolError>>;
}

/// What an action says about itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// What it is called by.
    pub name: &'static str,
    /// When and how to use it, for the model.
    pub summary: &'static str,
    /// Its arguments: the text of a JSON schema of an object.
    pub schema: &'static str,
    /// Where it may be used.
    pub place: Availability,
    /// What the asker must be allowed to do in the channel.
    pub asker_needs: Rights,
    /// What the bot must be allowed to do in the channel.
    pub bot_needs: Rights,
    /// What it does to the world.
    pub class: EffectClass,
    /// When it runs.
    pub when: When,
    /// How a call whose outcome was never learned is settled.
    pub settlement: Settlement,
    /// How long a call may take, the question for rights included.
    pub timeout: Duration,
}

impl Declaration {
    /// The action as the model sees it.
    pub(crate) fn tool(&self) -> Tool {
        Tool {
            name: self.name.to_owned(),
            description: self.summary.to_owned(),
            schema: self.schema.to_owned(),
            when: self.when,
        }
    }
}

/// Where an action may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Availability {
    /// In guilds and in direct messages.
    Anywhere,
    /// In guilds.
    Guild,
    /// In direct messages.
    Dm,
}

impl Availability {
    /// Whether what happens in `scope` happens here.
    pub(crate) const fn includes(self, scope: Scope) -> bool {
        match self {
            Self::Anywhere => true,
            Self::Guild => matches!(scope, Scope::Guild(_)),
            Self::Dm => matches!(scope, Scope::Dm(_)),
        }
    }
}

/// What an action does to the world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EffectClass {
    /// Nothing: it only looks.
    Reads,
    /// It changes something that is easily changed back. Every use is logged.
    Changes,
    /// What it does cannot be undone. It takes the confirmation of a person,
    /// which a call of the model does not carry.
    Dangerous,
}

/// A call whose arguments were read.
pub(crate) struct TypedCall<'a> {
    /// What these arguments need beyond the declaration.
    pub(crate) needs: Rights,
    pub(crate) run: RunAction<'a>,
}

type RunAction<'a> =
    Box<dyn FnOnce(Grant<'a>) -> Pending<'a, Result<String, ToolError>> + Send + 'a>;

/// An action without the type of its arguments.
pub(crate) trait AnyAction: Send + Sync {
    fn read(&self, arguments: &str) -> Result<TypedCall<'_>, ToolError>;
}

impl<A: Action> AnyAction for A {
    fn read(&self, arguments: &str) -> Result<TypedCall<'_>, ToolError> {
        let arguments: A::Arguments =
            serde_json::from_str(arguments).map_err(|error| ToolError::BadArguments {
                problem: error.to_string(),
            })?;
        Ok(TypedCall {
            needs: self.further_needs(&arguments),
            run: Box::new(move |grant| self.run(grant, arguments)),
        })
    }
}
