//! What the operator decides: one TOML file, and secrets from the environment.
//!
//! `section` is the manual: each key is declared there once with its words,
//! its rule and its default, and the typed sections, the error messages and
//! `config.example.toml` all come from that declaration. A value is checked
//! while it is read, so a [`Config`] that exists is valid.

mod problem;
mod file;
mod rule;
mod reader;
mod manual;
mod section;
mod secrets;
mod watch;

use std::path::Path;

use toml::de::DeTable;

pub use file::{Unreadable, read_text};
pub use manual::example;
pub use problem::{ConfigError, ConfigErrors, Place};
pub use rule::LogFormat;
pub use secrets::{SecretError, Secrets, environment};
pub use section::{Context, Delivery, Discord, Log, Personality, Provider, Runtime, Storage, Web};
pub use watch::{Edit, Watcher};

use manual::Section;
use reader::Reader;

/// The longest configuration file.
const FILE_BYTES: u64 = 1 << 20;

/// The sections in the order of the manual.
const MANUAL: [&Section; 9] = [
    &Discord::MANUAL,
    &Provider::MANUAL,
    &Personality::MANUAL,
    &Context::MANUAL,
    &Delivery::MANUAL,
    &Storage::MANUAL,
    &Web::MANUAL,
    &Log::MANUAL,
    &Runtime::MANUAL,
];

/// A valid configuration.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The bot on Discord.
    pub discord: Discord,
    /// The language model, if one is configured.
    pub provider: Option<Provider>,
    /// Who the bot is in conversation.
    pub personality: Personality,
    /// What the model gets to see.
    pub context: Context,
    /// How answers arrive.
    pub delivery: Delivery,
    /// Where things are kept.
    pub storage: Storage,
    /// The pages for those who run the bot.
    pub web: Web,
    /// The log.
    pub log: Log,
    /// How the process behaves.
    pub runtime: Runtime,
}

impl Config {
    /// Reads the file, and the files it names.
    pub fn load(path: &Path) -> Result<Self, ConfigErrors> {
        match file::read(path, FILE_BYTES) {
            Ok(text) => Self::parse(path, &text),
            Err(cause) => Err(cause.of_config(path).into()),
        }
    }

    /// Reads `text` as if it stood in the file `path`, beside which relative
    /// paths are looked for. An empty text gives the defaults.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigErrors> {
        let mut reader = Reader::new(path, text);
        let root = match DeTable::parse(text) {
            Ok(root) => root.into_inner(),
            Err(error) => return Err(reader.syntax(&error).into()),
        };
        reader.check_names(&root, &MANUAL);
        let config = Self::read(&mut reader, &root);
        reader.finish(config)
    }

    fn read(reader: &mut Reader<'_>, root: &DeTable<'_>) -> Option<Self> {
        // Every section is read before any is missed: all problems are told.
        let discord = Discord::read(reader, root);
        let provider = root
            .contains_key(Provider::MANUAL.name)
            .then(|| Provider::read(reader, root));
        let personality = Personality::read(reader, root);
        let context = Context::read(reader, root);
        let delivery = Delivery::read(reader, root);
        let storage = Storage::read(reader, root);
        let web = Web::read(reader, root);
        let log = Log::read(reader, root);
        let runtime = Runtime::read(reader, root);
        Some(Self {
            discord: discord?,
            provider: match provider {
                Some(provider) => Some(provider?),
                None => None,
            },
            personality: personality?,
            context: context?,
            delivery: delivery?,
            storage: storage?,
            web: web?,
            log: log?,
            runtime: runtime?,
        })
    }

    /// The keys that differ and take effect only after a restart.
    pub fn changes_needing_restart(old: &Self, new: &Self) -> Vec<&'static str> {
        let mut changed = Vec::new();
        old.discord.restarts(&new.discord, &mut changed);
        match (&old.provider, &new.provider) {
            (Some(old), Some(new)) => old.restarts(new, &mut changed),
            (None, None) => {}
            // Whether there is a model at all is settled at the start.
            _ => changed.push(Provider::MANUAL.name),
        }
        old.personality.restarts(&new.personality, &mut changed);
        old.context.restarts(&new.context, &mut changed);
        old.delivery.restarts(&new.delivery, &mut changed);
        old.storage.restarts(&new.storage, &mut changed);
        old.web.restarts(&new.web, &mut changed);
        old.log.restarts(&new.log, &mut changed);
        old.runtime.restarts(&new.runtime, &mut changed);
        changed
    }
}

#[cfg(test)]
mod tests;
