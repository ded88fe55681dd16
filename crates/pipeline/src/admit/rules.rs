//! What was decided about admission for one place.

use std::time::Duration;

use kaiwa_domain::settings::{EffectiveSettings, RoleQuota, SettingKey, SettingValue};

use super::TriggerWords;

/// The settings of a place that the gate goes by.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AdmitRules {
    /// A message older than this is not answered: a stale answer is worse
    /// than none.
    pub answer_within: Duration,
    /// Words that address us.
    pub words: TriggerWords,
    /// Whether everything is answered.
    pub always: bool,
    /// After how many messages we join in.
    pub auto: Option<AutoReply>,
    /// Whether threads that we began are ours.
    pub own_threads: bool,
    /// Whether a model is asked if we should join in.
    pub join_in: Option<JoinIn>,
    /// Whether other bots are answered.
    pub answer_bots: bool,
    /// The only users who are answered, unless there are none.
    pub users_allowed: Vec<u64>,
    /// Users who are not.
    pub users_denied: Vec<u64>,
    /// The only roles whose members are answered, unless there are none.
    pub roles_allowed: Vec<u64>,
    /// Roles whose members are not.
    pub roles_denied: Vec<u64>,
    /// The only channels, unless there are none.
    pub channels_allowed: Vec<u64>,
    /// Channels in which nothing is answered.
    pub channels_denied: Vec<u64>,
    /// How many questions one person may ask within a while, if that is
    /// limited.
    pub user_questions: Option<(u16, Duration)>,
    /// The same for members of roles.
    pub role_quotas: Vec<RoleQuota>,
    /// How many answers one person may wait for.
    pub user_turns: u16,
    /// How many answers a guild may wait for.
    pub guild_turns: u16,
    /// How many answers a channel may wait for.
    pub channel_queue: u16,
    /// The name of who answers where nobody is named, unless it is the bot
    /// itself.
    pub default_persona: Option<String>,
    /// How many personas answer one message.
    pub match_limit: u16,
    /// How often personas answer each other.
    pub cascade_limit: u16,
}

/// Bounds of the number of messages after which we join in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AutoReply {
    /// At least so many; 0 is every message.
    pub min: u16,
    /// At most so many.
    pub max: u16,
}

/// When a model is asked whether we should join in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JoinIn {
    /// How long it is not asked again.
    pub pause: Duration,
    /// The most that our messages may be among the last ones, in percent.
    pub share: u16,
}

impl From<&EffectiveSettings> for AdmitRules {
    fn from(settings: &EffectiveSettings) -> Self {
        let whole = |key| match settings.value(key) {
            SettingValue::Whole(number) => Some(*number),
            _ => None,
        };
        let duration = |key| match settings.value(key) {
            SettingValue::Duration(duration) => *duration,
            _ => Duration::ZERO,
        };
        let on = |key| *settings.value(key) == SettingValue::Switch(true);
        let ids = |key| match settings.value(key) {
            SettingValue::Ids(ids) => ids.clone(),
            _ => Vec::new(),
        };
        let words = match settings.value(SettingKey::TriggerWords) {
            SettingValue::List(words) => TriggerWords::new(words),
            _ => TriggerWords::default(),
        };
        let role_quotas = match settings.value(SettingKey::RoleQuotas) {
            SettingValue::Quotas(quotas) => quotas.clone(),
            _ => Vec::new(),
        };
        let number = |key| whole(key).unwrap_or_default();
        Self {
            answer_within: duration(SettingKey::AnswerWithin),
            words,
            always: on(SettingKey::AlwaysReply),
            auto: whole(SettingKey::AutoReplyMin).map(|min| AutoReply {
                min,
                max: number(SettingKey::AutoReplyMax).max(min),
            }),
            own_threads: on(SettingKey::OwnThreads),
            join_in: on(SettingKey::JoinIn).then(|| JoinIn {
                pause: duration(SettingKey::JoinInPause),
                share: number(SettingKey::JoinInShare),
            }),
            answer_bots: on(SettingKey::AnswerBots),
            users_allowed: ids(SettingKey::UsersAllowed),
            users_denied: ids(SettingKey::UsersDenied),
            roles_allowed: ids(SettingKey::RolesAllowed),
            roles_denied: ids(SettingKey::RolesDenied),
            channels_allowed: ids(SettingKey::ChannelsAllowed),
            channels_denied: ids(SettingKey::ChannelsDenied),
            user_questions: whole(SettingKey::UserQuestions)
                .map(|count| (count, duration(SettingKey::UserWindow))),
            role_quotas,
            user_turns: number(SettingKey::UserTurns),
            guild_turns: number(SettingKey::GuildTurns),
            channel_queue: number(SettingKey::ChannelQueue),
            default_persona: match settings.value(SettingKey::DefaultPersona) {
                SettingValue::Text(name) => Some(name.clone()),
                _ => None,
            },
            match_limit: number(SettingKey::MatchLimit),
            cascade_limit: number(SettingKey::CascadeLimit),
        }
    }
}
