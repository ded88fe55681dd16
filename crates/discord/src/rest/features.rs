//! Pins, threads, polls and stickers.

use kaiwa_domain::port::{ChatFeatures, NewPoll, OnWire, Pending};
use kaiwa_domain::{ChannelId, ChatError, GuildId, GuildSticker, MessageId, Nonce, StickerFormat};
use serde::Deserialize;
use serde_json::{Value, json};
use twilight_model::id::Id;
use twilight_model::id::marker::{ChannelMarker, StickerMarker};

use super::body::RequestBody;
use super::route::Route;
use super::{Rest, codes, parse};

/// A public thread, see
/// [Discord Docs/Channel Types](https://docs.discord.com/developers/resources/channel#channel-object-channel-types).
const PUBLIC_THREAD: u8 = 11;

/// Formats of stickers, see
/// [Sticker Format Types](https://docs.discord.com/developers/resources/sticker#sticker-object-sticker-format-types).
const LOTTIE: u8 = 3;
const GIF: u8 = 4;

/// How long a thread may be quiet before it is closed, in minutes: a day.
const CLOSES_AFTER: u16 = 1440;

impl Rest {
    /// Posts a message that is no text.
    async fn post_other(
        &self,
        channel: ChannelId,
        nonce: &Nonce,
        mut message: Value,
    ) -> Result<MessageId, ChatError> {
        message["nonce"] = json!(nonce.as_str());
        message["enforce_nonce"] = json!(true);
        message["allowed_mentions"] = json!({ "parse": [] });
        let body = RequestBody::of(&message);
        let route = Route::CreateMessage(channel);
        self.create(route, Ok(body), &OnWire::new()).await
    }

    async fn start_thread(
        &self,
        channel: ChannelId,
        message: Option<MessageId>,
        name: &str,
    ) -> Result<ChannelId, ChatError> {
        #[derive(Deserialize)]
        struct Begun {
            id: Id<ChannelMarker>,
        }
        let mut body = json!({ "name": name, "auto_archive_duration": CLOSES_AFTER });
        if message.is_none() {
            body["type"] = json!(PUBLIC_THREAD);
        }
        let route = Route::BeginThread { channel, message };
        let body = RequestBody::of(&body);
        match self.wire.call(route, Some(&body), &OnWire::new()).await {
            Ok(answer) => {
                let begun: Begun = parse(&answer)?;
                Ok(ChannelId::new(begun.id.get()))
            }
            // A thread has the id of the message that it begins at.
            Err(ChatError::Refused { code, .. })
                if code == codes::HAS_THREAD && message.is_some() =>
            {
                let message = message.map_or(0, MessageId::get);
                Ok(ChannelId::new(message))
            }
            Err(error) => Err(error),
        }
    }
}

impl ChatFeatures for Rest {
    fn pin(
        &self,
        channel: ChannelId,
        message: MessageId,
        pinned: bool,
    ) -> Pending<'_, Result<(), ChatError>> {
        Box::pin(async move {
            let route = match pinned {
                true => Route::Pin { channel, message },
                false => Route::Unpin { channel, message },
            };
            self.wire.call(route, None, &OnWire::new()).await?;
            Ok(())
        })
    }

    fn begin_thread<'a>(
        &'a self,
        channel: ChannelId,
        message: Option<MessageId>,
        name: &'a str,
    ) -> Pending<'a, Result<ChannelId, ChatError>> {
        Box::pin(self.start_thread(channel, message, name))
    }

    fn post_poll<'a>(
        &'a self,
        channel: ChannelId,
        nonce: &'a Nonce,
        poll: &'a NewPoll,
    ) -> Pending<'a, Result<MessageId, ChatError>> {
        let answers: Vec<Value> = poll
            .answers
            .iter()
            .map(|answer| json!({ "poll_media": { "text": answer } }))
            .collect();
        let message = json!({ "poll": {
            "question": { "text": poll.question },
            "answers": answers,
            "duration": poll.runs.as_secs().div_ceil(3600).max(1),
            "allow_multiselect": poll.multiple,
        }});
        Box::pin(self.post_other(channel, nonce, message))
    }

    fn post_sticker<'a>(
        &'a self,
        channel: ChannelId,
        nonce: &'a Nonce,
        sticker: &'a GuildSticker,
    ) -> Pending<'a, Result<MessageId, ChatError>> {
        let message = json!({ "sticker_ids": [sticker.id.to_string()] });
        Box::pin(self.post_other(channel, nonce, message))
    }

    fn stickers(&self, guild: GuildId) -> Pending<'_, Result<Vec<GuildSticker>, ChatError>> {
        #[derive(Deserialize)]
        struct Raw {
            id: Id<StickerMarker>,
            name: String,
            #[serde(default)]
            available: Option<bool>,
            format_type: u8,
        }
        Box::pin(async move {
            let all: Vec<Raw> = self.get(Route::Stickers(guild)).await?;
            let usable = all.into_iter().filter(|it| it.available != Some(false));
            let usable = usable.map(|it| GuildSticker {
                id: it.id.get(),
                name: it.name,
                format: match it.format_type {
                    LOTTIE => StickerFormat::Lottie,
                    GIF => StickerFormat::Gif,
                    _ => StickerFormat::Png,
                },
            });
            Ok(usable.collect())
        })
    }
}
