//! The arguments of what shows and changes personas.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use kaiwa_domain::CardFormat;

use super::SettingsHome;

#[derive(Debug, Subcommand)]
pub(crate) enum PersonaCommand {
    /// List who speaks beside the bot itself, each with its number
    List {
        #[command(flatten)]
        home: SettingsHome,
    },
    /// Make a persona of a character card: PNG, JSON, charx or TOML
    Import {
        #[command(flatten)]
        home: SettingsHome,
        /// The persona whose place it takes, by its name; a new one, if absent
        #[arg(long, value_name = "NAME")]
        replace: Option<String>,
        /// The card
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Write a persona to a character card
    Export {
        #[command(flatten)]
        home: SettingsHome,
        /// The format of the card
        #[arg(long, value_enum, default_value_t = CardKind::Png)]
        format: CardKind,
        /// Its name
        #[arg(value_name = "NAME")]
        name: String,
        /// The file to write, which must not be there
        #[arg(value_name = "FILE")]
        out: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CardKind {
    /// A picture that holds the card, versions 2 and 3
    Png,
    /// JSON, version 2
    V2,
    /// JSON, version 3
    V3,
    /// An archive of the card and its pictures
    Charx,
    /// Kaiwa's own, easily edited
    Toml,
}

impl CardKind {
    pub(crate) const fn card(self) -> CardFormat {
        match self {
            Self::Png => CardFormat::Png,
            Self::V2 => CardFormat::V2,
            Self::V3 => CardFormat::V3,
            Self::Charx => CardFormat::Charx,
            Self::Toml => CardFormat::Toml,
        }
    }
}
