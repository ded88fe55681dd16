//! A channel of a guild: what those who manage it can set.

use serde::{Deserialize, Serialize};

use super::{GuildChannelKind, Overwrite};
use crate::snowflake::Snowflake;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GuildChannel {
    pub(crate) guild: Snowflake,
    pub(crate) kind: GuildChannelKind,
    pub(crate) name: String,
    pub(crate) topic: Option<String>,
    pub(crate) position: usize,
    pub(crate) overwrites: Vec<Overwrite>,
    /// The category that holds it.
    pub(crate) parent: Option<Snowflake>,
    pub(crate) nsfw: bool,
    /// Seconds that people wait between two messages.
    pub(crate) slow_mode: u64,
    /// The slow mode that new threads begin with.
    pub(crate) thread_slow_mode: u64,
    /// Minutes after which new threads are archived.
    pub(crate) auto_archive: Option<u64>,
    /// Discord Docs/Channel, Channel Flags.
    pub(crate) flags: u64,
    pub(crate) voice: VoiceSettings,
    pub(crate) forum: ForumSettings,
}

impl GuildChannel {
    /// A post must have a tag. Discord Docs/Channel, Channel Flags.
    pub(crate) const REQUIRE_TAG: u64 = 1 << 4;

    pub(crate) fn new(guild: Snowflake, kind: GuildChannelKind, name: String) -> Self {
        Self {
            guild,
            kind,
            name,
            topic: None,
            position: 0,
            overwrites: Vec::new(),
            parent: None,
            nsfw: false,
            slow_mode: 0,
            thread_slow_mode: 0,
            auto_archive: None,
            flags: 0,
            voice: VoiceSettings::default(),
            forum: ForumSettings::default(),
        }
    }
}

/// What voice and stage channels have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct VoiceSettings {
    pub(crate) bitrate: u64,
    pub(crate) user_limit: u64,
    pub(crate) rtc_region: Option<String>,
    pub(crate) video_quality_mode: u64,
}

impl Default for VoiceSettings {
    fn default() -> Self {
        Self {
            bitrate: 64_000,
            user_limit: 0,
            rtc_region: None,
            video_quality_mode: 1,
        }
    }
}

/// What forums and media channels have.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ForumSettings {
    pub(crate) available_tags: Vec<ForumTag>,
    pub(crate) default_reaction_emoji: Option<DefaultReaction>,
    pub(crate) default_sort_order: Option<u64>,
    pub(crate) default_forum_layout: u64,
}

/// A tag that posts of a forum can have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ForumTag {
    pub(crate) id: Snowflake,
    pub(crate) name: String,
    /// Whether only those who manage threads give or take it.
    pub(crate) moderated: bool,
    #[serde(flatten)]
    pub(crate) emoji: DefaultReaction,
}

/// An emoji of a guild by its id, or one of Unicode's by its name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct DefaultReaction {
    pub(crate) emoji_id: Option<Snowflake>,
    pub(crate) emoji_name: Option<String>,
}
