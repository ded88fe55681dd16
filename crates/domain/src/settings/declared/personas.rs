//! Who answers, and how often personas answer each other.

use super::{GUILD_AND_CHANNEL, MANAGE_SERVER};
use crate::PERSONA_NAME_CHARS;
use crate::settings::{Setting, SettingKey, SettingKind};

pub(in crate::settings) const DEFAULT_PERSONA: Setting = Setting {
    key: SettingKey::DefaultPersona,
    name: "personas.default",
    kind: SettingKind::Text {
        most: PERSONA_NAME_CHARS,
        or_off: true,
    },
    default: "off",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Who answers",
    help: &[
        "The name of the persona that answers where a message names none. If it is",
        "off, or there is no such persona, the bot itself answers.",
    ],
};

pub(in crate::settings) const MATCH_LIMIT: Setting = Setting {
    key: SettingKey::MatchLimit,
    name: "personas.match_limit",
    kind: SettingKind::Whole {
        min: 1,
        max: 10,
        or_off: false,
    },
    default: "3",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Personas that answer a message",
    help: &["How many of the personas that a message names answer it, each in turn."],
};

pub(in crate::settings) const CASCADE_LIMIT: Setting = Setting {
    key: SettingKey::CascadeLimit,
    name: "personas.cascade_limit",
    kind: SettingKind::Whole {
        min: 0,
        max: 10,
        or_off: false,
    },
    default: "2",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Personas that answer each other",
    help: &[
        "How many answers personas may give to each other after a message of a person,",
        "all together. With 0 they do not answer each other.",
    ],
};
