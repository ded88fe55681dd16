//! What those who manage a guild can set, in the words of the wire.

use serde::{Deserialize, Serialize};

use crate::snowflake::Snowflake;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GuildSettings {
    pub(crate) description: Option<String>,
    pub(crate) icon: Option<String>,
    pub(crate) splash: Option<String>,
    pub(crate) discovery_splash: Option<String>,
    pub(crate) banner: Option<String>,
    pub(crate) afk_channel_id: Option<Snowflake>,
    pub(crate) afk_timeout: u64,
    pub(crate) system_channel_id: Option<Snowflake>,
    pub(crate) system_channel_flags: u64,
    pub(crate) rules_channel_id: Option<Snowflake>,
    pub(crate) public_updates_channel_id: Option<Snowflake>,
    pub(crate) safety_alerts_channel_id: Option<Snowflake>,
    pub(crate) verification_level: u64,
    pub(crate) default_message_notifications: u64,
    pub(crate) explicit_content_filter: u64,
    pub(crate) preferred_locale: String,
    pub(crate) premium_progress_bar_enabled: bool,
    /// Discord Docs/Guild, Guild Features.
    #[serde(default)]
    pub(crate) features: Vec<String>,
    /// Until when invites or direct messages are stopped.
    #[serde(default)]
    pub(crate) incidents_data: Option<IncidentsData>,
    pub(crate) widget_enabled: bool,
    pub(crate) widget_channel_id: Option<Snowflake>,
}

/// Discord Docs/Guild, Incidents Data.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct IncidentsData {
    pub(crate) invites_disabled_until: Option<String>,
    pub(crate) dms_disabled_until: Option<String>,
    pub(crate) dm_spam_detected_at: Option<String>,
    pub(crate) raid_detected_at: Option<String>,
}

impl GuildSettings {
    /// Features that those who manage a guild turn on and off. Discord
    /// Docs/Guild, Mutable Guild Features.
    pub(crate) const MUTABLE: [&str; 4] = [
        "COMMUNITY",
        "DISCOVERABLE",
        "INVITES_DISABLED",
        "RAID_ALERTS_DISABLED",
    ];

    pub(crate) fn has_feature(&self, name: &str) -> bool {
        self.features.iter().any(|feature| feature == name)
    }

    /// Do not tell who joined. Discord Docs/Guild, System Channel Flags.
    pub(crate) const QUIET_JOINS: u64 = 1 << 0;

    /// Every setting that names a channel.
    pub(crate) fn channels_mut(&mut self) -> [&mut Option<Snowflake>; 6] {
        [
            &mut self.afk_channel_id,
            &mut self.system_channel_id,
            &mut self.rules_channel_id,
            &mut self.public_updates_channel_id,
            &mut self.safety_alerts_channel_id,
            &mut self.widget_channel_id,
        ]
    }
}

impl Default for GuildSettings {
    fn default() -> Self {
        Self {
            description: None,
            icon: None,
            splash: None,
            discovery_splash: None,
            banner: None,
            afk_channel_id: None,
            afk_timeout: 300,
            system_channel_id: None,
            system_channel_flags: 0,
            rules_channel_id: None,
            public_updates_channel_id: None,
            safety_alerts_channel_id: None,
            verification_level: 0,
            default_message_notifications: 0,
            explicit_content_filter: 0,
            preferred_locale: "en-US".into(),
            premium_progress_bar_enabled: false,
            features: Vec::new(),
            incidents_data: None,
            widget_enabled: false,
            widget_channel_id: None,
        }
    }
}
