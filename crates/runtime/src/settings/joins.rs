//! What happens when somebody joins.

use std::time::Duration;

use kaiwa_domain::settings::{EffectiveSettings, SettingKey, SettingValue};
use kaiwa_domain::{AutoRole, ChannelId, RoleId};

/// What a guild does for people who join.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct JoinSettings {
    /// Where they are welcomed.
    pub(crate) welcome: Option<ChannelId>,
    /// In what words, for the model.
    pub(crate) prompt: String,
    /// After how long.
    pub(crate) delay: Duration,
    /// The role that they get at once.
    pub(crate) role: Option<RoleId>,
    /// The role that they get for staying.
    pub(crate) auto_role: Option<AutoRole>,
}

impl From<&EffectiveSettings> for JoinSettings {
    fn from(effective: &EffectiveSettings) -> Self {
        let id = |key| match effective.value(key) {
            SettingValue::Ids(ids) => ids.first().copied(),
            _ => None,
        };
        let duration = |key| match effective.value(key) {
            SettingValue::Duration(duration) => *duration,
            _ => Duration::ZERO,
        };
        let messages = match effective.value(SettingKey::AutoRoleMessages) {
            SettingValue::Whole(number) => u32::from(*number),
            _ => 0,
        };
        Self {
            welcome: id(SettingKey::WelcomeChannel).map(ChannelId::new),
            prompt: match effective.value(SettingKey::WelcomePrompt) {
                SettingValue::Text(text) => text.clone(),
                _ => String::new(),
            },
            delay: duration(SettingKey::WelcomeDelay),
            role: id(SettingKey::JoinRole).map(RoleId::new),
            auto_role: id(SettingKey::AutoRole).map(|role| AutoRole {
                role: RoleId::new(role),
                after: duration(SettingKey::AutoRoleAfter),
                messages,
                either: *effective.value(SettingKey::AutoRoleWhen)
                    == SettingValue::Choice("either"),
            }),
        }
    }
}
