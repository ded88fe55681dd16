//! The manual: what `section` declares, as text.

use kaiwa_domain::settings::{Layer, Setting, SettingKind};

use super::MANUAL;

/// A section of the file.
pub(super) struct Section {
    /// What stands between its brackets.
    pub(super) header: &'static str,
    /// The lines of its doc comment.
    pub(super) doc: &'static [&'static str],
    /// Whether there may be many, each with a name of its own; the header is
    /// that of one of them.
    pub(super) named: bool,
    pub(super) keys: &'static [ManualKey],
}

impl Section {
    /// The names of its keys.
    pub(super) fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }
}

/// A key of a section.
pub(super) struct ManualKey {
    pub(super) name: &'static str,
    /// The lines of its doc comment.
    pub(super) doc: &'static [&'static str],
    pub(super) presence: Presence,
    /// Its default, or a value it might have, in TOML.
    pub(super) sample: &'static str,
    pub(super) allowed: fn() -> String,
    /// The setting that it is the instance layer of: its words and its default
    /// count instead of those above.
    pub(super) setting: Option<&'static Setting>,
    /// Whether a change takes effect while the process runs.
    pub(super) reloadable: bool,
}

/// What a missing key means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// Its default.
    Default,
    /// Nothing.
    Optional,
}

/// Declares sections: for each a struct with the values, a `read` from the
/// file, a `restarts` that compares, and its page of the manual.
///
/// A key is declared as `name: ValueRule, presence(sample), reload|restart;`.
macro_rules! sections {
    ($(
        $(#[doc = $doc:literal])*
        section $header:tt $Section:ident, $number:ident {
            $(
                $(#[doc = $key_doc:literal])*
                $key:ident: $ValueRule:ty, $presence:ident($sample:tt), $effect:ident;
            )*
        }
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, PartialEq, Debug)]
        pub struct $Section {
            $(
                $(#[doc = $key_doc])*
                pub $key: $crate::config::manual::value_type!($presence, $ValueRule),
            )*
        }

        impl $Section {
            pub(super) const MANUAL: $crate::config::manual::Section =
                $crate::config::manual::Section {
                    header: $crate::config::manual::header!($header),
                    doc: &[$($doc),*],
                    named: $crate::config::manual::is_named!($number),
                    keys: &[$($crate::config::manual::ManualKey {
                        name: stringify!($key),
                        doc: &[$($key_doc),*],
                        presence: $crate::config::manual::presence!($presence),
                        sample: stringify!($sample),
                        allowed: <$ValueRule as $crate::config::rule::ValueRule>::allowed,
                        setting: <$ValueRule as $crate::config::rule::ValueRule>::SETTING,
                        reloadable: $crate::config::manual::reloadable!($effect),
                    }),*],
                };

            /// Reads the section, or `None` after a problem with it.
            pub(super) fn read(
                reader: &mut $crate::config::reader::ConfigReader<'_>,
                part: &$crate::config::reader::FileTable<'_, '_>,
            ) -> Option<Self> {
                $(let $key = $crate::config::manual::read_value!(
                    $presence, reader, part, $key, $ValueRule, $sample
                );)*
                Some(Self { $($key: $key?),* })
            }

            /// Adds the keys that differ and cannot be changed while running.
            pub(super) fn restarts(&self, new: &Self, changed: &mut Vec<&'static str>) {
                $(
                    let reloadable = $crate::config::manual::reloadable!($effect);
                    if !reloadable && self.$key != new.$key {
                        changed.push(concat!(
                            $crate::config::manual::header!($header),
                            ".",
                            stringify!($key)
                        ));
                    }
                )*
            }
        }
    )*};
}

macro_rules! header {
    ([$name:ident $(. $rest:tt)*]) => { concat!(stringify!($name) $(, ".", stringify!($rest))*) };
}

macro_rules! value_type {
    (default, $ValueRule:ty) => { <$ValueRule as $crate::config::rule::ValueRule>::Value };
    (optional, $ValueRule:ty) => { Option<<$ValueRule as $crate::config::rule::ValueRule>::Value> };
}

macro_rules! read_value {
    (default, $reader:ident, $part:ident, $key:ident, $ValueRule:ty, $sample:tt) => {
        $reader.default::<$ValueRule>($part, stringify!($key), stringify!($sample))
    };
    (optional, $reader:ident, $part:ident, $key:ident, $ValueRule:ty, $sample:tt) => {
        $reader.optional::<$ValueRule>($part, stringify!($key))
    };
}

macro_rules! presence {
    (default) => {
        $crate::config::manual::Presence::Default
    };
    (optional) => {
        $crate::config::manual::Presence::Optional
    };
}

macro_rules! is_named {
    (one) => {
        false
    };
    (named) => {
        true
    };
}

macro_rules! reloadable {
    (reload) => {
        true
    };
    (restart) => {
        false
    };
}

pub(super) use {header, is_named, presence, read_value, reloadable, sections, value_type};

const PREFACE: &str = "\
# The configuration of Kaiwa. Copy it to kaiwa.toml and take the # away from
# the lines you want to change; a key that is left out has the value shown.
#
# Secrets never stand in this file: they come from the environment.
# The file is read again when it changes and on SIGHUP. An edit with a mistake
# is reported and the last good configuration stays.
";

/// Who else may change a setting.
fn others(setting: &Setting) -> Option<String> {
    let layers = setting.layers.iter().filter_map(|layer| match layer {
        Layer::Instance => None,
        Layer::Guild => Some("a server"),
        Layer::Channel => Some("a channel"),
        Layer::Persona => Some("a persona"),
    });
    let layers: Vec<&str> = layers.collect();
    let (last, rest) = layers.split_last()?;
    let who = match rest {
        [] => (*last).to_owned(),
        rest => format!("{} or {last}", rest.join(", ")),
    };
    Some(format!("# May be set for {who} too: `kaiwa settings`."))
}

/// The default of a setting in TOML.
pub(super) fn default_toml(setting: &Setting) -> String {
    match setting.kind {
        SettingKind::Whole { .. } if setting.default != "off" => setting.default.to_owned(),
        _ => format!("\"{}\"", setting.default),
    }
}

/// The text of `config.example.toml`.
pub fn example() -> String {
    let mut lines = vec![PREFACE.to_owned()];
    for section in MANUAL {
        lines.extend(section.doc.iter().map(|line| format!("#{line}")));
        let mark = if section.named { "#" } else { "" };
        lines.push(format!("{mark}[{}]\n", section.header));
        for key in section.keys {
            match key.setting {
                Some(setting) => lines.extend(setting.help.iter().map(|line| format!("# {line}"))),
                None => lines.extend(key.doc.iter().map(|line| format!("#{line}"))),
            }
            lines.push(format!("# Allowed: {}.", (key.allowed)()));
            let absence = match key.presence {
                Presence::Default => "",
                Presence::Optional => " Not set by default.",
            };
            let effect = match key.reloadable {
                true => "A change takes effect at once.",
                false => "A change takes effect after a restart.",
            };
            lines.push(format!("# {effect}{absence}"));
            lines.extend(key.setting.and_then(others));
            let sample = key
                .setting
                .map_or_else(|| key.sample.to_owned(), default_toml);
            lines.push(format!("#{} = {sample}\n", key.name));
        }
    }
    let mut text = lines.join("\n");
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}
