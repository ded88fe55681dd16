//! Who speaks, and how answers arrive.

use super::{DAY, EVERYWHERE, GUILD, GUILD_AND_CHANNEL, MANAGE_SERVER, SECOND};
use crate::limits::ANSWER_MESSAGES_MOST;
use crate::settings::{Layer, Setting, SettingKey, SettingKind};

pub(in crate::settings) const PERSONALITY: Setting = Setting {
    key: SettingKey::Personality,
    name: "personality.text",
    kind: SettingKind::Text {
        // What fits the largest text field of a Discord form.
        most: 4000,
        or_off: false,
    },
    default: "You are friendly, brief and honest.",
    layers: &[Layer::Guild, Layer::Channel, Layer::Persona],
    right: MANAGE_SERVER,
    label: "Personality",
    help: &["Who the bot is in conversation, in words for the model."],
};

pub(in crate::settings) const DEGREE: Setting = Setting {
    key: SettingKey::Degree,
    name: "delivery.degree",
    kind: SettingKind::Whole {
        min: 0,
        max: 4,
        or_off: false,
    },
    default: "1",
    layers: EVERYWHERE,
    right: MANAGE_SERVER,
    label: "Pieces of an answer",
    help: &[
        "How finely an answer is cut into messages: 0 whole, when it is complete;",
        "1 line by line; 2 line by line as if typed; 3 sentence by sentence as if",
        "typed by a person in a hurry; 4 as 0, but shown from the first words on in",
        "a message that is edited as it grows.",
    ],
};

pub(in crate::settings) const THOUGHT_LOG: Setting = Setting {
    key: SettingKey::ThoughtLog,
    name: "conversation.thought_log",
    kind: SettingKind::Ids { most: 1 },
    default: "none",
    layers: EVERYWHERE,
    right: MANAGE_SERVER,
    label: "Log of thoughts",
    help: &[
        "The id of the channel in which people read what the model thought before an",
        "answer, with a link to it, the model, the seconds and the cost. Thoughts are",
        "told only of answers in channels that are hidden from nobody in the server,",
        "never of direct messages. \"none\" tells nobody.",
    ],
};

pub(in crate::settings) const ATTACH_CODE_ABOVE: Setting = Setting {
    key: SettingKey::AttachCodeAbove,
    name: "delivery.attach_code_above",
    kind: SettingKind::Whole {
        min: 100,
        max: 20000,
        or_off: true,
    },
    default: "off",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Long code as a file",
    help: &[
        "Code longer than this many characters is sent as a file. If it is off, long",
        "code is cut into messages, each with its own code block.",
    ],
};

pub(in crate::settings) const ANSWER_MESSAGES: Setting = Setting {
    key: SettingKey::AnswerMessages,
    name: "delivery.messages",
    kind: SettingKind::Whole {
        min: 0,
        max: ANSWER_MESSAGES_MOST,
        or_off: false,
    },
    default: "0",
    layers: EVERYWHERE,
    right: MANAGE_SERVER,
    label: "Messages of an answer",
    help: &[
        "How many messages an answer may take. What is more comes as a file, with a line",
        "that says so. 0 is no limit of your own; more than 64 no answer ever takes.",
    ],
};

pub(in crate::settings) const PING_ASKER: Setting = Setting {
    key: SettingKey::PingAsker,
    name: "delivery.ping_asker",
    kind: SettingKind::Switch,
    default: "off",
    layers: EVERYWHERE,
    right: MANAGE_SERVER,
    label: "Ping who asked",
    help: &["Whether the first message of an answer pings who asked."],
};

pub(in crate::settings) const PREFILL: Setting = Setting {
    key: SettingKey::Prefill,
    name: "delivery.prefill",
    kind: SettingKind::Text {
        most: 500,
        or_off: true,
    },
    default: "off",
    layers: EVERYWHERE,
    right: MANAGE_SERVER,
    label: "Beginning of answers",
    help: &[
        "Words that every answer is to begin with. The model is told so; no vendor is",
        "made to go on from them. They are not shown.",
    ],
};

pub(in crate::settings) const STOP_LINE: Setting = Setting {
    key: SettingKey::StopLine,
    name: "conversation.stop_line",
    kind: SettingKind::Choice(&["own words", "stock", "off"]),
    default: "own words",
    layers: EVERYWHERE,
    right: MANAGE_SERVER,
    label: "After a stop",
    help: &[
        "What is said once an answer was stopped: a line in character, a short stock",
        "line, or nothing. If the model is slow, a stock line is said.",
    ],
};

pub(in crate::settings) const EDITED_QUESTION: Setting = Setting {
    key: SettingKey::EditedQuestion,
    name: "conversation.edited_question",
    kind: SettingKind::Choice(&["regenerate", "offer", "ignore"]),
    default: "offer",
    layers: GUILD_AND_CHANNEL,
    right: MANAGE_SERVER,
    label: "Edited questions",
    help: &[
        "What happens when a question that was answered is edited within a minute:",
        "it is answered again, the answer gets a reaction that does so when others add",
        "it, or nothing.",
    ],
};

pub(in crate::settings) const ANSWER_WITHIN: Setting = Setting {
    key: SettingKey::AnswerWithin,
    name: "runtime.answer_within",
    kind: SettingKind::Duration {
        min: SECOND,
        max: DAY,
    },
    default: "10m",
    layers: GUILD,
    right: MANAGE_SERVER,
    label: "Answer within",
    help: &[
        "How old a message may be and still get an answer. A stale answer is",
        "worse than none.",
    ],
};

pub(in crate::settings) const TIMEZONE: Setting = Setting {
    key: SettingKey::Timezone,
    name: "runtime.timezone",
    kind: SettingKind::Zone,
    default: "UTC",
    layers: GUILD,
    right: MANAGE_SERVER,
    label: "Time zone",
    help: &["The time zone of the date and time that the model is told."],
};
