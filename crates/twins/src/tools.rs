//! Tools that count what was run.

use std::sync::Mutex;

use kaiwa_domain::port::{ActionHost, Pending};
use kaiwa_domain::{Settlement, Tool, ToolCall, ToolError, Turn, When};

use crate::{lock, pause};

/// One action that runs after the reply, and remembers each time.
#[derive(Debug)]
pub struct ScriptedTools {
    name: &'static str,
    settlement: Settlement,
    ran: Mutex<Vec<String>>,
}

impl ScriptedTools {
    /// The tool `name`, settled in this way.
    pub const fn new(name: &'static str, settlement: Settlement) -> Self {
        Self {
            name,
            settlement,
            ran: Mutex::new(Vec::new()),
        }
    }

    /// The arguments of every call that took effect, in order.
    pub fn ran(&self) -> Vec<String> {
        lock(&self.ran).clone()
    }
}

impl ActionHost for ScriptedTools {
    fn tools(&self, _: &Turn) -> Vec<Tool> {
        vec![Tool {
            name: self.name.to_owned(),
            description: "Does it.".to_owned(),
            schema: r#"{"type":"object"}"#.to_owned(),
            when: When::AfterReply,
        }]
    }

    fn settlement(&self, _: &str) -> Settlement {
        self.settlement
    }

    fn run<'a>(
        &'a self,
        _: &'a Turn,
        call: &'a ToolCall,
    ) -> Pending<'a, Result<String, ToolError>> {
        Box::pin(async move {
            pause().await;
            if call.name != self.name {
                let name = call.name.clone();
                return Err(ToolError::Unknown { name });
            }
            lock(&self.ran).push(call.arguments.clone());
            pause().await;
            Ok("done".to_owned())
        })
    }
}
