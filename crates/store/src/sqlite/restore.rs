//! Bringing a backup back.
//!
//! The copy of a backup is made under a name that means nothing, synced, and
//! renamed to what says that it is to take the database's place. From there on
//! the rest follows, by this process or by the next that opens the database:
//! what was there is moved aside, file by file, and the copy gets the name. So
//! there is never a log beside a file that it does not belong to, and nothing
//! is deleted.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::backups::folder_of;
use super::{checks, files, take_lock};
use crate::OpenError;

/// What belongs to a database. The file itself is moved last, which is how it
/// is known where the others are.
const PARTS: [&str; 3] = ["-wal", "-shm", ""];

/// A copy of a backup that is to be the database.
fn pending(database: &Path) -> PathBuf {
    files::beside(database, ".restored")
}

/// Puts a backup in the place of a database, and says where that is now, if
/// there was one.
///
/// The backup is read through before anything is changed: damage, tables that
/// are newer than we are, and memories that the key file does not open. Fails
/// while another process has the database.
pub async fn restore(database: &Path, backup: &Path) -> Result<Option<PathBuf>, OpenError> {
    let lock = take_lock(database)?;
    // What an earlier process had decided on comes first, to be moved aside.
    finish(database)?;
    checks::run_backup(backup, database).await?;
    let failed = |error: io::Error| OpenError::from_io(database, &error);
    let part = files::beside(database, ".restored.part");
    copy(backup, &part).map_err(|error| OpenError::from_io(&part, &error))?;
    fs::rename(&part, pending(database)).map_err(failed)?;
    files::sync_folder(database).map_err(failed)?;
    let aside = finish(database)?;
    lock.unlock().map_err(failed)?;
    Ok(aside)
}

fn copy(backup: &Path, part: &Path) -> io::Result<()> {
    match fs::remove_file(part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut copy = files::private().create_new(true).open(part)?;
    io::copy(&mut fs::File::open(backup)?, &mut copy)?;
    copy.sync_all()
}

/// Does what is left of a restoration, if one was begun. Says where the
/// database is that was there, if one was moved.
pub(super) fn finish(database: &Path) -> Result<Option<PathBuf>, OpenError> {
    let failed = |error: io::Error| OpenError::from_io(database, &error);
    if !pending(database).try_exists().map_err(failed)? {
        return Ok(None);
    }
    let aside = folder_aside(database);
    let moves = moves(database, &aside).map_err(failed)?;
    if moves.len() > 1 {
        files::make_folder(&aside)?;
    }
    for (from, to) in moves {
        fs::rename(from, to).map_err(failed)?;
        files::sync_folder(database).map_err(failed)?;
    }
    tracing::info!(path = %database.display(), "a backup was brought back");
    let was = database
        .file_name()
        .is_some_and(|name| aside.join(name).exists());
    Ok(was.then_some(aside))
}

/// Every file that has yet to move, in order.
fn moves(database: &Path, aside: &Path) -> io::Result<Vec<(PathBuf, PathBuf)>> {
    let mut moves = Vec::new();
    for suffix in PARTS {
        let from = files::beside(database, suffix);
        if from.try_exists()?
            && let Some(name) = from.file_name()
        {
            let to = aside.join(name);
            moves.push((from, to));
        }
    }
    moves.push((pending(database), database.to_owned()));
    Ok(moves)
}

/// Where what is there goes: the first folder in which nothing of a database
/// would be replaced.
fn folder_aside(database: &Path) -> PathBuf {
    let is_free = |folder: &PathBuf| {
        PARTS.iter().all(|suffix| {
            let from = files::beside(database, suffix);
            let taken = |name| folder.join(name).exists();
            let is_taken = from.file_name().is_some_and(taken);
            // A log may be there already; the file is not while one is moved.
            !is_taken || (!suffix.is_empty() && !from.exists())
        })
    };
    let mut folders = (1..).map(|n: u64| database.with_file_name(format!("replaced-{n}")));
    folders
        .find(is_free)
        .unwrap_or_else(|| database.with_file_name("replaced"))
}

/// A backup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BackupFile {
    /// Where it is.
    pub path: PathBuf,
    /// When it was made, like `2027-01-31 23:59:59 UTC`.
    pub made: String,
    /// How large it is.
    pub bytes: u64,
}

/// The backups of a database, oldest first.
pub fn list(database: &Path) -> io::Result<Vec<BackupFile>> {
    let folder = folder_of(database);
    let mut found = Vec::new();
    for name in super::backups::names_in(&folder)? {
        let path = folder.join(&name);
        let digits: Vec<&str> = [6..10, 10..12, 12..14, 15..17, 17..19, 19..21]
            .into_iter()
            .filter_map(|range| name.get(range))
            .collect();
        let [year, month, day, hour, minute, second] = digits[..] else {
            continue;
        };
        found.push(BackupFile {
            bytes: fs::metadata(&path)?.len(),
            made: format!("{year}-{month}-{day} {hour}:{minute}:{second} UTC"),
            path,
        });
    }
    Ok(found)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn put(path: &Path, text: &str) {
        fs::write(path, text).unwrap();
    }

    fn told(path: &Path) -> String {
        fs::read_to_string(path).unwrap_or_default()
    }

    /// Whatever was moved when the process died, the next one ends with the
    /// same files.
    #[test]
    fn a_restoration_that_was_cut_short_is_finished() {
        let texts = [("-wal", "old log"), ("-shm", "old index"), ("", "old")];
        for moved in 0..=3 {
            let folder = tempfile::tempdir().unwrap();
            let database = folder.path().join("kaiwa.db");
            for (suffix, text) in texts {
                put(&files::beside(&database, suffix), text);
            }
            put(&pending(&database), "restored");
            let aside = folder_aside(&database);
            fs::create_dir(&aside).unwrap();
            for (from, to) in moves(&database, &aside).unwrap().into_iter().take(moved) {
                fs::rename(from, to).unwrap();
            }
            let was = finish(&database).unwrap();
            assert_eq!(told(&database), "restored", "{moved}");
            let first = folder.path().join("replaced-1");
            for (suffix, text) in texts {
                let kept = files::beside(&first.join("kaiwa.db"), suffix);
                assert_eq!(told(&kept), text, "{moved} {suffix}");
            }
            assert!(!files::beside(&database, "-wal").exists(), "{moved}");
            // All had been moved: nobody is there to be told of it.
            assert_eq!(was, (moved < 3).then_some(first), "{moved}");
            assert_eq!(finish(&database).unwrap(), None, "nothing is left to do");
        }
    }

    #[test]
    fn nothing_that_was_moved_aside_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("kaiwa.db");
        for round in 1..=3 {
            put(&files::beside(&database, "-wal"), &format!("log {round}"));
            // A log may be all that is left.
            if round != 2 {
                put(&database, &format!("file {round}"));
            } else {
                fs::remove_file(&database).unwrap();
            }
            put(&pending(&database), "restored");
            finish(&database).unwrap();
            assert_eq!(told(&database), "restored");
            fs::remove_file(&database).unwrap();
            put(&database, "restored");
        }
        let logs = ["replaced-1", "replaced-2", "replaced-3"]
            .map(|name| told(&folder.path().join(name).join("kaiwa.db-wal")));
        assert_eq!(logs, ["log 1", "log 2", "log 3"]);
    }
}
