//! A tool that does what the test says, when the test says it.

use std::borrow::Cow;
use std::time::Duration;

use kaiwa_actions::{Action, Declaration, Done, EffectClass, Grant, Registry};
use kaiwa_domain::port::Pending;
use kaiwa_domain::{Settlement, ToolError, When};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};

use crate::soon;

/// How long a gated tool may take.
pub const TIMEOUT: Duration = Duration::from_secs(30);

/// The test's side of a tool.
pub struct GatedTool {
    uses: mpsc::Receiver<Use>,
}

/// One use of the tool.
pub struct Use {
    /// With what, as JSON text.
    pub arguments: String,
    answer: oneshot::Sender<Result<String, ToolError>>,
}

/// The bot's side.
struct GatedAction {
    name: &'static str,
    when: When,
    class: EffectClass,
    uses: mpsc::Sender<Use>,
}

impl GatedTool {
    /// A tool of this name, and the action that the bot gets.
    pub(crate) fn new(name: &'static str, when: When) -> (Registry, Self) {
        let class = match when {
            When::InLoop => EffectClass::Reads,
            When::AfterReply => EffectClass::Speaks,
        };
        Self::of_class(name, when, class)
    }

    /// The same, with what it does to the world.
    pub(crate) fn of_class(name: &'static str, when: When, class: EffectClass) -> (Registry, Self) {
        let (sender, uses) = mpsc::channel(16);
        let gate = GatedAction {
            name,
            when,
            class,
            uses: sender,
        };
        (Registry::new().with(gate), Self { uses })
    }

    /// Waits until the bot uses it.
    pub async fn is_used(&mut self) -> Use {
        let used = soon("the tool to be used", self.uses.recv()).await;
        used.expect("a bot with the tool")
    }

    /// Whether nobody is using it that the test does not know of.
    pub fn rests(&mut self) -> bool {
        self.uses.try_recv().is_err()
    }
}

impl Use {
    /// Gives a result.
    pub fn returns(self, text: &str) {
        let _ = self.answer.send(Ok(text.to_owned()));
    }

    /// Does not do it.
    pub fn fails(self, error: ToolError) {
        let _ = self.answer.send(Err(error));
    }

    /// Waits until the bot has given it up.
    pub async fn is_cancelled(mut self) {
        soon("the bot to give the tool up", self.answer.closed()).await;
    }
}

/// Arguments as they were given.
#[derive(Deserialize)]
#[serde(transparent)]
struct GivenArguments(Box<RawValue>);

impl JsonSchema for GivenArguments {
    fn schema_name() -> Cow<'static, str> {
        "GivenArguments".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {"for": {"type": "string"}},
            "required": ["for"],
        })
    }
}

impl Action for GatedAction {
    type Arguments = GivenArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            class: self.class,
            when: self.when,
            settlement: Settlement::AtMostOnce,
            timeout: TIMEOUT,
            ..Declaration::reading(self.name, "Does what the test says.")
        }
    }

    fn run<'a>(
        &'a self,
        _: Grant<'a>,
        GivenArguments(arguments): GivenArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let (answer, answered) = oneshot::channel();
            let arguments = arguments.get().to_owned();
            let _ = self.uses.send(Use { arguments, answer }).await;
            let result = answered.await.unwrap_or_else(|_| {
                Err(ToolError::Failed {
                    reason: "the test let go of it".to_owned(),
                })
            });
            result.map(Done::new)
        })
    }
}
