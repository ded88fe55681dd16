//! What happens when somebody joins.

use std::time::Duration;

use super::{GUILD, MANAGE_SERVER, MINUTE, SECOND};
use crate::settings::{Setting, SettingKey, SettingKind};

const MANAGE_ROLES: &str = "Manage Roles";

/// A year, about.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

const FIVE_MINUTES: Duration = Duration::from_secs(300);

pub(in crate::settings) const WELCOME_CHANNEL: Setting = Setting {
    key: SettingKey::WelcomeChannel,
    name: "joins.welcome_channel",
    kind: SettingKind::Ids { most: 1 },
    default: "none",
    layers: GUILD,
    right: MANAGE_SERVER,
    label: "Welcome channel",
    help: &[
        "The id of the channel in which people who join are welcomed, in character.",
        "\"none\" welcomes nobody.",
    ],
};

pub(in crate::settings) const WELCOME_PROMPT: Setting = Setting {
    key: SettingKey::WelcomePrompt,
    name: "joins.welcome_prompt",
    kind: SettingKind::Text {
        most: 1000,
        or_off: false,
    },
    default: "Welcome them warmly in one or two sentences.",
    layers: GUILD,
    right: MANAGE_SERVER,
    label: "Words of welcome",
    help: &["What the model is told about welcoming people."],
};

pub(in crate::settings) const WELCOME_DELAY: Setting = Setting {
    key: SettingKey::WelcomeDelay,
    name: "joins.welcome_delay",
    kind: SettingKind::Duration {
        min: SECOND,
        // An answer that comes later is too late.
        max: FIVE_MINUTES,
    },
    default: "20s",
    layers: GUILD,
    right: MANAGE_SERVER,
    label: "Welcome after",
    help: &[
        "How long after joining people are welcomed. Whoever has left by then is not.",
        "If many join at once, the first few are, and then nobody until it is quiet.",
    ],
};

pub(in crate::settings) const JOIN_ROLE: Setting = Setting {
    key: SettingKey::JoinRole,
    name: "joins.role",
    kind: SettingKind::Ids { most: 1 },
    default: "none",
    layers: GUILD,
    right: MANAGE_ROLES,
    label: "Role on joining",
    help: &["The id of a role that everybody gets who joins."],
};

pub(in crate::settings) const AUTO_ROLE: Setting = Setting {
    key: SettingKey::AutoRole,
    name: "joins.auto_role",
    kind: SettingKind::Ids { most: 1 },
    default: "none",
    layers: GUILD,
    right: MANAGE_ROLES,
    label: "Role for staying",
    help: &[
        "The id of a role that people get some time after joining, and after they have",
        "written something.",
    ],
};

pub(in crate::settings) const AUTO_ROLE_AFTER: Setting = Setting {
    key: SettingKey::AutoRoleAfter,
    name: "joins.auto_role_after",
    kind: SettingKind::Duration {
        min: MINUTE,
        max: LONGEST,
    },
    default: "3d",
    layers: GUILD,
    right: MANAGE_ROLES,
    label: "Role for staying: after",
    help: &["How long after joining people get that role."],
};

pub(in crate::settings) const AUTO_ROLE_MESSAGES: Setting = Setting {
    key: SettingKey::AutoRoleMessages,
    name: "joins.auto_role_messages",
    kind: SettingKind::Whole {
        min: 0,
        max: 10_000,
        or_off: false,
    },
    default: "20",
    layers: GUILD,
    right: MANAGE_ROLES,
    label: "Role for staying: messages",
    help: &["After how many messages people get that role."],
};

pub(in crate::settings) const AUTO_ROLE_WHEN: Setting = Setting {
    key: SettingKey::AutoRoleWhen,
    name: "joins.auto_role_when",
    kind: SettingKind::Choice(&["both", "either"]),
    default: "both",
    layers: GUILD,
    right: MANAGE_ROLES,
    label: "Role for staying: when",
    help: &["Whether it takes both time and messages, or either is enough."],
};
