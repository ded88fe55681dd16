//! `sticker`: one of the guild's own.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::limits::CHOICES;
use kaiwa_domain::port::{ChatFeatures, Pending};
use kaiwa_domain::{
    GuildSticker, OptionChoice, Outgoing, Rights, Scope, Settlement, ToolError, UserId, When,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{failed, nonce};
use crate::phrase::Phrase;
use crate::{Action, Availability, CommandEntrance, Declaration, Done, EffectClass, Grant};

/// How many names a refusal tells.
const TOLD: usize = 20;

/// Sends stickers.
pub struct SendSticker {
    features: Arc<dyn ChatFeatures>,
}

impl SendSticker {
    /// Through `features`.
    pub const fn new(features: Arc<dyn ChatFeatures>) -> Self {
        Self { features }
    }

    async fn of(&self, scope: Scope) -> Result<Vec<GuildSticker>, ToolError> {
        match scope {
            Scope::Guild(guild) => {
                let stickers = self.features.stickers(guild).await;
                stickers.map_err(|error| failed(&error))
            }
            Scope::Dm(_) => Ok(Vec::new()),
        }
    }
}

/// Which one.
#[derive(Deserialize, JsonSchema)]
pub struct StickerArguments {
    /// The name of a sticker of this server.
    #[schemars(length(max = 30))]
    sticker: String,
}

impl Action for SendSticker {
    type Arguments = StickerArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance {
                completes: Some("sticker"),
                ..CommandEntrance::private("sticker")
            }),
            place: Availability::Guild,
            asker_needs: Rights::VIEW_CHANNEL.with(Rights::SEND_MESSAGES),
            bot_needs: Rights::VIEW_CHANNEL.with(Rights::SEND_MESSAGES),
            class: EffectClass::Speaks,
            when: When::AfterReply,
            settlement: Settlement::AtMostOnce,
            timeout: Duration::from_secs(30),
            ..Declaration::reading(
                "sticker",
                "Sends a sticker of this server after your words, by its name.",
            )
        }
    }

    fn complete<'a>(
        &'a self,
        scope: Scope,
        _: UserId,
        typed: &'a str,
    ) -> Pending<'a, Vec<OptionChoice>> {
        Box::pin(async move {
            let typed = typed.to_lowercase();
            let stickers = self.of(scope).await.unwrap_or_default();
            stickers
                .into_iter()
                .map(|it| it.name)
                .filter(|name| name.to_lowercase().contains(&typed))
                .take(CHOICES)
                .map(|name| OptionChoice {
                    value: name.clone(),
                    name,
                })
                .collect()
        })
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        StickerArguments { sticker }: StickerArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let turn = grant.turn();
            let wanted = sticker.trim().to_lowercase();
            let stickers = self.of(turn.scope).await?;
            let found = stickers.iter().find(|it| it.name.to_lowercase() == wanted);
            let Some(sticker) = found else {
                let names = stickers.iter().take(TOLD).map(|it| it.name.as_str());
                let names: Vec<&str> = names.collect();
                let told = match names.is_empty() {
                    true => "this server has no stickers".to_owned(),
                    false => format!("there is none of that name; there are {}", names.join(", ")),
                };
                return Ok(Done::new(told).showing(Phrase::new("sticker-unknown")));
            };
            if grant.in_words() {
                let follows = Outgoing::Sticker(sticker.clone());
                return Ok(Done::new("sent").followed_by(follows));
            }
            let nonce = nonce(turn, &sticker.name);
            let posted = self.features.post_sticker(turn.channel, &nonce, sticker);
            posted.await.map_err(|error| failed(&error))?;
            Ok(Done::new("sent").showing(Phrase::new("sticker-done")))
        })
    }
}
