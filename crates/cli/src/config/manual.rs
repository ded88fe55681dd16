//! The manual: what `section` declares, as text.

use kaiwa_domain::settings::{Layer, SETTING_SECTIONS, Setting};

use super::MANUAL;
use super::instance::{default_toml, in_section};

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
    /// The names of its keys, those of settings among them.
    pub(super) fn names(&self) -> Vec<&'static str> {
        let settings = in_section(self.header).map(|setting| setting.path().1);
        let own = self.keys.iter().map(|key| key.name);
        own.chain(settings).collect()
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

/// The headers of all sections in the order of the manual.
pub(super) fn headers() -> Vec<&'static str> {
    let settings = SETTING_SECTIONS.iter().map(|(name, _)| *name);
    let mut headers: Vec<&str> = Vec::new();
    for section in MANUAL {
        // Settings come before where things are kept.
        if section.header == "storage" {
            let more: Vec<&str> = settings
                .clone()
                .filter(|name| !headers.contains(name))
                .collect();
            headers.extend(more);
        }
        headers.push(section.header);
    }
    headers
}

/// The text of `config.example.toml`.
pub fn example() -> String {
    let mut lines = vec![PREFACE.to_owned()];
    for header in headers() {
        match MANUAL.iter().find(|section| section.header == header) {
            Some(section) => section_lines(section, &mut lines),
            None => {
                let words = SETTING_SECTIONS.iter().find(|(name, _)| *name == header);
                lines.extend(words.map(|(_, words)| format!("# {words}")));
                lines.push(format!("[{header}]\n"));
            }
        }
        for setting in in_section(header) {
            setting_lines(setting, &mut lines);
        }
    }
    let mut text = lines.join("\n");
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn section_lines(section: &Section, lines: &mut Vec<String>) {
    lines.extend(section.doc.iter().map(|line| format!("#{line}")));
    let mark = if section.named { "#" } else { "" };
    lines.push(format!("{mark}[{}]\n", section.header));
    for key in section.keys {
        lines.extend(key.doc.iter().map(|line| format!("#{line}")));
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
        lines.push(format!("#{} = {}\n", key.name, key.sample));
    }
}

fn setting_lines(setting: &Setting, lines: &mut Vec<String>) {
    lines.extend(setting.help.iter().map(|line| format!("# {line}")));
    lines.push(format!("# Allowed: {}.", setting.kind.allowed()));
    lines.push("# A change takes effect at once.".to_owned());
    lines.extend(others(setting));
    let (_, key) = setting.path();
    lines.push(format!("#{key} = {}\n", default_toml(setting)));
}
