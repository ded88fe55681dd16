//! `create_thread`: a place for one matter.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{ChatFeatures, Pending};
use kaiwa_domain::{Rights, Settlement, ToolError, Turn, When};
use schemars::JsonSchema;
use serde::Deserialize;

use super::failed;
use crate::phrase::{Phrase, plain};
use crate::{
    Action, Availability, CommandEntrance, Declaration, Description, Done, EffectClass, Grant,
};

/// See [Start Thread from Message](https://docs.discord.com/developers/resources/channel#start-thread-from-message).
const NEEDS: Rights = Rights::VIEW_CHANNEL
    .with(Rights::READ_MESSAGE_HISTORY)
    .with(Rights::CREATE_PUBLIC_THREADS);

/// The longest name of a thread.
const NAME_CHARS: usize = 100;

/// Begins threads.
pub struct CreateThread {
    features: Arc<dyn ChatFeatures>,
}

impl CreateThread {
    /// Through `features`.
    pub const fn new(features: Arc<dyn ChatFeatures>) -> Self {
        Self { features }
    }
}

/// What it is about.
#[derive(Deserialize, JsonSchema)]
pub struct CreateThreadArguments {
    /// What the thread is called.
    #[schemars(length(min = 1, max = 100))]
    title: String,
}

impl Action for CreateThread {
    type Arguments = CreateThreadArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance::public("thread")),
            place: Availability::Guild,
            asker_needs: NEEDS,
            bot_needs: NEEDS,
            class: EffectClass::Changes,
            when: When::AfterReply,
            // Only at a message does Discord know a thread that it made.
            settlement: Settlement::AtMostOnce,
            timeout: Duration::from_secs(30),
            ..Declaration::reading(
                "create_thread",
                "Begins a thread in this channel, at the message you answer.",
            )
        }
    }

    fn describe<'a>(
        &'a self,
        _: &'a Turn,
        arguments: &'a CreateThreadArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            let phrase = Phrase::new("describe-thread").with("title", plain(&arguments.title));
            Ok(Some(Description::new(phrase)))
        })
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        CreateThreadArguments { title }: CreateThreadArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            let name = title.trim();
            if !(1..=NAME_CHARS).contains(&name.chars().count()) {
                return Err(ToolError::BadArguments {
                    problem: format!("title: write 1 to {NAME_CHARS} characters"),
                });
            }
            let message = grant.asked().trigger.message();
            let begun = self
                .features
                .begin_thread(turn.channel, message, name)
                .await;
            let thread = begun.map_err(|error| failed(&error))?;
            let told = format!("begun: <#{thread}>");
            let shown = Phrase::new("thread-done").with("thread", format!("<#{thread}>"));
            Ok(Done::new(told).showing(shown))
        })
    }
}
