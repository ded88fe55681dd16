//! What is looked at before an existing database is touched.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

use super::keys;
use super::migrations::MIGRATIONS;
use crate::OpenError;

/// A damaged page is found at once in files up to this size; reading a larger
/// one through would delay the start, so it is [examined](super::backups) later.
const CHECKED_BYTES: u64 = 16 << 20;

/// Our own instance lock is held, so only a foreign program can be in the way,
/// and one that locks out readers does not do so for a moment only.
const PATIENCE: Duration = Duration::from_millis(200);

/// The first bytes of every SQLite database.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Fails unless `path` is missing, empty, or a sound database of ours that is
/// not newer than we are. Nothing is written.
pub(super) async fn run(path: &Path) -> Result<(), OpenError> {
    let Some(size) = check_file(path)? else {
        return Ok(());
    };
    let mut connection = SqliteConnectOptions::new()
        .filename(path)
        .read_only(true)
        .busy_timeout(PATIENCE)
        .connect()
        .await
        .map_err(|error| OpenError::from_engine(path, &error))?;
    let verdict = check_content(path, size <= CHECKED_BYTES, path, &mut connection).await;
    // A connection that cannot be closed well is dropped; it wrote nothing.
    let _ = connection.close().await;
    verdict
}

/// Fails unless `backup` is sound, not newer than we are, and opened by the key
/// file beside `database`. It is read through, whatever its size.
pub(super) async fn run_backup(backup: &Path, database: &Path) -> Result<(), OpenError> {
    let metadata = std::fs::metadata(backup);
    let metadata = metadata.map_err(|error| OpenError::from_io(backup, &error))?;
    if !metadata.is_file() || metadata.len() == 0 {
        return Err(OpenError::NotOurs {
            path: backup.to_owned(),
        });
    }
    let mut connection = SqliteConnectOptions::new()
        .filename(backup)
        // Nobody changes it, and nothing is put beside it.
        .immutable(true)
        .connect()
        .await
        .map_err(|error| OpenError::from_engine(backup, &error))?;
    let verdict = check_content(backup, true, database, &mut connection).await;
    let _ = connection.close().await;
    verdict
}

/// The size of a file that is there, writable and SQLite's by its first bytes.
fn check_file(path: &Path) -> Result<Option<u64>, OpenError> {
    let mut file = match OpenOptions::new().read(true).write(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(OpenError::from_io(path, &error)),
    };
    let size = file
        .metadata()
        .map_err(|error| OpenError::from_io(path, &error))?
        .len();
    if size == 0 {
        return Ok(None);
    }
    let mut start = [0; MAGIC.len()];
    match file.read_exact(&mut start) {
        Ok(()) if start == *MAGIC => Ok(Some(size)),
        Err(error) if error.kind() != ErrorKind::UnexpectedEof => {
            Err(OpenError::from_io(path, &error))
        }
        _ => Err(OpenError::foreign(path.to_owned())),
    }
}

/// `database` is the one that has the key file.
async fn check_content(
    path: &Path,
    read_through: bool,
    database: &Path,
    connection: &mut SqliteConnection,
) -> Result<(), OpenError> {
    let failed = |error: sqlx::Error| OpenError::from_engine(path, &error);

    let tables: Vec<String> =
        sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'table'")
            .fetch_all(&mut *connection)
            .await
            .map_err(failed)?;
    if !tables.is_empty() && !tables.iter().any(|name| name == "_sqlx_migrations") {
        return Err(OpenError::NotOurs {
            path: path.to_owned(),
        });
    }

    if read_through {
        let found: String = sqlx::query_scalar("PRAGMA quick_check(1)")
            .fetch_one(&mut *connection)
            .await
            .map_err(failed)?;
        if found != "ok" {
            let reason = found.lines().collect::<Vec<_>>().join(" ");
            return Err(OpenError::corrupt(path.to_owned(), reason));
        }
    }

    if tables.is_empty() {
        return Ok(());
    }
    let applied: Vec<(i64, Vec<u8>)> =
        sqlx::query_as("SELECT version, checksum FROM _sqlx_migrations ORDER BY version")
            .fetch_all(&mut *connection)
            .await
            .map_err(failed)?;
    let known: HashMap<i64, &[u8]> = MIGRATIONS
        .iter()
        .map(|migration| (migration.version, &*migration.checksum))
        .collect();
    for (version, checksum) in applied {
        let path = path.to_owned();
        match known.get(&version) {
            None => return Err(OpenError::NewerSchema { path, version }),
            Some(ours) if *ours != checksum => {
                return Err(OpenError::ChangedSchema { path, version });
            }
            Some(_) => {}
        }
    }
    keys::check(database, connection).await
}
