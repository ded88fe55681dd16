//! Settings: what may be decided for the whole bot, a guild, a channel or a
//! persona.
//!
//! Each [`Setting`] is declared once in [`SETTINGS`]. The configuration file
//! takes its words, bounds and default from there, and so does whoever changes
//! a setting in another [`Layer`].

mod layer;
mod value;

pub use layer::{EffectiveSettings, InstanceSettings, Layer, SettingPlace, StoredSetting};
pub use value::{BadSetting, SettingKind, SettingValue, parse_duration, write_duration};

use std::fmt;
use std::time::Duration;

/// Names a setting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SettingKey {
    /// Who the model is told to be.
    Personality,
    /// How many earlier messages the model is shown.
    Messages,
    /// How finely an answer is cut into messages.
    Degree,
    /// From which length on code is sent as a file.
    AttachCodeAbove,
    /// How old a message may be and still get an answer.
    AnswerWithin,
    /// Where "today" is.
    Timezone,
}

/// One setting, as it is declared.
#[derive(PartialEq, Eq, Debug)]
pub struct Setting {
    /// Which it is.
    pub key: SettingKey,
    /// Its name: section and key of the configuration file.
    pub name: &'static str,
    /// What its value may be.
    pub kind: SettingKind,
    /// Its value where no layer has one, as text.
    pub default: &'static str,
    /// Where it may be set.
    pub layers: &'static [Layer],
    /// What one has to be allowed to do in a guild to change it there, in
    /// Discord's words. In direct messages everybody decides for themselves.
    pub right: &'static str,
    /// A few words for a form.
    pub label: &'static str,
    /// What it means, in lines for people.
    pub help: &'static [&'static str],
}

/// How many settings a scope may have, those of its channels and personas
/// included.
pub const SETTINGS_PER_SCOPE: u16 = 1000;

const MANAGE_SERVER: &str = "Manage Server";
const SECOND: Duration = Duration::from_secs(1);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// Every setting, in the order of [`SettingKey`].
pub const SETTINGS: [Setting; 6] = [
    Setting {
        key: SettingKey::Personality,
        name: "personality.text",
        // What fits the largest text field of a Discord form.
        kind: SettingKind::Text { most: 4000 },
        default: "You are friendly, brief and honest.",
        // The configuration file names a file instead.
        layers: &[Layer::Guild, Layer::Channel, Layer::Persona],
        right: MANAGE_SERVER,
        label: "Personality",
        help: &["Who the bot is in conversation, in words for the model."],
    },
    Setting {
        key: SettingKey::Messages,
        name: "context.messages",
        kind: SettingKind::Whole {
            min: 1,
            max: 100,
            or_off: false,
        },
        default: "30",
        layers: &[Layer::Instance, Layer::Guild, Layer::Channel],
        right: MANAGE_SERVER,
        label: "Messages in view",
        help: &["How many of the channel's latest messages the model is shown."],
    },
    Setting {
        key: SettingKey::Degree,
        name: "delivery.degree",
        kind: SettingKind::Whole {
            min: 0,
            max: 3,
            or_off: false,
        },
        default: "1",
        layers: &[
            Layer::Instance,
            Layer::Guild,
            Layer::Channel,
            Layer::Persona,
        ],
        right: MANAGE_SERVER,
        label: "Pieces of an answer",
        help: &[
            "How finely an answer is cut into messages: 0 whole, when it is complete;",
            "1 line by line; 2 line by line as if typed; 3 sentence by sentence as if",
            "typed by a person in a hurry.",
        ],
    },
    Setting {
        key: SettingKey::AttachCodeAbove,
        name: "delivery.attach_code_above",
        kind: SettingKind::Whole {
            min: 100,
            max: 20_000,
            or_off: true,
        },
        default: "off",
        layers: &[Layer::Instance, Layer::Guild, Layer::Channel],
        right: MANAGE_SERVER,
        label: "Long code as a file",
        help: &[
            "Code longer than this many characters is sent as a file. If it is off, long",
            "code is cut into messages, each with its own code block.",
        ],
    },
    Setting {
        key: SettingKey::AnswerWithin,
        name: "runtime.answer_within",
        kind: SettingKind::Duration {
            min: SECOND,
            max: DAY,
        },
        default: "10m",
        layers: &[Layer::Instance, Layer::Guild],
        right: MANAGE_SERVER,
        label: "Answer within",
        help: &[
            "How old a message may be and still get an answer. A stale answer is",
            "worse than none.",
        ],
    },
    Setting {
        key: SettingKey::Timezone,
        name: "runtime.timezone",
        kind: SettingKind::Zone,
        default: "UTC",
        layers: &[Layer::Instance, Layer::Guild],
        right: MANAGE_SERVER,
        label: "Time zone",
        help: &["The time zone of the date that the model is told."],
    },
];

impl SettingKey {
    /// What is declared of it.
    pub const fn setting(self) -> &'static Setting {
        const TABLE: &[Setting; 6] = &SETTINGS;
        &TABLE[self as usize]
    }

    /// Its name in the configuration file.
    pub const fn name(self) -> &'static str {
        self.setting().name
    }

    /// The setting of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        SETTINGS.iter().find(|it| it.name == name).map(|it| it.key)
    }
}

impl fmt::Display for SettingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Setting {
    /// Reads a value as people write it.
    pub fn parse(&self, text: &str) -> Result<SettingValue, BadSetting> {
        self.kind.parse(text).map_err(|problem| BadSetting {
            name: self.name,
            problem,
            allowed: self.kind.allowed(),
        })
    }

    /// Whether it may be set in a layer.
    pub fn is_for(&self, layer: Layer) -> bool {
        self.layers.contains(&layer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_found_under_its_key_and_name() {
        for (place, setting) in SETTINGS.iter().enumerate() {
            assert_eq!(setting.key as usize, place);
            assert_eq!(setting.key.setting(), setting);
            assert_eq!(SettingKey::from_name(setting.name), Some(setting.key));
        }
        assert_eq!(SettingKey::from_name("delivery"), None);
    }

    #[test]
    fn every_declaration_is_whole() {
        for setting in &SETTINGS {
            let default = setting.parse(setting.default).unwrap();
            assert_eq!(default.to_string(), setting.default, "{}", setting.name);
            assert!(setting.is_for(Layer::Guild), "{}", setting.name);
            assert!(setting.layers.is_sorted(), "{}", setting.name);
            assert!(!setting.label.is_empty() && !setting.help.is_empty());
        }
    }
}
