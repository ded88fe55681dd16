//! `kaiwa restore`: a backup takes the place of the database.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use kaiwa_store::{BackupFile, OpenError, backups};

use crate::args::RestoreArgs;
use crate::assembly::database;
use crate::config::Config;
use crate::{console, exit};

pub(crate) async fn restore(args: RestoreArgs) -> Result<()> {
    let config = Config::find(args.home.config.as_deref())?;
    let data = args.home.data.as_ref().unwrap_or(&config.storage.data);
    let database = database(data);
    let known = backups(&database).with_context(|| format!("cannot read {}", data.display()))?;
    let backup = match &args.backup {
        Some(name) => named(name, &known),
        None => newest(data, &known)?,
    };
    if !args.yes && !is_wanted(&backup) {
        bail!(exit::needs_a_person(
            "nothing was changed: say --yes to bring it back without being asked"
        ));
    }
    let aside = kaiwa_store::restore(&database, &backup);
    let aside = aside.await.map_err(|error| {
        let running = matches!(error, OpenError::InUse { .. });
        let error = anyhow::Error::from(error);
        match running {
            true => error.context("a backup is brought back only while the bot is not running"),
            false => error,
        }
    })?;
    console::say(format_args!("{} is the database now", backup.display()));
    if let Some(aside) = aside {
        console::say(format_args!("what was there is in {}", aside.display()));
    }
    Ok(())
}

/// The newest backup, after all are shown.
fn newest(data: &Path, known: &[BackupFile]) -> Result<PathBuf> {
    let Some(newest) = known.last() else {
        bail!(exit::needs_a_person(format!(
            "there is no backup in {}",
            data.join("backups").display()
        )));
    };
    for backup in known {
        let name = backup.path.file_name().unwrap_or_default();
        let kilobytes = backup.bytes.div_ceil(1024);
        console::print(format_args!(
            "{}  {}  {kilobytes} KB",
            name.display(),
            backup.made
        ));
    }
    Ok(newest.path.clone())
}

/// The backup of this name, or the file at this path.
fn named(name: &Path, known: &[BackupFile]) -> PathBuf {
    let mut paths = known.iter().map(|backup| &backup.path);
    let found = paths.find(|path| path.file_name() == Some(name.as_os_str()));
    found.map_or_else(|| name.to_owned(), Clone::clone)
}

fn is_wanted(backup: &Path) -> bool {
    console::say(format_args!(
        "Shall {} take the place of the database? What is there now is kept beside it. (yes/no)",
        backup.display()
    ));
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}
