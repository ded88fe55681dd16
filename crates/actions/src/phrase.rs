//! What people read, in their language.
//!
//! The texts stand in `phrase/*.ftl`, in [Fluent](https://projectfluent.org).
//! English has every text; what another language lacks is English.

use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

use crate::web::is_unseen;

/// A text by its name, with what belongs into it.
#[derive(Clone, PartialEq, Debug)]
pub struct Phrase {
    name: &'static str,
    arguments: Vec<(&'static str, PhraseArgument)>,
}

/// Something that belongs into a text.
#[derive(Clone, PartialEq, Debug)]
pub enum PhraseArgument {
    /// Words.
    Text(String),
    /// A number, by which some languages choose their words.
    Number(f64),
}

impl From<String> for PhraseArgument {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for PhraseArgument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<usize> for PhraseArgument {
    #[expect(clippy::cast_precision_loss, reason = "nobody counts so far")]
    fn from(number: usize) -> Self {
        Self::Number(number as f64)
    }
}

impl Phrase {
    /// The text of that name.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            arguments: Vec::new(),
        }
    }

    /// With something in it.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<PhraseArgument>) -> Self {
        self.arguments.push((name, value.into()));
        self
    }

    /// In the language with Discord's name `locale`.
    pub fn text(&self, locale: &str) -> String {
        let mut arguments = FluentArgs::new();
        for (name, value) in &self.arguments {
            let value = match value {
                PhraseArgument::Text(text) => FluentValue::from(text.as_str()),
                PhraseArgument::Number(number) => FluentValue::from(*number),
            };
            arguments.set(*name, value);
        }
        let languages = languages();
        let own = languages.iter().find(|it| it.speaks(locale));
        own.and_then(|language| language.text(self.name, None, &arguments))
            .or_else(|| languages.first()?.text(self.name, None, &arguments))
            .unwrap_or_else(|| self.name.to_owned())
    }
}

/// Words of somebody's on one line, as they stand: nothing in them changes a
/// format, pings, leads anywhere or is unseen.
pub(crate) fn plain(words: &str) -> String {
    let mut plain = String::with_capacity(words.len());
    for word in words.split_whitespace() {
        if !plain.is_empty() {
            plain.push(' ');
        }
        for c in word.chars().filter(|c| !c.is_control() && !is_unseen(*c)) {
            if "*_~`|\\<>@#[]():".contains(c) {
                plain.push('\\');
            }
            plain.push(c);
        }
    }
    plain
}

/// A language that people are spoken to in.
pub(crate) struct PhraseLanguage {
    /// Discord's name for it.
    pub(crate) locale: &'static str,
    bundle: FluentBundle<FluentResource>,
}

impl PhraseLanguage {
    fn new(locale: &'static str, source: &str) -> Self {
        let language: LanguageIdentifier = locale.parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        // Discord shows the marks that keep directions apart.
        bundle.set_use_isolating(false);
        let resource = match FluentResource::try_new(source.to_owned()) {
            Ok(resource) => resource,
            Err((resource, errors)) => {
                tracing::error!(locale, ?errors, "some texts cannot be read");
                resource
            }
        };
        bundle.add_resource_overriding(resource);
        Self { locale, bundle }
    }

    /// Whether this is the language of `locale`; English has several names.
    fn speaks(&self, locale: &str) -> bool {
        let primary = |name: &str| name.split('-').next().map(str::to_owned);
        primary(self.locale) == primary(locale)
    }

    /// A text, or an attribute of one.
    pub(crate) fn text(
        &self,
        name: &str,
        attribute: Option<&str>,
        arguments: &FluentArgs<'_>,
    ) -> Option<String> {
        let message = self.bundle.get_message(name)?;
        let pattern = match attribute {
            Some(attribute) => message.get_attribute(attribute)?.value(),
            None => message.value()?,
        };
        let mut errors = Vec::new();
        let text = self
            .bundle
            .format_pattern(pattern, Some(arguments), &mut errors);
        Some(text.into_owned())
    }
}

/// The languages, English first.
pub(crate) fn languages() -> &'static [PhraseLanguage] {
    static LANGUAGES: OnceLock<[PhraseLanguage; 2]> = OnceLock::new();
    LANGUAGES.get_or_init(|| {
        [
            PhraseLanguage::new("en-US", ENGLISH),
            PhraseLanguage::new("ja", JAPANESE),
        ]
    })
}

pub(crate) const ENGLISH: &str = include_str!("phrase/en.ftl");
pub(crate) const JAPANESE: &str = include_str!("phrase/ja.ftl");

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The names of texts and attributes of a source.
    fn names(source: &str) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let mut message = "";
        for line in source.lines() {
            let Some((left, _)) = line.split_once(" =") else {
                continue;
            };
            match left.strip_prefix("    .") {
                Some(attribute) => names.insert(format!("{message}.{attribute}")),
                None if left.starts_with(' ') => continue,
                None => {
                    message = left;
                    names.insert(left.to_owned())
                }
            };
        }
        names
    }

    #[test]
    fn every_language_has_every_text() {
        let (english, japanese) = (names(ENGLISH), names(JAPANESE));
        assert!(english.len() > 20);
        assert_eq!(english, japanese);
        for source in [ENGLISH, JAPANESE] {
            assert!(FluentResource::try_new(source.to_owned()).is_ok());
        }
    }

    /// The sources of this crate, as they are compiled.
    fn sources() -> String {
        fn read(folder: &std::path::Path, all: &mut String) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    read(&path, all);
                } else if path.extension().is_some_and(|it| it == "rs") {
                    all.push_str(&std::fs::read_to_string(path).unwrap());
                }
            }
        }
        let mut all = String::new();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        read(std::path::Path::new(folder), &mut all);
        all
    }

    #[test]
    fn every_text_is_used_and_every_text_used_exists() {
        let sources = sources();
        let names = names(ENGLISH);
        for name in names.iter().filter(|it| !it.contains('.')) {
            // Those of commands are found by the names of the commands.
            let used = name.starts_with("command-") || sources.contains(&format!("\"{name}\""));
            assert!(used, "nothing says {name}");
        }
        for after in sources.split("Phrase::new(\"").skip(1) {
            let name = after.split('"').next().unwrap_or_default();
            assert!(names.contains(name), "there is no text {name}");
        }
    }

    #[test]
    fn words_of_others_do_nothing() {
        for (words, shown) in [
            ("two  cups\nof tea", "two cups of tea"),
            ("**<@1>** `x`", "\\*\\*\\<\\@1\\>\\*\\* \\`x\\`"),
            ("https://e.example/?q=1", "https\\://e.example/?q=1"),
            ("a\u{202e}b\u{7}\u{e0041}c", "abc"),
        ] {
            assert_eq!(plain(words), shown, "{words}");
        }
    }

    #[test]
    fn people_read_their_language_or_english() {
        let phrase = Phrase::new("slow-down").with("seconds", 3);
        assert_eq!(phrase.text("en-GB"), "Slow down — try again in 3 s.");
        assert_eq!(phrase.text("xx"), phrase.text("en-US"));
        assert_ne!(phrase.text("ja"), phrase.text("en-US"));
    }
}
