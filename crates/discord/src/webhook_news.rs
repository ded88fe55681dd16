//! Channels whose webhooks have changed, as the gateway tells.
//!
//! Discord says in which channel, not what has changed, and tells of our own
//! changes too. So whoever speaks next in that channel looks once, and the
//! telling that our own webhook brings about is passed over.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kaiwa_domain::ChannelId;
use serde::Deserialize;
use twilight_model::id::Id;
use twilight_model::id::marker::ChannelMarker;

/// How many channels are remembered; all are forgotten when there are more.
/// What is forgotten costs one request that fails.
const CHANNELS: usize = 4096;

/// What was told of webhooks. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct WebhookNews(Arc<Mutex<ToldChannels>>);

#[derive(Default)]
struct ToldChannels {
    changed: HashSet<ChannelId>,
    /// Where the next telling is of a webhook that we made.
    own: HashSet<ChannelId>,
}

impl WebhookNews {
    /// Takes in a gateway event.
    pub(crate) fn note(&self, kind: &str, text: &str) {
        #[derive(Deserialize)]
        struct Envelope {
            d: Told,
        }
        #[derive(Deserialize)]
        struct Told {
            channel_id: Id<ChannelMarker>,
        }
        if kind != "WEBHOOKS_UPDATE" {
            return;
        }
        let Ok(Envelope { d: told }) = serde_json::from_str(text) else {
            return;
        };
        let channel = ChannelId::new(told.channel_id.get());
        let mut news = self.lock();
        if !news.own.remove(&channel) {
            insert(&mut news.changed, channel);
        }
    }

    /// We are about to make a webhook; Discord may tell of it before it
    /// answers.
    pub(crate) fn making(&self, channel: ChannelId) {
        insert(&mut self.lock().own, channel);
    }

    /// None was made, as far as is known.
    pub(crate) fn not_made(&self, channel: ChannelId) {
        self.lock().own.remove(&channel);
    }

    /// Whether something has changed in a channel since somebody looked.
    pub(crate) fn is_news(&self, channel: ChannelId) -> bool {
        self.lock().changed.contains(&channel)
    }

    /// The same, for who looks now.
    pub(crate) fn take(&self, channel: ChannelId) -> bool {
        self.lock().changed.remove(&channel)
    }

    fn lock(&self) -> MutexGuard<'_, ToldChannels> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn insert(channels: &mut HashSet<ChannelId>, channel: ChannelId) {
    if channels.len() >= CHANNELS {
        channels.clear();
    }
    channels.insert(channel);
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANNEL: ChannelId = ChannelId::new(5);

    fn told(news: &WebhookNews, channel: u64) {
        let text = format!(r#"{{"d":{{"guild_id":"3","channel_id":"{channel}"}}}}"#);
        news.note("WEBHOOKS_UPDATE", &text);
    }

    #[test]
    fn a_change_is_news_once_and_our_own_is_none() {
        let news = WebhookNews::default();
        news.making(CHANNEL);
        told(&news, 5);
        assert!(!news.is_news(CHANNEL), "our own");
        told(&news, 5);
        assert!(news.is_news(CHANNEL) && news.take(CHANNEL));
        assert!(!news.is_news(CHANNEL) && !news.take(CHANNEL), "looked at");

        news.making(CHANNEL);
        news.not_made(CHANNEL);
        told(&news, 5);
        assert!(news.take(CHANNEL), "it was not ours");
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let news = WebhookNews::default();
        for channel in 1..=10_000 {
            told(&news, channel);
        }
        assert!(news.lock().changed.len() <= CHANNELS);
        news.note("WEBHOOKS_UPDATE", r#"{"d":{}}"#);
        news.note("CHANNEL_UPDATE", r#"{"d":{"channel_id":"5"}}"#);
    }
}
