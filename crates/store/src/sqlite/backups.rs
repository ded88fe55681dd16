//! Copies of the database, made while it is in use.
//!
//! A copy is written under a name that means nothing, synced, and renamed: what
//! is called a backup is whole. It is made on a connection of its own, which
//! reads what there was at one moment; whoever writes goes on meanwhile, and
//! only the log grows. Names sort by time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kaiwa_domain::port::{Backups, Pending};
use kaiwa_domain::{StoreError, Timestamp};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

use super::{PATIENCE, Sqlite, files};
use crate::failure::store_error;

/// How old the newest backup may be, in milliseconds.
const EVERY: i64 = 24 * 3600 * 1000;

/// How many steps of SQLite's are taken before it is asked whether to go on.
const STEPS: i32 = 10_000;

/// Where the backups of a database are.
pub(super) fn folder_of(database: &Path) -> PathBuf {
    database.with_file_name("backups")
}

/// The newest backup of a database, if there is one.
pub fn newest(database: &Path) -> Option<PathBuf> {
    let folder = folder_of(database);
    let names = names_in(&folder).ok()?;
    names.last().map(|name| folder.join(name))
}

/// The names of the backups in a folder, oldest first.
pub(super) fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().into_string();
        names.extend(name.ok().filter(|name| is_backup(name)));
    }
    names.sort_unstable();
    Ok(names)
}

/// Whether a name is one of ours, such as `kaiwa-20270131T235959Z.db`.
fn is_backup(name: &str) -> bool {
    let time = name.strip_prefix("kaiwa-");
    let time = time.and_then(|rest| rest.strip_suffix("Z.db"));
    time.and_then(|time| time.split_once('T'))
        .is_some_and(|(day, clock)| {
            let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            day.len() == 8 && clock.len() == 6 && digits(day) && digits(clock)
        })
}

/// A copy that is being made; it goes unless it gets another name.
struct Unfinished(PathBuf);

impl Unfinished {
    /// An empty file that nobody else may read. What an earlier process left
    /// of its own goes.
    fn begin(path: PathBuf) -> io::Result<Self> {
        let unfinished = Self(path);
        unfinished.remove();
        files::private().create_new(true).open(&unfinished.0)?;
        Ok(unfinished)
    }

    fn remove(&self) {
        // The copy itself last: where it is gone, nothing of a next one is removed.
        for suffix in ["-journal", "-wal", "-shm", ""] {
            // It is not there, or the next one tries again.
            let _ = fs::remove_file(files::beside(&self.0, suffix));
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Gives a copy its name once it is on disk.
fn finish(unfinished: &Path, name: &Path) -> io::Result<()> {
    let file = fs::OpenOptions::new().write(true).open(unfinished)?;
    file.sync_all()?;
    fs::rename(unfinished, name)?;
    files::sync_folder(name)
}

/// Ends what a connection is doing, when it is dropped.
struct Interruption(Arc<AtomicBool>);

impl Interruption {
    /// The connection works in a thread of its own, which goes on after whoever
    /// waited for it is gone: it is told so here, and keeps `until_closed`.
    async fn of(
        connection: &mut SqliteConnection,
        until_closed: impl Send + 'static,
    ) -> Result<Self, StoreError> {
        let ended = Arc::new(AtomicBool::new(false));
        let mut handle = connection
            .lock_handle()
            .await
            .map_err(|error| store_error(&error))?;
        let interruption = Self(ended.clone());
        handle.set_progress_handler(STEPS, move || {
            let _ = &until_closed;
            !ended.load(Ordering::Relaxed)
        });
        Ok(interruption)
    }
}

impl Drop for Interruption {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Backups for Sqlite {
    fn examine(&self) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let mut connection = self.connect_apart().await?;
            let _interruption = Interruption::of(&mut connection, ()).await?;
            examine(&mut connection).await
        })
    }

    fn back_up(&self, keep: u16, now: Timestamp) -> Pending<'_, Result<bool, StoreError>> {
        Box::pin(self.make_backup(keep, now))
    }
}

impl Sqlite {
    async fn make_backup(&self, keep: u16, now: Timestamp) -> Result<bool, StoreError> {
        let folder = folder_of(self.place.path());
        let failed = |error: io::Error| unwritten(&folder, &error);
        let mut connection = self.connect_apart().await?;
        let newest = name_at(&mut connection, now.as_millis()).await?;
        let last = name_at(&mut connection, now.as_millis().saturating_sub(EVERY)).await?;
        let there = names_in(&folder).map_err(failed)?;
        // One that a clock gone wrong has put into the future is none.
        if there.iter().any(|name| *name > last && *name <= newest) {
            return Ok(false);
        }
        files::make_folder(&folder).map_err(|error| StoreError::Blocked {
            reason: error.to_string(),
        })?;
        files::restrict(&folder);
        let part = folder.join("kaiwa.db.part");
        let unfinished = Unfinished::begin(part.clone()).map_err(failed)?;
        let interruption = Interruption::of(&mut connection, unfinished).await?;
        let copied = copy(&mut connection, part, folder.join(&newest)).await;
        drop(interruption);
        // Whatever stays of it goes with the connection.
        let _ = connection.close().await;
        copied?;
        prune(&folder, there, &newest, keep).map_err(failed)?;
        self.fold_log().await;
        Ok(true)
    }

    /// A connection beside the others, which wait for it no longer than for
    /// any reader.
    async fn connect_apart(&self) -> Result<SqliteConnection, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(self.place.path())
            .read_only(true)
            .busy_timeout(PATIENCE);
        options.connect().await.map_err(|error| store_error(&error))
    }

    /// What was erased meanwhile is gone from the file, but stays in the log
    /// until that is folded in.
    async fn fold_log(&self) {
        if let Err(error) = self.fold.whole().await {
            tracing::warn!(%error, "the log cannot be folded into the database");
        }
    }
}

/// Writes a copy to `part`, and calls it `name` once it is on disk.
async fn copy(
    connection: &mut SqliteConnection,
    part: PathBuf,
    name: PathBuf,
) -> Result<(), StoreError> {
    let target = part.to_str().ok_or_else(|| StoreError::Blocked {
        reason: "the path of the data folder is not Unicode: choose another".to_owned(),
    })?;
    sqlx::query("VACUUM INTO ?1")
        .bind(target)
        .execute(connection)
        .await
        .map_err(|error| store_error(&error))?;
    let folder = name.with_file_name("");
    let finished = tokio::task::spawn_blocking(move || finish(&part, &name)).await;
    let finished = finished.map_err(io::Error::other).flatten();
    finished.map_err(|error| unwritten(&folder, &error))
}

/// Looks for damage.
async fn examine(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let found: String = sqlx::query_scalar("PRAGMA quick_check(1)")
        .fetch_one(connection)
        .await
        .map_err(|error| store_error(&error))?;
    match &*found {
        "ok" => Ok(()),
        found => Err(StoreError::Damaged {
            reason: format!(
                "restore a backup ({})",
                found.lines().collect::<Vec<_>>().join(" ")
            ),
        }),
    }
}

/// What a backup of this moment is called.
async fn name_at(connection: &mut SqliteConnection, millis: i64) -> Result<String, StoreError> {
    sqlx::query_scalar("SELECT strftime('kaiwa-%Y%m%dT%H%M%SZ.db', ?1 / 1000, 'unixepoch')")
        .bind(millis)
        .fetch_one(connection)
        .await
        .map_err(|error| store_error(&error))
}

/// Deletes the oldest of those that were there, so that with the newest there
/// are `keep`. One with a time that is not yet was made before the clock was
/// put right.
fn prune(folder: &Path, mut there: Vec<String>, newest: &String, keep: u16) -> io::Result<()> {
    there.retain(|name| name != newest);
    there.sort_by_key(|name| (name < newest, name.clone()));
    let kept = usize::from(keep).saturating_sub(1);
    let old = there.len().saturating_sub(kept);
    for name in &there[..old] {
        fs::remove_file(folder.join(name))?;
    }
    Ok(())
}

fn unwritten(folder: &Path, error: &io::Error) -> StoreError {
    let advice = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "the disk is full: free some space"
        }
        _ => "make the folder writable",
    };
    StoreError::Blocked {
        reason: format!("{advice} ({}: {error})", folder.display()),
    }
}
