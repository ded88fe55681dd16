//! The arguments of what shows, changes, deletes and brings back what is kept.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use kaiwa_domain::{ChannelId, DataSubject, FactId, GuildId, UserId};

use super::{DataHome, SettingsHome};
use crate::exit;

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// List what is remembered, each with its number
    List {
        #[command(flatten)]
        home: SettingsHome,
    },
    /// Remember a fact
    Add {
        #[command(flatten)]
        home: SettingsHome,
        /// Whom it is about, by their id; the server, if absent
        #[arg(long, value_name = "ID")]
        about: Option<UserId>,
        /// For the readers of this channel only; for all of the server, if absent
        #[arg(long, value_name = "ID")]
        channel: Option<ChannelId>,
        /// The fact, like "Ada is allergic to nuts"
        #[arg(value_name = "FACT")]
        text: String,
    },
    /// Forget a fact
    Forget {
        #[command(flatten)]
        home: SettingsHome,
        /// Its number, as `kaiwa memory list` shows it
        #[arg(value_name = "NUMBER")]
        fact: FactId,
    },
    /// Seal all memories with a new key
    ///
    /// The old key opens nothing any more, but what is in backups of the
    /// database: keep it with those. Cut short, it is finished at the next
    /// start.
    RotateKey {
        #[command(flatten)]
        home: DataHome,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum PrivacyCommand {
    /// Never read somebody again
    OptOut {
        #[command(flatten)]
        home: DataHome,
        /// Their id
        #[arg(value_name = "USER")]
        user: UserId,
    },
    /// Read somebody again
    OptIn {
        #[command(flatten)]
        home: DataHome,
        /// Their id
        #[arg(value_name = "USER")]
        user: UserId,
    },
    /// List who is never read
    List {
        #[command(flatten)]
        home: DataHome,
    },
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct SubjectArgs {
    /// A server, by its id
    #[arg(long, value_name = "ID")]
    guild: Option<GuildId>,
    /// A person, by their id, in every server and in direct messages
    #[arg(long, value_name = "ID")]
    user: Option<UserId>,
}

impl SubjectArgs {
    pub(crate) fn subject(&self) -> anyhow::Result<DataSubject> {
        let guild = self.guild.map(DataSubject::Guild);
        let subject = guild.or(self.user.map(DataSubject::User));
        subject.ok_or_else(|| exit::needs_a_person("name somebody with --user or --guild"))
    }
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    #[command(flatten)]
    pub(crate) home: DataHome,
    /// Write it to this file, which must not be there, instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct EraseArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    #[command(flatten)]
    pub(crate) home: DataHome,
    /// Really delete it: there is no way back
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// A file in the folder of the backups, or any other
    #[arg(value_name = "BACKUP")]
    pub(crate) backup: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) home: DataHome,
    /// Do not ask
    #[arg(long)]
    pub(crate) yes: bool,
}
