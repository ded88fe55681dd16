//! REST: what we ask of Discord.

mod route;
mod body;
mod codes;
mod limit;
mod brakes;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::limits::HISTORY_PAGE;
use kaiwa_domain::port::{Chat, Clock, History, Pending};
use kaiwa_domain::{ChannelId, ChatError, GuildId, Me, Message, MessageId, Post, Scope};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use twilight_model::guild::Permissions;
use twilight_model::id::Id;
use twilight_model::id::marker::{ApplicationMarker, GuildMarker, MessageMarker};
use twilight_model::oauth::ApplicationFlags;

use crate::permission::{ApplicationId, Need, missing};
use crate::translate::{RawMessage, RawUser};
use crate::{Access, AccessError};
use body::CreateMessage;
use route::Route;
use wire::Wire;

/// No body; its type is of no matter.
const NO_BODY: Option<&()> = None;

/// Discord's REST API. Clones share one connection pool and one set of limits.
#[derive(Clone)]
pub struct Rest(Arc<Wire>);

/// Our application, as the developer portal has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Application {
    /// Its id, which invite links need.
    pub id: ApplicationId,
    /// Its name.
    pub name: String,
    /// Whether the Message Content Intent is turned on.
    pub message_content: bool,
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

/// A guild we are in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Membership {
    /// Which guild.
    pub guild: GuildId,
    /// Its name.
    pub name: String,
    /// What we may not do there, guild-wide.
    pub missing: Vec<Need>,
}

impl Rest {
    /// A client for `access`. Must be called inside a tokio runtime, in which
    /// the rate limiter lives.
    pub fn new(access: &Access, clock: Arc<dyn Clock>) -> Result<Self, AccessError> {
        Wire::new(access, clock).map(|wire| Self(Arc::new(wire)))
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

    /// The guilds we are in, up to two hundred, and what we may not do there.
    pub async fn guilds(&self) -> Result<Vec<Membership>, ChatError> {
        #[derive(Deserialize)]
        struct Raw {
            id: Id<GuildMarker>,
            name: String,
            permissions: Permissions,
        }
        let guilds: Vec<Raw> = self.get(Route::Guilds).await?;
        Ok(guilds
            .into_iter()
            .map(|raw| Membership {
                guild: GuildId::new(raw.id.get()),
                name: raw.name,
                missing: missing(raw.permissions.bits()),
            })
            .collect())
    }

    async fn get<T: DeserializeOwned>(&self, route: Route) -> Result<T, ChatError> {
        let body = self.0.call(route, NO_BODY).await?;
        parse(&body)
    }
}

impl Chat for Rest {
    fn post<'a>(&'a self, post: &'a Post) -> Pending<'a, Result<MessageId, ChatError>> {
        #[derive(Deserialize)]
        struct Posted {
            id: Id<MessageMarker>,
        }
        Box::pin(async move {
            let body = CreateMessage::from(post);
            let route = Route::CreateMessage(post.channel);
            let answer = self.0.call(route, Some(&body)).await?;
            let posted: Posted = parse(&answer)?;
            Ok(MessageId::new(posted.id.get()))
        })
    }

    fn typing(&self, channel: ChannelId) -> Pending<'_, Result<(), ChatError>> {
        Box::pin(async move {
            self.0.call(Route::Typing(channel), NO_BODY).await?;
            Ok(())
        })
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
            let raw: Vec<Box<RawValue>> = self.get(route).await?;
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
            match self.get(Route::Message { channel, message }).await {
                Ok(raw) => Ok(Some(RawMessage::within(raw, scope))),
                Err(ChatError::Refused { code, .. }) if code == codes::UNKNOWN_MESSAGE => Ok(None),
                Err(error) => Err(error),
            }
        })
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
