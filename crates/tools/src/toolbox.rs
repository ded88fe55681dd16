//! The devices of a bot.

use std::sync::Arc;

use kaiwa_domain::port::{Pending, ToolHost};
use kaiwa_domain::{Settlement, Tool, ToolCall, ToolError, Turn};
use serde::de::DeserializeOwned;

/// One tool that can be used.
pub trait Device: Send + Sync {
    /// What the model is told of it; always the same.
    fn tool(&self) -> Tool;

    /// How a call whose outcome was never learned is settled.
    fn settlement(&self) -> Settlement {
        Settlement::AtMostOnce
    }

    /// Uses it for a turn. Dropping the future gives it up.
    fn run<'a>(
        &'a self,
        turn: &'a Turn,
        arguments: &'a str,
    ) -> Pending<'a, Result<String, ToolError>>;
}

/// A set of devices, each with a name of its own.
#[derive(Default)]
pub struct Toolbox {
    devices: Vec<(Tool, Arc<dyn Device>)>,
}

impl Toolbox {
    /// An empty box.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a device in. One of the same name is replaced.
    #[must_use]
    pub fn with(mut self, device: Arc<dyn Device>) -> Self {
        let tool = device.tool();
        self.devices.retain(|(other, _)| other.name != tool.name);
        self.devices.push((tool, device));
        self
    }
}

impl ToolHost for Toolbox {
    fn tools(&self, _: &Turn) -> Vec<Tool> {
        self.devices.iter().map(|(tool, _)| tool.clone()).collect()
    }

    fn settlement(&self, name: &str) -> Settlement {
        let device = self.devices.iter().find(|(tool, _)| tool.name == name);
        device.map_or(Settlement::AtMostOnce, |(_, device)| device.settlement())
    }

    fn run<'a>(
        &'a self,
        turn: &'a Turn,
        call: &'a ToolCall,
    ) -> Pending<'a, Result<String, ToolError>> {
        let named = |(tool, _): &&(Tool, Arc<dyn Device>)| tool.name == call.name;
        match self.devices.iter().find(named) {
            Some((_, device)) => device.run(turn, &call.arguments),
            None => Box::pin(async move {
                Err(ToolError::Unknown {
                    name: call.name.clone(),
                })
            }),
        }
    }
}

/// Reads the arguments of a call.
pub(crate) fn read<T: DeserializeOwned>(arguments: &str) -> Result<T, ToolError> {
    serde_json::from_str(arguments).map_err(|error| ToolError::BadArguments {
        problem: error.to_string(),
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use kaiwa_domain::{
        ChannelId, MessageId, PersonaId, Scope, Timestamp, TurnId, TurnState, UserId, When,
    };

    pub(crate) fn turn() -> Turn {
        Turn {
            id: TurnId::of_message(MessageId::new(7)),
            scope: Scope::Dm(UserId::new(1)),
            channel: ChannelId::new(5),
            asker: UserId::new(1),
            persona: PersonaId::MAIN,
            state: TurnState::Admitted,
            admitted_at: Timestamp::from_millis(0),
        }
    }

    struct Parrot(&'static str);

    impl Device for Parrot {
        fn tool(&self) -> Tool {
            Tool {
                name: "parrot".into(),
                description: self.0.into(),
                schema: "{}".into(),
                when: When::InLoop,
            }
        }

        fn run<'a>(
            &'a self,
            _: &'a Turn,
            arguments: &'a str,
        ) -> Pending<'a, Result<String, ToolError>> {
            Box::pin(async move { Ok(format!("{} {arguments}", self.0)) })
        }
    }

    #[tokio::test]
    async fn the_last_device_of_a_name_answers_to_it() {
        let toolbox = Toolbox::new()
            .with(Arc::new(Parrot("grey")))
            .with(Arc::new(Parrot("green")));
        assert_eq!(toolbox.tools(&turn()).len(), 1);
        let call = |name: &str| ToolCall {
            id: "1".into(),
            name: name.into(),
            arguments: "hi".into(),
            signature: None,
        };
        let said = toolbox.run(&turn(), &call("parrot")).await;
        assert_eq!(said, Ok("green hi".into()));
        let said = toolbox.run(&turn(), &call("Parrot")).await;
        assert!(matches!(said, Err(ToolError::Unknown { .. })), "{said:?}");
    }
}
