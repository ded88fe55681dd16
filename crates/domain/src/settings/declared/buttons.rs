//! The buttons below answers.

use std::time::Duration;

use super::{EVERYWHERE, GUILD_AND_CHANNEL, MANAGE_SERVER, MINUTE};
use crate::limits::ANSWER_MESSAGES_MOST;
use crate::settings::{Setting, SettingKey, SettingKind};

pub(in crate::settings) const STOP_AFTER: Setting = Setting {
    key: SettingKey::StopAfter,
    name: "delivery.stop_after",
    kind: SettingKind::Whole {
        min: 1,
        max: 600,
        or_off: true,
    },
    default: "15",
    layers: EVERYWHERE,
    right: MANAGE_SERVER,
    label: "Stop button after seconds",
    help: &[
        "So many seconds after its first words, an answer that is not complete gets a",
        "button that stops it.",
    ],
};

pub(in crate::settings) const STOP_MESSAGES: Setting = Setting {
    key: SettingKey::StopMessages,
    name: "delivery.stop_messages",
    kind: SettingKind::Whole {
        min: 1,
        max: ANSWER_MESSAGES_MOST,
        or_off: true,
    },
    default: "off",
    layers: EVERYWHERE,
    right: MANAGE_SERVER,
    label: "Stop button after messages",
    help: &["After so many messages, an answer that is not complete gets that button too."],
};

pub(in crate::settings) const REGENERATE_BUTTON: Setting = Setting {
    key: SettingKey::RegenerateButton,
    name: "delivery.regenerate",
    kind: SettingKind::Switch,
    default: "off",
    layers: EVERYWHERE,
    right: MANAGE_SERVER,
    label: "Button for another answer",
    help: &["Whether who asked can ask for another answer with a button below the last message."],
};

pub(in crate::settings) const SOURCE_BUTTON: Setting = Setting {
    key: SettingKey::SourceButton,
    name: "delivery.source",
    kind: SettingKind::Switch,
    default: "on",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Button for the text of tables",
    help: &["Whether a table has a button that shows its text, which a picture cannot give."],
};

pub(in crate::settings) const BUTTONS_LAST: Setting = Setting {
    key: SettingKey::ButtonsLast,
    name: "delivery.buttons_last",
    kind: SettingKind::Duration {
        min: MINUTE,
        // Discord limits edits of messages that are older than an hour.
        max: Duration::from_secs(50 * 60),
    },
    default: "15m",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "How long buttons last",
    help: &["After this time the buttons below an answer are taken away."],
};
