//! Keys that are the instance layer of a setting.

use std::marker::PhantomData;
use std::path::Path;
use std::time::Duration;

use jiff::tz::TimeZone;
use kaiwa_domain::settings::{Setting, SettingKey, SettingKind, SettingValue};
use toml::de::DeValue;

use super::{ValueRule, expected, quote, string};

/// The rule of a setting, as the domain declares it.
pub struct Layered<K>(PhantomData<K>);

/// One setting, with the type that the program uses.
pub trait Knob {
    /// The type that the program uses.
    type Value: PartialEq;

    /// Which setting.
    const KEY: SettingKey;

    /// The value as that type, or what is wrong with it.
    fn take(value: SettingValue) -> Result<Self::Value, String>;
}

impl<K: Knob> ValueRule for Layered<K> {
    type Value = K::Value;

    const SETTING: Option<&'static Setting> = Some(K::KEY.setting());

    fn allowed() -> String {
        K::KEY.setting().kind.allowed()
    }

    fn read(value: &DeValue<'_>, _: &Path) -> Result<K::Value, String> {
        let kind = K::KEY.setting().kind;
        let text = match (kind, value) {
            (SettingKind::Whole { .. }, DeValue::Integer(number)) => {
                let decimal = i64::from_str_radix(number.as_str(), number.radix());
                decimal.map_or_else(|_| number.to_string(), |number| number.to_string())
            }
            (SettingKind::Whole { or_off: true, .. }, DeValue::String(text)) if text == "off" => {
                text.to_string()
            }
            (SettingKind::Whole { .. }, other) => return Err(expected("a whole number", other)),
            (_, other) => string(other)?.to_owned(),
        };
        kind.parse(&text).and_then(K::take)
    }
}

/// Declares knobs whose value is what the setting holds.
macro_rules! knobs {
    ($($(#[$doc:meta])* $Knob:ident: $Value:ty, $pattern:pat => $value:expr;)*) => {$(
        $(#[$doc])*
        pub struct $Knob;

        impl Knob for $Knob {
            type Value = $Value;

            const KEY: SettingKey = SettingKey::$Knob;

            fn take(value: SettingValue) -> Result<$Value, String> {
                match value {
                    $pattern => $value,
                    other => Err(format!("{} has no meaning here", quote(&other.to_string()))),
                }
            }
        }
    )*};
}

knobs! {
    /// How many messages the model is shown.
    Messages: u16, SettingValue::Whole(number) => Ok(number);
    /// How finely answers are cut.
    Degree: u16, SettingValue::Whole(number) => Ok(number);
    /// From which length on code is a file; `None` if never.
    AttachCodeAbove: Option<u16>, value @ (SettingValue::Whole(_) | SettingValue::Off) => match value {
        SettingValue::Whole(number) => Ok(Some(number)),
        _ => Ok(None),
    };
    /// How old a question may be.
    AnswerWithin: Duration, SettingValue::Duration(duration) => Ok(duration);
    /// A time zone that this system knows.
    Timezone: TimeZone, SettingValue::Zone(name) => match name.as_str() {
        "UTC" => Ok(TimeZone::UTC),
        name => TimeZone::get(name).map_err(|_| format!("unknown time zone {}", quote(name))),
    };
}
