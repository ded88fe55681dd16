//! What the model is shown.

use std::time::Duration;

use kaiwa_domain::settings::{EffectiveSettings, SettingKey, SettingValue};

/// What the model is shown in a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContextSettings {
    /// How many earlier entries.
    pub messages: u16,
    /// How old they may be.
    pub age: Duration,
    /// Whether only what was said to and by the bot counts.
    pub directed: bool,
    /// How many of the newest count all the same.
    pub around: u16,
    /// How many tokens the conversation may take.
    pub tokens: u16,
    /// Whether what was said before the start is left out.
    pub forget_on_restart: bool,
    /// Own messages that are left out.
    pub skip: Vec<String>,
    /// Whether own answers that went in circles are shortened.
    pub shorten_circles: bool,
    /// Whether the model is asked to take notes.
    pub notes: bool,
    /// What there is to know of the server.
    pub server_note: Option<String>,
    /// What there is to know of the channel.
    pub channel_note: Option<String>,
    /// How many of the server's emoji are offered.
    pub emoji: u16,
    /// What answers begin with.
    pub prefill: Option<String>,
}

impl From<&EffectiveSettings> for ContextSettings {
    fn from(effective: &EffectiveSettings) -> Self {
        let whole = |key| match effective.value(key) {
            SettingValue::Whole(number) => *number,
            _ => 0,
        };
        let text = |key| match effective.value(key) {
            SettingValue::Text(text) => Some(text.clone()),
            _ => None,
        };
        let on = |key| *effective.value(key) == SettingValue::Switch(true);
        Self {
            messages: whole(SettingKey::Messages),
            age: match effective.value(SettingKey::ContextAge) {
                SettingValue::Duration(age) => *age,
                _ => Duration::ZERO,
            },
            directed: *effective.value(SettingKey::ContextView) == SettingValue::Choice("directed"),
            around: whole(SettingKey::ContextAround),
            tokens: whole(SettingKey::ContextTokens),
            forget_on_restart: on(SettingKey::ForgetOnRestart),
            skip: match effective.value(SettingKey::SkipPatterns) {
                SettingValue::List(patterns) => patterns.clone(),
                _ => Vec::new(),
            },
            shorten_circles: on(SettingKey::ShortenCircles),
            notes: on(SettingKey::MemoryEnabled) && on(SettingKey::TakeNotes),
            server_note: text(SettingKey::ServerNote),
            channel_note: text(SettingKey::ChannelNote),
            emoji: whole(SettingKey::ContextEmoji),
            prefill: text(SettingKey::Prefill),
        }
    }
}
