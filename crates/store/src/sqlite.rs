//! SQLite: one file, one writer, a few readers.

pub(crate) mod backups;
mod checks;
mod tx;
mod columns;
mod body;
mod fence;
mod files;
mod fold;
mod journal;
mod turns;
mod takes;
mod effects;
mod handles;
mod offers;
mod recovery;
mod retention;
pub(crate) mod restore;
mod ledger;
mod migrations;
mod sessions;
mod settings;
mod cases;
mod newcomers;
mod personas;
mod keys;
mod memory;
mod recall;
mod records;
mod rotation;
mod schedules;
mod sync;
mod thread;
mod writer;
mod webhooks;
mod erasure;
mod departures;

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use kaiwa_domain::StoreError;
use kaiwa_domain::port::{Database, Pending};
use sqlx::migrate::MigrateError;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};

use crate::OpenError;
use crate::failure::store_error;
use fence::EpochFence;
use files::Place;
use fold::LogFold;
use journal::JournalError;
use keys::MemoryKeys;
use migrations::MIGRATIONS;
use recall::FactIndexes;
use sync::LogSync;
use thread::JournalThread;
use tx::Tx;
use writer::SoleWriter;

/// How long a statement waits for a program that has locked the database.
const PATIENCE: Duration = Duration::from_secs(5);

/// The journals, the sessions, the ledger, the settings and the memories in an
/// SQLite file, and the keys of the memories in a file beside it.
///
/// Writes go through one connection, so they queue instead of colliding. What
/// is committed is synced to disk before the call returns: without that a power
/// cut could forget that a post was sent and send it again. The calls of the
/// journal, which every answer makes, share their syncs.
///
/// Clones share all of it.
#[derive(Clone, Debug)]
pub struct Sqlite {
    writer: SoleWriter,
    readers: SqlitePool,
    /// Held as long as the database is open; the system drops it with us.
    lock: Arc<File>,
    place: Arc<Place>,
    sync: Arc<LogSync>,
    fold: Arc<LogFold>,
    keys: Arc<RwLock<Arc<MemoryKeys>>>,
    indexes: Arc<FactIndexes>,
    thread: Arc<JournalThread>,
}

impl Sqlite {
    /// Opens the database at `path`, which is made with its folder if missing,
    /// and brings its tables up to date. Nobody but the owner may read the files.
    ///
    /// Everything that may be wrong is looked for before the first change.
    pub async fn open(path: &Path) -> Result<Self, OpenError> {
        let lock = take_lock(path)?;
        restore::finish(path)?;
        checks::run(path).await?;
        files::make_private(path)?;

        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A transaction says itself how it is synced, and what opening writes
            // is synced at its end.
            .synchronous(SqliteSynchronous::Normal)
            .foreign_keys(true)
            .busy_timeout(PATIENCE)
            .statement_cache_capacity(32)
            // Negative: kibibytes. The journals are small and read rarely.
            .pragma("cache_size", "-1024")
            // What is deleted is overwritten.
            .pragma("secure_delete", "ON");

        let engine = |error| OpenError::from_engine(path, &error);
        let fence = Arc::new(EpochFence::default());
        let writing = LogFold::leave(options.clone());
        let writer = SoleWriter::new(writing.clone(), fence.clone());
        let keys = {
            let mut lent = writer.lend().await.map_err(engine)?;
            let connection = &mut lent.connection;
            MIGRATIONS
                .run(&mut *connection)
                .await
                .map_err(|error| migration_failed(path, error))?;
            fence.raise(connection).await.map_err(engine)?;
            keys::take(path, connection).await?
        };
        // Connections live as long as the process: a new one would have to
        // read the schema and fill its cache again.
        let readers = SqlitePoolOptions::new()
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .max_connections(2)
            .connect_lazy_with(options.read_only(true).create_if_missing(false));
        let fold = LogFold::of(writer.clone(), writing.create_if_missing(false));

        let place = Place::of(path).map_err(|error| OpenError::from_io(path, &error))?;
        let thread = JournalThread::start().map_err(|error| OpenError::from_io(path, &error))?;
        let store = Self {
            writer,
            readers,
            lock: Arc::new(lock),
            place: Arc::new(place),
            sync: Arc::new(LogSync::of(path)),
            fold: Arc::new(fold),
            keys: Arc::new(RwLock::new(Arc::new(keys))),
            indexes: Arc::default(),
            thread: Arc::new(thread),
        };
        store.finish_what_was_begun().await.map_err(|error| {
            let reason = StoreError::from(error).to_string();
            let path = path.to_owned();
            OpenError::Failed { path, reason }
        })?;
        let synced = store.sync.wait().await;
        synced.map_err(|error| OpenError::from_io(path, &error))?;
        let fold = store.fold.clone();
        store.thread.run(async move { fold.run().await });
        tracing::debug!(path = %path.display(), "database open");
        Ok(store)
    }

    /// Opens the database at `path` to look into it beside the process that
    /// has it. Every change fails, and it needs no closing.
    pub fn beside(path: &Path) -> Result<Self, OpenError> {
        let lock = File::open(files::beside(path, ".lock"));
        let lock = lock.map_err(|error| OpenError::from_io(path, &error))?;
        let keys = MemoryKeys::load(path)?.ok_or_else(|| OpenError::KeyMissing {
            path: MemoryKeys::path(path),
            database: path.to_owned(),
        })?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .read_only(true)
            .busy_timeout(PATIENCE);
        let writer = SoleWriter::new(options.clone(), Arc::default());
        let place = Place::of(path).map_err(|error| OpenError::from_io(path, &error))?;
        let thread = JournalThread::start().map_err(|error| OpenError::from_io(path, &error))?;
        Ok(Self {
            fold: Arc::new(LogFold::of(writer.clone(), options.clone())),
            writer,
            readers: SqlitePoolOptions::new()
                .max_connections(1)
                .connect_lazy_with(options),
            lock: Arc::new(lock),
            place: Arc::new(place),
            sync: Arc::new(LogSync::of(path)),
            keys: Arc::new(RwLock::new(Arc::new(keys))),
            indexes: Arc::default(),
            thread: Arc::new(thread),
        })
    }

    /// Finishes the change of keys and the erasures that an earlier process was
    /// cut short in.
    async fn finish_what_was_begun(&self) -> Result<(), JournalError> {
        self.finish_rotation().await?;
        self.finish_erasures().await?;
        Ok(())
    }

    /// The keys of what is sealed.
    fn keys(&self) -> Arc<MemoryKeys> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        keys.clone()
    }

    fn set_keys(&self, new: MemoryKeys) {
        let mut keys = self.keys.write().unwrap_or_else(PoisonError::into_inner);
        *keys = Arc::new(new);
    }

    /// Waits for the calls under way, folds the write-ahead log into the file,
    /// and lets the next instance in. Later calls fail.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.readers.close().await;
        let folded = self.fold.whole().await;
        self.fold.close().await;
        let closed = self.writer.close().await;
        self.lock.unlock().map_err(|error| StoreError::Blocked {
            reason: format!("cannot unlock the database: {error}"),
        })?;
        folded.and(closed).map_err(|error| store_error(&error))
    }

    /// Whether the database is still the file that was opened. A folder that is
    /// removed or replaced under us takes writes without an error, and all of
    /// them are lost. Costs one look at the file.
    pub fn is_in_place(&self) -> bool {
        self.place.is_same()
    }

    /// Begins a transaction that may write.
    async fn write(&self) -> Result<Tx<'_>, sqlx::Error> {
        Tx::begin(&self.writer).await
    }

    /// Begins a transaction that may write and shares its sync with others. It
    /// may be repeated if its commit fails.
    async fn write_repeatable(&self) -> Result<Tx<'_>, sqlx::Error> {
        Tx::begin_shared(&self.writer, &self.sync).await
    }

    /// The same for a single statement.
    async fn write_once(&self) -> Result<Tx<'_>, sqlx::Error> {
        Tx::statement(&self.writer, &self.sync).await
    }
}

impl Database for Sqlite {
    fn close(&self) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(Self::close(self))
    }
}

/// Takes the lock file beside the database. It is never deleted: a second
/// instance could lock the deleted file and believe itself alone.
fn take_lock(path: &Path) -> Result<File, OpenError> {
    if let Some(folder) = path.parent() {
        files::make_folder(folder)?;
    }
    let name = files::beside(path, ".lock");
    let file = files::private()
        .create(true)
        .truncate(false)
        .open(&name)
        .map_err(|error| OpenError::from_io(&name, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse {
            path: path.to_owned(),
        }),
        Err(TryLockError::Error(error)) => Err(OpenError::Failed {
            path: path.to_owned(),
            reason: format!("cannot lock {}: {error}", name.display()),
        }),
    }
}

fn migration_failed(path: &Path, error: MigrateError) -> OpenError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            OpenError::from_engine(path, &error)
        }
        other => OpenError::Failed {
            path: path.to_owned(),
            reason: other.to_string(),
        },
    }
}
