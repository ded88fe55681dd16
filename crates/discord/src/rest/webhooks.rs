//! Speaking under an identity: by a webhook of ours, one for each channel.
//!
//! - A webhook that our application made is found, or one is made; it is kept
//!   before it is used. Threads share that of their channel.
//! - One that no longer works is forgotten, and another found or made, once for
//!   each message. Where the gateway told of a change, that is looked at before.
//! - Where Discord lets us have none, and in direct messages, which have none,
//!   what is said is said in our own voice.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kaiwa_domain::port::{Chat, History, OnWire, Personas, Webhooks};
use kaiwa_domain::{
    Button, ChannelId, ChatError, Disposition, Effect, EffectBody, Identity, MessageId, Outgoing,
    Scope, StoreError, WebhookHandle, WebhookId,
};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{OnceCell, Semaphore};
use twilight_model::id::Id;
use twilight_model::id::marker::{ApplicationMarker, WebhookMarker};

use super::body::{PostVoice, RequestBody, Saying};
use super::codes::{
    NO_PERMISSION, TOO_MANY_WEBHOOKS, UNKNOWN_MESSAGE, is_anothers, is_dead_webhook, is_gone,
};
use super::portraits::Portraits;
use super::route::Route;
use super::{Rest, parse};

/// What our webhooks are called in the settings of a channel.
const NAME: &str = "Kaiwa";

/// A webhook that can be used, see
/// [Discord Docs/Webhook Types](https://docs.discord.com/developers/resources/webhook#webhook-object-webhook-types).
const INCOMING: u8 = 1;

/// How many channels, and messages, are remembered; all are forgotten when there
/// are more.
const REMEMBERED: usize = 4096;

/// How many messages after one that is replaced are looked at.
const COPIES: u16 = 50;

/// How many channels may be given a webhook at a time. Two of one channel never
/// are.
const MADE_AT_ONCE: usize = 16;

/// Our webhooks.
pub(super) struct WebhookDesk {
    store: Arc<dyn Webhooks>,
    known: Mutex<Known>,
    making: [Semaphore; MADE_AT_ONCE],
    application: OnceCell<u64>,
    pub(super) portraits: Portraits,
}

#[derive(Default)]
struct Known {
    webhooks: HashMap<ChannelId, WebhookHandle>,
    /// The channel of each thread, and each channel itself.
    homes: HashMap<ChannelId, ChannelId>,
    /// What a persona says in our own voice, where it could not in its own.
    own: HashSet<MessageId>,
}

/// A webhook as Discord writes it.
#[derive(Deserialize)]
struct RawWebhook {
    id: Id<WebhookMarker>,
    #[serde(rename = "type")]
    kind: u8,
    /// Told of our own only.
    token: Option<String>,
    application_id: Option<Id<ApplicationMarker>>,
}

impl RawWebhook {
    fn into_handle(self) -> Option<WebhookHandle> {
        Some(WebhookHandle::new(
            WebhookId::new(self.id.get()),
            self.token.filter(|token| !token.is_empty())?,
        ))
    }
}

impl WebhookDesk {
    pub(super) fn new(store: Arc<dyn Webhooks>, personas: Arc<dyn Personas>) -> Self {
        Self {
            store,
            known: Mutex::default(),
            making: std::array::from_fn(|_| Semaphore::new(1)),
            application: OnceCell::new(),
            portraits: Portraits::new(personas),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remembered(&self, home: ChannelId) -> Option<WebhookHandle> {
        self.known().webhooks.get(&home).cloned()
    }

    /// What personas speak by in a channel or thread, as far as is remembered.
    pub(super) fn speaks_in(&self, channel: ChannelId) -> Option<WebhookHandle> {
        let known = self.known();
        let home = known.homes.get(&channel)?;
        known.webhooks.get(home).cloned()
    }

    /// Whether a message of a persona is known to be in our own voice.
    fn is_own(&self, message: MessageId) -> bool {
        self.known().own.contains(&message)
    }

    fn remember_own(&self, message: MessageId) {
        let own = &mut self.known().own;
        if own.len() >= REMEMBERED {
            own.clear();
        }
        own.insert(message);
    }

    fn remember(&self, home: ChannelId, webhook: &WebhookHandle) {
        let mut known = self.known();
        if known.webhooks.len() >= REMEMBERED {
            known.webhooks.clear();
        }
        known.webhooks.insert(home, webhook.clone());
    }
}

impl Rest {
    /// Shows an effect under an identity.
    pub(super) async fn post_as(
        &self,
        effect: &Effect,
        identity: &Identity,
        wire: &OnWire,
    ) -> Result<Vec<MessageId>, ChatError> {
        let own = match effect.scope {
            // There is nobody else to be told from.
            Scope::Dm(_) => None,
            Scope::Guild(_) => Some(identity),
        };
        let (Some(desk), Scope::Guild(_), false) =
            (&self.webhooks, effect.scope, is_drawing(&effect.body))
        else {
            return self.say_own(effect, own, wire).await;
        };
        let home = self.home_of(desk, effect.channel).await?;
        let avatar = match identity.portrait() {
            Some(portrait) => self.portrait(desk, effect.scope, portrait).await,
            None => None,
        };
        let thread = (home != effect.channel).then_some(effect.channel);
        let grown = match &effect.body {
            EffectBody::Live(live) => live.message.map(|message| (message, &*live.text)),
            _ => None,
        };
        if grown.is_some_and(|(message, _)| desk.is_own(message)) {
            return self.say_own(effect, own, wire).await;
        }
        let mut webhook = None;
        // Once more if the first no longer works.
        for _ in 0..2 {
            webhook = self.webhook(desk, effect.scope, home).await?;
            let Some(webhook) = &webhook else {
                break;
            };
            let voice = PostVoice::Webhook {
                webhook,
                home,
                thread,
                identity,
                avatar: avatar.as_deref(),
            };
            match self.say(effect, voice, wire).await {
                Err(error) if is_dead_webhook(&error) => {
                    tracing::info!(channel = %home, "a webhook of ours is gone");
                    self.forget_webhook(desk, effect.scope, home, webhook.id())
                        .await?;
                }
                // It may be up in our own voice.
                Err(error) if grown.is_some() && is_gone(&error, UNKNOWN_MESSAGE) => break,
                outcome => return outcome,
            }
        }
        match (self.say_own(effect, own, wire).await, grown) {
            (Ok(messages), Some((message, _))) => {
                desk.remember_own(message);
                Ok(messages)
            }
            // What said it is gone: whoever speaks now says it all.
            (Err(error), Some((message, text))) if is_anothers(&error) => {
                let voice = match &webhook {
                    Some(webhook) => PostVoice::Webhook {
                        webhook,
                        home,
                        thread,
                        identity,
                        avatar: avatar.as_deref(),
                    },
                    None => PostVoice::Own { of: own },
                };
                let saying = Saying { effect, voice };
                self.replace(saying, message, text, wire).await
            }
            (outcome, _) => outcome,
        }
    }

    /// The message that another try put in the place of `message`, if it was by
    /// a webhook and its answer was lost. Discord knows no nonces of theirs.
    pub(super) async fn copy_of(
        &self,
        saying: Saying<'_>,
        message: MessageId,
    ) -> Result<Option<MessageId>, ChatError> {
        let PostVoice::Webhook {
            webhook, identity, ..
        } = saying.voice
        else {
            return Ok(None);
        };
        let Effect { scope, channel, .. } = *saying.effect;
        let since = self.history(scope, channel, History::After(message), COPIES);
        // A channel speaks with one voice at a time: later messages of this one
        // can be nothing else.
        let copy = since.await?.into_iter().find(|it| {
            it.author.id.get() == webhook.id().get() && it.author.name == identity.name()
        });
        Ok(copy.map(|it| it.id))
    }

    /// Gives a message of ours these buttons and no others. What was said under
    /// an identity is a webhook's message, unless the bot had to say it.
    pub(super) async fn dress(
        &self,
        effect: &Effect,
        message: MessageId,
        buttons: &[Button],
        wire: &OnWire,
    ) -> Result<(), ChatError> {
        let body = RequestBody::dress(buttons).map_err(|error| ChatError::Unknown {
            reason: error.to_string(),
        })?;
        let by_webhook_first = effect.identity.is_some();
        if by_webhook_first {
            match self.dress_by_webhook(effect, message, &body, wire).await {
                Err(error) if is_gone(&error, UNKNOWN_MESSAGE) || is_dead_webhook(&error) => {}
                outcome => return outcome,
            }
        }
        let channel = effect.channel;
        let route = Route::EditMessage { channel, message };
        let outcome = match self.wire.call(route, Some(&body), wire).await {
            Err(error) if is_anothers(&error) && !by_webhook_first => {
                self.dress_by_webhook(effect, message, &body, wire).await
            }
            outcome => outcome.map(drop),
        };
        match outcome {
            Err(error) if is_gone(&error, UNKNOWN_MESSAGE) => Ok(()),
            outcome => outcome,
        }
    }

    /// The same for what a webhook said; as if it was gone, where there is none.
    /// None is made for that: another could not change it.
    async fn dress_by_webhook(
        &self,
        effect: &Effect,
        message: MessageId,
        body: &RequestBody,
        wire: &OnWire,
    ) -> Result<(), ChatError> {
        let channel = effect.channel;
        let gone = || ChatError::Refused {
            code: UNKNOWN_MESSAGE,
            message: "no webhook of ours said it".to_owned(),
            disposition: Disposition::GiveUp,
        };
        let (Some(desk), Scope::Guild(_)) = (&self.webhooks, effect.scope) else {
            return Err(gone());
        };
        let home = self.home_of(desk, channel).await?;
        let webhook = match desk.remembered(home) {
            Some(webhook) => Some(webhook),
            None => desk
                .store
                .webhook(effect.scope, home)
                .await
                .map_err(|error| unkept(&error))?,
        };
        let webhook = webhook.ok_or_else(gone)?;
        let route = Route::EditWebhookMessage {
            webhook: &webhook,
            thread: (home != channel).then_some(channel),
            message,
        };
        let outcome = self.wire.call(route, Some(body), wire).await;
        if outcome.as_ref().is_err_and(is_dead_webhook) {
            self.forget_webhook(desk, effect.scope, home, webhook.id())
                .await?;
        }
        outcome.map(drop)
    }

    /// The channel whose webhooks are used in a channel or thread.
    async fn home_of(
        &self,
        desk: &WebhookDesk,
        channel: ChannelId,
    ) -> Result<ChannelId, ChatError> {
        if let Some(home) = desk.known().homes.get(&channel) {
            return Ok(*home);
        }
        let home = self.parent_of_thread(channel).await?.unwrap_or(channel);
        let mut known = desk.known();
        if known.homes.len() >= REMEMBERED {
            known.homes.clear();
        }
        known.homes.insert(channel, home);
        Ok(home)
    }

    /// What we speak by in a channel; `None` if Discord lets us have nothing.
    async fn webhook(
        &self,
        desk: &WebhookDesk,
        scope: Scope,
        home: ChannelId,
    ) -> Result<Option<WebhookHandle>, ChatError> {
        let remembered = || {
            let webhook = desk.remembered(home)?;
            (!self.webhook_news.is_news(home)).then_some(webhook)
        };
        if let Some(webhook) = remembered() {
            return Ok(Some(webhook));
        }
        let place = &desk.making[(home.get() >> 22) as usize % MADE_AT_ONCE];
        let _alone = place.acquire().await.map_err(|_| ChatError::Unknown {
            reason: "closed".to_owned(),
        })?;
        if let Some(webhook) = remembered() {
            return Ok(Some(webhook));
        }
        let mut kept = desk
            .store
            .webhook(scope, home)
            .await
            .map_err(|error| unkept(&error))?;
        if self.webhook_news.take(home) {
            self.wire.webhooks_changed(home);
            if let Some(webhook) = &kept
                && self.is_deleted(home, webhook).await
            {
                self.forget_webhook(desk, scope, home, webhook.id()).await?;
                kept = None;
            }
        }
        let webhook = match kept {
            Some(webhook) => webhook,
            None => match self.find_or_make(desk, home).await {
                Ok(webhook) => {
                    let keeping = desk
                        .store
                        .keep_webhook(scope, home, &webhook, self.wire.now());
                    keeping.await.map_err(|error| unkept(&error))?;
                    webhook
                }
                Err(error) => return self.do_without(desk, scope, home, error).await,
            },
        };
        desk.remember(home, &webhook);
        Ok(Some(webhook))
    }

    /// Whether a webhook is no longer there. Where Discord does not let us look
    /// it may still work, and whoever uses it will see.
    async fn is_deleted(&self, home: ChannelId, webhook: &WebhookHandle) -> bool {
        let there = self.get::<Vec<RawWebhook>>(Route::Webhooks(home)).await;
        there.is_ok_and(|there| there.iter().all(|it| it.id.get() != webhook.id().get()))
    }

    /// Discord lets us have no webhook: that is kept, so that somebody can be
    /// told. Where we can do nothing else either, it is an error.
    async fn do_without(
        &self,
        desk: &WebhookDesk,
        scope: Scope,
        home: ChannelId,
        error: ChatError,
    ) -> Result<Option<WebhookHandle>, ChatError> {
        let code = match error {
            ChatError::Refused { code, .. }
                if [NO_PERMISSION, TOO_MANY_WEBHOOKS].contains(&code) =>
            {
                code
            }
            ChatError::Refused {
                code,
                disposition: Disposition::GiveUp,
                ..
            } => code,
            error => return Err(error),
        };
        tracing::warn!(channel = %home, code, "no webhook here: personas speak in our voice");
        let refused = desk
            .store
            .refuse_webhook(scope, home, code, self.wire.now());
        refused.await.map_err(|error| unkept(&error))?;
        Ok(None)
    }

    /// Our application's number.
    pub(super) async fn our_application(&self, desk: &WebhookDesk) -> Result<u64, ChatError> {
        let asked = || async { Ok(self.application().await?.id.get()) };
        desk.application.get_or_try_init(asked).await.copied()
    }

    async fn find_or_make(
        &self,
        desk: &WebhookDesk,
        home: ChannelId,
    ) -> Result<WebhookHandle, ChatError> {
        let ours = self.our_application(desk).await?;
        let there: Vec<RawWebhook> = self.get(Route::Webhooks(home)).await?;
        let found = there
            .into_iter()
            .filter(|it| it.kind == INCOMING && it.application_id.map(Id::get) == Some(ours));
        let oldest = found
            .filter_map(RawWebhook::into_handle)
            .min_by_key(WebhookHandle::id);
        if let Some(webhook) = oldest {
            return Ok(webhook);
        }
        let body = RequestBody::of(&json!({ "name": NAME }));
        let route = Route::CreateWebhook(home);
        self.webhook_news.making(home);
        let answer = self.wire.call(route, Some(&body), &OnWire::new()).await;
        let answer = answer.inspect_err(|_| self.webhook_news.not_made(home))?;
        let made: RawWebhook = parse(&answer)?;
        made.into_handle().ok_or_else(|| ChatError::Unknown {
            reason: "Discord made a webhook and told no token".to_owned(),
        })
    }

    async fn forget_webhook(
        &self,
        desk: &WebhookDesk,
        scope: Scope,
        home: ChannelId,
        webhook: WebhookId,
    ) -> Result<(), ChatError> {
        let now = self.wire.now();
        let forgotten = desk.store.forget_webhook(scope, webhook, now).await;
        forgotten.map_err(|error| unkept(&error))?;
        let mut known = desk.known();
        if known
            .webhooks
            .get(&home)
            .is_some_and(|it| it.id() == webhook)
        {
            known.webhooks.remove(&home);
        }
        Ok(())
    }
}

/// Whether it is a sticker whose picture a webhook cannot show.
fn is_drawing(body: &EffectBody) -> bool {
    match body {
        EffectBody::Say {
            outgoing: Outgoing::Sticker(sticker),
            ..
        } => sticker.picture().is_none(),
        _ => false,
    }
}

/// What cannot be recorded is not done, and tried again.
fn unkept(error: &StoreError) -> ChatError {
    ChatError::Unknown {
        reason: error.to_string(),
    }
}
