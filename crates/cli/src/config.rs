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
mod instance;
mod manual;
mod section;
mod vendors;
mod secrets;
mod watch;

use std::collections::BTreeMap;
use std::path::Path;

use kaiwa_domain::settings::{InstanceSettings, SETTING_SECTIONS};
use toml::de::DeTable;

pub use file::{Unreadable, read_text};
pub use manual::example;
pub use problem::{ConfigError, ConfigErrors, FilePosition};
pub use rule::{BadModelName, EngineName, LogFormat, ModelName};
pub use secrets::{SecretError, environment};
pub use section::{
    Budget, Discord, Log, ModelSettings, Models, Personality, Runtime, Search, Storage,
    VendorSettings, Web,
};
pub use vendors::{NamedVendor, unknown_vendor};
pub use watch::{ReloadOutcome, Watcher};

use manual::Section;
use reader::{ConfigReader, FileTable};

/// The longest configuration file.
const FILE_BYTES: u64 = 1 << 20;

/// The sections in the order of the manual.
const MANUAL: [&Section; 11] = [
    &Discord::MANUAL,
    &Models::MANUAL,
    &VendorSettings::MANUAL,
    &ModelSettings::MANUAL,
    &Budget::MANUAL,
    &Search::MANUAL,
    &Personality::MANUAL,
    &Storage::MANUAL,
    &Web::MANUAL,
    &Log::MANUAL,
    &Runtime::MANUAL,
];

/// Reads a section that there is one of.
macro_rules! section {
    ($Section:ident, $reader:ident, $root:ident) => {{
        let manual = &$Section::MANUAL;
        let part = $reader.section($root, manual.header, manual.header);
        $reader.check_keys(&part, &manual.names());
        $Section::read($reader, &part)
    }};
}

/// A valid configuration.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The bot on Discord.
    pub discord: Discord,
    /// Who answers.
    pub models: Models,
    /// The vendors that the file says something about, by name.
    pub vendors: BTreeMap<String, NamedVendor>,
    /// What may be spent.
    pub budget: Budget,
    /// The open web.
    pub search: Search,
    /// Who the bot is in conversation.
    pub personality: Personality,
    /// The instance layer of the settings.
    pub settings: InstanceSettings,
    /// Where things are kept.
    pub storage: Storage,
    /// The pages for those who run the bot.
    pub web: Web,
    /// The log.
    pub log: Log,
    /// How the process behaves.
    pub runtime: Runtime,
    /// Where it was written.
    origin: Origin,
}

/// Where a configuration was written, which makes no difference to what it
/// says.
#[derive(Clone, Debug)]
struct Origin {
    file: String,
    /// The line of each role.
    roles: BTreeMap<&'static str, usize>,
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Config {
    /// Reads the file, and the files it names.
    pub fn load(path: &Path) -> Result<Self, ConfigErrors> {
        match file::read(path, FILE_BYTES) {
            Ok(text) => Self::parse(path, &text),
            Err(cause) => Err(cause.of_config(path).into()),
        }
    }

    /// The file that somebody names, else `kaiwa.toml` if it is in this folder,
    /// else the defaults.
    pub fn find(named: Option<&Path>) -> Result<Self, ConfigErrors> {
        let here = Path::new("kaiwa.toml");
        match named {
            Some(path) => Self::load(path),
            None if here.exists() => Self::load(here),
            None => Self::parse(here, ""),
        }
    }

    /// Reads `text` as if it stood in the file `path`, beside which relative
    /// paths are looked for. An empty text gives the defaults.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigErrors> {
        let mut reader = ConfigReader::new(path, text);
        let root = match DeTable::parse(text) {
            Ok(root) => root.into_inner(),
            Err(error) => return Err(reader.syntax(&error).into()),
        };
        let config = Self::read(&mut reader, &FileTable::root(&root), path);
        reader.finish(config)
    }

    fn read(reader: &mut ConfigReader<'_>, root: &FileTable<'_, '_>, path: &Path) -> Option<Self> {
        let headers = manual::headers();
        let names = headers.iter().filter_map(|it| it.split('.').next());
        let mut names: Vec<&str> = names.collect();
        names.dedup();
        vendors::check_provider(reader, root);
        reader.check_keys(root, &names);
        // Every section is read before any is missed: all problems are told.
        let discord = section!(Discord, reader, root);
        let roles = reader.section(root, Models::MANUAL.header, Models::MANUAL.header);
        reader.check_keys(&roles, &Models::MANUAL.names());
        let models = Models::read(reader, &roles);
        let vendors = vendors::read(reader, root);
        let budget = section!(Budget, reader, root);
        let search = section!(Search, reader, root);
        if let Some(search) = &search
            && search.searxng_url.is_none()
            && search.engines().contains(&EngineName::Searxng)
        {
            let part = reader.section_again(root, Search::MANUAL.header);
            let problem = "it is not known where your SearXNG is".to_owned();
            let advice = "set searxng_url too, as in \"http://127.0.0.1:8888\"".to_owned();
            reader.object(&part, "engines", problem, advice);
        }
        let personality = section!(Personality, reader, root);
        for (header, _) in SETTING_SECTIONS {
            if MANUAL.iter().all(|section| section.header != header) {
                let part = reader.section(root, header, header);
                let keys = instance::in_section(header).map(|it| it.path().1);
                reader.check_keys(&part, &keys.collect::<Vec<_>>());
            }
        }
        let settings = instance::read(reader, root);
        let storage = section!(Storage, reader, root);
        let web = section!(Web, reader, root);
        let log = section!(Log, reader, root);
        let runtime = section!(Runtime, reader, root);
        let models = models?;
        Some(Self {
            origin: Origin {
                file: path.display().to_string(),
                roles: vendors::check_roles(reader, root, &roles, &models),
            },
            discord: discord?,
            models,
            vendors: vendors?,
            budget: budget?,
            search: search?,
            personality: personality?,
            settings: settings?,
            storage: storage?,
            web: web?,
            log: log?,
            runtime: runtime?,
        })
    }

    /// Where a role's models are named, like `kaiwa.toml:3: models.chat`.
    pub fn place(&self, role: &str) -> String {
        let file = &self.origin.file;
        match self.origin.roles.get(role) {
            Some(line) => format!("{file}:{line}: models.{role}"),
            None => format!("{file}: models.{role}"),
        }
    }

    /// The keys that differ and take effect only after a restart.
    pub fn changes_needing_restart(old: &Self, new: &Self) -> Vec<&'static str> {
        let mut changed = Vec::new();
        old.discord.restarts(&new.discord, &mut changed);
        old.models.restarts(&new.models, &mut changed);
        for (name, new) in &new.vendors {
            let Some(old) = old.vendors.get(name) else {
                continue;
            };
            old.settings.restarts(&new.settings, &mut changed);
            for (model, new) in &new.models {
                if let Some(old) = old.models.get(model) {
                    old.restarts(new, &mut changed);
                }
            }
        }
        old.budget.restarts(&new.budget, &mut changed);
        old.search.restarts(&new.search, &mut changed);
        old.personality.restarts(&new.personality, &mut changed);
        old.storage.restarts(&new.storage, &mut changed);
        old.web.restarts(&new.web, &mut changed);
        old.log.restarts(&new.log, &mut changed);
        old.runtime.restarts(&new.runtime, &mut changed);
        changed
    }
}

#[cfg(test)]
mod tests;
