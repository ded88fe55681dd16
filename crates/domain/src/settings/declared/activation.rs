//! When the bot answers, and whom.

use super::{DAY, EVERYWHERE, GUILD, GUILD_AND_CHANNEL, MANAGE_SERVER, SECOND};
use crate::settings::{Setting, SettingKey, SettingKind};

pub(in crate::settings) const TRIGGER_WORDS: Setting = Setting {
    key: SettingKey::TriggerWords,
    name: "activation.words",
    kind: SettingKind::List { most: 10, each: 40 },
    default: "none",
    layers: EVERYWHERE,
    right: MANAGE_SERVER,
    label: "Trigger words",
    help: &[
        "Words that address the bot as its mention does: whole words in any case, with",
        "letters stretched if people do; in Chinese, Japanese and Korean anywhere.",
    ],
};

pub(in crate::settings) const ALWAYS_REPLY: Setting = Setting {
    key: SettingKey::AlwaysReply,
    name: "activation.always",
    kind: SettingKind::Switch,
    default: "off",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Always reply",
    help: &["Whether every message of a person is answered."],
};

pub(in crate::settings) const AUTO_REPLY_MIN: Setting = Setting {
    key: SettingKey::AutoReplyMin,
    name: "activation.auto_min",
    kind: SettingKind::Whole {
        min: 0,
        max: 1000,
        or_off: true,
    },
    default: "off",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Join in after, at least",
    help: &[
        "After how many messages in a channel the bot joins in by itself: a number",
        "drawn between auto_min and auto_max. 0 is every message, \"off\" never.",
    ],
};

pub(in crate::settings) const AUTO_REPLY_MAX: Setting = Setting {
    key: SettingKey::AutoReplyMax,
    name: "activation.auto_max",
    kind: SettingKind::Whole {
        min: 0,
        max: 1000,
        or_off: false,
    },
    default: "20",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Join in after, at most",
    help: &["The upper bound that belongs to auto_min."],
};

pub(in crate::settings) const OWN_THREADS: Setting = Setting {
    key: SettingKey::OwnThreads,
    name: "activation.own_threads",
    kind: SettingKind::Switch,
    default: "on",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Threads of its own",
    help: &["Whether everything in a thread that the bot began is for it."],
};

pub(in crate::settings) const JOIN_IN: Setting = Setting {
    key: SettingKey::JoinIn,
    name: "activation.join_in",
    kind: SettingKind::Switch,
    default: "off",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Ask whether to speak",
    help: &[
        "Whether the classifier model is asked if the bot should say something to what",
        "people say among themselves.",
    ],
};

pub(in crate::settings) const JOIN_IN_PAUSE: Setting = Setting {
    key: SettingKey::JoinInPause,
    name: "activation.join_in_pause",
    kind: SettingKind::Duration {
        min: SECOND,
        max: DAY,
    },
    default: "2m",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Pause after joining in",
    help: &[
        "How long the bot keeps out of a channel after it has been asked, or has",
        "joined in by itself.",
    ],
};

pub(in crate::settings) const JOIN_IN_SHARE: Setting = Setting {
    key: SettingKey::JoinInShare,
    name: "activation.join_in_share",
    kind: SettingKind::Whole {
        min: 1,
        max: 100,
        or_off: false,
    },
    default: "20",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Share of the talk",
    help: &[
        "The most that the bot may have of the last messages of a channel and still",
        "join in, in percent.",
    ],
};

pub(in crate::settings) const ANSWER_BOTS: Setting = Setting {
    key: SettingKey::AnswerBots,
    name: "activation.bots",
    kind: SettingKind::Switch,
    default: "off",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Answer other bots",
    help: &["Whether other bots that address the bot are answered: twice in a row at most."],
};

pub(in crate::settings) const USERS_ALLOWED: Setting = Setting {
    key: SettingKey::UsersAllowed,
    name: "access.users_allowed",
    kind: SettingKind::Ids { most: 200 },
    default: "none",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Only these people",
    help: &["The only people who are answered; everybody if there are none."],
};

pub(in crate::settings) const USERS_DENIED: Setting = Setting {
    key: SettingKey::UsersDenied,
    name: "access.users_denied",
    kind: SettingKind::Ids { most: 200 },
    default: "none",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Not these people",
    help: &["People who are never answered."],
};

pub(in crate::settings) const ROLES_ALLOWED: Setting = Setting {
    key: SettingKey::RolesAllowed,
    name: "access.roles_allowed",
    kind: SettingKind::Ids { most: 50 },
    default: "none",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Only these roles",
    help: &["The only roles whose members are answered; all if there are none."],
};

pub(in crate::settings) const ROLES_DENIED: Setting = Setting {
    key: SettingKey::RolesDenied,
    name: "access.roles_denied",
    kind: SettingKind::Ids { most: 50 },
    default: "none",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Not these roles",
    help: &["Roles whose members are never answered."],
};

pub(in crate::settings) const CHANNELS_ALLOWED: Setting = Setting {
    key: SettingKey::ChannelsAllowed,
    name: "access.channels_allowed",
    kind: SettingKind::Ids { most: 200 },
    default: "none",
    layers: GUILD,
    right: MANAGE_SERVER,
    label: "Only these channels",
    help: &[
        "The only channels in which the bot answers, with their threads; all if there",
        "are none.",
    ],
};

pub(in crate::settings) const CHANNELS_DENIED: Setting = Setting {
    key: SettingKey::ChannelsDenied,
    name: "access.channels_denied",
    kind: SettingKind::Ids { most: 200 },
    default: "none",
    layers: GUILD,
    right: MANAGE_SERVER,
    label: "Not these channels",
    help: &["Channels in which the bot never answers, nor in their threads."],
};

pub(in crate::settings) const USER_QUESTIONS: Setting = Setting {
    key: SettingKey::UserQuestions,
    name: "limits.user_questions",
    kind: SettingKind::Whole {
        min: 1,
        max: 1000,
        or_off: true,
    },
    default: "10",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Questions of one person",
    help: &["How many questions one person may ask within user_window."],
};

pub(in crate::settings) const USER_WINDOW: Setting = Setting {
    key: SettingKey::UserWindow,
    name: "limits.user_window",
    kind: SettingKind::Duration {
        min: SECOND,
        max: DAY,
    },
    default: "1m",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Window for questions",
    help: &["The time that user_questions is about."],
};

pub(in crate::settings) const USER_TURNS: Setting = Setting {
    key: SettingKey::UserTurns,
    name: "limits.user_turns",
    kind: SettingKind::Whole {
        min: 1,
        max: 20,
        or_off: false,
    },
    default: "5",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Open questions of one person",
    help: &["How many answers one person may wait for at once."],
};

pub(in crate::settings) const GUILD_TURNS: Setting = Setting {
    key: SettingKey::GuildTurns,
    name: "limits.guild_turns",
    kind: SettingKind::Whole {
        min: 1,
        max: 500,
        or_off: false,
    },
    default: "50",
    layers: GUILD,
    right: MANAGE_SERVER,
    label: "Open questions of a server",
    help: &["How many answers all people of a server may wait for at once."],
};

pub(in crate::settings) const CHANNEL_QUEUE: Setting = Setting {
    key: SettingKey::ChannelQueue,
    name: "limits.channel_queue",
    kind: SettingKind::Whole {
        min: 1,
        max: 50,
        or_off: false,
    },
    default: "20",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Open questions of a channel",
    help: &["How many answers may wait in one channel."],
};

pub(in crate::settings) const ROLE_QUOTAS: Setting = Setting {
    key: SettingKey::RoleQuotas,
    name: "limits.role_quotas",
    kind: SettingKind::Quotas { most: 20 },
    default: "none",
    layers: GUILD,
    right: MANAGE_SERVER,
    label: "Quotas of roles",
    help: &[
        "How many questions each member of a role may ask: role id, number and time, as",
        "in \"1234=5/1h\". Of several roles the most generous counts, also beyond",
        "user_questions.",
    ],
};
