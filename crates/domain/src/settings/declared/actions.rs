//! What the bot does for people.

use super::{GUILD, GUILD_AND_CHANNEL, MANAGE_SERVER};
use crate::settings::{Setting, SettingKey, SettingKind};

pub(in crate::settings) const ACTIONS_OFF: Setting = Setting {
    key: SettingKey::ActionsOff,
    name: "actions.off",
    kind: SettingKind::List { most: 60, each: 40 },
    default: "none",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Actions that are off",
    help: &[
        "Actions that nobody can use, neither in words nor by command. /help has",
        "their names.",
    ],
};

pub(in crate::settings) const CONFIRMED_BY: Setting = Setting {
    key: SettingKey::ConfirmedBy,
    name: "actions.confirmed_by",
    kind: SettingKind::Choice(&["asker", "moderators"]),
    default: "asker",
    layers: GUILD,
    right: MANAGE_SERVER,
    label: "Who confirms",
    help: &[
        "Who may confirm what has to be confirmed: whoever asked for it, or everybody",
        "with the permission Manage Messages too. It is done with the rights of",
        "whoever asked.",
    ],
};

pub(in crate::settings) const ACTION_LOG_CHANNEL: Setting = Setting {
    key: SettingKey::ActionLogChannel,
    name: "actions.log_channel",
    kind: SettingKind::Ids { most: 1 },
    default: "none",
    layers: GUILD,
    right: MANAGE_SERVER,
    label: "Log of actions",
    help: &[
        "The id of the channel in which moderators read what was done for whom, a line",
        "each: who was banned, what was deleted, which threads were begun. What concerns",
        "nobody but whoever asked is not told. \"none\" tells nobody.",
    ],
};
