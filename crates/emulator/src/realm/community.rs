//! What a guild sets up for its community: planned events, stages, rules that
//! moderate, sounds, a template and a welcome.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::DefaultReaction;
use crate::snowflake::Snowflake;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Community {
    pub(crate) events: Vec<ScheduledEvent>,
    pub(crate) stages: Vec<StageInstance>,
    pub(crate) rules: Vec<ModerationRule>,
    pub(crate) sounds: Vec<Sound>,
    pub(crate) templates: Vec<GuildTemplate>,
    /// None as long as nobody set one up.
    pub(crate) welcome: Option<WelcomeScreen>,
    pub(crate) onboarding: Onboarding,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ScheduledEvent {
    pub(crate) id: Snowflake,
    pub(crate) creator: Snowflake,
    /// None when it is somewhere else.
    pub(crate) channel: Option<Snowflake>,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) begins: Timestamp,
    pub(crate) ends: Option<Timestamp>,
    pub(crate) status: EventStatus,
    pub(crate) entity: EventEntity,
    pub(crate) location: Option<String>,
    pub(crate) image: Option<String>,
    /// As Discord shows it.
    pub(crate) recurrence: Option<Value>,
    /// Who is interested.
    pub(crate) people: Vec<Snowflake>,
}

/// Discord Docs/Guild Scheduled Event, Event Status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum EventStatus {
    Scheduled = 1,
    Active = 2,
    Completed = 3,
    Canceled = 4,
}

impl EventStatus {
    pub(crate) fn from_number(number: u64) -> Option<Self> {
        let all = [
            Self::Scheduled,
            Self::Active,
            Self::Completed,
            Self::Canceled,
        ];
        all.into_iter().find(|it| *it as u64 == number)
    }

    /// Whether an event that is at one can be brought to the other.
    pub(crate) fn leads_to(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Scheduled, Self::Active | Self::Canceled) | (Self::Active, Self::Completed)
        )
    }

    pub(crate) fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Canceled)
    }
}

/// Where it takes place. Discord Docs/Guild Scheduled Event, Entity Types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum EventEntity {
    Stage = 1,
    Voice = 2,
    External = 3,
}

impl EventEntity {
    pub(crate) fn from_number(number: u64) -> Option<Self> {
        let all = [Self::Stage, Self::Voice, Self::External];
        all.into_iter().find(|it| *it as u64 == number)
    }
}

/// A stage that is open. Its channel has no more than this one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct StageInstance {
    pub(crate) id: Snowflake,
    pub(crate) channel: Snowflake,
    pub(crate) topic: String,
    pub(crate) event: Option<Snowflake>,
}

/// What is looked for in messages, and what happens when it is found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ModerationRule {
    pub(crate) id: Snowflake,
    pub(crate) creator: Snowflake,
    pub(crate) name: String,
    pub(crate) event: u64,
    pub(crate) trigger: RuleTrigger,
    pub(crate) metadata: TriggerMetadata,
    pub(crate) actions: Vec<RuleAction>,
    pub(crate) enabled: bool,
    pub(crate) exempt_roles: Vec<Snowflake>,
    pub(crate) exempt_channels: Vec<Snowflake>,
}

/// Discord Docs/Auto Moderation, Trigger Types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum RuleTrigger {
    Keyword = 1,
    Spam = 3,
    KeywordPreset = 4,
    MentionSpam = 5,
    MemberProfile = 6,
}

impl RuleTrigger {
    pub(crate) fn from_number(number: u64) -> Option<Self> {
        let all = [
            Self::Keyword,
            Self::Spam,
            Self::KeywordPreset,
            Self::MentionSpam,
            Self::MemberProfile,
        ];
        all.into_iter().find(|it| *it as u64 == number)
    }

    /// How many rules of the kind a guild may have.
    pub(crate) fn most(self) -> usize {
        match self {
            Self::Keyword => 6,
            _ => 1,
        }
    }
}

/// What a rule looks for. Discord Docs/Auto Moderation, Trigger Metadata.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct TriggerMetadata {
    pub(crate) keyword_filter: Vec<String>,
    pub(crate) regex_patterns: Vec<String>,
    pub(crate) presets: Vec<u64>,
    pub(crate) allow_list: Vec<String>,
    pub(crate) mention_total_limit: u64,
    pub(crate) mention_raid_protection_enabled: bool,
}

/// Discord Docs/Auto Moderation, Action Types.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum RuleAction {
    /// With what the author is told beside.
    Block(Option<String>),
    Alert(Snowflake),
    /// For so many seconds.
    TimeOut(u64),
    BlockInteraction,
}

/// A sound of a guild's soundboard. Its bytes are kept apart.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Sound {
    pub(crate) id: Snowflake,
    pub(crate) name: String,
    pub(crate) volume: f64,
    #[serde(flatten)]
    pub(crate) emoji: DefaultReaction,
    pub(crate) creator: Snowflake,
}

/// A guild as it was, for others to begin with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GuildTemplate {
    pub(crate) code: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) creator: Snowflake,
    pub(crate) created: Timestamp,
    pub(crate) synced: Timestamp,
    /// As Discord shows it.
    pub(crate) guild: Value,
}

/// What those who come see first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct WelcomeScreen {
    pub(crate) enabled: bool,
    pub(crate) description: Option<String>,
    /// As Discord shows them.
    pub(crate) channels: Vec<Value>,
}

/// What those who come are asked.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Onboarding {
    pub(crate) enabled: bool,
    pub(crate) mode: u64,
    pub(crate) default_channel_ids: Vec<Snowflake>,
    /// As Discord shows them.
    pub(crate) prompts: Vec<Value>,
}
