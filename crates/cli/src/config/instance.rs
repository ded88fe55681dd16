//! The keys that are the instance layer of a setting. What they mean and may be
//! is declared in `kaiwa_domain::settings`.

use jiff::tz::TimeZone;
use kaiwa_domain::settings::{
    InstanceSettings, Layer, SETTINGS, Setting, SettingKind, SettingValue,
};
use toml::de::DeValue;

use super::reader::{ConfigReader, FileTable};
use super::rule::{expected, quote, string};

/// The settings that stand in a section of the file.
pub(super) fn in_section(section: &str) -> impl Iterator<Item = &'static Setting> {
    let instance = SETTINGS_TABLE.iter();
    instance.filter(move |it| it.is_for(Layer::Instance) && it.path().0 == section)
}

static SETTINGS_TABLE: [Setting; SETTINGS.len()] = SETTINGS;

/// Reads every setting that the file has, or `None` after a problem.
pub(super) fn read(
    reader: &mut ConfigReader<'_>,
    root: &FileTable<'_, '_>,
) -> Option<InstanceSettings> {
    let mut instance = Some(InstanceSettings::default());
    for setting in SETTINGS_TABLE
        .iter()
        .filter(|it| it.is_for(Layer::Instance))
    {
        let (section, key) = setting.path();
        let part = reader.section_again(root, section);
        let Some(value) = part.find(key) else {
            continue;
        };
        match value_of(setting, value.get_ref()) {
            Ok(value) => instance = instance.map(|it| it.with(setting.key, value)),
            Err(problem) => {
                let allowed = format!("allowed: {}", setting.kind.allowed());
                reader.object(&part, key, problem, allowed);
                instance = None;
            }
        }
    }
    instance
}

/// Reads a value as TOML has it.
fn value_of(setting: &Setting, value: &DeValue<'_>) -> Result<SettingValue, String> {
    let kind = setting.kind;
    let text = match (kind, value) {
        (SettingKind::Whole { .. }, DeValue::Integer(number)) => {
            let decimal = i64::from_str_radix(number.as_str(), number.radix());
            decimal.map_or_else(|_| number.to_string(), |number| number.to_string())
        }
        (SettingKind::Whole { or_off: true, .. }, DeValue::String(text)) if text == "off" => {
            text.to_string()
        }
        (SettingKind::Whole { .. }, other) => return Err(expected("a whole number", other)),
        (SettingKind::Switch, DeValue::Boolean(on)) => if *on { "on" } else { "off" }.to_owned(),
        (
            SettingKind::List { .. } | SettingKind::Ids { .. } | SettingKind::Quotas { .. },
            DeValue::Array(items),
        ) => {
            let items = items.iter().map(|item| string(item.get_ref()));
            let items = items.collect::<Result<Vec<&str>, String>>()?;
            match items.is_empty() {
                true => "none".to_owned(),
                // A line each, so that an item may hold a comma.
                false => items.join("\n") + "\n",
            }
        }
        (_, other) => string(other)?.to_owned(),
    };
    let value = kind.parse(&text)?;
    match &value {
        SettingValue::Zone(name) if name != "UTC" && TimeZone::get(name).is_err() => {
            Err(format!("unknown time zone {}", quote(name)))
        }
        _ => Ok(value),
    }
}

/// The default of a setting in TOML.
pub(super) fn default_toml(setting: &Setting) -> String {
    match setting.kind {
        SettingKind::Whole { .. } if setting.default != "off" => setting.default.to_owned(),
        SettingKind::Switch => (setting.default == "on").to_string(),
        SettingKind::List { .. } | SettingKind::Ids { .. } | SettingKind::Quotas { .. } => {
            "[]".to_owned()
        }
        _ => format!("\"{}\"", setting.default),
    }
}
