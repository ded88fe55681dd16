//! Tools that count what was run.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kaiwa_domain::port::{
    ActionHost, ActionReply, Clock, ControlRequest, Entrance, Pending, SaidMessage,
};
use kaiwa_domain::{
    Acknowledgement, ActionRecord, Button, ButtonLook, Interaction, InteractionKind, OptionChoice,
    Settlement, SlashCommand, StoreError, Timestamp, Tool, ToolCall, ToolError, Turn, When,
};

use crate::{lock, pause};

/// One action that runs after the reply, and remembers each time.
pub struct ScriptedTools {
    name: &'static str,
    settlement: Settlement,
    /// How long it looks something up, if that is what it does.
    slow: Option<(Arc<dyn Clock>, Duration)>,
    ran: Mutex<Vec<String>>,
}

impl ScriptedTools {
    /// The tool `name`, settled in this way.
    pub const fn new(name: &'static str, settlement: Settlement) -> Self {
        Self {
            name,
            settlement,
            slow: None,
            ran: Mutex::new(Vec::new()),
        }
    }

    /// The same as something that the model looks up, which takes so long.
    #[must_use]
    pub fn looking_up(self, clock: Arc<dyn Clock>, takes: Duration) -> Self {
        Self {
            slow: Some((clock, takes)),
            ..self
        }
    }

    /// The arguments of every call that took effect, in order.
    pub fn ran(&self) -> Vec<String> {
        lock(&self.ran).clone()
    }
}

impl ActionHost for ScriptedTools {
    fn tools<'a>(&'a self, _: &'a Turn) -> Pending<'a, Vec<Tool>> {
        let tools = vec![Tool {
            name: self.name.into(),
            description: "Does it.".into(),
            schema: r#"{"type":"object"}"#.into(),
            when: match self.slow {
                Some(_) => When::InLoop,
                None => When::AfterReply,
            },
        }];
        Box::pin(std::future::ready(tools))
    }

    fn settlement(&self, _: &str) -> Settlement {
        self.settlement
    }

    fn changes(&self, _: &str) -> bool {
        self.slow.is_none()
    }

    fn progress(&self, _: &ToolCall) -> String {
        "doing it".to_owned()
    }

    fn run<'a>(
        &'a self,
        _: &'a Turn,
        call: &'a ToolCall,
        _: Entrance<'a>,
    ) -> Pending<'a, Result<ActionReply, ToolError>> {
        Box::pin(async move {
            pause().await;
            if call.name != self.name {
                let name = call.name.clone();
                return Err(ToolError::Unknown { name });
            }
            match &self.slow {
                Some((clock, takes)) => clock.sleep(*takes).await,
                None => lock(&self.ran).push(call.arguments.clone()),
            }
            pause().await;
            Ok(ActionReply {
                told: "done".to_owned(),
                shown: "Done.".to_owned(),
                ..ActionReply::default()
            })
        })
    }

    fn commands(&self) -> Vec<SlashCommand> {
        Vec::new()
    }

    fn request<'a>(
        &'a self,
        _: &'a Turn,
        interaction: &'a Interaction,
    ) -> Pending<'a, Option<ControlRequest>> {
        let request = match &interaction.kind {
            InteractionKind::Command(call) if call.name == self.name => {
                Some(ControlRequest::Call {
                    call: ToolCall {
                        id: interaction.id.to_string(),
                        name: call.name.clone(),
                        arguments: call.arguments.clone(),
                        signature: None,
                    },
                    acknowledgement: Acknowledgement::Deferred { ephemeral: false },
                })
            }
            _ => None,
        };
        Box::pin(std::future::ready(request))
    }

    fn is_private(&self, name: &str) -> bool {
        name != self.name
    }

    fn complete<'a>(&'a self, _: &'a Interaction) -> Pending<'a, Vec<OptionChoice>> {
        Box::pin(std::future::ready(Vec::new()))
    }

    fn report(&self, _: &ActionRecord) -> Option<String> {
        None
    }

    fn expired(&self, _: &str) -> String {
        "expired".to_owned()
    }

    fn stop_button(&self, _: &Turn) -> Option<Button> {
        Some(button("Stop"))
    }

    fn answer_buttons<'a>(
        &'a self,
        _: &'a Turn,
        said: &'a SaidMessage,
        again: bool,
        _: Timestamp,
    ) -> Pending<'a, Result<Vec<Button>, StoreError>> {
        Box::pin(async move {
            pause().await;
            let again = again.then(|| button("Regenerate"));
            let source = said.source.as_ref().map(|_| button("Source"));
            Ok(again.into_iter().chain(source).collect())
        })
    }

    fn explain(&self, error: &ToolError, _: &str) -> String {
        error.to_string()
    }
}

fn button(label: &str) -> Button {
    Button {
        control: label.to_lowercase(),
        label: label.to_owned(),
        look: ButtonLook::Secondary,
    }
}
