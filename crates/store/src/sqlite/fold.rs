//! How the write-ahead log gets folded into the database.
//!
//! Left to itself the engine does that within a commit, whoever happens to make
//! it: hundreds of pages and two syncs, for which all who write would wait. So it
//! is done beside the writer, and the writer only adds what came meanwhile, after
//! which the log begins anew.

use std::sync::Arc;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection, Row};
use tokio::sync::Mutex;

use super::writer::SoleWriter;

/// In pages: a log that is longer begins anew.
const LONG: i64 = 1_000;

/// In pages: how long a log becomes, if folding fails, before the engine does it
/// itself.
const TOO_LONG: &str = "16000";

/// In bytes: what the file of the log keeps when it begins anew. A file that
/// grows takes longer to sync.
const KEPT: &str = "16777216";

/// Folds the log. No two do it at the same time: the second would be refused.
#[derive(Debug)]
pub(super) struct LogFold {
    writer: SoleWriter,
    options: SqliteConnectOptions,
    beside: Arc<Mutex<Beside>>,
}

/// The connection that folds beside the writer.
#[derive(Debug, Default)]
struct Beside {
    connection: Option<SqliteConnection>,
    closed: bool,
}

impl LogFold {
    /// Has the writer's connections leave the log alone.
    pub(super) fn leave(options: SqliteConnectOptions) -> SqliteConnectOptions {
        options
            .pragma("wal_autocheckpoint", TOO_LONG)
            .pragma("journal_size_limit", KEPT)
    }

    pub(super) fn of(writer: SoleWriter, options: SqliteConnectOptions) -> Self {
        Self {
            writer,
            options,
            beside: Arc::default(),
        }
    }

    /// Folds whenever enough was written.
    pub(super) async fn run(&self) {
        loop {
            self.writer.wrote_much().await;
            if let Err(error) = self.some().await {
                tracing::warn!(%error, "the log cannot be folded into the database");
            }
        }
    }

    /// Folds what is there now.
    async fn some(&self) -> Result<(), sqlx::Error> {
        let mut beside = self.beside.clone().lock_owned().await;
        if beside.closed {
            return Ok(());
        }
        let mut connection = match beside.connection.take() {
            Some(connection) => connection,
            None => self.options.connect().await?,
        };
        let pages = passively(&mut connection).await?;
        beside.connection = Some(connection);
        if pages > LONG {
            let mut lent = self.writer.lend().await?;
            lent.spoilt = true;
            passively(&mut lent.connection).await?;
            lent.spoilt = false;
        }
        Ok(())
    }

    /// Folds all of it, and leaves nothing in the log.
    pub(super) async fn whole(&self) -> Result<(), sqlx::Error> {
        let _alone = self.beside.clone().lock_owned().await;
        let mut lent = self.writer.lend().await?;
        lent.spoilt = true;
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
            .execute(&mut lent.connection)
            .await?;
        lent.spoilt = false;
        Ok(())
    }

    /// Folds no more.
    pub(super) async fn close(&self) {
        let mut beside = self.beside.clone().lock_owned().await;
        beside.closed = true;
        if let Some(connection) = beside.connection.take() {
            let _ = connection.close().await;
        }
    }
}

/// Folds as far as nobody has to wait, and says how many pages the log has.
async fn passively(connection: &mut SqliteConnection) -> Result<i64, sqlx::Error> {
    let row = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)")
        .fetch_one(connection)
        .await?;
    row.try_get(1)
}
