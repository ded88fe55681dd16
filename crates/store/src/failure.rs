//! Why the database cannot be used, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use kaiwa_domain::StoreError;

use crate::sqlite::backups::newest;

/// Why a database was not opened. It was left as it was.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// Another instance holds the lock beside the database.
    #[error(
        "another Kaiwa is using {}: stop it or choose another data folder with --data",
        path.display()
    )]
    InUse {
        /// The database.
        path: PathBuf,
    },
    /// Some other program has locked the database itself.
    #[error(
        "another program has locked {}: close it (a database browser or a backup?) and start again",
        path.display()
    )]
    Locked {
        /// The database.
        path: PathBuf,
    },
    /// The folder or the file cannot be written.
    #[error(
        "cannot write {} ({reason}): make it writable or choose another data folder with --data",
        path.display()
    )]
    NotWritable {
        /// What could not be written.
        path: PathBuf,
        /// What the operating system said.
        reason: String,
    },
    /// The disk is full.
    #[error(
        "the disk that holds {} is full: free some space or choose another data folder with --data",
        path.display()
    )]
    DiskFull {
        /// The database.
        path: PathBuf,
    },
    /// A later version of Kaiwa has changed the tables.
    #[error(
        "{} was last used by a newer Kaiwa (schema {version}): update Kaiwa or choose another data folder with --data",
        path.display()
    )]
    NewerSchema {
        /// The database.
        path: PathBuf,
        /// The first migration we do not know.
        version: i64,
    },
    /// The tables were made by a build whose migrations differ from ours.
    #[error(
        "{} was made by another build of Kaiwa (schema {version} differs): use that build or choose another data folder with --data",
        path.display()
    )]
    ChangedSchema {
        /// The database.
        path: PathBuf,
        /// The migration that differs.
        version: i64,
    },
    /// The file is something else, or another program's database.
    #[error(
        "{} is not a Kaiwa database: move it away or choose another data folder with --data",
        path.display()
    )]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// The database is damaged.
    #[error("{} is damaged ({reason}): {}", path.display(), restoring(path, backup.as_deref()))]
    Corrupt {
        /// The database.
        path: PathBuf,
        /// What the engine found.
        reason: String,
        /// Its last backup of ours.
        backup: Option<PathBuf>,
    },
    /// The key file is gone, and something is sealed with it.
    #[error(
        "{} is missing, and the memories in {} are sealed with it: put it back from a backup. If it is lost, they are too; then move the database away to start afresh",
        path.display(), database.display()
    )]
    KeyMissing {
        /// The key file.
        path: PathBuf,
        /// The database.
        database: PathBuf,
    },
    /// The key file is another database's.
    #[error(
        "{} does not open the memories in {}: put the file back that belongs to this database",
        path.display(), database.display()
    )]
    KeyWrong {
        /// The key file.
        path: PathBuf,
        /// The database.
        database: PathBuf,
    },
    /// The key file cannot be read.
    #[error(
        "cannot read the key file {} ({reason}): make it readable, or put it back from a backup",
        path.display()
    )]
    KeyUnreadable {
        /// The key file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Anything else.
    #[error("cannot open {}: {reason}", path.display())]
    Failed {
        /// The database.
        path: PathBuf,
        /// What the engine said.
        reason: String,
    },
}

impl OpenError {
    pub(crate) fn from_io(path: &Path, error: &io::Error) -> Self {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path },
            _ => Self::NotWritable {
                path,
                reason: error.to_string(),
            },
        }
    }

    /// The database is damaged.
    pub(crate) fn corrupt(path: PathBuf, reason: String) -> Self {
        Self::Corrupt {
            backup: newest(&path),
            path,
            reason,
        }
    }

    /// The file does not look like a database of ours. If there are backups of
    /// one, it was.
    pub(crate) fn foreign(path: PathBuf) -> Self {
        match newest(&path) {
            None => Self::NotOurs { path },
            Some(_) => Self::corrupt(path, "its first bytes are not a database's".to_owned()),
        }
    }

    pub(crate) fn from_engine(path: &Path, error: &sqlx::Error) -> Self {
        let reason = reason(error);
        let path = path.to_owned();
        match Fault::of(error) {
            Some(Fault::Locked) => Self::Locked { path },
            Some(Fault::ReadOnly) => Self::NotWritable { path, reason },
            Some(Fault::Full) => Self::DiskFull { path },
            Some(Fault::Corrupt) => Self::corrupt(path, reason),
            Some(Fault::NotADatabase) => Self::foreign(path),
            Some(Fault::Superseded) => Self::InUse { path },
            None => Self::Failed { path, reason },
        }
    }
}

/// What to do about a damaged database.
fn restoring(path: &Path, backup: Option<&Path>) -> String {
    match backup {
        None => "restore a backup, or move it away to start afresh".to_owned(),
        Some(backup) => format!(
            "bring its last backup, {1}, back with `kaiwa restore`, or move it, {0}-wal and {0}-shm away to start afresh",
            path.display(),
            backup.display()
        ),
    }
}

/// Turns an engine's error into the port's.
pub(crate) fn store_error(error: &sqlx::Error) -> StoreError {
    let words = reason(error);
    let blocked = |advice: &str| StoreError::Blocked {
        reason: format!("{advice} ({words})"),
    };
    match Fault::of(error) {
        Some(Fault::Full) => blocked("the disk is full: free some space"),
        Some(Fault::ReadOnly) => blocked("it has become read-only or is gone: make it writable"),
        Some(Fault::Locked) => StoreError::Transient {
            reason: format!("another program has locked it: close that program ({words})"),
        },
        Some(Fault::Superseded) => StoreError::Superseded { reason: words },
        Some(Fault::Corrupt | Fault::NotADatabase) => StoreError::Damaged {
            reason: format!("restore a backup ({words})"),
        },
        None if matches!(
            error,
            sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. }
        ) =>
        {
            StoreError::Damaged { reason: words }
        }
        None => StoreError::Transient { reason: words },
    }
}

/// The engine's own words, without the wrapping of the driver.
fn reason(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(database) => database.message().to_owned(),
        other => other.to_string(),
    }
}

/// The failures of SQLite that an operator can do something about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    Locked,
    ReadOnly,
    Full,
    Corrupt,
    NotADatabase,
    /// A trigger of ours said no.
    Superseded,
}

impl Fault {
    fn of(error: &sqlx::Error) -> Option<Self> {
        if let sqlx::Error::Io(error) = error {
            return match error.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Some(Self::Full),
                io::ErrorKind::PermissionDenied => Some(Self::ReadOnly),
                _ => None,
            };
        }
        Self::from_code(error.as_database_error()?.code()?.parse().ok()?)
    }

    /// See [SQLite, Result and Error Codes](https://www.sqlite.org/rescode.html):
    /// the low byte is the primary code, the rest refines it.
    const fn from_code(extended: i32) -> Option<Self> {
        if extended == 1811 {
            return Some(Self::Superseded);
        }
        match extended & 0xff {
            5 | 6 => Some(Self::Locked),
            3 | 8 | 14 => Some(Self::ReadOnly),
            11 => Some(Self::Corrupt),
            13 => Some(Self::Full),
            26 => Some(Self::NotADatabase),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_engine_become_advice() {
        let table = [
            (5, Some(Fault::Locked)),
            (261, Some(Fault::Locked)),
            (8, Some(Fault::ReadOnly)),
            (1032, Some(Fault::ReadOnly)),
            (14, Some(Fault::ReadOnly)),
            (11, Some(Fault::Corrupt)),
            (267, Some(Fault::Corrupt)),
            (13, Some(Fault::Full)),
            (26, Some(Fault::NotADatabase)),
            (1811, Some(Fault::Superseded)),
            (1, None),
            (2067, None),
        ];
        for (code, expected) in table {
            assert_eq!(Fault::from_code(code), expected, "{code}");
        }
    }

    #[test]
    fn the_systems_words_tell_a_full_disk_from_a_closed_door() {
        let path = Path::new("d/kaiwa.db");
        let full = OpenError::from_io(path, &io::ErrorKind::StorageFull.into());
        assert_eq!(
            full.to_string(),
            "the disk that holds d/kaiwa.db is full: free some space or choose another data folder with --data"
        );
        let closed = OpenError::from_io(path, &io::ErrorKind::PermissionDenied.into());
        assert_eq!(
            closed.to_string(),
            "cannot write d/kaiwa.db (permission denied): make it writable or choose another data folder with --data"
        );
    }
}
