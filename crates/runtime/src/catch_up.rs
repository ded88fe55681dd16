//! What was said while nobody listened.
//!
//! A session that is resumed replays what was missed. One that begins anew does
//! not, so the channels in which somebody may be waiting are read by REST: the
//! ones that we were active in, and those of which a guild says that something
//! was said lately. Everything passes the same gate as what the gateway brings.

use std::collections::HashSet;
use std::time::Duration;

use kaiwa_domain::limits::SNOWFLAKE_EPOCH_MS;
use kaiwa_domain::port::History;
use kaiwa_domain::settings::{SettingKey, SettingKind};
use kaiwa_domain::{ChannelId, GuildSnapshot, Message, MessageId, Scope, Timestamp};

use crate::activity::Activity;
use crate::{Bot, refusals};

/// How many channels are read at most.
const CHANNELS: u16 = 50;

/// How many messages of each are read at a time, newest first, and how often.
const MESSAGES: u16 = 100;
const PAGES: usize = 3;

/// No guild answers what is older than this.
const ANSWERED_AT_MOST: Duration = match SettingKey::AnswerWithin.setting().kind {
    SettingKind::Duration { max, .. } => max,
    _ => Duration::ZERO,
};

/// Where something may have been missed.
pub(crate) enum Missed {
    /// Wherever we were asked something lately.
    Everywhere,
    /// In the channels of a guild.
    In(GuildSnapshot),
}

/// The messages that were missed, each channel's in order.
pub(crate) async fn messages(bot: &Bot, activity: &Activity, missed: Missed) -> Vec<Message> {
    let channels = match missed {
        Missed::Everywhere => active(bot).await,
        Missed::In(guild) => {
            // What a guild allows, its channels cannot change.
            let since = answerable_since(bot, guild.scope, ChannelId::new(0)).await;
            spoken_in(&guild, since)
        }
    };
    let mut messages = Vec::new();
    for (scope, channel) in channels {
        let since = answerable_since(bot, scope, channel).await;
        let heard = activity.last_in(channel).unwrap_or(MessageId::new(0));
        let after = heard.max(first_at(since));
        let missed = newer(bot, scope, channel, after).await;
        messages.extend(refusals::undecided(bot, channel, missed).await);
    }
    if !messages.is_empty() {
        tracing::info!(count = messages.len(), "read what was said meanwhile");
    }
    messages
}

/// The messages of a channel after one, oldest first. Where there are too many
/// the newest are read: somebody may still wait for an answer to those.
async fn newer(bot: &Bot, scope: Scope, channel: ChannelId, after: MessageId) -> Vec<Message> {
    let mut newer: Vec<Message> = Vec::new();
    let mut point = History::Latest;
    for _ in 0..PAGES {
        let page = match bot.chat.history(scope, channel, point, MESSAGES).await {
            Ok(page) => page,
            Err(error) => {
                tracing::warn!(%channel, %error, "what was missed cannot be read");
                break;
            }
        };
        let Some(oldest) = page.first().map(|message| message.id) else {
            break;
        };
        newer.splice(0..0, page);
        if oldest <= after {
            break;
        }
        point = History::Before(oldest);
    }
    newer.retain(|message| message.id > after);
    newer
}

/// From when on what was said in a channel is answered.
async fn answerable_since(bot: &Bot, scope: Scope, channel: ChannelId) -> Timestamp {
    let within = bot.settings.rules(scope, channel).await.answer_within;
    before(bot.clock.now(), within)
}

fn before(now: Timestamp, age: Duration) -> Timestamp {
    let age = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(now.as_millis().saturating_sub(age))
}

/// The channels in which we were asked something that is still answered there.
async fn active(bot: &Bot) -> Vec<(Scope, ChannelId)> {
    let since = before(bot.clock.now(), ANSWERED_AT_MOST);
    let channels = match bot.store.active_channels(since, CHANNELS).await {
        Ok(channels) => channels,
        Err(error) => {
            tracing::warn!(%error, "which channels were active cannot be read");
            return Vec::new();
        }
    };
    let mut active = Vec::new();
    for it in channels {
        let since = answerable_since(bot, it.scope, it.channel).await;
        if it.last.is_none_or(|last| last.created_at() >= since) {
            active.push((it.scope, it.channel));
        }
    }
    active
}

/// The channels of a guild in which something was said, newest first.
fn spoken_in(guild: &GuildSnapshot, since: Timestamp) -> Vec<(Scope, ChannelId)> {
    let mut seen = HashSet::new();
    let mut channels: Vec<_> = guild
        .channels
        .iter()
        .filter_map(|channel| Some((channel.id, channel.last_message?)))
        .filter(|(channel, last)| last.created_at() >= since && seen.insert(*channel))
        .collect();
    channels.sort_unstable_by_key(|(_, last)| std::cmp::Reverse(*last));
    channels.truncate(CHANNELS.into());
    channels
        .into_iter()
        .map(|(channel, _)| (guild.scope, channel))
        .collect()
}

/// The smallest id that Discord could have given at a moment.
const fn first_at(at: Timestamp) -> MessageId {
    let millis = at.as_millis() - SNOWFLAKE_EPOCH_MS;
    MessageId::new(if millis < 0 {
        0
    } else {
        millis.cast_unsigned() << 22
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::{ChannelSnapshot, GuildId};

    #[test]
    fn only_channels_with_recent_messages_are_read_newest_first() {
        let now = Timestamp::from_millis(1_800_000_000_000);
        let ago = |millis| first_at(Timestamp::from_millis(now.as_millis() - millis));
        let guild = GuildSnapshot {
            channels: [(1, 5_000), (2, 700_000), (3, 1_000), (3, 1_000)]
                .map(|(id, age)| ChannelSnapshot {
                    last_message: Some(ago(age)),
                    ..ChannelSnapshot::new(ChannelId::new(id))
                })
                .into(),
            ..GuildSnapshot::new(Scope::Guild(GuildId::new(1)))
        };
        let since = Timestamp::from_millis(now.as_millis() - 600_000);
        let found: Vec<u64> = spoken_in(&guild, since)
            .iter()
            .map(|(_, channel)| channel.get())
            .collect();
        assert_eq!(found, [3, 1]);
        assert_eq!(first_at(since).created_at(), since);
    }
}
