//! Where settings are set, and which of several values counts.

use std::fmt;

use super::{SETTINGS, SettingKey, SettingValue};
use crate::{ChannelId, PersonaId, Scope, Timestamp, UserId};

/// Where a setting is set. A later layer is more specific.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// The whole bot: the configuration file.
    Instance,
    /// A guild, or the direct messages of one user.
    Guild,
    /// A channel.
    Channel,
    /// A persona.
    Persona,
}

impl Layer {
    /// A name that does not change, for the store and for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Instance => "instance",
            Self::Guild => "guild",
            Self::Channel => "channel",
            Self::Persona => "persona",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What of a scope a setting is set for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SettingPlace {
    /// All of it.
    Guild,
    /// One channel.
    Channel(ChannelId),
    /// One persona.
    Persona(PersonaId),
}

impl SettingPlace {
    /// Its layer.
    pub const fn layer(self) -> Layer {
        match self {
            Self::Guild => Layer::Guild,
            Self::Channel(_) => Layer::Channel,
            Self::Persona(_) => Layer::Persona,
        }
    }

    /// The number of the channel or persona; 0 for all of a scope.
    pub const fn target(self) -> u64 {
        match self {
            Self::Guild => 0,
            Self::Channel(id) => id.get(),
            Self::Persona(id) => id.get() as u64,
        }
    }

    /// The place with this layer and target.
    pub fn new(layer: &str, target: u64) -> Option<Self> {
        match (layer, target) {
            ("guild", 0) => Some(Self::Guild),
            ("channel", id) => Some(Self::Channel(ChannelId::new(id))),
            ("persona", id) => Some(Self::Persona(PersonaId::new(u32::try_from(id).ok()?))),
            _ => None,
        }
    }
}

/// A setting that somebody has changed, as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredSetting {
    /// Whose data it is.
    pub scope: Scope,
    /// For what of it.
    pub place: SettingPlace,
    /// The name of the setting. Another version may have had others.
    pub name: String,
    /// Its value, as text.
    pub value: String,
    /// Who changed it; nobody if it was done on the command line.
    pub changed_by: Option<UserId>,
    /// When.
    pub changed_at: Timestamp,
}

impl StoredSetting {
    /// Which setting it is and its value, or `None` if that has no meaning to
    /// this version.
    pub fn read(&self) -> Option<(SettingKey, SettingValue)> {
        let key = SettingKey::from_name(&self.name)?;
        let value = key.setting().parse(&self.value).ok()?;
        key.setting()
            .is_for(self.place.layer())
            .then_some((key, value))
    }
}

/// The instance layer: a value for every setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstanceSettings(Vec<SettingValue>);

/// Everything by default.
impl Default for InstanceSettings {
    fn default() -> Self {
        let defaults = SETTINGS.iter().map(|setting| {
            let default = setting.parse(setting.default);
            // A test reads all of them.
            default.unwrap_or(SettingValue::Off)
        });
        Self(defaults.collect())
    }
}

impl InstanceSettings {
    /// The value of a setting.
    pub fn value(&self, key: SettingKey) -> &SettingValue {
        &self.0[key as usize]
    }

    /// The same with another value for `key`.
    #[must_use]
    pub fn with(mut self, key: SettingKey, value: SettingValue) -> Self {
        self.0[key as usize] = value;
        self
    }
}

/// What counts for one persona in one channel, and which layer said so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EffectiveSettings(Vec<(SettingValue, Layer)>);

impl EffectiveSettings {
    /// Chooses the most specific of the values that were set.
    pub fn new<'a>(
        instance: &InstanceSettings,
        changes: impl IntoIterator<Item = (SettingPlace, SettingKey, &'a SettingValue)>,
        channel: ChannelId,
        persona: PersonaId,
    ) -> Self {
        let values = instance.0.iter().cloned();
        let mut effective: Vec<_> = values.map(|value| (value, Layer::Instance)).collect();
        for (place, key, value) in changes {
            let concerned = match place {
                SettingPlace::Guild => true,
                SettingPlace::Channel(id) => id == channel,
                SettingPlace::Persona(id) => id == persona,
            };
            let current = &mut effective[key as usize];
            if concerned && place.layer() > current.1 {
                *current = (value.clone(), place.layer());
            }
        }
        Self(effective)
    }

    /// The value of a setting.
    pub fn value(&self, key: SettingKey) -> &SettingValue {
        &self.0[key as usize].0
    }

    /// The layer that its value comes from.
    pub fn layer(&self, key: SettingKey) -> Layer {
        self.0[key as usize].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: ChannelId = ChannelId::new(1);
    const THERE: ChannelId = ChannelId::new(2);
    const ALTER: PersonaId = PersonaId::new(3);

    #[test]
    fn the_most_specific_layer_counts_in_any_order() {
        let [one, two, three] = [1, 2, 3].map(SettingValue::Whole);
        let key = SettingKey::Degree;
        let changes = [
            (SettingPlace::Persona(ALTER), key, &three),
            (SettingPlace::Guild, key, &one),
            (SettingPlace::Channel(HERE), key, &two),
        ];
        let instance = InstanceSettings::default().with(key, SettingValue::Whole(0));
        let cases = [
            (THERE, PersonaId::MAIN, 1, Layer::Guild),
            (HERE, PersonaId::MAIN, 2, Layer::Channel),
            (HERE, ALTER, 3, Layer::Persona),
            (THERE, ALTER, 3, Layer::Persona),
        ];
        for (channel, persona, value, layer) in cases {
            for changes in [changes, [changes[2], changes[1], changes[0]]] {
                let effective = EffectiveSettings::new(&instance, changes, channel, persona);
                assert_eq!(effective.value(key), &SettingValue::Whole(value));
                assert_eq!(effective.layer(key), layer);
            }
        }
        let none = EffectiveSettings::new(&instance, [], HERE, ALTER);
        assert_eq!(none.value(key), &SettingValue::Whole(0));
        assert_eq!(none.layer(key), Layer::Instance);
    }

    #[test]
    fn what_has_no_meaning_here_is_not_read() {
        let row = |place, name: &str, value: &str| StoredSetting {
            scope: Scope::Dm(UserId::new(1)),
            place,
            name: name.to_owned(),
            value: value.to_owned(),
            changed_by: None,
            changed_at: Timestamp::from_millis(0),
        };
        let guild = SettingPlace::Guild;
        let degree = (SettingKey::Degree, SettingValue::Whole(2));
        assert_eq!(row(guild, "delivery.degree", "2").read(), Some(degree));
        assert_eq!(row(guild, "delivery.degree", "9").read(), None);
        assert_eq!(row(guild, "delivery.speed", "2").read(), None);
        let channel = SettingPlace::Channel(HERE);
        assert_eq!(row(channel, "runtime.timezone", "UTC").read(), None);
    }

    #[test]
    fn places_read_back() {
        for place in [
            SettingPlace::Guild,
            SettingPlace::Channel(HERE),
            SettingPlace::Persona(ALTER),
        ] {
            let again = SettingPlace::new(place.layer().name(), place.target());
            assert_eq!(again, Some(place));
        }
        assert_eq!(SettingPlace::new("guild", 1), None);
        assert_eq!(SettingPlace::new("instance", 0), None);
        assert_eq!(SettingPlace::new("persona", u64::MAX), None);
    }
}
