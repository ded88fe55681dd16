//! The texts: what models write, and what breaks splitters.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

/// A kind of text, in any size.
#[derive(Clone)]
pub(crate) enum Text {
    /// Written by a function.
    Made(&'static str, fn(&mut Words) -> String),
    /// The same over and over.
    Repeated(&'static str, &'static str),
    /// Something that grows as it goes on.
    Rising(&'static str, char),
    /// Read from files.
    Read(String, Vec<(usize, String)>),
}

/// What models write.
pub(crate) const KINDS: &[Text] = &[
    Text::Made("mixed", mixed),
    Text::Made("prose", |words| words.paragraph() + "\n\n"),
    Text::Made("one paragraph", |words| words.sentence() + " "),
    Text::Made("unbalanced", |words| format!("({} ", words.sentence())),
];

/// What breaks splitters.
pub(crate) const ADVERSARIAL: &[Text] = &[
    Text::Repeated("quote and lone bracket", "\"a\" ( word "),
    Text::Repeated("bold and lone bracket", "**a** ( word "),
    Text::Repeated("half an emoji", "<:a:"),
    Text::Repeated("emoji on one line", "<:tea:123456789012345678> "),
    Text::Repeated("[", "["),
    Text::Repeated("*", "*"),
    Text::Repeated("_", "_"),
    Text::Repeated("|", "|"),
    Text::Repeated(">", ">"),
    Text::Rising("rising backticks", '`'),
];

impl Text {
    pub(crate) fn name(&self) -> Cow<'_, str> {
        match self {
            Self::Made(name, _) | Self::Repeated(name, _) | Self::Rising(name, _) => {
                Cow::Owned(name.replace('|', "\\|"))
            }
            Self::Read(name, _) => Cow::Borrowed(name),
        }
    }

    /// About `size` bytes of it.
    pub(crate) fn of(&self, size: usize) -> String {
        let mut text = String::with_capacity(size + 4096);
        match self {
            Self::Made(_, write) => {
                let mut words = Words(7);
                while text.len() < size {
                    text.push_str(&write(&mut words));
                }
            }
            Self::Repeated(_, piece) => text = piece.repeat(size / piece.len()),
            Self::Rising(_, mark) => {
                for length in 1.. {
                    if text.len() >= size {
                        break;
                    }
                    text.extend(std::iter::repeat_n(*mark, length));
                    text.push(' ');
                }
            }
            Self::Read(_, sizes) => {
                let near = sizes.iter().min_by_key(|(have, _)| have.abs_diff(size));
                text = near.map(|(_, text)| text.clone()).unwrap_or_default();
            }
        }
        text
    }
}

/// Every kind for which the folder has texts.
pub(crate) fn from_folder(folder: &Path) -> Vec<Text> {
    let mut kinds = Vec::<(String, Vec<(usize, String)>)>::new();
    let mut names: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    names.sort();
    for path in names {
        let stem = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let Some((kind, _)) = stem.rsplit_once('-') else {
            continue;
        };
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let kind = format!("{kind} (shared)");
        match kinds.iter_mut().find(|(name, _)| *name == kind) {
            Some((_, sizes)) => sizes.push((text.len(), text)),
            None => kinds.push((kind, vec![(text.len(), text)])),
        }
    }
    kinds
        .into_iter()
        .map(|(name, sizes)| Text::Read(name, sizes))
        .collect()
}

/// A small deterministic source of sentences.
pub(crate) struct Words(u64);

const WORDS: &str = "tea leaf kettle water morning quiet steam cup garden river stone lantern paper \
    letter winter harbour bread window story answer question patient careful slowly between under \
    bright small old new gives takes keeps finds pours waits remembers carries";

impl Words {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn word(&mut self) -> &'static str {
        let words = WORDS.split_whitespace();
        let at = self.below(words.clone().count());
        words.clone().nth(at).unwrap_or_default()
    }

    fn sentence(&mut self) -> String {
        let mut sentence = String::from("The");
        for _ in 0..5 + self.below(10) {
            sentence.push(' ');
            sentence.push_str(self.word());
        }
        sentence.push(['.', '.', '!', '?'][self.below(4)]);
        sentence
    }

    fn paragraph(&mut self) -> String {
        let sentences: Vec<_> = (0..2 + self.below(4)).map(|_| self.sentence()).collect();
        sentences.join(" ")
    }
}

fn mixed(words: &mut Words) -> String {
    let block = match words.below(12) {
        0 => {
            let lines = (0..4 + words.below(20))
                .map(|n| format!("{}let {}_{n} = {n};\n", "    ".repeat(n % 3), words.word()));
            format!("```rust\n{}```", lines.collect::<String>())
        }
        1 => (1..4 + words.below(4))
            .map(|n| format!("{n}. **{}**: {}\n", words.word(), words.sentence()))
            .collect(),
        2 | 3 => format!(
            "She said \"{}\" (and {}) then linked [{}](https://example.com/{}/a?q=1) and https://example.org/{} there.",
            words.sentence(),
            words.sentence(),
            words.word(),
            words.below(9999),
            words.below(99),
        ),
        4 => format!(
            "Well done! <:wave:123456789012345678> and *{}* with `{}`",
            words.word(),
            words.word()
        ),
        5 => format!("## {}", words.sentence()),
        _ => words.paragraph(),
    };
    block + "\n\n"
}
