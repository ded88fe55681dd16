//! The gateway: what Discord tells us.
//!
//! Events come uncompressed. twilight unpacks a compressed frame without a
//! bound, whatever it grows to (a frame of 40 kB took 840 MB), and has no
//! setting for one. Plain events are some five times as long on the wire,
//! which for the events we ask for is a few kilobytes a message. What remains
//! is twilight's websocket, which takes messages of any length: a peer that
//! is not Discord can still fill our memory, byte for byte as it sends.

mod closure;
mod dms;
mod acks;
mod budget;
mod held;
mod pulse;
mod saves;
mod shard;

use std::collections::BTreeSet;
use std::sync::Arc;

use kaiwa_domain::Me;
use kaiwa_domain::port::{Clock, Link, Sessions};
use secrecy::ExposeSecret;
use tokio::sync::watch;
use twilight_gateway::{Config, ConfigBuilder, Intents, ShardId};
use url::Url;

use crate::known::KnownRights;
use crate::webhook_news::WebhookNews;
use crate::{Access, GatewayAddress, Rest};

use budget::IdentifyBudget;
pub use closure::GatewayError;
use closure::PrivilegedIntents;
use pulse::ShardLines;
pub use shard::ShardTask;

/// The connection to Discord's gateway, before it is made.
pub struct Gateway {
    config: Config<IdentifyBudget>,
    shards: u32,
    privileged: PrivilegedIntents,
    me: Me,
    sessions: Arc<dyn Sessions>,
    clock: Arc<dyn Clock>,
    lines: ShardLines,
    known: KnownRights,
    webhook_news: WebhookNews,
}

impl Gateway {
    /// A gateway for `access` at `address`, unless `access` names another
    /// place. `me` is told to whoever listens when a session is resumed, as
    /// Discord does not say it again. Must be called inside a tokio runtime.
    pub fn new(
        access: &Access,
        address: &GatewayAddress,
        me: Me,
        sessions: Arc<dyn Sessions>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, GatewayError> {
        // twilight takes the process's TLS provider; an earlier choice stands.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let url = access
            .gateway_url
            .as_ref()
            .map_or(&*address.url, Url::as_str);
        let url = usable(url).ok_or_else(|| GatewayError::Address {
            url: url.to_owned(),
        })?;
        let mut intents = Intents::GUILDS
            | Intents::GUILD_EMOJIS_AND_STICKERS
            | Intents::GUILD_WEBHOOKS
            | Intents::GUILD_MESSAGES
            | Intents::GUILD_MESSAGE_REACTIONS
            | Intents::DIRECT_MESSAGES
            | Intents::DIRECT_MESSAGE_REACTIONS;
        if access.message_content {
            intents |= Intents::MESSAGE_CONTENT;
        }
        if access.guild_members {
            intents |= Intents::GUILD_MEMBERS;
        }
        let config = ConfigBuilder::new(access.token.expose_secret().to_owned(), intents)
            .proxy_url(url)
            .queue(IdentifyBudget::new(address, clock.clone()))
            .build();
        let shards = address.shards.max(1);
        Ok(Self {
            config,
            shards,
            privileged: PrivilegedIntents::of(access),
            me,
            sessions,
            lines: ShardLines::new(shards, clock.clone()),
            clock,
            known: KnownRights::default(),
            webhook_news: WebhookNews::default(),
        })
    }

    /// Lets `rest` know what events say about the rights of people, and about
    /// webhooks.
    #[must_use]
    pub fn informing(self, rest: &Rest) -> Self {
        Self {
            known: rest.known().clone(),
            webhook_news: rest.webhook_news().clone(),
            ..self
        }
    }

    /// Lets somebody else look after the connections.
    pub fn link(&self) -> Arc<dyn Link> {
        Arc::new(self.lines.clone())
    }

    /// Whether so few sessions may still be started today that none is: what
    /// cannot be resumed waits. Changes are told.
    pub fn short_of_sessions(&self) -> watch::Receiver<bool> {
        self.config.queue().short()
    }

    /// The shards whose connections are closed until somebody takes what they
    /// brought. Changes are told.
    pub fn paused(&self) -> watch::Receiver<BTreeSet<u32>> {
        self.lines.paused.subscribe()
    }

    /// One task for each shard. They share the queue that spaces out new
    /// sessions, so all of them are to run in this process.
    pub fn shards(self) -> Vec<ShardTask> {
        let lines = self.lines.iter();
        lines
            .map(|(number, line)| ShardTask {
                id: ShardId::new(number, self.shards),
                config: self.config.clone(),
                privileged: self.privileged,
                me: self.me.clone(),
                sessions: Arc::clone(&self.sessions),
                clock: Arc::clone(&self.clock),
                line: Arc::clone(line),
                paused: self.lines.paused.clone(),
                known: self.known.clone(),
                webhook_news: self.webhook_news.clone(),
            })
            .collect()
    }
}

/// The address as twilight wants it, which adds a slash and a query and
/// panics on anything but a websocket's address.
fn usable(url: &str) -> Option<String> {
    let parsed = Url::parse(url).ok()?;
    let usable = matches!(parsed.scheme(), "ws" | "wss") && parsed.host().is_some();
    usable.then(|| parsed.as_str().trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::usable;

    #[test]
    fn addresses_are_checked_before_use() {
        fn check(url: &str, expected: Option<&str>) {
            assert_eq!(usable(url).as_deref(), expected, "{url:?}");
        }
        check("wss://gateway.discord.gg", Some("wss://gateway.discord.gg"));
        check(
            "ws://127.0.0.1:1/gateway/",
            Some("ws://127.0.0.1:1/gateway"),
        );
        check("https://gateway.discord.gg", None);
        check("gateway.discord.gg", None);
        check("", None);
    }
}
