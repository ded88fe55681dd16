//! `pin`: keeps a message at hand, or takes it down.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{Chat, ChatFeatures, Pending};
use kaiwa_domain::{Rights, Scope, ToolError, Turn, When};
use schemars::JsonSchema;
use serde::Deserialize;

use super::failed;
use super::message::{MessageArgument, target};
use crate::phrase::Phrase;
use crate::{
    Action, Availability, CommandEntrance, Declaration, Description, Done, EffectClass, Grant,
};

/// See [Pin Message](https://docs.discord.com/developers/resources/message#pin-message).
const NEEDS: Rights = Rights::VIEW_CHANNEL
    .with(Rights::READ_MESSAGE_HISTORY)
    .with(Rights::PIN_MESSAGES);

/// Pins messages.
pub struct Pin {
    chat: Arc<dyn Chat>,
    features: Arc<dyn ChatFeatures>,
}

impl Pin {
    /// Through `features`; `chat` tells what is replied to.
    pub const fn new(chat: Arc<dyn Chat>, features: Arc<dyn ChatFeatures>) -> Self {
        Self { chat, features }
    }
}

/// Which message.
#[derive(Deserialize, JsonSchema)]
pub struct PinArguments {
    /// The link or id of a message here. If absent, the one that the last
    /// message replies to, or the last message.
    #[serde(default)]
    #[schemars(with = "Option<String>", length(max = 120))]
    message: Option<MessageArgument>,
    /// Whether to take it down instead.
    #[serde(default)]
    remove: bool,
}

impl Action for Pin {
    type Arguments = PinArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance::public("pin")),
            place: Availability::Guild,
            asker_needs: NEEDS,
            bot_needs: NEEDS,
            class: EffectClass::Changes,
            when: When::AfterReply,
            timeout: Duration::from_secs(30),
            ..Declaration::reading("pin", "Pins a message in this channel, or takes it down.")
        }
    }

    fn describe<'a>(
        &'a self,
        turn: &'a Turn,
        arguments: &'a PinArguments,
    ) -> Pending<'a, Result<Option<Description>, ToolError>> {
        Box::pin(async move {
            let message = target(&*self.chat, turn, arguments.message).await?;
            let place = match turn.scope {
                Scope::Guild(guild) => guild.to_string(),
                Scope::Dm(_) => "@me".to_owned(),
            };
            let link = format!(
                "https://discord.com/channels/{place}/{}/{message}",
                turn.channel
            );
            let phrase = Phrase::new(match arguments.remove {
                false => "describe-pin",
                true => "describe-unpin",
            });
            let phrase = phrase.with("message", link);
            Ok(Some(
                Description::new(phrase).settling("message", message.to_string()),
            ))
        })
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        PinArguments { message, remove }: PinArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            let message = target(&*self.chat, turn, message).await?;
            let pinned = self.features.pin(turn.channel, message, !remove).await;
            pinned.map_err(|error| failed(&error))?;
            Ok(match remove {
                false => Done::new("pinned").showing(Phrase::new("pin-done")),
                true => Done::new("no longer pinned").showing(Phrase::new("pin-removed")),
            })
        })
    }
}
