//! REST: what we ask of Discord.

mod route;
mod body;
mod codes;
mod governor;
mod limit;
mod queue;
mod send_guard;
mod download;
mod features;
mod guilds;
mod interactions;
mod people;
mod plain;
mod portraits;
mod rights;
mod moderation;
mod webhooks;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::limits::{HISTORY_PAGE, MESSAGE_TARGET_UTF16};
use kaiwa_domain::port::{
    Chat, Clock, History, OnWire, Pending, Personas, Picture, ResponseFile, Responses,
    TablePainter, Unpaintable, Urgency, Webhooks,
};
use kaiwa_domain::{
    Acknowledgement, Attachment, ChannelId, ChatError, Disposition, Effect, EffectBody, GuildId,
    GuildSnapshot, GuildSticker, Identity, InteractionId, LiveMessage, Me, Message, MessageId,
    Notice, Outgoing, Pings, ResponseHandle, RetireTarget, Scope, SlashCommand, Table,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::sync::Semaphore;
use twilight_model::id::Id;
use twilight_model::id::marker::{ApplicationMarker, MessageMarker};
use twilight_model::oauth::ApplicationFlags;
use url::Url;

use crate::known::KnownRights;
use crate::permission::ApplicationId;
use crate::translate::{RawMessage, RawUser};
use crate::webhook_news::WebhookNews;
use crate::{Access, AccessError};
use body::{CreateMessage, PostVoice, RequestBody, Saying};
use codes::{is_archived, is_bad_body, is_gone, takes_no_more_edits};
use download::download;
pub use guilds::Membership;
use plain::plain;
use rights::RightsCache;
use route::Route;
use webhooks::WebhookDesk;
use wire::Wire;

/// How many pictures may be drawn at a time. Each may need some 50 MB while
/// it is.
const PAINTED_AT_ONCE: usize = 1;

/// Discord's REST API. Clones share one connection pool and one set of limits.
#[derive(Clone)]
pub struct Rest {
    wire: Arc<Wire>,
    /// Where the API is.
    home: Url,
    painter: Option<Arc<dyn TablePainter>>,
    painting: Arc<Semaphore>,
    places: Arc<RightsCache>,
    webhooks: Option<Arc<WebhookDesk>>,
    webhook_news: WebhookNews,
}

/// Our application, as the developer portal has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Application {
    /// Its id, which invite links need.
    pub id: ApplicationId,
    /// Its name.
    pub name: String,
    /// Whether the Message Content Intent is turned on.
    pub message_content: bool,
    /// Whether the Server Members Intent is turned on.
    pub guild_members: bool,
}

/// Where the gateway is, and how many sessions may be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GatewayAddress {
    /// Where to connect.
    pub url: String,
    /// How many shards Discord recommends.
    pub shards: u32,
    /// How many sessions may be started in five seconds.
    pub max_concurrency: u16,
    /// How many sessions may still be started before the reset.
    pub remaining: u32,
    /// How many sessions may be started in a day.
    pub total: u32,
    /// When `remaining` becomes `total` again.
    pub reset_after: Duration,
}

impl Rest {
    /// A client for `access`. Must be called inside a tokio runtime, in which
    /// the rate limiter lives.
    pub fn new(access: &Access, clock: Arc<dyn Clock>) -> Result<Self, AccessError> {
        Ok(Self {
            wire: Arc::new(Wire::new(access, clock)?),
            home: access.api_url.clone(),
            painter: None,
            painting: Arc::new(Semaphore::new(PAINTED_AT_ONCE)),
            places: Arc::default(),
            webhooks: None,
            webhook_news: WebhookNews::default(),
        })
    }

    /// What the gateway has told of rights.
    pub(crate) fn known(&self) -> &KnownRights {
        &self.wire.known
    }

    /// What the gateway has told of webhooks.
    pub(crate) const fn webhook_news(&self) -> &WebhookNews {
        &self.webhook_news
    }

    /// Lets tables be posted as pictures. Without a painter they are text.
    #[must_use]
    pub fn with_painter(self, painter: Arc<dyn TablePainter>) -> Self {
        Self {
            painter: Some(painter),
            ..self
        }
    }

    /// Lets personas speak under names and with pictures of their own, by
    /// webhooks that are kept in `store`. Without one they speak in our voice.
    #[must_use]
    pub fn with_webhooks(self, store: Arc<dyn Webhooks>, personas: Arc<dyn Personas>) -> Self {
        Self {
            webhooks: Some(Arc::new(WebhookDesk::new(store, personas))),
            ..self
        }
    }

    /// Who we are.
    pub async fn me(&self) -> Result<Me, ChatError> {
        let user: RawUser = self.get(Route::Me).await?;
        Ok(user.into_me())
    }

    /// Which application we belong to, and what it may receive.
    pub async fn application(&self) -> Result<Application, ChatError> {
        #[derive(Deserialize)]
        struct Raw {
            id: Id<ApplicationMarker>,
            name: String,
            #[serde(default)]
            flags: u64,
        }
        let raw: Raw = self.get(Route::Application).await?;
        let flags = ApplicationFlags::from_bits_truncate(raw.flags);
        Ok(Application {
            id: ApplicationId::new(raw.id.get()),
            name: raw.name,
            message_content: flags.intersects(
                ApplicationFlags::GATEWAY_MESSAGE_CONTENT
                    | ApplicationFlags::GATEWAY_MESSAGE_CONTENT_LIMITED,
            ),
            guild_members: flags.intersects(
                ApplicationFlags::GATEWAY_GUILD_MEMBERS
                    | ApplicationFlags::GATEWAY_GUILD_MEMBERS_LIMITED,
            ),
        })
    }

    /// Where the gateway is, and how many sessions may be started.
    pub async fn gateway(&self) -> Result<GatewayAddress, ChatError> {
        #[derive(Deserialize)]
        struct Raw {
            url: String,
            shards: u32,
            session_start_limit: Starts,
        }
        #[derive(Deserialize)]
        struct Starts {
            total: u32,
            remaining: u32,
            reset_after: u64,
            max_concurrency: u16,
        }
        let raw: Raw = self.get(Route::Gateway).await?;
        let starts = raw.session_start_limit;
        Ok(GatewayAddress {
            url: raw.url,
            shards: raw.shards.max(1),
            max_concurrency: starts.max_concurrency.max(1),
            remaining: starts.remaining,
            total: starts.total,
            reset_after: Duration::from_millis(starts.reset_after),
        })
    }

    async fn get<T: DeserializeOwned>(&self, route: Route<'_>) -> Result<T, ChatError> {
        self.get_by(route, &OnWire::new()).await
    }

    /// The same for the people of a scope.
    async fn get_for<T: DeserializeOwned>(
        &self,
        scope: Scope,
        route: Route<'_>,
    ) -> Result<T, ChatError> {
        let wire = OnWire::of(scope, Urgency::Lookup);
        self.get_by(route, &wire).await
    }

    async fn get_by<T: DeserializeOwned>(
        &self,
        route: Route<'_>,
        wire: &OnWire,
    ) -> Result<T, ChatError> {
        let body = self.wire.call(route, None, wire).await?;
        parse(&body)
    }

    async fn create(
        &self,
        route: Route<'_>,
        body: Result<RequestBody, serde_json::Error>,
        wire: &OnWire,
    ) -> Result<MessageId, ChatError> {
        #[derive(Deserialize)]
        struct Posted {
            id: Id<MessageMarker>,
        }
        let body = body.map_err(|error| ChatError::Unknown {
            reason: error.to_string(),
        })?;
        let answer = self.wire.call(route, Some(&body), wire).await?;
        let posted: Posted = parse(&answer)?;
        Ok(MessageId::new(posted.id.get()))
    }

    /// Shows an effect in our own voice.
    async fn say_own(
        &self,
        effect: &Effect,
        of: Option<&Identity>,
        wire: &OnWire,
    ) -> Result<Vec<MessageId>, ChatError> {
        let outcome = self.say(effect, PostVoice::Own { of }, wire).await;
        match (outcome, taken_down(effect)) {
            // Somebody else took it down before.
            (Err(error), Some(message)) if is_gone(&error, codes::UNKNOWN_MESSAGE) => {
                Ok(vec![message])
            }
            (outcome, _) => outcome,
        }
    }

    /// Shows an effect in a voice.
    async fn say(
        &self,
        effect: &Effect,
        voice: PostVoice<'_>,
        wire: &OnWire,
    ) -> Result<Vec<MessageId>, ChatError> {
        let saying = Saying { effect, voice };
        let outgoing = match &effect.body {
            EffectBody::Say { outgoing, .. } => outgoing,
            EffectBody::Live(live) => return self.post_live(saying, live, wire).await,
            EffectBody::Notify { notice, .. } => {
                return self.post_parts(saying, &[&*notice.shown()], wire).await;
            }
            // In our own voice the next message replies.
            EffectBody::Point { .. } if matches!(voice, PostVoice::Own { .. }) => {
                return Ok(Vec::new());
            }
            EffectBody::Report { text } | EffectBody::Point { text } => {
                let body = CreateMessage::report(saying, text);
                return Ok(vec![self.create(saying.route(false), body, wire).await?]);
            }
            EffectBody::Thoughts(page) => {
                let body = CreateMessage::thoughts(saying, page);
                return Ok(vec![self.create(saying.route(false), body, wire).await?]);
            }
            EffectBody::Progress { text, of: None } => {
                return self.post_parts(saying, &[text], wire).await;
            }
            EffectBody::Offer { text, buttons, .. } => {
                let body = CreateMessage::offer(saying, text, buttons);
                return Ok(vec![self.create(saying.route(false), body, wire).await?]);
            }
            EffectBody::Retire {
                target: RetireTarget::Message(message),
                text,
            } => return self.retire(saying, *message, text, wire).await,
            EffectBody::Act { .. }
            | EffectBody::Respond { .. }
            | EffectBody::Progress { .. }
            | EffectBody::Delete { .. }
            | EffectBody::Dress { .. }
            | EffectBody::Undress { .. }
            | EffectBody::Retire { .. } => return Err(shows_nothing()),
        };
        match outgoing {
            Outgoing::Say(text) => self.post_parts(saying, &[text], wire).await,
            Outgoing::Table(table) => self.post_table(saying, table, wire).await,
            Outgoing::Rest(text) => self.post_rest(saying, text, wire).await,
            Outgoing::Sticker(sticker) => self.say_sticker(saying, sticker, wire).await,
            Outgoing::File(file) => {
                let description = file.alt();
                let body = CreateMessage::file(saying, file, &description);
                match self.post_file(saying, body, wire).await {
                    Some(outcome) => outcome,
                    None => {
                        let texts = file.as_text(MESSAGE_TARGET_UTF16);
                        self.post_parts(saying, &texts, wire).await
                    }
                }
            }
        }
    }

    /// Posts a sticker. Webhooks can send none: what they say is the address of
    /// its picture, which Discord shows in its place.
    async fn say_sticker(
        &self,
        saying: Saying<'_>,
        sticker: &GuildSticker,
        wire: &OnWire,
    ) -> Result<Vec<MessageId>, ChatError> {
        let route = saying.route(false);
        let message = match (saying.voice, sticker.picture()) {
            (PostVoice::Webhook { .. }, Some(picture)) => {
                let address = self.sticker_address(&picture);
                let body = CreateMessage::report(saying, &address);
                self.create(route, body, wire).await?
            }
            _ => {
                let body = CreateMessage::sticker(saying, sticker);
                self.create(route, body, wire).await?
            }
        };
        Ok(vec![message])
    }

    /// Posts a table as a picture, or as text where there can be none: it
    /// cannot be drawn, or files are not allowed in the channel. What a webhook
    /// says is always one message: of several, nobody could tell after a
    /// failure which are there.
    async fn post_table(
        &self,
        saying: Saying<'_>,
        table: &Table,
        wire: &OnWire,
    ) -> Result<Vec<MessageId>, ChatError> {
        match self.paint(table).await {
            Ok(picture) => {
                let body = CreateMessage::picture(saying, &picture);
                if let Some(outcome) = self.post_file(saying, body, wire).await {
                    return outcome;
                }
            }
            Err(reason) => tracing::info!(%reason, "a table becomes text"),
        }
        let texts = table.as_text(MESSAGE_TARGET_UTF16);
        if let (PostVoice::Webhook { .. }, true) = (saying.voice, texts.len() > 1) {
            let body = CreateMessage::long_text(saying, "table.md", table.source());
            let message = self.create(saying.route(true), body, wire).await?;
            return Ok(vec![message]);
        }
        self.post_parts(saying, &texts, wire).await
    }

    /// Posts a message with a file; `None` if files are not allowed in the
    /// channel, or not such large ones.
    async fn post_file(
        &self,
        saying: Saying<'_>,
        body: Result<RequestBody, serde_json::Error>,
        wire: &OnWire,
    ) -> Option<Result<Vec<MessageId>, ChatError>> {
        let channel = saying.effect.channel;
        match self.create(saying.route(true), body, wire).await {
            Err(ChatError::Refused { code, .. }) if code == codes::NO_PERMISSION => {
                tracing::info!(%channel, "a file becomes text: files are not allowed here");
                None
            }
            Err(ChatError::Refused { code, .. }) if code == codes::TOO_LARGE => {
                tracing::info!(%channel, "a file becomes text: it is too large");
                None
            }
            outcome => Some(outcome.map(|message| vec![message])),
        }
    }

    /// Posts the rest of an answer as a file, or a line alone where files are
    /// not allowed: as text it would be what it is kept from.
    async fn post_rest(
        &self,
        saying: Saying<'_>,
        text: &str,
        wire: &OnWire,
    ) -> Result<Vec<MessageId>, ChatError> {
        let body = CreateMessage::rest(saying, Notice::AnswerAttached.text(), text);
        match self.post_file(saying, body, wire).await {
            Some(outcome) => outcome,
            None => {
                let line = Notice::AnswerShortened.text();
                self.post_parts(saying, &[line], wire).await
            }
        }
    }

    /// Posts several messages of text that together are the effect.
    async fn post_parts(
        &self,
        saying: Saying<'_>,
        texts: &[impl AsRef<str>],
        wire: &OnWire,
    ) -> Result<Vec<MessageId>, ChatError> {
        let route = saying.route(false);
        let mut messages = Vec::with_capacity(texts.len());
        for (part, text) in texts.iter().enumerate() {
            let body = CreateMessage::part(saying, text.as_ref(), part, texts.len());
            messages.push(self.create(route, body, wire).await?);
        }
        Ok(messages)
    }

    /// Posts a message that is edited in place, makes it what it is to be by
    /// now, or takes it down.
    async fn post_live(
        &self,
        saying: Saying<'_>,
        live: &LiveMessage,
        wire: &OnWire,
    ) -> Result<Vec<MessageId>, ChatError> {
        let Some(message) = live.message else {
            return self.post_parts(saying, &[&live.first], wire).await;
        };
        if live.complete && live.text.is_empty() {
            let route = saying.delete_route(message);
            self.wire.call(route, None, wire).await?;
            return Ok(vec![message]);
        }
        let text = saying.written(&live.text);
        let pings = &saying.effect.pings;
        let route = saying.edit_route(message);
        let edit = |text: &str| RequestBody::edit(text, None, pings);
        match self.create(route, edit(&text), wire).await {
            // A message opens a thread again, an edit does not.
            Err(error) if takes_no_more_edits(&error) || is_archived(&error) => {
                self.replace(saying, message, &live.text, wire).await
            }
            Err(error) if is_bad_body(&error) => {
                tracing::warn!(turn = %saying.effect.turn, %error, "an edit was refused: its words are sent alone");
                Ok(vec![self.create(route, edit(&plain(&text)), wire).await?])
            }
            outcome => Ok(vec![outcome?]),
        }
    }

    /// Takes the buttons of a message away, and says something else there.
    async fn retire(
        &self,
        saying: Saying<'_>,
        message: MessageId,
        text: &str,
        wire: &OnWire,
    ) -> Result<Vec<MessageId>, ChatError> {
        let channel = saying.effect.channel;
        let route = Route::EditMessage { channel, message };
        let body = RequestBody::edit(text, Some(&[]), &Pings::default());
        match self.create(route, body, wire).await {
            Err(error) if takes_no_more_edits(&error) => {
                self.replace(saying, message, text, wire).await
            }
            outcome => Ok(vec![outcome?]),
        }
    }

    /// Says something in the place of a message that cannot be edited any more.
    async fn replace(
        &self,
        saying: Saying<'_>,
        message: MessageId,
        text: &str,
        wire: &OnWire,
    ) -> Result<Vec<MessageId>, ChatError> {
        let channel = saying.effect.channel;
        tracing::info!(%channel, "a message takes no more edits: another takes its place");
        let another = match self.copy_of(saying, message).await? {
            Some(copy) => {
                let body = RequestBody::edit(text, None, &saying.effect.pings);
                self.create(saying.edit_route(copy), body, wire).await?
            }
            None => {
                let body = CreateMessage::again(saying, text, message);
                self.create(saying.route(false), body, wire).await?
            }
        };
        let mut removed = self
            .wire
            .call(saying.delete_route(message), None, wire)
            .await;
        if removed
            .as_ref()
            .is_err_and(|error| is_gone(error, codes::UNKNOWN_MESSAGE))
        {
            // Not by the webhook that speaks now.
            let route = Route::DeleteOwn { channel, message };
            removed = self.wire.call(route, None, wire).await;
        }
        if let Err(error) = removed {
            tracing::info!(%error, "a message stays beside the one in its place");
        }
        Ok(vec![another])
    }

    async fn paint(&self, table: &Table) -> Result<Picture, Unpaintable> {
        let failed = |reason: &str| Unpaintable::Failed {
            reason: reason.to_owned(),
        };
        let painter = self.painter.clone().ok_or_else(|| failed("no painter"))?;
        let _turn = self
            .painting
            .acquire()
            .await
            .map_err(|_| failed("closed"))?;
        let table = table.clone();
        tokio::task::spawn_blocking(move || painter.paint(&table))
            .await
            .unwrap_or_else(|_| Err(failed("the painter crashed")))
    }
}

impl Responses for Rest {
    fn acknowledge<'a>(
        &'a self,
        interaction: InteractionId,
        handle: &'a ResponseHandle,
        acknowledgement: &'a Acknowledgement,
    ) -> Pending<'a, Result<(), ChatError>> {
        Box::pin(self.acknowledge_interaction(interaction, handle, acknowledgement))
    }

    fn respond<'a>(
        &'a self,
        handle: &'a ResponseHandle,
        effect: &'a Effect,
        file: Option<&'a ResponseFile>,
    ) -> Pending<'a, Result<MessageId, ChatError>> {
        Box::pin(self.edit_response(handle, effect, file))
    }

    fn register<'a>(
        &'a self,
        commands: &'a [SlashCommand],
    ) -> Pending<'a, Result<usize, ChatError>> {
        Box::pin(self.set_commands(commands))
    }
}

impl Chat for Rest {
    fn edit_pace(&self, channel: ChannelId) -> Duration {
        // What is asked is not about one message.
        let message = MessageId::new(0);
        let own = self.wire.edit_pace(Route::EditMessage { channel, message });
        let webhook = self.webhooks.as_ref().and_then(|it| it.speaks_in(channel));
        let by_webhook = webhook.map(|webhook| {
            let webhook = &webhook;
            self.wire.edit_pace(Route::EditWebhookMessage {
                webhook,
                thread: None,
                message,
            })
        });
        by_webhook.map_or(own, |pace| pace.max(own))
    }

    fn post<'a>(
        &'a self,
        effect: &'a Effect,
        wire: &'a OnWire,
    ) -> Pending<'a, Result<Vec<MessageId>, ChatError>> {
        Box::pin(async move {
            let posted = match &effect.identity {
                Some(identity) => self.post_as(effect, identity, wire).await,
                None => self.say_own(effect, None, wire).await,
            };
            match posted {
                Err(error) if is_bad_body(&error) => self.say_plainly(effect, error, wire).await,
                posted => posted,
            }
        })
    }

    fn change<'a>(
        &'a self,
        effect: &'a Effect,
        message: MessageId,
        wire: &'a OnWire,
    ) -> Pending<'a, Result<(), ChatError>> {
        Box::pin(async move {
            let channel = effect.channel;
            let buttons = match &effect.body {
                EffectBody::Dress { buttons, .. } => Some(buttons.as_slice()),
                EffectBody::Undress { .. } => Some(&[][..]),
                _ => None,
            };
            if let Some(buttons) = buttons {
                return self.dress(effect, message, buttons, wire).await;
            }
            let (route, body) = match &effect.body {
                EffectBody::Progress { text, .. } => (
                    Route::EditMessage { channel, message },
                    Some(interactions::changed(text, &[])),
                ),
                EffectBody::Delete { .. } => (Route::DeleteOwn { channel, message }, None),
                _ => return Err(shows_nothing()),
            };
            match self.wire.call(route, body.as_ref(), wire).await {
                Err(error) if is_gone(&error, codes::UNKNOWN_MESSAGE) => Ok(()),
                outcome => outcome.map(drop),
            }
        })
    }

    fn typing(&self, channel: ChannelId) -> Pending<'_, Result<(), ChatError>> {
        Box::pin(async move {
            self.wire
                .call(Route::Typing(channel), None, &OnWire::new())
                .await?;
            Ok(())
        })
    }

    fn download<'a>(
        &'a self,
        attachment: &'a Attachment,
        max: usize,
    ) -> Pending<'a, Result<Vec<u8>, ChatError>> {
        Box::pin(download(&self.wire, &self.home, &attachment.url, max))
    }

    fn react<'a>(
        &'a self,
        channel: ChannelId,
        message: MessageId,
        emoji: &'a str,
    ) -> Pending<'a, Result<(), ChatError>> {
        Box::pin(async move {
            let route = Route::React {
                channel,
                message,
                emoji,
            };
            self.wire.call(route, None, &OnWire::new()).await?;
            Ok(())
        })
    }

    fn our_guilds(&self) -> Pending<'_, Result<Vec<GuildId>, ChatError>> {
        Box::pin(async move {
            let guilds = self.guilds().await?;
            Ok(guilds.into_iter().map(|it| it.guild).collect())
        })
    }

    fn sweep_portraits(&self) -> Pending<'_, Result<usize, ChatError>> {
        Box::pin(async move {
            match &self.webhooks {
                Some(desk) => self.sweep_portraits_of(desk).await,
                None => Ok(0),
            }
        })
    }

    fn guild<'a>(
        &'a self,
        guild: GuildId,
        me: &'a Me,
    ) -> Pending<'a, Result<GuildSnapshot, ChatError>> {
        Box::pin(self.read_guild(guild, me))
    }

    fn history(
        &self,
        scope: Scope,
        channel: ChannelId,
        point: History,
        limit: u16,
    ) -> Pending<'_, Result<Vec<Message>, ChatError>> {
        Box::pin(async move {
            if limit == 0 {
                return Ok(Vec::new());
            }
            let limit = limit.min(HISTORY_PAGE);
            let route = Route::History {
                channel,
                point,
                limit,
            };
            let raw: Vec<Box<RawValue>> = self.get_for(scope, route).await?;
            let mut messages: Vec<Message> = raw
                .iter()
                .filter_map(|raw| serde_json::from_str::<RawMessage>(raw.get()).ok())
                .map(|raw| raw.within(scope))
                .collect();
            if messages.len() < raw.len() {
                let skipped = raw.len() - messages.len();
                tracing::warn!(skipped, "some messages of the history are unreadable");
            }
            messages.sort_by_key(|message| message.id);
            Ok(messages)
        })
    }

    fn message(
        &self,
        scope: Scope,
        channel: ChannelId,
        message: MessageId,
    ) -> Pending<'_, Result<Option<Message>, ChatError>> {
        Box::pin(async move {
            let route = Route::Message { channel, message };
            match self.get_for(scope, route).await {
                Ok(raw) => Ok(Some(RawMessage::within(raw, scope))),
                Err(ChatError::Refused { code, .. }) if code == codes::UNKNOWN_MESSAGE => Ok(None),
                Err(error) => Err(error),
            }
        })
    }
}

/// The message that an effect takes down, if it does.
fn taken_down(effect: &Effect) -> Option<MessageId> {
    match &effect.body {
        EffectBody::Live(live) if live.complete && live.text.is_empty() => live.message,
        _ => None,
    }
}

/// An effect of another kind is none of ours.
fn shows_nothing() -> ChatError {
    ChatError::Refused {
        code: 0,
        message: "this effect shows nothing".to_owned(),
        disposition: Disposition::GiveUp,
    }
}

/// Reads a good answer. One that cannot be read leaves the outcome unknown.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ChatError> {
    serde_json::from_slice(body).map_err(|error| ChatError::Unknown {
        // The error itself may quote what people wrote.
        reason: format!(
            "Discord's answer makes no sense at line {}, column {}",
            error.line(),
            error.column()
        ),
    })
}
