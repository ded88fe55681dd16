//! What the model is told.

use super::{GUILD_AND_CHANNEL, HOUR, MANAGE_SERVER, MINUTE, MONTH, WEEK};
use crate::settings::{Layer, Setting, SettingKey, SettingKind};

pub(in crate::settings) const MESSAGES: Setting = Setting {
    key: SettingKey::Messages,
    name: "context.messages",
    kind: SettingKind::Whole {
        min: 1,
        max: 100,
        or_off: false,
    },
    default: "30",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Messages in view",
    help: &[
        "How many earlier messages of the channel the model is shown at most. The",
        "messages of one answer count as one.",
    ],
};

pub(in crate::settings) const CONTEXT_AGE: Setting = Setting {
    key: SettingKey::ContextAge,
    name: "context.age",
    kind: SettingKind::Duration {
        min: MINUTE,
        max: WEEK,
    },
    default: "30m",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Age of messages in view",
    help: &[
        "How old a message may be and still be shown to the model. The last exchange",
        "with the asker is shown even so.",
    ],
};

pub(in crate::settings) const CONTEXT_VIEW: Setting = Setting {
    key: SettingKey::ContextView,
    name: "context.view",
    kind: SettingKind::Choice(&["directed", "channel"]),
    default: "directed",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Which messages are in view",
    help: &[
        "What the model is shown: what was said to and by the bot and the newest few",
        "messages around it, or all that was said in the channel.",
    ],
};

pub(in crate::settings) const CONTEXT_AROUND: Setting = Setting {
    key: SettingKey::ContextAround,
    name: "context.around",
    kind: SettingKind::Whole {
        min: 0,
        max: 50,
        or_off: false,
    },
    default: "8",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Newest messages around",
    help: &["How many of the newest messages are shown whoever they are for."],
};

pub(in crate::settings) const CONTEXT_TOKENS: Setting = Setting {
    key: SettingKey::ContextTokens,
    name: "context.tokens",
    kind: SettingKind::Whole {
        min: 500,
        max: 60_000,
        or_off: false,
    },
    default: "12000",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Tokens in view",
    help: &[
        "How many tokens the conversation may take, by estimate. It never takes more",
        "than the model has room for.",
    ],
};

pub(in crate::settings) const FORGET_ON_RESTART: Setting = Setting {
    key: SettingKey::ForgetOnRestart,
    name: "context.forget_on_restart",
    kind: SettingKind::Switch,
    default: "off",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Forget on restart",
    help: &["Whether what was said before the bot was started is left out."],
};

pub(in crate::settings) const SKIP_PATTERNS: Setting = Setting {
    key: SettingKey::SkipPatterns,
    name: "context.skip",
    kind: SettingKind::List {
        most: 30,
        each: 200,
    },
    default: "none",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Left out",
    help: &[
        "Messages of the bot that hold one of these texts are left out, and so is what",
        "they answer: for answers that would spoil the next.",
    ],
};

pub(in crate::settings) const SHORTEN_CIRCLES: Setting = Setting {
    key: SettingKey::ShortenCircles,
    name: "context.shorten_circles",
    kind: SettingKind::Switch,
    default: "on",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Shorten circles",
    help: &[
        "Whether answers of the bot that said the same over and over are shown to the",
        "model with one round of it: seeing more, it would go on with that.",
    ],
};

pub(in crate::settings) const SERVER_NOTE: Setting = Setting {
    key: SettingKey::ServerNote,
    name: "context.server_note",
    kind: SettingKind::Text {
        most: 2000,
        or_off: true,
    },
    default: "off",
    layers: &[Layer::Guild],
    right: MANAGE_SERVER,
    label: "About the server",
    help: &["What the model should know of the server."],
};

pub(in crate::settings) const CHANNEL_NOTE: Setting = Setting {
    key: SettingKey::ChannelNote,
    name: "context.channel_note",
    kind: SettingKind::Text {
        most: 2000,
        or_off: true,
    },
    default: "off",
    layers: &[Layer::Channel],
    right: MANAGE_SERVER,
    label: "About the channel",
    help: &["What the model should know of the channel."],
};

pub(in crate::settings) const CONTEXT_EMOJI: Setting = Setting {
    key: SettingKey::ContextEmoji,
    name: "context.emoji",
    kind: SettingKind::Whole {
        min: 0,
        max: 100,
        or_off: false,
    },
    default: "30",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Emoji on offer",
    help: &["How many of the server's own emoji the model is offered."],
};

pub(in crate::settings) const MEMORY_ENABLED: Setting = Setting {
    key: SettingKey::MemoryEnabled,
    name: "memory.enabled",
    kind: SettingKind::Switch,
    default: "on",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Memory",
    help: &["Whether facts about people and places are kept and recalled."],
};

pub(in crate::settings) const MEMORY_TOKENS: Setting = Setting {
    key: SettingKey::MemoryTokens,
    name: "memory.tokens",
    kind: SettingKind::Whole {
        min: 0,
        max: 8000,
        or_off: false,
    },
    default: "800",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Tokens of memory",
    help: &["How many tokens remembered facts and notes may take, by estimate."],
};

pub(in crate::settings) const TAKE_NOTES: Setting = Setting {
    key: SettingKey::TakeNotes,
    name: "memory.notes",
    kind: SettingKind::Switch,
    default: "on",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Take notes",
    help: &[
        "Whether the model is asked to note down, unseen, what it will need later in the",
        "conversation. Where memory is off it is not.",
    ],
};

pub(in crate::settings) const NOTES_EXPIRE: Setting = Setting {
    key: SettingKey::NotesExpire,
    name: "memory.notes_expire",
    kind: SettingKind::Duration {
        min: HOUR,
        max: MONTH,
    },
    default: "1d",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Notes expire after",
    help: &["How long notes on a conversation are kept."],
};
