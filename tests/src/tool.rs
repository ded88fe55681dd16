//! A tool that does what the test says, when the test says it.

use std::sync::Arc;

use kaiwa_domain::port::Pending;
use kaiwa_domain::{Tool, ToolError, Turn, When};
use kaiwa_tools::Device;
use tokio::sync::{mpsc, oneshot};

use crate::soon;

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
struct Gate {
    name: &'static str,
    when: When,
    uses: mpsc::Sender<Use>,
}

impl GatedTool {
    /// A tool of this name, and the device that the bot gets.
    pub(crate) fn new(name: &'static str, when: When) -> (Arc<dyn Device>, Self) {
        let (sender, uses) = mpsc::channel(16);
        let gate = Gate {
            name,
            when,
            uses: sender,
        };
        (Arc::new(gate), Self { uses })
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

impl Device for Gate {
    fn tool(&self) -> Tool {
        Tool {
            name: self.name.to_owned(),
            description: "Does what the test says.".to_owned(),
            schema:
                r#"{"type":"object","properties":{"for":{"type":"string"}},"required":["for"]}"#
                    .to_owned(),
            when: self.when,
        }
    }

    fn run<'a>(
        &'a self,
        _: &'a Turn,
        arguments: &'a str,
    ) -> Pending<'a, Result<String, ToolError>> {
        Box::pin(async move {
            let (answer, answered) = oneshot::channel();
            let arguments = arguments.to_owned();
            let _ = self.uses.send(Use { arguments, answer }).await;
            answered.await.unwrap_or_else(|_| {
                Err(ToolError::Failed {
                    reason: "the test let go of it".to_owned(),
                })
            })
        })
    }
}
